//! Clients that are slow, silent, many or malicious.

use super::harness::Server;

/// Waits until all connections but the one that asks are closed.
fn wait_until_alone(server: &Server) {
    server.wait_until("end of the connections", || server.count("isolde_connections") == 1);
}

#[test]
fn one_connection_serves_many_requests() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for _ in 0..50 {
        assert_eq!(client.get("/api/v1/show?p=7x7:+d4").status, 200);
    }
    // Also if they come all at once.
    for _ in 0..20 {
        client.request("GET", "/api/v1/position?p=5x5:+a1+c3", &[]);
    }
    assert!((0..20).all(|_| client.answer("GET").json()["winner"] == "first"));
    assert_eq!(server.count("isolde_connections"), 2);
}

#[test]
fn slow_and_silent_clients_are_closed() {
    let server = Server::start(&["--patience", "300ms"]);
    let mut silent = server.connect();
    let mut half = server.connect();
    let _ = half.send(b"GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-");
    let mut idle = server.connect();
    let _ = idle.send(format!("GET /api/v1/health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes());
    // A client who sends a byte now and then is closed, too.
    let mut slow = server.connect();
    let mut bytes = b"GET /api/v1/health HTTP/1.1\r\nX-Slow: ".iter().chain(std::iter::repeat(&b'a'));
    while slow.send(&[*bytes.next().unwrap()]).is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(silent.is_closed() && half.is_closed() && idle.is_closed());
    wait_until_alone(&server);
}

#[test]
fn a_client_who_does_not_read_is_closed() {
    let server = Server::start(&["--patience", "300ms"]);
    let mut client = server.connect();
    // More than the system holds for a connection. The server may close before all is sent.
    let request = format!("GET /api/v1/openings?board=7x7 HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let _ = (0..300).try_for_each(|_| client.send(request.as_bytes()));
    wait_until_alone(&server);
}

#[test]
fn half_a_connection_is_a_client_who_left() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.request("GET", "/api/v1/position?time=1m&p=10x10:+a1+c4", &[]);
    server.wait_for_load((1, 0));
    client.finish();
    server.wait_for_load((0, 0));
    wait_until_alone(&server);
}

#[test]
fn endless_headers_are_cut_off() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.send(b"GET /api/v1/health HTTP/1.1\r\nX-Large: ").unwrap();
    let megabyte = vec![b'a'; 1 << 20];
    // The server answers and closes long before the end, so sending may fail.
    let sent = (0..10).take_while(|_| client.send(&megabyte).is_ok()).count();
    if let Some((status, _)) = client.head() {
        assert_eq!(status, 431);
    } else {
        assert!(sent < 10, "the server has read it all");
    }
    let address = server.get(&format!("/{}", "a".repeat(1 << 20)));
    assert!([414, 431].contains(&address.status), "{}", address.status);
    assert_eq!(server.data("/api/v1/health")["status"], "ok");
    wait_until_alone(&server);
}

#[test]
fn nonsense_is_refused() {
    let server = Server::start(&[]);
    let nonsense: [&[u8]; 6] = [
        b"\x16\x03\x01\x02\x00\x01",
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ];
    for bytes in nonsense {
        let mut client = server.connect();
        client.send(bytes).unwrap();
        client.finish();
        if let Some((status, _)) = client.head() {
            assert!((400..=505).contains(&status), "{bytes:?}: {status}");
        }
    }
    assert_eq!(server.data("/api/v1/health")["status"], "ok");
}

#[test]
fn only_so_many_connections_are_served_at_a_time() {
    let server = Server::start(&["--connections", "2"]);
    let (mut first, mut second) = (server.connect(), server.connect());
    assert_eq!([first.get("/api/v1/health").status, second.get("/api/v1/health").status], [200, 200]);
    let mut third = server.connect();
    third.request("GET", "/api/v1/health", &[]);
    assert_eq!(second.get("/api/v1/health").status, 200);
    drop(first);
    assert_eq!(third.answer("GET").status, 200);
}

#[test]
fn many_streams_at_once_all_end_when_they_are_left() {
    let server = Server::start(&[]);
    let path = |number: usize| {
        let (file, rank) = (b'a' + (number % 10) as u8, number / 10 % 10 + 1);
        format!("/api/v1/position/events?time=1m&p=10x10:+a1+{}{rank}", file as char)
    };
    let mut streams: Vec<_> = (1..100).map(|number| server.connect().events(&path(number))).collect();
    assert!(streams.iter_mut().all(|events| events.next().unwrap().0 == "analysis"));
    assert_eq!(server.count("isolde_event_streams"), 99);
    drop(streams);
    server.wait_for_load((0, 0));
    server.wait_until("end of the streams", || server.count("isolde_event_streams") == 0);
    wait_until_alone(&server);
}
