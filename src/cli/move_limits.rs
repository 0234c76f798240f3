//! The options that limit one move: `--time`, `--nodes` and `--depth`.

use std::time::Duration;

use super::limits::time;
use crate::play::Limit;

#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct MoveLimits {
    /// Time for each move, such as 150ms
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Nodes for each move, instead of time; gives the same moves on every machine
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to look ahead, instead of time
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "nodes"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=128))]
    depth: Option<u32>,
}

impl MoveLimits {
    /// The limit that was set, or this time.
    pub(super) fn limit_or(&self, default: Duration) -> Limit {
        self.limit().unwrap_or(Limit::Time(default))
    }

    /// The limit, if one was set.
    pub(super) fn limit(&self) -> Option<Limit> {
        let time = self.time.map(Limit::Time);
        time.or(self.nodes.map(Limit::Nodes)).or(self.depth.map(Limit::Depth))
    }
}
