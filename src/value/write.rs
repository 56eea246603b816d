//! Encoding a value.

use super::Value;
use super::walk::Items;
use crate::config::Config;
use crate::encode::{finish, start, too_deep};
use crate::error::Result;
use crate::tag;
use crate::write::Output;
use alloc::vec::Vec;
use core::mem;

impl Value<'_> {
    /// Encodes the value.
    ///
    /// ```
    /// use wbin::wbin;
    /// assert_eq!(wbin!([1, "a"]).to_vec().unwrap(), [0x82, 0x01, 0x41, b'a']);
    /// ```
    ///
    /// # Errors
    ///
    /// If it is nested deeper than 128 levels (LIM-1).
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_vec_with(&Config::new())
    }

    /// Encodes the value with the limits and switches of a [`Config`].
    ///
    /// # Errors
    ///
    /// If it is nested deeper than the limit.
    pub fn to_vec_with(&self, config: &Config) -> Result<Vec<u8>> {
        let mut out = Output::new();
        start(&mut out, config);
        let depth = config.get_max_depth();
        self.write(&mut out, depth, depth)?;
        finish(out, config, true)
    }

    /// Writes a value that was measured before, or whose depth does not matter.
    pub(crate) fn write_any_depth(&self, out: &mut Output) {
        // With this limit it cannot fail: memory ends before.
        let _ = self.write(out, u32::MAX, u32::MAX);
    }

    /// Writes the value; `depth_left` levels are allowed of the `max_depth` in all.
    pub(crate) fn write(&self, out: &mut Output, depth_left: u32, max_depth: u32) -> Result<()> {
        let mut stack: Vec<Items<'_, '_>> = Vec::new();
        let mut items = Items::One(Some(self));
        loop {
            while let Some(value) = items.next() {
                match value {
                    Value::String(text) => out.str(text),
                    Value::Int(int) => out.int(*int),
                    Value::Float(f) => out.float(*f),
                    Value::Null => out.byte(tag::NULL),
                    Value::Bool(on) => out.bool(*on),
                    Value::Bytes(bytes) => out.bytes(bytes),
                    Value::List(list) => {
                        out.list_head(list.len());
                        enter(&mut stack, &mut items, value, depth_left, max_depth)?;
                    }
                    Value::Map(map) => {
                        out.map_head(map.len());
                        enter(&mut stack, &mut items, value, depth_left, max_depth)?;
                    }
                    Value::Ext(ext) => {
                        out.ext_head(ext.ext_type);
                        enter(&mut stack, &mut items, value, depth_left, max_depth)?;
                    }
                }
            }
            match stack.pop() {
                Some(outer) => items = outer,
                None => return Ok(()),
            }
        }
    }
}

#[inline(always)]
fn enter<'v, 'a>(
    stack: &mut Vec<Items<'v, 'a>>,
    items: &mut Items<'v, 'a>,
    value: &'v Value<'a>,
    depth_left: u32,
    max_depth: u32,
) -> Result<()> {
    if stack.len() >= depth_left as usize {
        return Err(too_deep(max_depth));
    }
    if let Some(inner) = Items::of(value) {
        stack.push(mem::replace(items, inner));
    }
    Ok(())
}
