//! The folder of a campaign.
//!
//! ```text
//! DIR/
//!   campaign.json              the plan
//!   results/a8/w-…a8.json      a result for each job that was done; the only truth
//!   jobs                       the open jobs as they were listed last: --index counts in this list
//!   knowledge.isolde           expensive proven positions, for the jobs that follow; can be deleted
//!   running/                   the jobs that are being done here; each file is locked
//!   damaged/                   files that were set aside
//! ```
//!
//! Every file appears by a rename, complete or not at all. Results lie in 256 folders, so that none
//! of them gets too large.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::CampaignError;
use super::job::is_name;
use super::result::BadFile;

/// The folder of a campaign.
#[derive(Clone, Debug)]
pub(super) struct Store {
    folder: PathBuf,
}

/// A job that this process is doing. Other processes on the machine can see that.
#[derive(Debug)]
pub(super) struct Claimed {
    path: PathBuf,
    _lock: File,
}

impl Drop for Claimed {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// A file in the folder of results, by its name.
pub(super) struct Listed {
    /// The name of the job, if the file has the name of a result.
    pub(super) name: Option<String>,
    pub(super) path: PathBuf,
}

/// The extension of files that are being written.
const TEMPORARY: &str = "tmp";

/// Larger files are not results. A strategy of ten million positions has about this size.
const MOST_BYTES: u64 = 1 << 30;

fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CampaignError {
    let path = path.to_path_buf();
    move |source| CampaignError::Io { doing, path, source }
}

/// Where there is nothing, the default.
fn unless_missing<T: Default>(result: io::Result<T>) -> io::Result<T> {
    match result {
        Err(fault) if fault.kind() == ErrorKind::NotFound => Ok(T::default()),
        result => result,
    }
}

impl Store {
    const PLAN: &'static str = "campaign.json";

    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The plan. `None` if there is no campaign in this folder.
    pub(super) fn read_plan(&self) -> Result<Option<String>, CampaignError> {
        let path = self.folder.join(Self::PLAN);
        match fs::read_to_string(&path) {
            Err(fault) if matches!(fault.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            read => read.map(Some).map_err(io("read", &path)),
        }
    }

    /// Makes the folder, if it is not there yet, and writes the plan.
    pub(super) fn write_plan(&self, text: &str) -> Result<(), CampaignError> {
        fs::create_dir_all(&self.folder).map_err(io("create the folder", &self.folder))?;
        self.write(&self.folder.join(Self::PLAN), text.as_bytes(), replace)
    }

    fn results(&self) -> PathBuf {
        self.folder.join("results")
    }

    /// The place of a result.
    pub(super) fn result_path(&self, name: &str) -> PathBuf {
        self.results().join(&name[name.len() - 2..]).join(format!("{name}.json"))
    }

    /// The bytes of a result, if there is one; or why this can be no result.
    pub(super) fn read_result(&self, name: &str) -> Result<Option<Result<Vec<u8>, &'static str>>, CampaignError> {
        let path = self.result_path(name);
        let read = || {
            let data = fs::metadata(&path)?;
            Ok(Some(match () {
                // To open a pipe could take for ever.
                () if !data.is_file() => Err("it is not a file"),
                () if data.len() > MOST_BYTES => Err("it is too large"),
                () => Ok(fs::read(&path)?),
            }))
        };
        unless_missing(read()).map_err(io("read", &path))
    }

    /// Writes a result. If there is one already, that one stays: both are true, and others may have
    /// read it.
    pub(super) fn write_result(&self, name: &str, bytes: &[u8]) -> Result<(), CampaignError> {
        let path = self.result_path(name);
        let shard = path.parent().expect("a result lies in a folder");
        fs::create_dir_all(shard).map_err(io("create the folder", shard))?;
        self.write(&path, bytes, keep)
    }

    /// Everything in the folder of results, in the order of the names.
    pub(super) fn list_results(&self) -> Result<Vec<Listed>, CampaignError> {
        let results = self.results();
        let mut listed = Vec::new();
        for shard in unless_missing(entries(&results)).map_err(io("list", &results))? {
            if !shard.is_dir() {
                listed.push(Listed { name: None, path: shard });
                continue;
            }
            for path in unless_missing(entries(&shard)).map_err(io("list", &shard))? {
                // Somebody is writing it, or was killed while doing so.
                if is_temporary(&path) {
                    continue;
                }
                let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
                let is_result = is_name(stem) && path == self.result_path(stem);
                listed.push(Listed { name: is_result.then(|| stem.to_string()), path });
            }
        }
        Ok(listed)
    }

    /// Sets a file aside that is not a result. `None` if another process has done so meanwhile.
    pub(super) fn set_bad_aside(&self, bad: &BadFile) -> Result<Option<BadFile>, CampaignError> {
        Ok(self.set_aside(&bad.path)?.map(|path| BadFile { path, reason: bad.reason }))
    }

    /// Moves a file to the folder of damaged ones, and returns its new place. `None` if another
    /// process has done so meanwhile.
    pub(super) fn set_aside(&self, path: &Path) -> Result<Option<PathBuf>, CampaignError> {
        let damaged = self.folder.join("damaged");
        fs::create_dir_all(&damaged).map_err(io("create the folder", &damaged))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let free = |number: &usize| !damaged.join(format!("{name}.{number}")).exists();
        let place = damaged.join(format!("{name}.{}", (1..).find(free).unwrap_or_default()));
        match fs::rename(path, &place) {
            Err(fault) if fault.kind() == ErrorKind::NotFound => Ok(None),
            moved => moved.map(|()| Some(place)).map_err(io("set aside", path)),
        }
    }

    /// How many files were set aside.
    pub(super) fn set_aside_so_far(&self) -> Result<usize, CampaignError> {
        let damaged = self.folder.join("damaged");
        unless_missing(entries(&damaged)).map(|files| files.len()).map_err(io("list", &damaged))
    }

    /// Claims a job for this process. `None` if another process on this machine is doing it.
    ///
    /// Two workers on one job do no harm, so it does not matter that some file systems have no
    /// locks.
    pub(super) fn claim(&self, name: &str) -> Result<Option<Claimed>, CampaignError> {
        let running = self.folder.join("running");
        fs::create_dir_all(&running).map_err(io("create the folder", &running))?;
        let path = running.join(name);
        let file = File::create(&path).map_err(io("write", &path))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            _ => Ok(Some(Claimed { path, _lock: file })),
        }
    }

    /// The jobs that processes of this machine are doing. What killed ones have left is removed.
    pub(super) fn running(&self) -> Result<Vec<String>, CampaignError> {
        let running = self.folder.join("running");
        let mut names = Vec::new();
        for path in unless_missing(entries(&running)).map_err(io("list", &running))? {
            let Ok(file) = File::open(&path) else { continue };
            match file.try_lock() {
                Ok(()) => drop(fs::remove_file(&path)),
                Err(TryLockError::WouldBlock) => names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned())),
                // Without locks, nobody can tell.
                Err(TryLockError::Error(_)) => {}
            }
        }
        Ok(names)
    }

    /// The list of open jobs, one a line.
    pub(super) fn read_jobs(&self) -> Result<String, CampaignError> {
        let path = self.folder.join("jobs");
        let bytes = unless_missing(fs::read(&path)).map_err(io("read", &path))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn write_jobs(&self, text: &str) -> Result<(), CampaignError> {
        self.write(&self.folder.join("jobs"), text.as_bytes(), replace)
    }

    /// The table of expensive proven positions. It need not be there.
    pub(super) fn knowledge(&self) -> PathBuf {
        self.folder.join("knowledge.isolde")
    }

    /// Calls `write` with two paths for temporary files, and gives the first one the name of the
    /// table of proven positions.
    pub(super) fn replace_knowledge<E>(&self, write: impl FnOnce(&Path, &Path) -> Result<(), E>) -> Result<(), E>
    where
        CampaignError: Into<E>,
    {
        let target = self.knowledge();
        let [table, beside] = [self.temporary(&target), self.temporary(&target)];
        let written = write(&table, &beside);
        let _ = fs::remove_file(&beside);
        written.and_then(|()| fs::rename(&table, &target).map_err(io("put into place", &target)).map_err(Into::into)).inspect_err(
            |_| {
                let _ = fs::remove_file(&table);
            },
        )
    }

    pub(super) fn forget_knowledge(&self) -> Result<(), CampaignError> {
        let path = self.knowledge();
        unless_missing(fs::remove_file(&path)).map_err(io("remove", &path))
    }

    /// A path beside the file that nobody else writes to.
    fn temporary(&self, path: &Path) -> PathBuf {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // The name of the machine is not known here. Processes of two machines may have one number;
        // the time keeps them apart.
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}-{number}-{time}.{TEMPORARY}", std::process::id()));
        path.with_file_name(name)
    }

    /// Writes a temporary file, which `name` then gives its name.
    fn write(&self, path: &Path, bytes: &[u8], name: impl FnOnce(&Path, &Path) -> io::Result<()>) -> Result<(), CampaignError> {
        let temporary = self.temporary(path);
        let write = || {
            let mut file = File::create_new(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            name(&temporary, path)?;
            // The name survives a power failure only after its folder has been synced.
            #[cfg(unix)]
            if let Some(parent) = path.parent() {
                File::open(parent)?.sync_all()?;
            }
            Ok(())
        };
        write().inspect_err(|_| drop(fs::remove_file(&temporary))).map_err(io("write", path))
    }

    /// Removes temporary files that killed processes have left.
    pub(super) fn sweep(&self) -> Result<(), CampaignError> {
        const LONG_AGO: Duration = Duration::from_secs(60 * 60);
        let results = self.results();
        let shards = unless_missing(entries(&results)).map_err(io("list", &results))?;
        for folder in shards.into_iter().filter(|shard| shard.is_dir()).chain([self.folder.clone()]) {
            for path in unless_missing(entries(&folder)).map_err(io("list", &folder))? {
                let is_old =
                    |data: fs::Metadata| data.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > LONG_AGO));
                if is_temporary(&path) && fs::metadata(&path).is_ok_and(is_old) {
                    let _ = fs::remove_file(&path);
                }
            }
        }
        Ok(())
    }
}

/// Gives a temporary file its name. The file that had it before is gone.
fn replace(temporary: &Path, path: &Path) -> io::Result<()> {
    fs::rename(temporary, path)
}

/// Gives a temporary file its name, unless there is a file of that name.
fn keep(temporary: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, path) {
        Ok(()) => fs::remove_file(temporary),
        Err(fault) if fault.kind() == ErrorKind::AlreadyExists => fs::remove_file(temporary),
        // Some file systems have no links.
        Err(_) => fs::rename(temporary, path),
    }
}

fn is_temporary(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == TEMPORARY)
}

/// What a folder holds, in the order of the names.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort_unstable();
    Ok(paths)
}
