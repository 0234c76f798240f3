//! The transcripts in the documentation are what the program prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A command in the documentation, and what it prints there.
struct Transcript {
    place: String,
    command: String,
    printed: Vec<String>,
}

/// The transcripts of a page: blocks of text whose first line is a command.
fn transcripts(page: &Path) -> Vec<Transcript> {
    let text = fs::read_to_string(page).unwrap();
    let mut lines = text.lines().enumerate();
    let mut found = Vec::new();
    while let Some((_, line)) = lines.next() {
        if line != "```text" {
            continue;
        }
        let block: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        if let Some((number, command)) = block.first().and_then(|(number, line)| Some((number, line.strip_prefix("$ ")?))) {
            found.push(Transcript {
                place: format!("{}:{}", page.display(), number + 1),
                command: command.to_string(),
                printed: block[1..].iter().map(|(_, line)| line.trim_end().to_string()).collect(),
            });
        }
    }
    found
}

/// Whether a printed line is the one in the documentation. Work and time differ from run to run,
/// and a line that ends with `…` goes on.
fn is_same(documented: &str, printed: &str) -> bool {
    if ["searched ", "time "].iter().any(|name| documented.starts_with(name) && printed.starts_with(name)) {
        return true;
    }
    match documented.strip_suffix('…') {
        Some(beginning) => printed.starts_with(beginning.trim_end()),
        None => documented == printed,
    }
}

/// Compares line by line; a line `…` stands for any number of lines.
fn differs(documented: &[String], printed: &[&str]) -> Option<String> {
    let mut rest = printed;
    let mut is_gap = false;
    for line in documented {
        if line == "…" {
            is_gap = true;
            continue;
        }
        let at = if is_gap { rest.iter().position(|printed| is_same(line, printed)) } else { Some(0) };
        match at.and_then(|at| rest.get(at..)).and_then(|from| from.split_first()) {
            Some((first, behind)) if is_same(line, first) => rest = behind,
            _ => return Some(format!("the documentation says\n{line}\nand the program\n{}", rest.join("\n"))),
        }
        is_gap = false;
    }
    (!is_gap && !rest.is_empty()).then(|| format!("the program goes on:\n{}", rest.join("\n")))
}

/// A person's part of these stands in the same block: they cannot be repeated.
const DIALOGUES: [&str; 2] = ["isolde engine", "isolde play "];

#[cfg(unix)]
#[test]
fn the_documentation_shows_what_the_program_prints() {
    let docs = fs::read_dir(project().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let pages: Vec<PathBuf> =
        [project().join("README.md"), project().join("tables/README.md")].into_iter().chain(pages).collect();
    let all: Vec<Transcript> = pages.iter().flat_map(|page| transcripts(page)).collect();
    let repeated: Vec<&Transcript> =
        all.iter().filter(|transcript| !DIALOGUES.iter().any(|command| transcript.command.starts_with(command))).collect();
    assert!(repeated.len() >= 6, "only {} transcripts were found", repeated.len());
    let program = cargo_bin!("isolde").parent().unwrap().to_path_buf();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    for Transcript { place, command, printed } in repeated {
        let output = Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(project()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        if let Some(difference) = differs(printed, &lines) {
            panic!("{place}: {command}: {difference}");
        }
    }
}

#[test]
fn a_transcript_that_is_wrong_is_noticed() {
    let documented = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let printed = ["a", "b 12", "searched 7 nodes", "c"];
    for right in ["a\nb 12\nsearched 9 nodes\nc", "a\n…\nc", "a\nb …\nsearched x\nc", "a\n…"] {
        assert_eq!(differs(&documented(right), &printed), None, "{right}");
    }
    for wrong in ["a\nb 13\nsearched 9 nodes\nc", "a\nc", "a\nb 12", "…\nd", "b\n…", "a\n…\nc\nd"] {
        assert!(differs(&documented(wrong), &printed).is_some(), "{wrong}");
    }
}
