//! The result of a job, as it is written.
//!
//! A result is a line of JSON and a line with its checksum. It holds the answer, or the moves into
//! which the job was split when it ran out of nodes; and everything expensive that was proven on
//! the way. It names the proven positions of other jobs that it rests on.
//!
//! What a result says of itself is checked as far as that is possible without a search.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::job::{Job, Question, canonical_duel, diagram};
use crate::game::board::Board;
use crate::game::cells::{Cell, Cells, Word};
use crate::game::duel::Duel;
use crate::game::notation::{cell_name, parse_cell};
use crate::game::outcome::{Choice, Value};
use crate::game::symmetry::Symmetries;

/// A file that is not a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Why a job was split.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RanOut {
    /// It had searched the nodes of the plan.
    Nodes,
    /// A limit of time was reached first.
    Time,
    /// Its strategy had more positions than fit into the memory of the plan.
    Memory,
}

impl RanOut {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Memory => "memory",
        }
    }
}

/// How a job ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// With an answer: whether the mover wins.
    Answered(Value),
    /// Without. The moves of the position are all its moves, the most promising first.
    Split { why: RanOut, moves: Vec<Cell> },
}

/// The result of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found<W> {
    pub(super) job: Job<W>,
    /// The nodes that it has searched.
    pub(super) nodes: u64,
    pub(super) end: End,
    /// The choices in the positions of a strategy.
    pub(super) choices: Vec<(Duel<W>, Choice)>,
    /// Positions that were proven on the way: those in which the mover wins, and those in which it
    /// loses.
    pub(super) won: Vec<Duel<W>>,
    pub(super) lost: Vec<Duel<W>>,
    /// The positions, proven by other jobs, that were taken for proven.
    pub(super) used: Vec<Duel<W>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    program: String,
    campaign: String,
    job: String,
    question: Question,
    position: String,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    mover_wins: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    ran_out_of: Option<RanOut>,
    /// Moves, each with the job of the position that it leads to.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    split: Vec<(String, String)>,
    /// Positions, each with its winning move, or `-` if the mover loses.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    choices: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    won: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    lost: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    used: Vec<String>,
}

const LOSES: &str = "-";

/// The canonical form of the position after a move.
pub(super) fn after<W: Word>(board: &Board<W>, symmetries: &Symmetries<W>, duel: Duel<W>, to: Cell) -> Duel<W> {
    symmetries.canonical(board, duel.play_unchecked(to)).duel
}

impl<W: Word> Found<W> {
    /// The choice in a position of the strategy.
    pub(super) fn choice(&self, duel: Duel<W>) -> Option<Choice> {
        self.choices.binary_search_by_key(&duel, |&(known, _)| known).ok().map(|place| self.choices[place].1)
    }

    /// Everything that it says about who wins: positions, each with whether the mover wins.
    pub(super) fn statements(&self, board: &Board<W>, symmetries: &Symmetries<W>) -> Vec<(Duel<W>, Value)> {
        let mut said: Vec<_> = self.choices.iter().map(|&(duel, choice)| (duel, choice.value())).collect();
        for &(duel, choice) in &self.choices {
            if let Choice::Win(to) = choice {
                said.push((after(board, symmetries, duel, to), Value::Loss));
            }
        }
        said.extend(self.won.iter().map(|&duel| (duel, Value::Win)));
        said.extend(self.lost.iter().map(|&duel| (duel, Value::Loss)));
        if let End::Answered(value) = self.end {
            said.push((self.job.duel, value));
        }
        said
    }

    /// The bytes of the file.
    pub(super) fn to_bytes(&self, board: &Board<W>, symmetries: &Symmetries<W>, campaign: &str) -> Vec<u8> {
        let size = board.size();
        let text = |&duel: &Duel<W>| diagram(board, duel).to_string();
        let texts = |duels: &[Duel<W>]| duels.iter().map(text).collect();
        let next = |&to: &Cell| {
            let duel = after(board, symmetries, self.job.duel, to);
            (cell_name(size, to), Job { question: Question::Winner, duel }.name())
        };
        let (mover_wins, ran_out_of, split) = match &self.end {
            End::Answered(value) => (Some(*value == Value::Win), None, Vec::new()),
            End::Split { why, moves } => (None, Some(*why), moves.iter().map(next).collect()),
        };
        let choice = |(duel, choice): &(Duel<W>, Choice)| match *choice {
            Choice::Loss => (text(duel), LOSES.to_string()),
            Choice::Win(to) => (text(duel), cell_name(size, to)),
        };
        let written = Written {
            program: format!("isolde {}", env!("CARGO_PKG_VERSION")),
            campaign: campaign.to_string(),
            job: self.job.name(),
            question: self.job.question,
            position: text(&self.job.duel),
            nodes: self.nodes,
            mover_wins,
            ran_out_of,
            split,
            choices: self.choices.iter().map(choice).collect(),
            won: texts(&self.won),
            lost: texts(&self.lost),
            used: texts(&self.used),
        };
        let mut bytes = serde_json::to_vec(&written).expect("texts and numbers can always be written");
        bytes.push(b'\n');
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(format!("crc32 {checksum:08x}\n").into_bytes());
        bytes
    }

    /// Reads the bytes of a file that should hold the result of the job with this name. The error
    /// says what is wrong with them.
    pub(super) fn from_bytes(
        board: &Board<W>,
        symmetries: &Symmetries<W>,
        campaign: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<Self, &'static str> {
        const CUT: &str = "it is cut off or damaged";
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(CUT)? + 1;
        let (line, checksum) = bytes.split_at(end);
        if checksum != format!("crc32 {:08x}\n", crc32fast::hash(line)).as_bytes() {
            return Err(CUT);
        }
        let written: Written = serde_json::from_slice(line).map_err(|_| "it is not a result that this program can read")?;
        if written.campaign != campaign {
            return Err("it belongs to another campaign");
        }
        let duel = |text: &String| canonical_duel(board, symmetries, text).ok_or("it names something that is no position");
        let job = Job { question: written.question, duel: duel(&written.position)? };
        if written.job != name || job.name() != name {
            return Err("it is the result of another job");
        }
        let duels = |texts: &[String]| texts.iter().map(duel).collect::<Result<Vec<_>, _>>();
        let choice = |(text, to): &(String, String)| {
            let duel = duel(text)?;
            let to = if to == LOSES { None } else { Some(parse_cell(board.size(), to).map_err(|_| "it names no cell")?) };
            match to {
                None => Ok((duel, Choice::Loss)),
                Some(to) if duel.moves(board).contains(to) => Ok((duel, Choice::Win(to))),
                Some(_) => Err("it names an illegal move"),
            }
        };
        let found = Self {
            job,
            nodes: written.nodes,
            end: match (written.mover_wins, written.ran_out_of) {
                (Some(wins), None) => End::Answered(Value::win_if(wins)),
                (None, Some(why)) => End::Split { why, moves: moves(board, job.duel, &written.split)? },
                _ => return Err("it has no answer"),
            },
            choices: written.choices.iter().map(choice).collect::<Result<_, _>>()?,
            won: duels(&written.won)?,
            lost: duels(&written.lost)?,
            used: duels(&written.used)?,
        };
        if !found.choices.is_sorted_by(|(duel, _), (next, _)| duel < next) {
            return Err("its positions are not in order");
        }
        // A strategy has a choice in the position that was asked about.
        let is_answered = matches!(found.end, End::Answered(_));
        if is_answered && job.question == Question::Strategy && found.choice(job.duel).is_none() {
            return Err("its strategy has no move");
        }
        // Everything that it says is then believed or refuted as a whole.
        let mut said = found.statements(board, symmetries);
        said.sort_unstable();
        if said.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1) {
            return Err("it contradicts itself");
        }
        Ok(found)
    }
}

/// The moves into which a job was split: all moves of the position, each once.
fn moves<W: Word>(board: &Board<W>, duel: Duel<W>, split: &[(String, String)]) -> Result<Vec<Cell>, &'static str> {
    const OTHERS: &str = "it was split into other moves than those of its position";
    let cells = split.iter().map(|(to, _)| parse_cell(board.size(), to).map_err(|_| OTHERS)).collect::<Result<Vec<_>, _>>()?;
    let set: Cells<W> = cells.iter().copied().collect();
    if cells.len() == set.len() && set == duel.moves(board) { Ok(cells) } else { Err(OTHERS) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::game::board::Size;

    fn example() -> (Board<u64>, Symmetries<u64>, Found<u64>) {
        let board = Board::<u64>::fitting(Size::new(5, 5).unwrap());
        let symmetries = Symmetries::new(&board);
        let duel = "5x5: a1 c3".parse::<crate::Position>().unwrap().duel().unwrap();
        let duel = symmetries.canonical(&board, duel).duel;
        let moves: Vec<Cell> = duel.moves(&board).into_iter().collect();
        let next = after(&board, &symmetries, duel, moves[0]);
        let found = Found {
            job: Job { question: Question::Strategy, duel },
            nodes: 1_234,
            end: End::Split { why: RanOut::Nodes, moves: moves.clone() },
            choices: BTreeMap::from([(duel, Choice::Win(moves[0])), (next, Choice::Loss)]).into_iter().collect(),
            won: vec![duel],
            lost: vec![next],
            used: vec![next],
        };
        (board, symmetries, found)
    }

    #[test]
    fn results_survive_being_written() {
        let (board, symmetries, split) = example();
        let answered = Found { end: End::Answered(Value::Win), ..split.clone() };
        for found in [split, answered] {
            let bytes = found.to_bytes(&board, &symmetries, "12345678");
            let read = |name: &str, campaign: &str| Found::from_bytes(&board, &symmetries, campaign, name, &bytes);
            assert_eq!(read(&found.job.name(), "12345678"), Ok(found.clone()));
            assert!(read("s-0123456789abcdef", "12345678").is_err());
            assert!(read(&found.job.name(), "12345679").is_err());
        }
    }

    /// A file that was cut off, or in which a byte was changed, is never taken for a result.
    #[test]
    fn damaged_results_are_refused() {
        let (board, symmetries, found) = example();
        let bytes = found.to_bytes(&board, &symmetries, "12345678");
        let read = |bytes: &[u8]| Found::from_bytes(&board, &symmetries, "12345678", &found.job.name(), bytes);
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(read(&changed).is_err(), "{at}");
        }
        // A lie with a checksum is noticed if it contradicts itself or the rules, or if it names an
        // image of a position instead of its canonical form.
        let next = found.lost[0];
        let back = next.moves(&board).into_iter().next().unwrap();
        let opposite = Cell::new(24);
        let image = Duel { mover: opposite, free: found.job.duel.free.without(opposite).with(Cell::new(0)), ..found.job.duel };
        let lies = [
            Found { end: End::Answered(Value::Loss), ..found.clone() },
            Found { end: End::Split { why: RanOut::Nodes, moves: Vec::new() }, ..found.clone() },
            Found { choices: vec![(found.job.duel, Choice::Win(Cell::new(0)))], ..found.clone() },
            Found { lost: vec![image], ..found.clone() },
            Found { lost: vec![found.job.duel], ..found.clone() },
            Found { won: vec![next], ..found.clone() },
            Found { choices: vec![(found.job.duel, found.choices[0].1), (next, Choice::Win(back))], ..found.clone() },
        ];
        for lie in lies {
            assert!(read(&lie.to_bytes(&board, &symmetries, "12345678")).is_err(), "{lie:?}");
        }
    }
}
