//! What the canonical form of stored records promises, and the texts and digests of `ports/tests/golden/stored.txt`.

use domain::{Canonical as _, Digest, Product};

use super::FORM;
use crate::any_record::AnyRecord;
use crate::contract::later::{Later, LaterProduct};
use crate::contract::sample;
use crate::record::{Stored, Version};

const FILE: &str = include_str!("../../tests/golden/stored.txt");

fn stored<T>(value: T) -> Stored<T> {
    Stored { value, created: sample::at(-3), updated: sample::at(5), version: Version(12) }
}

/// A record of each kind with what must be there, and one with every member.
fn records() -> Vec<(&'static str, AnyRecord)> {
    let (product, model) = (sample::product(1), sample::filled_model(2));
    let factor = sample::factor(1, &product, "2025-01-01");
    let below = |mut org: domain::Org| {
        org.parent = Some(sample::org(2).id);
        org.sync_id = Some(sample::sync_id("Ö1"));
        org
    };
    vec![
        ("a scope", AnyRecord::Scope(stored(sample::scope(1)))),
        ("an org", AnyRecord::Org(stored(sample::org(1)))),
        ("an org below another", AnyRecord::Org(stored(below(sample::org(1))))),
        ("a taxonomy", AnyRecord::Taxonomy(stored(sample::taxonomy(1, "travel")))),
        ("a product", AnyRecord::Product(stored(product.clone()))),
        ("a factor", AnyRecord::Factor(stored(factor.clone()))),
        ("a factor that corrects another", AnyRecord::Factor(stored(sample::correction(2, &product, &factor)))),
        ("a model", AnyRecord::Model(stored(sample::model(1)))),
        ("a model with blocks", AnyRecord::Model(stored(model.clone()))),
        ("an input without CO2e", AnyRecord::Input(stored(sample::input(1, &model, &product, 3)))),
        ("an input with every member", AnyRecord::Input(stored(sample::filled_input(2, &model, &product, &factor)))),
        ("a switch", AnyRecord::Switch(stored(sample::switch(1, &[])))),
        ("a switch made from a model", AnyRecord::Switch(stored(sample::switch(2, &[model.id])))),
        ("a footprint", AnyRecord::Footprint(stored(sample::footprint(1)))),
        ("a footprint with every field", AnyRecord::Footprint(stored(sample::filled_footprint(2)))),
        ("a closed period", AnyRecord::ClosedPeriod(stored(sample::closed_period(1)))),
        ("an exclusion", AnyRecord::Exclusion(stored(sample::exclusion(1)))),
        ("a partner", AnyRecord::Partner(stored(sample::partner(1)))),
        ("a sharing", AnyRecord::Sharing(stored(sample::sharing(1)))),
        ("an activity", AnyRecord::Activity(stored(sample::activity(1)))),
        ("an activity with every member", AnyRecord::Activity(stored(sample::filled_activity(2)))),
    ]
}

#[test]
fn texts_and_digests_are_those_of_the_file() {
    let line = |(what, record): &(_, AnyRecord)| format!("# {what}\n{}\n{}\n", record.canonical(), record.digest());
    let written: String = records().iter().map(line).collect();
    assert!(written == FILE, "the file should be:\n{written}");
}

#[test]
fn every_record_is_read_back_and_has_the_digest_of_its_text() {
    for (what, record) in records() {
        let text = record.canonical();
        assert_eq!(AnyRecord::from_canonical((), &text), Ok(record.clone()), "{what}");
        assert_eq!(record.digest(), Digest::of(text.as_bytes()), "{what}");
    }
}

#[test]
fn no_text_has_a_member_twice() {
    /// The names of the members of each object, by where the object begins.
    fn check(text: &str) {
        let mut open: Vec<Vec<&str>> = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}', '"']) {
            let token = &rest[at..=at];
            rest = &rest[at + 1..];
            match token {
                "{" => open.push(Vec::new()),
                "}" => {
                    let mut names = open.pop().unwrap();
                    names.sort_unstable();
                    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?} of {text}");
                }
                _ => {
                    let mut escaped = false;
                    let end = rest.find(|c| {
                        let ends = c == '"' && !escaped;
                        escaped = c == '\\' && !escaped;
                        ends
                    });
                    let string = &rest[..end.unwrap()];
                    rest = &rest[string.len() + 1..];
                    if rest.starts_with(':') {
                        open.last_mut().unwrap().push(string);
                    }
                }
            }
        }
    }
    for (_, record) in records() {
        check(&record.canonical());
    }
}

#[test]
fn another_form_kind_or_spelling_is_refused() {
    let text = stored(sample::product(1)).canonical();
    for (from, to, wrong) in [
        (
            "\"form\":1",
            "\"form\":2",
            "the text has form 2, and this version of Tonne reads form 1: use the version that wrote it",
        ),
        ("\"kind\":\"product\"", "\"kind\":\"org\"", "the text is of the kind org, not product"),
        ("\"kind\":\"product\"", "\"kind\":\"thing\"", "/kind is \"thing\", which is not known"),
        ("\"version\":12", "\"version\":\"12\"", "/version is not a whole number"),
        (
            "\"unit\":\"kg\"",
            "\"unit\":\"kilogram\"",
            "/content/unit is not written in the canonical form, which is \"kg\"",
        ),
        (".000Z", "Z", "/created is not written in the canonical form, which is \"2024-12-31T23:59:57.000Z\""),
    ] {
        assert!(text.contains(from), "{from}");
        let refused = Stored::<Product>::from_canonical((), &text.replacen(from, to, 1)).unwrap_err();
        assert_eq!(refused.to_string(), wrong);
    }
    assert_eq!(FORM, 1);
}

#[test]
fn a_member_that_comes_later_leaves_the_record_line_and_digest_of_the_file_as_they_are() {
    let lines: Vec<&str> = FILE.lines().skip_while(|line| *line != "# a product").take(3).collect();
    let (text, digest) = (lines[1], lines[2]);
    let mut later = Stored::<LaterProduct>::from_canonical((), text).unwrap();
    assert_eq!(later.value, LaterProduct { product: sample::product(1), colour: None });
    assert_eq!((later.canonical(), later.digest().to_string()), (text.to_owned(), digest.to_owned()));

    later.value.colour = Some(sample::name("red"));
    let coloured = later.canonical();
    assert_eq!(coloured, text.replace(r#""unit":"kg"}"#, r#""unit":"kg","colour":"red"}"#));
    assert_eq!(Stored::<LaterProduct>::from_canonical((), &coloured), Ok(later));
    let refused = Stored::<Product>::from_canonical((), &coloured).unwrap_err();
    assert_eq!(refused.path(), "/content/colour");
}

#[test]
fn a_member_that_comes_later_around_the_content_leaves_every_digest_as_it_is() {
    for (what, record) in records() {
        let (text, digest) = (record.canonical(), record.digest());
        let later = Later::<AnyRecord>::from_canonical((), &text).unwrap();
        assert_eq!((later.canonical(), later.digest()), (text, digest), "{what}");
    }
}
