//! The laws of the canonical form: what is written is read back, and what is read would be written so.

use std::fmt::Debug;

use proptest::prelude::*;
use proptest::sample::Index;
use tonne_domain::{Canonical, CanonicalWriter, Digest};

use super::drawn;

/// Reading what was written gives the value, and the digest is that of the text.
fn comes_back<T: Canonical + Debug + PartialEq>(value: &T, known: T::Known) -> Result<(), TestCaseError> {
    let text = value.canonical();
    prop_assert_eq!(value.digest(), Digest::of(text.as_bytes()));
    let read = T::from_canonical(known, &text).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
    prop_assert_eq!(&read, value);
    Ok(())
}

/// What a text is changed to: a piece left out, doubled or replaced.
#[derive(Clone, Debug)]
struct Edit {
    from: Index,
    to: Index,
    piece: &'static str,
    doubles: bool,
}

fn edit() -> impl Strategy<Value = Edit> {
    let pieces = vec![
        "",
        " ",
        "0",
        "-",
        ".0",
        "\\",
        "\"",
        "\\u0000",
        "\\u0001",
        "\\n",
        "null",
        "[]",
        "{}",
        ",",
        "Z",
        "A",
        "e0",
        "+",
        "\"name\":\"x\"",
        ",\"zzz\":1",
        "é",
        "\u{301}",
    ];
    let piece = prop::sample::select(pieces);
    (any::<Index>(), any::<Index>(), piece, any::<bool>()).prop_map(|(from, to, piece, doubles)| Edit {
        from,
        to,
        piece,
        doubles,
    })
}

impl Edit {
    fn of(&self, text: &str) -> String {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let from = *self.from.get(&places);
        // Half of the pieces are short, since a long one is nearly always noticed.
        let near = places.iter().filter(|at| (from..=from + 2).contains(at)).copied().collect::<Vec<_>>();
        let to = if self.doubles { *self.to.get(&places) } else { *self.to.get(&near) };
        let (from, to) = (from.min(to), from.max(to));
        let doubled = if self.doubles { &text[from..to] } else { "" };
        [&text[..from], doubled, self.piece, doubled, &text[to..]].concat()
    }
}

/// Reading a changed text fails, or gives a value that is written as that text.
fn reads_one_spelling<T: Canonical + Debug>(text: &str, known: T::Known) -> Result<(), TestCaseError> {
    if let Ok(read) = T::from_canonical(known, text) {
        prop_assert_eq!(read.canonical(), text);
    }
    Ok(())
}

macro_rules! laws {
    ($($comes_back:ident, $one_spelling:ident: $drawn:ident, $known:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(96))]
            $(
                #[test]
                fn $comes_back(value in drawn::$drawn()) {
                    comes_back(&value, $known(&value))?;
                }

                #[test]
                fn $one_spelling(value in drawn::$drawn(), edits in prop::collection::vec(edit(), 24)) {
                    fn read<T: Canonical + Debug>(_: &T, text: &str, known: T::Known) -> Result<(), TestCaseError> {
                        reads_one_spelling::<T>(text, known)
                    }
                    let text = value.canonical();
                    for edit in edits {
                        read(&value, &edit.of(&text), $known(&value))?;
                    }
                }
            )*
        }
    };
}

laws! {
    any_activity_comes_back, an_activity_has_one_spelling: activity, |value: &tonne_domain::Activity| value.id;
    any_scope_comes_back, a_scope_has_one_spelling: scope, |value: &tonne_domain::Scope| value.id;
    any_org_comes_back, an_org_has_one_spelling: org, |value: &tonne_domain::Org| value.id;
    any_taxonomy_comes_back, a_taxonomy_has_one_spelling: taxonomy, |value: &tonne_domain::Taxonomy| value.id;
    any_product_comes_back, a_product_has_one_spelling: product, |value: &tonne_domain::Product| value.id;
    any_factor_comes_back, a_factor_has_one_spelling: factor, tonne_domain::Factor::id;
    any_model_comes_back, a_model_has_one_spelling: model, |value: &tonne_domain::Model| value.id;
    any_input_comes_back, an_input_has_one_spelling: input, |value: &tonne_domain::Input| value.id;
    any_switch_comes_back, a_switch_has_one_spelling: switch, |value: &tonne_domain::Switch| value.id;
    any_factor_set_comes_back, a_factor_set_has_one_spelling: factor_set, |_: &tonne_domain::FactorSet| ();
    any_published_factor_comes_back, a_published_factor_has_one_spelling: published_factor,
        |_: &tonne_domain::PublishedFactor| ();
    any_footprint_comes_back, a_footprint_has_one_spelling: footprint, |value: &tonne_domain::Footprint| value.id;
}

proptest! {
    #[test]
    fn a_digest_is_that_of_the_text_however_long(text in "[^\\x00]{0,40}", times in 0_usize..2000) {
        let texts = vec![text; times];
        let write = |to: &mut CanonicalWriter| to.texts("texts", &texts);
        prop_assert_eq!(CanonicalWriter::digest_of(write), Digest::of(CanonicalWriter::text_of(write).as_bytes()));
    }
}
