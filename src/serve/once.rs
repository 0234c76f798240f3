//! Work that a lane does in one go, such as choosing a move.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::fault::Fault;
use super::lane::Lane;
use super::lanes::{Job, Lanes, Turn};
use crate::solve::Control;

/// How long such work may wait for its turn.
const MOST_WAIT: Duration = Duration::from_secs(30);

/// What is left to do, and who waits for it.
type Pending<T, F> = (F, oneshot::Sender<Result<T, Fault>>);

struct Once<T, F> {
    pending: Mutex<Option<Pending<T, F>>>,
    time: Duration,
}

impl<T, F> Once<T, F> {
    fn take(&self) -> Option<Pending<T, F>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T, F> Job for Once<T, F>
where
    T: Send,
    F: FnOnce(&mut Lane, &Arc<Control>) -> Result<T, Fault> + Send,
{
    fn can_pause(&self) -> bool {
        false
    }

    fn control(&self) -> Control {
        Control::with_time(Some(self.time))
    }

    fn run(&self, lane: &mut Lane, control: &Arc<Control>) -> Turn {
        if let Some((work, answer)) = self.take() {
            // If nobody waits any more, the answer is lost, and nobody misses it.
            let _ = answer.send(work(lane, control));
        }
        Turn::Done
    }

    fn fail(&self, fault: Fault) {
        if let Some((_, answer)) = self.take() {
            let _ = answer.send(Err(fault));
        }
    }
}

/// Withdraws a job if nobody waits for it any more.
struct Withdrawal<'a> {
    lanes: &'a Lanes,
    id: u64,
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        self.lanes.withdraw(self.id);
    }
}

impl Lanes {
    /// Does some work on a lane, once, with a control that stops it after this time. If the caller
    /// goes away, the work is stopped.
    pub(super) async fn once<T, F>(&self, client: IpAddr, time: Duration, work: F) -> Result<T, Fault>
    where
        T: Send + 'static,
        F: FnOnce(&mut Lane, &Arc<Control>) -> Result<T, Fault> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        let job = Once { pending: Mutex::new(Some((work, sender))), time };
        let id = self.submit(client, Arc::new(job))?;
        let _withdrawal = Withdrawal { lanes: self, id };
        match tokio::time::timeout(MOST_WAIT + time, answer).await {
            Ok(Ok(answer)) => answer,
            // The work panicked.
            Ok(Err(_)) => Err(Fault::internal()),
            Err(_) => Err(Fault::busy("the server is busy: ask again later")),
        }
    }
}
