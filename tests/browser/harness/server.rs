//! `isolde serve`, as a user starts it.

use std::path::Path;

use serde_json::Value;

use super::process::Process;
use crate::support;

/// The program, in an empty folder and without anybody's own tables.
pub(crate) fn program() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_isolde"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).env("XDG_DATA_HOME", "/nowhere").env("HOME", "/nowhere");
    command.env_remove("ISOLDE_TABLES");
    command
}

/// A text as part of an address.
pub(crate) fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// A server on a free port of this machine.
pub(crate) struct Server {
    process: Option<Process>,
    options: Vec<String>,
    address: String,
    folder: tempfile::TempDir,
}

impl Server {
    pub(super) fn start(options: &[&str]) -> Server {
        let options = options.iter().map(ToString::to_string).collect();
        let mut server = Server { process: None, options, address: "http://127.0.0.1:0".into(), folder: support::folder() };
        server.start_again();
        server
    }

    /// Where the server is: `http://127.0.0.1:PORT`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Ends the server at once, as when its machine is switched off.
    pub(crate) fn stop(&mut self) {
        self.process = None;
    }

    /// Ends the server as it ends itself, which it does when it gets the signal SIGTERM.
    pub(crate) fn terminate(&mut self) {
        self.process.take().expect("a server that runs").terminate();
    }

    /// Starts the server at the address that it had before.
    pub(crate) fn start_again(&mut self) {
        let listen = self.address.trim_start_matches("http://").to_string();
        let mut arguments = vec!["serve", "--listen", &listen];
        arguments.extend(self.options.iter().map(String::as_str));
        let mut process = Process::start(Path::new(env!("CARGO_BIN_EXE_isolde")), &arguments, self.folder.path());
        self.address = process.line_with(|line| Some(line[line.find("http://127.0.0.1:")?..].trim_end_matches('/').to_string()));
        self.process = Some(process);
    }

    /// The server's answer to a question, as programs ask it.
    pub(crate) fn ask(&self, path: &str, parameters: &[(&str, &str)]) -> Value {
        let (status, answer) = self.get(path, parameters);
        assert_eq!(status, 200, "{path} {parameters:?}: {answer}");
        answer
    }

    /// The sentence with which the server refuses a question.
    pub(crate) fn refusal(&self, path: &str, parameters: &[(&str, &str)]) -> String {
        let (status, answer) = self.get(path, parameters);
        assert_eq!(status, 400, "{path} {parameters:?}: {answer}");
        answer["error"].as_str().expect("a sentence").to_string()
    }

    fn get(&self, path: &str, parameters: &[(&str, &str)]) -> (u16, Value) {
        let query: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        let config = ureq::Agent::config_builder().http_status_as_error(false).proxy(None);
        let agent: ureq::Agent = config.build().into();
        let answer = agent.get(format!("{}{path}?{}", self.address, query.join("&"))).call();
        let mut answer = answer.unwrap_or_else(|fault| panic!("{path}: {fault}"));
        let text = answer.body_mut().read_to_string().expect("the answer is text");
        let data = serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{path}: {fault}: {text}"));
        (answer.status().as_u16(), data)
    }

    /// What the server wrote to standard error.
    pub(super) fn log(&self) -> String {
        self.process.as_ref().map_or_else(|| "(it is stopped)".into(), Process::log)
    }
}
