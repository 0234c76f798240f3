//! A file as a slice of bytes: the one place where the compiler's word is not enough.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A file mapped into memory, to be read.
///
/// The operating system reads a page of it when it is first touched, and may drop it again: the bytes are no part of what the program holds.
#[derive(Debug)]
pub(crate) struct Mapped(Mmap);

/// In what order the bytes will be wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// From the first to the last.
    Sequential,
    /// Here and there.
    Random,
}

impl Mapped {
    /// Maps the whole file as it is now.
    pub(crate) fn new(file: &File, order: Order) -> io::Result<Self> {
        // SAFETY: the slice is sound as long as nobody shortens or changes the file while it is mapped. Isolde never writes into a file that has
        // its final name: tables appear by rename, and a rename leaves the old file to whoever has it open. The builder maps only
        // files of its own folder, which nobody else uses, and only what is complete: such a file may grow at its end, behind the mapped bytes.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(file)? };
        advise(&map, order);
        Ok(Self(map))
    }
}

/// Advice is only that: where the system takes none, everything still works.
#[cfg(unix)]
fn advise(map: &Mmap, order: Order) {
    let _ = map.advise(match order {
        Order::Sequential => memmap2::Advice::Sequential,
        Order::Random => memmap2::Advice::Random,
    });
}

#[cfg(not(unix))]
fn advise(_: &Mmap, _: Order) {}

impl std::ops::Deref for Mapped {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
