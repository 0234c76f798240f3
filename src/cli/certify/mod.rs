//! `isolde certify`: proofs written down, so that others can check them.

mod stats;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use serde::Serialize;

use super::asked::Asked;
use super::interruption::interruptible;
use super::limits::{Limits, TIME_AFTER_RESUMING, checkpoint, unfinished};
use super::openings::MANY_SECONDS;
use super::output::{self, fact, grouped, write_headline};
use super::progress::told;
use super::{Failure, Status};
use crate::certificate::{Certified, Certify, CertifyError, CertifyProgress, CertifyRequest, ReadError, Stated, Stats, Subject};
use crate::game::notation::{Written, cell_name};
use crate::solve::Control;
use crate::table::AnyTable;

/// Write down a proof of who wins, as a file that anyone can check
///
/// A certificate proves who wins a board, every opening of a board, or a position. The program
/// `isolde-check`, which shares no code with Isolde, checks it. The rules are explained in
/// docs/certificate.md.
///
/// Until it is finished, a certificate is made in a folder beside it whose name ends with `.part`.
/// If the work is interrupted, however suddenly, the same command continues from there and ends
/// with the same bytes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("time", |time| time.help(TIME_AFTER_RESUMING)))]
#[command(mut_arg("position", |asked| asked.required(false).required_unless_present_any(["from_table", "stats"])))]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// Prove who wins every opening of the board, instead of who wins the board
    #[arg(long)]
    openings: bool,
    /// Prove the winner of every entry of an opening table, by the moves that the table holds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "openings"])]
    from_table: Option<PathBuf>,
    /// Prove everything by lemmas, without mirrors
    #[arg(long)]
    no_mirrors: bool,
    /// Look for a small proof, which takes several times as long
    #[arg(long)]
    small: bool,
    /// The certificate to write [default: named after the board, with the ending .proof]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the certificate if it exists
    #[arg(long)]
    force: bool,
    /// How often the work is saved, at most 30s
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = checkpoint)]
    checkpoint: Duration,
    /// Read a certificate instead: how many lemmas it has, what they depend on, how often they are
    /// used
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["position", "openings", "from_table", "no_mirrors", "small", "output", "force"])]
    stats: Option<PathBuf>,
    /// With --stats: one lemma, by its number
    #[arg(long, value_name = "NUMBER", requires = "stats", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(conflicts_with_all = ["position", "from_table"])]
    lemma: Option<u32>,
    /// With --lemma: draw it to an SVG file
    #[arg(long, value_name = "FILE", requires = "lemma", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Write the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

const EXAMPLES: &str = "\
Examples:
  isolde certify 7x7                               who wins 7x7, as 7x7.proof
  isolde certify 6x6 --openings -o 6x6.proof       who wins every opening of 6x6
  isolde certify \"7x7: d4 b3\"                      who wins one opening, or any other position
  isolde certify --from-table tables/6x6-opening.isolde
  isolde certify --stats 7x7.proof                 what the proof is made of
  isolde certify --stats 7x7.proof --lemma 1000 --svg lemma.svg
  isolde-check 7x7.proof                           check it, with a program that shares no code with this one

Exit codes: 0 written, 1 failed, 2 bad input, 3 not finished within --time, 130 interrupted.
After 3 and 130 the same command continues.";

#[derive(Serialize)]
struct Report {
    file: PathBuf,
    #[serde(flatten)]
    stats: Stats,
    nodes: u64,
    seconds: f64,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    if let Some(file) = &args.stats {
        return stats::run(args, file);
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        return Err(Failure::Input("cannot write -: name a file".to_string()));
    }
    let (subject, usual_name) = subject(args)?;
    let target = args.output.clone().unwrap_or_else(|| PathBuf::from(usual_name));
    let request = CertifyRequest {
        mirrors: !args.no_mirrors,
        small: args.small,
        target: target.clone(),
        replace: args.force,
        checkpoint: args.checkpoint,
        settings: args.limits.settings(subject.size())?,
        subject,
    };
    let size = request.subject.size();
    let certify = Certify::begin(request)?.with_time(args.limits.time());
    let expected = certify.expected_seconds();
    if expected >= MANY_SECONDS {
        let expected = output::roughly(expected);
        output::warning(&format!("{size}: this proof may take {expected}; Ctrl-C stops, the same command continues"));
    }
    let (control, started) = (interruptible(Control::unlimited()), Instant::now());
    let shown = control.part(args.limits.time());
    let certified = told("claims", &shown, |tell| {
        certify.run(&control, &|CertifyProgress { done, total, lemmas }| {
            tell(done as u64, total as u64, &format!("{} lemmas", grouped(lemmas)));
        })
    })?;
    match certified {
        Certified::Stopped { folder } => Ok(unfinished(&folder)),
        Certified::Finished(stats) => {
            let report = Report { file: target, stats, nodes: control.nodes(), seconds: started.elapsed().as_secs_f64() };
            (if args.json { output::json(&report) } else { write_text(&report) })?;
            Ok(Status::Answered)
        }
    }
}

/// What is asked, and the name of the certificate if none is given.
fn subject(args: &Args) -> Result<(Subject, String), Failure> {
    if let Some(path) = &args.from_table {
        let table = AnyTable::open(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        return Ok((Subject::table(&table)?, format!("{name}.proof")));
    }
    let written = args.asked.written()?;
    let position = written.position();
    let size = position.size();
    let subject = match Subject::position(position) {
        Subject::Board(size) if args.openings => Subject::Openings(size),
        _ if args.openings => {
            return Err(Failure::Input(format!("--openings proves all openings of a board: write {size} --openings")));
        }
        subject => subject,
    };
    let name = match (&subject, &written) {
        (Subject::Board(_), _) => format!("{size}.proof"),
        (Subject::Openings(_), _) => format!("{size}-openings.proof"),
        (_, Written::Line(line)) => {
            let moves: String = line.moves().iter().map(|&cell| cell_name(size, cell)).collect();
            format!("{size}-{moves}.proof")
        }
        (_, Written::Diagram(_)) => format!("{size}-position.proof"),
    };
    Ok((subject, name))
}

fn write_text(report: &Report) -> std::io::Result<()> {
    let Report { file, stats, nodes, seconds } = report;
    let mut out = output::answer();
    write_headline(&mut out, &stats.board.to_string(), &verdict(&stats.stated))?;
    write_size(&mut out, stats)?;
    fact(&mut out, "written", &file.display().to_string())?;
    fact(&mut out, "check", &format!("isolde-check {}", file.display()))?;
    output::cost(&mut out, *nodes, *seconds)?;
    out.flush()
}

/// What is proven, in a sentence.
fn verdict(stated: &Stated) -> String {
    match stated {
        Stated::Board { winner, mirror: true, .. } => format!("the {winner} player wins, by a mirror"),
        Stated::Board { winner, placements: Some(1), .. } => {
            format!("the {winner} player wins; one placement is proven, all others are images of it")
        }
        Stated::Board { winner, placements: Some(placements), .. } => {
            format!("the {winner} player wins; {placements} placements are proven, all others are images of them")
        }
        Stated::Board { winner, .. } => format!("the {winner} player wins"),
        Stated::Openings { first_wins, second_wins, .. } => {
            let [first, second] = [first_wins, second_wins].map(|count| grouped(*count as u64));
            format!("the first player wins {first} openings, the second player {second}")
        }
        Stated::Positions { first_wins: 1, second_wins: 0 } => "the first player wins the position".to_string(),
        Stated::Positions { first_wins: 0, second_wins: 1 } => "the second player wins the position".to_string(),
        Stated::Positions { first_wins, second_wins } => {
            let [first, second] = [first_wins, second_wins].map(|count| grouped(*count as u64));
            format!("the first player wins {first} positions, the second player {second}")
        }
    }
}

fn write_size(out: &mut impl Write, stats: &Stats) -> std::io::Result<()> {
    let lemmas = stats.lemmas;
    let each = match lemmas {
        0 => String::new(),
        _ => format!(", {:.2} bytes a lemma", stats.bytes as f64 / lemmas as f64),
    };
    let references = grouped(stats.references);
    fact(out, "lemmas", &format!("{}, used again {references} times", grouped(lemmas)))?;
    fact(out, "size", &format!("{}{each}", ByteSize(stats.bytes).display().si()))
}

/// A file that is not there is bad input; one that cannot be read is not.
fn input_or_files(fault: &ReadError, file: &Path) -> Failure {
    match fault {
        ReadError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            Failure::Input(format!("there is no file {}", file.display()))
        }
        _ => Failure::Files(fault.to_string()),
    }
}

impl From<CertifyError> for Failure {
    fn from(fault: CertifyError) -> Self {
        match fault {
            CertifyError::Folder(fault) => fault.into(),
            CertifyError::Solver(fault) => fault.into(),
            CertifyError::StrongTable { .. } => Self::Input(fault.to_string()),
            _ => Self::Files(fault.to_string()),
        }
    }
}
