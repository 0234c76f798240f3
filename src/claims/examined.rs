//! A claim beside what was found about it, as an answer.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Claim;
use super::verdict::Judgement;

/// A claim and what was found about it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Examined {
    /// The claim's name.
    pub id: &'static str,
    /// The report that it comes from.
    pub source: &'static str,
    /// What it says, in one sentence.
    pub says: &'static str,
    /// What the report says, in our words.
    pub published: &'static str,
    /// What is examined.
    pub reading: &'static str,
    /// What was found.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// The command that computes it again.
    pub command: String,
    /// Whether it was examined at all. Long claims are left out unless they are asked for.
    pub asked: bool,
}

impl Examined {
    /// A claim and what was found about it.
    #[must_use]
    pub fn new(claim: &Claim, judgement: Judgement, asked: bool) -> Self {
        let Claim { id, source, says, published, reading, .. } = *claim;
        Self { id, source, says, published, reading, judgement, command: format!("isolde claims {id}"), asked }
    }
}

/// What was found about all claims: the JSON of a list of [`Examined`].
///
/// To examine all claims takes a minute. So the answer of `isolde claims --all --json` is kept in
/// `docs/claims.json`. A test compares it with what the program finds.
pub const FINDINGS: &str = include_str!("../../docs/claims.json");

/// What was found about one claim, as JSON: its part of [`FINDINGS`]. `None` if there is no claim
/// of this name.
#[must_use]
pub fn finding(id: &str) -> Option<&'static str> {
    #[derive(Deserialize)]
    struct Named<'a> {
        id: &'a str,
    }
    let findings: Vec<&'static RawValue> = serde_json::from_str(FINDINGS).ok()?;
    let is_wanted = |finding: &&&RawValue| serde_json::from_str(finding.get()).is_ok_and(|named: Named<'_>| named.id == id);
    findings.iter().find(is_wanted).map(|finding| finding.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::claims;

    #[test]
    fn every_claim_has_its_finding() {
        let all: Vec<serde_json::Value> = serde_json::from_str(FINDINGS).unwrap();
        let ids: Vec<&str> = all.iter().filter_map(|finding| finding["id"].as_str()).collect();
        assert_eq!(ids, claims().map(|claim| claim.id).collect::<Vec<_>>());
        for (claim, found) in claims().zip(&all) {
            let one: serde_json::Value = serde_json::from_str(finding(claim.id).unwrap()).unwrap();
            assert_eq!(one, *found);
            let texts = [&found["source"], &found["says"], &found["published"], &found["reading"]];
            assert_eq!(texts, [claim.source, claim.says, claim.published, claim.reading], "{}", claim.id);
            assert!(found["asked"] == true && found["verdict"] != "not decided", "{}", claim.id);
        }
        assert_eq!(finding("no-such-claim"), None);
    }
}
