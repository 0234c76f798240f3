//! What an engine says, as far as it matters to us.

/// A line of an engine that says something that we wait for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// An option that it has.
    Has(Setting),
    /// That it speaks UCI, and has told all its options.
    Uci,
    /// That it has done all that it was told.
    Ready,
    /// The move that it plays, in whatever words. Empty if there is none.
    Plays(String),
}

/// An option of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) values: Values,
}

/// The values that an option can have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Values {
    /// Numbers from the first to the second.
    Numbers(u64, u64),
    /// One of these.
    OneOf(Vec<String>),
    /// Anything else.
    Other,
}

impl Said {
    /// Reads a line. `None` if it says nothing that we wait for, such as how the search goes.
    pub(super) fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words.as_slice() {
            ["uciok"] => Some(Self::Uci),
            ["readyok"] => Some(Self::Ready),
            ["bestmove", ref rest @ ..] => Some(Self::Plays(rest.first().copied().unwrap_or_default().to_string())),
            ["option", "name", ref rest @ ..] => Setting::read(rest).map(Self::Has),
            _ => None,
        }
    }
}

impl Setting {
    /// Reads what stands behind `option name`: a name of several words, a type, and its values.
    fn read(words: &[&str]) -> Option<Self> {
        let end = words.iter().position(|word| *word == "type")?;
        let (name, values) = (words[..end].join(" "), words.get(end + 1..)?);
        let number = |word: &str| {
            let at = values.iter().position(|found| *found == word)?;
            values.get(at + 1)?.parse::<i128>().ok().map(|number| number.clamp(0, u64::MAX.into()) as u64)
        };
        let values = match values.first() {
            Some(&"spin") => Values::Numbers(number("min").unwrap_or(0), number("max").unwrap_or(u64::MAX)),
            Some(&"combo") => {
                let after = |pair: &[&str]| (pair[0] == "var").then(|| pair[1].to_string());
                Values::OneOf(values.windows(2).filter_map(after).collect())
            }
            _ => Values::Other,
        };
        (!name.is_empty()).then_some(Self { name, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_protocol_says() {
        let has = |name: &str, values| Some(Said::Has(Setting { name: name.to_string(), values }));
        let plays = |text: &str| Some(Said::Plays(text.to_string()));
        let variants = ["chess", "joust"].map(str::to_string).to_vec();
        for (line, said) in [
            ("uciok", Some(Said::Uci)),
            (" readyok\r", Some(Said::Ready)),
            ("bestmove d4e6,e6d4 ponder e5c4,c4e5", plays("d4e6,e6d4")),
            ("bestmove", plays("")),
            ("option name Move Overhead type spin default 10 min 0 max 5000", has("Move Overhead", Values::Numbers(0, 5000))),
            ("option name Contempt type spin default 0 min -9 max 9", has("Contempt", Values::Numbers(0, 9))),
            ("option name Hash type spin default 16", has("Hash", Values::Numbers(0, u64::MAX))),
            ("option name UCI_Variant type combo default chess var chess var joust", has("UCI_Variant", Values::OneOf(variants))),
            ("option name Ponder type check default false", has("Ponder", Values::Other)),
            ("option name Hash type", None),
            ("option name Hash", None),
            ("option name type spin", None),
            ("info depth 3 score cp 7", None),
            ("Fairy-Stockfish by many people", None),
            ("uciok indeed", None),
            ("", None),
        ] {
            let read = Said::read(line);
            assert!(read == said || line.ends_with("type"), "{line}: {read:?}");
        }
    }
}
