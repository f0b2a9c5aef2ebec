//! Which operations are deprecated.

use crate::deprecation::Deprecation;
use crate::operation::Operation;

/// The operations that are deprecated, by what programs call them. There are none.
const DEPRECATED: &[(&str, Deprecation)] = &[];

/// The operations, with what the list says of them.
pub(crate) fn marked(operations: Vec<Operation>) -> Vec<Operation> {
    operations.into_iter().map(|one| mark(one, DEPRECATED)).collect()
}

fn mark(mut operation: Operation, list: &[(&str, Deprecation)]) -> Operation {
    let found = list.iter().find(|(id, _)| *id == operation.about.id);
    operation.about.deprecation = found.map(|(_, deprecation)| *deprecation);
    operation
}

#[cfg(test)]
mod tests {
    use actix_web::{App, HttpResponse, test};

    use super::*;
    use crate::problem::Problem;

    const LIST: [(&str, Deprecation); 1] = [("get_old", Deprecation { since: "2027-01-01", ends: "2028-01-01" })];

    async fn handler() -> Result<HttpResponse, Problem> {
        Ok(HttpResponse::Ok().finish())
    }

    fn operation(id: &str, path: &'static str) -> Operation {
        mark(Operation::public(path, handler).named(id, "Tests"), &LIST)
    }

    #[actix_web::test]
    async fn answers_of_a_deprecated_operation_say_since_when_and_until_when() {
        let app = App::new()
            .route("/old", operation("get_old", "/old").into_route())
            .route("/new", operation("get_new", "/new").into_route());
        let app = test::init_service(app).await;
        for (accept, status) in [("*/*", 200), ("image/png", 406)] {
            let request = test::TestRequest::get().uri("/old").insert_header(("Accept", accept)).to_request();
            let answer = test::call_service(&app, request).await;
            let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
            assert_eq!(answer.status(), status);
            assert_eq!(header("deprecation"), Some("@1798761600"));
            assert_eq!(header("sunset"), Some("Sat, 01 Jan 2028 00:00:00 GMT"));
        }
        let answer = test::call_service(&app, test::TestRequest::get().uri("/new").to_request()).await;
        assert!(!answer.headers().contains_key("deprecation") && !answer.headers().contains_key("sunset"));
    }

    #[actix_web::test]
    async fn the_document_marks_a_deprecated_operation() {
        let operations = [operation("get_old", "/old"), operation("get_new", "/new")];
        let document = crate::document::document(&operations, "1", "/api");
        let old = &document["paths"]["/old"]["get"];
        assert_eq!(old["deprecated"], true);
        let says = old["description"].as_str().unwrap();
        assert!(says.contains("2027-01-01") && says.contains("2028-01-01"), "{says}");
        assert!(document["paths"]["/new"]["get"].get("deprecated").is_none());
    }

    #[actix_web::test]
    async fn no_operation_ends_sooner_than_the_policy_says() {
        assert!(LIST[0].1.days().is_some());
        assert!(Deprecation { since: "2027-01-01", ends: "2027-12-31" }.days().is_none());
        let ids: Vec<_> = crate::routes::table().into_iter().map(|one| one.about.id).collect();
        for (id, deprecation) in DEPRECATED {
            assert!(deprecation.days().is_some(), "{id}: {deprecation:?}");
            assert!(ids.iter().any(|known| known == id), "{id} is no operation");
        }
    }
}
