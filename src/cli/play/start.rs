//! Where a game starts: on a board, after a line of play, or where a saved game was left.

use std::path::Path;

use super::Args;
use crate::arena::YOU;
use crate::cli::Failure;
use crate::cli::pick_move::TIME;
use crate::cli::saved_game::saved_game;
use crate::game::notation::{Line, quoted};
use crate::game::position::Player;
use crate::play::{Agent, Limit};

/// Who plays, and from where.
pub(super) struct Start {
    /// The first and the second player. `None` is the person at the keyboard.
    pub(super) players: [Option<Agent>; 2],
    /// The moves so far.
    pub(super) line: Line,
    /// How many of them no player of this game has chosen. They cannot be taken back.
    pub(super) given: usize,
    pub(super) limit: Limit,
}

impl Start {
    pub(super) fn new(args: &Args) -> Result<Self, Failure> {
        let text = args.asked.text();
        let start = if Path::new(&text).is_file() { Self::continued(args, &text)? } else { Self::fresh(args, &text)? };
        if (args.pause.is_some() || args.step) && start.players.contains(&None) {
            return Err(Failure::Input("--pause and --step are for a game between two agents: see --watch".to_string()));
        }
        Ok(start)
    }

    /// A new game, with the players that the options name.
    fn fresh(args: &Args, text: &str) -> Result<Self, Failure> {
        if args.game.is_some() {
            return Err(Failure::Input(format!("--game goes with a file of records, and {} is not a file", quoted(text))));
        }
        let agent = Some(args.against.unwrap_or(Agent::Best));
        let players = match (args.watch.as_slice(), args.seat.unwrap_or(Player::First)) {
            ([], Player::First) => [None, agent],
            ([], Player::Second) => [agent, None],
            ([first, second], _) => [Some(*first), Some(*second)],
            _ => {
                let wanted = "--watch takes two agents with a comma between, such as best,AB_Improved";
                return Err(Failure::Input(wanted.to_string()));
            }
        };
        let line: Line = match text.parse() {
            Err(_) if text.ends_with(".json") || text.ends_with(".jsonl") => {
                return Err(Failure::Input(format!("there is no file {}", quoted(text))));
            }
            parsed => parsed?,
        };
        Ok(Self { players, given: line.moves().len(), line, limit: args.move_limits.limit_or(TIME) })
    }

    /// A saved game, with its players and its limit.
    fn continued(args: &Args, file: &str) -> Result<Self, Failure> {
        let bad = |why: String| Failure::Input(format!("cannot continue {file}: {why}"));
        let record = saved_game(file, args.game)?;
        if let Some(winner) = record.line.end().winner() {
            return Err(bad(format!("the game is over, and {} has won", record.names[winner as usize])));
        }
        if args.seat.is_some() || args.against.is_some() || !args.watch.is_empty() {
            let why = "the file says who plays, so leave out --as, --against and --watch";
            return Err(bad(format!("{why}; or start a new game after its moves, \"{}\"", record.line)));
        }
        let player = |name: &str| match name {
            YOU => Ok(None),
            _ => name.parse().map(Some).map_err(|fault| bad(format!("{fault}"))),
        };
        let [first, second] = &record.names;
        let players = [player(first)?, player(second)?];
        let limit = match args.move_limits.limit() {
            Some(limit) => limit,
            None => record.limit.parse().map_err(|fault| bad(format!("{fault}")))?,
        };
        Ok(Self { players, line: record.line, given: record.given, limit })
    }
}
