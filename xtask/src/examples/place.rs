//! Where the steps of a page take place: a fresh folder with free ports, in place of the addresses and folders that the page
//! prints.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The ports that pages print; each is another one in a run.
const PORTS: [u16; 4] = [8080, 8443, 9464, 9090];
/// The folders that pages print; each is one in the folder of the run.
const FOLDERS: [&str; 6] = ["/var/lib/tonne", "/var/backups/tonne", "/backup", "/etc/tonne", "/etc/ssl/carbon", "/srv"];

/// A folder with free ports.
pub(super) struct Place {
    folder: PathBuf,
    ports: Vec<(u16, u16)>,
    /// The folder of the socket of a PostgreSQL server, if there is one.
    server: Option<String>,
}

impl Place {
    /// Makes the folder, and what the pages' folders stand in.
    pub(super) fn new(folder: &Path, server: Option<&str>) -> Result<Self> {
        let made = |path: PathBuf| fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()));
        made(folder.join("here"))?;
        for printed in FOLDERS {
            let path = folder.join(printed.trim_start_matches('/'));
            // What a page calls its backups or settings is there; what it makes itself is not.
            made(if ["/backup", "/etc/tonne", "/srv", "/var/backups/tonne"].contains(&printed) {
                path
            } else {
                path.parent().map_or(folder.to_path_buf(), Path::to_path_buf)
            })?;
        }
        // All are taken at once, so that no two are the same.
        let taken: Vec<_> = PORTS.iter().map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<_, _>>()?;
        let mut ports = Vec::new();
        for (printed, listener) in PORTS.into_iter().zip(taken) {
            ports.push((printed, listener.local_addr()?.port()));
        }
        let server = server.and_then(|url| url.split_once("?host=")).map(|(_, folder)| folder.to_owned());
        Ok(Self { folder: folder.to_path_buf(), ports, server })
    }

    /// The folder that the commands run in.
    pub(super) fn working(&self) -> PathBuf {
        self.folder.join("here")
    }

    /// The port that a service listens on unless it is told another.
    pub(super) fn port(&self) -> u16 {
        self.ports.first().map_or(0, |(_, port)| *port)
    }

    /// The folder of the PostgreSQL server's socket.
    pub(super) fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// What a page prints, as it is in this place.
    pub(super) fn inward(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (printed, port) in &self.ports {
            text = replaced(&text, &format!(":{printed}"), &format!(":{port}"));
        }
        for printed in FOLDERS {
            let folder = format!("{}{printed}", self.folder.display());
            for before in [" ", "\"", "'", "=", "\t"] {
                text = replaced(&text, &format!("{before}{printed}"), &format!("{before}{folder}"));
            }
        }
        if let Some(socket) = &self.server {
            text = text.replace("@localhost/tonne", &format!("@localhost/tonne?host={socket}"));
        }
        text
    }

    /// What is printed in this place, as a page prints it.
    pub(super) fn outward(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (printed, port) in &self.ports {
            text = replaced(&text, &format!(":{port}"), &format!(":{printed}"));
        }
        let folder = self.folder.display();
        text.replace(&format!("{}/", self.working().display()), "").replace(&folder.to_string(), "")
    }
}

/// The text with each of them replaced that no letter or digit follows.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let (mut replaced, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(from) {
        let (before, behind) = (&rest[..at], &rest[at + from.len()..]);
        replaced.push_str(before);
        replaced.push_str(if behind.starts_with(|c: char| c.is_ascii_alphanumeric()) { from } else { to });
        rest = behind;
    }
    replaced + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn what_goes_in_comes_out_as_it_was() {
        let folder = Folder::new("place").unwrap();
        let place = Place::new(folder.path(), Some("postgres://postgres@localhost/postgres?host=/tmp/x")).unwrap();
        let text = "curl http://127.0.0.1:8080/api; ls /var/lib/tonne --to /backup/a.tar; echo :80801";
        let inward = place.inward(text);
        assert!(!inward.contains(":8080/") && inward.contains(":80801"), "{inward}");
        assert!(inward.contains(&format!("ls {}/var/lib/tonne ", folder.path().display())), "{inward}");
        assert_eq!(place.outward(&inward), text);
        assert_eq!(place.inward("postgres://a@localhost/tonne"), "postgres://a@localhost/tonne?host=/tmp/x");
    }
}
