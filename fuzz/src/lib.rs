//! The fuzz targets of Isolde. Each is a function of [`checks`], which the project's own tests run
//! over the corpus, too.

pub mod checks;

/// The check of this name. If there is none, says which there are and ends the process.
pub fn check_or_exit(name: &str) -> checks::Check {
    let known = checks::CHECKS.iter().find(|(known, _)| *known == name);
    known.map(|(_, check)| *check).unwrap_or_else(|| {
        let names = checks::CHECKS.map(|(name, _)| name).join(", ");
        eprintln!("`{name}` is no check: name one of {names}");
        std::process::exit(2)
    })
}
