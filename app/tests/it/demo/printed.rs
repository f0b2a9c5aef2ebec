//! What `tonne demo` prints: lines for `curl` that work while it serves.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use super::running::Running;

/// The words of each line for `curl`.
fn curls(running: &Running) -> Vec<Vec<String>> {
    running.printed.lines().filter_map(|line| line.strip_prefix("curl ")).map(words).collect()
}

/// The words of a line, as a shell takes it apart.
fn words(line: &str) -> Vec<String> {
    let quoted = |(index, part): (usize, &str)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    };
    line.split('\'').enumerate().flat_map(quoted).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |chunk: &[u8]| {
        let bits = (0..3).fold(0_usize, |bits, index| bits << 8 | usize::from(*chunk.get(index).unwrap_or(&0)));
        let digit = |place: usize| {
            if place > chunk.len() { '=' } else { char::from(DIGITS[bits >> (18 - 6 * place) & 63]) }
        };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(digits).collect()
}

/// Asks what the words ask for; the status and the body of the answer.
fn ask(words: &[String]) -> (u16, String) {
    let (method, headers, body, url) = match words {
        [flag, header, url] if flag == "-H" => ("GET", header.clone(), "", url),
        [user, credentials, data, form, url] if user == "-u" && data == "-d" => {
            let basic = base64(credentials.as_bytes());
            let typed = "Content-Type: application/x-www-form-urlencoded";
            ("POST", format!("Authorization: Basic {basic}\r\n{typed}"), form.as_str(), url)
        }
        other => panic!("{other:?}"),
    };
    let (authority, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(authority).unwrap();
    let length = body.len();
    let request = format!(
        "{method} /{path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// Runs a line of the command line beside the demo; what it prints.
fn run(folder: &Path, line: &str) -> String {
    let mut words = words(line).into_iter();
    let mut command = Command::new(words.next().unwrap());
    let done = command.args(words).current_dir(folder).env_clear().stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{line}: {text}{}", String::from_utf8_lossy(&done.stderr));
    text
}

#[test]
fn every_line_works_in_a_new_folder_and_in_one_that_is_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut counted = Vec::new();
    let mut earlier = None;
    for _ in 0..2 {
        let running = Running::start(folder.path());
        let curls = curls(&running);
        assert_eq!(curls.len(), 14, "{}", running.printed);
        for words in &curls {
            let (status, body) = ask(words);
            assert_eq!(status, 200, "{words:?}: {body}");
        }
        let page = running.printed.lines().find(|line| line.ends_with("/docs")).unwrap();
        let (status, body) = ask(&["-H".to_owned(), "Accept: text/html".to_owned(), page.to_owned()]);
        assert!(status == 200 && body.contains("<html"), "{page}: {status}");
        let commands = running.printed.lines().filter(|line| line.contains(" --data-dir "));
        let told: Vec<_> = commands.map(|line| run(folder.path(), line)).collect();
        let [
            report,
            sites,
            market,
            gases,
            qualities,
            missing,
            statement,
            factors,
            imports,
            periods,
            base_year,
            changed,
            verified,
            completed,
            corrected,
        ] = &told[..]
        else {
            panic!("{}", running.printed)
        };
        assert!(
            gases.contains("CH4") && ["measured", "estimated", "proxy"].iter().all(|word| qualities.contains(word))
        );
        assert!(missing.contains("The rooms of the shops") && missing.contains("Mill"), "{missing}");
        assert!(
            statement.contains("operational control") && statement.contains("The rooms of the shops"),
            "{statement}"
        );
        assert!(periods.contains("2023-12-01") && periods.contains("2024-12-31"), "{periods}");
        assert!(base_year.contains("frozen"), "{base_year}");
        assert!(market.contains("market-based CO2e (t)") && !market.contains("on a residual mix with 0 t"), "{market}");
        assert!(factors.contains("Natural gas") && verified.contains("OK"), "{factors}{verified}");
        assert!(report.contains("compared with") && report.lines().count() > 4, "{report}");
        assert!(sites.lines().count() > 20, "{sites}");
        assert!(
            ["Books of 2023", "Books of 2024", "Books of 2025"].iter().all(|name| imports.contains(name)),
            "{imports}"
        );
        let first = changed.lines().nth(1).and_then(|line| line.split_whitespace().next()).unwrap();
        assert!(first.parse::<u32>().unwrap() > 3, "the newest, not the first: {changed}");
        assert!(
            completed.starts_with("24 activities without CO2e") && completed.contains("24 would get it"),
            "{completed}"
        );
        assert!(
            corrected.contains("or of a rule or region that is another by now: ") && !corrected.starts_with("0 "),
            "{corrected}"
        );
        // The key of the start before is worth nothing, and there is one of them, beside what somebody called `demo`.
        let mut asked = curls[0].clone();
        let base = asked[2].split("/v1/").next().unwrap().to_owned();
        asked[2] = format!("{base}/v1/key");
        let keys = format!(r#"{{"count":{},"#, counted.len() + 1);
        assert!(ask(&asked).1.starts_with(&keys), "{}", ask(&asked).1);
        if counted.is_empty() {
            let line = running.printed.lines().find(|line| line.ends_with(" import list")).unwrap();
            let tonne = line.strip_suffix(" import list").unwrap();
            run(folder.path(), &format!("{tonne} key create --name demo --permissions activity:read"));
        }
        if let Some(header) = earlier.replace(asked[1].clone()) {
            asked[1] = header;
            assert_eq!(ask(&asked).0, 401);
        }
        counted.push(running.printed.lines().nth(1).unwrap().to_owned());
    }
    assert_eq!(counted[0], "Halvenmere Cycles: 20659 activities of 2023 to 2025, 13 footprints.");
    assert_eq!(counted[0], counted[1]);
    assert!(folder.path().join("tonne-demo-data").is_dir());
}
