//! Every constant of the wire, and the classification of the 256 tags.
//!
//! SPEC.md's tag table is compared with [`Class::of`] by a test, so the two cannot drift apart.

/// Largest int that is its own tag (`00–3F`).
pub const INT_INLINE_MAX: u8 = 0x3F;
/// First tag of the strings whose length (0…63 bytes) is in the tag.
pub const STR_INLINE: u8 = 0x40;
/// Last tag of the strings whose length is in the tag.
pub const STR_INLINE_LAST: u8 = 0x7F;
/// Longest string, in bytes, whose length is in the tag.
pub const STR_INLINE_MAX: usize = 63;
/// First tag of the lists whose count (0…15 items) is in the tag.
pub const LIST_INLINE: u8 = 0x80;
/// Last tag of the lists whose count is in the tag.
pub const LIST_INLINE_LAST: u8 = 0x8F;
/// First tag of the maps whose count (0…15 entries) is in the tag.
pub const MAP_INLINE: u8 = 0x90;
/// Last tag of the maps whose count is in the tag.
pub const MAP_INLINE_LAST: u8 = 0x9F;
/// Largest count of a list or map that is in the tag.
pub const COUNT_INLINE_MAX: usize = 15;
/// First tag of the ints `u` with 1…8 bytes of payload.
pub const INT_POS: u8 = 0xA0;
/// Last tag of the ints `u` with 1…8 bytes of payload.
pub const INT_POS_LAST: u8 = 0xA7;
/// First tag of the ints `-1 - u` with 1…8 bytes of payload.
pub const INT_NEG: u8 = 0xA8;
/// Last tag of the ints `-1 - u` with 1…8 bytes of payload.
pub const INT_NEG_LAST: u8 = 0xAF;
/// First tag of the short decimal floats with 1…6 bytes of payload.
pub const DECIMAL: u8 = 0xB0;
/// Last tag of the short decimal floats.
pub const DECIMAL_LAST: u8 = 0xB5;
/// A binary32 float.
pub const FLOAT32: u8 = 0xB6;
/// A binary64 float.
pub const FLOAT64: u8 = 0xB7;
/// Null.
pub const NULL: u8 = 0xB8;
/// False.
pub const FALSE: u8 = 0xB9;
/// True.
pub const TRUE: u8 = 0xBA;
/// A wrapper around a value that is null or another `some`.
pub const SOME: u8 = 0xBB;
/// An int `u` with 16 bytes of payload.
pub const INT_POS_16: u8 = 0xBC;
/// An int `-1 - u` with 16 bytes of payload.
pub const INT_NEG_16: u8 = 0xBD;
/// Closes an open list or map.
pub const END: u8 = 0xBE;
/// An extension: its type, then its payload.
pub const EXT: u8 = 0xBF;
/// First of the four tags of strings with a length of 1, 2, 4 or 8 bytes.
pub const STR: u8 = 0xC0;
/// Last tag of the strings with a length after the tag.
pub const STR_LAST: u8 = 0xC3;
/// First of the four tags of bytes with a length of 1, 2, 4 or 8 bytes.
pub const BYTES: u8 = 0xC4;
/// Last tag of the bytes.
pub const BYTES_LAST: u8 = 0xC7;
/// First of the four tags of lists with a count of 1, 2, 4 or 8 bytes.
pub const LIST: u8 = 0xC8;
/// Last tag of the lists with a count after the tag.
pub const LIST_LAST: u8 = 0xCB;
/// First of the four tags of maps with a count of 1, 2, 4 or 8 bytes.
pub const MAP: u8 = 0xCC;
/// Last tag of the maps with a count after the tag.
pub const MAP_LAST: u8 = 0xCF;
/// A list that an end tag closes.
pub const LIST_OPEN: u8 = 0xD0;
/// A map that an end tag closes.
pub const MAP_OPEN: u8 = 0xD1;
/// A list in columns.
pub const LIST_COLUMNS: u8 = 0xD2;
/// A map in columns.
pub const MAP_COLUMNS: u8 = 0xD3;
/// First reserved tag.
pub const RESERVED: u8 = 0xD4;
/// Last reserved tag.
pub const RESERVED_LAST: u8 = 0xDE;
/// First byte of the signature.
pub const SIGNATURE_TAG: u8 = 0xDF;
/// First tag of the ints -32…-1, each its own tag.
pub const INT_INLINE_NEG: u8 = 0xE0;

/// The kinds of columns: the high four bits of a column's first byte (COL-5).
pub(crate) mod column {
    /// Values of the plain layer.
    pub(crate) const PLAIN: u8 = 0;
    /// Nulls, or what may be missing: see [`NULLS`] and its neighbours.
    pub(crate) const NULL: u8 = 1;
    pub(crate) const BOOL: u8 = 2;
    pub(crate) const INT: u8 = 3;
    pub(crate) const DIFFERENCES: u8 = 4;
    pub(crate) const FLOAT: u8 = 5;
    pub(crate) const DECIMAL: u8 = 6;
    pub(crate) const STRING: u8 = 7;
    pub(crate) const BYTES: u8 = 8;
    pub(crate) const DICTIONARY: u8 = 9;
    pub(crate) const LISTS: u8 = 10;
    pub(crate) const SAME_LENGTH: u8 = 11;
    pub(crate) const MAPS: u8 = 12;
    pub(crate) const TABLE: u8 = 13;
    pub(crate) const UNION: u8 = 14;
    pub(crate) const EXT: u8 = 15;

    /// Low bits of `NULL`: nothing but nulls.
    pub(crate) const NULLS: u8 = 0;
    /// Low bits of `NULL`: a field that rows may lack.
    pub(crate) const SPARSE: u8 = 1;
    /// Low bits of `NULL`: values, some of them null.
    pub(crate) const NULLABLE: u8 = 2;
    /// Low bits of `FLOAT`: binary64.
    pub(crate) const BINARY64: u8 = 0;
    /// Low bits of `FLOAT`: binary32.
    pub(crate) const BINARY32: u8 = 1;
    /// Low bits of `SAME_LENGTH`: one column of all the items.
    pub(crate) const ITEMS: u8 = 0;
    /// Low bits of `SAME_LENGTH`: a column for each place in the lists.
    pub(crate) const TUPLES: u8 = 1;

    /// The bits that a width code stands for (COL-8).
    pub(crate) const WIDTHS: [u8; 16] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 40, 48, 56, 64];
    /// Longest key of a table, in bytes.
    pub(crate) const KEY_MAX: usize = 64;
    /// Most variants of a union.
    pub(crate) const VARIANTS_MAX: usize = 16;
    /// Largest exponent of a decimal column.
    pub(crate) const EXPONENT_MAX: u8 = 22;
    /// What an element weighs: the bytes that a value takes in memory.
    pub(crate) const ELEMENT_WEIGHT: u64 = 32;
    /// The most that a list or map by columns may weigh for each of its bytes.
    pub(crate) const WEIGHT_PER_BYTE: u64 = 312;
    /// Most columns of a list or map.
    pub(crate) const COLUMNS_MAX: u64 = 4096;
    /// How many times its own size a dictionary may expand text and bytes.
    pub(crate) const EXPANSION_MAX: u64 = 64;
}

/// The version of the format that this crate writes and reads.
pub const VERSION: u8 = 1;
/// The signature that may stand once, before a whole document (SIG-1).
pub const SIGNATURE: [u8; 4] = [SIGNATURE_TAG, 0x57, 0x42, VERSION];

/// The ext type of a timestamp.
pub const EXT_TIMESTAMP: u64 = 0;
/// The ext type of a UUID.
pub const EXT_UUID: u64 = 1;
/// The ext type of a big integer.
pub const EXT_BIG_INT: u64 = 2;
/// The ext type of a decimal.
pub const EXT_DECIMAL: u64 = 3;
/// The first ext type that applications may use as they like.
pub const EXT_APPLICATION: u64 = 64;

/// What a tag byte stands for: one row of SPEC.md's tag table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Class {
    /// `00–3F`: an int that is its own tag.
    IntInlinePos,
    /// `40–7F`: a string of 0…63 bytes.
    StrInline,
    /// `80–8F`: a list of 0…15 items.
    ListInline,
    /// `90–9F`: a map of 0…15 entries.
    MapInline,
    /// `A0–A7`: an int ≥ 0 in 1…8 bytes.
    IntPos,
    /// `A8–AF`: a negative int in 1…8 bytes.
    IntNeg,
    /// `B0–B5`: a short decimal float.
    Decimal,
    /// `B6`: a binary32 float.
    Float32,
    /// `B7`: a binary64 float.
    Float64,
    /// `B8`: null.
    Null,
    /// `B9`: false.
    False,
    /// `BA`: true.
    True,
    /// `BB`: some.
    Some,
    /// `BC`: an int ≥ 0 in 16 bytes.
    IntPos16,
    /// `BD`: a negative int in 16 bytes.
    IntNeg16,
    /// `BE`: the end of an open list or map.
    End,
    /// `BF`: an extension.
    Ext,
    /// `C0–C3`: a string with its length in 1, 2, 4 or 8 bytes.
    Str,
    /// `C4–C7`: bytes with their length in 1, 2, 4 or 8 bytes.
    Bytes,
    /// `C8–CB`: a list with its count in 1, 2, 4 or 8 bytes.
    List,
    /// `CC–CF`: a map with its count in 1, 2, 4 or 8 bytes.
    Map,
    /// `D0`: an open list.
    ListOpen,
    /// `D1`: an open map.
    MapOpen,
    /// `D2`: a list in columns.
    ListColumns,
    /// `D3`: a map in columns.
    MapColumns,
    /// `D4–DE`: reserved.
    Reserved,
    /// `DF`: the first byte of the signature.
    Signature,
    /// `E0–FF`: an int -32…-1 that is its own tag.
    IntInlineNeg,
}

impl Class {
    /// The class of a tag byte (TAG-1).
    ///
    /// ```
    /// use wbin::tag::Class;
    /// assert_eq!(Class::of(0x05), Class::IntInlinePos);
    /// assert_eq!(Class::of(0xD4), Class::Reserved);
    /// ```
    #[inline]
    pub const fn of(tag: u8) -> Class {
        match tag {
            0x00..=INT_INLINE_MAX => Class::IntInlinePos,
            STR_INLINE..=STR_INLINE_LAST => Class::StrInline,
            LIST_INLINE..=LIST_INLINE_LAST => Class::ListInline,
            MAP_INLINE..=MAP_INLINE_LAST => Class::MapInline,
            INT_POS..=INT_POS_LAST => Class::IntPos,
            INT_NEG..=INT_NEG_LAST => Class::IntNeg,
            DECIMAL..=DECIMAL_LAST => Class::Decimal,
            FLOAT32 => Class::Float32,
            FLOAT64 => Class::Float64,
            NULL => Class::Null,
            FALSE => Class::False,
            TRUE => Class::True,
            SOME => Class::Some,
            INT_POS_16 => Class::IntPos16,
            INT_NEG_16 => Class::IntNeg16,
            END => Class::End,
            EXT => Class::Ext,
            STR..=STR_LAST => Class::Str,
            BYTES..=BYTES_LAST => Class::Bytes,
            LIST..=LIST_LAST => Class::List,
            MAP..=MAP_LAST => Class::Map,
            LIST_OPEN => Class::ListOpen,
            MAP_OPEN => Class::MapOpen,
            LIST_COLUMNS => Class::ListColumns,
            MAP_COLUMNS => Class::MapColumns,
            RESERVED..=RESERVED_LAST => Class::Reserved,
            SIGNATURE_TAG => Class::Signature,
            INT_INLINE_NEG..=0xFF => Class::IntInlineNeg,
        }
    }

    /// The name of this class in SPEC.md's tag table.
    ///
    /// ```
    /// use wbin::tag::Class;
    /// assert_eq!(Class::of(0xB8).name(), "null");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Class::IntInlinePos => "int-inline-pos",
            Class::StrInline => "str-inline",
            Class::ListInline => "list-inline",
            Class::MapInline => "map-inline",
            Class::IntPos => "int-pos",
            Class::IntNeg => "int-neg",
            Class::Decimal => "decimal",
            Class::Float32 => "float32",
            Class::Float64 => "float64",
            Class::Null => "null",
            Class::False => "false",
            Class::True => "true",
            Class::Some => "some",
            Class::IntPos16 => "int-pos-16",
            Class::IntNeg16 => "int-neg-16",
            Class::End => "end",
            Class::Ext => "ext",
            Class::Str => "str",
            Class::Bytes => "bytes",
            Class::List => "list",
            Class::Map => "map",
            Class::ListOpen => "list-open",
            Class::MapOpen => "map-open",
            Class::ListColumns => "list-columns",
            Class::MapColumns => "map-columns",
            Class::Reserved => "reserved",
            Class::Signature => "signature",
            Class::IntInlineNeg => "int-inline-neg",
        }
    }
}
