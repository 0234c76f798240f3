//! Lists the tables of the folder `tables/`, for `src/table/built_in.rs` to include.
//!
//! A package may leave large tables out (`exclude` in `Cargo.toml`). What is there then differs
//! between the repository and the package, and a list by hand would fit only one of them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=tables");
    let folder = Path::new(&env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tables");
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    let mut tables: Vec<PathBuf> =
        entries.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "isolde")).collect();
    tables.sort();
    let mut list = String::new();
    for table in tables {
        let name = table.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Written as Rust writes strings, so that no path needs escaping by hand.
        let _ = writeln!(list, "({name:?}, include_bytes!({:?})),", table.to_string_lossy());
    }
    let out = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("tables.rs");
    fs::write(out, format!("&[\n{list}]\n"))
}
