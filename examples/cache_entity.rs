//! A cache: entities are kept encoded, found by the canonical bytes of what was asked for, looked into
//! without decoding them, and outlive the version of the program that wrote them.
//!
//! ```text
//! cargo run --example cache_entity
//! ```

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use wbin::{Config, Cursor, wbin};

/// An entity as the first version of the program wrote it.
#[derive(Serialize, Deserialize, Debug)]
struct ProductV1 {
    sku: String,
    name: String,
    price: f64,
    stock: HashMap<String, u32>,
}

/// The same entity today: a field was renamed, one came, one went.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Product {
    sku: String,
    #[serde(alias = "name")]
    title: String,
    price: f64,
    #[serde(default = "default_tax")]
    tax: f64,
}

fn default_tax() -> f64 {
    0.25
}

/// What was asked for is the key. Two questions are the same if their canonical bytes are, in whatever
/// order their filters were given.
fn key<T: Serialize>(question: &T) -> wbin::Result<Vec<u8>> {
    Config::new().canonical(true).to_vec(question)
}

fn main() -> wbin::Result<()> {
    let mut cache: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();

    // The order of the entries is part of a value, but not of its canonical form.
    let question = wbin!({"table": "products", "where": {"sku": "KIT-0203", "shop": 7}});
    let reordered = wbin!({"where": {"shop": 7, "sku": "KIT-0203"}, "table": "products"});
    assert_ne!(question, reordered);
    assert_ne!(wbin::to_vec(&question)?, wbin::to_vec(&reordered)?);
    assert_eq!(key(&question)?, key(&reordered)?);

    let stock: HashMap<_, _> = (0..200).map(|n| (format!("warehouse {n}"), n * 3 % 41)).collect();
    let old = ProductV1 { sku: "KIT-0203".into(), name: "Bread knife, 24 cm".into(), price: 39.9, stock };
    cache.insert(key(&question)?, wbin::to_vec(&old)?);
    let cached = &cache[&key(&reordered)?];
    println!("cached: {} bytes under a key of {} bytes", cached.len(), key(&question)?.len());

    // One field of it, without decoding the rest: text is borrowed from the cached bytes.
    let entity = Cursor::new(cached);
    let name = entity.get("name")?.expect("every product has a name").str()?;
    let left = entity.pointer("/stock/warehouse 7")?.map(|place| place.int()).transpose()?;
    println!("looked up: {name}, {left:?} left in warehouse 7");
    assert_eq!((name, left), ("Bread knife, 24 cm", Some(21.into())));
    assert!(entity.get("tax")?.is_none());

    // Read by the program of today: unknown entries are passed over, missing ones have defaults.
    let product: Product = wbin::from_slice(cached)?;
    println!("read today: {product:?}");
    let expected = Product { sku: old.sku, title: old.name, price: 39.9, tax: 0.25 };
    assert_eq!(product, expected);

    // The other way round there is no default: the error says which field the old program misses.
    let error = wbin::from_slice::<ProductV1>(&wbin::to_vec(&product)?).expect_err("`name` is gone");
    println!("read by the old program: {error}");
    assert_eq!(error.name(), "missing-field");

    // Whoever gets bytes as a key from elsewhere reads them strictly: one question, one key.
    let strict = Config::new().strict(true);
    assert!(strict.check(&key(&question)?).is_ok());
    let error = strict.check(&wbin::to_vec(&reordered)?).expect_err("`table` comes before `where`");
    println!("no key: {error}");
    assert_eq!(error.name(), "not-canonical");
    Ok(())
}
