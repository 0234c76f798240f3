//! The folder of an enumeration, and its files of keys and values.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::game::board::Size;
use crate::mapped::{Mapped, Order};

/// Why an enumeration has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum EnumerationError {
    /// The board has too many cells to be enumerated.
    #[allow(missing_docs)]
    TooLarge { size: Size, most: usize },
    /// It was asked to stop. It can be resumed where it stopped.
    Stopped,
    /// An operation on a file of the folder failed.
    #[allow(missing_docs)]
    Io { what: &'static str, file: PathBuf, source: io::Error },
    /// The folder holds an enumeration of another board, from other roots, or by another version of
    /// the program.
    Foreign,
    /// The contents of the files are not what was written.
    Damaged,
    /// The threads could not be started.
    #[allow(missing_docs)]
    Threads { threads: usize, reason: String },
}

impl fmt::Display for EnumerationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => write!(f, "the enumeration was stopped"),
            Self::TooLarge { size, most } => {
                write!(f, "{size} has {} cells: boards of up to {most} cells can be enumerated", size.cells())
            }
            Self::Io { what, file, source } => write!(f, "cannot {what} {}: {source}", file.display()),
            Self::Foreign => {
                write!(
                    f,
                    "the folder holds an enumeration of another board, from other roots, or by another version of the program: \
                     delete it"
                )
            }
            Self::Damaged => write!(f, "the files in the folder are damaged: delete the folder and start again"),
            Self::Threads { threads, reason } => write!(f, "cannot start {threads} threads: {reason}"),
        }
    }
}

impl std::error::Error for EnumerationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A folder whose files are addressed by name.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// Turns an I/O error into an error that names the operation and the file.
    fn fault(&self, what: &'static str, name: &str) -> impl FnOnce(io::Error) -> EnumerationError {
        let file = self.path.join(name);
        move |source| EnumerationError::Io { what, file, source }
    }

    pub(super) fn names(&self) -> Result<Vec<String>, EnumerationError> {
        let entries = fs::read_dir(&self.path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.map_err(self.fault("list the files of", ""))?;
        // All of our names are ASCII, so a name that is not valid Unicode is not ours.
        Ok(entries.into_iter().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    /// The contents of a file. `None` if there is no such file.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, EnumerationError> {
        match fs::read(self.path.join(name)) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some).map_err(self.fault("read", name)),
        }
    }

    /// Writes a file that appears complete or not at all, and that survives a power failure.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), EnumerationError> {
        let temporary = format!("{name}.new");
        let write = || {
            let mut file = File::create(self.path.join(&temporary))?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(self.path.join(&temporary), self.path.join(name))?;
            sync_folder(&self.path)
        };
        write().map_err(self.fault("write", name))
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), EnumerationError> {
        fs::remove_file(self.path.join(name)).map_err(self.fault("remove", name))
    }

    pub(super) fn sync(&self, name: &str) -> Result<(), EnumerationError> {
        let sync = || OpenOptions::new().write(true).open(self.path.join(name))?.sync_data();
        sync().map_err(self.fault("write", name))
    }

    /// The CRC-32 of the first `bytes` bytes of a file.
    /// `None` if the file is shorter or cannot be read.
    pub(super) fn checksum(&self, name: &str, bytes: u64) -> Option<u32> {
        let file = self.map(name, Order::Sequential).ok()?;
        file.get(..usize::try_from(bytes).ok()?).map(crc32fast::hash)
    }

    /// The length of a file in bytes. `None` if it cannot be told.
    pub(super) fn length(&self, name: &str) -> Option<u64> {
        fs::metadata(self.path.join(name)).ok().map(|metadata| metadata.len())
    }

    pub(super) fn map(&self, name: &str, order: Order) -> Result<Mapped, EnumerationError> {
        let map = || Mapped::new(&File::open(self.path.join(name))?, order);
        map().map_err(self.fault("read", name))
    }

    /// Opens a file for reading and appending. Creates it if needed and cuts it to `length` bytes,
    /// whose checksum must be `checksum`.
    pub(super) fn open(&self, name: &'static str, length: u64, checksum: u32) -> Result<Growing, EnumerationError> {
        let open = || {
            let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).to_owned();
            let file = options.open(self.path.join(name))?;
            file.set_len(length)?;
            Ok(file)
        };
        let file = open().map_err(self.fault("open", name))?;
        let hasher = crc32fast::Hasher::new_with_initial_len(checksum, length);
        Ok(Growing { file, length, hasher, path: self.path.join(name) })
    }

    /// Writes a new file of keys and returns its checksum.
    pub(super) fn write_keys(&self, name: &str, keys: &mut [u64]) -> Result<u32, EnumerationError> {
        let bytes = to_bytes(keys);
        let write = || File::create(self.path.join(name))?.write_all(bytes);
        write().map_err(self.fault("write", name))?;
        Ok(crc32fast::hash(bytes))
    }
}

/// A rename survives a power failure only after the folder itself has been synced.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The keys as bytes, least significant byte first. On
/// nearly all machines they are in that order already.
fn to_bytes(keys: &mut [u64]) -> &[u8] {
    keys.iter_mut().for_each(|key| *key = key.to_le());
    bytemuck::cast_slice(keys)
}

/// A file that grows at its end.
pub(super) struct Growing {
    file: File,
    length: u64,
    hasher: crc32fast::Hasher,
    path: PathBuf,
}

impl Growing {
    /// The CRC-32 of the whole file.
    pub(super) fn checksum(&self) -> u32 {
        self.hasher.clone().finalize()
    }

    fn fault(&self, what: &'static str) -> impl FnOnce(io::Error) -> EnumerationError {
        let file = self.path.clone();
        move |source| EnumerationError::Io { what, file, source }
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), EnumerationError> {
        let write = |file: &mut File| {
            file.seek(SeekFrom::Start(self.length))?;
            file.write_all(bytes)
        };
        write(&mut self.file).map_err(self.fault("write"))?;
        self.length += bytes.len() as u64;
        self.hasher.update(bytes);
        Ok(())
    }

    pub(super) fn append_keys(&mut self, keys: &mut [u64]) -> Result<(), EnumerationError> {
        self.append(to_bytes(keys))
    }

    /// Reads `count` keys, beginning with key number `start`.
    pub(super) fn read_keys(&mut self, start: u64, count: usize) -> Result<Vec<u64>, EnumerationError> {
        let mut keys = vec![0_u64; count];
        let mut read = |file: &mut File| {
            file.seek(SeekFrom::Start(start * 8))?;
            file.read_exact(bytemuck::cast_slice_mut(&mut keys))
        };
        read(&mut self.file).map_err(self.fault("read"))?;
        keys.iter_mut().for_each(|key| *key = u64::from_le(*key));
        Ok(keys)
    }

    pub(super) fn sync(&self) -> Result<(), EnumerationError> {
        self.file.sync_data().map_err(self.fault("write"))
    }
}

/// Sorted keys in a mapped file.
pub(super) struct MappedKeys(pub(super) Mapped);

impl MappedKeys {
    #[inline]
    fn keys(&self) -> &[[u8; 8]] {
        self.0.as_chunks().0
    }

    pub(super) fn len(&self) -> usize {
        self.keys().len()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> u64 {
        u64::from_le_bytes(self.keys()[index])
    }

    /// The index of the first key in `part` that is not
    /// below `key`. The keys of the part must ascend.
    #[inline]
    pub(super) fn first_not_below(&self, key: u64, part: Range<usize>) -> usize {
        part.start + self.keys()[part].partition_point(|&bytes| u64::from_le_bytes(bytes) < key)
    }
}
