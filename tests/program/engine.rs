//! `isolde engine`, used as match runners use it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use isolde::play::Random;
use isolde::{Position, notation};

/// The engine behind two pipes. It is killed at the end of the test.
pub(super) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Long enough for any answer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Engine {
    fn start() -> Self {
        Self::start_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &[])
    }

    /// An engine that works in this folder and finds these variables in its environment.
    pub(super) fn start_in(folder: &Path, variables: &[(&str, &str)]) -> Self {
        let mut child = Command::new(cargo_bin!("isolde"))
            .arg("engine")
            .current_dir(folder)
            .env("XDG_DATA_HOME", "/nowhere")
            .env("HOME", "/nowhere")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let (line, lines) = channel();
        std::thread::spawn(move || BufReader::new(output).lines().map_while(Result::ok).all(|read| line.send(read).is_ok()));
        Self { child, input, lines }
    }

    pub(super) fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{text}").and_then(|()| input.flush()).unwrap();
    }

    /// Reads lines up to one that begins with this text.
    fn until(&self, start: &str) -> Vec<String> {
        self.until_line(|line| line.starts_with(start)).unwrap_or_else(|read| panic!("no `{start}` after {read:?}"))
    }

    /// Reads lines up to one that `is_last` accepts. The error has all lines if there is none.
    pub(super) fn until_line(&self, is_last: impl Fn(&str) -> bool) -> Result<Vec<String>, Vec<String>> {
        let mut read = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            read.push(line);
            if read.last().is_some_and(|line| is_last(line)) {
                return Ok(read);
            }
        }
        Err(read)
    }

    fn ask(&mut self, text: &str, start: &str) -> Vec<String> {
        self.send(text);
        self.until(start)
    }

    /// The move of a search, and the last `info` line before it.
    fn go(&mut self, text: &str) -> (String, String) {
        let read = self.ask(text, "bestmove");
        let chosen = read.last().unwrap().strip_prefix("bestmove ").unwrap().to_string();
        (chosen, read.iter().rev().find(|line| line.starts_with("info depth")).cloned().unwrap_or_default())
    }

    /// Ends the input and waits for the program to exit. Returns whether it succeeded.
    fn end(mut self) -> bool {
        drop(self.input.take());
        self.exit().is_some_and(|status| status.success())
    }

    /// Ends the input. Returns all that is said from now on.
    pub(super) fn rest(mut self) -> Vec<String> {
        drop(self.input.take());
        self.lines.iter().collect()
    }

    /// Waits for the program to exit.
    fn exit(&mut self) -> Option<ExitStatus> {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replaces the version of the program, and numbers of `info` lines that depend on the machine.
pub(super) fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    if words[0] == "id" && words.last() == Some(&env!("CARGO_PKG_VERSION")) {
        words[3] = "#";
    }
    if words[0] == "info" {
        for number in 1..words.len() {
            if ["nps", "time", "hashfull"].contains(&words[number - 1]) {
                words[number] = "#";
            }
        }
    }
    words.join(" ")
}

/// Lines that begin with `> ` are sent to the engine, the others are its expected answers.
#[test]
fn the_recorded_dialogue_is_repeated() {
    let mut engine = Engine::start();
    let mut expected: Vec<&str> = Vec::new();
    let check = |engine: &Engine, expected: &mut Vec<&str>| {
        for line in expected.drain(..) {
            let read = engine.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("nothing instead of `{line}`"));
            assert_eq!(masked(&read), line);
        }
    };
    for line in include_str!("../data/engine.dialogue").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("> ") {
            Some(said) => {
                check(&engine, &mut expected);
                engine.send(said);
            }
            None => expected.push(line),
        }
    }
    check(&engine, &mut expected);
    assert!(engine.end(), "the program exits at the end of the input");
}

/// `stop` ends the search before the next line is read, however quickly that follows. How soon a
/// search ends is tested in nodes, in the library.
#[test]
fn stop_is_obeyed_before_the_next_line() {
    let mut engine = Engine::start();
    let breath = "position fen 11/11/11/11/5n5/3N7/11/11/11 w\ngo infinite\nstop\n\
                  position fen 5/5/2n2/5/N4 w\ngo nodes 1000\nstop\nisready";
    for round in 0..20 {
        let read = engine.ask(breath, "readyok");
        let said: Vec<&String> = read.iter().filter(|line| !line.starts_with("info depth")).collect();
        let [large, small, _] = said[..] else { panic!("round {round}: {read:?}") };
        assert!(large.starts_with("bestmove d4") && small.starts_with("bestmove a1"), "round {round}: {said:?}");
        // After some time, too.
        engine.send("position fen 11/11/11/11/5n5/3N7/11/11/11 w\ngo infinite");
        if round % 5 == 0 {
            engine.until("info depth 4");
        }
        engine.go("stop");
    }
    assert!(engine.end());
}

/// Whatever is wrong with `go`, there is one answer, and it says what was wrong.
#[test]
fn a_faulty_go_is_answered() {
    let mut engine = Engine::start();
    engine.ask("position fen 5/5/2n2/5/N4 w\nisready", "readyok");
    for wrong in
        ["movetime abc", "movetime", "depth x", "banana", "wtime x btime 100", "btime 100", "searchmoves a1a2", "perft x"]
    {
        let read = engine.ask(&format!("go {wrong}"), "bestmove");
        assert!(read[0].starts_with("info string go"), "{wrong}: {read:?}");
        assert!(read.last().unwrap().starts_with("bestmove a1"), "{wrong}: {read:?}");
        assert_eq!(engine.ask("isready", "readyok"), ["readyok"], "{wrong}");
    }
    assert!(engine.end());
}

/// If the system has no thread for the search, the engine still makes a legal move. Threads whose
/// stack is larger than the memory cannot be started; the thread that reads has a stack of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_search_without_a_thread_is_answered() {
    let no_threads = [("RUST_MIN_STACK", "1000000000000000")];
    let mut engine = Engine::start_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &no_threads);
    engine.ask("position fen 5/5/2n2/5/N4 w\nisready", "readyok");
    for go in ["go nodes 100", "go movetime 10", "go infinite"] {
        let read = engine.ask(go, "bestmove");
        assert!(read[0].starts_with("info string cannot start a thread: "), "{read:?}");
        assert!(read[1].starts_with("bestmove a1"), "{read:?}");
    }
    let read = engine.ask("go perft 3\nisready", "readyok");
    assert!(read[0].starts_with("info string cannot start a thread: "), "{read:?}");
    assert!(engine.end());
}

/// A signal ends the engine at once, in the middle of a search. It leaves nothing behind. SIGINT
/// and SIGHUP do the same, but a shell may have set them to be ignored before it starts the tests.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_engine() {
    use std::os::unix::process::ExitStatusExt;

    let folder = tempfile::tempdir().unwrap();
    let mut engine = Engine::start_in(folder.path(), &[]);
    engine.send("position fen 11/11/11/11/5n5/3N7/11/11/11 w\ngo infinite");
    engine.until("info depth");
    let sent = Command::new("kill").args(["-TERM", &engine.child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(engine.exit().and_then(|status| status.signal()), Some(15));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

/// `go ponder` answers after `ponderhit` or `stop`, and not before.
#[test]
fn pondering_waits_for_the_opponent() {
    let mut engine = Engine::start();
    let options = engine.ask("uci", "uciok");
    assert!(options.iter().any(|line| line == "option name Ponder type check default false"));
    engine.ask("setoption name Ponder value true\nposition fen 5/5/2n2/5/N4 w\nisready", "readyok");
    for end in ["ponderhit", "stop"] {
        engine.send("go ponder wtime 50 btime 50");
        engine.until("info depth");
        std::thread::sleep(Duration::from_millis(100));
        assert!(engine.ask("isready", "readyok").iter().all(|line| !line.starts_with("bestmove")));
        let (chosen, _) = engine.go(end);
        // The reply that is expected is there, too.
        assert!(chosen.starts_with("a1") && chosen.contains(" ponder c3"), "{chosen}");
    }
    assert!(engine.end());
}

/// `go infinite` does not answer before `stop`, even if everything is proven. `quit` during a
/// search still prints a move.
#[test]
fn an_infinite_search_waits_for_stop() {
    let mut engine = Engine::start();
    engine.send("position fen 5/5/2n2/5/N4 w");
    engine.send("go infinite");
    engine.until("info depth");
    engine.ask("isready", "readyok");
    std::thread::sleep(Duration::from_millis(100));
    assert!(engine.lines.try_iter().all(|line| !line.starts_with("bestmove")));
    let said = engine.ask("quit", "bestmove");
    assert!(said.last().unwrap().len() > "bestmove ".len());
    assert!(engine.end());
}

/// Two engines play a whole game with clocks and increments. Both stay in time, and every move is
/// legal.
#[test]
fn two_engines_play_a_game() {
    let mut engines = [Engine::start(), Engine::start()];
    for engine in &mut engines {
        engine.ask("uci", "uciok");
        engine.send("setoption name Hash value 32");
        engine.send("setoption name Move Overhead value 5");
        engine.ask("setoption name UCI_Variant value joust7x7\nucinewgame\nisready", "readyok");
    }
    let mut position = Position::new(notation::parse("7x7").unwrap()).unwrap();
    let mut moves = String::new();
    let (mut clocks, increment) = ([2000_i64; 2], 20);
    while position.winner().is_none() {
        let turn = position.turn() as usize;
        let engine = &mut engines[turn];
        engine.send(&format!("position startpos{}{moves}", if moves.is_empty() { "" } else { " moves" }));
        let started = Instant::now();
        let (chosen, _) = engine.go(&format!("go wtime {} btime {} winc {increment} binc {increment}", clocks[0], clocks[1]));
        clocks[turn] += increment - started.elapsed().as_millis() as i64;
        let to = notation::parse_move(&position, &chosen).expect("every move is legal");
        position = position.play_unchecked(to);
        moves += &format!(" {chosen}");
    }
    assert!(clocks.iter().all(|&left| left > 0), "{clocks:?}: an engine ran out of time");
    for mut engine in engines {
        engine.send(&format!("position startpos moves{moves}"));
        assert_eq!(engine.go("go movetime 20").0, "(none)");
        assert!(engine.end());
    }
}

/// Random lines, some of them nearly right. The engine must still answer after them.
#[test]
fn random_lines_do_no_harm() {
    let words = [
        "uci",
        "go",
        "position",
        "startpos",
        "fen",
        "moves",
        "depth",
        "nodes",
        "movetime",
        "infinite",
        "perft",
        "ponder",
        "ponderhit",
        "searchmoves",
        "stop",
        "setoption",
        "name",
        "value",
        "Hash",
        "Threads",
        "UCI_Variant",
        "joust",
        "joust5x5",
        "joust99x99",
        "8/8/8/4n3/3N4/8/8/8",
        "w",
        "b",
        "-1",
        "0",
        "1",
        "3",
        "99999999999999999999",
        "d4",
        "d4e6,e6d4",
        "a1",
        "\u{0}",
        "é",
        "mate",
        "wtime",
        "binc",
        "d",
        "ucinewgame",
        "isready",
        "",
    ];
    let mut random = Random::new(11);
    let mut engine = Engine::start();
    let started = Instant::now();
    let mut said = 0;
    while started.elapsed() < Duration::from_secs(3) || said < 200 {
        let length = random.below(8);
        let line: Vec<&str> = (0..length).map(|_| words[random.below(words.len())]).collect();
        engine.send(&line.join(" "));
        said += 1;
        if said % 10 == 0 {
            engine.send("stop");
            engine.ask("isready", "readyok");
        }
    }
    engine.send("stop");
    engine.ask("isready", "readyok");
    engine.ask("position startpos moves d4e6,e6d4\nisready", "readyok");
    assert!(engine.end());
}

/// The engine exits when nobody reads its output any more.
#[test]
fn a_broken_pipe_ends_the_program() {
    let mut child =
        Command::new(cargo_bin!("isolde")).arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let started = Instant::now();
    let ended = loop {
        let _ = writeln!(input, "isready").and_then(|()| input.flush());
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if started.elapsed() > PATIENCE {
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(ended.is_some_and(|status| status.success()));
}
