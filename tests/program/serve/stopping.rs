//! The end of a server.

use serde_json::json;

use super::harness::Server;
use crate::support::signals;

#[test]
fn signals_end_the_server_in_order() {
    for signal in signals::signals() {
        let mut server = Server::start(&[]);
        signals::wait_until_interruptible(&mut server.child);
        let mut events = server.connect().events("/api/v1/position/events?time=1m&p=10x10:+a1+c4");
        assert_eq!(events.next().unwrap().0, "analysis");
        let mut waits = server.connect().events("/api/v1/position/events?time=1m&p=10x10:+a1+d5");
        assert_eq!(waits.next().unwrap().0, "analysis");
        let mut asks = server.connect();
        asks.request("GET", "/api/v1/position?time=1m&p=10x10:+a1+e6", &[]);
        let mut idle = server.connect();
        assert_eq!(idle.get("/api/v1/health").status, 200);
        server.wait_for_load((1, 2));
        signals::send(signal, &server.child);
        let stopping = json!({"error": "the server is stopping: ask again when it runs"});
        for events in [events, waits] {
            let (name, data) = events.filter(|(name, _)| !["analysis", "waiting"].contains(&name.as_str())).last().unwrap();
            assert_eq!((name.as_str(), data), ("error", stopping.clone()), "{signal}");
        }
        let answer = asks.answer("GET");
        assert_eq!((answer.status, answer.json()), (503, stopping), "{signal}");
        assert!(idle.is_closed());
        assert_eq!(server.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

/// Work that the stop cuts short is not passed off as all that could be found in time.
#[test]
fn work_that_is_cut_short_by_the_end_is_no_answer() {
    for path in ["/api/v1/review?time=1m&p=10x10:+a1+c4", "/api/v1/move?time=1m&p=10x10:+a1+c4"] {
        let mut server = Server::start(&[]);
        signals::wait_until_interruptible(&mut server.child);
        let mut asks = server.connect();
        asks.request("GET", path, &[]);
        server.wait_for_load((1, 0));
        signals::send("TERM", &server.child);
        assert_eq!(asks.answer("GET").status, 503, "{path}");
        assert_eq!(server.end().code(), Some(0));
    }
}

#[test]
fn a_client_who_does_not_leave_cannot_hold_up_the_end() {
    let mut server = Server::start(&[]);
    signals::wait_until_interruptible(&mut server.child);
    let mut half = server.connect();
    half.send(b"GET /api/v1/health HTTP/1.1\r\n").unwrap();
    let mut deaf = server.connect();
    for _ in 0..300 {
        deaf.request("GET", "/api/v1/openings?board=7x7", &[]);
    }
    signals::send("TERM", &server.child);
    assert_eq!(server.end().code(), Some(0));
}
