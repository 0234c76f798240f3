//! Searches: shared, stopped when nobody waits, in fair turns.

use serde_json::{Value, json};

use super::harness::{HARD, Server};

/// The address of events about a hard position with some other knights.
fn hard(number: usize) -> String {
    let second = ["c4", "d5", "e6", "f7", "g8", "b5", "c6", "d7"][number % 8];
    format!("/api/v1/position/events?time=1m&p=10x10:+a1+{second}")
}

#[test]
fn events_improve_and_end() {
    let server = Server::start(&[]);
    let events: Vec<(String, Value)> = server.connect().events("/api/v1/position/events?p=6x6:+a1+c3&time=1m").collect();
    let (last, analyses) = events.split_last().unwrap();
    assert_eq!(*last, ("done".to_string(), json!({"complete": true})));
    assert!(analyses.iter().all(|(name, _)| name == "analysis"), "{events:?}");
    assert!(analyses.len() >= 2, "the first is what was at hand");
    let known = |(_, data): &(String, Value)| data["moves"].as_array().unwrap().iter().filter(|m| m["plies"].is_u64()).count();
    assert!(analyses.is_sorted_by_key(known), "{events:?}");
    let answer = server.data("/api/v1/position?p=6x6:+a1+c3&distance");
    assert_eq!(analyses.last().unwrap().1, answer, "it is kept");
    let again: Vec<String> = server.connect().events("/api/v1/position/events?p=6x6:+a1+c3").map(|(name, _)| name).collect();
    assert_eq!(again, ["analysis", "done"]);
}

#[test]
fn events_end_when_their_time_is_over() {
    let server = Server::start(&[]);
    let path = format!("/api/v1/position/events?p={HARD}&time=100ms");
    let events: Vec<(String, Value)> = server.connect().events(&path).collect();
    assert_eq!(*events.last().unwrap(), ("done".to_string(), json!({"complete": false})));
    assert_eq!(events[0].0, "analysis");
    server.wait_for_load((0, 0));
    let answer = server.data(&format!("/api/v1/position?p={HARD}&time=50ms"));
    assert_eq!((&answer["winner"], &answer["plies"]), (&json!("unknown"), &Value::Null));
}

#[test]
fn a_client_who_leaves_stops_the_search() {
    let server = Server::start(&[]);
    let mut events = server.connect().events(&hard(0));
    assert_eq!(events.next().unwrap().0, "analysis");
    server.wait_for_load((1, 0));
    drop(events);
    server.wait_for_load((0, 0));
    assert_eq!(server.count("isolde_searches_total{end=\"left\"}"), 1);
    server.wait_until("end of the stream", || server.count("isolde_event_streams") == 0);
    // The same with a client who waits for one answer, and for a move.
    for path in ["/api/v1/position?time=1m&p=10x10:+a1+c4", "/api/v1/move?p=10x10:+a1+c4&time=1m"] {
        let mut client = server.connect();
        client.request("GET", path, &[]);
        server.wait_for_load((1, 0));
        drop(client);
        server.wait_for_load((0, 0));
    }
    assert_eq!(server.count("isolde_searches_total{end=\"left\"}"), 3);
}

#[test]
fn a_client_who_leaves_the_queue_is_forgotten() {
    let server = Server::start(&[]);
    let first = server.connect().events(&hard(0));
    server.wait_for_load((1, 0));
    let second = server.connect().events(&hard(1));
    server.wait_for_load((1, 1));
    drop(second);
    server.wait_for_load((1, 0));
    drop(first);
    server.wait_for_load((0, 0));
}

#[test]
fn the_same_question_is_searched_once() {
    let server = Server::start(&[]);
    let mut streams: Vec<_> = (0..8).map(|_| server.connect().events(&hard(0))).collect();
    let diagram = "/api/v1/position/events?time=1m&p=10/10/10/10/10/10/2n7/10/10/N9+w";
    streams.push(server.connect().events(diagram));
    server.wait_for_load((1, 0));
    assert_eq!(server.count("isolde_questions_total{by=\"search\"}"), 1);
    assert_eq!(server.count("isolde_questions_total{by=\"joined\"}"), 8);
    let asked: Vec<Value> = streams.iter_mut().map(|events| events.next().unwrap().1["asked"].clone()).collect();
    assert_eq!((&asked[0], &asked[8]), (&json!("10x10: a1 c4"), &json!("10/10/10/10/10/10/2n7/10/10/N9 w")));
    // The search goes on until the last one leaves.
    streams.truncate(1);
    server.wait_until("fewer streams", || server.count("isolde_event_streams") == 1);
    assert_eq!(server.load(), (1, 0));
    streams.clear();
    server.wait_for_load((0, 0));
}

#[test]
fn a_full_queue_refuses_and_says_when_to_come_back() {
    let server = Server::start(&["--queue", "2"]);
    let streams: Vec<_> = (0..3)
        .map(|number| {
            let events = server.connect().events(&hard(number));
            server.wait_for_load((1, number as u64));
            events
        })
        .collect();
    for path in [hard(3), "/api/v1/position?p=10x10:+a1+h8".to_string(), "/api/v1/move?p=10x10:+a1".to_string()] {
        let refused = server.get(&path);
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")), "{path}");
        assert_eq!(refused.error(), "too many searches are waiting: ask again later");
    }
    // Those who ask the same as somebody else are not refused, nor those whose answer is at hand.
    let joined = server.connect().events(&hard(0));
    assert_eq!(server.data("/api/v1/position?p=5x5:+a1+c3")["winner"], "first");
    assert_eq!(server.count("isolde_searches_total{end=\"refused\"}"), 3);
    drop((streams, joined));
    server.wait_for_load((0, 0));
}

#[test]
fn a_newcomer_is_answered_before_long_searches_go_on() {
    let server = Server::start(&[]);
    let mut streams: Vec<_> = (0..6).map(|number| server.connect().events(&hard(number))).collect();
    server.wait_for_load((1, 5));
    let answer = server.data("/api/v1/position?p=6x6:+a1+c3&time=1m");
    assert_eq!((&answer["winner"], &answer["plies"], &answer["line_optimal"]), (&json!("first"), &json!(23), &json!(true)));
    server.wait_for_load((1, 5));
    assert!(server.count("isolde_turns_total") >= 2, "the first search had to wait");
    // All others had their first event long ago.
    assert!(streams.iter_mut().all(|events| events.next().unwrap().0 == "analysis"));
}

#[test]
fn those_who_wait_are_told() {
    let server = Server::start(&[]);
    // An agent thinks in one go, so the search behind it has to wait.
    let mut thinks = server.connect();
    thinks.request("GET", "/api/v1/move?p=10x10:+a1+c4&agent=AB_Improved&time=1m", &[]);
    server.wait_for_load((1, 0));
    let mut events = server.connect().events(&hard(0));
    assert_eq!(events.next().unwrap().0, "analysis");
    assert_eq!(events.next().unwrap(), ("waiting".to_string(), json!({"ahead": 1})));
    let mut behind = server.connect().events(&hard(1));
    assert_eq!(behind.next().unwrap().0, "analysis");
    assert_eq!(behind.next().unwrap(), ("waiting".to_string(), json!({"ahead": 2})));
    drop(events);
    assert_eq!(behind.next().unwrap(), ("waiting".to_string(), json!({"ahead": 1})));
}

#[test]
fn what_is_at_hand_does_not_wait_for_searches() {
    let server = Server::start(&[]);
    let mut thinks = server.connect();
    thinks.request("GET", "/api/v1/move?p=10x10:+a1+c4&agent=AB_Improved&time=1m", &[]);
    server.wait_for_load((1, 0));
    let asked = ["/position?p=5x5:+a1+c3", "/position?p=10x8", "/position?p=10x10&time=0s", "/openings?board=7x7", "/show?p=7x7"];
    for path in asked {
        server.data(&format!("/api/v1{path}"));
    }
    let path = "/api/v1/position/events?time=0s&p=10x10:+a1+c4";
    let events: Vec<String> = server.connect().events(path).map(|(name, data)| format!("{name} {}", data["complete"])).collect();
    assert_eq!(events, ["analysis null", "done false"]);
    assert_eq!((server.load(), server.count("isolde_questions_total{by=\"at_hand\"}")), ((1, 0), 4));
}

#[test]
fn work_that_cannot_pause_is_cut_short_while_others_wait() {
    let server = Server::start(&["--most-time", "1h"]);
    let mut thinks = server.connect();
    thinks.request("GET", "/api/v1/move?p=10x10:+a1+c4&agent=AB_Improved&time=1h", &[]);
    server.wait_for_load((1, 0));
    let _waits = server.connect().events(&hard(0));
    let answer = thinks.answer("GET");
    assert_eq!((answer.status, answer.json()["move"].is_string()), (200, true), "{}", answer.text());
}
