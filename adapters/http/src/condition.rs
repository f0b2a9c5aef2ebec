//! Conditional requests: tags of what is answered, and what `If-Match` and `If-None-Match` say of them (RFC 9110, 13).
//!
//! A record's tag is `"<epoch>.<version>-<digest of the answer>"`. `If-Match` compares epoch and version alone, so that a
//! change of names around a record does not stop a writer; `If-None-Match` compares all of it. A tag from before a restore
//! names another epoch, and matches nothing.

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName};
use ports::Version;
use ports::inbound::Error;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use uuid::Uuid;

use crate::addressed_tenant::Addressed;
use crate::problem::HeadFaults;
use crate::request_part::{Parameter, Part, Place};
use crate::schema::Kind;

/// The version that no record ever has.
const NEVER: Version = Version(u64::MAX);

/// An entity tag (RFC 9110, 8.8.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    weak: bool,
    opaque: String,
}

impl Tag {
    /// The tag of a record's answer.
    pub(crate) fn of_record((epoch, version): (Uuid, Version), body: &[u8]) -> Self {
        Self { weak: false, opaque: format!("{}.{version}-{}", short(epoch), short_digest(&[body])) }
    }

    /// The tag of an answer that has no version.
    pub(crate) fn of_bytes(body: &[u8]) -> Self {
        Self { weak: false, opaque: short_digest(&[body]) }
    }

    /// The weak tag of an answer that those parts determine.
    pub(crate) fn weak(parts: &[&str]) -> Self {
        let parts: Vec<_> = parts.iter().flat_map(|part| [part.as_bytes(), &[0]]).collect();
        Self { weak: true, opaque: short_digest(&parts) }
    }

    /// Whether a tag of `If-Match` stands for the same record at the same version, or else for the same bytes.
    fn matches(&self, other: &Self) -> bool {
        match (self.epoch_and_version(), other.epoch_and_version()) {
            (None, None) => self == other && !self.weak,
            (one, other) => one == other,
        }
    }

    /// The short form of the epoch in it, and the version, if a record's tag it is.
    fn epoch_and_version(&self) -> Option<(&str, Version)> {
        if self.weak {
            return None;
        }
        let (epoch, version) = self.opaque.split_once('-')?.0.split_once('.')?;
        Some((epoch, Version(version.parse().ok()?)))
    }

    /// The version in it, if it is the tag of a record at that epoch.
    fn version_at(&self, epoch: Uuid) -> Option<Version> {
        self.epoch_and_version().filter(|(of, _)| *of == short(epoch)).map(|(_, version)| version)
    }
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let weak = if self.weak { "W/" } else { "" };
        write!(f, "{weak}\"{}\"", self.opaque)
    }
}

/// The first eight hexadecimal digits of an epoch, which is random.
fn short(epoch: Uuid) -> String {
    format!("{:08x}", epoch.as_fields().0)
}

/// The first 16 hexadecimal digits of the parts' SHA-256.
fn short_digest(parts: &[&[u8]]) -> String {
    let digest = parts.iter().fold(Sha256::new(), Sha256::chain_update).finalize();
    digest.iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What a condition names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    Any,
    Tags(Vec<Tag>),
}

impl Named {
    /// What the header names, `Some(None)` where it is not sent; `None` with a fault noted.
    #[expect(clippy::option_option, reason = "a header that is not sent is not one that is wrong")]
    fn read(headers: &HeaderMap, name: &HeaderName, called: &str, faults: &mut HeadFaults) -> Option<Option<Self>> {
        if !headers.contains_key(name) {
            return Some(None);
        }
        let parts: Result<Vec<_>, _> = headers.get_all(name).map(|value| value.to_str()).collect();
        let named = parts.ok().and_then(|parts| Self::parse(&parts.join(",")));
        if named.is_none() {
            faults.malformed(called, r#"is not * or a list of tags such as "c0de0123.7-0123456789abcdef""#);
        }
        named.map(Some)
    }

    fn parse(text: &str) -> Option<Self> {
        if text.trim() == "*" {
            return Some(Self::Any);
        }
        let mut tags = Vec::new();
        let mut rest = text.trim_matches([' ', '\t', ',']);
        while !rest.is_empty() {
            let (weak, quoted) = rest.strip_prefix("W/").map_or((false, rest), |quoted| (true, quoted));
            let (opaque, behind) = quoted.strip_prefix('"')?.split_once('"')?;
            tags.push(Tag { weak, opaque: opaque.to_owned() });
            let behind = behind.trim_start();
            rest = match behind.strip_prefix(',') {
                Some(next) => next.trim_start_matches([' ', '\t', ',']),
                None if behind.is_empty() => behind,
                None => return None,
            };
        }
        (!tags.is_empty()).then_some(Self::Tags(tags))
    }
}

/// The version that a writer saw, as `If-Match` says it.
#[derive(Clone, Debug)]
pub(crate) struct IfMatchParam {
    named: Option<Named>,
    /// The epoch of the tenant that the request is for.
    epoch: Uuid,
}

impl IfMatchParam {
    /// The version that the record must still have, `None` for any. `current` is asked only where several are named.
    pub(crate) async fn seen(
        &self,
        current: impl Future<Output = Result<Version, Error>>,
    ) -> Result<Option<Version>, Error> {
        let Some(Named::Tags(tags)) = &self.named else { return Ok(None) };
        let versions: Vec<_> = tags.iter().filter_map(|tag| tag.version_at(self.epoch)).collect();
        match versions.as_slice() {
            [] => Ok(Some(NEVER)),
            [one] => Ok(Some(*one)),
            several => {
                let current = current.await?;
                Ok(Some(if several.contains(&current) { current } else { NEVER }))
            }
        }
    }
}

/// How a list of tags looks, as a regular expression.
const TAGS: &str = r#""^(\\*|(W/)?\"[^\"]*\"(, ?(W/)?\"[^\"]*\")*)$""#;

impl Part for IfMatchParam {
    fn parameters() -> Vec<Parameter> {
        vec![Parameter {
            name: "If-Match",
            place: Place::Header,
            doc: "The tag that the record must still have, as `ETag` said it; several with commas, or `*`.",
            kind: Kind::Text(1, 8_192),
            more: &[("pattern", TAGS), ("examples", r#"["\"c0de0123.7-0123456789abcdef\""]"#)],
        }]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let headers = request.headers();
        if headers.contains_key(header::IF_NONE_MATCH) {
            faults.out_of_place("If-None-Match", "is for reading; send If-Match with a change");
        }
        let named = Named::read(headers, &header::IF_MATCH, "If-Match", faults)?;
        // An address without a tenant is answered before.
        Some(Self { named, epoch: Addressed::of(request).map_or(Uuid::nil(), |addressed| addressed.epoch) })
    }
}

/// The conditions of a request that reads.
#[derive(Clone, Debug)]
pub(crate) struct IfNoneMatchParam {
    matching: Option<Named>,
    none_matching: Option<Named>,
}

/// What the conditions say of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Send,
    /// The reader has it already.
    NotModified,
    /// It is not what the reader holds on to.
    Stale,
}

impl IfNoneMatchParam {
    /// Whether there are conditions that name tags, and not `*`.
    pub(crate) const fn name_tags(&self) -> bool {
        matches!((&self.matching, &self.none_matching), (Some(Named::Tags(_)), _) | (_, Some(Named::Tags(_))))
    }

    /// What the conditions say of the answer with that tag.
    pub(crate) fn validate(&self, tag: &Tag) -> Verdict {
        let matches = match &self.matching {
            None | Some(Named::Any) => true,
            Some(Named::Tags(tags)) => tags.iter().any(|one| one.matches(tag)),
        };
        let known = match &self.none_matching {
            None => false,
            Some(Named::Any) => true,
            Some(Named::Tags(tags)) => tags.iter().any(|one| one.opaque == tag.opaque),
        };
        match (matches, known) {
            (false, _) => Verdict::Stale,
            (true, true) => Verdict::NotModified,
            (true, false) => Verdict::Send,
        }
    }
}

impl Part for IfNoneMatchParam {
    fn parameters() -> Vec<Parameter> {
        vec![Parameter {
            name: "If-None-Match",
            place: Place::Header,
            doc: "The tag that the reader has already; the answer is 304 while it stays the same.",
            kind: Kind::Text(1, 8_192),
            more: &[("pattern", TAGS)],
        }]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let headers = request.headers();
        let matching = Named::read(headers, &header::IF_MATCH, "If-Match", faults);
        let none_matching = Named::read(headers, &header::IF_NONE_MATCH, "If-None-Match", faults);
        Some(Self { matching: matching?, none_matching: none_matching? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPOCH: Uuid = Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);

    fn tag(version: u64) -> Tag {
        Tag::of_record((EPOCH, Version(version)), b"body")
    }

    #[test]
    fn lists_and_the_star_are_read() {
        assert_eq!(Named::parse(" * "), Some(Named::Any));
        assert_eq!(Named::parse(&format!("{} ,, {}", tag(1), tag(22))), Some(Named::Tags(vec![tag(1), tag(22)])));
        assert_eq!(Named::parse("W/\"a,b\""), Some(Named::Tags(vec![Tag { weak: true, opaque: "a,b".into() }])));
    }

    #[test]
    fn what_is_no_list_of_tags_is_refused() {
        for bad in ["", ",", "abc", "\"a", "\"a\" \"b\"", "*, \"a\"", "w/\"a\"", "7"] {
            assert_eq!(Named::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_writer_is_compared_by_version_and_weak_never_matches() {
        let other_body = Tag::of_record((EPOCH, Version(1)), b"other");
        let validate = |named| IfNoneMatchParam { matching: Some(named), none_matching: None }.validate(&tag(1));
        assert_eq!(validate(Named::Tags(vec![tag(2), other_body])), Verdict::Send);
        assert_eq!(validate(Named::Tags(vec![Tag { weak: true, ..tag(1) }])), Verdict::Stale);
        assert_eq!(validate(Named::Tags(vec![tag(2)])), Verdict::Stale);
    }

    #[test]
    fn a_tag_of_another_epoch_matches_nothing() {
        let of = Tag::of_record((Uuid::nil(), Version(1)), b"body");
        let matching = IfNoneMatchParam { matching: Some(Named::Tags(vec![of.clone()])), none_matching: None };
        assert_eq!(matching.validate(&tag(1)), Verdict::Stale);
        let known = IfNoneMatchParam { matching: None, none_matching: Some(Named::Tags(vec![of.clone()])) };
        assert_eq!(known.validate(&tag(1)), Verdict::Send);
        assert_eq!((of.version_at(EPOCH), tag(1).version_at(EPOCH)), (None, Some(Version(1))));
    }

    #[test]
    fn what_has_no_version_is_compared_by_all_of_the_tag_and_weak_never_matches() {
        let (one, other) = (Tag::of_bytes(b"one"), Tag::of_bytes(b"other"));
        let validate = |named, tag| {
            IfNoneMatchParam { matching: Some(Named::Tags(vec![named])), none_matching: None }.validate(tag)
        };
        assert_eq!(validate(one.clone(), &one), Verdict::Send);
        assert_eq!(validate(other, &one), Verdict::Stale);
        let weak = Tag::weak(&["one"]);
        assert_eq!(validate(weak.clone(), &weak), Verdict::Stale);
        assert_eq!(validate(tag(1), &one), Verdict::Stale);
    }

    #[test]
    fn a_reader_is_compared_by_all_of_the_tag() {
        let validate = |named| IfNoneMatchParam { matching: None, none_matching: Some(named) }.validate(&tag(1));
        assert_eq!(validate(Named::Tags(vec![Tag { weak: true, ..tag(1) }])), Verdict::NotModified);
        assert_eq!(validate(Named::Tags(vec![Tag::of_record((EPOCH, Version(1)), b"other")])), Verdict::Send);
        assert_eq!(validate(Named::Any), Verdict::NotModified);
    }
}
