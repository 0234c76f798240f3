//! The tables of the folder `tables/`, as part of the program. Feature `embedded-tables`.
//!
//! So the program has them wherever it runs. `build.rs` lists what the folder holds: in the
//! repository all tables, in the package all but those that `Cargo.toml` excludes.

/// The names of the files, and their bytes.
pub(super) type Files = &'static [(&'static str, &'static [u8])];

/// Every table of the folder, in the order of the names; a test compares.
#[cfg(feature = "embedded-tables")]
pub(super) const FILES: Files = include!(concat!(env!("OUT_DIR"), "/tables.rs"));

#[cfg(not(feature = "embedded-tables"))]
pub(super) const FILES: Files = &[];
