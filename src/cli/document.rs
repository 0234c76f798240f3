//! A file that is written at the end of long work: complete or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, output};

/// A file in the making, beside its place.
pub(super) struct Document {
    target: PathBuf,
    part: PathBuf,
    file: File,
}

impl Document {
    /// Begins a file that will have this name, so that a bad path is told before the work and not after it.
    pub(super) fn begin(target: &Path) -> Result<Self, Failure> {
        let refused = |why: &str| Failure::Input(format!("cannot write {}: {why}", target.display()));
        if target == Path::new("-") {
            return Err(refused("name a file"));
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(refused(&format!("there is no folder {}", folder.display())));
        }
        let name = target.file_name().filter(|_| !target.is_dir()).ok_or_else(|| refused("that is a folder, name a file"))?;
        // Nobody else's file has this name.
        let mut part = name.to_os_string();
        part.push(format!(".{}.part", std::process::id()));
        let part = target.with_file_name(part);
        let file = File::create_new(&part).map_err(|fault| refused(&fault.to_string()))?;
        Ok(Self { target: target.to_path_buf(), part, file })
    }

    /// The name that it will have.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Writes the text, gives the file its name, and says so, in this order: nobody should read of a file that is not there.
    pub(super) fn finish(mut self, text: &str, done: &str) -> Result<(), Failure> {
        let target = self.target.display();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| fs::rename(&self.part, &self.target));
        written.map_err(|fault| Failure::Files(format!("cannot write {target}: {fault}")))?;
        let mut out = output::answer();
        writeln!(out, "{done} {target}")?;
        Ok(out.flush()?)
    }
}

impl Drop for Document {
    /// What was not finished is not left behind.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.part);
    }
}
