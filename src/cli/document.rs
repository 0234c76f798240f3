//! A file that is written at the end of long work, completely or not at all.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, output};

/// A temporary file beside its target, renamed when it is complete.
pub(super) struct Document {
    target: PathBuf,
    part: PathBuf,
    file: File,
}

impl Document {
    /// Creates the temporary file, so that a bad path is reported before the work.
    pub(super) fn begin(target: &Path) -> Result<Self, Failure> {
        let sentence = |why: &dyn Display| format!("cannot write {}: {why}", target.display());
        let refused = |why: &str| Failure::Input(sentence(&why));
        if target == Path::new("-") {
            return Err(refused("name a file"));
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(refused(&format!("there is no folder {}", folder.display())));
        }
        let name = target.file_name().filter(|_| !target.is_dir()).ok_or_else(|| refused("it is a folder; name a file"))?;
        // The process id keeps the name unique.
        let mut part = name.to_os_string();
        part.push(format!(".{}.part", std::process::id()));
        let part = target.with_file_name(part);
        let file = File::create_new(&part).map_err(|fault| Failure::Files(sentence(&fault)))?;
        Ok(Self { target: target.to_path_buf(), part, file })
    }

    /// The path of the finished file.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Writes the text and renames the file.
    pub(super) fn finish_quietly(mut self, text: &str) -> Result<(), Failure> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| fs::rename(&self.part, &self.target));
        written.map_err(|fault| Failure::Files(format!("cannot write {}: {fault}", self.target.display())))
    }

    /// The same, and then prints where the file is.
    pub(super) fn finish(self, text: &str, done: &str) -> Result<(), Failure> {
        let target = self.target.clone();
        self.finish_quietly(text)?;
        let mut out = output::answer();
        writeln!(out, "{done} {}", target.display())?;
        Ok(out.flush()?)
    }
}

impl Drop for Document {
    /// Removes an unfinished file.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.part);
    }
}
