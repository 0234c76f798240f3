//! `isolde move`, `play`, `agents` and `show`, run as their users run them.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use crate::support::folder;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use isolde::{Position, notation};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

/// The program in an empty folder, without the user's own tables.
pub(crate) fn program() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(cargo_bin!("isolde"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).env("XDG_DATA_HOME", "/nowhere").env("HOME", "/nowhere");
    command
}

pub(crate) fn isolde(arguments: &[&str]) -> Assert {
    program().args(arguments).assert()
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    let answered = isolde(&[arguments, &["--json"]].concat()).success().stderr(is_empty());
    serde_json::from_slice(&answered.get_output().stdout).unwrap()
}

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

#[test]
fn a_move_says_what_it_rests_on() {
    let expected = "\
7x7: d4 b3: f5

proven     yes: the first player wins
by         mirror center
line       f5";
    isolde(&["move", "7x7: d4 b3", "--nodes", "100", "--no-tables"]).success().stderr(is_empty()).stdout(starts_with(expected));
    let origins = [
        ("5x5: c3 c2", &["--tables", TABLES][..], "table 5x5-strong.isolde", Some("second")),
        ("10x8: d4", &[], "mirror horizontal", Some("second")),
        ("*1n/*1*/N2 w", &[], "separated regions", Some("first")),
        ("5x5: c3 c2", &[], "table 5x5-strong.isolde (built in)", Some("second")),
        ("4x5: b2 d4", &["--no-tables"], "exact search", Some("second")),
        ("8x8: d4 f5", &["--agent", "AB_Improved", "--depth", "4"], "heuristic search to depth 4", None),
        ("8x8: d4 f5", &["--agent", "Random"], "chance", None),
    ];
    for (position, options, by, winner) in origins {
        let limit: &[&str] = if options.contains(&"--depth") { &[] } else { &["--nodes", "50000"] };
        let answer = json(&[&["move", position][..], options, limit].concat());
        let words = answer["by"].as_str().unwrap();
        assert_eq!(words, by, "{position}: {answer}");
        assert_eq!(
            (answer["winner"].as_str(), answer["proven"].as_bool()),
            (winner, Some(winner.is_some())),
            "{position}: {answer}"
        );
        assert_eq!(answer["line"][0], answer["move"]);
    }
    let unproven = isolde(&["move", "9x8: d4 e6", "--agent", "perfect", "--nodes", "5000"]).code(3);
    unproven.stdout(contains("nothing: no proof was found within the limit"));
    // Three million nodes are enough to count the plies. The first position is lost: there a trap
    // is preferred to a long game.
    for (position, plies) in [("5x5: c1 d3", None), ("5x5: b4 e5", Some(15)), ("4x5: a1 d4", Some(15))] {
        let counted = json(&["move", position, "--nodes", "3000000", "--no-tables"]);
        let line = counted["line"].as_array().unwrap().len() as u64;
        assert_eq!((counted["plies"].as_u64(), plies.is_none_or(|plies| plies == line)), (plies, true), "{counted}");
    }
    isolde(&["move", "8x8: d4", "--time", "1000000000000000s"]).success();
    isolde(&["move", "3x3: b2 a1"])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("there is no move to choose: the second player has won"));
    isolde(&["move", "7x7", "--agent", "AB_nothing"])
        .code(2)
        .stderr(contains("unknown agent `AB_nothing`").and(contains("`isolde agents`")));
    isolde(&["move", "7x7", "--time", "soon"]).code(2).stderr(contains("write a time such as 500ms"));
    isolde(&["move", "7x7", "--time", "1s", "--nodes", "5"]).code(2).stderr(contains("cannot be used with"));
}

/// Even within a millisecond there is a legal move, and most tries keep the limit. Another process
/// may make a try late, so a round that falls short is repeated.
#[test]
fn moves_keep_the_time_limit() {
    const TRIES: usize = 10;
    const ROUNDS: usize = 12;
    for (text, milliseconds) in
        [("7x7", 1), ("7x7: d4 b2", 1), ("8x8: d4 f5", 1), ("11x9: d4 f5", 1), ("11x9: d4 f5", 60), ("8x8: d4 f5", 60)]
    {
        let position: Position = text.parse().unwrap();
        let limit = f64::from(milliseconds) / 1000.0;
        let seconds_taken = || {
            let started = Instant::now();
            let answer = json(&["move", text, "--time", &format!("{milliseconds}ms"), "--tables", TABLES]);
            let taken = started.elapsed();
            notation::parse_move(&position, answer["move"].as_str().unwrap()).expect("the move is legal");
            // The program does not count the time that the system needs to start it.
            let seconds = answer["seconds"].as_f64().unwrap();
            assert!(seconds <= taken.as_secs_f64());
            seconds
        };
        // Undisturbed, a move is at most 5 ms late; disturbed, most moves are at most 10 ms late.
        let is_kept = |_| {
            let all: Vec<f64> = (0..TRIES).map(|_| seconds_taken()).collect();
            let within = |late: f64| all.iter().filter(|&&seconds| seconds < limit + late).count();
            within(0.005) > 0 && 10 * within(0.010) >= 7 * TRIES
        };
        assert!((0..ROUNDS).any(is_kept), "{text} is late too often at {milliseconds} ms");
    }
}

#[test]
fn a_game_is_played_saved_and_shown() {
    let folder = folder();
    let file = folder.path().join("game.json");
    let typed = "c3\nhint\nvalues\nz9\nundo\nundo\nb2\nnonsense\nquit\n";
    let played =
        program().args(["play", "5x5", "--nodes", "20000", "--tables", TABLES, "--save"]).arg(&file).write_stdin(typed).assert();
    let text = String::from_utf8(played.success().stderr(is_empty()).get_output().stdout.clone()).unwrap();
    for expected in [
        "your turn to place, as first",
        "best (second) places on",
        "proven that second wins, by table 5x5-strong.isolde",
        "loses in 14    table 5x5-strong.isolde",
        "`z9` is not a cell",
        "there is no move of yours to take back",
        "`nonsense` is not a cell",
        "   2  . N . . .",
        "the game is unfinished (5x5: b2 ",
        &format!("the record is in {}", file.display()),
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    let shown = isolde(&["show", file.to_str().unwrap()]).success();
    shown.stdout(starts_with("you against best on 5x5: unfinished\n").and(contains("moves      b2 ")));
    assert_eq!(json(&["show", file.to_str().unwrap()])["record"]["winner"], Value::Null);

    // Two agents play to the end. The record agrees with the screen.
    let watched = folder.path().join("watched.json");
    let screen =
        program().args(["play", "4x4", "--watch", "best,AB_Improved", "--nodes", "2000", "--save"]).arg(&watched).assert();
    let screen = String::from_utf8(screen.success().get_output().stdout.clone()).unwrap();
    let record: Value = serde_json::from_str(&fs::read_to_string(&watched).unwrap()).unwrap();
    assert_eq!((record["end"].as_str(), record["first"].as_str()), (Some("stuck"), Some("best")));
    assert!(screen.contains(&format!("(4x4: {})", record["moves"].as_str().unwrap())), "{screen}");
    let plies = record["moves"].as_str().unwrap().split(' ').count();
    let replay = isolde(&["show", watched.to_str().unwrap(), "--replay"]).success();
    let replay = String::from_utf8(replay.get_output().stdout.clone()).unwrap();
    assert_eq!(replay.matches("      a b c d\n").count(), plies);
    let shown = json(&["show", watched.to_str().unwrap(), "--ply", "2"]);
    assert_eq!((&shown["ply"], &shown["record"]), (&2.into(), &record));
    assert_eq!(shown["shown"]["turn"], "first");
    isolde(&["show", watched.to_str().unwrap(), "--ply", "99"])
        .code(2)
        .stderr(contains(format!("the game has only {plies} plies")));
    isolde(&["show", watched.to_str().unwrap(), "--game", "2"]).code(2).stderr(contains("the file holds no game 2"));
    isolde(&["show", "7x7", "--replay"]).code(2).stderr(contains("go with a file of records"));
    isolde(&["play", "5x5", "--as", "third"]).code(2).stderr(contains("write first or second"));
    isolde(&["play", "5x5", "--watch", "best"]).code(2).stderr(contains("--watch takes two agents"));
    fs::write(&file, "{\"board\":\"5x5\"}\n").unwrap();
    isolde(&["show", file.to_str().unwrap()])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("line 1: not the record of a game: missing field"));
    // You win against the agent that moves at random.
    let won = program().args(["play", "3x3", "--against", "Random", "--seed", "3"]).write_stdin("a1\nb3\nc1\n").assert();
    won.success().stdout(contains("you win: Random cannot move (3x3: a1 a3 b3 c2 c1)"));
}

#[test]
fn agents_are_listed_and_heuristics_measured() {
    let list = json(&["agents"]);
    assert_eq!((list["agents"].as_array().unwrap().len(), list["heuristics"].as_array().unwrap().len()), (8, 35));
    isolde(&["agents"])
        .success()
        .stdout(contains("  next_moves               improved, and the same for the cells one move further on (corners-report)"));
    let measure = |threads: &str| json(&["agents", "--measure", "4x5", "--positions", "200", "--threads", threads]);
    let measured = measure("1");
    assert_eq!(measured, measure("2"));
    let share = |name: &str| {
        let rows = measured["heuristics"].as_array().unwrap();
        rows.iter().find(|row| row["heuristic"] == name).unwrap()["keeps_win"]["of_all"]["percent"].as_f64().unwrap()
    };
    // `null` is as good as chance, and counting moves is better.
    let chance = measured["measured"]["random_move_keeps_win"]["of_all"]["percent"].as_f64().unwrap();
    assert!((share("null") - chance).abs() < 5.0 && share("improved") > chance + 5.0, "{chance} {measured}");
    isolde(&["agents", "--measure", "2x2"]).code(2).stderr(contains("too small to measure"));
}

/// A record written before games could be unfinished.
const RESIGNED: &str = concat!(
    r#"{"board":"5x5","first":"you","second":"best","limit":"10ms","given":0,"#,
    r#""moves":"b2 c4","winner":"second","end":"resigned"}"#
);

#[test]
fn a_saved_game_is_continued() {
    let folder = folder();
    let file = folder.path().join("game.json");
    let path = file.to_str().unwrap();
    let play = |arguments: &[&str], typed: &str| {
        let played = program().arg("play").args(arguments).write_stdin(typed.to_string()).assert().success().stderr(is_empty());
        String::from_utf8(played.get_output().stdout.clone()).unwrap()
    };
    let record = || serde_json::from_str::<Value>(&fs::read_to_string(&file).unwrap()).unwrap();
    // Broken off twice: once by `quit`, once by the end of the input.
    play(&["5x5", "--as", "second", "--against", "AB_Improved", "--nodes", "500", "--save", path], "c3\nquit\n");
    let first = record();
    assert_eq!((&first["winner"], &first["end"], &first["given"]), (&Value::Null, &"unfinished".into(), &0.into()));
    let screen = play(&[path, "--save", path], "undo\nc4\n");
    assert!(screen.contains("your turn to move, as second") && screen.contains("AB_Improved (first) moves to"), "{screen}");
    let second = record();
    for field in ["first", "second", "limit", "given", "end"] {
        assert_eq!(second[field], first[field], "{field}");
    }
    let moves = second["moves"].as_str().unwrap();
    assert!(moves.split(' ').nth(1) == Some("c4") && moves.split(' ').count() == 3, "{moves}");
    // Resigned, which is an end, but not by the rules: it can still be played on.
    let screen = play(&[path, "--save", path, "--nodes", "700"], "resign\n");
    assert!(screen.contains("you resign: AB_Improved wins (5x5: "), "{screen}");
    let third = record();
    assert_eq!((&third["winner"], &third["end"], &third["limit"]), (&"first".into(), &"resigned".into(), &"700 nodes".into()));
    isolde(&["show", path]).success().stdout(starts_with("AB_Improved against you on 5x5: AB_Improved won, you resigned\n"));
    fs::write(&file, RESIGNED).unwrap();
    assert!(play(&[path], "").contains("the game is unfinished (5x5: b2 c4)"));

    let refused = |arguments: &[&str], sentence: &str| {
        isolde(&[&["play"], arguments].concat()).code(2).stdout(is_empty()).stderr(contains(sentence));
    };
    refused(&[path, "--as", "first"], "the file says who plays, so leave out --as, --against and --watch; or start a new game");
    refused(&[path, "--step"], "--pause and --step are for a game between two agents");
    refused(&[path, "--game", "2"], "the file holds no game 2");
    refused(&["5x5", "--game", "2"], "--game goes with a file of records, and `5x5` is not a file");
    for (wrong, sentence) in [
        (RESIGNED.replace("best", "Deep Blue"), "unknown agent `Deep Blue`"),
        (RESIGNED.replace("10ms", "soon"), "`soon` is not a limit"),
        (
            RESIGNED.replace("5x5", "2x2").replace("b2 c4", "b2 a1").replace("resigned", "stuck"),
            "the game is over, and best has won",
        ),
        (
            RESIGNED.replace("\"second\",\"end\"", "null,\"end\""),
            "an unfinished game has no winner and can go on, and every other game has a winner: 5x5: b2 c4",
        ),
        (format!("{RESIGNED}\n{RESIGNED}\n"), "the file holds 2 games: choose one with --game"),
    ] {
        fs::write(&file, wrong).unwrap();
        refused(&[path], sentence);
    }
}

#[test]
fn verdicts_can_be_left_out_and_a_watched_game_can_pause() {
    let quiet = program().args(["play", "4x4", "--watch", "best,AB_Improved", "--nodes", "500", "--quiet"]).assert().success();
    let quiet = String::from_utf8(quiet.get_output().stdout.clone()).unwrap();
    assert!(quiet.contains("best (first) places on a1\n") && !quiet.contains("proven"), "{quiet}");
    // The same game, with pauses of either kind.
    let paused = ["play", "4x4", "--watch", "best,AB_Improved", "--nodes", "500", "--quiet", "--pause", "1ms"];
    isolde(&paused).success().stdout(quiet.clone());
    let step = ["play", "4x4", "--watch", "best,AB_Improved", "--nodes", "500", "--quiet", "--step"];
    let stepped = program().args(step).write_stdin("\n".repeat(16)).assert().success();
    let stepped = String::from_utf8(stepped.get_output().stdout.clone()).unwrap();
    assert_eq!(stepped.replace("press Enter for the next move, or type quit\n> \n", ""), quiet);
    for typed in ["\nquit\n", "\n"] {
        let left = program().args(step).write_stdin(typed).assert().success();
        let left = String::from_utf8(left.get_output().stdout.clone()).unwrap();
        assert_eq!((left.matches(" places on ").count(), left.contains("the game is unfinished (4x4: ")), (2, true), "{left}");
    }
}

/// The program with pipes for what is typed and what is shown.
struct Talk {
    child: Child,
    typed: ChildStdin,
    shown: BufReader<ChildStdout>,
}

impl Talk {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(cargo_bin!("isolde"));
        command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR")).env("XDG_DATA_HOME", "/nowhere").env("HOME", "/nowhere");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (typed, shown) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, typed, shown }
    }

    /// Reads until a line contains this, and returns that line.
    fn until(&mut self, wanted: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.shown.read_line(&mut line).unwrap(), 0, "the program has ended without `{wanted}`");
            if line.contains(wanted) {
                return line;
            }
        }
    }
}

/// Boards with no room for a move.
#[test]
fn tiny_boards_are_played_under_every_limit() {
    let limits = [["--time", "1ms"], ["--time", "2s"], ["--nodes", "1"], ["--depth", "1"]];
    let mut engine = Talk::start(&["engine"]);
    for board in ["1x1", "1x2", "2x1", "2x2", "1x16", "16x1"] {
        let size: isolde::Size = board.parse().unwrap();
        for limit in limits {
            let answer = json(&[&["move", board][..], &limit].concat());
            notation::parse_move(&Position::empty(size), answer["move"].as_str().unwrap()).expect("the move is legal");
            let watched = isolde(&[&["play", board, "--watch", "best,perfect"][..], &limit].concat()).success();
            watched.stdout(contains(" wins: ")).stderr(is_empty());
            let free =
                ["tournament", "--agents", "best,AB_Improved,Random", "--openings", "free", "--matches", "1", "--board", board];
            let played = isolde(&[&free[..], &limit].concat());
            if size.cells() == 1 {
                played.code(2).stderr(contains("1x1 has no openings"));
            } else {
                played.success().stderr(is_empty());
            }
        }
        for go in ["movetime 1", "nodes 1", "depth 1", "depth 9 nodes 50"] {
            writeln!(engine.typed, "setoption name UCI_Variant value joust{board}\nposition startpos\ngo {go}").unwrap();
            let answer = engine.until("bestmove ");
            let to = answer.trim_end().strip_prefix("bestmove ").unwrap();
            notation::parse_move(&Position::empty(size), to).expect("the move is legal");
        }
    }
    drop(engine.typed);
    assert!(engine.child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_move_is_the_best_so_far() {
    use crate::support::signals::{send, signals, wait_until_interruptible};
    for signal in signals() {
        let mut talk = Talk::start(&["move", "11x9: d4 f5", "--time", "1h", "--json"]);
        wait_until_interruptible(&mut talk.child);
        send(signal, &talk.child);
        let answer: Value = serde_json::from_str(&talk.until("{")).unwrap();
        notation::parse_move(&"11x9: d4 f5".parse().unwrap(), answer["move"].as_str().unwrap()).expect("the move is legal");
        assert_eq!(talk.child.wait().unwrap().code(), Some(130), "{signal}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_game_is_saved() {
    use std::io::Read;

    use crate::support::signals::{send, signals};
    let folder = folder();
    let file = folder.path().join("game.json");
    let path = file.to_str().unwrap();
    let saved = |expected: &str| {
        let record: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!((record["end"].as_str(), &record["winner"]), (Some("unfinished"), &Value::Null));
        let moves = record["moves"].as_str().unwrap();
        assert!(moves.starts_with(expected), "{moves}");
        isolde(&["show", path]).success().stdout(contains(" on 11x9: unfinished\n"));
        fs::remove_file(&file).unwrap();
        moves.split(' ').count()
    };
    for signal in signals() {
        // While it waits for the keyboard.
        let mut talk = Talk::start(&["play", "11x9", "--nodes", "100", "--save", path]);
        writeln!(talk.typed, "d4").unwrap();
        talk.until("your turn to move");
        send(signal, &talk.child);
        talk.until("the game is unfinished (11x9: d4 ");
        assert_eq!(talk.child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(saved("d4 "), 2);

        // While an agent thinks.
        let mut talk = Talk::start(&["play", "11x9: d4 f5", "--as", "second", "--time", "1h", "--save", path]);
        talk.until("N first   n second");
        send(signal, &talk.child);
        assert_eq!(talk.child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(saved("d4 f5"), 2);

        // While two agents pause.
        let watch = ["play", "11x9: d4 f5", "--watch", "Random,best", "--pause", "1h", "--save", path];
        let mut talk = Talk::start(&watch);
        talk.until("Random (first) moves to");
        talk.until("N first   n second");
        send(signal, &talk.child);
        assert_eq!(talk.child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(saved("d4 f5 "), 3);

        // When the terminal has been closed, so that nothing can be printed any more.
        let Talk { mut child, typed, shown } = {
            let mut talk = Talk::start(&["play", "11x9", "--nodes", "100", "--save", path]);
            talk.until("your turn to place");
            let mut prompt = [0; 2];
            talk.shown.read_exact(&mut prompt).unwrap();
            talk
        };
        drop(shown);
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        drop(typed);
        assert_eq!(saved(""), 1);
    }
}
