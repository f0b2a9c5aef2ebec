//! Why a rule chose a factor, as it is shown.

use domain::{Choice, Considered, Verdict, YearBasis};
use files::Json;

use crate::answer_value::{list, number, or_null, text, text_or_null};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

type Shown = Member<Choice, ()>;
type One = Member<Considered, ()>;

/// Why a rule chose a factor.
pub(crate) static CHOICE: Shape<Choice, ()> = Shape {
    name: "FactorChoice",
    doc: "Why the product's rule chose this factor among the published ones.",
    members: &[
        Shown::new("reason", Kind::Text(1, 1_000), "The same in a sentence.").shown(|choice| text(choice)),
        Shown::new("region", Kind::Text(1, 255), "The region that was asked for; null where there was none.")
            .shown_or_null(|choice| text_or_null(choice.region.as_ref())),
        Shown::new(
            "basis",
            Kind::Word(bases),
            "Whether the set holds on the `day`, on another day of its calendar `year`, or ended `before` it.",
        )
        .shown(|choice| text(choice.basis)),
        Shown::new("preference", Kind::Integer(1, 16), "Which of the rule's sets it is of, from 1.")
            .shown(|choice| number(choice.preference)),
        Shown::new("considered", Kind::List(&Kind::Object(&CONSIDERED), 20), "What was considered, the winner first.")
            .shown(|choice| list(&choice.considered, |one| CONSIDERED.show(one))),
        Shown::new("others", Kind::Integer(0, 4_294_967_295), "How many more were considered than are shown.")
            .shown(|choice| number(choice.others)),
    ],
};

/// What was considered.
pub(crate) static CONSIDERED: Shape<Considered, ()> = Shape {
    name: "ConsideredFactor",
    doc: "A published factor that a rule considered.",
    members: &[
        One::new("set", Kind::Text(64, 64), "The SHA-256 of the set's file.").shown(|one| text(one.set)),
        One::new("publisher", Kind::Text(1, 255), "Who published the set.").shown(|one| text(&one.publisher)),
        One::new("edition", Kind::Text(1, 255), "Which edition it is.").shown(|one| text(&one.edition)),
        One::new("cell", Kind::Text(1, 255), "Where the figure stands in the file.").shown(|one| text(&one.cell)),
        One::new("region", Kind::Text(1, 255), "Where it holds; null where the source does not say.")
            .shown_or_null(|one| text_or_null(one.region.as_ref())),
        One::new("verdict", Kind::Word(verdicts), "What became of it.").shown(|one| text(one.verdict)),
    ],
};

fn bases() -> Vec<&'static str> {
    YearBasis::ALL.iter().map(|basis| basis.as_str()).collect()
}

fn verdicts() -> Vec<&'static str> {
    Verdict::ALL.iter().map(|verdict| verdict.as_str()).collect()
}

/// Why a factor was chosen, or null.
pub(super) fn shown(choice: Option<&Choice>) -> Json {
    or_null(choice, |choice| CHOICE.show(choice))
}
