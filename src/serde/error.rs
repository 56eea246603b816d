//! serde's ways to make an error.

use crate::error::{Code, Error};
use alloc::string::ToString;
use core::fmt::Display;
use serde::de::{Expected, Unexpected};

const NOWHERE: usize = usize::MAX;

impl serde::ser::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        Error::nowhere(Code::Custom, message.to_string())
    }
}

impl serde::de::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        Error::nowhere(Code::Custom, message.to_string())
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
