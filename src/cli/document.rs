//! A file that is written at the end of long work, completely or not at all.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, output};

/// A temporary file beside its target, renamed when it is complete. What is not a regular file,
/// such as a pipe or a device, is written to directly.
pub(super) struct Document {
    /// The path that was given.
    target: PathBuf,
    file: File,
    /// The temporary file, and the path that it gets.
    part: Option<(PathBuf, PathBuf)>,
}

impl Document {
    /// Opens the file to write to, so that a bad path is reported before the work.
    pub(super) fn begin(target: &Path) -> Result<Self, Failure> {
        let sentence = |why: &dyn Display| format!("cannot write {}: {why}", target.display());
        let refused = |why: &str| Failure::Input(sentence(&why));
        if target == Path::new("-") {
            return Err(refused("name a file"));
        }
        // A link stays a link: the file that it leads to is replaced.
        let place = fs::canonicalize(target).unwrap_or(target.to_path_buf());
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(refused(&format!("there is no folder {}", folder.display())));
        }
        let name = place.file_name().filter(|_| !place.is_dir()).ok_or_else(|| refused("it is a folder; name a file"))?;
        if fs::metadata(&place).is_ok_and(|found| !found.is_file()) {
            let opened = File::options().write(true).open(&place);
            let file = opened.map_err(|fault| Failure::Files(sentence(&fault)))?;
            return Ok(Self { target: target.to_path_buf(), file, part: None });
        }
        // The process id keeps the name unique.
        let mut part = name.to_os_string();
        part.push(format!(".{}.part", std::process::id()));
        let part = place.with_file_name(part);
        let file = File::create_new(&part).map_err(|fault| Failure::Files(sentence(&fault)))?;
        Ok(Self { target: target.to_path_buf(), file, part: Some((part, place)) })
    }

    /// The path of the finished file.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Writes the text and renames the file.
    pub(super) fn finish_quietly(mut self, text: &str) -> Result<(), Failure> {
        let rename = |(part, place): &(PathBuf, PathBuf)| fs::rename(part, place);
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.part.as_ref().map_or(Ok(()), rename));
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
        if let Some((part, _)) = &self.part {
            let _ = fs::remove_file(part);
        }
    }
}
