//! Access tokens.

use auth::Ed25519Signer;
use domain::Timestamp;
use domain::uuid::Uuid;
use ports::credential::{Claims, TokenSigner as _};
use ports::{ClientId, FamilyId, Permissions, TenantId};

use super::check;

fn claims(number: u128) -> Claims {
    Claims {
        issuer: "https://example.com/api".to_owned(),
        tenant: TenantId::new(Uuid::from_u128(1)),
        client: ClientId::new(Uuid::from_u128(2)),
        jti: Uuid::from_u128(number),
        family: (number > 3).then(|| FamilyId::new(Uuid::from_u128(4))),
        scope: Permissions::parse("activity:read switch:write").unwrap(),
        issued: Timestamp::from_millis(1_000_000).unwrap(),
        expires: Timestamp::from_millis(4_600_000).unwrap(),
    }
}

#[test]
fn no_token_is_read_as_what_was_not_signed() {
    let signer = Ed25519Signer::new(&[7; 32]).unwrap();
    let at = Timestamp::from_millis(1_000).unwrap();
    let keys = ["a", "b"].map(|kid| signer.generate_key(kid, at).unwrap());
    // The second key is not one that the reader trusts.
    let signed = [3, 4].map(claims);
    let mut samples: Vec<_> = signed.iter().map(|claims| signer.sign(claims, &keys[0]).unwrap().into_bytes()).collect();
    samples.push(signer.sign(&claims(5), &keys[1]).unwrap().into_bytes());
    // `{"alg":"none"}`, `{"alg":"HS256","kid":"a"}`
    samples.push(b"eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.".to_vec());
    samples.push(b"eyJhbGciOiJIUzI1NiIsImtpZCI6ImEifQ.eyJzdWIiOiIxIn0.AAAA".to_vec());
    let trusted = [keys[0].verifying()];
    let words = [".", "..", "=", "eyJhbGciOiJub25lIn0", "AAAA", "-_", "%2e"];
    check("jwt", &samples, &words, |input| match signer.read(&String::from_utf8_lossy(input), &trusted) {
        Ok(read) => {
            assert!(signed.contains(&read), "{read:?}");
            "a token".to_owned()
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            format!("{error:?}")
        }
    });
}
