//! `isolde tournament` with outside agents: our own engine, and programs that misbehave.
//!
//! The programs are scripts of the shell that obey UCI in all but one thing.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use tempfile::TempDir;

use crate::play::{isolde, json};
use crate::support::folder;

/// A script that speaks UCI. What it does for a command can be replaced.
fn script(folder: &TempDir, name: &str, replaced: &[(&str, &str)]) -> String {
    let mut commands = vec![("uci", "echo id name Fake; echo uciok"), ("isready", "echo readyok"), ("quit", "exit 0")];
    commands.retain(|(command, _)| replaced.iter().all(|(other, _)| other != command));
    commands.extend(replaced);
    let cases: String = commands.iter().map(|(command, does)| format!("    {command}) {does} ;;\n")).collect();
    let text = format!("while read -r command rest; do\n  case $command in\n{cases}  esac\ndone\n");
    // A blank would end the name.
    let file = folder.path().join(name.replace(' ', "-"));
    fs::write(&file, text).unwrap();
    format!("uci:sh {}", file.display())
}

/// A tournament against a player that is never late, of one match unless the options say more.
fn against(agent: &str, options: &[&str]) -> Vec<String> {
    let usual = [["--board", "5x5"], ["--matches", "1"], ["--patience", "10s"]];
    let usual = usual.iter().filter(|[option, _]| !options.contains(option)).flatten().copied();
    let arguments = ["tournament", "--agents", "Random", "--against", agent, "--no-judge"].into_iter().chain(usual);
    arguments.chain(options.iter().copied()).map(str::to_string).collect()
}

fn ours() -> String {
    format!("uci:{} engine", cargo_bin!("isolde").display())
}

fn text_of(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// The forfeits of a tournament.
fn forfeits(agent: &str, options: &[&str]) -> Vec<String> {
    let report = json(&text_of(&against(agent, options)));
    let forfeits = report["forfeits"].as_array().unwrap();
    assert!(forfeits.iter().all(|forfeit| forfeit["loser"] == agent), "{report}");
    assert_eq!(report["games"], 2, "{report}");
    forfeits.iter().map(|forfeit| forfeit["why"].as_str().unwrap().to_string()).collect()
}

#[test]
fn our_own_engine_plays_as_an_outside_agent() {
    let folder = folder();
    let moves = |name: &str, agent: &str, more: &[&str]| {
        let file = folder.path().join(name);
        let start = ["tournament", "--agents", "AB_Improved", "--against", agent, "--games", file.to_str().unwrap()];
        let report = json(&[&start[..], more].concat());
        assert_eq!(report["forfeits"], serde_json::json!([]));
        let text = fs::read_to_string(file).unwrap();
        let games = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        (games.map(|game| game["record"]["moves"].clone()).collect::<Vec<_>>(), report)
    };
    let small = ["--board", "5x5", "--matches", "4", "--nodes", "3000"];
    let ((as_outside, report), (as_ours, _)) = (moves("a", &ours(), &small), moves("b", "best", &small));
    assert_eq!(as_outside, as_ours, "the same player with the same limit");
    assert_eq!((as_outside.len(), &report["agents"][0]["against"][0]["opponent"]), (8, &ours().into()));
    // Boards of either word, with knights on them and without, under every limit, side by side.
    for (board, limit) in [("8x8", ["--time", "30ms"]), ("3x4", ["--depth", "3"]), ("13x5", ["--nodes", "300"])] {
        for openings in ["random", "free"] {
            let name = format!("{board}-{openings}");
            let more = ["--board", board, "--openings", openings, "--matches", "2", "--grace", "10s", "--threads", "3"];
            assert_eq!(moves(&name, &ours(), &[&more[..], &limit, &["--no-judge"]].concat()).0.len(), 4, "{name}");
        }
    }
}

#[test]
fn an_outside_agent_that_misbehaves_forfeits_and_the_tournament_goes_on() {
    let folder = folder();
    let check = |name: &str, go: &str, options: &[&str], expected: &str| {
        let agent = script(&folder, name, &[("go", go)]);
        let found = forfeits(&agent, options);
        assert_eq!(found.len(), 2, "{name}: {found:?}");
        assert!(found.iter().all(|why| why.contains(expected)), "{name}: {found:?}");
    };
    let (nodes, brief) = (&["--nodes", "100"][..], &["--time", "20ms", "--patience", "1s"][..]);
    check("dead", "exit 3", nodes, "crashed (it ended with exit code 3)");
    check("killed", "kill -9 $$", &["--time", "20ms"], "crashed (it was ended by signal 9)");
    check("silent", ":", brief, "was late (no bestmove after 1");
    check("silent for nodes", ":", &["--depth", "1", "--patience", "1s"], "was late (no bestmove after 1");
    check("slow", "sleep 0.3; echo bestmove a1", &["--time", "20ms"], " ms)");
    check("on the spot", "echo bestmove z9", nodes, "played an illegal move (`z9` is not a move)");
    check("no move", "echo bestmove '(none)'", nodes, "played an illegal move (`(none)` is not a move)");
    check("nothing", "echo bestmove", nodes, "played an illegal move (`` is not a move)");
    check("off the board", "echo bestmove i9", nodes, "played an illegal move (`i9` is not on a 5x5 board");
    // Reading stops, however much there is.
    check("flood of words", "while :; do echo info depth 1; done", brief, "was late (no bestmove after 1");
    check("flood of readiness", "while :; do echo readyok; done", brief, "was late (no bestmove after 1");
    check("endless line", "yes | tr -d '\\n'", brief, "was late (no bestmove after 1");
    let moves = "while :; do echo bestmove q1; done";
    check("flood of moves", moves, &["--nodes", "1", "--patience", "1s"], "played an illegal move (`q1` is not a move)");
    check("closed", "exec 1>&-; sleep 60", nodes, "crashed (it no longer reads or writes)");
    // It ends between two moves or between two games.
    check("gone", "echo bestmove a1; exec 1>&- 0<&-", nodes, "");
}

/// What an agent prints on standard error is not ours, and what it says unasked is not its next
/// move.
#[test]
fn outside_agents_are_kept_apart() {
    let folder = folder();
    let noisy = script(&folder, "noisy", &[("go", "echo noise >&2; echo bestmove none"), ("uci", "echo noise >&2; echo uciok")]);
    isolde(&text_of(&against(&noisy, &[]))).success().stdout(contains("noise").not()).stderr(is_empty());
    let twice = script(&folder, "twice", &[("go", "echo bestmove one; echo bestmove two")]);
    let why = "played an illegal move (`one` is not a move)";
    assert_eq!(forfeits(&twice, &["--nodes", "1", "--threads", "1"]), [why, why]);
    // No time is too long to be waited for.
    let ages = ["--time", "1000000000000000s", "--grace", "1000000000000000s", "--patience", "1000000000000000s"];
    assert_eq!(forfeits(&twice, &ages), [why, why]);
}

#[test]
fn an_outside_agent_that_cannot_play_is_refused_before_any_game() {
    let folder = folder();
    let games = folder.path().join("games.jsonl");
    let refused = |agent: &str, more: &[&str], sentence: &str| {
        let file = ["--games", games.to_str().unwrap()];
        let refused = isolde(&text_of(&against(agent, &[&file[..], more].concat()))).code(2).stdout(is_empty());
        let words = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(words.contains(sentence) && words.lines().count() == 1, "{words}");
        assert!(!games.exists(), "a refused tournament has written a file");
    };
    let missing = "there is no program `no-such-engine`: write the path of a file, or a name on PATH";
    refused("uci:no-such-engine with arguments", &[], missing);
    refused("uci:/dev/null", &[], "it cannot be started: ");
    let brief = ["--patience", "500ms"];
    refused(&script(&folder, "silent", &[("uci", ":")]), &brief, "it did not say uciok within 500ms: expected a program that");
    refused(&script(&folder, "slow", &[("uci", "sleep 60; echo uciok")]), &brief, "it did not say uciok within 500ms");
    refused(&script(&folder, "unready", &[("isready", ":")]), &["--patience", "2s"], "it did not say readyok within 2s");
    refused("uci:true", &[], "it ended with exit code 0 before it was ready: expected a program that speaks UCI");
    let options = "while :; do echo option name Hash type spin default 1 min 1 max 9; done";
    refused(&script(&folder, "flood", &[("uci", options)]), &brief, "it did not say uciok within 500ms");
    let variants = |variants: &str| {
        let uci = format!("echo option name UCI_Variant type combo default chess var chess{variants}; echo uciok");
        script(&folder, "variants", &[("uci", &uci)])
    };
    refused(&variants(""), &[], "it knows no variant of joust, and 5x5 needs joust5x5");
    let sentence = "it knows only joust, joust7x7 of the joust family, and 5x5 needs joust5x5";
    refused(&variants(" var joust var joust7x7"), &[], sentence);
    let sentence = "it knows only joust of the joust family, and 8x8 with free placement needs joust8x8";
    refused(&variants(" var joust"), &["--board", "8x8", "--openings", "free"], sentence);
    let named = isolde(&["tournament", "--agents", "best,uci:"]).code(2);
    named.stderr(contains("`uci:` names no program: write one behind it, such as uci:fairy-stockfish"));
    let elsewhere = "another program plays in `isolde tournament` alone";
    isolde(&["move", "7x7", "--agent", "uci:sh"]).code(2).stderr(contains(elsewhere));
    isolde(&["agents"]).success().stdout(contains("uci:<program>"));
}

/// The options are those that the agent lists, within its limits.
#[test]
fn an_outside_agent_is_set_up_for_the_board() {
    let folder = folder();
    let log = folder.path().join("log");
    let options = "echo option name Threads type spin default 4 min 1 max 8; \
                   echo option name Hash type spin default 64 min 1 max 4; \
                   echo option name UCI_Variant type combo default chess var chess var Joust5x5; echo uciok";
    let write = format!("echo $command $rest >> {}", log.display());
    let (setoption, position) = (write.as_str(), write.as_str());
    let go = format!("{write}; echo bestmove none");
    let fake = [("uci", options), ("setoption", setoption), ("position", position), ("go", &go), ("ucinewgame", &write)];
    let agent = script(&folder, "logs", &fake);
    let report = json(&text_of(&against(&agent, &["--nodes", "77", "--seed", "3", "--threads", "1"])));
    let said = fs::read_to_string(&log).unwrap();
    let said: Vec<&str> = said.lines().collect();
    let options = ["UCI_Variant value Joust5x5", "Threads value 1", "Hash value 4"];
    assert_eq!(said[..3], options.map(|option| format!("setoption name {option}")));
    let position = |game: usize| format!("position fen {} - - 0 1", report["forfeits"][game]["position"].as_str().unwrap());
    assert_eq!(said[3..], ["ucinewgame", &position(0), "go nodes 77", "ucinewgame", &position(1), "go nodes 77"]);
}

/// Whether a process runs. One that has ended and was not waited for does not count.
#[cfg(target_os = "linux")]
fn runs(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, fields)| !fields.starts_with('Z'))
}

#[cfg(target_os = "linux")]
fn all_end(file: &Path, at_least: usize) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.split_whitespace().count() >= at_least, "{text}");
    let started = Instant::now();
    for process in text.split_whitespace() {
        while runs(process) {
            assert!(started.elapsed() < Duration::from_secs(20), "process {process} was left behind");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// An agent that notes its processes, one of which is a child that does not end by itself.
#[cfg(target_os = "linux")]
fn with_a_child(folder: &TempDir, name: &str, go: &str) -> (String, std::path::PathBuf) {
    let file = folder.path().join(format!("{name}-processes"));
    let uci = format!("sleep 1000 & echo $$ $! >> {}; echo uciok", file.display());
    (script(folder, name, &[("uci", &uci), ("go", go), ("quit", ":")]), file)
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_is_left_behind() {
    let folder = folder();
    for (name, go) in [("plays", "echo bestmove none"), ("dies", "exit 1"), ("hangs", ":")] {
        let (agent, file) = with_a_child(&folder, name, go);
        let options = ["--time", "20ms", "--patience", "1s", "--matches", "2", "--threads", "2"];
        assert_eq!(json(&text_of(&against(&agent, &options)))["games"], 4, "{name}");
        all_end(&file, 2);
    }
    let (agent, file) = with_a_child(&folder, "waits", ":");
    let options = ["--time", "1h", "--total-time", "500ms"];
    isolde(&text_of(&against(&agent, &options))).code(3).stdout(contains("0 games of 5x5"));
    all_end(&file, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_outside_agents() {
    use crate::support::signals::{send, signals};
    let folder = folder();
    for signal in signals() {
        let (agent, file) = with_a_child(&folder, signal, ":");
        let mut command = Command::new(cargo_bin!("isolde"));
        let arguments = against(&agent, &["--time", "1h", "--json"]);
        let child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let started = Instant::now();
        while fs::read_to_string(&file).unwrap_or_default().is_empty() {
            assert!(started.elapsed() < Duration::from_secs(60), "the agent was not started");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(50));
        send(signal, &child);
        let ended = child.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(130), &b""[..]), "{signal}");
        let report: Value = serde_json::from_slice(&ended.stdout).unwrap();
        assert_eq!((&report["games"], &report["forfeits"]), (&0.into(), &serde_json::json!([])));
        all_end(&file, 2);
    }
}

#[test]
fn a_tournament_with_an_outside_agent_is_resumed() {
    let folder = folder();
    let file = folder.path().join("games.jsonl");
    let path = file.to_str().unwrap();
    let tournament = |agent: &str, more: &[&str]| {
        let options = ["--nodes", "200", "--matches", "3", "--threads", "1", "--games", path];
        let start = ["tournament", "--board", "4x5", "--agents", "AB_Open,best", "--against", agent];
        [&start[..], &options, more].concat().into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    let whole = json(&text_of(&tournament(&ours(), &[])));
    let text = fs::read_to_string(&file).unwrap();
    let some: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    fs::write(&file, some).unwrap();
    let resumed = json(&text_of(&tournament(&ours(), &["--resume"])));
    assert_eq!((&resumed, fs::read_to_string(&file).unwrap()), (&whole, text));
    assert_eq!(resumed["agents"][0]["against"][0]["opponent"], ours());
    let other = tournament(&format!("{}  ", ours().replace(" engine", "  engine")), &["--resume"]);
    isolde(&text_of(&other)).code(2).stderr(contains("it holds the games of another tournament"));
    isolde(&["show", path, "--game", "3"]).success().stdout(contains("engine"));
}
