//! `isolde engine`, used as match runners use it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use isolde::play::Random;
use isolde::{Position, notation};

/// The engine behind two pipes. It is killed at the end of the test.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Long enough for any answer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(cargo_bin!("isolde"))
            .arg("engine")
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .env("XDG_DATA_HOME", "/nowhere")
            .env("HOME", "/nowhere")
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

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{text}").and_then(|()| input.flush()).unwrap();
    }

    /// Reads lines up to one that begins with this text.
    fn until(&self, start: &str) -> Vec<String> {
        let mut read = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no `{start}` after {read:?}"));
            read.push(line);
            if read.last().is_some_and(|line| line.starts_with(start)) {
                return read;
            }
        }
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
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replaces numbers that depend on the machine.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for number in 1..words.len() {
        if ["nps", "time", "hashfull"].contains(&words[number - 1]) {
            words[number] = "#";
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

#[test]
fn a_search_is_stopped_at_once() {
    let stopped_in_time = || {
        let mut engine = Engine::start();
        engine.ask("position fen 11/11/11/11/5n5/3N7/11/11/11 w\nisready", "readyok");
        engine.send("go infinite");
        engine.until("info depth 4");
        let started = Instant::now();
        let (chosen, _) = engine.go("stop");
        let taken = started.elapsed();
        assert_ne!(chosen, "(none)");
        assert!(engine.end());
        taken < Duration::from_millis(20)
    };
    assert!((0..20).any(|_| stopped_in_time()), "the search always goes on for more than 20 ms");
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
        // Perft cannot be stopped, and a deep one would never end.
        if line.contains(&"perft") {
            continue;
        }
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
