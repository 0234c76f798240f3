//! What must hold for any bytes from outside: they are read or refused, without a panic and without
//! a hang, and what is read can be written and read again.
//!
//! The fuzz targets run these checks on what the fuzzer invents; `tests/library/corpus.rs` includes
//! this file and runs them over the files in `fuzz/corpus/`.
//!
//! Most formats have checksums, and a fuzzer cannot guess those. So a check runs twice: on the
//! bytes as they are, and after it has put the right checksums in.

pub mod sealed;

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

use isolde::arena::{Entrant, Games, GamesFile, Judging, Plan, Record, Rules};
use isolde::build::{Campaign, CampaignPlan, Goal};
use isolde::certificate::Certificate;
use isolde::engine::{Effect, Session};
use isolde::notation::{self, Line, Written};
use isolde::play::{Agent, Limit};
use isolde::solve::{Enumeration, Opening, ProofCheckpoint, Source, StrategyLog};
use isolde::table::{Coverage, Table, Tables, Verifier, size_of_table};
use isolde::{Board, Cell, Control, Position, Settings, Setup, Size, Word};
use tempfile::TempDir;

/// A check of bytes from outside. It panics if something is wrong.
pub type Check = fn(&[u8]);

/// All checks. The corpus of each is the folder of its name in `fuzz/corpus/`.
pub const CHECKS: [(&str, Check); 8] = [
    ("notation", notation),
    ("table", table),
    ("strategy_log", strategy_log),
    ("enumeration", enumeration),
    ("games", games),
    ("uci", uci),
    ("certificate", certificate),
    ("campaign", campaign),
];

/// Positions, lines and moves. The first line of the input is a position, and the others are moves.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.parse::<Line>() {
        Ok(line) => assert_eq!(line.to_string().parse(), Ok(line)),
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
    if let Ok(written) = first.parse::<Written>() {
        assert_eq!(written.to_string().parse(), Ok(written.clone()));
        let told: Written = written.uci().parse().expect("the UCI command is read back");
        assert_eq!(told.played(), written.played());
    }
    assert!(!notation::quoted(first).contains(char::is_control));
    match notation::parse(first) {
        Ok(setup) => {
            assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup));
            assert_eq!(notation::parse(&setup.to_string()), Ok(setup));
            let position = Position::new(setup).expect("whatever is parsed is a position");
            moves(&position, rest);
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
    if let Some(number) = notation::parse_grouped(first) {
        assert_eq!(notation::grouped(number), first);
    }
}

fn moves(position: &Position, texts: &str) {
    for to in position.legal_moves() {
        assert_eq!(notation::parse_move(position, &notation::cell_name(position.size(), to)), Ok(to));
        assert_eq!(notation::parse_move(position, &notation::walling_move(position, to)), Ok(to));
    }
    for text in texts.lines() {
        match notation::parse_move(position, text) {
            Ok(to) => assert!(position.legal_moves().contains(to)),
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
}

/// The file of a certificate: checked, and read by the library, which must agree.
pub fn certificate(bytes: &[u8]) {
    let body = bytes.len().saturating_sub(4);
    let sealed = [&bytes[..body], &crc32fast::hash(&bytes[..body]).to_le_bytes()].concat();
    for bytes in [bytes, &sealed] {
        let checked = isolde_check::check(bytes);
        let read = Certificate::from_bytes(Path::new("a.proof"), bytes.to_vec()).and_then(|certificate| certificate.stats(true));
        match (checked, read) {
            (Ok(proven), Ok(stats)) => assert_eq!(proven.lemmas, stats.lemmas),
            (Err(fault), Err(_)) => assert!(!fault.to_string().is_empty()),
            // Only the checker limits how deep lemmas stand one in another.
            (Err(fault), Ok(_)) => assert!(fault.to_string().contains("one in another"), "{fault}"),
            (Ok(proven), Err(fault)) => panic!("{proven:?}: {fault}"),
        }
    }
}

/// The plan of a campaign; and the result of a job, in a campaign of 4x4.
pub fn campaign(bytes: &[u8]) {
    let folder = folder();
    let place = folder.path().join("planned");
    fs::create_dir(&place).expect("a folder can be made");
    fs::write(place.join("campaign.json"), bytes).expect("the file can be written");
    match Campaign::open(&place) {
        Ok(campaign) => {
            let same = Campaign::begin(&place, campaign.plan().clone()).expect("a plan that was read is a plan");
            assert_eq!(same.plan(), campaign.plan());
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
    let size = Size::new(4, 4).expect("4x4 is a board");
    let plan = CampaignPlan { size, goal: Goal::All, depth: 8, tries: Vec::new(), nodes: 500, memory: 4 << 20 };
    for (number, bytes) in [bytes.to_vec(), sealed::result(bytes)].into_iter().enumerate() {
        let campaign = Campaign::begin(&folder.path().join(number.to_string()), plan.clone()).expect("it can begin");
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let told: Option<serde_json::Value> = serde_json::from_slice(&bytes[..end]).ok();
        let name = told.as_ref().and_then(|told| told["job"].as_str()).unwrap_or_default();
        let is_name = name.len() == 18 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let name = if is_name { name } else { "s-0000000000000000" };
        let shard = campaign.folder().join("results").join(&name[16..]);
        fs::create_dir_all(&shard).expect("a folder can be made");
        fs::write(shard.join(format!("{name}.json")), bytes).expect("the file can be written");
        let status = campaign.status().expect("any file is a result or damaged");
        assert_eq!(status.done + status.split + status.damaged, 1);
        let open = campaign.open_jobs(true).expect("any file is a result or set aside");
        assert_eq!((open.set_aside.len(), open.jobs.len()), (status.damaged, status.open));
    }
}

/// The file of a table.
pub fn table(bytes: &[u8]) {
    let folder = folder();
    let file = folder.path().join("fuzzed.isolde");
    for bytes in [bytes.to_vec(), sealed::table(bytes)] {
        fs::write(&file, bytes).expect("the file can be written");
        let Ok(size) = size_of_table(&file) else { continue };
        read_table::<u64>(&file);
        read_table::<u128>(&file);
        let tables = Tables::open(size, &[folder.path().to_path_buf()]);
        assert_eq!(tables.paths().len() + tables.take_faults().len(), 1);
    }
}

fn read_table<W: Word>(file: &Path) {
    let Ok(table) = Table::<W>::open(file) else { return };
    if let Ok(metadata) = table.metadata() {
        for opening in metadata.coverage.duels(table.board()) {
            let _ = table.look_up(opening);
        }
    }
    for (duel, _) in table.entries().map_while(Result::ok) {
        let _ = table.look_up(duel);
    }
    let verifier = Verifier { mirror: &|_| false, prove: &|_| None, derived: &|_| true };
    let _ = verifier.verify(&table);
    let _ = verifier.sample(&table, 10);
}

/// The log of a strategy, which is also the format of the checkpoint of a proof.
pub fn strategy_log(bytes: &[u8]) {
    let folder = folder();
    let file = folder.path().join("log");
    for bytes in [bytes.to_vec(), sealed::strategy_log(bytes)] {
        let side = |index: usize| bytes.get(index).copied().unwrap_or_default().into();
        let size = Size::new(side(15), side(16)).unwrap_or(Size::new(5, 5).expect("5x5 is a board"));
        open_log::<u128>(&file, &bytes, size);
        if size.fits::<u64>() {
            open_log::<u64>(&file, &bytes, size);
        }
    }
}

/// A log that can be opened has lost its torn end, and can be opened again with what was in it.
fn open_log<W: Word>(file: &Path, bytes: &[u8], size: Size) {
    fs::write(file, bytes).expect("the file can be written");
    let board = Board::<W>::new(size).expect("the board fits the word");
    let Ok(known) = StrategyLog::open(file, &board).map(|log| log.known()) else { return };
    let again = StrategyLog::open(file, &board).expect("what was read is read again");
    assert_eq!(again.known(), known);
    drop(again);
    let checkpoint = ProofCheckpoint::open(file, &board).expect("a checkpoint has the same format");
    for opening in Coverage::Openings(vec![(0, 1), (1, 0)]).duels(&board) {
        let _ = checkpoint.look_up(opening);
    }
}

/// The folder of an unfinished strong table of 3x3. The input has its files, with a line `--`
/// between them: the manifest, the keys, the values, and then the runs.
///
/// A folder with sound checksums is only opened. Checksums are there against accidents, and nothing
/// but an accident changes these files: they are the program's own and not passed on.
pub fn enumeration(bytes: &[u8]) {
    let size = Size::new(3, 3).expect("3x3 is a board");
    let board = Board::<u64>::new(size).expect("3x3 fits a word");
    let roots = Coverage::All.duels(&board);
    let settings = Settings { threads: NonZero::<usize>::MIN, memory: 1 << 20 };
    let folder = folder();
    let resume = |files: &[(String, Vec<u8>)]| {
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).expect("the file can be written");
        }
        Enumeration::new(size, &roots, settings, folder.path())
    };
    let files = sealed::split_folder(bytes);
    if let Some(sealed) = sealed::enumeration(&files) {
        let _ = resume(&sealed);
    }
    if let Ok(enumeration) = resume(&files) {
        let strong = enumeration.run(&Control::unlimited(), &|_| {}).expect("what is resumed is finished");
        assert_eq!(strong.len(), POSITIONS_3X3);
    }
}

/// The number of positions of 3x3, up to symmetry and dead cells.
const POSITIONS_3X3: usize = 66;

/// The file of a tournament, and the records in it.
pub fn games(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        if let Ok((game, record)) = Record::from_line(line) {
            assert_eq!(Record::from_json(&record.to_json()).ok(), Some(record.clone()));
            let number = game.unwrap_or(1);
            assert_eq!(Record::from_line(&record.to_line(number)).ok(), Some((Some(number), record)));
        }
        if let Ok(record) = Record::from_description(line) {
            assert_eq!(Record::from_json(&record.to_json()).ok(), Some(record));
        }
    }
    if let Ok(games) = Games::parse(&text) {
        for game in &games.games {
            let line: Line = game.line.parse().expect("the line of a game is read back");
            assert_eq!(line.moves().len(), game.moves.len());
        }
    }
    let folder = folder();
    let file = folder.path().join("games");
    let plan = plan();
    drop(GamesFile::open(&file, &plan, Judging::No, false).expect("a new file can be written"));
    let head = fs::read(&file).expect("the new file can be read");
    let behind_head = bytes.iter().position(|&byte| byte == b'\n').map_or(&[][..], |end| &bytes[end + 1..]);
    for bytes in [bytes, &[&head, behind_head].concat()] {
        fs::write(&file, bytes).expect("the file can be written");
        let resume = || Some(GamesFile::open(&file, &plan, Judging::No, true).ok()?.take_played());
        if let Some(played) = resume() {
            assert_eq!(resume(), Some(played), "what was read is read again");
        }
    }
}

/// The tournament whose games are resumed.
fn plan() -> Plan {
    let agents = ["best", "Random"].map(|name| name.parse::<Agent>().expect("that agent exists"));
    Plan {
        size: Size::new(3, 3).expect("3x3 is a board"),
        agents: agents.map(Entrant::from).to_vec(),
        field: Vec::new(),
        openings: vec![None, Some(Opening { first: Cell::new(0), second: Cell::new(8) })],
        rules: Rules { limit: Limit::Nodes(100), grace: Duration::ZERO },
        seed: 1,
    }
}

/// What is said to the engine. No search is run; `stop` ends the one that was asked for.
pub fn uci(bytes: &[u8]) {
    let mut session = Session::default();
    let mut is_searching = false;
    for line in String::from_utf8_lossy(bytes).lines() {
        let effects = session.read(line);
        if !is_searching && line.split_whitespace().next() == Some("go") {
            let work = effects.iter().filter(|effect| matches!(effect, Effect::Search(_) | Effect::Perft(..)));
            assert_eq!(work.count(), 1, "{line:?} is not answered once");
        }
        for effect in effects {
            match effect {
                Effect::Say(said) => assert!(!said.contains(['\n', '\r']), "an answer is one line: {said:?}"),
                Effect::Draw(position) => assert_eq!(Position::new(position.setup()), Ok(position)),
                Effect::Search(search) => {
                    assert!(search.waits || limited(&search), "{search:?} never ends");
                    let legal = search.position.legal_moves();
                    assert!(search.moves.iter().all(|&to| legal.contains(to)), "{search:?} has an illegal move");
                    assert_eq!(search.moves.is_empty(), legal.is_empty(), "{search:?}");
                    is_searching = true;
                }
                Effect::Perft(..) => is_searching = true,
                Effect::Stop => is_searching = false,
                Effect::PonderHit => assert!(is_searching, "no search ponders"),
                Effect::Quit => return,
                Effect::Prepare(_) | Effect::Forget => {}
            }
        }
    }
}

fn limited(search: &isolde::engine::Search) -> bool {
    search.time.is_some() || search.nodes.is_some() || search.depth.is_some()
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder can be made")
}
