//! The filters of version 3: parameters by their names. A parameter that is given again is another choice, different
//! parameters must all hold, and one without a value is as if it were not given.

use domain::footprint::{Condition, FootprintFilter};
use domain::{FaultCode, Faults, Moment};

/// A parameter of the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the query.
    pub name: &'static str,
    /// What it asks for, in a sentence.
    pub about: &'static str,
    /// Whether it may be given more than once.
    pub repeats: bool,
}

/// The parameters of a list of version 3 that choose footprints, as they are read one by one.
#[derive(Clone, Debug, Default)]
pub struct FilterQuery {
    texts: Vec<(usize, Vec<String>)>,
    moments: Vec<(usize, Moment)>,
    faults: Faults,
}

impl FilterQuery {
    /// Every parameter.
    pub const PARAMETERS: [Parameter; 8] = [
        Parameter { name: "productId", about: "One of these is among productIds.", repeats: true },
        Parameter { name: "companyId", about: "One of these is among companyIds.", repeats: true },
        Parameter { name: "classification", about: "One of these is among productClassifications.", repeats: true },
        Parameter { name: "geography", about: "One of these is the country, region or subdivision.", repeats: true },
        Parameter { name: "status", about: "One of these is the status.", repeats: true },
        Parameter { name: "validOn", about: "It is valid then, both ends included.", repeats: false },
        Parameter { name: "validAfter", about: "Its validity starts after that.", repeats: false },
        Parameter { name: "validBefore", about: "Its validity ends before that.", repeats: false },
    ];

    /// The values of the parameter of that name in [`PARAMETERS`](Self::PARAMETERS); of a name that is none of them nothing
    /// is read.
    pub fn read(&mut self, name: &str, values: Vec<String>) {
        let Some(at) = Self::PARAMETERS.iter().position(|parameter| parameter.name == name) else { return };
        let values: Vec<_> = values.into_iter().filter(|value| !value.is_empty()).collect();
        if values.is_empty() {
            return;
        }
        if Self::PARAMETERS[at].repeats {
            self.texts.push((at, values));
            return;
        }
        if values.len() > 1 {
            self.faults.add_coded(FaultCode::Repeated, name, "is given more than once");
            return;
        }
        for value in values {
            // A plus that was not percent-encoded came as a blank.
            let moment = Moment::parse(&value).or_else(|error| match value.rsplit_once(' ') {
                Some((start, offset)) => Moment::parse(&format!("{start}+{offset}")).map_err(|_| error),
                None => Err(error),
            });
            let moment = self.faults.check(name, moment);
            self.moments.extend(moment.map(|moment| (at, moment)));
        }
    }

    /// The filter, or all that is wrong with it by the parameters' names.
    pub fn finish(self) -> Result<FootprintFilter, Faults> {
        self.faults.into_result()?;
        let mut conditions = Vec::new();
        for (at, values) in self.texts {
            conditions.push(match at {
                0 => Condition::ProductId(values),
                1 => Condition::CompanyId(values),
                2 => Condition::Classification(values),
                3 => Condition::Geography(values),
                _ => Condition::Status(values),
            });
        }
        for (at, moment) in self.moments {
            conditions.push(match at {
                5 => Condition::ValidOn(moment),
                6 => Condition::ValidAfter(moment),
                _ => Condition::ValidBefore(moment),
            });
        }
        Ok(FootprintFilter { conditions })
    }
}
