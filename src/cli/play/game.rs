//! A game in the terminal: who plays, what was played, and what is printed.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::Args;
use super::command::{self, Command, HELP};
use crate::analysis::{Analyst, Request};
use crate::arena::{End, Record};
use crate::cli::document::Document;
use crate::cli::output::{self, STRONG, styled};
use crate::cli::pick_move::{TIME, in_words, set_up};
use crate::cli::picture::draw;
use crate::cli::{Failure, Status, analysis_text};
use crate::game::cells::Cell;
use crate::game::notation::{Line, spaced_names};
use crate::game::outcome::Value;
use crate::game::position::{Player, Position};
use crate::play::{Agent, Chooser, Decision, Limit, Means};
use crate::solve::{Control, Settings};

/// One side of the board.
enum Seat {
    You,
    Agent(Agent, Box<dyn Chooser>),
}

/// A game in progress.
struct Game {
    seats: [Seat; 2],
    line: Line,
    /// The plies of the start position. They cannot be taken back.
    given: usize,
    limit: Limit,
    seed: u64,
    means: Means,
    /// Answers `hint`. Made when it is first needed.
    adviser: Option<Box<dyn Chooser>>,
    /// Answers `values`. Made when it is first needed.
    analyst: Option<Analyst>,
}

/// What the person at the keyboard did.
enum Turn {
    Move(Cell),
    TakenBack,
    Quit,
}

/// Plays a game, and saves its record if that was asked for.
pub(super) fn play(args: &Args, line: Line) -> Result<Status, Failure> {
    let limit = args.move_limits.limit_or(TIME);
    let settings = set_up(args.machine.settings(line.size())?, line.size(), limit);
    let tables = args.folders.tables(line.size())?;
    let document = args.save.as_deref().map(Document::begin).transpose()?;
    // A third each for the two agents, or the agent and the adviser, and for the analyst.
    let each = Settings { memory: settings.memory / 3, ..settings };
    let means = Means { settings: each, tables, wants_line: false };
    let agent = |agent: Agent, seed| Ok::<_, Failure>(Seat::Agent(agent, agent.chooser(&means, seed)?));
    let seats = match (args.watch.as_slice(), args.seat) {
        ([first, second], _) => [agent(*first, args.seed)?, agent(*second, args.seed.wrapping_add(1))?],
        (_, Player::First) => [Seat::You, agent(args.against, args.seed)?],
        (_, Player::Second) => [agent(args.against, args.seed)?, Seat::You],
    };
    let given = line.moves().len();
    let mut game = Game { seats, line, given, limit, seed: args.seed, means, adviser: None, analyst: None };
    let (winner, end) = game.play()?;
    let record = Record {
        names: [0, 1].map(|seat| game.name(seat)),
        limit: limit.to_string(),
        given,
        line: game.line,
        winner,
        end,
        judgement: None,
    };
    if let Some(document) = document {
        document.finish(&format!("{}\n", record.to_json()), "the record is in")?;
    }
    Ok(Status::Answered)
}

impl Game {
    fn name(&self, seat: usize) -> String {
        match &self.seats[seat] {
            Seat::You => "you".to_string(),
            Seat::Agent(agent, _) => agent.to_string(),
        }
    }

    /// Plays until a player cannot move, or you quit.
    fn play(&mut self) -> Result<(Player, End), Failure> {
        let mut out = output::answer();
        loop {
            let position = self.line.end().clone();
            draw(&mut out, &position)?;
            writeln!(out)?;
            if let Some(winner) = position.winner() {
                let (winners, losers) = (self.name(winner as usize), self.name(!winner as usize));
                let win = if winners == "you" { "win" } else { "wins" };
                let sentence = format!("{winners} {win}: {losers} cannot move");
                writeln!(out, "{} {}", styled(STRONG, sentence), styled(output::QUIET, format!("({})", self.line)))?;
                out.flush()?;
                return Ok((winner, End::Stuck));
            }
            let turn = position.turn();
            let did = match &mut self.seats[turn as usize] {
                Seat::Agent(agent, chooser) => {
                    out.flush()?;
                    let decision = chooser.choose(&position, &self.limit.start(), &mut |_| {});
                    let verb = if position.knight(turn).is_none() { "places on" } else { "moves to" };
                    writeln!(
                        out,
                        "{agent} ({turn}) {verb} {}: {}\n",
                        styled(STRONG, spaced_names(self.line.size(), &[decision.to])),
                        explained(&decision, turn)
                    )?;
                    Turn::Move(decision.to)
                }
                Seat::You => self.ask(&mut out, &position)?,
            };
            match did {
                Turn::Move(to) => self.line.play(to).map_err(|fault| Failure::Input(fault.to_string()))?,
                Turn::TakenBack => {}
                Turn::Quit => return Ok((!turn, End::Resigned)),
            }
        }
    }

    /// Asks until you move, take back a move, or quit.
    fn ask(&mut self, out: &mut impl Write, position: &Position) -> Result<Turn, Failure> {
        let does = if position.knight(position.turn()).is_none() { "place" } else { "move" };
        writeln!(out, "{}", styled(output::QUIET, format!("your turn to {does}, as {}: {HELP}", position.turn())))?;
        loop {
            write!(out, "> ")?;
            out.flush()?;
            let mut text = String::new();
            let read = io::stdin()
                .lock()
                .read_line(&mut text)
                .map_err(|fault| Failure::Files(format!("cannot read standard input: {fault}")))?;
            if read == 0 {
                writeln!(out)?;
                return Ok(Turn::Quit);
            }
            match command::parse(position, &text) {
                Ok(Command::Move(to)) => {
                    writeln!(out)?;
                    return Ok(Turn::Move(to));
                }
                Ok(Command::Quit) => return Ok(Turn::Quit),
                Ok(Command::Undo) => match self.take_back() {
                    true => return Ok(Turn::TakenBack),
                    false => writeln!(out, "there is no move of yours to take back")?,
                },
                Ok(Command::Hint) => self.hint(out, position)?,
                Ok(Command::Values) => self.values(out, position)?,
                Err(sentence) => writeln!(out, "{sentence}")?,
            }
        }
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
        let decision = adviser.choose(position, &self.limit.start(), &mut |_| {});
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
        let control = Arc::new(Control::with_time(Some(time)));
        let analysis = analyst.analyse(position, Request::everything(), &control, |_| {});
        Ok(analysis_text::write_moves(out, &analysis)?)
    }
}

/// What a decision rests on, and who is proven to win.
fn explained(decision: &Decision, turn: Player) -> String {
    let by = in_words(&decision.basis);
    match decision.basis.value() {
        Some(value) => format!("proven that {} wins, by {by}", if value == Value::Win { turn } else { !turn }),
        None => by,
    }
}
