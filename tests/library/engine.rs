//! The engine's loop, with players of the tests' own making: they wait, report and fail on demand.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use isolde::engine::{EngineError, Said, run};
use isolde::play::{Basis, Chooser, Clock, Decision};
use isolde::{Cell, Position, SolverError};

/// What a player does when it is asked for a move.
#[derive(Clone, Copy)]
enum Manner {
    /// Chooses the last move at once.
    Quick,
    /// Reports the last move, and then searches until it is stopped.
    Tireless,
    /// Panics at once.
    Broken,
    /// Reports the last move, and then panics.
    BrokenLater,
}

struct Player(Manner);

impl Chooser for Player {
    fn choose_among(&mut self, _: &Position, moves: &[Cell], clock: &Clock, report: &mut dyn FnMut(&Decision)) -> Decision {
        let last = moves[moves.len() - 1];
        let decision = Decision { to: last, basis: Basis::Chance, line: vec![last], nodes: 0 };
        match self.0 {
            Manner::Quick => {}
            Manner::Tireless => {
                report(&decision);
                while !clock.control.is_stopped() {
                    std::thread::yield_now();
                }
            }
            Manner::Broken => panic!("the player\nis broken"),
            Manner::BrokenLater => {
                report(&decision);
                panic!("the player is broken");
            }
        }
        decision
    }
}

/// An engine whose players behave in these manners, one after the other, the last one for ever.
struct Talk {
    input: Sender<String>,
    output: Receiver<String>,
    /// How many players were seated.
    seated: Arc<AtomicUsize>,
    engine: JoinHandle<Result<(), EngineError>>,
}

/// Long enough for any answer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Talk {
    fn with(manners: &[Manner]) -> Self {
        let (input, lines) = channel::<String>();
        let (said, output) = channel();
        let seated = Arc::new(AtomicUsize::new(0));
        let (counted, manners) = (Arc::clone(&seated), Mutex::new(VecDeque::from(manners.to_vec())));
        let seating = move |_, _: &_| -> Result<Box<dyn Chooser>, SolverError> {
            counted.fetch_add(1, Ordering::Relaxed);
            let mut manners = manners.lock().unwrap();
            let manner = if manners.len() > 1 { manners.pop_front() } else { manners.front().copied() };
            Ok(Box::new(Player(manner.unwrap())))
        };
        let said = Mutex::new(said);
        let voice = move |heard: Said<'_>| match heard {
            Said::Line(line) => said.lock().unwrap().send(line.to_string()).map_err(io::Error::other),
            Said::Drawing(_) => Ok(()),
        };
        let engine = std::thread::spawn(move || run(lines.into_iter(), Arc::new(seating), Arc::new(voice)));
        Self { input, output, seated, engine }
    }

    fn say(&self, lines: &str) {
        lines.lines().for_each(|line| self.input.send(line.to_string()).unwrap());
    }

    /// The lines up to one that begins so.
    fn until(&self, beginning: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.output.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no `{beginning}` after {heard:?}"));
            let is_last = line.starts_with(beginning);
            heard.push(line);
            if is_last {
                return heard;
            }
        }
    }

    /// Ends the input. Returns what is said after that.
    fn end(self) -> Vec<String> {
        drop(self.input);
        assert!(self.engine.join().unwrap().is_ok());
        self.output.try_iter().collect()
    }
}

/// What matters for the order of answers.
fn moves_and_strings(heard: &[String]) -> Vec<&str> {
    let matters = |line: &&str| ["bestmove", "readyok", "info string"].iter().any(|word| line.starts_with(word));
    heard.iter().map(String::as_str).filter(matters).collect()
}

const CORNER: &str = "position fen 5/5/2n2/5/N4 w";

#[test]
fn stop_takes_effect_before_the_next_line() {
    let talk = Talk::with(&[Manner::Tireless]);
    // A hundred times in one breath. The player takes the last move: b3 from a1, and d5 from c3.
    let breath = format!("{CORNER}\ngo infinite\nstop\nposition fen 5/5/2N2/5/n4 w\ngo infinite\nstop\nisready\n");
    talk.say(&breath.repeat(100));
    for _ in 0..100 {
        assert_eq!(moves_and_strings(&talk.until("readyok")), ["bestmove a1b3,b3a1", "bestmove c3d5,d5c3", "readyok"],);
    }
    assert_eq!(talk.seated.load(Ordering::Relaxed), 1, "the player keeps its seat");
    assert_eq!(talk.end(), [""; 0]);
}

/// The end of a search and `stop` may cross. There is one answer all the same.
#[test]
fn a_search_that_has_ended_answers_once() {
    let talk = Talk::with(&[Manner::Quick]);
    talk.say(&format!("{CORNER}\ngo depth 1\nstop\nisready\n").repeat(100));
    for _ in 0..100 {
        assert_eq!(moves_and_strings(&talk.until("readyok")), ["bestmove a1b3,b3a1", "readyok"]);
    }
    assert_eq!(talk.end(), [""; 0]);
}

#[test]
fn a_search_that_panics_answers_and_the_next_one_works() {
    for (broken, chosen) in [(Manner::Broken, "c2"), (Manner::BrokenLater, "b3")] {
        let talk = Talk::with(&[broken, broken, Manner::Quick]);
        talk.say(CORNER);
        for _ in 0..2 {
            talk.say("go nodes 10");
            let heard = talk.until("bestmove");
            // What the player had reported counts; otherwise the move is any legal one.
            let [why, best] = &moves_and_strings(&heard)[..] else { panic!("{heard:?}") };
            assert!(why.starts_with("info string the search failed: the player"), "{why}");
            assert_eq!(*best, format!("bestmove a1{chosen},{chosen}a1"));
        }
        talk.say("go nodes 10");
        assert_eq!(moves_and_strings(&talk.until("bestmove")), ["bestmove a1b3,b3a1"]);
        assert_eq!(talk.seated.load(Ordering::Relaxed), 3, "a broken player is not asked again");
        assert_eq!(talk.end(), [""; 0]);
    }
    // A search that waits for `stop` fails as well, and still waits.
    let talk = Talk::with(&[Manner::Broken]);
    talk.say(&format!("{CORNER}\ngo infinite\nisready\nstop\nisready"));
    assert_eq!(moves_and_strings(&talk.until("readyok")), ["readyok"]);
    let heard = talk.until("readyok");
    assert!(matches!(moves_and_strings(&heard)[..], [_, "bestmove a1c2,c2a1", "readyok"]), "{heard:?}");
    // The end of the input ends a search like `stop`.
    talk.say("go infinite");
    let heard = talk.end();
    assert!(matches!(moves_and_strings(&heard)[..], [_, "bestmove a1c2,c2a1"]), "{heard:?}");
}

#[test]
fn pondering_ends_with_ponderhit_and_the_time_that_follows() {
    // A player that is done has to wait for `ponderhit`, and answers at once then.
    let talk = Talk::with(&[Manner::Quick]);
    talk.say(&format!("{CORNER}\ngo ponder wtime 60000 btime 60000"));
    talk.until("info depth");
    talk.say("isready");
    assert_eq!(moves_and_strings(&talk.until("readyok")), ["readyok"]);
    talk.say("ponderhit");
    assert_eq!(moves_and_strings(&talk.until("bestmove")), ["bestmove a1b3,b3a1"]);
    // `stop` ends it, too.
    talk.say("go ponder wtime 1 btime 1\nisready\nstop\nisready");
    assert_eq!(moves_and_strings(&talk.until("readyok")), ["readyok"]);
    assert_eq!(moves_and_strings(&talk.until("readyok")), ["bestmove a1b3,b3a1", "readyok"]);
    talk.say("ponderhit");
    assert_eq!(talk.until("info string"), ["info string ponderhit: no search is pondering"]);
    talk.end();

    // A player that would go on for ever is stopped by the time, which begins with `ponderhit`.
    let talk = Talk::with(&[Manner::Tireless]);
    talk.say(&format!("{CORNER}\ngo ponder movetime 20"));
    talk.until("info depth");
    assert!(talk.output.recv_timeout(Duration::from_millis(100)).is_err(), "it answers before ponderhit");
    talk.say("ponderhit");
    assert_eq!(moves_and_strings(&talk.until("bestmove")), ["bestmove a1b3,b3a1"]);
    // An endless search goes on after `ponderhit`, whatever its time.
    talk.say("go ponder infinite movetime 1\nponderhit");
    talk.until("info depth");
    assert!(!talk.output.recv_timeout(Duration::from_millis(100)).is_ok_and(|line| line.starts_with("bestmove")));
    talk.say("stop");
    assert_eq!(moves_and_strings(&talk.until("bestmove")), ["bestmove a1b3,b3a1"]);
    // Without a limit there is an answer as well: nobody may ever say `stop`.
    talk.say("go ponder\nponderhit");
    assert_eq!(moves_and_strings(&talk.until("bestmove")), ["bestmove a1b3,b3a1"]);
    assert_eq!(talk.end(), [""; 0]);
}

#[test]
fn every_go_is_answered_once() {
    let talk = Talk::with(&[Manner::Tireless]);
    talk.say(CORNER);
    for wrong in ["movetime abc", "movetime", "depth many", "banana", "perft x", "wtime abc btime 9", "binc 5", "searchmoves e5"]
    {
        talk.say(&format!("go {wrong}"));
        let heard = talk.until("bestmove");
        let said = moves_and_strings(&heard);
        assert!(said.len() > 1 && said[0].starts_with("info string go"), "{wrong}: {heard:?}");
        assert_eq!(said.last(), Some(&"bestmove a1b3,b3a1"), "{wrong}");
    }
    // The answer is among the moves that are to be searched.
    talk.say("go movetime 10 searchmoves c2");
    assert_eq!(moves_and_strings(&talk.until("bestmove")), ["bestmove a1c2,c2a1"]);
    // A long count is stopped. The end of the game has no move.
    talk.say("position fen 11/11/11/11/5n5/3N7/11/11/11 w\ngo perft 128\nstop\nisready");
    assert_eq!(moves_and_strings(&talk.until("readyok")), ["info string perft was stopped", "readyok"]);
    talk.say("position fen 3/1N1/n2 w\ngo movetime abc");
    let heard = talk.until("bestmove");
    assert_eq!(heard.last().unwrap(), "bestmove (none)");
    assert_eq!(talk.end(), [""; 0]);
}

/// With the option Ponder, the engine names the reply that it expects.
#[test]
fn a_program_that_ponders_is_told_the_expected_reply() {
    struct Reader;
    impl Chooser for Reader {
        fn choose_among(&mut self, position: &Position, moves: &[Cell], _: &Clock, _: &mut dyn FnMut(&Decision)) -> Decision {
            let reply = position.play_unchecked(moves[0]).legal_moves().first().unwrap();
            Decision { to: moves[0], basis: Basis::Chance, line: vec![moves[0], reply], nodes: 0 }
        }
    }
    let heard = Arc::new(Mutex::new(Vec::new()));
    let writing = Arc::clone(&heard);
    let voice = move |said: Said<'_>| {
        writing.lock().unwrap().push(format!("{said:?}"));
        Ok(())
    };
    let lines = [CORNER, "go nodes 1", "stop", "setoption name Ponder value true", "go nodes 1"].map(str::to_string);
    run(lines.into_iter(), Arc::new(|_, _| Ok(Box::new(Reader))), Arc::new(voice)).unwrap();
    let heard = heard.lock().unwrap();
    let best: Vec<&String> = heard.iter().filter(|line| line.contains("bestmove")).collect();
    assert_eq!(best, [r#"Line("bestmove a1c2,c2a1")"#, r#"Line("bestmove a1c2,c2a1 ponder c3b1,b1c3")"#]);
}
