//! The beginning of a conversation: the options of an agent, and the variant that it plays.

use super::Terms;
use super::fault::{OutsideError, Why};
use super::process::{Process, after};
use super::program::Program;
use super::said::{Said, Setting, Values};
use crate::game::board::Size;
use crate::solve::Control;

/// The name that the variants begin with.
const VARIANT: &str = "joust";

/// Starts a process, and sets it up for the board.
pub(super) fn start(program: &Program, terms: &Terms, control: &Control) -> Result<Process, OutsideError> {
    let mut process = Process::start(program).map_err(|fault| OutsideError::new(program, Why::Start(fault)))?;
    let without = |word| move |silence| OutsideError::without(program, word, terms.patience, silence);
    let mut settings = Vec::new();
    let until = after(terms.patience);
    let uci = |said| match said {
        Said::Has(setting) => {
            keep(&mut settings, setting);
            None
        }
        said => (said == Said::Uci).then_some(()),
    };
    process.say("uci").and_then(|()| process.hear_until(until, control, uci)).map_err(without("uciok"))?;
    let lines = set_up(&settings, terms).map_err(|why| OutsideError::new(program, why))?;
    let told = lines.iter().try_for_each(|line| process.say(line));
    told.and_then(|()| process.wait_until_ready(terms.patience, control)).map_err(without("readyok"))?;
    Ok(process)
}

/// The options that we set.
const NAMES: [&str; 4] = ["UCI_Variant", "Threads", "Hash", "Move Overhead"];

/// Keeps one setting of each of our names, however many the agent lists.
fn keep(settings: &mut Vec<Setting>, setting: Setting) {
    if NAMES.iter().any(|name| setting.name.eq_ignore_ascii_case(name)) {
        settings.retain(|known| !known.name.eq_ignore_ascii_case(&setting.name));
        settings.push(setting);
    }
}

/// The lines that set the options, as far as there are such options.
fn set_up(settings: &[Setting], terms: &Terms) -> Result<Vec<String>, Why> {
    // One thread, as our agents have. Nothing is kept back of the time: the grace is for the way.
    let wanted = |name: &str| match name {
        "Threads" => 1,
        "Hash" => terms.hash,
        _ => 0,
    };
    let mut lines = Vec::new();
    for name in NAMES {
        let Some(setting) = settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(name)) else { continue };
        let value = match &setting.values {
            _ if name == "UCI_Variant" => variant(setting, terms)?,
            Values::Numbers(least, most) => wanted(name).min(*most).max(*least).to_string(),
            Values::OneOf(_) | Values::Other => continue,
        };
        lines.push(format!("setoption name {} value {value}", setting.name));
    }
    Ok(lines)
}

/// The variant to play: the first of the fitting names that the agent lists. An agent that lists
/// none takes any.
fn variant(setting: &Setting, terms: &Terms) -> Result<String, Why> {
    let fitting = fitting_variants(terms.size, terms.placing);
    let Values::OneOf(known) = &setting.values else { return Ok(fitting[0].clone()) };
    let listed = fitting.iter().find_map(|name| known.iter().find(|known| known.eq_ignore_ascii_case(name)));
    listed.cloned().ok_or_else(|| Why::Variant {
        what: if terms.placing { format!("{} with free placement", terms.size) } else { terms.size.to_string() },
        known: known.iter().filter(|name| name.to_ascii_lowercase().starts_with(VARIANT)).take(MOST_NAMED).cloned().collect(),
        wanted: fitting,
    })
}

/// How many variants a message names.
const MOST_NAMED: usize = 12;

/// The names under which a board is known: `joust` is 8x8 with both knights placed, and `joust7x7`
/// is 7x7 with or without placements.
fn fitting_variants(size: Size, placing: bool) -> Vec<String> {
    let usual = (size.files(), size.ranks()) == (8, 8) && !placing;
    usual.then(|| VARIANT.to_string()).into_iter().chain([format!("{VARIANT}{size}")]).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn terms(files: usize, placing: bool) -> Terms {
        let size = Size::new(files, files).unwrap();
        Terms { size, placing, hash: 16, patience: Duration::from_secs(1), longest_move: Duration::from_secs(1) }
    }

    fn settings(lines: &[&str]) -> Vec<Setting> {
        let mut settings = Vec::new();
        for line in lines {
            let Some(Said::Has(setting)) = Said::read(&format!("option name {line}")) else { panic!("{line}") };
            keep(&mut settings, setting);
        }
        settings
    }

    #[test]
    fn options_are_set_within_their_limits() {
        let set = |lines: &[&str]| set_up(&settings(lines), &terms(8, false)).unwrap();
        assert!(set(&["Contempt type spin default 0 min -9 max 9"]).is_empty());
        let lines = set(&[
            "threads type spin default 4 min 1 max 512",
            "Hash type spin default 64 min 32 max 33554432",
            "UCI_Variant type combo default chess var chess var joust",
            "Move Overhead type spin default 10 min 0 max 5000",
            "Threads type spin default 4 min 2 max 512",
        ]);
        let expected = ["UCI_Variant value joust", "Threads value 2", "Hash value 32", "Move Overhead value 0"];
        assert_eq!(lines, expected.map(|option| format!("setoption name {option}")));
        assert!(set(&["Threads type string default 1"]).is_empty());
    }

    #[test]
    fn the_variant_is_one_that_the_agent_lists() {
        let variant = |values: &str, files, placing| {
            let lines = set_up(&settings(&[&format!("UCI_Variant type {values}")]), &terms(files, placing));
            lines.map(|lines| lines[0].rsplit_once(' ').unwrap().1.to_string())
        };
        let combo = "combo default chess var chess var joust7x7 var Joust var joust8x8";
        for (values, files, placing, expected) in [
            (combo, 8, false, "Joust"),
            (combo, 8, true, "joust8x8"),
            (combo, 7, false, "joust7x7"),
            (combo, 7, true, "joust7x7"),
            ("combo default a var joust8x8", 8, false, "joust8x8"),
            ("string default chess", 6, true, "joust6x6"),
            ("string default chess", 8, false, "joust"),
        ] {
            assert_eq!(variant(values, files, placing).unwrap(), expected, "{values}, {files}, {placing}");
        }
        let refused = |values, files, placing| match variant(values, files, placing) {
            Err(why) => OutsideError::new(&Program::new("x").unwrap(), why).to_string(),
            Ok(name) => panic!("{name}"),
        };
        let sentence = "uci:x cannot play: it knows only joust of the joust family, and 8x8 with free placement needs joust8x8";
        assert_eq!(refused("combo default chess var chess var joust", 8, true), sentence);
        let sentence = "uci:x cannot play: it knows no variant of joust, and 8x8 needs joust or joust8x8";
        assert_eq!(refused("combo default chess var chess", 8, false), sentence);
    }
}
