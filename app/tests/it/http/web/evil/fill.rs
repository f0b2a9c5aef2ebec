//! A company whose records have those texts in every field that is free text.

use domain::{Consolidation, Description, Name, StatementSettings};
use ports::inbound::{Field, ImportOptions, UserDraft};
use ports::people::{Rights, SignInName};

use super::file::{FIELDS, StagedFile};
use crate::http::footprint::examples::{v2, v3};
use crate::http::harness::{Client, Company, json, to};
use crate::http::report::form::lines;

/// The records, and the texts that are in them.
pub(super) struct Filled {
    pub(super) texts: Vec<String>,
    /// What was written into fields that pages show.
    pub(super) shown: Vec<String>,
    /// Files that wait to be imported.
    pub(super) files: Vec<StagedFile>,
    /// The pages of single records.
    of_records: Vec<String>,
}

impl Filled {
    pub(super) fn new(company: &Company<'_>, texts: &[String]) -> Self {
        let files =
            (0..).zip(texts.chunks(FIELDS.len())).map(|(number, texts)| StagedFile::new(company, number, texts));
        let files: Vec<_> = files.collect();
        let shown = files.iter().flat_map(|file| file.texts.clone()).collect();
        let of_records = files.iter().flat_map(StagedFile::pages).collect();
        let mut filled = Self { texts: texts.to_vec(), shown, files, of_records };
        let admin = company.admin();
        let (scope2, scope3) = (admin.scope("scope2"), admin.scope("scope3"));
        filled.settings(company, texts);
        for (number, text) in texts.iter().enumerate() {
            filled.records(&admin, &scope3, number, text);
            filled.people(company, number, text);
            filled.bought(&admin, &scope2, text);
            filled.stated(&admin, &scope3, number, text);
        }
        filled
    }

    /// The text as that field has it, which is to be seen on some page.
    fn field(&mut self, name: &str, text: &str) -> String {
        let text = format!("{name} {text}");
        self.shown.push(text.clone());
        text
    }

    fn records(&mut self, admin: &Client, scope3: &str, number: usize, text: &str) {
        let mut field = |name: &str| self.field(name, text);
        let (org, taxonomy) = (admin.org(&field("org"), None), admin.taxonomy(&field("taxonomy"), None));
        let scope = json!({ "name": field("scope"), "kind": "scope3", "parent": to(scope3) });
        let scope = admin.post("/v1/scope", &scope).uuid();
        let product = admin.post("/v1/product", &json!({ "name": field("product"), "unit": "L" })).uuid();
        let factor = json!({ "unit": "L", "upstream": "1", "validFrom": "2000-01-01", "source": field("source") });
        admin.post(&format!("/v1/product/{product}/factor"), &factor).uuid();
        let activity = admin.activity(json!({
            "name": field("activity"), "syncId": field("syncId"), "description": field("description"), "org": to(&org),
            "taxonomy": to(&taxonomy), "scope": to(&scope), "product": to(&product), "quantity": "2", "unit": "L",
        }));
        let model = admin.post("/v1/model", &json!({ "name": field("model"), "unit": "kg" })).uuid();
        let input = json!({ "name": field("input"), "material": to(&product), "quantity": "1", "unit": "L" });
        admin.post(&format!("/v1/model/{model}/input"), &input).uuid();
        let switch = admin.post("/v1/switch", &json!({ "name": field("switch"), "unit": "kg" })).uuid();
        admin.put(&format!("/v1/switch/{switch}/sources"), &json!([to(&model)])).expect(200);
        let partner = json!({ "name": field("partner"), "baseUrl": "https://pact.example.com/" });
        admin.post("/v1/partner", &partner).uuid();
        for kind in ["key", "client"] {
            let body = json!({ "name": field(kind), "permissions": ["catalog:read"] });
            admin.post(&format!("/v1/{kind}"), &body).expect(201);
        }
        let days = ["01-01", "06-30", "07-01", "12-31"].map(|day| format!("{}-{day}", 1900 + number));
        let period = json!({ "first": days[0], "last": days[1], "reason": field("reason") });
        admin.post("/v1/period", &period).expect(201);
        let period = admin.post("/v1/period", &json!({ "first": days[2], "last": days[3] })).uuid();
        let reason = json!({ "reason": field("reopened") });
        admin.post(&format!("/v1/period/{period}/reopen"), &reason).expect(200);
        self.of_records.extend(["", "/explanation", "/edit"].map(|end| format!("/activities/{activity}{end}")));
        self.of_records.extend([
            format!("/history/activity/{activity}"),
            format!("/products/{product}"),
            format!("/models/{model}"),
            format!("/switches/{switch}"),
            format!("/report?by=month&org={org}&scope={scope}&taxonomy={taxonomy}"),
            format!("/activities?org={org}"),
        ]);
    }

    /// What was bought by contract, with evidence.
    fn bought(&mut self, admin: &Client, scope2: &str, text: &str) {
        let product = admin.post("/v1/product", &json!({ "name": "Power", "unit": "kWh" })).uuid();
        let factor = json!({ "unit": "kWh", "upstream": "0.1", "validFrom": "2000-01-01", "source": "A contract" });
        let factor = admin.post(&format!("/v1/product/{product}/factor"), &factor).uuid();
        let evidence = format!("sha256:{} {}", "ab".repeat(32), self.field("evidence", text));
        let activity = admin.activity(json!({
            "name": "Power", "scope": to(scope2), "product": to(&product), "quantity": "2", "unit": "kWh", "evidence": [evidence],
            "marketInstrument": "contract", "marketFactor": factor, "marketReference": self.field("reference", text),
        }));
        self.of_records.extend(["", "/explanation", "/edit"].map(|end| format!("/activities/{activity}{end}")));
    }

    /// What is stated of products to others, and of what is left out.
    fn stated(&mut self, admin: &Client, scope3: &str, number: usize, text: &str) {
        let mut footprint = v3();
        for name in ["productNameCompany", "companyName", "productDescription"] {
            footprint[name] = json!(self.field(name, text));
        }
        let mut former = v2();
        former["statusComment"] = json!(self.field("statusComment", text));
        former["comment"] = json!(self.field("comment", text));
        for name in [
            "boundaryProcessesDescription",
            "exemptedEmissionsDescription",
            "allocationRulesDescription",
            "uncertaintyAssessmentDescription",
        ] {
            former["pcf"][name] = json!(self.field(name, text));
        }
        former["pcf"]["secondaryEmissionFactorSources"][0]["name"] = json!(self.field("factorSource", text));
        for footprint in [footprint, former] {
            let footprint = admin.post("/v1/footprint", &footprint).uuid();
            self.of_records.push(format!("/footprints/{footprint}"));
        }
        let (year, reason) = (1900 + number, self.field("exclusion", text));
        let exclusion = json!({ "scope": to(scope3), "firstYear": year, "lastYear": year, "reason": reason });
        admin.post("/v1/exclusion", &exclusion).expect(201);
        self.of_records.push(format!("/completeness?date={year}"));
    }

    /// What the company states of itself for its statements: a boundary with all the texts.
    fn settings(&mut self, company: &Company<'_>, texts: &[String]) {
        let (name, boundary) = (self.field("reporting", &texts[0]), self.field("boundary", &texts.join(" ")));
        let settings = StatementSettings::default()
            .with_consolidation(Some(Consolidation::OperationalControl))
            .with_company(Some(Name::parse(&name).unwrap()))
            .with_boundary(Some(Description::parse(&boundary).unwrap()));
        let (app, tenant) = (company.app(), company.tenant.clone());
        assert!(company.wait(async move { app.set_statement(&tenant, settings).await }).unwrap());
    }

    fn people(&mut self, company: &Company<'_>, number: usize, text: &str) {
        let (app, operator) = (company.app(), company.app().operator(&company.tenant));
        let display = self.field("display", text);
        let draft = UserDraft {
            name: Field::Given(SignInName::parse(&format!("user-{number}")).unwrap()),
            display: Field::Given(Name::parse(&display).unwrap()),
            rights: Field::Given(Rights::parse("viewer").unwrap()),
            ..UserDraft::default()
        };
        let options = ImportOptions { name: self.field("import", text), ..ImportOptions::default() };
        let user = company.wait(async move {
            let mut import = app.imports().begin(&operator, options).unwrap();
            import.rows(lines(1)).await.unwrap();
            import.finish().await.unwrap();
            app.users().add_user(&operator, draft).await.unwrap().user.id
        });
        self.of_records.push(format!("/settings/users/{user}"));
    }

    /// Every page: of all records, and of each.
    pub(super) fn pages(&self) -> Vec<String> {
        let of_all = [
            "/",
            "/report?by=org,month&depth=3",
            "/report?by=scope,org&depth=3",
            "/report?by=taxonomy&depth=3&view=chart",
            "/report?by=product",
            "/report/explanation",
            "/activities",
            "/activities/new",
            "/completeness",
            "/completeness?by=taxonomy",
            "/statement",
            "/periods",
            "/history",
            "/imports",
            "/catalog/org",
            "/catalog/scope",
            "/catalog/taxonomy",
            "/models",
            "/footprints",
            "/switches",
            "/settings/users",
            "/settings/keys",
            "/settings/clients",
            "/settings/partners",
        ];
        of_all.into_iter().map(str::to_owned).chain(self.of_records.iter().cloned()).collect()
    }
}
