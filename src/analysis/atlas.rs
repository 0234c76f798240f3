//! The atlas: boards all of whose openings are known, and the map of one board, as data.

use std::path::PathBuf;

use serde::Serialize;

use super::openings::{ByMirror, JudgedClass, Openings};
use crate::game::board::{Board, Size};
use crate::game::cells::Cell;
use crate::game::notation::cell_name;
use crate::game::position::Player;
use crate::game::symmetry::Symmetries;
use crate::solve::Opening;
use crate::table::{AnyTable, Coverage, Location, Tables};

/// The boards whose openings are all in tables.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Atlas {
    boards: Vec<AtlasBoard>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct AtlasBoard {
    board: String,
    #[serde(flatten)]
    counts: Counts,
    /// The tables, by name.
    tables: Vec<String>,
}

/// How the openings of a board end.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Counts {
    winner: Option<Player>,
    /// Who wins, and whether the openings follow the colour law.
    sentence: String,
    openings: usize,
    first_wins: u64,
    second_wins: u64,
    /// The openings whose winner is not known.
    unknown: u64,
    /// The openings that break the colour law.
    exceptions: usize,
}

impl Counts {
    fn of(openings: &Openings) -> Self {
        let count = |winner| openings.count(true, winner) + openings.count(false, winner);
        Self {
            winner: openings.winner(),
            sentence: format!("{}: {}.", openings.size, openings.verdict()),
            openings: openings.len(),
            first_wins: count(Some(Player::First)),
            second_wins: count(Some(Player::Second)),
            unknown: count(None),
            exceptions: openings.count_exceptions(),
        }
    }
}

impl Atlas {
    /// The boards whose openings are all in the tables of these places, the smallest first. Nothing
    /// is searched. A file that cannot be read counts as absent.
    #[must_use]
    pub fn of(places: &[Location]) -> Self {
        let board = |(openings, tables): (Openings, Vec<String>)| AtlasBoard {
            board: openings.size.to_string(),
            counts: Counts::of(&openings),
            tables,
        };
        Self { boards: decided_by_tables(places, |_| true).map(board).collect() }
    }
}

/// All openings of the boards that the tables of these places decide, with the names of the tables,
/// the smallest board first. Only boards that are `wanted`.
pub(crate) fn decided_by_tables(
    places: &[Location],
    wanted: impl Fn(Size) -> bool,
) -> impl Iterator<Item = (Openings, Vec<String>)> {
    sizes(places).into_iter().filter(move |&size| wanted(size)).filter_map(|size| {
        let tables = Tables::open(size, places);
        let openings = Openings::in_tables(&tables);
        let name = |path: PathBuf| path.file_name().map(|name| name.display().to_string());
        openings.is_complete().then(|| (openings, tables.paths().into_iter().filter_map(name).collect()))
    })
}

/// The boards of tables that cover all openings, the smallest first.
fn sizes(places: &[Location]) -> Vec<Size> {
    let in_place = |place: &Location| match place {
        Location::BuiltIn => AnyTable::built_in().unwrap_or_default(),
        Location::Path(_) => {
            let files = place.files().unwrap_or_default();
            files.iter().filter_map(|file| AnyTable::open(file).ok()).collect()
        }
    };
    let covers_all = |table: &AnyTable| table.metadata().is_ok_and(|metadata| metadata.coverage == Coverage::All);
    let tables = places.iter().flat_map(in_place).filter(covers_all);
    let mut sizes: Vec<Size> = tables.map(|table| table.size()).collect();
    sizes.sort_by_key(|size| (size.cells(), size.files()));
    sizes.dedup();
    sizes
}

/// All openings of one board, for every first placement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpeningMap {
    board: String,
    #[serde(flatten)]
    counts: Counts,
    placements: Vec<Placement>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Placement {
    first: String,
    /// The number of placements that are images of this one, itself included.
    stands_for: usize,
    winner: Option<Player>,
    replies: Vec<Reply>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Reply {
    second: String,
    winner: Option<Player>,
    /// Whether the opening breaks the colour law.
    exception: bool,
    /// The mirror that explains an exception, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    mirror: Option<String>,
}

impl OpeningMap {
    /// The map of these openings.
    #[must_use]
    pub fn new(openings: &Openings) -> Self {
        let placement = |first: Cell| Placement {
            first: cell_name(openings.size, first),
            stands_for: openings.placements.iter().find(|class| class.contains(&first)).map_or(1, Vec::len),
            winner: openings.winner_after(first),
            replies: openings.after(first).map(|(opening, judged)| reply(openings.size, opening, judged)).collect(),
        };
        Self {
            board: openings.size.to_string(),
            counts: Counts::of(openings),
            placements: openings.firsts().map(placement).collect(),
        }
    }
}

fn reply(size: Size, opening: Opening, judged: &JudgedClass) -> Reply {
    let exception = judged.breaks_colour_law();
    // The mirror of the class is said of its representative, whose cells are others.
    let mirror = || {
        let board = Board::<u128>::fitting(size);
        ByMirror::find(&board, &Symmetries::new(&board), opening.duel(board.cells()))
    };
    Reply {
        second: cell_name(size, opening.second),
        winner: judged.winner(),
        exception,
        mirror: if exception { mirror().map(|mirror| mirror.on(size)) } else { None },
    }
}
