//! Records from their canonical text, kind by kind, by the domain's own constructors.

use domain::footprint::{FOOTPRINT, Stamps};
use domain::{
    Activity, Block, Calculation, Canonical, Co2e, Day, DeclaredAmount, Description, Factor, FactorData, Footprint,
    ImageAddress, Incomplete, Input, Intensity, Measured, Model, Moment, Name, Node, NodeDetail, Product, Quantity,
    ScopeClass, ScopeKind, Slug, Source, Span, Stage, SuppliedCo2e, Switch, SyncId, Timestamp, Tree, Unit,
};
use ports::load::AnyRecord;
use ports::{RecordKind, Stored, Version};

use super::fields;
use super::members::{Members, at};
use crate::json::{Json, Wrong};

/// The record of that kind, with the canonical text that it has.
pub(super) fn record(kind: RecordKind, json: Json) -> Result<(AnyRecord, String), Wrong> {
    let mut members = Members::of(json)?;
    let all = &mut members;
    let read = match kind {
        RecordKind::Activity => stored(activity(all)?, all).map(|stored| both(stored, AnyRecord::Activity)),
        RecordKind::Scope => stored(node(all, Tree::Scope)?, all).map(|stored| both(stored, AnyRecord::Node)),
        RecordKind::Org => stored(node(all, Tree::Org)?, all).map(|stored| both(stored, AnyRecord::Node)),
        RecordKind::Taxonomy => stored(node(all, Tree::Taxonomy)?, all).map(|stored| both(stored, AnyRecord::Node)),
        RecordKind::Product => stored(product(all)?, all).map(|stored| both(stored, AnyRecord::Product)),
        RecordKind::Factor => stored(factor(all)?, all).map(|stored| both(stored, AnyRecord::Factor)),
        RecordKind::Model => stored(model(all)?, all).map(|stored| both(stored, AnyRecord::Model)),
        RecordKind::Input => stored(input(all)?, all).map(|stored| both(stored, AnyRecord::Input)),
        RecordKind::Switch => stored(switch(all)?, all).map(|stored| both(stored, AnyRecord::Switch)),
        RecordKind::Footprint => stored(footprint(all)?, all).map(|stored| both(stored, AnyRecord::Footprint)),
    }?;
    members.finish()?;
    Ok(read)
}

fn stored<T>(value: T, members: &mut Members) -> Result<Stored<T>, Wrong> {
    Ok(Stored {
        value,
        created: members.text("created", Timestamp::parse)?,
        updated: members.text("updated", Timestamp::parse)?,
        version: Version(members.text("version", str::parse)?),
    })
}

fn both<T>(stored: Stored<T>, of: impl FnOnce(Stored<T>) -> AnyRecord) -> (AnyRecord, String)
where
    Stored<T>: Canonical,
{
    let text = stored.canonical();
    (of(stored), text)
}

fn kind(members: &mut Members, expected: RecordKind) -> Result<(), Wrong> {
    let fits = |word: &str| if word == expected.as_str() { Ok(()) } else { Err(Wrong::new("is another one")) };
    members.text("kind", fits)
}

fn incomplete(members: &mut Members, name: &str) -> Result<Option<Incomplete>, Wrong> {
    members.optional(name, |code| Incomplete::from_code(code).ok_or("is no reason for an incomplete amount"))
}

fn activity(members: &mut Members) -> Result<Activity, Wrong> {
    kind(members, RecordKind::Activity)?;
    let (id, sync_id) = (members.text("id", str::parse)?, members.optional("syncId", SyncId::parse)?);
    let name = members.text("name", Name::parse)?;
    let description = members.optional("description", Description::parse)?;
    let quantity = members.optional("quantity", Quantity::parse)?;
    let measured = match (quantity, members.optional("unit", Unit::parse)?) {
        (Some(quantity), Some(unit)) => Some(Measured { quantity, unit }),
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => return Err(Wrong::new("quantity does not go with unit")),
    };
    let supplied = SuppliedCo2e {
        upstream: members.optional("suppliedUpstream", Co2e::parse)?,
        downstream: members.optional("suppliedDownstream", Co2e::parse)?,
    };
    let (product, scope) = (members.optional("product", str::parse)?, members.optional("scope", str::parse)?);
    let (taxonomy, org) = (members.optional("taxonomy", str::parse)?, members.optional("org", str::parse)?);
    let (start, end) = (members.text("start", Moment::parse)?, members.optional("end", Moment::parse)?);
    let span = Span::new(start, end).map_err(|error| at("end", &Wrong::new(error)))?;
    let (upstream, downstream) =
        (members.optional("upstream", Co2e::parse)?, members.optional("downstream", Co2e::parse)?);
    let (factor, reason) = (members.optional("factor", str::parse)?, incomplete(members, "incomplete")?);
    let calculation = Calculation::new(upstream, downstream, factor, reason).map_err(Wrong::new)?;
    Ok(Activity {
        id,
        sync_id,
        name,
        description,
        measured,
        supplied,
        product,
        scope,
        taxonomy,
        org,
        span,
        calculation,
    })
}

fn node(members: &mut Members, tree: Tree) -> Result<Node, Wrong> {
    kind(members, RecordKind::from(tree))?;
    let (id, sync_id) = (members.text("id", str::parse)?, members.optional("syncId", SyncId::parse)?);
    let (name, parent) = (members.text("name", Name::parse)?, members.optional("parent", str::parse)?);
    let slug = members.optional("slug", Slug::parse)?;
    let scope = members.optional("scopeKind", |word| ScopeKind::parse(word).ok_or("is no kind of scope"))?;
    let category = members.optional("category", str::parse)?;
    let class = scope.map(|kind| ScopeClass::new(kind, category)).transpose().map_err(Wrong::new)?;
    let detail = match (tree, slug, class) {
        (Tree::Scope, None, Some(class)) => NodeDetail::Scope(class),
        (Tree::Org, None, None) => NodeDetail::Org,
        (Tree::Taxonomy, Some(slug), None) => NodeDetail::Taxonomy(slug),
        (Tree::Scope | Tree::Org | Tree::Taxonomy, _, _) => {
            return Err(Wrong::new("has a slug or a scopeKind that does not go with its tree"));
        }
    };
    Ok(Node { id, sync_id, name, parent, detail })
}

fn product(members: &mut Members) -> Result<Product, Wrong> {
    Ok(Product {
        id: members.text("uuid", str::parse)?,
        sync_id: members.optional("syncId", SyncId::parse)?,
        name: members.text("name", Name::parse)?,
        unit: members.text("unit", Unit::parse)?,
    })
}

fn factor(members: &mut Members) -> Result<Factor, Wrong> {
    let (id, product) = (members.text("uuid", str::parse)?, members.text("product", str::parse)?);
    let terms = FactorData {
        unit: members.text("unit", Unit::parse)?,
        upstream: members.optional("upstream", Intensity::parse)?,
        downstream: members.optional("downstream", Intensity::parse)?,
        valid_from: members.text("validFrom", Day::parse)?,
        valid_to: members.optional("validTo", Day::parse)?,
        source: members.text("source", Source::parse)?,
        gwp: members.optional("gwp", Name::parse)?,
    };
    let corrects = members.optional("corrects", str::parse)?;
    Factor::from_stored(id, product, terms, corrects).map_err(Wrong::new)
}

fn model(members: &mut Members) -> Result<Model, Wrong> {
    let (id, sync_id) = (members.text("uuid", str::parse)?, members.optional("syncId", SyncId::parse)?);
    let (name, unit) = (members.text("name", Name::parse)?, members.text("unit", Unit::parse)?);
    let amount = members.text("amount", Quantity::parse)?;
    let amount = DeclaredAmount::new(amount).map_err(|error| at("amount", &Wrong::new(error)))?;
    let reference_date = members.text("referenceDate", Day::parse)?;
    let blocks = members.list("blocks", |json| {
        let mut members = Members::of(json)?;
        let block = Block { id: members.text("uuid", str::parse)?, name: members.text("name", Name::parse)? };
        members.finish()?;
        Ok(block)
    })?;
    Ok(Model { id, sync_id, name, unit, amount, reference_date, blocks })
}

fn input(members: &mut Members) -> Result<Input, Wrong> {
    Ok(Input {
        id: members.text("uuid", str::parse)?,
        model: members.text("model", str::parse)?,
        sync_id: members.optional("syncId", SyncId::parse)?,
        name: members.text("name", Name::parse)?,
        material: members.text("material", str::parse)?,
        block: members.optional("block", str::parse)?,
        stage: members.optional("lifecycleStage", Stage::parse)?,
        quantity: members.text("quantity", Quantity::parse)?,
        unit: members.text("unit", Unit::parse)?,
        order: i32::try_from(members.integer("order", i32::MIN.into()..=i32::MAX.into())?).map_err(Wrong::new)?,
        co2e: members.optional("CO2e", Co2e::parse)?,
        factor: members.optional("factor", str::parse)?,
        reason: incomplete(members, "reason")?,
    })
}

fn switch(members: &mut Members) -> Result<Switch, Wrong> {
    Ok(Switch {
        id: members.text("uuid", str::parse)?,
        sync_id: members.optional("syncId", SyncId::parse)?,
        name: members.text("name", Name::parse)?,
        unit: members.optional("unit", Unit::parse)?,
        image: members.optional("image", ImageAddress::parse)?,
        sources: members.list("sources", |json| json.text(str::parse))?,
    })
}

fn footprint(members: &mut Members) -> Result<Footprint, Wrong> {
    let (id, number) = (members.text("uuid", str::parse)?, members.text("number", str::parse)?);
    let stamps = Stamps {
        created: members.text("recorded", Timestamp::parse)?,
        updated: members.optional("amended", Timestamp::parse)?,
        amendments: u32::try_from(members.integer("amendments", 0..=u32::MAX.into())?).map_err(Wrong::new)?,
    };
    Ok(Footprint { id, number, stamps, fields: fields::take(members, &FOOTPRINT)? })
}
