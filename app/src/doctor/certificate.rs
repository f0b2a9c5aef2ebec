//! Certificates of the listener that have run out, or soon will.

use domain::Timestamp;
use http::{Lifetime, Tls};

use super::Finding;
use crate::config::Config;
use crate::counted::counted;

const CHECK: &str = "certificate";
/// A certificate that runs out within so many days is told: those that are renewed by themselves have been by then.
const DAYS: i64 = 30;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// What is found of the certificate and those that come with it. That the files cannot be used at all is said elsewhere.
pub(super) fn look(config: &Config, now: Timestamp) -> Vec<Finding> {
    let Some(files) = &config.server.tls else { return Vec::new() };
    let Ok(tls) = Tls::load(&files.certificate, &files.key) else { return Vec::new() };
    let place = files.certificate.display().to_string();
    match tls.lifetimes() {
        Ok(chain) => chain.iter().filter_map(|one| judge(&place, one, now)).collect(),
        Err(error) => vec![Finding::error(CHECK, place, error.to_string(), "name another chain of certificates")],
    }
}

fn judge(place: &str, Lifetime { subject, from, until }: &Lifetime, now: Timestamp) -> Option<Finding> {
    let renew = "renew it, and put the new chain and its key in place of the old files: a running service takes them over \
                 within seconds";
    let left = until.millis() - now.millis();
    if left < 0 {
        let what = format!("the certificate of {subject} ran out at {until}: clients refuse the service");
        return Some(Finding::error(CHECK, place, what, renew));
    }
    if *from > now {
        let what = format!("the certificate of {subject} is good from {from} on only: clients refuse the service");
        return Some(Finding::error(
            CHECK,
            place,
            what,
            "check this machine's clock; else wait, or use an earlier one",
        ));
    }
    if left < DAYS * DAY_MS {
        let days = counted((left / DAY_MS).unsigned_abs(), "day", "days");
        let what = format!("the certificate of {subject} runs out in {days}, at {until}");
        return Some(Finding::warning(CHECK, place, what, renew));
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rcgen::{CertificateParams, DnType, KeyPair};
    use time::{Duration, OffsetDateTime};

    use super::*;
    use crate::config::{Environment, Flag};
    use crate::doctor::Severity;

    fn now() -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(1_800_000_000).unwrap()
    }

    /// Writes a certificate that is good between those days, counted from today, and its key, and looks at them.
    fn found(folder: &Path, (from, until): (i64, i64)) -> Vec<Finding> {
        let mut asked = CertificateParams::new(["carbon.example".to_owned()]).unwrap();
        asked.distinguished_name.push(DnType::CommonName, "carbon.example");
        asked.not_before = now() + Duration::days(from);
        asked.not_after = now() + Duration::days(until);
        let key = KeyPair::generate().unwrap();
        let (chain, own) = (folder.join("chain.pem"), folder.join("key.pem"));
        std::fs::write(&chain, asked.self_signed(&key).unwrap().pem()).unwrap();
        std::fs::write(&own, key.serialize_pem()).unwrap();
        let flag = |key, path: &Path| Flag { key, name: "--flag", value: path.display().to_string() };
        let flags = [flag("server.tls_certificate", &chain), flag("server.tls_key", &own)];
        let config = Config::load(&flags, &Environment::default(), None).unwrap();
        look(&config, Timestamp::from_millis(1_800_000_000_000).unwrap())
    }

    #[test]
    fn a_certificate_that_ran_out_or_soon_will_is_found_and_one_that_is_good_is_not() {
        let folder = tempfile::TempDir::new().unwrap();
        let told =
            |days| found(folder.path(), days).into_iter().map(|found| (found.severity, found.what)).collect::<Vec<_>>();
        for (days, severity, part) in [
            ((-90, -1), Severity::Error, "of CN=carbon.example ran out at 2027-01-14T"),
            ((-60, 29), Severity::Warning, "of CN=carbon.example runs out in 29 days, at 2027-02-13T"),
            ((-60, 1), Severity::Warning, "runs out in 1 day, at "),
            ((1, 90), Severity::Error, "is good from 2027-01-16T"),
        ] {
            let told = told(days);
            let [(found, what)] = &told[..] else { panic!("{told:?}") };
            assert!(*found == severity && what.contains(part), "{what}");
        }
        assert_eq!(told((-60, 31)), []);
    }
}
