//! Modules for `#[serde(with = "…")]`: foreign types as the format's extensions.

/// Points in time as ext 0: for `SystemTime`, and for types that convert from and to it, as those of
/// the usual time crates do (EXT-6).
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use std::time::{Duration, SystemTime};
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Event {
///     #[serde(with = "wbin::with::timestamp")]
///     at: SystemTime,
/// }
/// let event = Event { at: SystemTime::UNIX_EPOCH + Duration::from_millis(1500) };
/// let bytes = wbin::to_vec(&event).unwrap();
/// assert_eq!(wbin::diag::to_string(&bytes).unwrap(), r#"{"at": ext(0, [1, 500000000])}"#);
/// assert_eq!(wbin::from_slice::<Event>(&bytes).unwrap(), event);
/// ```
#[cfg(feature = "std")]
pub mod timestamp {
    use crate::ext::Timestamp;
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
    use std::time::SystemTime;

    /// Writes a point in time.
    ///
    /// # Errors
    ///
    /// If it lies more than 2^63 seconds from 1970.
    pub fn serialize<T: Clone + Into<SystemTime>, S: Serializer>(
        time: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let time: SystemTime = time.clone().into();
        from_system(time)
            .ok_or_else(|| ser::Error::custom("a time that is too far from 1970"))?
            .serialize(serializer)
    }

    fn from_system(time: SystemTime) -> Option<Timestamp> {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => Timestamp::new(i64::try_from(after.as_secs()).ok()?, after.subsec_nanos()),
            Err(error) => {
                // Rounded down, so that the nanoseconds count forward.
                let before = error.duration();
                let seconds = 0_i64.checked_sub_unsigned(before.as_secs())?;
                match before.subsec_nanos() {
                    0 => Timestamp::new(seconds, 0),
                    nanos => Timestamp::new(seconds.checked_sub(1)?, 1_000_000_000 - nanos),
                }
            }
        }
    }

    /// Reads a point in time.
    ///
    /// # Errors
    ///
    /// If the value is no ext 0, or the type does not reach so far.
    pub fn deserialize<'de, T: TryFrom<SystemTime>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let time = Timestamp::deserialize(deserializer)?;
        let nanos = Duration::from_nanos(u64::from(time.nanos()));
        let seconds = Duration::from_secs(time.seconds().unsigned_abs());
        let system = match time.seconds() < 0 {
            true => SystemTime::UNIX_EPOCH.checked_sub(seconds),
            false => SystemTime::UNIX_EPOCH.checked_add(seconds),
        };
        let system = system.and_then(|system| system.checked_add(nanos));
        system
            .and_then(|system| T::try_from(system).ok())
            .ok_or_else(|| de::Error::custom("a time that the type does not reach"))
    }
}

/// Spans of time as seconds, or a list of seconds and nanoseconds: for `Duration` (SRD-11).
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
/// #[derive(Serialize, Deserialize)]
/// struct Retry {
///     #[serde(with = "wbin::with::duration")]
///     after: Duration,
/// }
/// let bytes = wbin::to_vec(&Retry { after: Duration::from_secs(30) }).unwrap();
/// assert_eq!(wbin::diag::to_string(&bytes).unwrap(), r#"{"after": 30}"#);
/// assert_eq!(wbin::from_slice::<Retry>(&bytes).unwrap().after, Duration::from_secs(30));
/// ```
pub mod duration {
    use crate::serde::tagged::Seconds;
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes a span of time.
    ///
    /// # Errors
    ///
    /// None of its own.
    pub fn serialize<S: Serializer>(span: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        Seconds { seconds: span.as_secs(), nanos: span.subsec_nanos() }.serialize(serializer)
    }

    /// Reads a span of time.
    ///
    /// # Errors
    ///
    /// If the value is neither seconds nor a list of seconds and nanoseconds below a billion.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let span: Seconds<u64> = Seconds::deserialize(deserializer)?;
        Ok(Duration::new(span.seconds, span.nanos))
    }
}

/// UUIDs as ext 1: for types that are made of 16 bytes, as those of the usual UUID crate are (EXT-7).
///
/// ```
/// use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Job {
///     #[serde(with = "wbin::with::uuid")]
///     id: [u8; 16],
/// }
/// let job = Job { id: [7; 16] };
/// let bytes = wbin::to_vec(&job).unwrap();
/// assert_eq!(bytes.len(), 24);
/// assert_eq!(wbin::from_slice::<Job>(&bytes).unwrap(), job);
/// ```
pub mod uuid {
    use crate::ext::Uuid;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

    /// Writes 16 bytes.
    ///
    /// # Errors
    ///
    /// If the type has not 16 bytes.
    pub fn serialize<T: AsRef<[u8]>, S: Serializer>(uuid: &T, serializer: S) -> Result<S::Ok, S::Error> {
        match uuid.as_ref().try_into() {
            Ok(bytes) => Uuid(bytes).serialize(serializer),
            Err(_) => Err(ser::Error::custom("a UUID that is not made of 16 bytes")),
        }
    }

    /// Reads 16 bytes.
    ///
    /// # Errors
    ///
    /// If the value is no ext 1 of 16 bytes.
    pub fn deserialize<'de, T: TryFrom<alloc::vec::Vec<u8>>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let uuid = Uuid::deserialize(deserializer)?;
        T::try_from(uuid.0.to_vec()).map_err(|_| de::Error::custom("a UUID that the type refuses"))
    }
}

/// Values that own what they hold: for [`Value<'static>`](crate::Value) and
/// [`RawValue<'static>`](crate::RawValue) in types that are read from a reader.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize)]
/// struct Job {
///     id: u32,
///     #[serde(with = "wbin::with::owned")]
///     arguments: wbin::Value<'static>,
/// }
/// let job = Job { id: 7, arguments: wbin::wbin!(["a", 1]) };
/// let bytes = wbin::to_vec(&job).unwrap();
/// # #[cfg(feature = "std")] {
/// let back: Job = wbin::from_reader(&bytes[..]).unwrap();
/// assert_eq!(back.arguments, job.arguments);
/// # }
/// ```
pub mod owned {
    use crate::{RawValue, Value};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// A type that may borrow, without a borrow.
    pub trait Owned: Serialize + Sized {
        /// The type as it is read.
        type Borrowed<'de>: Deserialize<'de>;

        /// Copies what is borrowed.
        fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self;
    }

    impl Owned for Value<'static> {
        type Borrowed<'de> = Value<'de>;

        fn from_borrowed(borrowed: Value<'_>) -> Self {
            borrowed.into_owned()
        }
    }

    impl Owned for RawValue<'static> {
        type Borrowed<'de> = RawValue<'de>;

        fn from_borrowed(borrowed: RawValue<'_>) -> Self {
            borrowed.into_owned()
        }
    }

    /// Writes the value.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<T: Owned, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    pub fn deserialize<'de, T: Owned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::Borrowed::deserialize(deserializer).map(T::from_borrowed)
    }
}
