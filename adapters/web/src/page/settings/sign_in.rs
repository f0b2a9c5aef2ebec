//! How people sign in here, as the installation is set up.

use actix_web::{HttpResponse, web};
use http::edge::{self, Failure};
use maud::html;

use super::page;
use crate::here::Here;
use crate::site::Site;

const PATH: &str = "/settings/sign-in";

pub(crate) async fn show(here: Here, site: web::Data<Site>) -> Result<HttpResponse, Failure> {
    let rights = site.users.provided_rights(here.caller()).await?;
    let body = html! {
        section {
            dl.fields {
                dt { "Passwords" } dd { "at least 10 characters; ten wrong ones in a minute from one address, and none is looked at until it is over" }
                dt { "Links" } dd { "sign in once within 15 minutes; made on a user's page, or by " code { "tonne user link" } }
                dt { "Sessions" } dd { "end after 12 hours without use, and after 7 days however much they are used" }
                dt { "This address" } dd { @if edge::is_secure(here.request()) { "https: cookies are bound to it" } @else { span.tag.warn { "http: everybody on the way can read along" } } }
                dt { "Provider" }
                dd {
                    @match &site.provider {
                        Some(provider) => {
                            (provider.name) ", " code { (provider.issuer) } ". "
                            @match &rights {
                                Some(rights) => { "Whoever it vouches for and nobody added becomes a user who may: " (rights) "." }
                                None => { "Only users with its issuer and subject on their page sign in by it." }
                            }
                        }
                        None => { "none: oidc.issuer of the configuration names one" }
                    }
                }
            }
        }
    };
    Ok(page(&here, PATH, "Sign-in", body).answer(&here))
}
