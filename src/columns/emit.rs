//! Columns back as values of the plain layer, element by element.

use super::collect::{Column, Store};
use crate::num;
use crate::tag;
use crate::write::Output;
use alloc::vec::Vec;

/// Writes the elements of columns in their order; it knows how far it came in each.
pub(super) struct Emitter<'c, 'p> {
    columns: &'c [Column<'p>],
    places: Vec<Place>,
}

/// How far a column was written.
#[derive(Clone, Copy, Default)]
struct Place {
    elements: usize,
    /// The same without nulls.
    values: usize,
}

/// What is not complete: lists and maps of which a part is still to come.
pub(super) struct Open<'c> {
    /// For each column how many items or fields its open element announced.
    pub(super) announced: &'c [Option<usize>],
    /// The column of which an element comes next.
    pub(super) next: Option<u32>,
    /// Where the open elements were written, and of which columns they are.
    pub(super) starts: Vec<(u32, usize)>,
}

impl<'c, 'p> Emitter<'c, 'p> {
    pub(super) fn new(columns: &'c [Column<'p>]) -> Emitter<'c, 'p> {
        Emitter { columns, places: alloc::vec![Place::default(); columns.len()] }
    }

    /// Writes the next element of a column.
    pub(super) fn element(&mut self, id: u32, out: &mut Output) {
        let own = &self.columns[id as usize];
        let place = &mut self.places[id as usize];
        let (element, at) = (place.elements, place.values);
        place.elements += 1;
        if own.present.as_ref().is_some_and(|present| !present.get(element)) {
            return out.byte(tag::NULL);
        }
        place.values += 1;
        match &own.store {
            // Neither is made of columns that are known only by their elements.
            Store::Empty | Store::Plain => out.byte(tag::NULL),
            Store::Bool(bits) => out.bool(bits.get(at)),
            Store::Small(numbers) => out.i64(i64::from(numbers[at])),
            Store::Int(ints) if ints.negative => out.i64(ints.numbers[at] as i64),
            Store::Int(ints) => out.pos(ints.numbers[at]),
            Store::Float(floats) => out.float(floats[at]),
            Store::Single(floats) => out.float(num::widen(floats[at])),
            Store::String(strings) => out.text(strings[at]),
            Store::Bytes(strings) => out.bytes(strings[at]),
            Store::Text(texts) => out.text(texts.get(at)),
            Store::Blob(texts) => out.bytes(texts.get(at)),
            Store::List { lengths, items } => {
                out.list_head(lengths[at] as usize);
                (0..lengths[at]).for_each(|_| self.element(*items, out));
            }
            Store::Tuple { places } => {
                out.list_head(places.len());
                places.iter().for_each(|place| self.element(*place, out));
            }
            Store::Map { counts, keys, values } => {
                out.map_head(counts[at] as usize);
                for _ in 0..counts[at] {
                    self.element(*keys, out);
                    self.element(*values, out);
                }
            }
            Store::Table(table) => {
                let fields = || table.fields.iter().filter(|field| field.has(at));
                out.map_head(fields().count());
                for field in fields() {
                    out.slice(field.key);
                    self.element(field.column, out);
                }
            }
            Store::Ext { ext_type, payload } => {
                out.ext_head(*ext_type);
                self.element(*payload, out);
            }
            Store::Union { choices, variants } => self.element(variants[usize::from(choices[at])], out),
        }
    }

    /// Whether an element of a column is complete and not yet written.
    fn has_more(&self, id: u32) -> bool {
        self.places[id as usize].elements < self.columns[id as usize].len()
    }

    /// Writes what there is of the open element of a column.
    pub(super) fn begun(&mut self, id: u32, open: &mut Open<'_>, out: &mut Output) {
        let Some(announced) = open.announced[id as usize] else { return };
        let is_open = |column: u32, open: &Open<'_>| {
            open.announced[column as usize].is_some() || open.next == Some(column)
        };
        open.starts.push((id, out.len()));
        match &self.columns[id as usize].store {
            Store::Table(table) => {
                out.map_head(announced);
                for field in &table.fields {
                    if self.has_more(field.column) {
                        out.slice(field.key);
                        self.element(field.column, out);
                    } else if is_open(field.column, open) {
                        out.slice(field.key);
                        return self.begun(field.column, open, out);
                    }
                }
            }
            Store::List { items, .. } => {
                out.list_head(announced);
                while self.has_more(*items) {
                    self.element(*items, out);
                }
                self.begun(*items, open, out);
            }
            Store::Tuple { places } => {
                out.list_head(announced);
                for place in places {
                    if !self.has_more(*place) {
                        return self.begun(*place, open, out);
                    }
                    self.element(*place, out);
                }
            }
            Store::Union { choices, variants } => {
                if let Some(choice) = choices.last() {
                    self.begun(variants[usize::from(*choice)], open, out);
                }
            }
            _ => {}
        }
    }
}
