//! What the program prints for shells and for `man`.

use super::run::Place;

/// The words of the commands below this one, by its help.
fn below(place: &Place, command: &[&str]) -> Vec<String> {
    let help = place.ok(&[command, &["--help"]].concat());
    let commands = help.split("\nCommands:\n").nth(1).map(|rest| rest.split("\n\n").next().unwrap());
    let lines = commands.into_iter().flat_map(str::lines).filter_map(|line| line.strip_prefix("  "));
    let words = lines.filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next().unwrap().to_owned());
    words.filter(|word| word != "help").collect()
}

#[test]
fn every_command_has_a_page_with_its_flags() {
    let place = Place::new();
    place.ok(&["man", "--to", "man/pages"]);
    let page = |name: &str| std::fs::read_to_string(place.path().join(format!("man/pages/{name}.1"))).unwrap();
    let commands = below(&place, &[]);
    assert!(commands.len() > 20, "{commands:?}");
    let mut pages = 1;
    assert!(page("tonne").contains("tonne\\-serve(1)"));
    for command in &commands {
        let text = page(&format!("tonne-{command}"));
        assert!(text.contains(".SH SYNOPSIS") && text.contains("\\-\\-help"), "{text}");
        pages += 1;
        for second in below(&place, &[command]) {
            page(&format!("tonne-{command}-{second}"));
            pages += 1;
        }
    }
    assert_eq!(place.path().join("man/pages").read_dir().unwrap().count(), pages);
}

#[test]
fn completions_of_every_shell_know_the_commands() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.ok(&["completions", shell]);
        assert!(script.contains("signing-key") && script.contains("data-dir"), "{shell}");
    }
    assert_eq!(place.run(&["completions", "csh"]).status, 2);
}
