//! The house rules of `docs/design.md` that a compiler does not check.

use std::fs;
use std::path::{Path, PathBuf};

/// A module and the file it stands in; files of one folder are modules of that folder's `mod.rs`.
struct Room {
    path: Vec<String>,
    file: PathBuf,
    text: String,
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
}

/// The modules that a file declares, in the order in which they stand there.
fn declared(text: &str) -> Vec<String> {
    let declarations = text.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")).unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    declarations.map(str::to_string).collect()
}

/// All rooms in layer order: the order of the declarations in `lib.rs` and in each `mod.rs`.
fn rooms() -> Vec<Room> {
    fn visit(folder: &Path, path: &[String], text: &str, rooms: &mut Vec<Room>) {
        for name in declared(text) {
            let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            let (file, inner) = (folder.join(format!("{name}.rs")), folder.join(&name));
            let file = if file.exists() { file } else { inner.join("mod.rs") };
            let text = read(&file);
            visit(&inner, &path, &text, rooms);
            rooms.push(Room { path, file, text });
        }
    }
    let mut rooms = Vec::new();
    visit(&source(), &[], &read(&source().join("lib.rs")), &mut rooms);
    rooms
}

/// The code of a room without its comments and its unit tests.
fn code(room: &Room) -> impl Iterator<Item = &str> {
    let tests = room.text.find("#[cfg(test)]\nmod tests").unwrap_or(room.text.len());
    room.text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be listed").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn every_file_is_a_room() {
    let rooms = rooms();
    for file in files_below(&source()) {
        let top = file == source().join("lib.rs") || file == source().join("main.rs");
        assert!(top || rooms.iter().any(|room| room.file == file), "{} is in no module", file.display());
    }
}

#[test]
fn imports_go_up_only() {
    let rooms = rooms();
    let layer = |name: &str| {
        let tops: Vec<&String> = rooms.iter().filter(|room| room.path.len() == 1).map(|room| &room.path[0]).collect();
        tops.iter().position(|top| *top == name).unwrap_or_else(|| panic!("`crate::{name}` is no room"))
    };
    let mut checked = 0;
    for room in &rooms {
        for line in code(room) {
            for used in line.split("crate::").skip(1) {
                let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                assert!(!name.is_empty(), "{}: import each room by its name: {line}", room.file.display());
                let (own, other) = (layer(&room.path[0]), layer(&name));
                assert!(other <= own, "{} uses `{name}`, which stands below it: {line}", room.file.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "only {checked} imports were found: has the way of writing them changed?");
}

#[test]
fn imports_within_a_room_go_up_only_too() {
    let rooms = rooms();
    let mut checked = 0;
    for folder in [
        &["solve"][..],
        &["solve", "enumerate"],
        &["verify"],
        &["play"],
        &["play", "heuristics"],
        &["arena"],
        &["claims"],
        &["engine"],
    ] {
        let depth = folder.len();
        let siblings = rooms.iter().filter(|room| room.path.len() == depth + 1 && room.path[..depth] == *folder);
        let siblings: Vec<&Room> = siblings.collect();
        for (own, room) in siblings.iter().enumerate() {
            let code: String = code(room).collect::<Vec<_>>().join("\n");
            for used in code.split("super::").skip(1) {
                let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                // What is not the name of a sibling stands in the folder's own file.
                if let Some(other) = siblings.iter().position(|sibling| sibling.path[depth] == name) {
                    assert!(other < own, "{} uses `{name}`, which stands below it", room.file.display());
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 10, "only {checked} imports were found: has the way of writing them changed?");
}

#[test]
fn only_the_command_line_prints() {
    for room in rooms().iter().filter(|room| room.path[0] != "cli") {
        for word in ["print!", "println!", "eprint!", "eprintln!", "dbg!", "stdout()", "stderr()"] {
            assert!(!code(room).any(|line| line.contains(word)), "{} prints: {word}", room.file.display());
        }
    }
}

#[test]
fn the_map_names_every_room() {
    let map = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/design.md"));
    // The command line's files are named after its verbs: `--help` is their map.
    for room in rooms().iter().filter(|room| room.path[0] != "cli") {
        let name = room.file.file_name().and_then(|name| name.to_str()).expect("names are text");
        assert!(map.contains(&format!(" {name} ")), "docs/design.md does not name {name} ({})", room.path.join("::"));
    }
}
