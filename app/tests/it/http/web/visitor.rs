//! Somebody in a browser: signed in by a link, as people are.

use ports::UserId;
use ports::inbound::{Browser, Field, UserDraft};
use ports::people::{Rights, SignInName};

use crate::http::harness::{Answer, Client, Company, Request, Service, json};

/// A browser at a company's address, with or without a session.
pub(super) struct Visitor {
    client: Client,
    /// What the paths of pages begin with.
    base: String,
    cookie: Option<String>,
    form_token: String,
}

impl Visitor {
    /// Nobody who signed in.
    pub(super) fn stranger(company: &Company<'_>) -> Self {
        let (client, base) = (company.anybody(), company.pages());
        Self { client, base, cookie: None, form_token: String::new() }
    }

    /// Somebody who signed in with those rights: a role, or permissions.
    pub(super) fn signed_in(company: &Company<'_>, rights: &str) -> Self {
        Self::named(company, &format!("someone-{}", rights.replace([' ', ':'], "-")), rights)
    }

    /// The same under that name.
    pub(super) fn named(company: &Company<'_>, name: &str, rights: &str) -> Self {
        let (app, user) = (company.app(), user(company, name, rights));
        let (operator, tenant) = (app.operator(&company.tenant), company.tenant.id);
        let session = company.wait(async move {
            let link = app.users().make_link(&operator, user).await.unwrap();
            app.sessions().redeem_link(tenant, &link.text, &Browser::default()).await.unwrap()
        });
        let cookie = Some(format!("tonne={}", session.text.0));
        Self { cookie, form_token: session.signed_in.form_token.0, ..Self::stranger(company) }
    }

    /// What its forms carry.
    pub(super) fn token(&self) -> &str {
        &self.form_token
    }

    /// The same session at another company's address.
    pub(super) fn at(&self, company: &Company<'_>) -> Self {
        Self { cookie: self.cookie.clone(), form_token: self.form_token.clone(), ..Self::stranger(company) }
    }

    /// A request for a page at that path below the company's address, as a browser sends it.
    pub(super) fn request(&self, method: &str, path: &str) -> Request {
        let path = path.strip_prefix(&self.base).unwrap_or(path);
        let whole = format!("{}{path}", self.base);
        let request = self.client.outside(method, if whole.is_empty() { "/" } else { &whole });
        let request = request.header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        match &self.cookie {
            Some(cookie) => request.header("Cookie", cookie),
            None => request,
        }
    }

    #[track_caller]
    pub(super) fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send()
    }

    /// The text of a page that is there.
    #[track_caller]
    pub(super) fn page(&self, path: &str) -> String {
        self.get(path).expect(200).text().to_owned()
    }

    /// Sends a form from a page of this session.
    #[track_caller]
    pub(super) fn send(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let fields: Vec<_> = [("form_token", self.token())].into_iter().chain(fields.iter().copied()).collect();
        self.form(path, &fields).header("Sec-Fetch-Site", "same-origin").send()
    }

    /// A form with those fields and no others, from nowhere that is said.
    pub(super) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Request {
        let pairs: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        self.request("POST", path).form(&pairs.join("&"))
    }
}

/// Adds a user with those rights.
pub(super) fn user(company: &Company<'_>, name: &str, rights: &str) -> UserId {
    let (app, operator) = (company.app(), company.app().operator(&company.tenant));
    let draft = UserDraft {
        name: Field::Given(SignInName::parse(name).unwrap()),
        rights: Field::Given(Rights::parse(rights).unwrap()),
        ..UserDraft::default()
    };
    company.wait(async move { app.users().add_user(&operator, draft).await }).unwrap().user.id
}

pub(super) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The text without its markup, with the entities that pages have resolved.
pub(super) fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if !is_tag => text.push(c),
            _ => {}
        }
    }
    text.replace("&amp;", "&").replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">")
}

/// The addresses that the links of a page lead to, in their order.
pub(super) fn links(html: &str) -> Vec<String> {
    let ends = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    ends.map(|link| link.replace("&amp;", "&")).collect()
}

/// The same, those of the company's own pages from where its pages begin.
pub(super) fn paths(company: &Company<'_>, html: &str) -> Vec<String> {
    let base = company.pages();
    links(html).into_iter().map(|link| link.strip_prefix(&base).map_or(link.clone(), str::to_owned)).collect()
}

/// The value of a form's field.
pub(super) fn field(html: &str, name: &str) -> String {
    let at = html.split(&format!("name=\"{name}\"")).nth(1).unwrap_or_else(|| panic!("no field {name}: {html}"));
    at.split("value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().replace("&amp;", "&")
}

/// A small company: two sites, scope 1 with a fuel, activities of two years, one of them without a factor.
pub(crate) struct Books {
    pub(crate) org: String,
    pub(crate) site: String,
    pub(crate) scope: String,
    pub(crate) activity: String,
}

impl Books {
    pub(crate) fn new(service: &Service) -> Self {
        let admin = service.admin();
        let org = admin.org("Group", None);
        let (site, other) = (admin.org("Oslo", Some(&org)), admin.org("Bergen", Some(&org)));
        let (scope, taxonomy) = (admin.scope("scope1"), admin.taxonomy("Fleet", None));
        let (fuel, unknown) = (admin.priced("L", "0.61", "2.05"), admin.product("kWh"));
        let activity = |name: &str, org: &str, product: &str, quantity: &str, unit: &str, day: &str| {
            admin.activity(json!({
                "name": name, "org": { "uuid": org }, "product": { "uuid": product }, "scope": { "uuid": scope },
                "taxonomy": { "uuid": taxonomy }, "quantity": quantity, "unit": unit, "startDate": day,
            }))
        };
        let first = activity("Van 7", &site, &fuel, "120.500000000000000001", "L", "2025-03-01");
        activity("Van 8", &other, &fuel, "80", "L", "2025-04-10");
        activity("Own car", &org, &fuel, "7.25", "L", "2025-03-20");
        activity("Heat pump", &site, &unknown, "1000", "kWh", "2025-03-05");
        activity("Van 7", &site, &fuel, "100", "L", "2024-03-01");
        Self { org, site, scope, activity: first }
    }
}
