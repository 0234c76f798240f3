//! Where a table is made: a folder beside its final place, held by one builder at a time.
//!
//! Everything unfinished stays in that folder (the table's name with `.part`), so that a build that was cut short goes on from there. The
//! finished table gets its name by a rename: it is there completely, or not at all.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of an unfinished table. Nobody else works there as long as this lives.
#[derive(Debug)]
pub struct Work {
    target: PathBuf,
    replace: bool,
    folder: PathBuf,
    _lock: File,
}

/// Why a table cannot be made here.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum WorkError {
    /// There is no folder for the table.
    NoFolder { folder: PathBuf },
    /// The table is there already, and perhaps the unfinished work on another.
    Exists { target: PathBuf, unfinished: Option<PathBuf> },
    /// Its name is not the name of a file.
    NoName { target: PathBuf },
    /// Somebody else is making it.
    Busy { folder: PathBuf },
    /// The folder holds the unfinished work of another command.
    Foreign { folder: PathBuf, task: String },
    /// The system refuses.
    Io { doing: &'static str, path: PathBuf, source: io::Error },
}

impl fmt::Display for WorkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFolder { folder } => {
                write!(f, "the folder {} does not exist: create it, or write elsewhere with --output", folder.display())
            }
            Self::Exists { target, unfinished } => {
                write!(f, "{} exists already: --force replaces it, --output writes elsewhere", target.display())?;
                match unfinished {
                    Some(folder) => write!(f, " ({} holds unfinished work, or what is left of it)", folder.display()),
                    None => Ok(()),
                }
            }
            Self::NoName { target } => write!(f, "{} is not the name of a file", target.display()),
            Self::Busy { folder } => {
                write!(f, "another build is at work in {}: wait for it, or write elsewhere with --output", folder.display())
            }
            Self::Foreign { folder, task } => write!(
                f,
                "{} holds the unfinished work of `{task}`: finish that or delete the folder, or write elsewhere with --output",
                folder.display()
            ),
            Self::Io { doing, path, source } => write!(f, "cannot {doing} {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for WorkError {}

fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WorkError {
    let path = path.to_path_buf();
    move |source| WorkError::Io { doing, path, source }
}

/// The file that says whose work the folder holds.
const TASK: &str = "task";

impl Work {
    /// Begins to make a table that will have this name, or goes on with it. The task says what is done: whoever goes on must do the same.
    ///
    /// # Errors
    /// If that is not possible. Nothing that was there before is changed then.
    pub fn begin(target: &Path, replace: bool, task: &str) -> Result<Self, WorkError> {
        let name = target.file_name().ok_or_else(|| WorkError::NoName { target: target.to_path_buf() })?;
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut folder = name.to_os_string();
        folder.push(".part");
        let folder = parent.join(folder);
        if !parent.is_dir() {
            return Err(WorkError::NoFolder { folder: parent.to_path_buf() });
        }
        if target.is_dir() {
            return Err(WorkError::NoName { target: target.to_path_buf() });
        }
        if target.exists() && !replace {
            return Err(WorkError::Exists { target: target.to_path_buf(), unfinished: folder.exists().then_some(folder) });
        }
        fs::create_dir_all(&folder).map_err(io("create the folder", &folder))?;
        let lock = Self::lock(&folder)?;
        let written = folder.join(TASK);
        match fs::read_to_string(&written) {
            Ok(found) if found.trim_end() == task => {}
            Ok(found) if !found.is_empty() => return Err(WorkError::Foreign { folder, task: found.trim_end().to_string() }),
            _ => fs::write(&written, format!("{task}\n")).map_err(io("write", &written))?,
        }
        Ok(Self { target: target.to_path_buf(), replace, folder, _lock: lock })
    }

    fn lock(folder: &Path) -> Result<File, WorkError> {
        let path = folder.join("lock");
        let file = File::create(&path).map_err(io("write", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(WorkError::Busy { folder: folder.to_path_buf() }),
            Err(TryLockError::Error(fault)) => Err(io("lock", &path)(fault)),
        }
    }

    /// The name that the table will have.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where unfinished things stand.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file in the folder.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Gives the finished table, a file of the folder, its name, and removes the folder with all that is left there.
    ///
    /// # Errors
    /// If the system refuses, or if meanwhile there is a file of that name which may not be replaced; whatever was there before is then still there.
    pub fn publish(self, finished: &Path) -> Result<(), WorkError> {
        self.put_into_place(finished)?;
        // The name is on the disk when the folder that has it is.
        #[cfg(unix)]
        if let Some(parent) = self.folder.parent() {
            File::open(parent).and_then(|folder| folder.sync_all()).map_err(io("write", parent))?;
        }
        fs::remove_dir_all(&self.folder).map_err(io("remove", &self.folder))
    }

    fn put_into_place(&self, finished: &Path) -> Result<(), WorkError> {
        let rename = || fs::rename(finished, &self.target).map_err(io("put into place", &self.target));
        if self.replace {
            return rename();
        }
        // A rename would replace whatever has appeared there meanwhile; a second name for the same file does not.
        match fs::hard_link(finished, &self.target) {
            Ok(()) => Ok(()),
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists || self.target.exists() => {
                Err(WorkError::Exists { target: self.target.clone(), unfinished: Some(self.folder.clone()) })
            }
            // Not every file system has second names.
            Err(_) => rename(),
        }
    }
}
