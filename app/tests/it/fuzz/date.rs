//! Days, months and moments.

use domain::{Day, Moment, Period, Timestamp};

use super::check;

const SAMPLES: [&str; 9] = [
    "2025-03-01",
    "2024-02-29",
    "0001-01-01",
    "9999-12-31",
    "2025-03",
    "2025",
    "2025-01-01T00:30:00+13:00",
    "2025-12-31 23:59:59.999999999Z",
    "2025-12-31t23:59z",
];

#[test]
fn a_date_that_is_read_is_written_as_one_that_is_read_alike() {
    let words = ["T", "Z", "+00:00", "-23:59", "+24:00", ".5", ":60", "24:00", "02-29", "0000", "9999", "\u{661}"];
    check("dates", &SAMPLES.map(|text| text.as_bytes().to_vec()), &words, |input| {
        let text = String::from_utf8_lossy(input);
        let day = match Day::parse(&text) {
            Ok(day) => {
                assert_eq!(day.to_string(), text, "a day has one text");
                assert!((Day::MIN..=Day::MAX).contains(&day));
                "a day".to_owned()
            }
            Err(error) => told(&error),
        };
        let moment = match Moment::parse(&text) {
            Ok(moment) => {
                let written = moment.to_string();
                assert_eq!(Moment::parse(&written).unwrap(), moment, "{written}");
                assert_eq!(moment.to_utc().instant(), moment.instant(), "the same instant in UTC");
                assert_eq!(moment.day().to_string(), text[..10], "the day as it was written");
                "a moment".to_owned()
            }
            Err(error) => told(&error),
        };
        if let Ok(timestamp) = Timestamp::parse(&text) {
            assert_eq!(Timestamp::parse(&timestamp.to_string()).unwrap(), timestamp);
            assert_eq!(Timestamp::from_millis(timestamp.millis()), Some(timestamp));
        }
        let period = match Period::parse(&text) {
            Ok(period) => {
                let (first, last) = (period.first().unwrap(), period.last().unwrap());
                assert!(first <= last && first.to_string().starts_with(&*text) && last.to_string().starts_with(&*text));
                "a period".to_owned()
            }
            Err(error) => told(&error),
        };
        // A bare date is a start and an end of its day; all else they read as a moment does.
        if let (Ok(start), Ok(end)) = (Moment::parse_start(&text), Moment::parse_end(&text)) {
            assert!(start.instant() <= end.instant() && start.day() == end.day());
        }
        format!("{day}; {moment}; {period}")
    });
}

fn told(error: &impl std::fmt::Display) -> String {
    let told = error.to_string();
    assert!(!told.is_empty());
    told
}
