//! The bytes of a table: read into memory, mapped, or part of the program.
//!
//! A mapped file must not be changed in place: if another program shortens it, the system ends this
//! process with a bus error. Decision 6 in `docs/design.md` says why there is no guard.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use crate::mapped::{Mapped, Order};

/// Files up to this length are read into memory, which takes no longer than mapping them; longer
/// ones are mapped.
const MOST_IN_MEMORY: u64 = 64 << 10;

/// The bytes of a table. The reader needs no alignment.
#[derive(Debug)]
pub(super) enum Bytes {
    InMemory(Cow<'static, [u8]>),
    Mapped(Mapped),
}

impl Bytes {
    /// The contents of a file.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        if length > MOST_IN_MEMORY {
            return Mapped::new(file, Order::Random).map(Self::Mapped);
        }
        // Some files have no length of their own and no end, such as devices.
        let mut bytes = Vec::with_capacity(length as usize + 1);
        file.take(MOST_IN_MEMORY).read_to_end(&mut bytes)?;
        Ok(Self::InMemory(bytes.into()))
    }

    /// Whether these are the bytes of a mapped file.
    pub(super) fn are_mapped(&self) -> bool {
        matches!(self, Self::Mapped(_))
    }
}

impl Deref for Bytes {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::InMemory(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_read_and_large_ones_are_mapped() {
        let folder = tempfile::TempDir::new().expect("a folder for a test");
        for (length, mapped) in [(0, false), (1000, false), (MOST_IN_MEMORY as usize, false), (100_000, true)] {
            let path = folder.path().join("file");
            let written: Vec<u8> = (0..length).map(|index| (index % 251) as u8).collect();
            std::fs::write(&path, &written).expect("there is room for a test");
            let bytes = Bytes::of(&File::open(&path).expect("it was written")).expect("it can be read");
            assert!(bytes[..] == written[..], "{length} bytes");
            assert_eq!(bytes.are_mapped(), mapped, "{length} bytes");
        }
    }
}
