//! Server-rendered pages of a company's carbon accounts, in a browser, beside the API.
//!
//! A page is a function from the request to an answer (`page/`). It asks one of [`ports::inbound`] and puts the answer into
//! [`component`]s and [`chart`]s: functions from values to markup. What a page shows is said by its address alone: [`Filter`]
//! and [`Params`] read it, [`Address`] writes it. [`Here`] is what a page knows of the request: the company, who looks
//! ([`Viewer`]), and where pages are.
//!
//! A new page is a line in `routes.rs`, a file in `page/`, and a test. `page/dashboard.rs` shows most of what there is to use.

mod account;
pub mod address;
mod assets;
pub mod chart;
pub mod component;
mod cookie;
pub mod csv;
mod elsewhere;
pub mod figure;
pub mod filter;
pub mod filter_bar;
pub mod form;
mod gate;
mod headers;
pub mod here;
pub mod layout;
mod page;
pub mod params;
mod routes;
pub mod site;
mod trees;
mod upload;
pub mod viewer;

pub use account::SessionCookies;
pub use address::Address;
pub use elsewhere::Elsewhere;
pub use figure::Figures;
pub use filter::Filter;
pub use form::Fields;
pub use gate::local_path;
pub use here::Here;
pub use layout::Layout;
pub use params::Params;
pub use routes::pages;
pub use site::Site;
pub use viewer::{Locale, Recognize, Viewer};
