//! The structure of columns: which parts a column has, and how many columns follow in it (COL-5).
//!
//! One loop goes through the columns of a list or map in the order of their bytes. What passes over them
//! ([`skip`]) and what reads them ([`Columns`](super::Columns)) watch it from a [`Visit`].

use super::invalid;
use super::load::Load;
use super::packed::{Packed, count_ones};
use crate::error::{Code, Error, Result};
use crate::skip::{Source, ext_type};
use crate::tag::{self, Class, column};
use alloc::vec::Vec;

/// A column, as its own bytes describe it. Offsets are those of the input.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// The offset of its first byte.
    pub(super) start: usize,
    /// How many elements it has.
    pub(super) n: u64,
    /// What it is an element of: the number that the visitor gave, and which variant, if that is a union.
    pub(super) owner: u32,
    pub(super) variant: usize,
    /// The levels that are allowed in an element.
    pub(super) depth_left: u32,
    pub(super) body: Body,
}

/// The parts of a column before the columns in it.
#[derive(Clone, Copy)]
pub(super) enum Body {
    /// Values up to an offset.
    Plain {
        at: usize,
        end: usize,
    },
    Null,
    /// A bitmap.
    Sparse(Packed),
    Nullable(Packed),
    Bool(Packed),
    Int(Based),
    /// The first value, and the differences.
    Differences(i64, Based),
    Float {
        narrow: bool,
        at: usize,
    },
    Decimal {
        exponent: u8,
        m: Based,
    },
    /// The lengths, and where the text begins and ends.
    String(Based, usize, usize),
    Bytes(Based, usize, usize),
    Dictionary,
    Lists(Packed),
    SameLength(u64),
    Tuples(u64),
    Maps(Packed),
    Table(u64),
    /// So many variants, a bit for each that is chosen, and the choices.
    Union(usize, u16, Packed),
    Ext(u64),
}

/// Packed numbers, and what is to be added to each.
#[derive(Clone, Copy)]
pub(super) struct Based {
    pub(super) negative: bool,
    /// In two's complement, if it is negative.
    pub(super) base: u64,
    pub(super) packed: Packed,
}

impl Based {
    /// A number with its base, in two's complement if that is negative.
    #[inline(always)]
    pub(super) fn get(self, data: &[u8], index: usize) -> u64 {
        self.base.wrapping_add(self.packed.get(data, index))
    }
}

/// Who watches the walk.
pub(super) trait Visit {
    /// A column; gives it a number.
    fn column(&mut self, found: Found) -> Result<u32>;
    /// A key of a table, of which the text stands from one offset to another.
    fn key(&mut self, table: u32, start: usize, from: usize, to: usize) -> Result<()>;
    /// The choices of a dictionary, after its entries. Gives how many bytes of text it gives out, or more.
    fn indices(&mut self, dictionary: u32, m: u64, indices: Packed, end: usize) -> Result<u64>;
    /// All that is in a column was seen.
    fn close(&mut self, column: u32) -> Result<()>;
}

/// Passes over: nothing is remembered.
impl Visit for () {
    fn column(&mut self, _: Found) -> Result<u32> {
        Ok(0)
    }

    fn key(&mut self, _: u32, _: usize, _: usize, _: usize) -> Result<()> {
        Ok(())
    }

    fn indices(&mut self, _: u32, _: u64, _: Packed, _: usize) -> Result<u64> {
        Ok(0)
    }

    fn close(&mut self, _: u32) -> Result<()> {
        Ok(())
    }
}

/// Where a column stands, which decides about the kinds that it may have (COL-33).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    Field,
    Nullable,
    Variant,
    Entries,
}

/// Columns that follow.
struct Pending {
    left: u64,
    n: u64,
    place: Place,
    depth_left: u32,
    owner: u32,
    variant: usize,
    then: Then,
}

/// What comes after these columns.
enum Then {
    Nothing,
    Close,
    /// The choices of a dictionary that began at `start`.
    Indices {
        start: usize,
        n: u64,
        m: u64,
        code: u8,
    },
}

/// Passes over the columns of a list (`columns` is 1) or a map (2), of which the tag at `start` was read;
/// `depth_left` levels are allowed in it.
#[cold]
#[inline(never)]
pub(crate) fn skip<S: Source>(
    source: &mut S,
    start: usize,
    columns: u64,
    depth_left: u32,
    max_depth: u32,
) -> Result<()> {
    walk(source, &mut (), start, columns, depth_left, max_depth).map(drop)
}

/// Goes through the columns of a list (`columns` is 1) or a map (2), of which the tag at `start` was read,
/// and all that is in them.
pub(super) fn walk<S: Source, V: Visit>(
    source: &mut S,
    visit: &mut V,
    start: usize,
    columns: u64,
    depth_left: u32,
    max_depth: u32,
) -> Result<Walk> {
    let mut walk = Walk::begin(source, start, columns, depth_left, max_depth)?;
    while walk.step(source, visit)? {}
    Ok(walk)
}

/// A walk on its way, or at its end.
pub(super) struct Walk {
    start: usize,
    /// The elements of the first columns.
    pub(super) n: u64,
    /// What was counted so far.
    pub(super) load: Load,
    max_depth: u32,
    stack: Vec<Pending>,
}

impl Walk {
    /// Reads the count behind the tag at `start`.
    #[inline]
    pub(super) fn begin<S: Source>(
        source: &mut S,
        start: usize,
        columns: u64,
        depth_left: u32,
        max_depth: u32,
    ) -> Result<Walk> {
        let n = positive(source, start)?;
        check_bits(source, n, start)?;
        Ok(Walk::over(start, n, columns, depth_left, max_depth))
    }

    /// A walk over columns of `n` elements, of which the first comes next.
    #[inline]
    pub(super) fn over(start: usize, n: u64, columns: u64, depth_left: u32, max_depth: u32) -> Walk {
        let mut stack = Vec::with_capacity(8);
        stack.push(Pending {
            left: columns,
            n,
            place: Place::Anywhere,
            depth_left,
            owner: u32::MAX,
            variant: 0,
            then: Then::Nothing,
        });
        Walk { start, n, load: Load::default(), max_depth, stack }
    }

    /// Goes on by a column, or closes one; `false` at the end.
    #[inline(always)]
    pub(super) fn step<S: Source, V: Visit>(&mut self, source: &mut S, visit: &mut V) -> Result<bool> {
        let Some(pending) = self.stack.last_mut() else { return Ok(false) };
        if pending.left == 0 || pending.n == 0 {
            let owner = pending.owner;
            match pending.then {
                Then::Nothing => {}
                Then::Close => visit.close(owner)?,
                Then::Indices { start, n, m, code } => {
                    let indices = Packed::of_code(code, source.position());
                    source.pass(indices.size(n), start)?;
                    let text = visit.indices(owner, m, indices, source.position())?;
                    self.load.text = self.load.text.saturating_add(text);
                    visit.close(owner)?;
                }
            }
            self.stack.pop();
            return Ok(true);
        }
        pending.left -= 1;
        let column = Column {
            n: pending.n,
            place: pending.place,
            depth_left: pending.depth_left,
            max_depth: self.max_depth,
            owner: pending.owner,
            variant: pending.variant,
        };
        column.read(source, visit, &mut self.stack, &mut self.load)?;
        Ok(true)
    }

    /// Refuses more than the bytes up to `end` may give out (COL-44). Some kinds take no bits of their own for
    /// their elements.
    pub(super) fn check_load(&self, end: usize) -> Result<()> {
        match self.load.is_allowed(end - self.start) {
            true => Ok(()),
            false => Err(invalid(self.start, "more values than its bytes may stand for")),
        }
    }
}

/// A column that comes next.
struct Column {
    n: u64,
    place: Place,
    depth_left: u32,
    max_depth: u32,
    owner: u32,
    variant: usize,
}

impl Column {
    /// Reads it up to the columns in it.
    fn read<S: Source, V: Visit>(
        &self,
        source: &mut S,
        visit: &mut V,
        stack: &mut Vec<Pending>,
        load: &mut Load,
    ) -> Result<()> {
        let (start, n) = (source.position(), self.n);
        // From here on counts are numbers of elements in memory (where that is a question: 8 × the bytes
        // that remain may be more than an address).
        if usize::try_from(n).is_err() {
            return Err(Error::new(Code::InputLimit, start, "more elements than there are addresses"));
        }
        let byte = source.tag()?;
        let (kind, low) = (byte >> 4, byte & 15);
        load.columns += 1;
        if load.columns > column::COLUMNS_MAX {
            return Err(invalid(start, "more than 4096 columns"));
        }
        self.check_place(kind, low, start)?;
        // Those of a nullable column are counted with its nulls; the others only choose from elements.
        let counts = !matches!((kind, low), (column::NULL, column::SPARSE) | (column::UNION, _));
        if counts && self.place != Place::Nullable {
            load.elements = load.elements.saturating_add(n);
        }
        if kind == column::EXT {
            // There is a number besides the value.
            load.elements = load.elements.saturating_add(n);
        }
        if matches!(kind, column::LISTS | column::SAME_LENGTH | column::MAPS | column::TABLE | column::EXT)
            && self.depth_left == 0
        {
            return Err(Error::depth(self.max_depth, start));
        }
        let found = |body| {
            let Column { owner, variant, depth_left, .. } = *self;
            Found { start, n, owner, variant, depth_left, body }
        };
        let inside = Pending {
            left: 1,
            n,
            place: Place::Anywhere,
            depth_left: self.depth_left,
            owner: 0,
            variant: 0,
            then: Then::Close,
        };
        match kind {
            column::PLAIN => {
                let length = positive(source, start)?;
                if length < n {
                    return Err(invalid(start, "a plain column with fewer bytes than values"));
                }
                let at = source.position();
                source.pass(length, start)?;
                load.add_plain(n, length);
                visit.column(found(Body::Plain { at, end: source.position() }))?;
            }
            column::NULL if low == column::NULLS => {
                visit.column(found(Body::Null))?;
            }
            column::NULL => {
                let at = source.position();
                let bitmap = source.take(n.div_ceil(8), start)?;
                let set = count_ones(bitmap, n);
                let packed = Packed { at, bits: 1 };
                let (body, place) = match low {
                    column::SPARSE => (Body::Sparse(packed), Place::Anywhere),
                    _ => (Body::Nullable(packed), Place::Nullable),
                };
                let owner = visit.column(found(body))?;
                stack.push(Pending { n: set, place, owner, ..inside });
            }
            column::BOOL => {
                let packed = Packed { at: source.position(), bits: 1 };
                source.pass(packed.size(n), start)?;
                visit.column(found(Body::Bool(packed)))?;
            }
            column::INT => {
                let based = based(source, start, low, n)?;
                visit.column(found(Body::Int(based)))?;
            }
            column::DIFFERENCES => {
                if n < 2 {
                    return Err(invalid(start, "differences of fewer than two ints"));
                }
                let first = match header_int(source, start)? {
                    (false, u) => i64::try_from(u).ok(),
                    (true, u) => i64::try_from(u).ok().map(|u| !u),
                };
                let Some(first) = first else {
                    return Err(invalid(start, OUT_OF_RANGE));
                };
                let based = based(source, start, low, n - 1)?;
                visit.column(found(Body::Differences(first, based)))?;
            }
            column::FLOAT => {
                let (at, narrow) = (source.position(), low == column::BINARY32);
                source.pass(n.saturating_mul(if narrow { 4 } else { 8 }), start)?;
                visit.column(found(Body::Float { narrow, at }))?;
            }
            column::DECIMAL => {
                let exponent = source.uint(1, start)? as u8;
                if exponent > column::EXPONENT_MAX {
                    return Err(invalid(start, "a power of ten above 22"));
                }
                let m = based(source, start, low, n)?;
                visit.column(found(Body::Decimal { exponent, m }))?;
            }
            column::STRING | column::BYTES => {
                let lengths = based_head(source, start, low)?;
                if lengths.negative {
                    return Err(invalid(start, "lengths that begin below zero"));
                }
                let own = Packed { at: 0, ..lengths.packed };
                let bytes = source.take(own.size(n), start)?;
                let sum = sum(bytes, own, n).saturating_add(lengths.base.saturating_mul(n));
                let at = source.position();
                source.pass(sum, start)?;
                let end = source.position();
                visit.column(found(match kind {
                    column::STRING => Body::String(lengths, at, end),
                    _ => Body::Bytes(lengths, at, end),
                }))?;
            }
            column::DICTIONARY => {
                let m = positive(source, start)?;
                check_bits(source, m, start)?;
                let owner = visit.column(found(Body::Dictionary))?;
                let then = Then::Indices { start, n, m, code: low };
                stack.push(Pending { n: m, place: Place::Entries, owner, then, ..inside });
            }
            column::LISTS | column::MAPS => {
                let packed = Packed::of_code(low, source.position());
                let own = Packed { at: 0, ..packed };
                let bytes = source.take(own.size(n), start)?;
                let total = sum(bytes, own, n);
                check_bits(source, total, start)?;
                let (body, left) = match kind {
                    column::LISTS => (Body::Lists(packed), 1),
                    _ => (Body::Maps(packed), 2),
                };
                let owner = visit.column(found(body))?;
                stack.push(Pending { left, n: total, owner, depth_left: self.depth_left - 1, ..inside });
            }
            column::SAME_LENGTH => {
                let k = positive(source, start)?;
                let (body, left, n) = match low {
                    column::ITEMS => (Body::SameLength(k), 1, n.saturating_mul(k)),
                    _ => {
                        source.check_count(k, 1, start)?;
                        (Body::Tuples(k), k, n)
                    }
                };
                check_bits(source, n, start)?;
                let owner = visit.column(found(body))?;
                stack.push(Pending { left, n, owner, depth_left: self.depth_left - 1, ..inside });
            }
            column::TABLE => {
                let fields = positive(source, start)?;
                source.check_count(fields, 1, start)?;
                let owner = visit.column(found(Body::Table(fields)))?;
                for _ in 0..fields {
                    let key = source.position();
                    let Some((from, to)) = key_text(source, start)? else {
                        return Err(invalid(start, "a key of a table that is no string of at most 64 bytes"));
                    };
                    visit.key(owner, key, from, to)?;
                }
                let (left, depth_left) = (fields, self.depth_left - 1);
                stack.push(Pending { left, place: Place::Field, owner, depth_left, ..inside });
            }
            column::UNION => {
                let m = positive(source, start)?;
                if !(2..=column::VARIANTS_MAX as u64).contains(&m) {
                    return Err(invalid(start, "a union of other than 2 to 16 variants"));
                }
                let packed = Packed::of_code(low, source.position());
                let own = Packed { at: 0, ..packed };
                let bytes = source.take(own.size(n), start)?;
                let mut chosen = [0_u64; column::VARIANTS_MAX];
                for index in 0..n as usize {
                    match chosen.get_mut(own.get(bytes, index).min(m) as usize) {
                        Some(times) => *times += 1,
                        None => return Err(invalid(start, NO_VARIANT)),
                    }
                }
                if chosen.get(m as usize).is_some_and(|times| *times > 0) {
                    return Err(invalid(start, NO_VARIANT));
                }
                let there = (0..column::VARIANTS_MAX).filter(|variant| chosen[*variant] > 0);
                let there = there.fold(0, |all, variant| all | 1 << variant);
                let owner = visit.column(found(Body::Union(m as usize, there, packed)))?;
                stack.push(Pending { left: 0, owner, ..inside });
                for variant in (0..m as usize).rev() {
                    let (n, place, then) = (chosen[variant], Place::Variant, Then::Nothing);
                    let depth_left = self.depth_left;
                    stack.push(Pending { left: 1, n, place, depth_left, owner, variant, then });
                }
            }
            _ => {
                let ext_type = ext_type(source).map_err(|error| error.moved(start))?;
                let owner = visit.column(found(Body::Ext(ext_type)))?;
                stack.push(Pending { owner, depth_left: self.depth_left - 1, ..inside });
            }
        }
        Ok(())
    }

    /// Refuses low bits without a meaning, and kinds that may not stand here (COL-33).
    fn check_place(&self, kind: u8, low: u8, start: usize) -> Result<()> {
        let most = match kind {
            column::PLAIN | column::BOOL | column::TABLE | column::EXT => 0,
            column::FLOAT | column::SAME_LENGTH => 1,
            column::NULL => 2,
            _ => 15,
        };
        if low > most {
            return Err(invalid(start, "low bits that are reserved"));
        }
        let fits = match (kind, low) {
            (column::NULL, column::NULLS) => self.place == Place::Variant,
            (column::NULL, column::SPARSE) => self.place == Place::Field,
            (column::NULL, _) | (column::UNION, _) => {
                matches!(self.place, Place::Anywhere | Place::Field)
            }
            (column::INT..=column::BYTES, _) => true,
            _ => self.place != Place::Entries,
        };
        match fits {
            true => Ok(()),
            false => Err(invalid(start, "a kind that may not stand here")),
        }
    }
}

const OUT_OF_RANGE: &str = "an int out of its range";
const NO_VARIANT: &str = "a variant that the union does not have";

/// Refuses a count that the rest of the input cannot hold: every element takes a bit (COL-35).
fn check_bits<S: Source>(source: &S, n: u64, start: usize) -> Result<()> {
    source.check_count(n.div_ceil(8), 1, start)
}

/// The sum of packed numbers.
fn sum(bytes: &[u8], packed: Packed, n: u64) -> u64 {
    (0..n as usize).fold(0, |sum: u64, index| sum.saturating_add(packed.get(bytes, index)))
}

/// An int in the head of a column at `start`: whether it is `-1 - u`, and `u` below 2^64.
fn header_int<S: Source>(source: &mut S, start: usize) -> Result<(bool, u64)> {
    let tag = source.tag().map_err(|error| error.moved(start))?;
    let (negative, u, high) = match Class::of(tag) {
        Class::IntInlinePos => (false, u64::from(tag), 0),
        Class::IntInlineNeg => (true, u64::from(!tag), 0),
        Class::IntPos => (false, source.uint(usize::from(tag & 7) + 1, start)?, 0),
        Class::IntNeg => (true, source.uint(usize::from(tag & 7) + 1, start)?, 0),
        class @ (Class::IntPos16 | Class::IntNeg16) => {
            let low = source.uint(8, start)?;
            (class == Class::IntNeg16, low, source.uint(8, start)?)
        }
        _ => return Err(invalid(start, "something else where an int should stand")),
    };
    match high {
        0 => Ok((negative, u)),
        _ => Err(invalid(start, OUT_OF_RANGE)),
    }
}

/// A count of at least one.
fn positive<S: Source>(source: &mut S, start: usize) -> Result<u64> {
    match header_int(source, start)? {
        (false, n @ 1..) => Ok(n),
        _ => Err(invalid(start, "a count that is not above zero")),
    }
}

fn based_head<S: Source>(source: &mut S, start: usize, code: u8) -> Result<Based> {
    let (negative, base) = match header_int(source, start)? {
        (true, u) if u > i64::MAX as u64 => return Err(invalid(start, OUT_OF_RANGE)),
        (true, u) => (true, !u),
        (false, u) => (false, u),
    };
    Ok(Based { negative, base, packed: Packed::of_code(code, source.position()) })
}

fn based<S: Source>(source: &mut S, start: usize, code: u8, n: u64) -> Result<Based> {
    let based = based_head(source, start, code)?;
    source.pass(based.packed.size(n), start)?;
    Ok(based)
}

/// A key of a table that begins at `start`: where its text begins and ends, if it is a string that is not
/// too long.
fn key_text<S: Source>(source: &mut S, start: usize) -> Result<Option<(usize, usize)>> {
    let tag = source.tag().map_err(|error| error.moved(start))?;
    let length = match Class::of(tag) {
        Class::StrInline => u64::from(tag - tag::STR_INLINE),
        Class::Str => source.uint(1 << (tag & 3), start)?,
        _ => return Ok(None),
    };
    if length > column::KEY_MAX as u64 {
        return Ok(None);
    }
    let from = source.position();
    source.pass(length, start)?;
    Ok(Some((from, source.position())))
}
