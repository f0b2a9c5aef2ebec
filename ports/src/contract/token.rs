//! Refresh tokens and revocations.

use crate::FamilyId;
use domain::Timestamp;
use futures_util::future::join_all;
use uuid::Uuid;

use super::directory::verify;
use super::sample::{
    at, authenticated, claims, client, id, installation, maintaining, refresh, refresh_hash, tenant, uuid,
};
use crate::directory::{ClockBehind, Directory, Refresh, Revocations};
use crate::store::StoreError;

async fn prepare(directory: &dyn Directory) {
    directory.add_tenant(&installation(), tenant(1, "main")).await.expect("adds a tenant");
    for number in [1, 2] {
        directory.add_client(&maintaining(1).to_write_credentials(), client(number, 1)).await.expect("adds a client");
    }
}

async fn add(directory: &dyn Directory, number: u64, family: u64) {
    directory.add_refresh(&authenticated(1, 1), refresh(number, family, 1)).await.expect("adds a refresh token");
}

async fn find(directory: &dyn Directory, number: u64) -> Option<Refresh> {
    directory.find_refresh(refresh_hash(number)).await.expect("finds")
}

async fn exchange(directory: &dyn Directory, number: u64, next: u64, family: u64) -> bool {
    let next = refresh(next, family, 1);
    directory.exchange_refresh(&authenticated(1, 1), refresh_hash(number), at(20), next).await.expect("exchanges")
}

/// The tokens and families revoked, in order.
async fn revocations(directory: &dyn Directory) -> (Vec<Uuid>, Vec<FamilyId>) {
    let Revocations { mut tokens, mut families } = directory.revocations().await.expect("lists");
    tokens.sort_unstable();
    families.sort_unstable();
    (tokens, families)
}

pub async fn a_refresh_token_is_found_as_it_was_added(directory: &dyn Directory) {
    prepare(directory).await;
    let before = directory.version().await.expect("reads the version");
    add(directory, 1, 1).await;
    assert_eq!(directory.version().await.expect("reads the version"), before);
    assert_eq!(find(directory, 1).await, Some(refresh(1, 1, 1)));
    assert_eq!(find(directory, 2).await, None);
}

pub async fn a_refresh_token_is_exchanged_once(directory: &dyn Directory) {
    prepare(directory).await;
    add(directory, 1, 1).await;
    assert!(exchange(directory, 1, 2, 1).await);
    assert_eq!(find(directory, 1).await, Some(Refresh { used: Some(at(20)), ..refresh(1, 1, 1) }));
    assert_eq!(find(directory, 2).await, Some(refresh(2, 1, 1)));
    assert!(!exchange(directory, 1, 3, 1).await);
    assert_eq!(find(directory, 3).await, None);
    assert!(exchange(directory, 2, 4, 1).await);
}

pub async fn an_unknown_refresh_token_is_not_exchanged(directory: &dyn Directory) {
    prepare(directory).await;
    assert!(!exchange(directory, 1, 2, 1).await);
    assert_eq!(find(directory, 2).await, None);
}

pub async fn a_client_has_sixteen_live_refresh_tokens_and_the_oldest_is_forgotten(directory: &dyn Directory) {
    prepare(directory).await;
    let of =
        |number: u64, client| Refresh { created: at(10 + number.cast_signed()), ..refresh(number, number, client) };
    // Another client's, and one of a family that is revoked, do not count.
    directory.add_refresh(&authenticated(2, 1), of(40, 2)).await.expect("adds a refresh token");
    for number in 1..=17 {
        directory.add_refresh(&authenticated(1, 1), of(number, 1)).await.expect("adds a refresh token");
        if number == 1 {
            directory.revoke_family(&authenticated(1, 1), of(1, 1).family, at(20)).await.expect("revokes");
        }
    }
    assert!(find(directory, 1).await.is_some() && find(directory, 2).await.is_some());
    // One that was exchanged does not count, its successor does: as it was made, it is the oldest.
    assert!(exchange(directory, 2, 50, 2).await);
    directory.add_refresh(&authenticated(1, 1), of(18, 1)).await.expect("adds a refresh token");
    let mut known = Vec::new();
    for number in (1..=18).chain([40, 50]) {
        if find(directory, number).await.is_some() {
            known.push(number);
        }
    }
    let expected: Vec<u64> = [1].into_iter().chain(3..=18).chain([40]).collect();
    assert_eq!(known, expected, "the family with the oldest live token is forgotten with what was used of it");
}

pub async fn of_many_exchanges_at_the_same_time_one_succeeds(directory: &dyn Directory) {
    prepare(directory).await;
    add(directory, 1, 1).await;
    let exchanged = join_all((2..22).map(|next| exchange(directory, 1, next, 1))).await;
    assert_eq!(exchanged.iter().filter(|done| **done).count(), 1);
    let mut kept = Vec::new();
    for next in 2..22 {
        kept.push(find(directory, next).await.is_some());
    }
    assert_eq!(kept, exchanged);
}

pub async fn a_revoked_family_is_exchanged_no_more(directory: &dyn Directory) {
    prepare(directory).await;
    add(directory, 1, 1).await;
    add(directory, 2, 2).await;
    assert!(exchange(directory, 1, 3, 1).await);
    let before = directory.version().await.expect("reads the version");
    directory.revoke_family(&authenticated(1, 1), id(1), at(30)).await.expect("revokes");
    assert!(directory.version().await.expect("reads the version") > before);
    for number in [1, 3] {
        assert_eq!(find(directory, number).await.and_then(|refresh| refresh.revoked), Some(at(30)));
    }
    assert!(!exchange(directory, 3, 4, 1).await);
    assert_eq!(find(directory, 4).await, None);
    assert_eq!(find(directory, 2).await, Some(refresh(2, 2, 1)));
    assert_eq!(revocations(directory).await, (vec![], vec![id(1)]));
    let before = directory.version().await.expect("reads the version");
    directory.revoke_family(&authenticated(1, 1), id(1), at(40)).await.expect("is revoked already");
    assert_eq!(directory.version().await.expect("reads the version"), before);
    assert_eq!(find(directory, 3).await.and_then(|refresh| refresh.revoked), Some(at(30)));
}

pub async fn a_revoked_token_is_listed_whatever_the_time_is(directory: &dyn Directory) {
    prepare(directory).await;
    let before = directory.version().await.expect("reads the version");
    directory.revoke_token(&authenticated(1, 1), &claims(1, 1, at(50))).await.expect("revokes");
    assert!(directory.version().await.expect("reads the version") > before);
    directory.revoke_token(&authenticated(1, 1), &claims(2, 1, at(-60))).await.expect("revokes what ran out");
    directory.revoke_token(&authenticated(1, 1), &claims(1, 1, at(50))).await.expect("revokes again");
    assert_eq!(revocations(directory).await, (vec![uuid(1), uuid(2)], vec![]));
}

pub async fn a_removed_client_takes_its_refresh_tokens(directory: &dyn Directory) {
    prepare(directory).await;
    add(directory, 1, 1).await;
    directory.add_refresh(&authenticated(2, 1), refresh(2, 2, 2)).await.expect("adds a refresh token");
    assert!(directory.remove_client(&maintaining(1).to_write_credentials(), id(1), None).await.expect("removes"));
    assert_eq!(find(directory, 1).await, None);
    assert_eq!(find(directory, 2).await, Some(refresh(2, 2, 2)));
}

/// Seconds of an hour.
const HOUR: i64 = 60 * 60;
/// Seconds of a day.
const DAY: i64 = 24 * HOUR;

/// Sweeps, and gives the moment that is believed to be past since.
async fn sweep(directory: &dyn Directory, seconds: i64) -> Option<Timestamp> {
    directory.sweep(&installation(), at(seconds)).await.expect("sweeps").past
}

/// Sweeps every hour of a day, its end included.
async fn sweep_a_day(directory: &dyn Directory, from: i64) {
    for hour in 0..=24 {
        sweep(directory, from + hour * HOUR).await;
    }
}

pub async fn a_sweep_forgets_what_ran_out_a_day_ago(directory: &dyn Directory) {
    prepare(directory).await;
    add(directory, 1, 1).await;
    let later = Refresh { expires: at(10 * DAY), ..refresh(2, 2, 1) };
    directory.add_refresh(&authenticated(1, 1), later.clone()).await.expect("adds a refresh token");
    directory.revoke_family(&authenticated(1, 1), id(1), at(30)).await.expect("revokes");
    for (number, seconds) in [(1, 50), (2, 10 * DAY)] {
        directory.revoke_token(&authenticated(1, 1), &claims(number, 1, at(seconds))).await.expect("revokes");
    }
    for hour in 0..24 {
        assert_eq!(sweep(directory, 99 + hour * HOUR).await, None);
    }
    assert_eq!(revocations(directory).await, (vec![uuid(1), uuid(2)], vec![id(1)]));
    assert_eq!(sweep(directory, 99 + DAY).await, Some(at(99)), "others may forget what had run out then");
    assert!(find(directory, 1).await.is_some());
    assert_eq!(revocations(directory).await, (vec![uuid(2)], vec![id(1)]));
    sweep_a_day(directory, 99 + DAY).await;
    assert_eq!(find(directory, 1).await, None);
    assert_eq!(find(directory, 2).await, Some(later));
    assert_eq!(revocations(directory).await, (vec![uuid(2)], vec![]));
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn a_used_token_is_known_as_long_as_it_could_be_used_and_its_family_lives_on(directory: &dyn Directory) {
    prepare(directory).await;
    // A family that is renewed each day: each token could be used for two.
    let of = |day: u64| {
        let expires = at((day.cast_signed() + 2) * DAY);
        Refresh { created: at(day.cast_signed() * DAY), expires, ..refresh(day, 1, 1) }
    };
    directory.add_refresh(&authenticated(1, 1), of(0)).await.expect("adds a refresh token");
    for day in 1..=20_u64 {
        let (used, hash) = (at(day.cast_signed() * DAY), refresh_hash(day - 1));
        let exchanged = directory.exchange_refresh(&authenticated(1, 1), hash, used, of(day)).await;
        assert!(exchanged.expect("exchanges"), "day {day}");
        for hour in 0..24 {
            sweep(directory, day.cast_signed() * DAY + hour * HOUR).await;
        }
        assert!(find(directory, day - 1).await.is_some_and(|before| before.used.is_some()), "day {day}");
    }
    let mut known = Vec::new();
    for day in 0..=20 {
        known.extend(find(directory, day).await.map(|_| day));
    }
    assert!(known.len() < 6, "what ran out is forgotten though its family lives: {known:?}");
    directory.revoke_family(&authenticated(1, 1), id(1), at(21 * DAY)).await.expect("revokes");
    assert_eq!(revocations(directory).await, (vec![], vec![id(1)]));
}

pub async fn a_sweep_by_a_clock_that_is_too_far_behind_says_so(directory: &dyn Directory) {
    prepare(directory).await;
    let sweep = async |seconds| directory.sweep(&installation(), at(seconds)).await.expect("sweeps").behind;
    for seconds in [0, 5 * HOUR, 4 * HOUR] {
        assert_eq!(sweep(seconds).await, None, "{seconds}");
    }
    assert_eq!(sweep(2 * HOUR).await, Some(ClockBehind { by_ms: 3 * HOUR * 1_000 }));
    assert_eq!(sweep(2 * HOUR).await, None, "from here on it is the time");
}

pub async fn what_is_revoked_stays_revoked_through_twenty_jumps_of_the_clock(directory: &dyn Directory) {
    prepare(directory).await;
    add(directory, 1, 1).await;
    directory.revoke_family(&authenticated(1, 1), id(1), at(30)).await.expect("revokes");
    directory.revoke_token(&authenticated(1, 1), &claims(1, 1, at(HOUR))).await.expect("revokes");
    let all = (vec![uuid(1)], vec![id(1)]);
    for jump in 1..=20 {
        // Ahead and back, by an hour and a half at first and by years in the end.
        let ahead = (90 * 60) << jump;
        for seconds in [ahead, ahead + HOUR, 60 * jump, -ahead, 60 * jump + 1] {
            assert_eq!(sweep(directory, seconds).await, None, "jump {jump} to {seconds} s");
            assert_eq!(revocations(directory).await, all, "jump {jump} to {seconds} s");
        }
    }
    assert!(find(directory, 1).await.is_some());
}

pub async fn what_is_revoked_after_the_clock_was_set_back_stays_revoked_when_it_jumps_again(directory: &dyn Directory) {
    prepare(directory).await;
    sweep_a_day(directory, 400 * DAY).await;
    sweep(directory, 0).await;
    directory.revoke_token(&authenticated(1, 1), &claims(1, 1, at(HOUR))).await.expect("revokes");
    for seconds in [HOUR / 2, 500 * DAY, 500 * DAY + HOUR, HOUR / 2 + 60] {
        sweep(directory, seconds).await;
    }
    assert_eq!(revocations(directory).await, (vec![uuid(1)], vec![]));
}

pub async fn a_client_writes_nothing_of_anothers_tokens(directory: &dyn Directory) {
    prepare(directory).await;
    add(directory, 1, 1).await;
    let (thief, before) = (authenticated(2, 1), directory.version().await.expect("reads the version"));
    let next = || refresh(2, 1, 1);
    for refused in [
        directory.add_refresh(&thief, next()).await.err(),
        directory.exchange_refresh(&thief, refresh_hash(1), at(20), next()).await.err(),
        directory.revoke_token(&thief, &claims(1, 1, at(50))).await.err(),
    ] {
        assert!(matches!(refused, Some(StoreError::Failed(_))), "{refused:?}");
    }
    let own = Refresh { client: id(2), ..next() };
    assert!(!directory.exchange_refresh(&thief, refresh_hash(1), at(20), own).await.expect("is not its own"));
    directory.revoke_family(&thief, id(1), at(30)).await.expect("has none such");
    assert_eq!(directory.version().await.expect("reads the version"), before);
    assert_eq!(find(directory, 1).await, Some(refresh(1, 1, 1)));
    assert_eq!(find(directory, 2).await, None);
    assert_eq!(revocations(directory).await, (vec![], vec![]));
}
