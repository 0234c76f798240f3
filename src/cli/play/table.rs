//! The table at which a game is played: who sits there, what has been played, and what is said meanwhile.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::Args;
use super::command::{self, Command, HELP};
use crate::analysis::Analyst;
use crate::arena::{End, Record};
use crate::cells::{Cell, Word};
use crate::cli::choose::{TIME, in_words, set_up};
use crate::cli::document::Document;
use crate::cli::folders;
use crate::cli::output::{self, STRONG, styled};
use crate::cli::picture::draw;
use crate::cli::{Failure, Status, query};
use crate::notation::{Line, spaced_names};
use crate::outcome::Value;
use crate::play::{Agent, Decision, Limit, Means, Thinker};
use crate::position::{Player, Position};
use crate::solve::{Control, Question, Settings};
use crate::table::Shelf;

/// One side of the table.
enum Seat<W> {
    You,
    Agent(Agent, Box<dyn Thinker<W>>),
}

struct Table<W> {
    seats: [Seat<W>; 2],
    line: Line,
    /// Moves that were given cannot be taken back.
    given: usize,
    limit: Limit,
    seed: u64,
    means: Means<W>,
    /// Whoever answers `hint` and `values`, once somebody has asked.
    adviser: Option<Box<dyn Thinker<W>>>,
    analyst: Option<Analyst<W>>,
}

/// What your turn came to.
enum Turn {
    Move(Cell),
    TakenBack,
    Quit,
}

/// Plays a game and saves it.
pub(super) fn sit_down<W: Word>(args: &Args, line: Line) -> Result<Status, Failure> {
    let limit = args.thinking.limit_or(TIME);
    let settings = set_up::<W>(args.machine.settings::<W>(line.size())?, line.size(), limit);
    let shelf = Arc::new(Shelf::<W>::open(line.size(), &args.folders.list()?));
    folders::warn_of(shelf.take_faults());
    let document = args.save.as_deref().map(Document::begin).transpose()?;
    // Two agents, or one and whoever advises, and the analyst.
    let each = Settings { memory: settings.memory / 3, ..settings };
    let means = Means { size: line.size(), settings: each, shelf, tells_line: false };
    let agent = |agent: Agent, seed| Ok::<_, Failure>(Seat::Agent(agent, agent.thinker(&means, seed)?));
    let seats = match (args.watch.as_slice(), args.seat) {
        ([first, second], _) => [agent(*first, args.seed)?, agent(*second, args.seed.wrapping_add(1))?],
        (_, Player::First) => [Seat::You, agent(args.against, args.seed)?],
        (_, Player::Second) => [agent(args.against, args.seed)?, Seat::You],
    };
    let given = line.moves().len();
    let mut table = Table { seats, line, given, limit, seed: args.seed, means, adviser: None, analyst: None };
    let (winner, end) = table.play()?;
    let record = Record {
        names: [0, 1].map(|seat| table.name(seat)),
        limit: limit.to_string(),
        given,
        line: table.line,
        winner,
        end,
        judgement: None,
    };
    if let Some(document) = document {
        document.finish(&format!("{}\n", record.to_json()), "the record is in")?;
    }
    Ok(Status::Answered)
}

impl<W: Word> Table<W> {
    fn name(&self, seat: usize) -> String {
        match &self.seats[seat] {
            Seat::You => "you".to_string(),
            Seat::Agent(agent, _) => agent.to_string(),
        }
    }

    fn position(&self) -> Position<W> {
        self.line.position(self.line.moves().len())
    }

    /// Plays until somebody cannot move, or you quit.
    fn play(&mut self) -> Result<(Player, End), Failure> {
        let mut out = output::answer();
        loop {
            let position = self.position();
            draw(&mut out, self.line.end())?;
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
                Seat::Agent(agent, thinker) => {
                    out.flush()?;
                    let decision = thinker.think(&position, &self.limit.start(), &mut |_| {});
                    let verb = if position.knight(turn).is_none() { "places on" } else { "moves to" };
                    writeln!(
                        out,
                        "{agent} ({turn}) {verb} {}: {}\n",
                        styled(STRONG, spaced_names(self.line.size(), &[decision.to])),
                        said(&decision, turn)
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

    /// Asks until there is a move, or one was taken back, or you want to quit.
    fn ask(&mut self, out: &mut impl Write, position: &Position<W>) -> Result<Turn, Failure> {
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

    /// Takes back your last move and what was played since. False: there is none.
    fn take_back(&mut self) -> bool {
        let kept = self.line.moves().len().saturating_sub(2);
        if self.line.moves().len() < 2 || kept < self.given {
            return false;
        }
        self.line = self.line.beginning(kept);
        true
    }

    fn hint(&mut self, out: &mut impl Write, position: &Position<W>) -> Result<(), Failure> {
        let adviser = match &mut self.adviser {
            Some(adviser) => adviser,
            None => self.adviser.insert(Agent::Best.thinker(&self.means, self.seed)?),
        };
        let decision = adviser.think(position, &self.limit.start(), &mut |_| {});
        let to = spaced_names(self.line.size(), &[decision.to]);
        Ok(writeln!(out, "{}: {}", styled(STRONG, to), said(&decision, position.turn()))?)
    }

    fn values(&mut self, out: &mut impl Write, position: &Position<W>) -> Result<(), Failure> {
        let Means { size, settings, shelf, .. } = &self.means;
        let analyst = match &mut self.analyst {
            Some(analyst) => analyst,
            None => self.analyst.insert(Analyst::sharing(*size, *settings, Arc::clone(shelf))?),
        };
        let time = if let Limit::Time(time) = self.limit { time } else { TIME };
        let analysis = analyst.analyse(position, Question::Distance, &Arc::new(Control::with_time(Some(time))));
        Ok(query::write_moves(out, &analysis)?)
    }
}

/// What a choice rests on, and what it leads to.
fn said(decision: &Decision, turn: Player) -> String {
    let by = in_words(&decision.basis);
    match decision.basis.value() {
        Some(value) => format!("proven that {} wins, by {by}", if value == Value::Win { turn } else { !turn }),
        None => by,
    }
}
