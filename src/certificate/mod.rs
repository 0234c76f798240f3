//! Certificates: proofs written down so that others can check them.
//!
//! A certificate is a file from which anyone can verify who wins, without trusting the program
//! that wrote it. `docs/certificate.md` has the format, the rules, and why they are sound. The
//! checker is a crate of its own, `isolde-check`, which shares no code with this one.
//!
//! The search is only asked which moves win. What a lemma depends on is computed from the moves
//! that are written down, as the checker does it. So a fault in the search cannot make a false
//! certificate; at worst there is none.
//!
//! ```
//! use std::time::Duration;
//! use isolde::certificate::{Certified, Certify, CertifyRequest, Subject};
//! use isolde::{Control, Settings, Size};
//!
//! let target = std::env::temp_dir().join(format!("isolde-example-{}.proof", std::process::id()));
//! let certify = Certify::begin(CertifyRequest {
//!     subject: Subject::Board(Size::new(5, 5)?),
//!     mirrors: true,
//!     small: false,
//!     target: target.clone(),
//!     replace: true,
//!     checkpoint: Duration::from_secs(10),
//!     settings: Settings::default(),
//! })?;
//! match certify.run(&Control::unlimited().into(), &|_| {})? {
//!     Certified::Finished(stats) => assert!(stats.lemmas > 500),
//!     Certified::Stopped { folder } => panic!("nothing stops this work in {}", folder.display()),
//! }
//! # std::fs::remove_file(target)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Listed in layer order: each module uses only modules above it. The blank lines keep rustfmt from
// sorting them.
mod lists;

mod format;

mod author;

mod walk;

mod request;

mod read;

mod certify;

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::build::WorkFolderError;
use crate::game::notation::quoted;
use crate::solve::SolverError;

pub use certify::{Certified, Certify, CertifyProgress};
pub use read::{Certificate, ReadError, Shown, Stated, Stats, Uses};
pub use request::{CertifyRequest, Claimed, Subject};

/// Why a walk through a proof ends early.
#[derive(Debug)]
enum Halt {
    /// The control stopped the work.
    Stopped,
    /// What is recorded is not a proof.
    Unsound,
    /// The position is not won by the player, or not by the move, that was claimed.
    NotWon,
    /// The same for one of the claims of the certificate.
    False { position: String },
    /// There are more lemmas than can be numbered.
    TooLong,
    /// There is no solver to ask.
    Solver(SolverError),
    /// The work cannot be saved.
    Save { file: PathBuf, source: io::Error },
}

/// Why there is no certificate.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum CertifyError {
    /// The certificate cannot be made in that place.
    Folder(WorkFolderError),
    /// The threads cannot be started.
    Solver(SolverError),
    /// A strong table holds plies, which a certificate cannot prove.
    StrongTable { table: PathBuf },
    /// The table cannot be read.
    Table { table: PathBuf, why: String },
    /// What was claimed about a position is false.
    False { position: String },
    /// The certificate would have more lemmas than can be numbered.
    TooLong,
    /// The certificate that was written is not sound, so it did not get its name.
    Unsound { folder: PathBuf },
    /// A file cannot be written.
    Io { file: PathBuf, source: io::Error },
}

impl fmt::Display for CertifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(fault) => fault.fmt(f),
            Self::Solver(fault) => fault.fmt(f),
            Self::StrongTable { table } => {
                let table = table.display();
                write!(f, "{table} is a strong table: it counts plies, which no certificate proves; name an opening table")
            }
            Self::Table { table, why } => write!(f, "{} cannot be read: {why}", table.display()),
            Self::False { position } => write!(f, "what is claimed about the position {} is false", quoted(position)),
            Self::TooLong => write!(f, "the proof has more than {} lemmas", u32::MAX),
            Self::Unsound { folder } => {
                let folder = folder.display();
                write!(f, "the certificate that was written to {folder} is not sound; if that happens again, delete {folder}")
            }
            Self::Io { file, source } => write!(f, "cannot write {}: {source}", file.display()),
        }
    }
}

impl std::error::Error for CertifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Folder(fault) => Some(fault),
            Self::Solver(fault) => Some(fault),
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<WorkFolderError> for CertifyError {
    fn from(fault: WorkFolderError) -> Self {
        Self::Folder(fault)
    }
}
