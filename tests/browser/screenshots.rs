//! The pictures in the README. They are no tests: they are made again when the page has changed.

use std::fs;
use std::path::Path;

use crate::harness::visit;

/// The most bytes that a picture may have.
const MOST: usize = 150_000;

fn save(name: &str, picture: &[u8]) {
    assert!(picture.len() < MOST, "{name} has {} bytes", picture.len());
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name), picture).expect("docs can be written");
}

#[test]
#[ignore = "writes the pictures of the README to docs/: 5 s"]
fn the_pictures_of_the_readme() {
    visit(|page| {
        page.become_screen(1040, 690);
        page.prefer("prefers-color-scheme", "light");
        page.open("/explore?p=5x5: a1 c3 c2 a4");
        page.wait_for_values("5x5: a1 c3 c2 a4");
        page.blur();
        save("explorer.png", &page.picture());
        page.prefer("prefers-color-scheme", "dark");
        page.open("/atlas?board=7x7");
        page.wait("$('#view-atlas').dataset.state === 'done'");
        page.blur();
        save("explorer-atlas.png", &page.picture());
    });
}
