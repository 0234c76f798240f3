//! Pictures as SVG: what is in them, and that they are XML.

use std::fs;
use std::path::Path;

use isolde::{Player, Position, drawing};
use proptest::prelude::*;

use crate::support::generators::any_position;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Checks that a text is one XML element: tags are closed in the order in which they were opened,
/// attributes have a value in quotes and stand once in a tag, and no character stands bare that XML
/// reserves. Our pictures use nothing else of XML.
fn check_xml(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim_end();
    let mut roots = 0;
    while !rest.is_empty() {
        let (text, behind) = rest.split_once('<').unwrap_or((rest, ""));
        if text.contains(['&', '>']) || (open.is_empty() && !text.trim().is_empty()) {
            return Err(format!("bare text {text:?}"));
        }
        if behind.is_empty() {
            break;
        }
        let (tag, behind) = behind.split_once('>').ok_or("a tag has no end")?;
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let (tag, is_closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        check_attributes(attributes).map_err(|fault| format!("<{tag}>: {fault}"))?;
        roots += usize::from(open.is_empty());
        if !is_closed {
            open.push(name);
        }
    }
    match (open.as_slice(), roots) {
        ([], 1) => Ok(()),
        ([], _) => Err(format!("{roots} roots")),
        (open, _) => Err(format!("not closed: {open:?}")),
    }
}

fn check_attributes(text: &str) -> Result<(), String> {
    let mut names = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or_else(|| format!("{rest:?} has no value"))?;
        let (value, behind) = value.split_once('"').ok_or_else(|| format!("{name} is not closed"))?;
        let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        if !is_name || value.contains(['<', '&']) || names.contains(&name) {
            return Err(format!("{name}={value:?}"));
        }
        names.push(name);
        rest = match behind.strip_prefix(' ') {
            Some(next) if !next.is_empty() => next,
            _ if behind.is_empty() => "",
            _ => return Err(format!("{behind:?} behind {name}")),
        };
    }
    Ok(())
}

#[test]
fn what_is_not_xml_is_noticed() {
    assert_eq!(check_xml("<a><b c=\"1\" d=\"\"/>text</a>\n"), Ok(()));
    for wrong in ["", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a><b></a></b>", "<a b/>", "<a b=1/>", "<a b=\"1\"c=\"2\"/>"]
    {
        assert!(check_xml(wrong).is_err(), "{wrong}");
    }
    for wrong in ["<a b=\"1\" b=\"2\"/>", "<a>a & b</a>", "<a b=\"<\"/>", "<a", "<a b=\"1/>", "<a> > </a>", "x<a/>"] {
        assert!(check_xml(wrong).is_err(), "{wrong}");
    }
}

/// The picture of one position, byte for byte.
#[test]
fn a_position_is_drawn_as_before() {
    let position: Position = "7x7: d4 b3 f5 c5".parse().unwrap();
    let golden = fs::read_to_string(project().join("tests/data/position.svg")).unwrap();
    let advice = "if the picture is better, `isolde show \"7x7: d4 b3 f5 c5\" --svg tests/data/position.svg` writes it again";
    assert!(drawing::svg(&position) == golden, "{advice}");
}

#[test]
fn the_pictures_in_the_docs_are_xml() {
    for name in ["7x7-openings.svg", "8x8-openings.svg"] {
        let map = fs::read_to_string(project().join("docs").join(name)).unwrap();
        assert_eq!(check_xml(&map), Ok(()), "{name}");
    }
}

#[test]
fn the_title_says_whose_turn_it_is() {
    for (text, title) in [
        ("7x7", "7x7: first to place"),
        ("7x7: d4", "7x7: second to place"),
        ("7x7: d4 b3", "7x7: first to move"),
        ("3x3: b2 a1", "3x3: second has won"),
    ] {
        let svg = drawing::svg(&text.parse().unwrap());
        assert!(svg.contains(&format!("\n<title>{title}</title>\n")), "{text}: {svg}");
    }
}

proptest! {
    /// Every cell, every blocked cell and every knight is drawn once, whatever the position.
    #[test]
    fn a_picture_has_everything_that_is_on_the_board(position in any_position::<u128>()) {
        let svg = drawing::svg(&position);
        prop_assert_eq!(check_xml(&svg), Ok(()));
        let count = |part: &str| svg.matches(part).count();
        let (size, setup) = (position.size(), position.setup());
        let framed = usize::from(position.knight(position.turn()).is_some());
        // The ground, the cells, the outline of the board, and the frame of the mover.
        prop_assert_eq!(count("<rect "), 1 + size.cells() + 1 + framed);
        let crosses = count("stroke-width=\"3\"/>") - framed;
        prop_assert_eq!(crosses, setup.blocked.len());
        prop_assert_eq!(count("<text "), size.files() + size.ranks());
        for player in Player::BOTH {
            let drawn = count(&format!("<title>{player}</title>"));
            prop_assert_eq!(drawn, usize::from(position.knight(player).is_some()));
        }
    }
}
