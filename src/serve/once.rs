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

struct Once<T, F> {
    work: Mutex<Option<F>>,
    found: Mutex<Option<Result<T, Fault>>>,
    waits: Mutex<Option<oneshot::Sender<Result<T, Fault>>>>,
    time: Duration,
}

fn take<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl<T, F> Once<T, F> {
    fn answer(&self, answer: Result<T, Fault>) {
        if let Some(waits) = take(&self.waits) {
            // If nobody waits any more, the answer is lost, and nobody misses it.
            let _ = waits.send(answer);
        }
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
        let found = take(&self.work).map(|work| work(lane, control));
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = found;
        Turn::Done
    }

    fn tell(&self) {
        if let Some(found) = take(&self.found) {
            self.answer(found);
        }
    }

    fn fail(&self, fault: Fault) {
        self.answer(Err(fault));
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
    /// Does some work on a lane, once, with a control that stops it after this time, or earlier if
    /// others wait. If the caller goes away, the work is stopped.
    pub(super) async fn once<T, F>(&self, client: IpAddr, time: Duration, work: F) -> Result<T, Fault>
    where
        T: Send + 'static,
        F: FnOnce(&mut Lane, &Arc<Control>) -> Result<T, Fault> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        let (work, waits) = (Mutex::new(Some(work)), Mutex::new(Some(sender)));
        let job = Once { work, found: Mutex::default(), waits, time };
        let id = self.submit(client, Arc::new(job))?;
        let _withdrawal = Withdrawal { lanes: self, id };
        match tokio::time::timeout(MOST_WAIT + time, answer).await {
            Ok(Ok(answer)) => answer,
            // The job was lost.
            Ok(Err(_)) => Err(Fault::internal()),
            Err(_) => Err(Fault::busy("the server is busy: ask again later")),
        }
    }
}
