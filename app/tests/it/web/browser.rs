//! A browser as far as the service can tell: it keeps a cookie, sends what browsers send with forms, and reads the token of one.

use std::collections::BTreeMap;

use ports::inbound::{Field, UserDraft, UserView};
use ports::people::{Rights, SignInName};

use crate::http::harness::{Answer, Client, Service};

/// A password that all users of the tests have.
pub(super) const PASSWORD: &str = "correct horse";

/// A browser at a service.
pub(super) struct Browser {
    client: Client,
    base: String,
    host: String,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    /// A browser that is signed in nowhere.
    pub(super) fn new(service: &Service) -> Self {
        let base = service.base_path();
        let base = base.strip_suffix("/api").unwrap().to_owned();
        Self { client: service.anybody(), base, host: service.address().to_string(), cookies: BTreeMap::new() }
    }

    /// The same at the pages of that path.
    pub(super) fn at(self, base: &str) -> Self {
        Self { base: base.to_owned(), ..self }
    }

    pub(super) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// What is sent as `Cookie`.
    pub(super) fn cookies(&self) -> Option<String> {
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// Carries the cookies of another moment or browser.
    pub(super) fn carry(&mut self, cookies: &str) {
        self.cookies = cookies
            .split("; ")
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
    }

    /// A page, whatever it is; cookies that it sets are kept.
    #[track_caller]
    pub(super) fn get(&mut self, path: &str) -> Answer {
        let path = self.path(path);
        self.whole(&path)
    }

    /// The page of a whole path, as an answer names it.
    #[track_caller]
    pub(super) fn whole(&mut self, path: &str) -> Answer {
        let mut request = self.client.outside("GET", path).header("Accept", "text/html");
        if let Some(cookies) = self.cookies() {
            request = request.header("Cookie", cookies);
        }
        let answer = request.send();
        self.keep(&answer);
        answer
    }

    /// Sends a form as its page would: with the token that stands in it, where one does.
    #[track_caller]
    pub(super) fn send(&mut self, page: &str, to: &str, fields: &[(&str, &str)]) -> Answer {
        let token = token(self.get(page).text());
        let token = token.as_deref().map(|token| ("form_token", token));
        let fields: Vec<_> = token.into_iter().chain(fields.iter().copied()).collect();
        self.post(to, &fields, &[("Sec-Fetch-Site", "same-origin")])
    }

    /// Sends exactly these fields and headers.
    #[track_caller]
    pub(super) fn post(&mut self, to: &str, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Answer {
        let body: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let mut request = self.client.outside("POST", &self.path(to)).form(&body.join("&"));
        request = request.header("Accept", "text/html");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(cookies) = self.cookies() {
            request = request.header("Cookie", cookies);
        }
        let answer = request.send();
        self.keep(&answer);
        answer
    }

    /// Sends a form with these parts, in their order; one with the name of a file is a file.
    #[track_caller]
    pub(super) fn upload(
        &mut self,
        to: &str,
        parts: &[(&str, Option<&str>, &[u8])],
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut body = Vec::new();
        for (name, file, content) in parts {
            let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
            let head = format!("--the-boundary\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--the-boundary--\r\n");
        let mut request = self.client.outside("POST", &self.path(to)).body(body);
        request =
            request.header("Content-Type", "multipart/form-data; boundary=the-boundary").header("Accept", "text/html");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(cookies) = self.cookies() {
            request = request.header("Cookie", cookies);
        }
        request.send()
    }

    /// Signs in with a password.
    #[track_caller]
    pub(super) fn sign_in(&mut self, name: &str, password: &str) -> Answer {
        self.send("/login", "/login", &[("name", name), ("password", password)])
    }

    /// The origin of the pages.
    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.host)
    }

    fn keep(&mut self, answer: &Answer) {
        for set in answer.headers("set-cookie") {
            let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// The token of the first form of a page.
pub(crate) fn token(page: &str) -> Option<String> {
    let (_, behind) = page.split_once("name=\"form_token\" value=\"")?;
    behind.split('"').next().map(str::to_owned)
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Adds a user of the service's company.
pub(crate) fn add_user(service: &Service, name: &str, rights: &str) -> UserView {
    let (app, operator) = (service.app(), service.operator());
    let draft = UserDraft {
        name: Field::Given(SignInName::parse(name).unwrap()),
        rights: Field::Given(Rights::parse(rights).unwrap()),
        ..UserDraft::default()
    };
    service.wait(async move { app.users().add_user(&operator, draft).await }).unwrap()
}

/// The path of a new link for a user.
pub(crate) fn link(service: &Service, user: &UserView) -> String {
    let (app, operator, id) = (service.app(), service.operator(), user.user.id);
    let link = service.wait(async move { app.users().make_link(&operator, id).await }).unwrap();
    format!("/login/once/{}", link.text.0)
}

/// A browser in which a new user with those rights is signed in; its password is [`PASSWORD`].
#[track_caller]
pub(super) fn signed_in(service: &Service, name: &str, rights: &str) -> Browser {
    let user = add_user(service, name, rights);
    let (mut browser, link) = (Browser::new(service), link(service, &user));
    browser.send(&link, &link, &[]).expect(303);
    browser.send("/login/password", "/login/password", &[("password", PASSWORD), ("again", PASSWORD)]).expect(303);
    browser
}
