//! Every form of the pages for whoever signed in, filled in so that sending it writes something.

use super::records::{MARK, Records};
use super::visitor::Visitor;
use crate::http::harness::{Service, json};

pub(super) const ALL: &[&str] = &["viewer", "auditor", "editor", "admin"];
pub(super) const EDITORS: &[&str] = &["editor", "admin"];
pub(super) const ADMINS: &[&str] = &["admin"];

/// A form that is sent to a route.
pub(super) struct Form {
    pub(super) route: &'static str,
    /// The page that it stands on.
    page: &'static str,
    /// What is filled in; the rest is sent as the page has it.
    fields: &'static [(&'static str, &'static str)],
    /// The roles that may send it.
    pub(super) roles: &'static [&'static str],
}

/// One form for every route that forms are sent to by whoever is signed in.
pub(super) const FORMS: [Form; 16] = [
    form("/activities/new", "/activities/new", &[("name", "New"), ("startDate", "2025-01-01")], EDITORS),
    form("/activities/{uuid}/edit", "/activities/{uuid}/edit", &[("name", "Other")], EDITORS),
    form("/activities/{uuid}/remove", "/activities/{uuid}/edit", &[], EDITORS),
    form("/periods", "/periods", &[("do", "close"), ("days", "2020")], ADMINS),
    form("/imports", "/imports", &[], EDITORS),
    form("/imports/{id}/map", "/imports/{id}/map", &[("do", "check"), ("map", OTHER_MAP)], EDITORS),
    form("/imports/{id}/check", "/imports/{id}/check", &[("do", "good")], EDITORS),
    form("/imports/{id}/discard", "/imports/{id}/check", &[], EDITORS),
    form("/catalog/scope/standard", "/catalog/scope", &[("do", "add")], EDITORS),
    form("/footprints/{uuid}", "/footprints/{uuid}", &[("do", "share"), ("with", "all")], EDITORS),
    form("/login/password", "/login/password", &[("password", "correct horse"), ("again", "correct horse")], ALL),
    form("/logout", "/settings/me", &[], ALL),
    form("/settings/me", "/settings/me", &[("do", "own"), ("display", "Other"), ("locale", "de")], ALL),
    form("/settings/users", "/settings/users", &[("name", "new"), ("role", "viewer")], ADMINS),
    form("/settings/users/{uuid}", "/settings/users/{uuid}", &[("do", "remove")], ADMINS),
    form("/settings/keys", "/settings/keys", &[("do", "add"), ("name", "K"), ("permissions", "catalog:read")], ADMINS),
];

/// Another map than the one that the staged file was checked by.
const OTHER_MAP: &str = "[[activity]]\nname = \"{name}\"\nstartDate = \"{startDate}\"\ndescription = \"{name}\"\n";

const fn form(
    route: &'static str,
    page: &'static str,
    fields: &'static [(&'static str, &'static str)],
    roles: &'static [&'static str],
) -> Form {
    Form { route, page, fields, roles }
}

/// The same for machines.
pub(super) const CLIENT: Form = form(
    "/settings/clients",
    "/settings/clients",
    &[("do", "add"), ("name", "C"), ("permissions", "catalog:read")],
    ADMINS,
);

/// What else the pages of those routes have sent there, of what [`prepared_to_change`] makes.
pub(super) const CHANGES: [Form; 3] = [
    form("/periods", "/periods", &[("do", "reopen"), ("reason", "a late bill")], ADMINS),
    form("/settings/clients", "/settings/clients", &[("do", "revoke")], ADMINS),
    form(
        "/settings/users/{uuid}",
        "/settings/users/{uuid}",
        &[("do", "change"), ("name", "other"), ("display", "Other"), ("role", "viewer")],
        ADMINS,
    ),
];

/// One form for every route.
pub(super) fn forms() -> impl Iterator<Item = Form> {
    FORMS.into_iter().chain([CLIENT])
}

impl Form {
    /// Where it is sent, and what a reader of its page who may do everything sends; without the token.
    pub(super) fn filled(&self, records: &Records, reader: &Visitor) -> (String, Vec<(String, String)>) {
        let (to, page) = (records.fill(self.route), reader.page(&records.fill(self.page)));
        let mut fields: Vec<_> = hidden(&page, &to).into_iter().filter(|(name, _)| name != "form_token").collect();
        // A form of change says twice what is there: as it was read, and as it is to be.
        let same: Vec<_> = fields
            .iter()
            .filter_map(|(name, value)| Some((name.strip_prefix("before-")?.to_owned(), value.clone())))
            .collect();
        fields.extend(same);
        for (name, value) in self.fields {
            fields.retain(|(known, _)| known != name);
            fields.push(((*name).to_owned(), (*value).to_owned()));
        }
        (to, fields)
    }
}

/// The hidden fields of the form of a page that is sent to that path.
fn hidden(page: &str, to: &str) -> Vec<(String, String)> {
    let (_, form) = page.split_once(&format!("{to}\">")).unwrap_or_else(|| panic!("no form for {to}: {page}"));
    let (form, _) = form.split_once("</form>").unwrap();
    let inputs = form.split("<input type=\"hidden\" name=\"").skip(1);
    let text =
        |text: &str| text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    inputs
        .map(|input| {
            let (name, rest) = input.split_once('"').unwrap();
            let value = rest.strip_prefix(" value=\"").unwrap().split('"').next().unwrap();
            (name.to_owned(), text(value))
        })
        .collect()
}

/// A service with those records, and an import that can be undone.
pub(super) fn prepared() -> (Service, Records) {
    let service = Service::start();
    let records = Records::new(&service);
    let row = format!("{{\"name\":\"{MARK} imported\",\"startDate\":\"2025-02-01\"}}\n");
    let request = service.admin().request("POST", "/v1/activity/batch").header("Content-Type", "application/x-ndjson");
    request.body(row).send().expect(200);
    (service, records)
}

/// The same with a closed period and a client.
pub(super) fn prepared_to_change() -> (Service, Records) {
    let (service, records) = prepared();
    let admin = service.admin();
    admin.post("/v1/period", &json!({ "first": "2019-01-01", "last": "2019-12-31" })).expect(201);
    admin.post("/v1/client", &json!({ "name": "C", "permissions": ["catalog:read"] })).expect(201);
    (service, records)
}
