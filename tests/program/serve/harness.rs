//! A server that runs, and a client that speaks HTTP by hand: the tests want to see every byte, and
//! to leave whenever they like.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A position that nobody solves in a minute.
pub(super) const HARD: &str = "10x10:+a1+c4";

/// A running server. It ends with the test.
pub(super) struct Server {
    pub(super) child: Child,
    pub(super) address: SocketAddr,
}

impl Server {
    /// Starts the program on a free port, with these further options.
    pub(super) fn start(options: &[&str]) -> Self {
        let mut command = Command::new(cargo_bin!("isolde"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--metrics", "--threads", "1"]).args(options);
        Self::adopt(command.current_dir(env!("CARGO_MANIFEST_DIR")).stdout(Stdio::piped()).spawn().unwrap())
    }

    /// A server that was just started, and is about to print its address.
    pub(super) fn adopt(mut child: Child) -> Self {
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").unwrap_or_else(|| panic!("`{line}` is no address"));
        Self { address: address.parse().unwrap(), child }
    }

    pub(super) fn connect(&self) -> Client {
        Client::connect(self.address)
    }

    /// The answer to one request, on a connection of its own.
    pub(super) fn get(&self, path: &str) -> Answer {
        self.connect().get(path)
    }

    /// The data of an answer, whose status is 200.
    pub(super) fn data(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// The searches that run and that wait.
    pub(super) fn load(&self) -> (u64, u64) {
        let searches = self.data("/api/v1/health")["searches"].clone();
        (searches["running"].as_u64().unwrap(), searches["waiting"].as_u64().unwrap())
    }

    /// Waits for a load. The searches are longer than the tests, so only what the tests do can
    /// bring it about.
    pub(super) fn wait_for_load(&self, load: (u64, u64)) {
        self.wait_until(&format!("load of {load:?}"), || self.load() == load);
    }

    /// Waits until something holds.
    pub(super) fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let begun = std::time::Instant::now();
        while !holds() {
            assert!(begun.elapsed() < PATIENCE, "no {what}; load {:?}", self.load());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until the program has ended.
    pub(super) fn end(&mut self) -> ExitStatus {
        let begun = std::time::Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the server goes on");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// What the server has counted.
    pub(super) fn count(&self, name: &str) -> u64 {
        let text = self.get("/metrics").text();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in\n{text}")).parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection to the server.
pub(super) struct Client {
    pub(super) stream: BufReader<TcpStream>,
    host: String,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|fault| panic!("{fault} in {}", self.text()))
    }

    /// The sentence of an error.
    pub(super) fn error(&self) -> String {
        let data = self.json();
        assert_eq!(data.as_object().map(serde_json::Map::len), Some(1), "{data}");
        data["error"].as_str().unwrap_or_else(|| panic!("no error in {data}")).to_string()
    }
}

impl Client {
    pub(super) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self { stream: BufReader::new(stream), host: address.to_string() }
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// Sends a request without a body.
    pub(super) fn request(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) {
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text += &format!("Host: {}\r\n", self.host);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        self.send((text + "\r\n").as_bytes()).unwrap();
    }

    pub(super) fn get(&mut self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    pub(super) fn get_with(&mut self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", path, headers)
    }

    pub(super) fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.request(method, path, headers);
        self.answer(method)
    }

    pub(super) fn post(&mut self, path: &str, body: &[u8]) -> Answer {
        let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n", self.host, body.len());
        self.send(head.as_bytes()).unwrap();
        // The server may refuse before it has read everything.
        let _ = self.send(body);
        self.answer("POST")
    }

    /// Reads an answer.
    pub(super) fn answer(&mut self, method: &str) -> Answer {
        let (status, headers) = self.head().expect("there is an answer");
        let mut answer = Answer { status, headers, body: Vec::new() };
        if method == "HEAD" || status == 304 {
            return answer;
        }
        if answer.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk() {
                answer.body.extend(chunk);
            }
        } else {
            let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
            answer.body.resize(length, 0);
            self.stream.read_exact(&mut answer.body).unwrap();
        }
        answer
    }

    /// The status and the headers, their names in small letters. `None` if the connection was
    /// closed.
    pub(super) fn head(&mut self) -> Option<(u16, Vec<(String, String)>)> {
        let status = self.line()?.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Some((status, headers));
            }
            let (name, value) = line.split_once(':').expect("a header");
            headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
        }
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).unwrap_or(0);
        (read > 0).then(|| line.trim_end().to_string())
    }

    /// The next part of an answer that comes in parts. `None` at its end, or if the connection is
    /// closed.
    pub(super) fn chunk(&mut self) -> Option<Vec<u8>> {
        let length = usize::from_str_radix(&self.line()?, 16).expect("the length of a part");
        let mut chunk = vec![0; length + 2];
        self.stream.read_exact(&mut chunk).unwrap();
        chunk.truncate(length);
        (length > 0).then_some(chunk)
    }

    /// Asks for events.
    pub(super) fn events(mut self, path: &str) -> Events {
        self.request("GET", path, &[]);
        let (status, headers) = self.head().expect("there is an answer");
        let kind = headers.iter().find(|(name, _)| name == "content-type").map(|(_, value)| value.as_str());
        assert_eq!((status, kind), (200, Some("text/event-stream")));
        Events(self)
    }

    /// Whether the server has closed the connection. Waits for that.
    pub(super) fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        match self.stream.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(fault) => fault.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }

    /// Sends no more, and reads on.
    pub(super) fn finish(&mut self) {
        self.stream.get_ref().shutdown(Shutdown::Write).unwrap();
    }
}

/// A stream of events. Dropping it leaves.
pub(super) struct Events(Client);

impl Iterator for Events {
    type Item = (String, Value);

    /// The next event, by name and with its data.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let chunk = String::from_utf8(self.0.chunk()?).unwrap();
            if chunk.starts_with(':') {
                continue;
            }
            let lines: Vec<&str> = chunk.lines().collect();
            let [name, data, ""] = lines[..] else { panic!("`{chunk}` is no event") };
            let name = name.strip_prefix("event: ").expect("a name").to_string();
            return Some((name, serde_json::from_str(data.strip_prefix("data: ").expect("data")).unwrap()));
        }
    }
}
