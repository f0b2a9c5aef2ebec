//! A company with a record of every kind that an address of a page can name.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ports::StagedId;
use ports::staged_import::{StagedReading, StagedState};

use super::visitor::Books;
use crate::http::footprint::examples::v3;
use crate::http::harness::{Client, Company, Service, json, to};

/// What the name of every record begins with, so that none of them can be mistaken for a word of the pages.
pub(super) const MARK: &str = "Zyx";

/// The records behind the names in the paths of routes.
pub(super) struct Records {
    activity: String,
    product: String,
    model: String,
    switch: String,
    user: String,
    footprint: String,
    staged: String,
}

/// How the staged file is read.
const MAP: &str = "[[activity]]\nname = \"{name}\"\nstartDate = \"{startDate}\"\n";

impl Records {
    /// Makes them in the service's own company.
    pub(super) fn new(service: &Service) -> Self {
        Books::new(service);
        let admin = service.admin();
        let name = |what: &str| format!("{MARK} {what}");
        let org = admin.org(&name("org"), None);
        let taxonomy = admin.taxonomy(&name("taxonomy"), None);
        let product = admin.post("/v1/product", &json!({ "name": name("fuel"), "unit": "L" })).uuid();
        admin.factor(&product, "L", [json!("0.5"), json!("2")], "2000-01-01");
        let activity = admin.activity(json!({
            "name": name("van"), "description": name("trip"), "org": to(&org), "taxonomy": to(&taxonomy),
            "product": to(&product), "quantity": "10", "unit": "L",
        }));
        let model = admin.post("/v1/model", &json!({ "name": name("model"), "unit": "kg" })).uuid();
        let input = json!({ "name": name("input"), "material": to(&product), "quantity": "1", "unit": "L" });
        admin.post(&format!("/v1/model/{model}/input"), &input).uuid();
        let switch = admin.post("/v1/switch", &json!({ "name": name("switch"), "unit": "kg" })).uuid();
        admin.put(&format!("/v1/switch/{switch}/sources"), &json!([to(&model)])).expect(200);
        let user = super::visitor::user(&service.own(), &format!("{MARK}-user"), "viewer").to_string();
        let footprint = admin.post("/v1/footprint", &v3()).uuid();
        let staged = staged(&service.own()).to_string();
        Self { activity, product, model, switch, user, footprint, staged }
    }

    /// The path of a route with these records in the place of names.
    pub(super) fn fill(&self, path: &str) -> String {
        let uuid = match path.split('/').nth(1).unwrap_or("") {
            "activities" | "history" => &self.activity,
            "products" => &self.product,
            "models" => &self.model,
            "switches" => &self.switch,
            "footprints" => &self.footprint,
            "settings" => &self.user,
            _ => "",
        };
        let uuid = |text: &str| if uuid.is_empty() { text.to_owned() } else { text.replace("{uuid}", uuid) };
        let path = uuid(path).replace("{kind}", "activity").replace("{tree}", "org").replace("{year}", "2025");
        let path = path.replace("{id}", &self.staged);
        let path = path.replace("{text}", "tonnelink_0000000000000000000000000000000000000000000");
        assert!(!path.contains('{'), "say here which record is asked at {path}");
        path
    }
}

/// A file of two rows, one of them rejected, that is checked.
fn staged(company: &Company<'_>) -> StagedId {
    let rows = format!("name,startDate\n{MARK} staged,2025-01-02\nvan,2025-02-30\n");
    stage(company, "rows.csv".to_owned(), rows, MAP.to_owned())
}

/// A file of that name with those rows, which is checked as the map says.
pub(super) fn stage(company: &Company<'_>, name: String, rows: String, map: String) -> StagedId {
    let (app, operator) = (company.app(), company.app().operator(&company.tenant));
    company.wait(async move {
        let imports = app.staged_imports();
        let mut upload = imports.receive(&operator, &name).await.unwrap();
        upload.put(rows.as_bytes()).await.unwrap();
        let id = upload.finish().await.unwrap().id;
        let reading = StagedReading { map: Some(map), ..StagedReading::default() };
        imports.read_as(&operator, id, reading).await.unwrap();
        imports.check(&operator, id).await.unwrap();
        let began = Instant::now();
        while imports.find(&operator, id).await.unwrap().state != StagedState::Checked {
            assert!(began.elapsed() < Duration::from_mins(1), "the check does not end");
            tokio::task::yield_now().await;
        }
        id
    })
}

/// All that a form could write, in a text, as an admin reads it.
pub(super) fn state(company: &Company<'_>, admin: &Client) -> String {
    let mut state = vec![admin.get("/v1/change?limit=1").ok()["newest"].to_string()];
    state.push(admin.get("/v1/key").ok()["count"].to_string());
    state.extend(["client", "period", "import"].map(|kind| admin.get(&format!("/v1/{kind}")).ok().to_string()));
    let (app, operator) = (company.app(), company.app().operator(&company.tenant));
    state.push(company.wait(async move {
        let page = ports::repo::Page { number: 1, size: 100 };
        let mut told = String::new();
        for view in app.users().list_users(&operator, page).await.unwrap().data {
            let sessions = app.users().list_sessions(&operator, view.user.id).await.unwrap().len();
            let user = view.user;
            let rights = user.rights.to_string();
            let has_password = user.password.is_some();
            writeln!(told, "{} {} {rights} {has_password} {sessions}", user.name, user.display).unwrap();
        }
        for staged in app.staged_imports().list(&operator).await.unwrap() {
            writeln!(told, "{} {:?} {:?}", staged.name, staged.reading, staged.import).unwrap();
        }
        for footprint in app.areas().footprints.list(&operator, page).await.unwrap().data {
            let sharing = app.areas().partners.sharing(&operator, footprint.footprint.value.id).await.unwrap();
            writeln!(told, "{:?}", sharing.with).unwrap();
        }
        told
    }));
    state.join("\n")
}
