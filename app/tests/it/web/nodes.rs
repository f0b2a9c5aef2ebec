//! Two nodes on one store: what one ends is over on the other.

use std::time::{Duration, Instant};

use ports::Caller;
use ports::inbound::{Browser, Field, NewSession, Standing, UserDraft};
use ports::people::{Rights, SignInName};
use tonne::App;

use crate::http::harness::variant::Store;

async fn nodes(store: &Store) -> [App; 2] {
    let first = App::build(store.config()).await.unwrap();
    [first, App::build(store.config()).await.unwrap()]
}

async fn operator(app: &App) -> Caller {
    let slug = ports::TenantSlug::parse(tonne::SINGLE_TENANT).unwrap();
    app.operator(&app.tenant(&slug).await.unwrap())
}

/// So long a node may go without hearing of a change of another: the documented second.
const HEARD: Duration = Duration::from_secs(1);

/// Waits until the session is over at that node: whoever asks later than a change may take to be heard of is refused, however
/// slow the machine is.
async fn is_over(app: &App, session: &NewSession) {
    let (began, mut again) = (Instant::now(), tokio::time::interval(Duration::from_millis(20)));
    loop {
        let is_late = began.elapsed() > HEARD;
        if app.sessions().authenticate(session.signed_in.caller.tenant, &session.text).await.is_err() {
            return;
        }
        assert!(!is_late, "it is not over within {HEARD:?}");
        again.tick().await;
    }
}

#[tokio::test]
async fn what_ends_a_session_on_one_node_ends_it_on_the_other() {
    let store = Store::new().await;
    let [one, other] = nodes(&store).await;
    let caller = operator(&one).await;
    let draft = |name: &str, rights: &str| UserDraft {
        name: Field::Given(SignInName::parse(name).unwrap()),
        rights: Field::Given(Rights::parse(rights).unwrap()),
        ..UserDraft::default()
    };
    one.users().add_user(&caller, draft("bo", "admin")).await.unwrap();
    let ana = one.users().add_user(&caller, draft("ana", "admin")).await.unwrap().user.id;
    let browser = Browser::default();
    for what in ["signed out", "ended", "lowered", "disabled", "removed"] {
        let link = one.users().make_link(&caller, ana).await.unwrap();
        let session = other.sessions().redeem_link(caller.tenant, &link.text, &browser).await.unwrap();
        assert!(one.sessions().redeem_link(caller.tenant, &link.text, &browser).await.is_err(), "once on both");
        for app in [&one, &other] {
            app.sessions().authenticate(caller.tenant, &session.text).await.unwrap();
        }
        match what {
            "signed out" => one.sessions().sign_out(&session.signed_in).await.unwrap(),
            "ended" => one.users().end_session(&caller, session.signed_in.session.id).await.unwrap(),
            "lowered" => drop(one.users().update_user(&caller, ana, None, draft("ana", "viewer")).await.unwrap()),
            "disabled" => {
                let off = UserDraft { standing: Field::Given(Standing::Disabled), ..UserDraft::default() };
                one.users().update_user(&caller, ana, None, off).await.unwrap();
            }
            _ => one.users().remove_user(&caller, ana, None).await.unwrap(),
        }
        is_over(&one, &session).await;
        is_over(&other, &session).await;
        if what == "disabled" {
            let on = UserDraft { standing: Field::Given(Standing::Active), ..UserDraft::default() };
            one.users().update_user(&caller, ana, None, on).await.unwrap();
        }
    }
    other.close().await;
    store.give_up(&one).await;
}
