//! One report is one snapshot, whatever is being written meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::{report, sum};
use crate::http::harness::{Service, json, to};

#[test]
fn totals_and_activities_never_disagree_while_others_write() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, org) = (admin.scope("scope1"), admin.org("0", None));
    let writing = AtomicBool::new(true);
    thread::scope(|threads| {
        threads.spawn(|| {
            for step in 0..60 {
                let amount = format!("{step}.{step:018}");
                let made = admin.activity(json!({ "DownstreamCO2e": amount, "scope": to(&scope), "org": to(&org) }));
                admin.patch(&format!("/v1/org/{org}"), &json!({ "name": step.to_string() })).ok();
                if step % 3 == 0 {
                    admin.delete(&format!("/v1/activity/{made}")).expect(204);
                }
            }
            writing.store(false, Ordering::Release);
        });
        let reader = service.caller("activity:read");
        let mut reports = 0;
        while writing.load(Ordering::Acquire) || reports == 0 {
            let report = report(&reader, "");
            let data = report["data"].as_array().unwrap();
            assert_eq!(report["count"], data.len());
            assert_eq!(report["CO2e"], sum(data.iter().map(|one| &one["CO2e"])));
            assert!(data.iter().all(|one| one["org"] == report["orgs"][0]), "names of one moment");
            reports += 1;
        }
    });
    assert_eq!(report(&admin, "")["count"], 40);
}
