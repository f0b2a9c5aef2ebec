//! Acts that are done once though they may be asked for several times.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use super::Error;
use crate::repeat::{FirstAnswer, KeyedRequest};

type Render<V> = Arc<dyn Fn(&V) -> Result<FirstAnswer, Box<dyn StdError + Send + Sync>> + Send + Sync>;

/// That an act is done once: its answer is stored with what it writes, and given again when the same request is sent again
/// within a day.
pub struct Once<V> {
    /// The request.
    pub request: KeyedRequest,
    render: Render<V>,
}

impl<V: 'static> Once<V> {
    /// The act that the request asks for, once; `render` makes the answer of what came of it.
    #[must_use]
    pub fn new(
        request: KeyedRequest,
        render: impl Fn(&V) -> Result<FirstAnswer, Box<dyn StdError + Send + Sync>> + Send + Sync + 'static,
    ) -> Self {
        Self { request, render: Arc::new(render) }
    }

    /// The same of another view of what came of it.
    #[must_use]
    pub fn of<U: 'static>(self, view: impl Fn(&U) -> V + Send + Sync + 'static) -> Once<U> {
        let Self { request, render } = self;
        Once { request, render: Arc::new(move |other| render(&view(other))) }
    }

    /// The answer, which is to be stored. `Failed` where it cannot be made.
    pub fn answer(&self, view: &V) -> Result<FirstAnswer, Error> {
        (self.render)(view).map_err(Error::Failed)
    }
}

impl<V> fmt::Debug for Once<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").field("request", &self.request).finish_non_exhaustive()
    }
}

/// What came of an act that is done once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done<V> {
    /// It was done now.
    New(V),
    /// It was done before, and answered so.
    Before(FirstAnswer),
}

impl<V> Done<V> {
    /// The same with another view of what was done now.
    pub fn map<U>(self, view: impl FnOnce(V) -> U) -> Done<U> {
        match self {
            Self::New(done) => Done::New(view(done)),
            Self::Before(answer) => Done::Before(answer),
        }
    }

    /// What was done, of an act that was not asked for under a key.
    pub fn only_now(self) -> Result<V, Error> {
        match self {
            Self::New(done) => Ok(done),
            // Not reached: without a key there is nothing that came before.
            Self::Before(_) => {
                Err(Error::Failed("a request without a key was answered as one that was sent again".into()))
            }
        }
    }
}
