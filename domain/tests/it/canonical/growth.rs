//! A kind may get a member that it never had: texts and digests of records without it stay as they are.

use proptest::prelude::*;
use tonne_domain::footprint::{FOOTPRINT, FieldSpec, FieldValue, Fields, ObjectSchema};
use tonne_domain::{
    Canonical, CanonicalError, CanonicalItemReader, CanonicalReader, CanonicalWriter, Co2e, Digest, Name, Product,
    ProductId,
};

use super::drawn;

/// A product of a later version of Tonne, which knows three members more.
#[derive(Clone, Debug, PartialEq)]
struct LaterProduct {
    product: Product,
    colour: Option<Name>,
    labels: Vec<String>,
    packaging: Option<Co2e>,
}

impl Canonical for LaterProduct {
    type Known = ProductId;

    fn write(&self, to: &mut CanonicalWriter) {
        self.product.write(to);
        to.optional("colour", self.colour.as_ref());
        to.texts("labels", &self.labels);
        to.optional_object("packaging", self.packaging, |co2e, to| to.text("co2e", co2e));
    }

    fn read(id: ProductId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            product: Product::read(id, from)?,
            colour: from.optional("colour", Name::parse)?,
            labels: from.list("labels", read_label)?,
            packaging: from.optional_object("packaging", |from| from.text("co2e", Co2e::parse))?,
        })
    }
}

fn read_label(item: CanonicalItemReader<'_, '_>) -> Result<String, CanonicalError> {
    item.string()
}

proptest! {
    #[test]
    fn a_member_that_comes_later_changes_no_text_without_it(product in drawn::product(), colour in "[a-z]{1,9}") {
        let (old, id) = (product.canonical(), product.id);
        let mut later = LaterProduct::from_canonical(id, &old).unwrap();
        prop_assert_eq!(&later.product, &product);
        prop_assert_eq!(later.canonical(), old.clone());
        prop_assert_eq!(later.digest(), Digest::of(old.as_bytes()));

        later.colour = Some(Name::parse(&colour).unwrap());
        prop_assert_ne!(later.digest(), Digest::of(old.as_bytes()));
        prop_assert_eq!(&LaterProduct::from_canonical(id, &later.canonical()).unwrap(), &later);
        let refused = Product::from_canonical(id, &later.canonical()).unwrap_err();
        prop_assert_eq!(refused.path(), "/colour");
    }

    #[test]
    fn a_field_that_comes_later_changes_no_text_of_a_footprint_without_it(
        footprint in drawn::footprint(),
        place in 0..FOOTPRINT.fields.len(),
        like in 0..FOOTPRINT.fields.len(),
    ) {
        let later = with_a_field(place, FOOTPRINT.fields[like]);
        let old = footprint.fields.canonical();
        let read = Fields::from_canonical(later, &old).unwrap();
        prop_assert_eq!(read.canonical(), old.clone());
        prop_assert_eq!(read.digest(), footprint.fields.digest());
    }
}

#[test]
fn a_field_that_comes_later_is_written_where_it_is_given() {
    let later = with_a_field(0, *FOOTPRINT.field("companyName").unwrap());
    let mut fields = Fields::new(later);
    fields.set("madeUp", FieldValue::Text("x".to_owned())).unwrap();
    assert_eq!(fields.canonical(), r#"{"madeUp":"x"}"#);
    assert_eq!(Fields::from_canonical(later, r#"{"madeUp":"x"}"#), Ok(fields));
}

/// The schema of footprints with one field more at that place, of the same kind as another.
fn with_a_field(place: usize, like: FieldSpec) -> &'static ObjectSchema {
    let mut made_up = like;
    made_up.name = "madeUp";
    let mut fields = FOOTPRINT.fields.to_vec();
    fields.insert(place, made_up);
    Box::leak(Box::new(ObjectSchema { name: FOOTPRINT.name, fields: Box::leak(fields.into_boxed_slice()) }))
}
