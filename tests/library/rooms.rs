//! The house rules of `docs/design.md` that a compiler does not check.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module and the file that it stands in.
struct Room {
    /// The names that lead there: `["solve", "enumerate", "keys"]`.
    path: Vec<String>,
    file: PathBuf,
    text: String,
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source() -> PathBuf {
    project().join("src")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
}

/// The modules that a file declares, in their order.
fn declared(text: &str) -> Vec<String> {
    let declarations = text.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")).unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    declarations.map(str::to_string).collect()
}

/// All rooms in layer order, each folder's own file before the files in it: the order of the
/// declarations in `lib.rs` and in each `mod.rs`.
fn rooms() -> Vec<Room> {
    fn visit(folder: &Path, path: &[String], text: &str, rooms: &mut Vec<Room>) {
        for name in declared(text) {
            let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            let (file, inner) = (folder.join(format!("{name}.rs")), folder.join(&name));
            let file = if file.exists() { file } else { inner.join("mod.rs") };
            let text = read(&file);
            rooms.push(Room { path: path.clone(), file, text: text.clone() });
            visit(&inner, &path, &text, rooms);
        }
    }
    let mut rooms = Vec::new();
    visit(&source(), &[], &read(&source().join("lib.rs")), &mut rooms);
    rooms
}

/// The code of a room without its comments and its unit tests.
fn code(room: &Room) -> String {
    let tests = room.text.find("#[cfg(test)]\nmod tests").unwrap_or(room.text.len());
    let lines = room.text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths that begin with `crate` or `super` in some code, braces written out:
/// `super::{a, b::c}` are `super::a` and `super::b::c`.
fn used_paths(code: &str) -> Vec<Vec<String>> {
    fn read_path(text: &str, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
        let mut path = prefix.to_vec();
        let mut at = 0;
        loop {
            let name: String = text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            at += name.len();
            path.push(name);
            if !text[at..].starts_with("::") {
                found.push(path);
                return at;
            }
            at += 2;
            if text[at..].starts_with('{') {
                at += 1;
                while !text[at..].starts_with('}') {
                    match text[at..].chars().next() {
                        Some(c) if c.is_alphanumeric() || c == '_' => at += read_path(&text[at..], &path, found),
                        Some(c) => at += c.len_utf8(),
                        None => return at,
                    }
                }
                return at + 1;
            }
        }
    }
    let mut found = Vec::new();
    for (start, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let before = code[..start].chars().next_back();
        if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
            read_path(&code[start..], &[], &mut found);
        }
    }
    found
}

/// For each folder, the names that its own file re-exports, and the module in it that they come
/// from.
fn re_exports(rooms: &[Room]) -> HashMap<Vec<String>, HashMap<String, String>> {
    let mut exports = HashMap::new();
    for room in rooms.iter().filter(|room| room.file.ends_with("mod.rs")) {
        let modules = declared(&room.text);
        let names = exports.entry(room.path.clone()).or_insert_with(HashMap::new);
        for statement in code(room).split(';').filter_map(|text| text.trim().split_once("use ").map(|(_, used)| used.to_string()))
        {
            if let Some(module) = modules.iter().find(|module| statement.starts_with(&format!("{module}::"))) {
                let inner = statement.split_once("::").map(|(_, inner)| inner).unwrap_or_default();
                let words = inner.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
                names.extend(words.map(|word| (word.to_string(), module.clone())));
            }
        }
    }
    exports
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be listed").path());
    let below = |path: PathBuf| if path.is_dir() { files_below(&path, extension) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

#[test]
fn every_file_is_a_room() {
    let rooms = rooms();
    for file in files_below(&source(), "rs") {
        let top = file == source().join("lib.rs") || file == source().join("main.rs");
        assert!(top || rooms.iter().any(|room| room.file == file), "{} is in no module", file.display());
    }
}

/// Wherever two rooms part ways, the one that is used stands above the one that uses it. A name
/// that a folder re-exports counts as the file that it comes from.
#[test]
fn imports_go_up_only() {
    let rooms = rooms();
    let exports = re_exports(&rooms);
    let place = |path: &[String]| rooms.iter().position(|room| room.path == path);
    let mut checked = HashMap::new();
    for room in &rooms {
        for mut used in used_paths(&code(room)) {
            // To the absolute path: `super` is the folder of a file, or of a folder's own file.
            let mut absolute: Vec<String> = Vec::new();
            if used[0] == "super" {
                let levels = used.iter().take_while(|name| *name == "super").count();
                absolute = room.path[..room.path.len() - levels].to_vec();
                used.drain(..levels);
            } else {
                used.remove(0);
            }
            for name in used {
                let from = exports.get(&absolute).and_then(|names| names.get(&name)).filter(|_| place(&absolute).is_some());
                let is_room = |name: &String| place(&[absolute.as_slice(), std::slice::from_ref(name)].concat()).is_some();
                match from {
                    _ if is_room(&name) => absolute.push(name),
                    Some(module) => absolute.push(module.clone()),
                    None => break,
                }
            }
            let shared = absolute.iter().zip(&room.path).take_while(|(a, b)| a == b).count();
            if shared == absolute.len() || shared == room.path.len() {
                continue;
            }
            let (own, other) = (place(&room.path[..=shared]), place(&absolute[..=shared]));
            assert!(other < own, "{} uses `{}`, which stands below it", room.file.display(), absolute.join("::"));
            *checked.entry(room.path[0].clone()).or_insert(0) += 1;
        }
    }
    for folder in
        ["game", "solve", "table", "analysis", "build", "strategies", "play", "arena", "claims", "engine", "serve", "cli"]
    {
        let count = checked.get(folder).copied().unwrap_or(0);
        assert!(count >= 5, "only {count} imports were found in {folder}: has the way of writing them changed?");
    }
}

#[test]
fn only_the_command_line_prints() {
    for room in rooms().iter().filter(|room| room.path[0] != "cli") {
        for word in ["print!", "println!", "eprint!", "eprintln!", "dbg!", "stdout()", "stderr()"] {
            assert!(!code(room).contains(word), "{} prints: {word}", room.file.display());
        }
    }
}

/// The library chooses the machine word; the command line has no code that is generic over it.
#[test]
fn the_command_line_knows_no_machine_words() {
    for room in rooms().iter().filter(|room| room.path[0] == "cli") {
        for word in ["Word", "with_word_for", "Solver<", "Tablebase<"] {
            assert!(!code(room).contains(word), "{} mentions {word}", room.file.display());
        }
    }
}

/// Flags are a matter of the command line: a library user has none. `build/` writes the command
/// that makes a table into the table, and `certificate/` names unfinished work by its command.
#[test]
fn the_library_names_no_flags() {
    for room in rooms().iter().filter(|room| !["cli", "build", "certificate", "claims"].contains(&room.path[0].as_str())) {
        for literal in code(room).split('"').skip(1).step_by(2) {
            let flag = literal.split_whitespace().find(|word| word.trim_start_matches(['`', '(']).starts_with("--"));
            assert!(flag.is_none(), "{} names the flag {flag:?}", room.file.display());
        }
    }
}

/// The paths in the map of `docs/design.md`, in its order.
fn map() -> Vec<String> {
    let design = read(&project().join("docs/design.md"));
    let (_, rest) = design.split_once("\n```\nsrc/\n").expect("the map begins with src/");
    let (tree, _) = rest.split_once("\n```").expect("the map ends");
    let (mut folders, mut paths): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for line in tree.lines() {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let Some(name) = line.split_whitespace().next() else { continue };
        let is_entry = name.ends_with('/') || name.ends_with(".rs");
        if depth == 0 {
            break;
        }
        if !is_entry || depth > folders.len() + 1 {
            // A description that goes on.
            continue;
        }
        folders.truncate(depth - 1);
        match name.strip_suffix('/') {
            Some(folder) => folders.push(folder.to_string()),
            None => paths.push([folders.as_slice(), &[name.to_string()]].concat().join("/")),
        }
    }
    paths
}

#[test]
fn the_map_names_every_room_in_its_order() {
    let relative = |file: &Path| file.strip_prefix(source()).expect("a file of src").to_string_lossy().replace('\\', "/");
    let expected: Vec<String> = ["lib.rs".to_string(), "main.rs".to_string()]
        .into_iter()
        .chain(rooms().iter().map(|room| relative(&room.file)))
        .collect();
    let map = map();
    for path in &expected {
        assert!(map.contains(path), "docs/design.md does not name src/{path}");
    }
    for path in &map {
        assert!(expected.contains(path), "docs/design.md names src/{path}, which does not exist");
    }
    assert_eq!(map, expected, "the map is in the order of the layers");
}

/// The width of the text of comments, and of everything.
const COMMENT: usize = 100;
const LINE: usize = 130;

#[test]
fn lines_are_short_enough_to_read() {
    let folders = ["src", "tests", "benches", "fuzz/src", "checker"].map(|folder| project().join(folder));
    let files = folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| files_below(folder, "rs"));
    for file in files {
        let mut is_code = false;
        for (number, line) in read(&file).lines().enumerate() {
            let width = line.chars().count();
            let comment = line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!']).trim_start());
            is_code ^= comment.is_some_and(|text| text.starts_with("```"));
            let is_table = comment.is_some_and(|text| text.starts_with('|'));
            let place = format!("{}:{}", file.display(), number + 1);
            assert!(width <= LINE || is_table, "{place} has {width} columns");
            let is_text = comment.is_some() && !is_code && !is_table;
            assert!(width <= COMMENT || !is_text, "{place} is a comment of {width} columns");
        }
    }
}
