//! The tables of the folder `tables/`, as part of the program. Feature `embedded-tables`.
//!
//! So the program has them wherever it runs. They take about 8 MB.

/// The names of the files, and their bytes.
pub(super) type Files = &'static [(&'static str, &'static [u8])];

/// Includes these files of the folder `tables/`.
#[cfg(feature = "embedded-tables")]
macro_rules! included {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../tables/", $name)))),*]
    };
}

/// Every table of the folder, in the order of the names; a test compares.
#[cfg(feature = "embedded-tables")]
pub(super) const FILES: Files = included![
    "3x3-strong.isolde"
    "3x4-strong.isolde"
    "3x5-strong.isolde"
    "3x6-strong.isolde"
    "3x7-strong.isolde"
    "3x8-strong.isolde"
    "3x9-opening.isolde"
    "4x4-strong.isolde"
    "4x5-strong.isolde"
    "4x6-strong.isolde"
    "4x7-opening.isolde"
    "5x5-strong.isolde"
    "5x6-opening.isolde"
    "5x7-opening.isolde"
    "6x6-opening.isolde"
    "6x7-opening.isolde"
    "7x7-opening.isolde"
];

#[cfg(not(feature = "embedded-tables"))]
pub(super) const FILES: Files = &[];
