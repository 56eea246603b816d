//! Values first: what every writer makes of them, and what the readers make of that.

use super::support::loose::{Dice, Style, loose};
use super::support::{Tree, reference};
use arbitrary::{Arbitrary, Result, Unstructured};
use wbin::{Config, Encoder, RawValue, Value, diag};

/// A value, and bytes for it in none of the preferred forms.
#[derive(Debug)]
pub struct Plan {
    tree: Tree,
    loose: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Plan {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Plan> {
        let tree = tree(u, 5)?;
        let mut out = if u.ratio(1, 16)? { vec![0xDF, 0x57, 0x42, 1] } else { Vec::new() };
        let style = Style { columns: u.arbitrary()?, wrappers: u.arbitrary()? };
        loose(&tree, style, &mut Dice(u.arbitrary::<u64>()? | 1), &mut out);
        Ok(Plan { tree, loose: out })
    }
}

/// Names that collide often, of lengths on both sides of every boundary.
const NAMES: [&str; 12] = [
    "",
    "a",
    "b",
    "id",
    "name",
    "t",
    "c",
    "$wbin:int",
    "$wbin::ext",
    "eight by",
    "eight by and more",
    "a name that is longer than what fits in one byte of a tag, which is sixty-three bytes",
];

fn scalar(u: &mut Unstructured<'_>) -> Result<Tree> {
    Ok(match u.int_in_range(0..=9)? {
        0 => Tree::Null,
        1 => Tree::Bool(u.arbitrary()?),
        2 => Tree::Int(u.arbitrary()?, u128::from(u.arbitrary::<u8>()?)),
        3 => Tree::Int(u.arbitrary()?, u128::from(u.arbitrary::<u64>()?)),
        4 => Tree::Int(true, u.arbitrary::<u128>()? >> 1),
        5 => Tree::Int(false, u.arbitrary()?),
        6 => Tree::Float((f64::from(u.arbitrary::<i32>()?) / 10_f64.powi(u.int_in_range(0..=8)?)).to_bits()),
        7 => Tree::Float(u.arbitrary()?),
        8 => Tree::Bytes(u.arbitrary()?),
        _ => text(u)?,
    })
}

fn text(u: &mut Unstructured<'_>) -> Result<Tree> {
    Ok(Tree::Str(match u.ratio(3, 4)? {
        true => (*u.choose(&NAMES)?).to_string(),
        false => u.arbitrary()?,
    }))
}

fn tree(u: &mut Unstructured<'_>, depth: u32) -> Result<Tree> {
    if depth == 0 || u.is_empty() {
        return if u.is_empty() { Ok(Tree::Null) } else { scalar(u) };
    }
    let n = u.int_in_range(0..=20)?;
    Ok(match u.int_in_range(0..=9)? {
        0 => Tree::List((0..n).map(|_| tree(u, depth - 1)).collect::<Result<_>>()?),
        1 => {
            Tree::Map((0..n).map(|_| Ok((tree(u, depth - 1)?, tree(u, depth - 1)?))).collect::<Result<_>>()?)
        }
        2 => Tree::Map((0..n).map(|_| Ok((text(u)?, tree(u, depth - 1)?))).collect::<Result<_>>()?),
        3 => Tree::Ext(if u.ratio(1, 2)? { n } else { u.arbitrary()? }, Box::new(tree(u, depth - 1)?)),
        4 => Tree::some(tree(u, depth - 1)?),
        // Maps of the same keys again and again, and now and then not quite.
        5 => {
            let model: Vec<Tree> = (0..n % 8).map(|_| text(u)).collect::<Result<_>>()?;
            let record = |u: &mut Unstructured<'_>| {
                let mut keys = model.clone();
                if !keys.is_empty() && u.ratio(1, 8)? {
                    let at = u.choose_index(keys.len())?;
                    keys[at] = text(u)?;
                }
                let entry = |key| Ok((key, tree(u, (depth - 1).min(2))?));
                Ok(Tree::Map(keys.into_iter().map(entry).collect::<Result<_>>()?))
            };
            let times = u.int_in_range(0..=12)?;
            Tree::List((0..times).map(|_| record(u)).collect::<Result<_>>()?)
        }
        _ => scalar(u)?,
    })
}

/// Whether a map has a key twice.
pub(crate) fn has_twice(tree: &Tree) -> bool {
    match tree {
        Tree::List(items) => items.iter().any(has_twice),
        Tree::Ext(_, payload) | Tree::Some(payload) => has_twice(payload),
        Tree::Map(entries) => {
            let twice =
                (1..entries.len()).any(|at| entries[..at].iter().any(|(key, _)| *key == entries[at].0));
            twice || entries.iter().any(|(key, value)| has_twice(key) || has_twice(value))
        }
        _ => false,
    }
}

/// The calls of an encoder with open containers instead of counted ones.
fn encode_open(tree: &Tree, encoder: &mut Encoder) -> wbin::Result<()> {
    match tree {
        Tree::List(items) => {
            encoder.open_list()?;
            items.iter().try_for_each(|item| encode_open(item, encoder))?;
            encoder.end()?;
        }
        Tree::Map(entries) => {
            encoder.open_map()?;
            for (key, value) in entries {
                encode_open(key, encoder)?;
                encode_open(value, encoder)?;
            }
            encoder.end()?;
        }
        Tree::Ext(ext_type, payload) => {
            encoder.ext(*ext_type)?;
            encode_open(payload, encoder)?;
            encoder.end()?;
        }
        scalar => scalar.encode(encoder)?,
    }
    Ok(())
}

/// Every writer writes the same, or refuses equal keys; every reader accepts every form of it.
pub fn structured(plan: &Plan) {
    let Plan { tree, loose } = plan;
    let plain = Config::new().plain(true);
    let canonical = plain.canonical(true);
    let twice = has_twice(tree);
    let form = reference::preferred(tree);
    let told = |config: &Config, open: bool| {
        let mut encoder = Encoder::with_config(config);
        if open {
            encode_open(tree, &mut encoder)?
        } else {
            tree.encode(&mut encoder)?
        }
        encoder.finish()
    };
    let writers = [told(&plain, false), plain.to_vec(tree), diag_form(&form)];
    for (at, got) in writers.into_iter().enumerate() {
        match got {
            Ok(got) => {
                assert!(!twice, "writer {at} wrote equal keys (LIM-5)");
                assert_eq!(got, form, "writer {at}");
            }
            Err(error) => assert!(twice && error.name() == "duplicate-key", "writer {at}: {error}"),
        }
    }
    if let Some(bytes) = super::columns::by_default(tree) {
        super::differential(&bytes);
    }
    let sorted = if twice { None } else { reference::canonical(tree) };
    for (at, got) in
        [told(&canonical, false), told(&canonical, true), canonical.to_vec(tree)].into_iter().enumerate()
    {
        assert_eq!(
            got.map_err(|error| error.name()),
            sorted.clone().ok_or("duplicate-key"),
            "canonical writer {at}"
        );
    }
    match told(&plain, true) {
        Ok(open) => {
            assert!(!twice, "equal keys were written (LIM-5)");
            assert_eq!(reference::decode(&open, 128).as_ref(), Ok(tree));
            assert_eq!(wbin::canonical::to_canonical(&open).ok(), sorted);
        }
        Err(error) => assert!(twice && error.name() == "duplicate-key", "{error}"),
    }
    if !twice && !tree.has_some() {
        let value = tree.to_value();
        assert_eq!(value.to_vec_with(&plain).expect("an encoding"), form);
        assert_eq!(Value::from_slice(loose).expect("any form"), value);
        let mut encoder = Encoder::new();
        let items = encoder
            .list(2)
            .and_then(|list| list.value(&value))
            .and_then(|list| list.raw(&RawValue::from_slice(loose).expect("any form")));
        items.and_then(Encoder::end).expect("a list of two");
        let pair: Vec<Value<'_>> = wbin::iter(&encoder.finish().expect("a list"))
            .collect::<Result<_, _>>()
            .map_or(Vec::new(), |lists: Vec<Value<'_>>| lists.into_iter().map(Value::into_owned).collect());
        assert_eq!(pair, [Value::from([value.clone(), value])]);
    }
    super::differential(loose);
    super::value(loose);
}

fn diag_form(form: &[u8]) -> wbin::Result<Vec<u8>> {
    diag::parse(&diag::to_string(form).expect("the notation has no opinion on keys"))
}
