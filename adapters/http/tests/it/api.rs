//! Asking the service: one request, and the parts of its answer that tests look at.

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::dev::Service as _;
use actix_web::http::Method;
use actix_web::test::{TestRequest, init_service};
use serde_json::Value;
use tonne_http::{Limits, Service, configure};

use crate::fake::{self, Activities};

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// The type of the problem, without what all types begin with.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        self.json()["type"].as_str().unwrap().trim_start_matches("/problems/").to_owned()
    }

    /// The places that the problem names.
    pub(crate) fn places(&self) -> Vec<String> {
        let json = self.json();
        let place = |error: &Value| error["parameter"].as_str().or(error["pointer"].as_str()).unwrap().to_owned();
        json["errors"].as_array().unwrap().iter().map(place).collect()
    }
}

/// Sends a request with those headers to a service over the stand-ins.
pub(crate) async fn send(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    send_to(&fake::service(Activities::default(), Limits::default()), method, path, headers, body).await
}

/// Sends a request to that service.
pub(crate) async fn send_to(
    service: &Service,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let app = init_service(App::new().configure(configure(service))).await;
    let mut request = TestRequest::default()
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .uri(path)
        .peer_addr("192.0.2.1:4000".parse().unwrap())
        .set_payload(body.to_owned());
    for (name, value) in headers {
        request = request.append_header((*name, *value));
    }
    let response = app.call(request.to_request()).await;
    let response =
        response.map_or_else(|error| error.error_response(), |answer| answer.into_parts().1.map_into_boxed_body());
    let status = response.status().as_u16();
    let text = |value: &actix_web::http::header::HeaderValue| value.to_str().unwrap().to_owned();
    let mut headers: Vec<_> = response.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    headers.sort();
    let text = String::from_utf8(to_bytes(response.into_body()).await.unwrap().to_vec()).unwrap();
    Answer { status, headers, text }
}

/// Reads with a token that holds those permissions.
pub(crate) async fn get(path: &str, permissions: &str) -> Answer {
    get_with(path, permissions, &[]).await
}

/// Reads with a token that holds those permissions, and with more headers.
pub(crate) async fn get_with(path: &str, permissions: &str, headers: &[(&str, &str)]) -> Answer {
    let bearer = format!("Bearer {permissions}");
    let mut all = vec![("Authorization", bearer.as_str())];
    all.extend(headers);
    send("GET", path, &all, "").await
}
