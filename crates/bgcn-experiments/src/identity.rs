//! The identity of a trial's settings: a hash of all that its outcome depends on beside its key and the seed.
//!
//! The text behind the hash is canonical JSON: names sorted, no white space, floats in the fewest digits that read back
//! the same. The content of the settings is hashed, not their print.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// What a trial depends on beside its key and the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Stands for the text.
    pub hash: String,
    /// Canonical JSON.
    pub text: String,
}

/// The identity of a recipe on data of this fingerprint, in a study: its name, the fields of its keys, and what else it
/// fixes.
pub(crate) fn identity(recipe: &Value, data: &str, study: &Value, epoch: u32) -> Identity {
    let text = canonical(json!({ "recipe": recipe, "data": data, "study": study, "epoch": epoch }));
    Identity { hash: digest(&text), text }
}

/// JSON with one text for one content.
pub(crate) fn canonical(mut value: Value) -> String {
    value.sort_all_objects();
    value.to_string()
}

/// The first 64 bits of SHA-256, in hexadecimal.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The first place where two settings differ and what stands there: `recipe.draws: 99 and 200`.
pub(crate) fn difference(one: &Value, two: &Value) -> Option<String> {
    fn at(place: &str, one: &Value, two: &Value) -> Option<String> {
        match (one, two) {
            (Value::Object(a), Value::Object(b)) => a.keys().chain(b.keys()).find_map(|name| {
                let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                at(&place, a.get(name).unwrap_or(&Value::Null), b.get(name).unwrap_or(&Value::Null))
            }),
            _ => (one != two).then(|| format!("{place}: {one} and {two}")),
        }
    }
    at("", one, two)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(recipe: &str, data: &str, study: Value, epoch: u32) -> String {
        identity(&serde_json::from_str(recipe).unwrap(), data, &study, epoch).hash
    }

    #[test]
    fn the_text_is_canonical() {
        let recipe = serde_json::from_str(r#" { "b" : 0.1, "a" : {"d":1e-4, "c": 30.0 } } "#).unwrap();
        let found = identity(&recipe, "d1", &json!("s"), 7);
        assert_eq!(found.text, r#"{"data":"d1","epoch":7,"recipe":{"a":{"c":30.0,"d":0.0001},"b":0.1},"study":"s"}"#);
        assert_eq!(found.hash, digest(&found.text));
        assert_eq!(found.hash.len(), 16);
    }

    #[test]
    fn everything_counts_but_the_order_of_names() {
        let one = of(r#"{"a":1,"b":0.5}"#, "d", json!("s"), 1);
        assert_eq!(of(r#"{"b":0.5,"a":1}"#, "d", json!("s"), 1), one);
        for other in [
            of(r#"{"a":1,"b":0.5000000000000001}"#, "d", json!("s"), 1),
            of(r#"{"a":1,"b":0.5,"c":null}"#, "d", json!("s"), 1),
            of(r#"{"a":1,"b":0.5}"#, "e", json!("s"), 1),
            of(r#"{"a":1,"b":0.5}"#, "d", json!("t"), 1),
            of(r#"{"a":1,"b":0.5}"#, "d", json!("s"), 2),
        ] {
            assert_ne!(other, one);
        }
    }

    #[test]
    fn a_difference_is_named_by_its_place() {
        let one = json!({ "recipe": { "draws": 99, "network": { "hidden": 16 } }, "epoch": 1 });
        let two = json!({ "recipe": { "draws": 99, "network": { "hidden": 32 } }, "epoch": 1 });
        assert_eq!(difference(&one, &two).as_deref(), Some("recipe.network.hidden: 16 and 32"));
        assert_eq!(difference(&one, &json!({ "epoch": 1 })).unwrap(), format!("recipe: {} and null", one["recipe"]));
        assert_eq!(difference(&one, &one), None);
    }
}
