//! Replays the corpus of the fuzz targets: the checks of `fuzz/`, over every file that is kept.

use std::fs;
use std::path::Path;

#[allow(unreachable_pub)]
#[path = "../../fuzz/src/checks/mod.rs"]
pub(crate) mod checks;

/// A check panics if something is wrong; the last file named in the output is the one.
#[test]
fn every_file_of_the_corpus_passes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join("corpus");
    for (name, check) in checks::CHECKS {
        let files = fs::read_dir(corpus.join(name)).unwrap_or_else(|fault| panic!("the corpus of {name}: {fault}"));
        let mut checked = 0;
        for file in files {
            let path = file.unwrap().path();
            println!("{}", path.display());
            check(&fs::read(&path).unwrap());
            checked += 1;
        }
        assert!(checked > 0, "the corpus of {name} is empty");
    }
}

/// A folder of the corpus that no check reads would be forgotten.
#[test]
fn every_corpus_has_a_check() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join("corpus");
    for folder in fs::read_dir(corpus).unwrap() {
        let name = folder.unwrap().file_name();
        assert!(checks::CHECKS.iter().any(|(known, _)| name == *known), "{} has no check", name.display());
    }
}
