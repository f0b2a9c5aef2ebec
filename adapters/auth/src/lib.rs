//! Secrets and tokens: random secrets and their hashes, passwords, signing keys sealed with the installation's secret, access
//! tokens as JWT signed with Ed25519.

mod installation;
mod partner_secret;
mod passwords;
mod seal;
mod secrets;
mod signer;
mod text_signer;

pub use installation::{InstallationSecret, Loaded, SecretError, SecretFileError, read, read_or_create};
pub use partner_secret::PartnerSecretSealer;
pub use passwords::Argon2Passwords;
pub use secrets::RandomSecrets;
pub use signer::Ed25519Signer;
pub use text_signer::HmacTextSigner;
