//! Charts are groups with a title, a description and links, and hold no inline style.

use domain::Total;
use tonne_web::chart::{
    Column, Columns, HeatRow, Ink, Line, Part, Point, Square, Stroke, Tile, bar, columns, heat, lines, strip, treemap,
};
use tonne_web::figure::{Digits, Numbers};
use tonne_web::{Figures, Locale};

const EVIL: &str = "<script>alert(1)</script>\"' onload=x";

fn total(text: &str) -> Total {
    Total::parse(text).unwrap()
}

fn figures() -> Figures {
    Figures::of(Numbers::new(&Locale::default()), Digits::Fixed, [total("5000")])
}

fn column(amount: &str, compared: Option<&str>) -> Column {
    let parts = vec![
        Part { ink: Ink::Scope1, name: "Scope 1", amount: total(amount) },
        Part { ink: Ink::NoScope, name: "No scope", amount: total("10") },
    ];
    let compared = compared.map(total);
    Column {
        label: EVIL.to_owned(),
        name: EVIL.to_owned(),
        parts,
        compared,
        link: Some("/report?date=2025-01".to_owned()),
    }
}

fn square(count: u64, is_missing: bool) -> Square {
    let link = (count > 0).then(|| "/activities".to_owned());
    Square { says: EVIL.to_owned(), count, is_missing, link }
}

fn all() -> Vec<String> {
    let figures = figures();
    let two = [column("3000", Some("2500")), column("-200", None)];
    let chart = Columns { id: "c", title: EVIL, description: EVIL, columns: &two, figures: &figures };
    let tiles = [Tile { name: EVIL.to_owned(), amount: total("70"), link: Some("/a".to_owned()) }];
    let strokes = [Stroke { says: EVIL.to_owned(), count: 3, link: None, is_chosen: true }];
    let point = Point { amount: total("2"), says: EVIL.to_owned(), link: Some("/b".to_owned()) };
    let line = Line { name: EVIL.to_owned(), points: vec![Some(point.clone()), None, Some(point)] };
    let rows = [HeatRow { name: EVIL.to_owned(), squares: vec![square(3, true), square(0, true), square(0, false)] }];
    let labels = vec![EVIL.to_owned(); 3];
    vec![
        columns(&chart).into_string(),
        treemap("t", EVIL, &tiles, &figures).into_string(),
        strip("s", EVIL, &strokes).into_string(),
        heat("h", EVIL, &labels, &rows).into_string(),
        lines("l", EVIL, &labels, &[line], &|amount| amount.to_string()).into_string(),
    ]
}

#[test]
fn charts_are_groups_that_say_what_they_are() {
    for chart in all() {
        assert!(chart.contains(r#"role="group""#) && chart.contains("<title") && chart.contains("<desc"), "{chart}");
        assert!(!chart.contains(r#"role="img""#), "{chart}");
    }
}

#[test]
fn no_text_becomes_markup_and_no_style_is_inline() {
    for chart in all() {
        assert!(!chart.contains("<script") && !chart.contains("\" onload"), "{chart}");
        assert!(!chart.contains("style="), "{chart}");
    }
}

#[test]
fn one_mark_of_a_chart_is_reached_by_the_tab_key() {
    let chart = &all()[0];
    assert_eq!((chart.matches(r#"tabindex="0""#).count(), chart.matches(r#"tabindex="-1""#).count()), (1, 1));
}

#[test]
fn a_column_says_its_parts_and_what_it_is_compared_with() {
    let figures = figures();
    let columns_of_two = [column("3000", Some("2500"))];
    let chart = Columns { id: "c", title: "a", description: "b", columns: &columns_of_two, figures: &figures };
    let text = columns(&chart).into_string();
    assert!(text.contains("3.0100 t (Scope 1 3.0000 t, No scope 0.0100 t); before 2.5000 t"), "{text}");
}

#[test]
fn what_has_no_scope_is_hatched() {
    assert!(all()[0].contains(r#"fill="url(#c-hatch)""#));
}

#[test]
fn a_month_without_data_is_hatched_with_a_mark_and_one_that_is_not_expected_is_blank() {
    let draw = |square: Square| {
        let rows = [HeatRow { name: "Oslo".to_owned(), squares: vec![square] }];
        heat("h", "a", &["Jan".to_owned()], &rows).into_string()
    };
    let (missing, blank, partly) = (draw(square(0, true)), draw(square(0, false)), draw(square(4, true)));
    assert!(missing.contains("url(#h-hatch)") && missing.contains(">!</text>"), "{missing}");
    assert!(!blank.contains("url(#h-hatch)") && !blank.contains(">!</text>") && !blank.contains("f-heat"), "{blank}");
    assert!(partly.contains("f-heat5") && partly.contains(">!</text>"), "{partly}");
}

#[test]
fn a_heat_map_has_darker_squares_for_more() {
    let squares = [1, 50, 100].map(|count| square(count, false)).to_vec();
    let rows = [HeatRow { name: "Oslo".to_owned(), squares }];
    let text = heat("h", "a", &["Jan".to_owned(), "Feb".to_owned(), "Mar".to_owned()], &rows).into_string();
    let steps: Vec<_> = text.split("f-heat").skip(1).map(|rest| rest.chars().next().unwrap()).collect();
    assert_eq!(steps, ['1', '2', '5']);
}

#[test]
fn an_empty_chart_is_drawn_without_failing() {
    let figures = figures();
    let chart = Columns { id: "c", title: "a", description: "b", columns: &[], figures: &figures };
    assert!(columns(&chart).into_string().starts_with("<svg"));
    assert!(heat("h", "a", &[], &[]).into_string().starts_with("<svg"));
    assert!(treemap("t", "a", &[], &figures).into_string().starts_with("<svg"));
    assert!(bar(Total::ZERO, Total::ZERO, Ink::Accent).into_string().starts_with("<svg"));
}
