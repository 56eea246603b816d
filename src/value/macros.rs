//! The `wbin!` literals.

/// Makes a [`Value`](crate::Value) from a literal that looks like JSON.
///
/// Keys and values are literals, expressions of types that convert into a value, or nested lists and
/// maps; a key that is more than one token, or a name, stands in parentheses if it is followed by a
/// path. A trailing comma is allowed. Of a key that occurs twice the last value counts.
///
/// ```
/// use wbin::wbin;
/// let id = 7_u64;
/// let value = wbin!({
///     "id": id,
///     "parts": [1, -2.5, null, true, "text", [], {}],
///     3: "a key need not be text",
///     (id + 1): id * 2,
/// });
/// assert_eq!(value["parts"][1], -2.5);
/// assert_eq!(value.to_string(), r#"{"id": 7, "parts": [1, -2.5, null, true, "text", [], {}], 3: "a key need not be text", 8: 14}"#);
/// ```
#[macro_export]
macro_rules! wbin {
    // Items of a list: what is done, then what is left.
    (@list [$($done:expr,)*]) => { $crate::__private::list([$($done,)*]) };
    (@list [$($done:expr,)*] null $(, $($rest:tt)*)?) => {
        $crate::wbin!(@list [$($done,)* $crate::Value::Null,] $($($rest)*)?)
    };
    (@list [$($done:expr,)*] [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::wbin!(@list [$($done,)* $crate::wbin!([$($inner)*]),] $($($rest)*)?)
    };
    (@list [$($done:expr,)*] {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::wbin!(@list [$($done,)* $crate::wbin!({$($inner)*}),] $($($rest)*)?)
    };
    (@list [$($done:expr,)*] $item:expr $(, $($rest:tt)*)?) => {
        $crate::wbin!(@list [$($done,)* $crate::Value::from($item),] $($($rest)*)?)
    };

    // Entries of a map: what is done, then what is left.
    (@map [$($done:expr,)*]) => { $crate::__private::map([$($done,)*]) };
    (@map [$($done:expr,)*] - $key:literal : $($rest:tt)*) => {
        $crate::wbin!(@entry [$($done,)*] ($crate::Value::from(-$key)) $($rest)*)
    };
    (@map [$($done:expr,)*] null : $($rest:tt)*) => {
        $crate::wbin!(@entry [$($done,)*] ($crate::Value::Null) $($rest)*)
    };
    (@map [$($done:expr,)*] [$($key:tt)*] : $($rest:tt)*) => {
        $crate::wbin!(@entry [$($done,)*] ($crate::wbin!([$($key)*])) $($rest)*)
    };
    (@map [$($done:expr,)*] {$($key:tt)*} : $($rest:tt)*) => {
        $crate::wbin!(@entry [$($done,)*] ($crate::wbin!({$($key)*})) $($rest)*)
    };
    (@map [$($done:expr,)*] $key:tt : $($rest:tt)*) => {
        $crate::wbin!(@entry [$($done,)*] ($crate::Value::from($key)) $($rest)*)
    };
    (@entry [$($done:expr,)*] ($key:expr) null $(, $($rest:tt)*)?) => {
        $crate::wbin!(@map [$($done,)* ($key, $crate::Value::Null),] $($($rest)*)?)
    };
    (@entry [$($done:expr,)*] ($key:expr) [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::wbin!(@map [$($done,)* ($key, $crate::wbin!([$($inner)*])),] $($($rest)*)?)
    };
    (@entry [$($done:expr,)*] ($key:expr) {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::wbin!(@map [$($done,)* ($key, $crate::wbin!({$($inner)*})),] $($($rest)*)?)
    };
    (@entry [$($done:expr,)*] ($key:expr) $value:expr $(, $($rest:tt)*)?) => {
        $crate::wbin!(@map [$($done,)* ($key, $crate::Value::from($value)),] $($($rest)*)?)
    };

    (null) => { $crate::Value::Null };
    ([$($items:tt)*]) => { $crate::wbin!(@list [] $($items)*) };
    ({$($entries:tt)*}) => { $crate::wbin!(@map [] $($entries)*) };
    ($value:expr) => { $crate::Value::from($value) };
}
