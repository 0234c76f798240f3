//! The description of tables as text: one line for each, and their totals.

use std::io::{self, Write};
use std::path::Path;

use bytesize::ByteSize;

use super::files::{ended, worst};
use crate::cli::Status;
use crate::cli::output::{self, fact, grouped, plural, styled};
use crate::table::{Described, Totals};

/// The status of several tables.
pub(super) fn status<'a>(all: impl Iterator<Item = &'a Described>) -> Status {
    worst(all.map(|described| match described {
        Described::Table(_) => Status::Answered,
        Described::Unusable { error, .. } => ended(error),
    }))
}

pub(super) fn write_totals(out: &mut impl Write, totals: &Totals) -> io::Result<()> {
    let tables = format!("{} {}, {}", totals.usable, plural(totals.usable, "table"), ByteSize(totals.bytes));
    let unusable = if totals.unusable > 0 { format!("; {} cannot be used", totals.unusable) } else { String::new() };
    fact(out, "total", &format!("{tables}{unusable}"))
}

/// Writes one line for each table, in columns. `name` tells what to call it.
pub(super) fn write_lines(out: &mut impl Write, all: &[Described], name: impl Fn(&Path) -> String) -> io::Result<()> {
    let width = all.iter().map(|described| name(described.file()).chars().count()).max().unwrap_or(0);
    for described in all {
        let name = format!("{:<width$}", name(described.file()));
        match described {
            Described::Table(report) => {
                let covers = match &report.openings {
                    None => "all openings".to_string(),
                    Some(openings) => format!("{} {}", openings.len(), plural(openings.len(), "opening")),
                };
                let (kind, positions) = (report.kind, grouped(report.positions));
                let bytes = ByteSize(report.bytes).to_string();
                writeln!(out, "{name}  {:<6} {kind:<8} {covers:<13} {positions:>12} positions {bytes:>10}", report.board)?;
            }
            Described::Unusable { fault, .. } => writeln!(out, "{name}  {}", styled(output::STRONG, fault))?,
        }
    }
    Ok(())
}
