//! Who looks, and how their numbers are chosen.

use tonne_web::Locale;
use tonne_web::viewer::{FormToken, LOCALES};

#[test]
fn every_locale_that_is_offered_can_be_chosen() {
    for (tag, _) in LOCALES {
        assert_eq!(Locale::parse(tag).unwrap().to_string(), tag);
    }
    assert_eq!(Locale::parse("tlh"), None);
}

#[test]
fn a_browser_gets_the_first_of_its_languages_that_is_offered() {
    for (asked, given) in
        [("de-AT,de;q=0.9,en;q=0.8", "de"), ("tlh, fr-CA;q=0.5", "fr"), ("", "en"), ("de-CH", "de-CH")]
    {
        assert_eq!(Locale::asked(asked).to_string(), given, "{asked}");
    }
}

#[test]
fn a_form_token_is_compared_whole_and_never_shown() {
    let token = FormToken("secret".to_owned());
    assert!(token.is("secret") && !token.is("secre") && !token.is("secret ") && !token.is(""));
    assert_eq!(format!("{token:?}"), "***");
}
