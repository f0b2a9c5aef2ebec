//! Whether a value is of the type that a field table asks for.

use std::collections::HashSet;

use serde_json::Value;

use super::{Field, Need, Type};

pub(super) fn check_object(value: &Value, table: &[Field], at: &str, found: &mut Vec<String>) {
    let Some(members) = value.as_object() else { return found.push(format!("{at} is no object")) };
    for name in members.keys().filter(|name| !table.iter().any(|(known, ..)| known == name)) {
        found.push(format!("{at}/{name} is not in the table"));
    }
    for (name, need, kind) in table {
        match members.get(*name) {
            None if *need == Need::M => found.push(format!("{at}/{name} is missing")),
            None => {}
            Some(value) => check(value, *kind, &format!("{at}/{name}"), found),
        }
    }
}

fn check(value: &Value, kind: Type, at: &str, found: &mut Vec<String>) {
    let text = value.as_str();
    let all_of = |holds: &dyn Fn(&str) -> bool| {
        let Some(items) = value.as_array() else { return false };
        !items.is_empty() && are_distinct(value) && items.iter().all(|item| item.as_str().is_some_and(holds))
    };
    let each_of = |table: &[Field], found: &mut Vec<String>| {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        for (index, item) in items.iter().enumerate() {
            check_object(item, table, &format!("{at}/{index}"), found);
        }
        !items.is_empty()
    };
    let holds = match kind {
        Type::Dec => text.is_some_and(is_decimal),
        Type::Num => value.is_number(),
        Type::Int => value.as_u64().is_some_and(|number| number < 1 << 31),
        Type::Bool => value.is_boolean(),
        Type::Str => text.is_some(),
        Type::Text => text.is_some_and(is_text),
        Type::Uuid => text.is_some_and(is_uuid),
        Type::SpecVersion => text.is_some_and(is_spec_version),
        Type::Time => text.is_some_and(is_time),
        Type::OneOf(words) => text.is_some_and(|text| words.contains(&text)),
        Type::Set(form) => all_of(&form),
        Type::SetOf(words) => all_of(&|text| words.contains(&text)),
        Type::Uuids => all_of(&is_uuid),
        Type::Country => text.is_some_and(is_country),
        Type::Subdivision => text.is_some_and(is_subdivision),
        Type::Uri => text.is_some_and(is_uri),
        Type::Https => text.is_some_and(is_https),
        Type::Semver => text.is_some_and(is_semver),
        Type::Object(table) => {
            check_object(value, table, at, found);
            true
        }
        Type::Objects(table) => each_of(table, found),
        Type::ObjectSet(table) => each_of(table, found) && are_distinct(value),
        Type::Any => value.is_object(),
    };
    if !holds {
        found.push(format!("{at} is {value}"));
    }
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<_> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|b| b == b'-' || (b.is_ascii_hexdigit() && !b.is_ascii_uppercase()))
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase())
}

/// `^[A-Z]{2}-[A-Z0-9]{1,3}$`.
fn is_subdivision(text: &str) -> bool {
    let is_rest = |rest: &str| {
        (1..=3).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    text.split_once('-').is_some_and(|(country, rest)| is_country(country) && is_rest(rest))
}

pub(super) fn is_text(text: &str) -> bool {
    !text.is_empty()
}

/// `urn:`, a namespace and what it names (RFC 8141).
pub(super) fn is_urn(text: &str) -> bool {
    let parts: Vec<_> = text.splitn(3, ':').collect();
    let [urn, namespace, rest] = parts[..] else { return false };
    let is_namespace = namespace.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    urn.eq_ignore_ascii_case("urn") && !namespace.is_empty() && is_namespace && !rest.is_empty()
}

/// `^AR\d+$`.
pub(super) fn is_report(text: &str) -> bool {
    text.strip_prefix("AR").is_some_and(are_digits)
}

/// `^\d+\.\d+\.\d+(-\d{8})?$`.
fn is_spec_version(text: &str) -> bool {
    let (numbers, date) = text.split_once('-').unwrap_or((text, "20250101"));
    are_digits(date) && date.len() == 8 && numbers.split('.').count() == 3 && numbers.split('.').all(are_digits)
}

/// Three numbers, then `-` and what comes before the version, then `+` and what it was built from.
fn is_semver(text: &str) -> bool {
    let (text, built) = text.split_once('+').unwrap_or((text, "0"));
    let (numbers, before) = text.split_once('-').unwrap_or((text, "0"));
    let is_number = |part: &str| are_digits(part) && (part == "0" || !part.starts_with('0'));
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && before.split('.').all(|part| is_part(part) && (!are_digits(part) || is_number(part)))
        && built.split('.').all(is_part)
}

/// A scheme and what it names, without blanks (RFC 3986).
fn is_uri(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    };
    text.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty())
        && !text.contains(char::is_whitespace)
}

fn is_https(text: &str) -> bool {
    let rest = text.get(..8).filter(|start| start.eq_ignore_ascii_case("https://")).map(|_| &text[8..]);
    is_uri(text) && rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
}

/// A date-time of the calendar in UTC: `2025-02-28T23:59:59Z`, with or without a fraction of the second.
fn is_time(text: &str) -> bool {
    let Some((date, clock)) = text.strip_suffix('Z').and_then(|text| text.split_once('T')) else { return false };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let numbers = |text: &str, by: char, lengths: [usize; 3]| {
        let parts: Vec<_> = text.split(by).collect();
        let fits =
            parts.len() == 3 && parts.iter().zip(lengths).all(|(part, len)| part.len() == len && are_digits(part));
        fits.then(|| [0, 1, 2].map(|at| parts[at].parse::<u32>().unwrap()))
    };
    let (Some([year, month, day]), Some([hour, minute, second])) =
        (numbers(date, '-', [4, 2, 2]), numbers(clock, ':', [2, 2, 2]))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    year > 0 && (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60 && are_digits(fraction)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn are_distinct(items: &Value) -> bool {
    let items = items.as_array().map_or(&[][..], Vec::as_slice);
    let distinct: HashSet<_> = items.iter().map(ToString::to_string).collect();
    distinct.len() == items.len()
}
