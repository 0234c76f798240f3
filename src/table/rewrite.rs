//! Would a table be written with the same bytes again?
//!
//! The bytes of a table depend on nothing but its entries and its metadata. So the table is written
//! again from what was read, and each byte is compared instead of stored. That finds what no
//! checksum and no lookup notices: a block that is not full, a code that is not the best one, a
//! byte that nobody reads.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::read::Table;
use super::write::{Interruption, Plan, WriteError, write_to};
use super::{Coverage, Kind, Metadata};
use crate::game::cells::Word;

/// The place of the first byte that would be written differently. `None` if there is none.
///
/// The entries must have been read once without a fault.
///
/// # Errors
/// If the entries cannot be written at all, or if `wanted` returns false.
pub(super) fn first_difference<W: Word>(
    table: &Table<W>,
    metadata: Metadata,
    wanted: &dyn Fn() -> bool,
) -> Result<Option<u64>, WriteError> {
    let plan = Plan {
        size: table.board().size(),
        kind: table.kind(),
        depth: if table.kind() == Kind::Strong { 0 } else { table.depth() as u8 },
        command: metadata.command,
        coverage: Coverage::of(table.board(), &metadata.coverage.duels(table.board())),
    };
    let entries = || table.entries().map_while(Result::ok);
    let (bytes, keys) = (table.bytes(), table.place_of_keys());
    let whole = Compared { bytes, from: 0, at: 0 };
    let directory = Compared { bytes: &bytes[keys.clone()], from: keys.start, at: 0 };
    match write_to(&plan, &metadata.program, entries, whole, directory, wanted) {
        Ok(_) => Ok(None),
        Err(Interruption::Refused(fault)) => Err(fault),
        Err(Interruption::Io(fault)) => {
            let place = fault.get_ref().and_then(|fault| fault.downcast_ref::<Different>());
            Ok(Some(place.map_or(bytes.len() as u64, |place| place.0)))
        }
    }
}

/// Bytes that can be read, and "written" only as they are.
struct Compared<'a> {
    bytes: &'a [u8],
    /// The place of the first of these bytes in the file.
    from: usize,
    at: usize,
}

/// The place of a byte in the file that would be written differently.
#[derive(Debug)]
struct Different(u64);

impl fmt::Display for Different {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {} is different", self.0)
    }
}

impl std::error::Error for Different {}

impl Write for Compared<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let found = self.bytes.get(self.at..).unwrap_or_default();
        let same = found.iter().zip(written).take_while(|(found, written)| found == written).count();
        if same < written.len() {
            return Err(io::Error::other(Different((self.from + self.at + same) as u64)));
        }
        self.at += same;
        Ok(same)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Compared<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

impl Seek for Compared<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut cursor = io::Cursor::new(self.bytes);
        cursor.set_position(self.at as u64);
        self.at = cursor.seek(to)? as usize;
        Ok(self.at as u64)
    }
}
