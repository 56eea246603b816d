//! Columns that were read and found valid, and access to their elements.

use super::apart::{Keys, Kind};
use super::content::{self, Choice};
use super::invalid;
use super::packed::{Packed, count_ones};
use super::walk::{self, Based, Body, Found, Visit, Walk};
use crate::canonical::Form;
use crate::error::{Code, Error, Result};
use crate::keys;
use crate::num;
use crate::plain::str_from;
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag;
use crate::write::Output;
use alloc::vec::Vec;

/// All columns of the lists and maps that are being read, in the order of their bytes: a column stands
/// before those in it.
///
/// What is looked up is found from where the last look ended, so elements are to be read in order;
/// going back is possible, and slower.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns<'a> {
    /// The whole input.
    data: &'a [u8],
    /// The levels that are allowed in all of it.
    max_depth: u32,
    nodes: Vec<Node<'a>>,
    /// The keys of tables.
    keys: Vec<&'a str>,
    /// The entries of dictionaries.
    entries: Vec<Entry<'a>>,
    /// What is known of long dictionaries instead: where every [`SAMPLED`]th entry begins.
    samples: Vec<u64>,
    /// The variants of unions that are chosen.
    variants: Vec<Variant>,
}

/// Memory is taken for so many columns at first.
const NODES_LIKELY: usize = 16;
/// Entries of dictionaries are listed, 24 bytes each, up to so many, and one more for this many bytes of input.
const LISTED_MAX: usize = 8192;
const LISTED_PER: usize = 32;
/// Of the entries that are not listed it is noted where one of so many begins.
const SAMPLED: usize = 64;

/// One column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) shape: Shape,
    /// The offset of its first byte.
    pub(crate) start: usize,
    /// How many elements it has.
    pub(crate) n: usize,
    packed: Packed,
    /// The base of packed numbers, in two's complement; for a plain column its end, for a table how many
    /// fields its rows may lack; for a union, in four bits for each variant, how many before it are chosen.
    base: u64,
    /// The levels that are allowed in an element.
    pub(crate) depth_left: u32,
    /// Text or bytes.
    bytes: &'a [u8],
    text: &'a str,
    /// The number of the column after all that are in this one.
    next: u32,
    /// Where its keys, entries, samples or variants begin.
    side: u32,
    /// The element that was looked for last, if any, and what is known of its place: for a bitmap how many
    /// bits are set before it, for lists how many items, for text the offset, for differences the value,
    /// for a plain column where it begins. What is looked for next nearly always is the next one. For a union
    /// the second is not needed, and has a bit for each variant that is chosen.
    last: usize,
    offset: u64,
    /// The same for the element after it.
    after: u64,
}

/// Of more keys than this the first so many are compared before all of them.
const SOME: usize = 4096;

/// No element was looked for.
const NONE: usize = usize::MAX;

/// What a column is, with the numbers that belong to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Shape {
    Plain,
    Null,
    Sparse,
    Nullable,
    Bool,
    /// Ints that are not below zero.
    Unsigned,
    Signed,
    Differences {
        first: i64,
    },
    Float,
    Float32,
    Decimal {
        exponent: u8,
    },
    String,
    Bytes,
    Dictionary,
    Lists,
    SameLength {
        k: usize,
    },
    Tuples {
        n: usize,
    },
    Maps,
    Table {
        fields: usize,
    },
    Union {
        variants: usize,
    },
    Ext {
        ext_type: u64,
    },
}

/// An entry of a dictionary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry<'a> {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    String(&'a str),
    Bytes(&'a [u8]),
}

#[derive(Clone, Copy, Debug, Default)]
struct Variant {
    /// Its column.
    node: u32,
    /// How often it was chosen up to the element that was looked for last, and how often before it was
    /// chosen last.
    seen: usize,
    before: usize,
}

/// How many variants before this one are chosen.
#[inline(always)]
fn before_variant(map: u64, variant: u64) -> usize {
    (map >> (4 * variant) & 15) as usize
}

/// Elements `from..to` of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) node: u32,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// One element of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element<'a> {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    String(&'a str),
    Bytes(&'a [u8]),
    /// Element `index` of the plain column `node`: it begins at an offset, and ends before another.
    Plain {
        node: u32,
        index: usize,
        at: usize,
        end: usize,
    },
    List(Run),
    /// Element `row` of the `n` columns that begin with `first`.
    Tuple {
        first: u32,
        n: usize,
        row: usize,
    },
    Map {
        keys: Run,
        values: Run,
    },
    /// A row of a table.
    Row {
        table: u32,
        row: usize,
    },
    Ext {
        ext_type: u64,
        payload: u32,
        index: usize,
    },
}

impl<'a> Columns<'a> {
    /// The elements of the column of values that follows a column of keys.
    pub(crate) fn values_of(&self, keys: Run) -> Run {
        Run { node: self.after(keys.node), ..keys }
    }

    /// Where an element stands, as far as errors tell: at its column, unless that is a plain one.
    pub(crate) fn position(&self, id: u32, index: usize) -> usize {
        let node = self.node(id);
        match node.shape {
            Shape::Plain if node.last == index => node.offset as usize,
            // The element before was read to its end, or it is the first.
            Shape::Plain if node.last.wrapping_add(1) == index && node.after > 0 => node.after as usize,
            _ => node.start,
        }
    }

    /// How many columns there are: what to [`close`](Columns::close) to.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            nodes: self.nodes.len(),
            keys: self.keys.len(),
            entries: self.entries.len(),
            samples: self.samples.len(),
            variants: self.variants.len(),
        }
    }

    /// Forgets the columns that were read after a mark was taken.
    pub(crate) fn close(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.keys.truncate(mark.keys);
        self.entries.truncate(mark.entries);
        self.samples.truncate(mark.samples);
        self.variants.truncate(mark.variants);
    }

    /// Reads the columns of a list, or of a map, of which the tag at `start` was read. `depth_left` levels
    /// are allowed in it. The reader moves behind all of them, or back to the tag if they are refused. Gives the
    /// items, or the keys.
    #[inline(never)]
    pub(crate) fn open(
        &mut self,
        reader: &mut Reader<'a>,
        start: usize,
        map: bool,
        depth_left: u32,
        max_depth: u32,
    ) -> Result<Run> {
        if self.nodes.is_empty() {
            // Inside a plain column the reader's input ends sooner.
            self.data = reader.data;
            // A column takes a byte at least.
            self.nodes.reserve(NODES_LIKELY.min(reader.remaining()));
        }
        self.max_depth = max_depth;
        let mut ahead = *reader;
        let mark = self.mark();
        let first = mark.nodes as u32;
        let columns = if map { 2 } else { 1 };
        let opened =
            walk::walk(&mut ahead, self, start, columns, depth_left, max_depth).and_then(|mut walked| {
                if walked.check_load(ahead.pos).is_err() {
                    // What dictionaries give out was only estimated.
                    walked.load.text = self.text_given_out(mark);
                    walked.check_load(ahead.pos)?;
                }
                // A count that was checked fits.
                let keys = Run { node: first, from: 0, to: walked.n as usize };
                if map {
                    self.tell_all_apart(first, core::iter::once(walked.n))?;
                }
                Ok(keys)
            });
        match &opened {
            Ok(_) => reader.pos = ahead.pos,
            Err(_) => {
                self.close(mark);
                reader.pos = start;
            }
        }
        opened
    }

    /// How many bytes of text the dictionaries after a mark give out (COL-24).
    #[cold]
    fn text_given_out(&self, mark: Mark) -> u64 {
        let dictionaries = self.nodes[mark.nodes..].iter().filter(|node| node.shape == Shape::Dictionary);
        dictionaries.flat_map(|own| (0..own.n).map(|index| self.entry(own, index).len() as u64)).sum()
    }

    /// A column of `n` elements that begins at `start` and was checked before, with all that is in it.
    pub(super) fn of_column(data: &'a [u8], start: usize, n: u64, depth_left: u32) -> Result<Columns<'a>> {
        let mut columns = Columns { data, ..Columns::default() };
        let mut walk = Walk::over(start, n, 1, depth_left, depth_left);
        let mut reader = Reader { data, pos: start };
        while walk.step(&mut reader, &mut columns)? {}
        Ok(columns)
    }

    /// One column of one string: a key that stands alone.
    pub(crate) fn of_key(text: &'a str) -> Columns<'a> {
        let node = Node {
            shape: Shape::String,
            start: 0,
            n: 1,
            // Its length is the base; there are no numbers to be added.
            packed: Packed { at: 0, bits: 1 },
            base: text.len() as u64,
            depth_left: 0,
            bytes: text.as_bytes(),
            text,
            next: 1,
            side: 0,
            last: NONE,
            offset: 0,
            after: 0,
        };
        Columns { nodes: alloc::vec![node], ..Columns::default() }
    }

    /// The whole input.
    pub(crate) fn data(&self) -> &'a [u8] {
        self.data
    }

    /// How many columns there are.
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// For each variant of a union whether it has a column.
    pub(crate) fn variants(&self, union: u32) -> impl Iterator<Item = bool> {
        let node = self.node(union);
        let (there, n) = match node.shape {
            Shape::Union { variants } => (node.offset, variants),
            _ => (0, 0),
        };
        (0..n).map(move |variant| there >> variant & 1 == 1)
    }

    #[inline(always)]
    pub(crate) fn node(&self, id: u32) -> &Node<'a> {
        &self.nodes[id as usize]
    }

    /// The column, to look for an element in it; and the whole input.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn look(&mut self, id: u32) -> (&mut Node<'a>, &'a [u8]) {
        (&mut self.nodes[id as usize], self.data)
    }

    /// The entry of a dictionary that an element is.
    #[inline(always)]
    pub(crate) fn entry(&self, dictionary: &Node<'a>, index: usize) -> Entry<'a> {
        let choice = dictionary.packed.get(self.data, index) as usize;
        match self.entries.get((dictionary.side as usize).saturating_add(choice)) {
            Some(entry) => *entry,
            None => self.unlisted(dictionary, choice),
        }
    }

    /// An entry of a dictionary that was too long to be listed.
    #[cold]
    fn unlisted(&self, dictionary: &Node<'a>, choice: usize) -> Entry<'a> {
        // Nothing else is in a dictionary.
        let mut entries = *self.node(dictionary.next - 1);
        if let Some(offset) = self.samples.get(entries.side as usize + choice / SAMPLED) {
            (entries.last, entries.after) = ((choice / SAMPLED * SAMPLED).wrapping_sub(1), *offset);
        }
        entries.entry(self.data, choice)
    }

    /// The name of a field of a table.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn key(&self, table: u32, field: usize) -> &'a str {
        self.keys[self.nodes[table as usize].side as usize + field]
    }

    /// Whether the fields of a table are those of a type, in their order, and no row lacks one. What was
    /// found is remembered: a type is known by the address of its list.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn has_fields(&mut self, table: u32, names: &'static [&'static str]) -> bool {
        let address = names.as_ptr().addr() as u64;
        let node = &self.nodes[table as usize];
        node.offset == address || node.after != address && self.compare_fields(table, names)
    }

    #[cfg(feature = "serde")]
    #[cold]
    #[inline(never)]
    fn compare_fields(&mut self, table: u32, names: &'static [&'static str]) -> bool {
        let same = self.is_dense(table).is_some() && self.keys(table) == names;
        let node = &mut self.nodes[table as usize];
        let known = if same { &mut node.offset } else { &mut node.after };
        *known = names.as_ptr().addr() as u64;
        same
    }

    /// The column after a column and all that are in it: the next field, or the values of keys.
    #[inline(always)]
    pub(crate) fn after(&self, id: u32) -> u32 {
        self.nodes[id as usize].next
    }

    /// The names of a table's fields.
    pub(crate) fn keys(&self, table: u32) -> &[&'a str] {
        let node = self.node(table);
        match node.shape {
            Shape::Table { fields } => &self.keys[node.side as usize..][..fields],
            _ => &[],
        }
    }

    /// The column and the element of a field in a row, if the row has it.
    #[inline(always)]
    pub(crate) fn field(&mut self, field: u32, row: usize) -> Option<(u32, usize)> {
        match self.nodes[field as usize].shape {
            Shape::Sparse => self.present(field, row).map(|index| (field + 1, index)),
            _ => Some((field, row)),
        }
    }

    /// The first field of a row that it has, from field `field` on, which is `column`.
    fn find_field(&mut self, table: u32, mut field: usize, mut column: u32, row: usize) -> (usize, u32) {
        let Shape::Table { fields } = self.node(table).shape else { return (field, column) };
        while field < fields && self.field(column, row).is_none() {
            (field, column) = (field + 1, self.after(column));
        }
        (field, column)
    }

    /// How many fields a table has, if its rows have all of them.
    #[inline(always)]
    pub(crate) fn is_dense(&self, table: u32) -> Option<usize> {
        let node = self.node(table);
        match node.shape {
            Shape::Table { fields } if node.base == 0 => Some(fields),
            _ => None,
        }
    }

    /// How many fields a row has.
    pub(crate) fn count_fields(&mut self, table: u32, row: usize) -> usize {
        let Shape::Table { fields } = self.node(table).shape else { return 0 };
        if let Some(fields) = self.is_dense(table) {
            return fields;
        }
        let mut field = table + 1;
        let mut count = 0;
        for _ in 0..fields {
            count += usize::from(self.field(field, row).is_some());
            field = self.after(field);
        }
        count
    }

    /// Remembers that an element of a plain column was read, and where it ended.
    pub(crate) fn passed(&mut self, node: u32, index: usize, at: usize) -> Result<()> {
        let node = &mut self.nodes[node as usize];
        if node.last == index {
            node.after = at as u64;
        }
        match index + 1 == node.n && at as u64 != node.base {
            true => Err(invalid(node.start, "bytes after the values of a plain column")),
            false => Ok(()),
        }
    }

    /// For a bitmap: whether a bit is set, and how many are before it.
    #[inline(always)]
    pub(crate) fn present(&mut self, id: u32, index: usize) -> Option<usize> {
        let data = self.data;
        let node = &mut self.nodes[id as usize];
        let before = node.seek(data, index);
        node.bit(data, index).then_some(before as usize)
    }

    /// One element.
    #[inline]
    pub(crate) fn element(&mut self, mut id: u32, mut index: usize) -> Result<Element<'a>> {
        let data = self.data;
        loop {
            let node = &mut self.nodes[id as usize];
            return Ok(match node.shape {
                Shape::Unsigned => Element::Unsigned(node.based(data, index)),
                Shape::Signed => Element::Signed(node.based(data, index) as i64),
                Shape::Bool => Element::Bool(node.bit(data, index)),
                Shape::Float => Element::Float(node.float(data, index)),
                Shape::Float32 => Element::Float(num::widen(node.float32(data, index))),
                Shape::Decimal { exponent } => {
                    Element::Float(num::over_power(node.based(data, index) as i64, exponent))
                }
                Shape::String => Element::String(node.string(data, index)),
                Shape::Bytes => Element::Bytes(node.slice(data, index)),
                Shape::Dictionary => match self.entry(self.node(id), index) {
                    Entry::Signed(n) => Element::Signed(n),
                    Entry::Unsigned(n) => Element::Unsigned(n),
                    Entry::Float(f) => Element::Float(f),
                    Entry::String(text) => Element::String(text),
                    Entry::Bytes(bytes) => Element::Bytes(bytes),
                },
                Shape::Differences { .. } => Element::Signed(node.seek(data, index) as i64),
                Shape::Null => Element::Null,
                Shape::Nullable | Shape::Sparse => match self.present(id, index) {
                    None => Element::Null,
                    Some(rank) => {
                        (id, index) = (id + 1, rank);
                        continue;
                    }
                },
                Shape::Union { .. } => {
                    (id, index) = self.chosen(id, index);
                    continue;
                }
                Shape::Lists => {
                    let from = node.seek(data, index) as usize;
                    let to = from + node.packed.get(data, index) as usize;
                    Element::List(Run { node: id + 1, from, to })
                }
                Shape::SameLength { k } => {
                    Element::List(Run { node: id + 1, from: index * k, to: index * k + k })
                }
                Shape::Tuples { n } => Element::Tuple { first: id + 1, n, row: index },
                Shape::Maps => {
                    let from = node.seek(data, index) as usize;
                    let to = from + node.packed.get(data, index) as usize;
                    let keys = Run { node: id + 1, from, to };
                    match from == to {
                        // There may be no columns at all.
                        true => Element::Map { keys, values: keys },
                        false => Element::Map { keys, values: Run { node: self.after(id + 1), from, to } },
                    }
                }
                Shape::Table { .. } => Element::Row { table: id, row: index },
                Shape::Ext { ext_type } => Element::Ext { ext_type, payload: id + 1, index },
                Shape::Plain => {
                    node.seek_plain(data, index)?;
                    Element::Plain { node: id, index, at: node.offset as usize, end: node.base as usize }
                }
            });
        }
    }

    /// The column of the variant that an element of a union is, and its place there.
    fn chosen(&mut self, id: u32, index: usize) -> (u32, usize) {
        let data = self.data;
        let node = &mut self.nodes[id as usize];
        let map = node.base;
        let variants = &mut self.variants[node.side as usize..][..node.offset.count_ones() as usize];
        if index != node.last {
            // The element that comes next is the one that was not counted yet.
            let mut next = node.last.wrapping_add(1);
            if index < next {
                next = 0;
                variants.iter_mut().for_each(|variant| (variant.before, variant.seen) = (0, 0));
            }
            for seen in next..=index {
                let variant = &mut variants[before_variant(map, node.packed.get(data, seen))];
                (variant.before, variant.seen) = (variant.seen, variant.seen + 1);
            }
            node.last = index;
        }
        let variant = &variants[before_variant(map, node.packed.get(data, index))];
        (variant.node, variant.before)
    }

    /// Refuses a key that occurs twice in one of the maps that a column has the keys of; they have so many entries
    /// each (MAP-5).
    fn tell_all_apart(&mut self, id: u32, maps: impl Iterator<Item = u64>) -> Result<()> {
        let keys = self.as_keys(id);
        if !matches!(keys.kind, Kind::Other) {
            return keys.tell_apart(self.data, maps);
        }
        let mut from = 0;
        for n in maps {
            let to = from + n as usize;
            self.tell_apart(Run { node: id, from, to }, Form::Preferred)?;
            from = to;
        }
        Ok(())
    }

    /// A column, as far as its elements are compared as keys.
    fn as_keys(&self, id: u32) -> Keys {
        let node = self.node(id);
        let own = Based { negative: (node.base as i64) < 0, base: node.base, packed: node.packed };
        let n = node.n as u64;
        let text = |lengths: Based| lengths.packed.at + lengths.packed.size(n) as usize;
        let kind = match node.shape {
            Shape::Bool => Kind::Numbers(node.packed),
            Shape::Unsigned | Shape::Signed => Kind::of(&Body::Int(own)),
            Shape::Float => Kind::of(&Body::Float { narrow: false, at: node.packed.at }),
            Shape::Float32 => Kind::of(&Body::Float { narrow: true, at: node.packed.at }),
            Shape::Decimal { exponent } => Kind::of(&Body::Decimal { exponent, m: own }),
            Shape::Differences { first } => Kind::Sums(first, own),
            Shape::String | Shape::Bytes => Kind::Texts(own, text(own)),
            Shape::Plain => Kind::Plain(node.packed.at, node.base as usize),
            Shape::Dictionary => {
                // Where the entries differ, the same indices are the same keys.
                let entries = self.as_keys(id + 1);
                match entries.tell_apart(self.data, core::iter::once(entries.n)) {
                    Ok(()) => Kind::Numbers(node.packed),
                    Err(_) => Kind::Other,
                }
            }
            _ => Kind::Other,
        };
        Keys { start: node.start, n, depth_left: node.depth_left, kind }
    }

    /// Refuses keys of one map that occur twice (MAP-5).
    pub(crate) fn tell_apart(&mut self, keys: Run, form: Form) -> Result<()> {
        if keys.to - keys.from < 2 {
            return Ok(());
        }
        // Of many that take few bits the first are soon the same.
        if keys.to - keys.from > SOME {
            self.tell_apart(Run { to: keys.from + SOME, ..keys }, form)?;
        }
        let start = self.node(keys.node).start;
        let twice = match self.node(keys.node).shape {
            Shape::String => {
                let from = self.nodes[keys.node as usize].seek(self.data, keys.from) as usize;
                let node = self.node(keys.node);
                let mut ends = Vec::with_capacity(keys.to - keys.from);
                let mut end = from;
                for index in keys.from..keys.to {
                    let length = node.based(self.data, index) as usize;
                    ends.push((end, end + length));
                    end += length;
                }
                let text = node.bytes;
                keys::find_duplicate_bytes(ends.len(), |index| &text[ends[index].0..ends[index].1]).is_some()
            }
            _ => {
                let mut written = Output::default();
                let mut ranges = Vec::with_capacity(keys.to - keys.from);
                for index in keys.from..keys.to {
                    let at = written.len();
                    self.write(keys.node, index, &mut written)?;
                    ranges.push((at, written.len()));
                }
                keys::find_duplicate(written.as_bytes(), &ranges, form).is_some()
            }
        };
        match twice {
            true => Err(keys::duplicate(start)),
            false => Ok(()),
        }
    }

    /// Writes an element in the plain layer.
    pub(crate) fn write(&mut self, node: u32, index: usize, out: &mut Output) -> Result<()> {
        // What is still to be written, innermost last.
        let mut stack = alloc::vec![Parts::Elements(Run { node, from: index, to: index + 1 })];
        while let Some(parts) = stack.last_mut() {
            let (node, index) = match parts.next(self) {
                Some(Part::Element(node, index)) => (node, index),
                Some(Part::Key(text)) => {
                    out.str(text);
                    continue;
                }
                None => {
                    stack.pop();
                    continue;
                }
            };
            let element = self.element(node, index)?;
            match element {
                Element::Null => out.byte(tag::NULL),
                Element::Bool(on) => out.bool(on),
                Element::Signed(n) => out.i64(n),
                Element::Unsigned(n) => out.pos(n),
                Element::Float(f) => out.float(f),
                Element::String(text) => out.str(text),
                Element::Bytes(bytes) => out.bytes(bytes),
                Element::Plain { node, index, at, end } => {
                    let mut reader = Reader { data: self.data.get(..end).unwrap_or_default(), pos: at };
                    skip_value(&mut reader, self.node(node).depth_left, self.max_depth)?;
                    out.slice(&reader.data[at..reader.pos]);
                    self.passed(node, index, reader.pos)?;
                }
                Element::List(_) | Element::Tuple { .. } => out.list_head(element.count(self)),
                Element::Map { .. } | Element::Row { .. } => out.map_head(element.count(self)),
                Element::Ext { ext_type, .. } => out.ext_head(ext_type),
            }
            stack.extend(element.parts(self));
        }
        Ok(())
    }
}

/// What a container of columns still holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parts {
    /// Elements of one column.
    Elements(Run),
    /// An element of each of some columns.
    Tuple { column: u32, left: usize, row: usize },
    /// Keys and values by turns.
    Entries { keys: Run, values: Run, value_due: bool },
    /// The fields of a row, of which the next is one that the row has.
    Fields { table: u32, field: usize, column: u32, row: usize, value_due: bool },
}

/// One of these parts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    /// An element of a column.
    Element(u32, usize),
    /// The name of a field.
    Key(&'a str),
}

impl Parts {
    /// The fields of a row.
    fn fields(table: u32, row: usize, columns: &mut Columns<'_>) -> Parts {
        let (field, column) = columns.find_field(table, 0, table + 1, row);
        Parts::Fields { table, field, column, row, value_due: false }
    }

    /// Where the next part stands, as far as errors tell.
    pub(crate) fn position(&self, columns: &Columns<'_>) -> Option<usize> {
        self.place().map(|(column, index)| columns.position(column, index))
    }

    /// Where the column begins that has the next part.
    pub(crate) fn column_start(&self, columns: &Columns<'_>) -> Option<usize> {
        self.place().map(|(column, _)| columns.node(column).start)
    }

    /// The column that has the next part, and which element of it that is; for a name, its table.
    fn place(&self) -> Option<(u32, usize)> {
        match *self {
            Parts::Elements(run) | Parts::Entries { keys: run, value_due: false, .. } => {
                (run.from < run.to).then_some((run.node, run.from))
            }
            Parts::Tuple { column, left, row } => (left > 0).then_some((column, row)),
            Parts::Entries { values, .. } => Some((values.node, values.from)),
            Parts::Fields { column, row, value_due: true, .. } => Some((column, row)),
            Parts::Fields { table, row, .. } => Some((table, row)),
        }
    }

    /// The next part, which stays.
    pub(crate) fn peek<'a>(&self, columns: &mut Columns<'a>) -> Option<Part<'a>> {
        match *self {
            Parts::Elements(run) => (run.from < run.to).then_some(Part::Element(run.node, run.from)),
            Parts::Tuple { column, left, row } => (left > 0).then_some(Part::Element(column, row)),
            Parts::Entries { values, value_due: true, .. } => Some(Part::Element(values.node, values.from)),
            Parts::Entries { keys, .. } => {
                (keys.from < keys.to).then_some(Part::Element(keys.node, keys.from))
            }
            Parts::Fields { column, row, value_due: true, .. } => {
                columns.field(column, row).map(|(node, index)| Part::Element(node, index))
            }
            Parts::Fields { table, field, .. } => columns.keys(table).get(field).map(|text| Part::Key(text)),
        }
    }

    /// Goes on behind the next part.
    pub(crate) fn advance(&mut self, columns: &mut Columns<'_>) {
        match self {
            Parts::Elements(run) => run.from += 1,
            Parts::Tuple { column, left, .. } => (*column, *left) = (columns.after(*column), *left - 1),
            Parts::Entries { values, value_due: due @ true, .. } => {
                *due = false;
                values.from += 1;
            }
            Parts::Entries { keys, value_due, .. } => {
                *value_due = true;
                keys.from += 1;
            }
            Parts::Fields { table, field, column, row, value_due: due @ true } => {
                *due = false;
                (*field, *column) = columns.find_field(*table, *field + 1, columns.after(*column), *row);
            }
            Parts::Fields { value_due, .. } => *value_due = true,
        }
    }

    /// Passes over `n` items of a list, or as many as there are.
    pub(crate) fn pass(&mut self, n: usize, columns: &Columns<'_>) {
        match self {
            Parts::Elements(run) => run.from = run.from.saturating_add(n).min(run.to),
            Parts::Tuple { column, left, .. } => {
                for _ in 0..n.min(*left) {
                    (*column, *left) = (columns.after(*column), *left - 1);
                }
            }
            // Entries are not numbered.
            Parts::Entries { .. } | Parts::Fields { .. } => {}
        }
    }

    /// The next part.
    pub(crate) fn next<'a>(&mut self, columns: &mut Columns<'a>) -> Option<Part<'a>> {
        let part = self.peek(columns)?;
        self.advance(columns);
        Some(part)
    }
}

impl Element<'_> {
    /// How many items or entries a list or map has.
    pub(crate) fn count(&self, columns: &mut Columns<'_>) -> usize {
        match *self {
            Element::List(run) | Element::Map { keys: run, .. } => run.to - run.from,
            Element::Tuple { n, .. } => n,
            Element::Row { table, row } => columns.count_fields(table, row),
            _ => 1,
        }
    }

    /// What a container holds.
    pub(crate) fn parts(&self, columns: &mut Columns<'_>) -> Option<Parts> {
        Some(match *self {
            Element::List(run) => Parts::Elements(run),
            Element::Tuple { first, n, row } => Parts::Tuple { column: first, left: n, row },
            Element::Map { keys, values } => Parts::Entries { keys, values, value_due: false },
            Element::Row { table, row } => Parts::fields(table, row, columns),
            Element::Ext { payload, index, .. } => {
                Parts::Elements(Run { node: payload, from: index, to: index + 1 })
            }
            _ => return None,
        })
    }
}

/// A state of [`Columns`] to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    nodes: usize,
    keys: usize,
    entries: usize,
    samples: usize,
    variants: usize,
}

impl<'a> Node<'a> {
    /// Where the values of a plain column begin and end.
    pub(crate) fn plain_range(&self) -> (usize, usize) {
        (self.packed.at, self.base as usize)
    }

    /// A bit of a bitmap.
    #[inline(always)]
    pub(crate) fn bit(&self, data: &[u8], index: usize) -> bool {
        data.get(self.packed.at + index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
    }

    /// A packed number.
    #[inline(always)]
    pub(crate) fn number(&self, data: &[u8], index: usize) -> u64 {
        self.packed.get(data, index)
    }

    /// The base and a packed number; for signed ints in two's complement.
    #[inline(always)]
    pub(crate) fn based(&self, data: &[u8], index: usize) -> u64 {
        self.base.wrapping_add(self.packed.get(data, index))
    }

    #[inline(always)]
    pub(crate) fn float(&self, data: &[u8], index: usize) -> f64 {
        let at = self.packed.at + 8 * index;
        let chunk = data.get(at..).and_then(|rest| rest.first_chunk::<8>());
        f64::from_bits(chunk.map_or(0, |chunk| u64::from_le_bytes(*chunk)))
    }

    /// The bits of a binary32.
    #[inline(always)]
    pub(crate) fn float32(&self, data: &[u8], index: usize) -> u32 {
        let at = self.packed.at + 4 * index;
        let chunk = data.get(at..).and_then(|rest| rest.first_chunk::<4>());
        chunk.map_or(0, |chunk| u32::from_le_bytes(*chunk))
    }

    /// What an element takes of whatever its column counts: how far from it the next one is.
    #[inline(always)]
    fn takes(&self, data: &[u8], index: usize) -> u64 {
        // Neither bitmaps nor the lengths of lists have a base: theirs is zero.
        self.based(data, index)
    }

    /// Finds the place of an element: that of the first, and what those before it take.
    #[inline(always)]
    pub(crate) fn seek(&mut self, data: &[u8], index: usize) -> u64 {
        if index == self.last {
            return self.offset;
        }
        if index == self.last.wrapping_add(1) {
            self.offset = self.after;
        } else {
            self.seek_far(data, index);
        }
        self.last = index;
        self.after = self.offset.wrapping_add(self.takes(data, index));
        self.offset
    }

    #[inline(never)]
    fn seek_far(&mut self, data: &[u8], index: usize) {
        let mut next = self.last.wrapping_add(1);
        if index < next {
            next = 0;
            self.after = match self.shape {
                Shape::Differences { first } => first as u64,
                _ => 0,
            };
        }
        let mut offset = self.after;
        if matches!(self.shape, Shape::Sparse | Shape::Nullable) && index - next > 64 {
            // Whole bytes are counted at once.
            while next % 8 != 0 {
                offset += self.takes(data, next);
                next += 1;
            }
            let bytes = data.get(self.packed.at + next / 8..).unwrap_or_default();
            offset += count_ones(bytes, (index / 8 * 8 - next) as u64);
            next = index / 8 * 8;
        }
        for before in next..index {
            offset = offset.wrapping_add(self.takes(data, before));
        }
        self.offset = offset;
    }

    #[inline(always)]
    pub(crate) fn slice(&mut self, data: &[u8], index: usize) -> &'a [u8] {
        let from = self.seek(data, index) as usize;
        self.bytes.get(from..self.after as usize).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn string(&mut self, data: &[u8], index: usize) -> &'a str {
        let from = self.seek(data, index) as usize;
        self.text.get(from..self.after as usize).unwrap_or_default()
    }

    #[inline(never)]
    fn seek_plain(&mut self, data: &[u8], index: usize) -> Result<()> {
        if index == self.last {
            return Ok(());
        }
        let data = data.get(..self.base as usize).unwrap_or_default();
        let next = self.last.wrapping_add(1);
        let mut reader = Reader { data, pos: self.after as usize };
        let mut at = next;
        if index < next {
            (at, reader.pos) = (0, self.packed.at);
        } else if self.after == 0 {
            // The element before was not read to its end.
            (at, reader.pos) = (self.last, self.offset as usize);
        }
        while at < index {
            skip_value(&mut reader, u32::MAX, u32::MAX)?;
            at += 1;
        }
        (self.last, self.offset, self.after) = (index, reader.pos as u64, 0);
        Ok(())
    }
}

impl<'a> Node<'a> {
    /// An element of the entries of a dictionary.
    fn entry(&mut self, data: &[u8], index: usize) -> Entry<'a> {
        match self.shape {
            Shape::Unsigned => Entry::Unsigned(self.based(data, index)),
            Shape::Signed => Entry::Signed(self.based(data, index) as i64),
            Shape::Differences { .. } => Entry::Signed(self.seek(data, index) as i64),
            Shape::Float => Entry::Float(self.float(data, index)),
            Shape::Float32 => Entry::Float(num::widen(self.float32(data, index))),
            Shape::Decimal { exponent } => {
                Entry::Float(num::over_power(self.based(data, index) as i64, exponent))
            }
            Shape::String => Entry::String(self.string(data, index)),
            // No other kinds stand in a dictionary.
            _ => Entry::Bytes(self.slice(data, index)),
        }
    }
}

impl Entry<'_> {
    /// The length of text or bytes.
    fn len(&self) -> usize {
        match self {
            Entry::String(text) => text.len(),
            Entry::Bytes(bytes) => bytes.len(),
            _ => 0,
        }
    }
}

impl Columns<'_> {
    /// Takes the `m` entries of a dictionary into the list, if that may become so long, or notes where some of
    /// them begin. Gives the length of the longest.
    fn list_entries(&mut self, dictionary: u32, m: usize) -> usize {
        let data = self.data;
        let is_listed = self.entries.len() + m <= LISTED_MAX + data.len() / LISTED_PER;
        self.nodes[dictionary as usize].side = if is_listed { self.entries.len() as u32 } else { u32::MAX };
        let node = &mut self.nodes[dictionary as usize + 1];
        node.side = self.samples.len() as u32;
        let mut longest = 0;
        for index in 0..m {
            let entry = node.entry(data, index);
            longest = longest.max(entry.len());
            if is_listed {
                self.entries.push(entry);
            } else if index % SAMPLED == 0 {
                self.samples.push(node.offset);
            }
        }
        longest
    }
}

impl Visit for Columns<'_> {
    fn column(&mut self, found: Found) -> Result<u32> {
        let Ok(id) = u32::try_from(self.nodes.len()) else {
            return Err(Error::new(Code::InputLimit, found.start, "more columns than can be read at once"));
        };
        let text = content::check(self.data, &found)?;
        // The elements own a bit each, and those bits were there.
        let (start, n) = (found.start, found.n as usize);
        let mut node = Node {
            shape: Shape::Null,
            start,
            n,
            packed: Packed::default(),
            base: 0,
            depth_left: found.depth_left,
            bytes: &[],
            text: "",
            next: id + 1,
            side: 0,
            last: NONE,
            offset: 0,
            after: 0,
        };
        match found.body {
            Body::Plain { at, end } => {
                node.shape = Shape::Plain;
                (node.packed.at, node.base, node.after) = (at, end as u64, at as u64);
            }
            Body::Null => {}
            Body::Sparse(packed) | Body::Nullable(packed) | Body::Bool(packed) => {
                node.packed = packed;
                node.shape = match found.body {
                    Body::Sparse(_) => Shape::Sparse,
                    Body::Nullable(_) => Shape::Nullable,
                    _ => Shape::Bool,
                };
            }
            Body::Int(based) => {
                (node.packed, node.base) = (based.packed, based.base);
                node.shape = if based.negative { Shape::Signed } else { Shape::Unsigned };
            }
            Body::Differences(first, based) => {
                (node.packed, node.base, node.after) = (based.packed, based.base, first as u64);
                node.shape = Shape::Differences { first };
            }
            Body::Float { narrow, at } => {
                node.packed.at = at;
                node.shape = if narrow { Shape::Float32 } else { Shape::Float };
            }
            Body::Decimal { exponent, m } => {
                (node.packed, node.base) = (m.packed, m.base);
                node.shape = Shape::Decimal { exponent };
            }
            Body::String(lengths, ..) => {
                (node.packed, node.base) = (lengths.packed, lengths.base);
                (node.text, node.bytes) = (text, text.as_bytes());
                node.shape = Shape::String;
            }
            Body::Bytes(lengths, from, to) => {
                (node.packed, node.base) = (lengths.packed, lengths.base);
                node.bytes = self.data.get(from..to).unwrap_or_default();
                node.shape = Shape::Bytes;
            }
            Body::Dictionary => node.shape = Shape::Dictionary,
            Body::Lists(packed) | Body::Maps(packed) => {
                node.packed = packed;
                node.shape = if matches!(found.body, Body::Lists(_)) { Shape::Lists } else { Shape::Maps };
            }
            Body::SameLength(k) => node.shape = Shape::SameLength { k: k as usize },
            Body::Tuples(n) => node.shape = Shape::Tuples { n: n as usize },
            Body::Table(fields) => {
                node.shape = Shape::Table { fields: fields as usize };
                node.side = self.keys.len() as u32;
            }
            Body::Union(m, there, packed) => {
                (node.shape, node.packed, node.offset) = (Shape::Union { variants: m }, packed, there.into());
                let before = |variant: u32| (there & ((1_u32 << variant) - 1) as u16).count_ones();
                node.base = (0..m as u32).fold(0, |map, at| map | u64::from(before(at)) << (4 * at));
                node.side = self.variants.len() as u32;
                let n = there.count_ones() as usize;
                self.variants.resize(self.variants.len() + n, Variant::default());
            }
            Body::Ext(ext_type) => node.shape = Shape::Ext { ext_type },
        }
        if let Some(owner) = self.nodes.get_mut(found.owner as usize) {
            match owner.shape {
                Shape::Union { .. } => {
                    let own = owner.side as usize + before_variant(owner.base, found.variant as u64);
                    self.variants[own].node = id;
                }
                Shape::Table { .. } if node.shape == Shape::Sparse => owner.base += 1,
                _ => {}
            }
        }
        self.nodes.push(node);
        Ok(id)
    }

    fn key(&mut self, table: u32, start: usize, from: usize, to: usize) -> Result<()> {
        let node = &mut self.nodes[table as usize];
        let first = node.side as usize;
        if self.keys.len() == first {
            node.packed.at = start;
        }
        let (keys_at, Shape::Table { fields }) = (node.packed.at, node.shape) else { return Ok(()) };
        // The form of all keys comes before their contents (COL-40).
        match str_from(self.data.get(from..to).unwrap_or_default(), start) {
            Ok(text) => self.keys.push(text),
            Err(_) => {
                self.keys.push("");
                if node.offset == 0 {
                    node.offset = start as u64;
                }
            }
        }
        let own = &self.keys[first..];
        if own.len() < fields {
            return Ok(());
        }
        if node.offset > 0 {
            return Err(crate::plain::invalid_utf8(node.offset as usize));
        }
        match keys::find_duplicate_bytes(fields, |index| own[index].as_bytes()) {
            None => Ok(()),
            Some(twice) => {
                let mut reader = Reader { data: self.data, pos: keys_at };
                for _ in 0..twice {
                    skip_value(&mut reader, 0, 0)?;
                }
                Err(keys::duplicate(reader.pos))
            }
        }
    }

    fn indices(&mut self, dictionary: u32, m: u64, indices: Packed, end: usize) -> Result<u64> {
        let longest = self.list_entries(dictionary, m as usize);
        let node = &mut self.nodes[dictionary as usize];
        (node.packed, node.next) = (indices, dictionary + 2);
        let (node, columns) = (*node, &*self);
        let choice = Choice { start: node.start, n: node.n, indices, entries: m as usize, longest };
        choice.check(self.data, end, |index| columns.entry(&node, index).len() as u64)
    }

    fn close(&mut self, column: u32) -> Result<()> {
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[column as usize];
        node.next = next;
        let node = *node;
        if node.shape == Shape::Maps && next > column + 1 {
            let data = self.data;
            self.tell_all_apart(column + 1, (0..node.n).map(|index| node.packed.get(data, index)))?;
        }
        Ok(())
    }
}
