//! The figures of a record as lines of comma-separated values: what charts are drawn of, and records compared by.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::codecs::Class;

/// One codec and one workload; the names are those of the columns. What is not there was not measured. Records that are
/// older than a column do not have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub workload: String,
    pub codec: String,
    pub bytes: u64,
    pub encode_ns: f64,
    pub decode_ns: f64,
    pub own_decode_ns: Option<f64>,
    pub own_encode_ns: Option<f64>,
    pub clone_drop_ns: Option<f64>,
    pub copy_ns: Option<f64>,
    pub copy_fresh_ns: Option<f64>,
    pub class: Class,
    pub borrowed_ns: Option<f64>,
    pub skip_ns: Option<f64>,
    pub gzip_bytes: Option<u64>,
    pub zstd_bytes: Option<u64>,
    #[serde(default)]
    pub encode_peak: Option<u64>,
    #[serde(default)]
    pub decode_peak: Option<u64>,
    #[serde(default)]
    pub encode_instructions: Option<u64>,
    #[serde(default)]
    pub decode_instructions: Option<u64>,
}

impl Figures {
    /// With sizes and times of whole values alone.
    pub fn new(workload: &str, codec: &str, class: Class, bytes: u64, [encode, decode]: [f64; 2]) -> Figures {
        Figures {
            workload: workload.to_owned(),
            codec: codec.to_owned(),
            bytes,
            encode_ns: tenths(encode),
            decode_ns: tenths(decode),
            own_decode_ns: None,
            own_encode_ns: None,
            clone_drop_ns: None,
            copy_ns: None,
            copy_fresh_ns: None,
            class,
            borrowed_ns: None,
            skip_ns: None,
            gzip_bytes: None,
            zstd_bytes: None,
            encode_peak: None,
            decode_peak: None,
            encode_instructions: None,
            decode_instructions: None,
        }
    }
}

/// No clock tells more.
pub fn tenths(time: f64) -> f64 {
    (time * 10.0).round() / 10.0
}

/// A record as text.
pub fn write(figures: &[Figures]) -> Result<String, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    figures.iter().try_for_each(|line| writer.serialize(line)).map_err(|error| error.to_string())?;
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// The figures of a record.
pub fn read(path: &Path) -> Result<Vec<Figures>, String> {
    let fail = |error: csv::Error| format!("{}: {error}", path.display());
    csv::Reader::from_path(path).map_err(fail)?.into_deserialize().collect::<Result<_, _>>().map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let short = Figures::new("S0", "b, c", Class::Names, 7, [0.25, 1_234.56]);
        let long = Figures {
            skip_ns: Some(3.0),
            encode_peak: Some(9),
            decode_instructions: Some(8),
            ..short.clone()
        };
        let text = write(&[short.clone(), long.clone()]).unwrap();
        assert!(text.contains("S0,\"b, c\",7,0.3,1234.6,,,,,,names,,,,,,,,\n"), "{text}");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        assert_eq!(read(file.path()).unwrap(), [short, long]);
    }

    #[test]
    fn old_records_are_read() {
        let text = "workload,codec,bytes,encode_ns,decode_ns,own_decode_ns,own_encode_ns,clone_drop_ns,copy_ns,copy_fresh_ns,\
                    class,borrowed_ns,skip_ns,gzip_bytes,zstd_bytes\n\
                    logs,wbin,591574,2071030.0,2513077.0,,,1338214.0,15951.4,15829.8,subject,1023943.0,28398.4,187106,193410\n";
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let [wbin] = &read(file.path()).unwrap()[..] else { panic!("one line") };
        assert_eq!((wbin.bytes, wbin.class, wbin.zstd_bytes), (591_574, Class::Subject, Some(193_410)));
        assert_eq!((wbin.own_decode_ns, wbin.encode_peak, wbin.decode_instructions), (None, None, None));
    }
}
