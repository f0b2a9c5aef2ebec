//! What a command asks whoever sits at its terminal.

use std::fs::File;
use std::io::Write as _;

use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};

use super::run::Place;

const OPERATING: &str = include_str!("../../../../docs/operating.md");

#[test]
fn a_removal_asks_for_the_slug_in_the_words_of_the_page_and_goes_on_when_it_is_typed() {
    let place = Place::new();
    place.file("tonne.toml", "[tenancy]\nmode = \"path\"\n");
    place.ok(&["tenant", "create", "acme", "--name", "Acme Ltd", "--config", "tonne.toml"]);
    let remove = |typed: &str| {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let person = openpt(flags).unwrap();
        unlockpt(&person).unwrap();
        let terminal = ioctl_tiocgptpeer(&person, flags).unwrap();
        let mut person = File::from(person);
        writeln!(person, "{typed}").unwrap();
        let mut command = place.command(&["tenant", "remove", "acme", "--config", "tonne.toml"]);
        let output = command.stdin(terminal).output().unwrap();
        let [told, asked] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), told, asked)
    };

    let (status, _, refused) = remove("acm");
    assert_eq!(status, Some(1));
    assert!(refused.contains("that is not acme: nothing was removed"), "{refused}");

    let (status, told, asked) = remove("acme");
    assert_eq!(status, Some(0), "{asked}");
    let printed = format!("$ tonne tenant remove acme\n{asked}acme\n");
    let (_, block) = OPERATING.split_once("no-run=asks a person\n").unwrap();
    let shown = block.strip_prefix(&*printed).unwrap_or_else(|| panic!("docs/operating.md does not print {printed}"));
    let (shown, _) = shown.split_once("\n```").unwrap();
    // The page has another folder and moment.
    let without_place = |line: &str| {
        let (words, path) = line.rsplit_once(' ').unwrap();
        let (_, file) = path.rsplit_once("/removed/").unwrap();
        (words.to_owned(), file.len())
    };
    assert_eq!(without_place(shown), without_place(told.trim_end()));
}
