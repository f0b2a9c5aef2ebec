//! The order of the lines of a tenant's file, by their kinds.

use files::TenantLine;
use ports::RecordKind;

/// The kinds of lines, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LineKind {
    #[default]
    Header,
    Series,
    Catalog(RecordKind),
    Record(u8),
    Change,
    Import,
    Client,
    Key,
    User,
    End,
}

impl LineKind {
    /// The kind of a line.
    pub(super) fn of(line: &TenantLine) -> Self {
        match line {
            TenantLine::Header(_) => Self::Header,
            TenantLine::Series(..) => Self::Series,
            TenantLine::Record(canonized) => match canonized.record.kind() {
                kind @ (RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy | RecordKind::Product) => {
                    Self::Catalog(kind)
                }
                RecordKind::Factor => Self::Record(0),
                RecordKind::Model => Self::Record(1),
                RecordKind::Input => Self::Record(2),
                RecordKind::Switch => Self::Record(3),
                RecordKind::Footprint => Self::Record(4),
                RecordKind::ClosedPeriod => Self::Record(5),
                RecordKind::Exclusion => Self::Record(6),
                RecordKind::Partner => Self::Record(7),
                RecordKind::Sharing => Self::Record(8),
                RecordKind::Activity => Self::Record(9),
            },
            TenantLine::Change(..) | TenantLine::Items(..) | TenantLine::Postings(..) | TenantLine::Lines(..) => {
                Self::Change
            }
            TenantLine::Import(_) => Self::Import,
            TenantLine::Client(_) => Self::Client,
            TenantLine::Key(_) => Self::Key,
            TenantLine::User(..) => Self::User,
            TenantLine::End(_) => Self::End,
        }
    }
}
