//! The program `isolde-check`: reads files, lets the library check them, and prints what they
//! prove.

#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use isolde_check::{Fault, Player, Position, Proven, Statement, cell_name, check, grouped};

const HELP: &str = "\
Checks certificates: files that prove who wins knight's-move Isolation.

Usage: isolde-check [--json] FILE...

  isolde-check 7x7.proof           check a certificate and say what it proves
  isolde-check --json *.proof      the same as data, one line for each file

Exit codes: 0 everything is proven, 1 a rule is broken, 2 a file is not a certificate.
";

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let (options, files): (Vec<_>, Vec<_>) = arguments.partition(|argument| argument.to_string_lossy().starts_with('-'));
    if options.iter().any(|option| option == "--help" || option == "-h") {
        say(HELP.trim_end());
        return ExitCode::SUCCESS;
    }
    if options.iter().any(|option| option == "--version" || option == "-V") {
        say(concat!("isolde-check ", env!("CARGO_PKG_VERSION")));
        return ExitCode::SUCCESS;
    }
    if let Some(unknown) = options.iter().find(|option| *option != "--json") {
        eprintln!("error: there is no option {}; try --help", unknown.to_string_lossy());
        return ExitCode::from(2);
    }
    if files.is_empty() {
        eprintln!("error: name a certificate, such as isolde-check 7x7.proof");
        return ExitCode::from(2);
    }
    let (with_json, with_names) = (!options.is_empty(), files.len() > 1);
    let mut worst = 0;
    for file in files {
        let (name, started) = (file.to_string_lossy(), Instant::now());
        let unreadable = |fault: std::io::Error| Fault::Unreadable(format!("cannot be read: {fault}"));
        let checked = std::fs::read(&file).map_err(unreadable).and_then(|bytes| check(&bytes));
        match &checked {
            _ if with_json => say(&json(&name, &checked, started.elapsed())),
            Ok(proven) if with_names => say(&format!("{name}: {}", text(proven, started.elapsed()))),
            Ok(proven) => say(&text(proven, started.elapsed())),
            Err(_) => {}
        }
        if let Err(fault) = &checked {
            eprintln!("error: {name}: {fault}");
            worst = worst.max(if matches!(fault, Fault::Broken { .. }) { 1 } else { 2 });
        }
    }
    ExitCode::from(worst)
}

/// Prints a line. If its reader is gone, as with `head`, nobody misses it.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A number of things: `1 lemma`, `2 lemmas`.
fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// What was proven, in a sentence or two.
fn text(proven: &Proven, time: Duration) -> String {
    let Proven { board: (files, ranks), statement, lemmas } = proven;
    let parts = match statement {
        Statement::Board { winner, mirror: true, .. } => format!("the {winner} player wins, by a mirror. "),
        Statement::Board { winner, placements: Some(placements), .. } => {
            format!("the {winner} player wins. {}, ", counted(*placements as u64, "placement"))
        }
        Statement::Board { winner, .. } => format!("the {winner} player wins. "),
        Statement::Openings { first_wins, proven } => {
            let all = files * ranks * (files * ranks - 1);
            let [first, second, all] = [first_wins.len(), all - first_wins.len(), all].map(|count| grouped(count as u64));
            format!("the first player wins {first} of {all} openings, the second player {second}. {proven} proven one by one, ")
        }
        Statement::Positions(positions) => match positions.as_slice() {
            [(position, winner)] => format!("the {winner} player wins {}. ", diagram((*files, *ranks), position)),
            all => {
                let first = all.iter().filter(|(_, winner)| *winner == Player::First).count();
                let [first, second, all] = [first, all.len() - first, all.len()].map(|count| grouped(count as u64));
                format!("the first player wins {first} of {all} positions, the second player {second}. ")
            }
        },
    };
    let seconds = time.as_secs_f64();
    format!("{files}x{ranks}: {parts}{}, all checked in {seconds:.1} s.", counted(*lemmas, "lemma"))
}

/// The position as a diagram, ranks from the top: `N` and `n` are the first and the second player's
/// knights, numbers are free cells, `*` is any other cell; `w` or `b` says who is to move.
fn diagram((files, ranks): (usize, usize), position: &Position) -> String {
    let mut diagram = String::new();
    for rank in (0..ranks).rev() {
        let mut free = 0;
        for cell in rank * files..(rank + 1) * files {
            let sign = match position.knights.iter().position(|knight| *knight == Some(cell)) {
                Some(0) => 'N',
                Some(_) => 'n',
                None if position.free >> cell & 1 == 1 => {
                    free += 1;
                    continue;
                }
                None => '*',
            };
            diagram += &number(std::mem::take(&mut free));
            diagram.push(sign);
        }
        diagram += &number(free);
        diagram.push(if rank > 0 { '/' } else { ' ' });
    }
    diagram.push(if position.turn == Player::First { 'w' } else { 'b' });
    diagram
}

/// A number of free cells in a diagram; nothing if there are none.
fn number(free: usize) -> String {
    if free == 0 { String::new() } else { free.to_string() }
}

/// What was found, as one line of JSON.
fn json(file: &str, checked: &Result<Proven, Fault>, time: Duration) -> String {
    let quoted = |text: &str| {
        let escaped = |c: char| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c < ' ' => format!("\\u{:04x}", c as u32),
            c => c.to_string(),
        };
        format!("\"{}\"", text.chars().map(escaped).collect::<String>())
    };
    let found = match checked {
        Err(Fault::Unreadable(sentence)) => format!("\"error\":{}", quoted(sentence)),
        Err(fault @ Fault::Broken { rule, lemma, byte, .. }) => {
            let lemma = lemma.map_or("null".to_string(), |lemma| lemma.to_string());
            let [rule, sentence] = [rule, fault.to_string().as_str()].map(quoted);
            format!("\"error\":{sentence},\"rule\":{rule},\"lemma\":{lemma},\"byte\":{byte}")
        }
        Ok(Proven { board: (files, ranks), statement, lemmas }) => {
            let statement = match statement {
                Statement::Board { winner, mirror, placements } => {
                    let placements = placements.map_or("null".to_string(), |placements| placements.to_string());
                    format!("\"statement\":\"board\",\"winner\":\"{winner}\",\"mirror\":{mirror},\"placements\":{placements}")
                }
                Statement::Openings { first_wins, proven } => {
                    let name = |&(first, second): &_| format!("\"{} {}\"", cell_name(*files, first), cell_name(*files, second));
                    let won = first_wins.iter().map(name).collect::<Vec<_>>().join(",");
                    format!("\"statement\":\"openings\",\"first_wins\":[{won}],\"proven\":{proven}")
                }
                Statement::Positions(positions) => {
                    let all = positions.iter().map(|(position, winner)| json_position((*files, *ranks), position, *winner));
                    format!("\"statement\":\"positions\",\"positions\":[{}]", all.collect::<Vec<_>>().join(","))
                }
            };
            format!("\"board\":\"{files}x{ranks}\",{statement},\"lemmas\":{lemmas}")
        }
    };
    format!("{{\"file\":{},{found},\"seconds\":{:.3}}}", quoted(file), time.as_secs_f64())
}

fn json_position(board: (usize, usize), position: &Position, winner: Player) -> String {
    format!("{{\"position\":\"{}\",\"winner\":\"{winner}\"}}", diagram(board, position))
}
