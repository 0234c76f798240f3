//! A game in the terminal: who plays, what was played, and what is printed.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::Args;
use super::command::{self, Command, HELP};
use super::start::Start;
use crate::analysis::{Analyst, Request};
use crate::arena::{End, Record, YOU};
use crate::cli::document::Document;
use crate::cli::interruption::{interruptible, was_interrupted};
use crate::cli::lines::Lines;
use crate::cli::output::{self, STRONG, styled};
use crate::cli::pick_move::TIME;
use crate::cli::picture::draw;
use crate::cli::{Failure, Status, analysis_text};
use crate::game::cells::Cell;
use crate::game::notation::{Line, spaced_names};
use crate::game::outcome::Value;
use crate::game::position::{Player, Position};
use crate::play::{Agent, Chooser, Decision, Limit, Means, settings_for};
use crate::solve::{Control, Settings};

/// One side of the board.
enum Seat {
    You,
    Agent(Agent, Box<dyn Chooser>),
}

/// What happens between two moves, if two agents play.
#[derive(Clone, Copy)]
enum Pause {
    None,
    Time(Duration),
    Enter,
}

/// A game in progress.
struct Game {
    seats: [Seat; 2],
    line: Line,
    /// The plies of the start position. They cannot be taken back.
    given: usize,
    limit: Limit,
    seed: u64,
    /// Whether verdicts are left out.
    quiet: bool,
    pause: Pause,
    means: Means,
    /// Stops when the program is interrupted.
    control: Arc<Control>,
    /// What is typed. Made when it is first needed: who only watches types nothing.
    lines: Option<Lines>,
    /// Answers `hint`. Made when it is first needed.
    adviser: Option<Box<dyn Chooser>>,
    /// Answers `values`. Made when it is first needed.
    analyst: Option<Analyst>,
}

/// What the player at turn did.
enum Turn {
    Move(Cell),
    TakenBack,
    Resigned,
    /// The game is left as it stands: by `quit`, by the end of the input, or by an interruption.
    Left,
}

/// Plays a game, and saves its record if that was asked for.
pub(super) fn play(args: &Args, start: Start) -> Result<Status, Failure> {
    let Start { players, line, given, limit } = start;
    let control = interruptible(Control::unlimited());
    let settings = settings_for(limit, line.size(), args.machine.settings(line.size())?);
    let tables = args.folders.tables(line.size())?;
    let document = args.save.as_deref().map(Document::begin).transpose()?;
    // A third each for the two agents, or the agent and the adviser, and for the analyst.
    let each = Settings { memory: settings.memory / 3, ..settings };
    let means = Means { settings: each, tables, wants_line: false };
    let seat = |number: usize| {
        let seed = args.seed.wrapping_add(players[..number].iter().flatten().count() as u64);
        Ok::<_, Failure>(match players[number] {
            Some(agent) => Seat::Agent(agent, agent.chooser(&means, seed)?),
            None => Seat::You,
        })
    };
    let pause = match args.pause {
        Some(time) => Pause::Time(time),
        None if args.step => Pause::Enter,
        None => Pause::None,
    };
    let mut game = Game {
        seats: [seat(0)?, seat(1)?],
        line,
        given,
        limit,
        seed: args.seed,
        quiet: args.quiet,
        pause,
        means,
        control,
        lines: None,
        adviser: None,
        analyst: None,
    };
    let played = game.play();
    if let Some(document) = document {
        // Saved even if nothing can be printed any more, as when the terminal has been closed.
        let (winner, end) = played.as_ref().map_or((None, End::Unfinished), |(winner, end)| (*winner, end.clone()));
        let names = [0, 1].map(|seat| game.name(seat));
        let record = Record { names, limit: limit.to_string(), given, line: game.line, winner, end, judgement: None };
        let text = format!("{}\n", record.to_json());
        match played {
            Ok(_) => document.finish(&text, "the record is in")?,
            Err(_) => document.finish_quietly(&text)?,
        }
    }
    match played {
        // A closed terminal can be neither read nor written.
        Err(Failure::Output(_) | Failure::Files(_)) if was_interrupted() => Ok(Status::Interrupted),
        Err(failure) => Err(failure),
        Ok((None, _)) if was_interrupted() => Ok(Status::Interrupted),
        Ok(_) => Ok(Status::Answered),
    }
}

impl Game {
    fn name(&self, seat: usize) -> String {
        match &self.seats[seat] {
            Seat::You => YOU.to_string(),
            Seat::Agent(agent, _) => agent.to_string(),
        }
    }

    /// Plays until a player cannot move, or the game is left. Returns who has won and how.
    fn play(&mut self) -> Result<(Option<Player>, End), Failure> {
        let mut out = output::answer();
        let begun = self.line.moves().len();
        loop {
            let position = self.line.end().clone();
            draw(&mut out, &position)?;
            writeln!(out)?;
            if let Some(winner) = position.winner() {
                let loses = format!("{} cannot move", self.name(!winner as usize));
                self.write_end(&mut out, &format!("{}: {loses}", self.wins(winner)))?;
                return Ok((Some(winner), End::Stuck));
            }
            let turn = position.turn();
            let did = if matches!(self.seats[turn as usize], Seat::You) {
                self.ask(&mut out, &position)?
            } else if self.line.moves().len() == begun || self.wait(&mut out)? {
                self.let_agent_choose(&mut out, &position)?
            } else {
                Turn::Left
            };
            match did {
                Turn::Move(to) => self.line.play(to).map_err(|fault| Failure::Input(fault.to_string()))?,
                Turn::TakenBack => {}
                Turn::Resigned => {
                    self.write_end(&mut out, &format!("you resign: {}", self.wins(!turn)))?;
                    return Ok((Some(!turn), End::Resigned));
                }
                Turn::Left => {
                    self.write_end(&mut out, "the game is unfinished")?;
                    return Ok((None, End::Unfinished));
                }
            }
        }
    }

    fn wins(&self, winner: Player) -> String {
        let name = self.name(winner as usize);
        format!("{name} {}", if name == YOU { "win" } else { "wins" })
    }

    /// Writes how the game ended, and all moves.
    fn write_end(&self, out: &mut impl Write, sentence: &str) -> Result<(), Failure> {
        writeln!(out, "{} {}", styled(STRONG, sentence), styled(output::QUIET, format!("({})", self.line)))?;
        Ok(out.flush()?)
    }

    fn let_agent_choose(&mut self, out: &mut impl Write, position: &Position) -> Result<Turn, Failure> {
        out.flush()?;
        let turn = position.turn();
        let Seat::Agent(agent, chooser) = &mut self.seats[turn as usize] else { return Ok(Turn::Left) };
        let decision = chooser.choose(position, &self.limit.start_within(&self.control), &mut |_| {});
        if self.control.is_stopped() {
            return Ok(Turn::Left);
        }
        let verb = if position.knight(turn).is_none() { "places on" } else { "moves to" };
        let to = styled(STRONG, spaced_names(position.size(), &[decision.to]));
        let why = if self.quiet { String::new() } else { format!(": {}", explained(&decision, turn)) };
        writeln!(out, "{agent} ({turn}) {verb} {to}{why}\n")?;
        Ok(Turn::Move(decision.to))
    }

    /// Waits between two moves, as was asked for. Returns whether the game goes on.
    fn wait(&mut self, out: &mut impl Write) -> Result<bool, Failure> {
        match self.pause {
            Pause::None => {}
            Pause::Time(time) => {
                out.flush()?;
                let over = self.control.part(Some(time));
                while let Some(left) = over.time_left().filter(|_| !over.is_stopped()) {
                    std::thread::sleep(left.min(LOOK));
                }
            }
            Pause::Enter => {
                writeln!(out, "{}", styled(output::QUIET, "press Enter for the next move, or type quit"))?;
                let typed = self.read_line(out)?;
                writeln!(out)?;
                return Ok(typed.is_some_and(|typed| !command::is_quit(&typed)));
            }
        }
        Ok(!self.control.is_stopped())
    }

    /// The next line that is typed. `None` at the end of the input, or after an interruption.
    fn read_line(&mut self, out: &mut impl Write) -> Result<Option<String>, Failure> {
        write!(out, "> ")?;
        out.flush()?;
        let typed = self.lines.get_or_insert_with(Lines::of_standard_input).next(&self.control)?;
        if typed.is_none() {
            writeln!(out)?;
        }
        Ok(typed)
    }

    /// Asks until you move, take back a move, or end the game.
    fn ask(&mut self, out: &mut impl Write, position: &Position) -> Result<Turn, Failure> {
        let does = if position.knight(position.turn()).is_none() { "place" } else { "move" };
        writeln!(out, "{}", styled(output::QUIET, format!("your turn to {does}, as {}: {HELP}", position.turn())))?;
        while let Some(text) = self.read_line(out)? {
            match command::parse(position, &text) {
                Ok(Command::Move(to)) => {
                    writeln!(out)?;
                    return Ok(Turn::Move(to));
                }
                Ok(Command::Resign) => return Ok(Turn::Resigned),
                Ok(Command::Quit) => return Ok(Turn::Left),
                Ok(Command::Undo) => match self.take_back() {
                    true => return Ok(Turn::TakenBack),
                    false => writeln!(out, "there is no move of yours to take back")?,
                },
                Ok(Command::Hint) => self.hint(out, position)?,
                Ok(Command::Values) => self.values(out, position)?,
                Err(sentence) => writeln!(out, "{sentence}")?,
            }
        }
        Ok(Turn::Left)
    }

    /// Takes back your last move and the reply to it. Returns whether there was one.
    fn take_back(&mut self) -> bool {
        let kept = self.line.moves().len().saturating_sub(2);
        if self.line.moves().len() < 2 || kept < self.given {
            return false;
        }
        self.line = self.line.beginning(kept);
        true
    }

    fn hint(&mut self, out: &mut impl Write, position: &Position) -> Result<(), Failure> {
        let adviser = match &mut self.adviser {
            Some(adviser) => adviser,
            None => self.adviser.insert(Agent::Best.chooser(&self.means, self.seed)?),
        };
        let decision = adviser.choose(position, &self.limit.start_within(&self.control), &mut |_| {});
        let to = spaced_names(self.line.size(), &[decision.to]);
        Ok(writeln!(out, "{}: {}", styled(STRONG, to), explained(&decision, position.turn()))?)
    }

    fn values(&mut self, out: &mut impl Write, position: &Position) -> Result<(), Failure> {
        let Means { settings, tables, .. } = &self.means;
        let analyst = match &mut self.analyst {
            Some(analyst) => analyst,
            None => self.analyst.insert(Analyst::new(*settings, tables)?),
        };
        let time = if let Limit::Time(time) = self.limit { time } else { TIME };
        let control = Arc::new(self.control.part(Some(time)));
        let analysis = analyst.analyse(position, Request::everything(), &control, |_| {});
        Ok(analysis_text::write_moves(out, &analysis)?)
    }
}

/// How often a pause looks for an interruption.
const LOOK: Duration = Duration::from_millis(20);

/// What a decision rests on, and who is proven to win.
fn explained(decision: &Decision, turn: Player) -> String {
    let by = decision.basis.to_string();
    match decision.basis.value() {
        Some(value) => format!("proven that {} wins, by {by}", if value == Value::Win { turn } else { !turn }),
        None => by,
    }
}
