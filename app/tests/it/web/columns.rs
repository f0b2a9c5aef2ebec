//! The columns of a file that is imported: a select for each, which writes the map, and what must be decided first.

use super::browser::{Browser, signed_in};
use super::imports::{checked_page, plain, staged};
use crate::http::harness::{Answer, Service};

/// What the form of the columns holds as the page shows it: its hidden fields, the chosen option of each select, texts and choices.
fn shown(page: &str) -> Vec<(String, String)> {
    let (_, form) = page.split_once("name=\"base\"").unwrap_or_else(|| panic!("no selects: {page}"));
    let (form, _) = form.split_once("</form>").unwrap();
    let base = form.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
    let mut fields = vec![("base".to_owned(), unescaped(base))];
    for select in form.split("<select name=\"").skip(1) {
        let (name, options) = select.split_once('"').unwrap();
        let options = options.split("</select>").next().unwrap();
        let chosen = options.split("<option value=\"").find(|option| option.contains("\" selected"));
        let value = chosen.and_then(|option| option.split('"').next()).unwrap_or_default();
        fields.push((name.to_owned(), value.to_owned()));
    }
    for input in form.split("<input ").skip(1) {
        let tag = input.split('>').next().unwrap();
        let of = |name: &str| tag.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        if !tag.contains("type=\"radio\"") || tag.contains(" checked") {
            fields.extend(of("name").zip(of("value")).map(|(name, value)| (name.to_owned(), unescaped(value))));
        }
    }
    fields
}

fn unescaped(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Sends the form of the columns as the page shows it, but for `changed`.
#[track_caller]
fn sent(browser: &mut Browser, at: &str, page: &str, changed: &[(&str, &str)]) -> Answer {
    let mut fields = shown(page);
    fields.retain(|(name, _)| !changed.iter().any(|(other, _)| other == name));
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let fields: Vec<_> = fields.into_iter().chain(changed.iter().copied()).collect();
    let to = format!("{at}/map");
    browser.send(&to, &to, &fields)
}

/// The map as a text, as the page shows it.
fn text_of(page: &str) -> String {
    let (_, area) = page.split_once("<textarea").unwrap();
    let (_, text) = area.split_once('>').unwrap();
    unescaped(text.split("</textarea>").next().unwrap().strip_prefix('\n').unwrap())
}

/// What the page says below the select of the column of that number.
fn told_at(page: &str, number: usize) -> String {
    let id = format!("id=\"column-{number}-fault\">");
    page.split(&id).nth(1).and_then(|rest| rest.split("</span>").next()).map(unescaped).unwrap_or_default()
}

const FUEL: &str = "Nr;Was;Tag;Menge;Einheit\nR1;Diesel;13.04.2025;12,5;L\nR2;Diesel;31.04.2025;8,25;L\nR3;Gas;15.04.2025;100;kWh\n\
                    R4;Gas;16.04.2025;90;kWh\nR5;Gas;17.04.2025;80;kWh\n";

#[test]
fn selects_write_the_map_which_is_tried_with_faults_at_their_column() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at = staged(&mut browser, "fuel.csv", FUEL.as_bytes());
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    let selects: Vec<_> = shown(&page).into_iter().filter(|(name, _)| name.starts_with("column-")).collect();
    let value = |number: usize| selects[number].1.as_str();
    assert_eq!((value(2), value(3), value(4)), ("startDate", "quantity", "unit"), "{selects:?}");
    assert!(plain(&page).contains("R1 · R2 · R3"), "the first cells stand beside the column: {}", plain(&page));
    assert!(told_at(&page, 2).contains("is no day of the calendar") && told_at(&page, 2).contains("line 3"), "{page}");

    let tried = [("do", "try"), ("column-0", "syncId"), ("column-1", "name"), ("column-3", "description")];
    let page = sent(&mut browser, &at, &page, &tried).expect(422).text().to_owned();
    let no_quantity = "id=\"text-quantity-fault\">! is required beside unit. <";
    assert!(page.contains(no_quantity), "where no column says it, its text is faulty: {page}");
    let twice = [("do", "check"), ("column-3", "quantity"), ("column-2", "quantity")];
    let answer = sent(&mut browser, &at, &page, &twice).expect(422);
    assert!(told_at(answer.text(), 3).contains("is the same as \"Tag\""), "{}", answer.text());

    let right = [("do", "check"), ("column-3", "quantity"), ("text-description", "{Was} of {Tag}")];
    sent(&mut browser, &at, &page, &right).expect(303);
    let page = checked_page(&mut browser, &at);
    assert!(plain(&page).contains("4 new · 0 changed · 0 same · 1 rejected"), "{}", plain(&page));
    let map = browser.get(&format!("{at}/map.toml")).expect(200).text().to_owned();
    for line in [
        "name = \"{Was}\"",
        "syncId = \"{Nr}\"",
        "quantity = \"{Menge}\"",
        "unit = \"{Einheit}\"",
        "startDate = \"{Tag}\"",
        "description = \"{Was} of {Tag}\"",
        "decimal = \",\"",
    ] {
        assert!(map.lines().any(|known| known == line), "{line}: {map}");
    }
    // The page shows the choices of the map that was kept.
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    assert!(shown(&page).contains(&("text-description".to_owned(), "{Was} of {Tag}".to_owned())), "{page}");
    assert!(shown(&page).contains(&("column-0".to_owned(), "syncId".to_owned())), "{page}");
}

#[test]
fn a_date_that_may_be_two_days_is_decided_before_anything_goes_on() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let rows = b"Number,What,Date,kWh\na,Office,01/01/2025,5\nb,Office,03/04/2025,6\n";
    let at = staged(&mut browser, "power.csv", rows);
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    let said = plain(&page);
    assert!(said.contains("What is 03/04/2025 in Date?"), "{said}");
    assert!(said.contains("3 April 2025") && said.contains("4 March 2025"), "{said}");
    assert!(!page.contains(" checked"), "neither is chosen for anybody: {page}");
    assert!(!said.contains("The first rows, as they are read"), "nothing is shown as if it were sure: {said}");
    let choices = [("column-0", "syncId"), ("column-1", "name")];
    let with = |more: &[(&'static str, &'static str)]| [&choices[..], more].concat();
    for word in ["try", "check"] {
        let answer = sent(&mut browser, &at, &page, &with(&[("do", word)])).expect(422);
        assert!(answer.text().contains("Nothing goes on until one is chosen"), "{}", answer.text());
    }
    browser.get(&format!("{at}/map.toml")).expect(404);
    // A text that does not say it is refused too.
    let to = format!("{at}/map");
    let open = "[[activity]]\nname = \"{What}\"\nstartDate = \"{Date}\"\n";
    let answer = browser.send(&to, &to, &[("do", "check"), ("map", open)]).expect(422);
    assert!(answer.text().contains("Nothing goes on until"), "{}", answer.text());

    let answer = sent(&mut browser, &at, &page, &with(&[("do", "try"), ("doubt-0", "1")])).expect(200);
    assert!(plain(answer.text()).contains("2025-03-04") && !plain(answer.text()).contains("2025-04-03"));
    let answer = sent(&mut browser, &at, answer.text(), &[("do", "try"), ("doubt-0", "0")]).expect(200);
    assert!(plain(answer.text()).contains("2025-04-03") && !plain(answer.text()).contains("2025-03-04"));
    sent(&mut browser, &at, answer.text(), &[("do", "check")]).expect(303);
    let page = checked_page(&mut browser, &at);
    assert!(plain(&page).contains("2 new"), "{}", plain(&page));
    let map = browser.get(&format!("{at}/map.toml")).expect(200).text().to_owned();
    assert!(map.contains("dates = [\"DD/MM/YYYY\"]"), "{map}");
}

#[test]
fn a_number_whose_comma_may_be_two_marks_is_decided_before_anything_goes_on() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at =
        staged(&mut browser, "power.csv", b"Number;What;Date;kWh\na;Office;2025-01-01;1,234\nb;Office;2025-01-02;6\n");
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    let said = plain(&page);
    assert!(said.contains("What is 1,234 in kWh?"), "{said}");
    assert!(said.contains("1234: the comma sets three digits apart"), "{said}");
    assert!(said.contains("1.234: what stands behind the comma is a fraction"), "{said}");
    let choices = [("column-0", "syncId"), ("column-1", "name")];
    let with = |more: &[(&'static str, &'static str)]| [&choices[..], more].concat();
    let answer = sent(&mut browser, &at, &page, &with(&[("do", "check")])).expect(422);
    assert!(answer.text().contains("Nothing goes on until one is chosen"), "{}", answer.text());
    let to = format!("{at}/map");
    let open = "[table]\ndelimiter = \";\"\n[[activity]]\nname = \"{What}\"\nstartDate = \"{Date}\"\nunit = \"kWh\"\nquantity = \"{kWh}\"\n";
    browser.send(&to, &to, &[("do", "check"), ("map", open)]).expect(422);
    for (way, quantity, decimal) in [("0", "1234", "\".\""), ("1", "1.234", "\",\"")] {
        let answer = sent(&mut browser, &at, &page, &with(&[("do", "try"), ("doubt-0", way)])).expect(200);
        let read = plain(answer.text().split("The first rows, as they are read").nth(1).unwrap());
        assert!(read.contains(&format!("Z{quantity}kWh")), "{read}");
        assert!(unescaped(answer.text()).contains(&format!("decimal = {decimal}")), "{}", answer.text());
    }
}

#[test]
fn a_column_that_shows_another_mark_than_the_table_is_asked_about() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let rows = b"What;Date;Betrag;kWh\nOffice;2025-01-01;12,5;1.234\nOffice;2025-01-02;13,7;2.345\n\
                 Office;2025-01-03;8,25;3.456\nOffice;2025-01-04;9,5;12.5\n";
    let at = staged(&mut browser, "power.csv", rows);
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    let choices = [("column-0", "name"), ("column-1", "startDate"), ("column-3", "quantity"), ("text-unit", "kWh")];
    let with = |more: &[(&'static str, &'static str)]| [&choices[..], more].concat();
    let answer = sent(&mut browser, &at, &page, &with(&[("do", "check")])).expect(422);
    let said = plain(answer.text());
    assert!(said.contains("What is 1.234 in kWh?") && said.contains("Nothing goes on until one is chosen"), "{said}");
    let answer = sent(&mut browser, &at, &page, &with(&[("do", "try"), ("doubt-0", "1")])).expect(200);
    let map = text_of(answer.text());
    assert!(map.contains("kWh = { decimal = \".\" }"), "{map}");
    assert!(map.contains("Betrag = { decimal = \",\", thousands = \".\" }"), "{map}");
}

#[test]
fn a_row_of_several_activities_is_mapped_by_the_text() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at = staged(
        &mut browser,
        "wide.csv",
        b"Site,Date,Power (kWh),Gas (kWh)\nOslo,03/04/2025,5,7\nOslo,05/06/2025,5,7\n",
    );
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    assert!(page.contains("mended as a text") && !page.contains("name=\"base\""), "{page}");
    assert!(plain(&page).contains("3 April 2025, or 4 March 2025"), "{}", plain(&page));
}

const DUE: &[u8] =
    b"Number,What,Date,Due date,kWh\na,Office,13/04/2025,03/04/2025,5\nb,Office,03/04/2025,05/06/2025,6\n";

#[test]
fn what_one_column_shows_of_its_dates_decides_nothing_about_another() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at = staged(&mut browser, "power.csv", DUE);
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    assert!(!plain(&page).contains("What is 03/04/2025 in Due date?"), "nothing reads it: {}", plain(&page));
    let choices = [("column-0", "syncId"), ("column-1", "name"), ("column-3", "endDate")];
    let with = |more: &[(&'static str, &'static str)]| [&choices[..], more].concat();
    let answer = sent(&mut browser, &at, &page, &with(&[("do", "check")])).expect(422);
    let said = plain(answer.text());
    assert!(said.contains("What is 03/04/2025 in Due date?") && !said.contains("in Date?"), "{said}");
    // The way that the other column does not have: each keeps its own.
    let answer = sent(&mut browser, &at, answer.text(), &[("do", "try"), ("doubt-0", "1")]).expect(200);
    let read = plain(answer.text().split("The first rows, as they are read").nth(1).unwrap());
    assert!(read.contains("2025-04-13") && read.contains("2025-03-04"), "{read}");
    let map = text_of(answer.text());
    assert!(map.contains("Date = { dates = [\"DD/MM/YYYY\"] }"), "{map}");
    assert!(map.contains("\"Due date\" = { dates = [\"MM/DD/YYYY\"] }"), "{map}");
}

#[test]
fn a_form_of_dates_that_means_the_same_decides_them() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at = staged(&mut browser, "power.csv", b"Number,What,Date,kWh\na,Office,03/04/2025,5\nb,Office,05/06/2025,6\n");
    let map = "[table]\ndates = [\"D/M/YYYY\"]\n[[activity]]\nname = \"{What}\"\nsyncId = \"{Number}\"\nstartDate = \"{Date}\"\n";
    let to = format!("{at}/map");
    browser.send(&to, &to, &[("do", "check"), ("map", map)]).expect(303);
    let page = browser.get(&to).expect(200).text().to_owned();
    assert!(shown(&page).contains(&("doubt-0".to_owned(), "0".to_owned())), "it is chosen: {page}");
}

#[test]
fn what_must_be_decided_is_asked_below_the_header_that_the_map_says() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let rows = b"Nr,Was,Tag,Menge\nNumber,What,Date,kWh\na,Office,03/04/2025,5\nb,Office,05/06/2025,6\n";
    let at = staged(&mut browser, "power.csv", rows);
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    assert!(text_of(&page).contains("header = 1"), "another header is guessed: {page}");
    let map = "[table]\nheader = 2\n[[activity]]\nname = \"{What}\"\nsyncId = \"{Number}\"\nstartDate = \"{Date}\"\n";
    let to = format!("{at}/map");
    let answer = browser.send(&to, &to, &[("do", "check"), ("map", map)]).expect(422);
    let said = plain(answer.text());
    assert!(said.contains("What is 03/04/2025 in Date?"), "{said}");
    sent(&mut browser, &at, answer.text(), &[("do", "check"), ("doubt-0", "0")]).expect(303);
    let page = checked_page(&mut browser, &at);
    assert!(plain(&page).contains("2 new"), "{}", plain(&page));
}

#[test]
fn what_is_typed_in_the_map_and_what_is_chosen_beside_it_are_taken_together() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at = staged(&mut browser, "fuel.csv", FUEL.as_bytes());
    let page = browser.get(&format!("{at}/map")).expect(200).text().to_owned();
    let typed = format!("{}description = \"of Oslo\"\n", text_of(&page));
    let answer =
        sent(&mut browser, &at, &page, &[("do", "try"), ("column-0", "syncId"), ("column-1", "name"), ("map", &typed)]);
    let answer = answer.expect(200);
    let both = text_of(answer.text());
    for line in ["syncId = \"{Nr}\"", "name = \"{Was}\"", "description = \"of Oslo\""] {
        assert!(both.lines().any(|known| known == line), "{line}: {both}");
    }
    let page = answer.text().to_owned();
    // Where the two say something else of one field, both stay as they are until they agree.
    let typed = both.replace("of Oslo", "of Bergen");
    let answer = sent(&mut browser, &at, &page, &[("do", "check"), ("text-description", "of Rome"), ("map", &typed)]);
    let page = answer.expect(422).text().to_owned();
    assert!(page.contains("the text below says something else"), "{page}");
    assert_eq!(text_of(&page), typed);
    assert!(shown(&page).contains(&("text-description".to_owned(), "of Rome".to_owned())), "{page}");
    let answer = sent(&mut browser, &at, &page, &[("do", "try"), ("text-description", "of Bergen"), ("map", &typed)]);
    let answer = answer.expect(200);
    assert!(text_of(answer.text()).contains("of Bergen"), "{}", answer.text());
    // A text that takes no choices stays beside them.
    let page = answer.text().to_owned();
    let answer = sent(
        &mut browser,
        &at,
        &page,
        &[("do", "check"), ("text-description", "of Paris"), ("map", "no = toml = at all")],
    );
    let page = answer.expect(422).text().to_owned();
    assert!(page.contains("cannot be put into the text"), "{page}");
    assert_eq!(text_of(&page), "no = toml = at all");
    assert!(shown(&page).contains(&("text-description".to_owned(), "of Paris".to_owned())), "{page}");
}

/// A workbook with two sheets, of which the second one has dates that must be decided.
fn two_sheets() -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, days) in [("First", ["2025-01-02", "2025-01-03"]), ("Second", ["03/04/2025", "05/06/2025"])] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        let rows = [["Number", "What", "Date"], ["a", name, days[0]], ["b", name, days[1]]];
        for (at, row) in (0..).zip(rows) {
            sheet.write_row(at, 0, row).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn the_sheet_that_the_map_says_is_read_and_what_must_be_decided_of_it_is_told() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let map =
        "[table]\nsheet = \"Second\"\n[[activity]]\nname = \"{What}\"\nsyncId = \"{Number}\"\nstartDate = \"{Date}\"\n";
    for looked_at in [None, Some("First")] {
        let at = staged(&mut browser, "book.xlsx", &two_sheets());
        let to = format!("{at}/map");
        let form = [("do", "check"), ("map", map)].into_iter().chain(looked_at.map(|sheet| ("sheet", sheet)));
        let answer = browser.send(&to, &to, &form.collect::<Vec<_>>()).expect(422);
        let said = plain(answer.text());
        assert!(said.contains("What is 03/04/2025 in Date?") && said.contains("until one is chosen"), "{said}");
        let answer = sent(&mut browser, &at, answer.text(), &[("do", "try"), ("doubt-0", "0")]).expect(200);
        let read = plain(answer.text().split("The first rows, as they are read").nth(1).unwrap());
        assert!(read.contains("Second") && read.contains("2025-04-03"), "{read}");
    }
    let at = staged(&mut browser, "book.xlsx", &two_sheets());
    let to = format!("{at}/map");
    let wrong = map.replace("Second", "Third");
    let answer = browser.send(&to, &to, &[("do", "check"), ("map", &wrong), ("sheet", "First")]).expect(422);
    assert!(
        plain(answer.text()).contains("has no sheet \"Third\"") || answer.text().contains("Third&quot;"),
        "{}",
        answer.text()
    );
}
