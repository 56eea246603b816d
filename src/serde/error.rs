//! serde's ways to make an error.

use crate::error::{Code, Error};
use alloc::string::{String, ToString};
use core::fmt::{self, Display, Write};
use serde::de::{Expected, Unexpected};

const NOWHERE: usize = usize::MAX;

impl serde::ser::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        Error::nowhere(Code::Custom, printed(&message).unwrap_or_default())
    }
}

impl serde::de::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        Error::nowhere(Code::Custom, printed(&message).unwrap_or_default())
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        let (found, expected) = (found.to_string(), expected.to_string());
        Error::expected_found(Code::InvalidType, NOWHERE, "invalid type", found, expected)
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        let (found, expected) = (found.to_string(), expected.to_string());
        Error::expected_found(Code::InvalidValue, NOWHERE, "invalid value", found, expected)
    }

    #[cold]
    fn invalid_length(found: usize, expected: &dyn Expected) -> Error {
        let (found, expected) = (found.to_string(), expected.to_string());
        Error::expected_found(Code::InvalidLength, NOWHERE, "invalid length", found, expected)
    }

    #[cold]
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Error {
        let found = alloc::format!("`{variant}`");
        Error::expected_found(Code::UnknownVariant, NOWHERE, "unknown variant", found, one_of(expected))
    }

    #[cold]
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Error {
        let found = alloc::format!("`{field}`");
        Error::expected_found(Code::UnknownField, NOWHERE, "unknown field", found, one_of(expected))
    }

    #[cold]
    fn missing_field(field: &'static str) -> Error {
        Error::nowhere(Code::MissingField, alloc::format!("missing field `{field}`"))
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Error {
        Error::nowhere(Code::DuplicateField, alloc::format!("duplicate field `{field}`"))
    }
}

fn one_of(names: &[&str]) -> alloc::string::String {
    match names {
        [] => "none".to_string(),
        [only] => alloc::format!("`{only}`"),
        _ => {
            let quoted: alloc::vec::Vec<_> = names.iter().map(|name| alloc::format!("`{name}`")).collect();
            alloc::format!("one of {}", quoted.join(", "))
        }
    }
}

/// What a value prints, unless it says that it cannot: `to_string` would panic.
pub(super) fn printed<T: Display + ?Sized>(value: &T) -> core::result::Result<String, fmt::Error> {
    let mut text = String::new();
    write!(text, "{value}").map(|()| text)
}

/// The error of a type whose text cannot be printed.
#[cold]
pub(super) fn unprintable(_: fmt::Error) -> Error {
    Error::nowhere(Code::Custom, "a text that cannot be printed")
}
