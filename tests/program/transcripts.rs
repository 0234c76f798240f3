//! The transcripts in the documentation are what the program prints.

use std::fs;
use std::path::{Path, PathBuf};

use crate::engine::{Engine, masked};
use assert_cmd::cargo::cargo_bin;
use isolde::engine::{Command, parse};

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
    let (documented, printed) = (masked(documented), masked(printed));
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

/// What a program prints, and what the documentation says that it prints.
struct Compared {
    documented: Vec<String>,
    printed: Vec<String>,
}

/// A command without a dialogue.
fn repeated(command: &str, documented: &[String]) -> Compared {
    Compared { documented: documented.to_vec(), printed: printed_by(command, "") }
}

/// The lines that a command prints when it reads this text.
fn printed_by(command: &str, read: &str) -> Vec<String> {
    let program = cargo_bin!("isolde").parent().unwrap().to_path_buf();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = assert_cmd::Command::new("sh");
    let output = shell.args(["-c", command]).env("PATH", &path).current_dir(project()).write_stdin(read).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().to_string()).collect()
}

/// A dialogue in which a person types behind the prompt `> `. What is typed into a pipe does not
/// appear in the output, nor does its end of line: the answer stands behind the prompt.
fn typed_behind_prompts(command: &str, documented: &[String]) -> Compared {
    let (mut typed, mut expected, mut prompt) = (String::new(), Vec::new(), String::new());
    for line in documented {
        if let Some(text) = line.strip_prefix("> ") {
            typed += &format!("{text}\n");
            prompt += "> ";
        } else if line == "…" {
            if !prompt.is_empty() {
                expected.push(format!("{}…", std::mem::take(&mut prompt)));
            }
            expected.push(line.clone());
        } else {
            expected.push(format!("{}{line}", std::mem::take(&mut prompt)).trim_end().to_string());
        }
    }
    Compared { documented: expected, printed: printed_by(command, &typed) }
}

/// A dialogue with the engine. A line is typed if it is one of the engine's commands. The next one
/// is typed once the answers before it are there, as a person would.
fn said_to_the_engine(documented: &[String]) -> Compared {
    let is_typed = |line: &str| parse(line).is_ok_and(|command| command != Command::Nothing);
    let mut engine = Engine::start_in(project(), &[]);
    let (mut expected, mut printed) = (Vec::new(), Vec::new());
    for (number, line) in documented.iter().enumerate() {
        if is_typed(line) {
            engine.send(line);
            continue;
        }
        expected.push(line.clone());
        let is_last_answer = documented.get(number + 1).is_none_or(|next| is_typed(next));
        if is_last_answer && line != "…" {
            printed.extend(engine.until_line(|said| is_same(line, said)).unwrap_or_else(|all| all));
        }
    }
    printed.extend(engine.rest());
    Compared { documented: expected, printed }
}

#[cfg(unix)]
#[test]
fn the_documentation_shows_what_the_program_prints() {
    let docs = fs::read_dir(project().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let pages: Vec<PathBuf> =
        [project().join("README.md"), project().join("tables/README.md")].into_iter().chain(pages).collect();
    let (mut answers, mut games, mut engines) = (0, 0, 0);
    for Transcript { place, command, printed } in pages.iter().flat_map(|page| transcripts(page)) {
        let (kind, compared) = if command == "isolde engine" {
            (&mut engines, said_to_the_engine(&printed))
        } else if command.starts_with("isolde play ") {
            (&mut games, typed_behind_prompts(&command, &printed))
        } else {
            (&mut answers, repeated(&command, &printed))
        };
        *kind += 1;
        let printed: Vec<&str> = compared.printed.iter().map(String::as_str).collect();
        if let Some(difference) = differs(&compared.documented, &printed) {
            panic!("{place}: {command}: {difference}");
        }
    }
    assert!(answers >= 6 && games >= 1 && engines >= 1, "{answers} answers, {games} games and {engines} engines were found");
}

/// A dialogue that differs from what the program prints is noticed, on either side.
#[cfg(unix)]
#[test]
fn a_dialogue_that_is_wrong_is_noticed() {
    let is_right = |compared: Compared| {
        let printed: Vec<&str> = compared.printed.iter().map(String::as_str).collect();
        differs(&compared.documented, &printed).is_none()
    };
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let engine = |text: &str| is_right(said_to_the_engine(&lines(text)));
    assert!(engine("isready\nreadyok\nposition fen 3/1N1/n2 w\ngo depth 1\ninfo depth 0 …\nbestmove (none)"));
    assert!(!engine("isready\nposition fen 3/1N1/n2 w\ngo depth 1\ninfo depth 0 …\nbestmove (none)"));
    assert!(!engine("position fen 3/1N1/n2 w\ngo depth 1\nbestmove a1\n…\nbestmove (none)"));
    let prompted = |text: &str| {
        let command = "while printf '> ' && read said; do echo heard $said; done";
        is_right(typed_behind_prompts(command, &lines(text)))
    };
    assert!(prompted("> a\nheard a\n> b\nheard b\n>"));
    assert!(prompted("> a\n…"));
    assert!(!prompted("> a\nheard b\n>"));
    assert!(!prompted("> a\nheard a\n> b\n>"));
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
