//! Chromium, driven by the WebDriver protocol: <https://www.w3.org/TR/webdriver2/>.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Value, json};

use super::process::Process;
use crate::support;

/// Everything in the browser must happen within this time. It is long, because the machine may be
/// busy, and short enough that a fault is reported while somebody waits for it.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The name under which the protocol returns elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

fn browser() -> PathBuf {
    std::env::var_os("ISOLDE_TEST_BROWSER").unwrap_or_else(|| "chromium".into()).into()
}

fn driver() -> PathBuf {
    std::env::var_os("ISOLDE_TEST_DRIVER").unwrap_or_else(|| "chromedriver".into()).into()
}

/// What is missing on this machine, if anything is.
pub(super) fn missing() -> Option<&'static str> {
    static MISSING: OnceLock<Option<String>> = OnceLock::new();
    let runs = |program: &Path| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    let missing = MISSING.get_or_init(|| {
        let program = [browser(), driver()].into_iter().find(|program| !runs(program))?;
        Some(format!("{} does not run", program.display()))
    });
    missing.as_deref()
}

/// The path of a program, as ChromeDriver wants it.
fn full_path(program: PathBuf) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(&program)).find(|path| path.is_file());
    found.unwrap_or(program)
}

/// A Chromium with a profile of its own and one window.
pub(super) struct Browser {
    agent: ureq::Agent,
    session: String,
    // Dropped in this order: first the programs end, then their folder goes.
    _driver: Process,
    _profile: tempfile::TempDir,
}

impl Browser {
    pub(super) fn start() -> Browser {
        let profile = support::folder();
        let mut driver = Process::start(&driver(), &["--port=0"], profile.path());
        let port: u16 =
            driver.line_with(|line| line.split_once(" on port ")?.1.trim_end_matches('.').parse().ok().filter(|port| *port != 0));
        let config = ureq::Agent::config_builder().http_status_as_error(false).proxy(None).timeout_global(Some(2 * PATIENCE));
        let mut browser = Browser {
            agent: config.build().into(),
            session: format!("http://127.0.0.1:{port}/session"),
            _driver: driver,
            _profile: profile,
        };
        let options = json!({
            "binary": full_path(self::browser()),
            "args": [
                "--headless=new",
                "--window-size=1280,900",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-extensions",
                "--disable-sync",
                "--disable-breakpad",
                // A test steps through more positions in a second than a person.
                "--disable-ipc-flooding-protection",
                "--no-first-run",
                "--no-proxy-server",
                "--force-color-profile=srgb",
                format!("--user-data-dir={}", browser._profile.path().join("profile").display()),
            ],
        });
        let patience = PATIENCE.as_millis() as u64;
        let wanted = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": 2 * patience, "pageLoad": patience},
            "unhandledPromptBehavior": "ignore",
        });
        let session = browser.post("", &json!({"capabilities": {"alwaysMatch": wanted}}));
        browser.session += &format!("/{}", session["sessionId"].as_str().expect("a session has a name"));
        browser
    }

    /// A command of the protocol, and its answer.
    fn command(&self, request: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Value, String> {
        let mut answer = request.map_err(|fault| format!("the browser does not answer: {fault}"))?;
        let text = answer.body_mut().with_config().limit(100_000_000).read_to_string().map_err(|fault| fault.to_string())?;
        let mut answered: Value = serde_json::from_str(&text).map_err(|fault| format!("{fault}: {text}"))?;
        let value = answered["value"].take();
        if answer.status().is_success() { Ok(value) } else { Err(format!("{}: {}", value["error"], value["message"])) }
    }

    fn try_post(&self, path: &str, parameters: &Value) -> Result<Value, String> {
        self.command(self.agent.post(format!("{}{path}", self.session)).send(parameters.to_string()))
    }

    pub(super) fn post(&self, path: &str, parameters: &Value) -> Value {
        self.try_post(path, parameters).unwrap_or_else(|fault| panic!("{path} {parameters}: {fault}"))
    }

    pub(super) fn get(&self, path: &str) -> Value {
        let answer = self.command(self.agent.get(format!("{}{path}", self.session)).call());
        answer.unwrap_or_else(|fault| panic!("{path}: {fault}"))
    }

    fn delete(&self, path: &str) {
        let answer = self.command(self.agent.delete(format!("{}{path}", self.session)).call());
        answer.unwrap_or_else(|fault| panic!("{path}: {fault}"));
    }

    /// Closes the window and opens a new one. Nothing of the old one is left: no page, no history,
    /// no message in the console, no emulated screen, no permission.
    pub(super) fn replace_window(&self) {
        let new = self.post("/window/new", &json!({"type": "tab"}));
        self.devtools("Browser.resetPermissions", &json!({}));
        self.delete("/window");
        self.post("/window", &json!({"handle": new["handle"]}));
        self.console();
    }

    /// The path of the only or first element that a CSS selector finds.
    pub(super) fn element(&self, selector: &str) -> String {
        let found = self.post("/element", &json!({"using": "css selector", "value": selector}));
        format!("/element/{}", found[ELEMENT].as_str().expect("an element has a name"))
    }

    /// The reference to an element, as an argument of other commands.
    pub(super) fn reference(&self, selector: &str) -> Value {
        self.post("/element", &json!({"using": "css selector", "value": selector}))
    }

    /// A command of Chromium's own protocol: <https://chromedevtools.github.io/devtools-protocol/>.
    pub(super) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// What was written to the console since the last call.
    pub(super) fn console(&self) -> Vec<Value> {
        self.post("/se/log", &json!({"type": "browser"})).as_array().cloned().unwrap_or_default()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium ends in an orderly way, so that its folder can be removed.
        let _ = self.command(self.agent.delete(&self.session).call());
    }
}
