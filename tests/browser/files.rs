//! The files of the page: small, and complete in themselves.

use std::fs;
use std::path::Path;

/// The most bytes that the page may have in all, without compression.
const MOST: usize = 150_000;

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/page");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: &Path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap());
    let mut files: Vec<_> = entries.map(|path| read(&path)).collect();
    files.sort();
    files
}

#[test]
fn the_page_is_small() {
    let files = files();
    let all: usize = files.iter().map(|(_, text)| text.len()).sum();
    let sizes: Vec<_> = files.iter().map(|(name, text)| format!("{name} {}", text.len())).collect();
    assert!(all <= MOST, "the page has {all} bytes: {}", sizes.join(", "));
    for (name, _) in &files {
        let kind = Path::new(name).extension().and_then(|kind| kind.to_str());
        assert!(matches!(kind, Some("html" | "css" | "js" | "svg")), "{name} is served, but is no part of a page");
    }
}

/// Everything comes from the server itself, which works without a network.
#[test]
fn nothing_comes_from_elsewhere() {
    for (name, text) in files() {
        for (at, _) in text.match_indices("//").filter(|(at, _)| text[..*at].ends_with(':')) {
            let address: String = text[at + 2..].chars().take_while(|c| !c.is_whitespace() && !"'\"`)>".contains(*c)).collect();
            assert_eq!(address, "www.w3.org/2000/svg", "{name} names an address");
        }
        assert!(!text.contains("@import") && !text.contains("url(http"), "{name} loads a style from elsewhere");
    }
}

/// The Content-Security-Policy forbids scripts and styles in the markup. And texts must never be
/// read as markup.
#[test]
fn scripts_and_styles_are_files() {
    for (name, text) in files() {
        if name.ends_with(".html") {
            let lower = text.to_lowercase();
            assert!(
                lower.match_indices("<script").all(|(at, _)| lower[at..].split('>').next().unwrap().contains(" src=")),
                "{name}"
            );
            assert!(!lower.contains("<style") && !lower.contains(" style="), "{name} has a style in its markup");
            for event in ["onclick", "onload", "onerror", "oninput", "onsubmit", "onchange", "onkeydown"] {
                assert!(!lower.contains(&format!(" {event}=")), "{name} has a script in its markup: {event}");
            }
        }
        if name.ends_with(".js") {
            let unsafe_ways = [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "DOMParser",
                "srcdoc",
            ];
            for way in unsafe_ways {
                assert!(!text.contains(way), "{name} uses {way}, which can turn a text into markup or a script");
            }
        }
    }
}
