//! The folder in which a table is made: one builder at a time, a rename at the end.
//!
//! Everything unfinished stays in a folder beside the table's final place, named after the table
//! with `.part` at the end. A build that was interrupted continues from there. The finished table
//! gets its name by a rename: it is there completely, or not at all.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf, is_separator};

/// The folder of an unfinished table. It is locked for as long as this value lives.
#[derive(Debug)]
pub struct WorkFolder {
    target: PathBuf,
    replace: bool,
    folder: PathBuf,
    _lock: File,
}

/// Why a table cannot be made here.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum WorkFolderError {
    /// The folder that the table should stand in does not exist.
    NoFolder { folder: PathBuf },
    /// The table exists already. There may also be unfinished work on a table of the same name.
    Exists { target: PathBuf, unfinished: Option<PathBuf> },
    /// The path of the table does not end with the name of a file.
    NoName { target: PathBuf },
    /// There is something else than a regular file in that place.
    NotAFile { target: PathBuf },
    /// Another process is building the same table.
    Busy { folder: PathBuf },
    /// The folder holds unfinished work on another task.
    Foreign { folder: PathBuf, task: String },
    /// The system refused an operation.
    Io { doing: &'static str, path: PathBuf, source: io::Error },
}

impl fmt::Display for WorkFolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFolder { folder } => write!(f, "the folder {} does not exist", folder.display()),
            Self::Exists { target, unfinished: None } => write!(f, "{} exists already", target.display()),
            Self::Exists { target, unfinished: Some(folder) } => {
                write!(f, "{} exists already, and {} holds unfinished work", target.display(), folder.display())
            }
            Self::NoName { target } => write!(f, "{} is not the name of a file", target.display()),
            Self::NotAFile { target } => write!(f, "{} is not a regular file", target.display()),
            Self::Busy { folder } => write!(f, "another process is at work in {}", folder.display()),
            Self::Foreign { folder, task } => write!(f, "{} holds the unfinished work of `{task}`", folder.display()),
            Self::Io { doing, path, source } => write!(f, "cannot {doing} {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for WorkFolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WorkFolderError {
    let path = path.to_path_buf();
    move |source| WorkFolderError::Io { doing, path, source }
}

/// The file that names the task to which the folder belongs.
const TASK: &str = "task";

impl WorkFolder {
    /// Starts work on a table that will have this name, or resumes it. Only the same task can
    /// resume unfinished work.
    ///
    /// # Errors
    /// If the table cannot be made here. Everything that was there before is left unchanged.
    pub fn begin(target: &Path, replace: bool, task: &str) -> Result<Self, WorkFolderError> {
        let name = target.file_name().ok_or_else(|| WorkFolderError::NoName { target: target.to_path_buf() })?;
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut folder = name.to_os_string();
        folder.push(".part");
        let folder = parent.join(folder);
        if !parent.is_dir() {
            return Err(WorkFolderError::NoFolder { folder: parent.to_path_buf() });
        }
        let ends_like_a_folder = target.as_os_str().as_encoded_bytes().last().is_some_and(|&end| is_separator(end.into()));
        if target.is_dir() || ends_like_a_folder {
            return Err(WorkFolderError::NoName { target: target.to_path_buf() });
        }
        // A device or a pipe would be replaced by the finished file.
        if fs::metadata(target).is_ok_and(|found| !found.is_file()) {
            return Err(WorkFolderError::NotAFile { target: target.to_path_buf() });
        }
        // A link that leads nowhere is in the way, too.
        if fs::symlink_metadata(target).is_ok() && !replace {
            return Err(WorkFolderError::Exists { target: target.to_path_buf(), unfinished: folder.exists().then_some(folder) });
        }
        fs::create_dir_all(&folder).map_err(io("create the folder", &folder))?;
        let lock = Self::lock(&folder)?;
        let written = folder.join(TASK);
        match fs::read_to_string(&written) {
            Ok(found) if found.trim_end() == task => {}
            Ok(found) if !found.is_empty() => {
                return Err(WorkFolderError::Foreign { folder, task: found.trim_end().to_string() });
            }
            _ => fs::write(&written, format!("{task}\n")).map_err(io("write", &written))?,
        }
        Ok(Self { target: target.to_path_buf(), replace, folder, _lock: lock })
    }

    fn lock(folder: &Path) -> Result<File, WorkFolderError> {
        let path = folder.join("lock");
        let file = File::create(&path).map_err(io("write", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(WorkFolderError::Busy { folder: folder.to_path_buf() }),
            Err(TryLockError::Error(fault)) => Err(io("lock", &path)(fault)),
        }
    }

    /// The path that the finished table will have.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The folder itself.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a file in the folder.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Moves the finished table, a file of the folder, to its final place and removes the folder.
    ///
    /// # Errors
    /// If the system refuses, or if a file of that name has appeared meanwhile and may not be
    /// replaced. A file that was there before is left unchanged.
    pub fn publish(self, finished: &Path) -> Result<(), WorkFolderError> {
        self.put_into_place(finished)?;
        // The new name survives a power failure only after its folder has been synced.
        #[cfg(unix)]
        if let Some(parent) = self.folder.parent() {
            File::open(parent).and_then(|folder| folder.sync_all()).map_err(io("write", parent))?;
        }
        fs::remove_dir_all(&self.folder).map_err(io("remove", &self.folder))
    }

    /// Removes the folder, and with it the work.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn abandon(self) -> Result<(), WorkFolderError> {
        fs::remove_dir_all(&self.folder).map_err(io("remove", &self.folder))
    }

    fn put_into_place(&self, finished: &Path) -> Result<(), WorkFolderError> {
        let rename = || fs::rename(finished, &self.target).map_err(io("put into place", &self.target));
        if self.replace {
            return rename();
        }
        // A rename would replace a file that has appeared meanwhile. A hard link never does.
        match fs::hard_link(finished, &self.target) {
            Ok(()) => Ok(()),
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists || self.target.exists() => {
                Err(WorkFolderError::Exists { target: self.target.clone(), unfinished: Some(self.folder.clone()) })
            }
            // Not every file system has hard links.
            Err(_) => rename(),
        }
    }
}
