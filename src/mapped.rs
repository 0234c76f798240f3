//! A file as a slice of bytes: the only module with unsafe code.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A read-only file, mapped into memory.
///
/// The operating system loads a page when it is first touched and may evict it again, so the bytes
/// do not count towards the program's own memory.
#[derive(Debug)]
pub(crate) struct Mapped(Mmap);

/// The order in which the bytes will be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// From the first byte to the last.
    Sequential,
    /// At random.
    Random,
}

impl Mapped {
    /// Maps the whole file at its current length.
    pub(crate) fn new(file: &File, order: Order) -> io::Result<Self> {
        // SAFETY: the slice is sound as long as nobody shortens or changes the file while it is
        // mapped. Isolde never writes into a file that has its final name: tables appear by rename,
        // and a rename leaves the old file intact for every process that has it open. The table
        // builder maps only files in its own folder, which nobody else uses, and only their
        // finished part. Such a file may still grow, but only behind the mapped bytes.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(file)? };
        advise(&map, order);
        Ok(Self(map))
    }
}

/// Passes the order on to the system. It is only a hint, so a failure is ignored.
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
