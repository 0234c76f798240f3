//! The examples in docs/http-api.md, asked of a real server.

use std::fs;
use std::path::Path;

use super::harness::Server;

/// A request in the documentation, and its answer there.
struct Example {
    line: usize,
    path: String,
    body: Option<String>,
    answer: String,
}

/// What stands between the first two single quotes after `mark`.
fn quoted_after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark)?.1.split_once('\'')?.1.split_once('\'').map(|(inside, _)| inside)
}

/// The examples: in blocks of `console`, lines that begin with `$ curl`, and what follows them.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("$ curl -s") {
            _ if line == "```console" => inside = true,
            _ if line == "```" => inside = false,
            Some(command) if inside => {
                let address = quoted_after(command, "").expect("an address in quotes");
                let path = address.strip_prefix("http://127.0.0.1:7349").expect("the usual address").to_string();
                let body = quoted_after(command, " -d ").map(str::to_string);
                examples.push(Example { line: number + 1, path, body, answer: String::new() });
            }
            _ if inside => examples.last_mut().expect("a command comes first").answer += line.trim_start(),
            _ => {}
        }
    }
    examples
}

/// Whether an answer is the one in the documentation, where `…` stands for anything. Line breaks
/// and the space after them do not count.
fn is_same(documented: &str, answer: &str) -> bool {
    let answer: String = answer.lines().map(str::trim_start).collect();
    let mut parts = documented.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = answer.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let found = if parts.peek().is_none() { rest.ends_with(part).then_some(rest.len()) } else { rest.find(part) };
        let Some(at) = found else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    documented.contains('…') || rest.is_empty()
}

#[test]
fn every_example_is_answered_as_documented() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/http-api.md")).unwrap();
    let server = Server::start(&[]);
    let examples = examples(&text);
    for example in &examples {
        let answer = match &example.body {
            Some(body) => server.connect().post(&example.path, body.as_bytes()),
            None => server.get(&example.path),
        };
        let (documented, found) = (&example.answer, answer.text());
        assert!(is_same(documented, &found), "docs/http-api.md:{} says\n{documented}\nand the server\n{found}", example.line);
    }
    // Every address of the table of contents has an example.
    let listed = text.lines().filter_map(|line| line.strip_prefix("| [`")?.split_once('`')).map(|(address, _)| address);
    let paths: Vec<&str> = listed.filter_map(|address| address.split([' ', ',']).nth(1)).collect();
    assert_eq!(paths.len(), 16);
    for path in paths {
        let shown = examples.iter().any(|example| {
            let rest = example.path.strip_prefix("/api/v1").and_then(|rest| rest.strip_prefix(path));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['?', '/']))
        });
        assert!(shown, "docs/http-api.md has no example of {path}");
    }
}

#[test]
fn answers_are_compared_as_they_should() {
    assert!(is_same("{\"a\":1}", "{\"a\":1}") && !is_same("{\"a\":1}", "{\"a\":1}x") && !is_same("a", "b"));
    assert!(is_same("{…}", "{\"a\":1}") && is_same("a…c…e", "abcde") && is_same("a…", "a"));
    assert!(!is_same("a…c", "ab") && !is_same("…b", "ba") && !is_same("x…", "a"));
    assert!(is_same("event: adata: 1", "event: a\ndata: 1\n\n"));
}
