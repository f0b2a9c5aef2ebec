//! How figures come about: as JSON that can be computed anew, and as text for people.

mod wire;

use actix_web::{HttpResponse, web};
use domain::{ActivityId, InputId, ModelId, SwitchId};
use files::{composition_json, composition_text, explanation_json, explanation_text};
use ports::Permission;
use ports::inbound::{CompositionView, ExplanationView};

use crate::answer;
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::{PathId, PathIds};
use crate::problem::{Kind as Problems, Problem};
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::service::Service;
use wire::{COMPOSITION, EXPLANATION};

/// In JSON unless text is asked for.
const OFFERS: &[&str] = &[media::JSON, media::TEXT];

/// The operations that explain figures.
pub(crate) fn operations() -> Vec<Operation> {
    let explained = || Answer::ok(SchemaOf::Named(&EXPLANATION)).or(media::TEXT, SchemaOf::Text);
    let activity =
        Operation::get(Permission::ActivityRead, "/v1/activity/{uuid}/explanation", explain_activity)
            .offering(OFFERS)
            .named("explain_activity", "Activities")
            .does("How the CO2e of an activity comes about, step by step.")
            .noting(
                "Quantity, exact conversion, factor and each multiplication before and after its one rounding, so that the \
                 figure can be computed anew from the answer alone; with the import that it came by and the change that last \
                 wrote it. `Accept: text/plain` lays the arithmetic out line by line.",
            )
            .answers(explained())
            .refused_with(Problems::NotFound);
    let input = Operation::get(Permission::ModelRead, "/v1/model/{uuid}/input/{id}/explanation", explain_input)
        .offering(OFFERS)
        .named("explain_input", "Models")
        .does("How the CO2e of an input comes about, step by step.")
        .noting("The factor is the one of the model's reference date; both its parts are in one multiplication.")
        .answers(explained())
        .refused_with(Problems::NotFound);
    let composed = || Answer::ok(SchemaOf::Named(&COMPOSITION)).or(media::TEXT, SchemaOf::Text);
    let model = Operation::get(Permission::ModelRead, "/v1/model/{uuid}/explanation", explain_model)
        .offering(OFFERS)
        .named("explain_model", "Models")
        .does("How the total of a model comes about from its inputs.")
        .answers(composed())
        .refused_with(Problems::NotFound);
    let switch = Operation::get(Permission::SwitchRead, "/v1/switch/{uuid}/explanation", explain_switch)
        .offering(OFFERS)
        .named("explain_switch", "Switches")
        .does("How the footprint of a switch comes about: its models, the share of each input, and the one rounding.")
        .answers(composed())
        .refused_with(Problems::NotFound);
    vec![activity, input, model, switch]
}

/// Handles GET of a model's explanation.
async fn explain_model(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<ModelId>, NoQuery)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    shown_composed(accepted, &service.areas().explanations.model(&caller, id).await?)
}

/// Handles GET of a switch's explanation.
async fn explain_switch(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<SwitchId>, NoQuery)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    shown_composed(accepted, &service.areas().explanations.switch(&caller, id).await?)
}

fn shown_composed(accepted: Accepted, view: &CompositionView) -> Result<HttpResponse, Problem> {
    if accepted.0 == media::TEXT { Ok(text(composition_text(view))) } else { answer::ok(&composition_json(view)) }
}

/// Handles GET of an activity's explanation.
async fn explain_activity(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<ActivityId>, NoQuery)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    shown(accepted, &service.areas().explanations.activity(&caller, id).await?)
}

/// Handles GET of an input's explanation.
async fn explain_input(
    caller: Caller,
    Ask((PathIds(model, id), NoQuery), _): Ask<(PathIds<ModelId, InputId>, NoQuery)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    shown(accepted, &service.areas().explanations.input(&caller, model, id).await?)
}

fn shown(accepted: Accepted, view: &ExplanationView) -> Result<HttpResponse, Problem> {
    if accepted.0 == media::TEXT { Ok(text(explanation_text(view))) } else { answer::ok(&explanation_json(view)) }
}

fn text(body: String) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(body)
}
