//! Work beside the lanes and beside the threads that serve the connections, a little at a time.
//!
//! Such work cannot be stopped once it has begun. So it keeps its place until it is over, also if
//! its client has left: those who ask and leave cannot pile it up.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::fault::Fault;

/// A few places for work.
pub(super) struct Elsewhere {
    places: Arc<Semaphore>,
    patience: Duration,
}

impl Elsewhere {
    /// This many places. Work that waits for one longer than this is refused.
    pub(super) fn new(places: usize, patience: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), patience }
    }

    /// Does some work on another thread, once there is a place for it.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
        let place = tokio::time::timeout(self.patience, Arc::clone(&self.places).acquire_owned()).await;
        let place = place.map_err(|_| Fault::busy("the server is busy: ask again later"))?;
        let occupied = move || {
            let _place = place;
            work()
        };
        tokio::task::spawn_blocking(occupied).await.map_err(|_| Fault::internal())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_multi_thread().enable_time().build().expect("a runtime").block_on(future)
    }

    #[test]
    fn abandoned_work_keeps_its_place_until_it_is_over() {
        run(async {
            let elsewhere = Arc::new(Elsewhere::new(1, Duration::from_millis(1)));
            let ((begun, begins), (end, ends)) = (channel(), channel());
            let work = move || (begun.send(()), ends.recv());
            let place = Arc::clone(&elsewhere);
            let abandoned = tokio::spawn(async move { place.run(work).await });
            tokio::task::spawn_blocking(move || begins.recv()).await.expect("no panic").expect("it begins");
            abandoned.abort();
            assert!(abandoned.await.is_err_and(|fault| fault.is_cancelled()));
            let refused = elsewhere.run(|| ()).await.expect_err("the place is taken");
            assert_eq!(refused.status, 503);
            end.send(()).expect("the work goes on");
            while elsewhere.run(|| ()).await.is_err() {}
        });
    }

    #[test]
    fn work_that_panics_leaves_its_place() {
        run(async {
            let elsewhere = Elsewhere::new(1, Duration::from_secs(60));
            assert_eq!(elsewhere.run(|| assert_eq!(1, 2)).await.map_err(|fault| fault.status.as_u16()), Err(500));
            assert_eq!(elsewhere.run(|| 3).await.ok(), Some(3));
        });
    }
}
