//! Which requests are meant for this server.
//!
//! A page of another site can make a browser send requests here: by a name that it has pointed to
//! this machine (DNS rebinding), or simply across sites. So the server answers only under its own
//! names, and other sites can do no more than link to its page.

use std::net::{IpAddr, SocketAddr};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};

use super::fault::Fault;
use crate::game::notation::quoted;

/// The names of this server.
pub(super) struct Hosts {
    address: SocketAddr,
    /// Further names, in small letters.
    named: Vec<String>,
}

impl Hosts {
    pub(super) fn new(address: SocketAddr, named: &[String]) -> Self {
        Self { address, named: named.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// An error unless the request is meant for this server.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Fault> {
        let mut given = headers.get_all(header::HOST).iter();
        let host = given.next().and_then(|host| host.to_str().ok());
        let in_uri = uri.authority().map(Authority::as_str);
        let is_one = given.next().is_none() && host.is_some_and(|host| self.is_ours(host));
        if !is_one || in_uri.is_some_and(|host| !self.is_ours(host)) {
            let found = quoted(in_uri.or(host).unwrap_or_default());
            let sentence = format!("this server is not {found}: it is {}", self.address);
            return Err(Fault::new(StatusCode::MISDIRECTED_REQUEST, sentence));
        }
        let says = |name: &str, value: &str| headers.get(name).is_some_and(|found| found.as_bytes() == value.as_bytes());
        // A link leads to the page. A frame that leads to the API would start searches.
        let is_page = !uri.path().starts_with("/api/") && uri.path() != "/metrics";
        if says("sec-fetch-site", "cross-site") && !(is_page && says("sec-fetch-mode", "navigate")) {
            return Err(Fault::new(StatusCode::FORBIDDEN, "a page of another site may link to the page, but not ask here"));
        }
        Ok(())
    }

    fn is_ours(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        if self.named.contains(&host) {
            return true;
        }
        // A browser leaves out the port 80.
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host.as_str(), Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address: Option<IpAddr> = literal.map_or_else(|| name.parse().ok(), |name| name.parse().ok());
        match address {
            // A host that is an IP address cannot have been pointed here by a name server.
            Some(address) => address.is_loopback() || address == self.address.ip() || self.address.ip().is_unspecified(),
            None => name == "localhost" || self.named.iter().any(|named| named == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str, named: &[&str]) -> Hosts {
        let named: Vec<String> = named.iter().map(ToString::to_string).collect();
        Hosts::new(address.parse().expect("an address"), &named)
    }

    #[test]
    fn the_names_of_this_machine_are_ours_with_our_port() {
        let hosts = hosts("127.0.0.1:7349", &[]);
        for ours in ["127.0.0.1:7349", "localhost:7349", "LocalHost:7349", "[::1]:7349"] {
            assert!(hosts.is_ours(ours), "{ours}");
        }
        for other in
            ["127.0.0.1", "127.0.0.1:80", "localhost", "example.org:7349", "10.0.0.1:7349", "[::1]", "", ":7349", "[:7349"]
        {
            assert!(!hosts.is_ours(other), "{other}");
        }
    }

    #[test]
    fn further_names_come_with_any_port_that_was_named() {
        let hosts = hosts("127.0.0.1:7349", &["explorer.example.org", "other.example:8443"]);
        for ours in ["explorer.example.org", "Explorer.example.org:7349", "other.example:8443"] {
            assert!(hosts.is_ours(ours), "{ours}");
        }
        for other in ["explorer.example.org:1", "other.example", "example.org"] {
            assert!(!hosts.is_ours(other), "{other}");
        }
    }

    #[test]
    fn a_server_on_all_addresses_is_known_by_each_of_them() {
        let hosts = hosts("0.0.0.0:80", &[]);
        for ours in ["192.168.1.5", "192.168.1.5:80", "[fe80::1]", "localhost"] {
            assert!(hosts.is_ours(ours), "{ours}");
        }
        assert!(!hosts.is_ours("192.168.1.5:8080") && !hosts.is_ours("example.org"));
    }
}
