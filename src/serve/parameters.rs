//! The parameters of a request: what stands after the question mark of its address.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::fault::Fault;
use crate::game::notation::{Written, quoted};

/// The parameters, each given at most once.
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads the parameters of an address. Those that nobody asked for are errors: a misspelt name
    /// would be overlooked otherwise.
    pub(super) fn read(query: Option<&str>, known: &[&str]) -> Result<Self, Fault> {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        let mut found: Vec<(String, String)> = Vec::new();
        for (name, value) in pairs {
            if !known.contains(&name.as_ref()) {
                let known =
                    if known.is_empty() { "there are none here".to_string() } else { format!("write {}", known.join(", ")) };
                return Err(Fault::input(format!("there is no parameter {}: {known}", quoted(&name))));
            }
            if found.iter().any(|(other, _)| *other == name) {
                return Err(Fault::input(format!("the parameter {name} is given twice: write it once")));
            }
            found.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(found))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The position that the request is about.
    pub(super) fn position(&self) -> Result<Written, Fault> {
        let Some(text) = self.get("p") else {
            return Err(Fault::input("the parameter p is missing: write a position, such as p=7x7:+d4+b3"));
        };
        Ok(text.parse()?)
    }

    /// A time that is not longer than the server allows.
    pub(super) fn time(&self, name: &str, default: Duration, most: Duration) -> Result<Duration, Fault> {
        let Some(text) = self.get(name) else {
            return Ok(default.min(most));
        };
        let time = humantime::parse_duration(text)
            .map_err(|_| Fault::input(format!("{name}={}: write a time such as 150ms, 2s or 1m", quoted(text))))?;
        if time > most {
            let most = humantime::format_duration(most);
            return Err(Fault::input(format!("{name}={text} is too long: this server allows {most}")));
        }
        Ok(time)
    }

    /// A number in a range.
    pub(super) fn number(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Fault> {
        let read = |text: &str| text.parse().ok().filter(|number| range.contains(number));
        let wrong = |text: &str| {
            let (least, most) = (range.start(), range.end());
            Fault::input(format!("{name}={}: write a number from {least} to {most}", quoted(text)))
        };
        self.get(name).map(|text| read(text).ok_or_else(|| wrong(text))).transpose()
    }

    /// Whether a switch is on: it is there without a value, or with 1 or true.
    pub(super) fn switch(&self, name: &str) -> Result<bool, Fault> {
        match self.get(name) {
            None | Some("0" | "false") => Ok(false),
            Some("" | "1" | "true") => Ok(true),
            Some(other) => Err(Fault::input(format!("{name}={}: write 1 or 0", quoted(other)))),
        }
    }
}
