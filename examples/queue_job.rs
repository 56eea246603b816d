//! A job queue: a producer puts a job in, a broker passes it on without looking into what it carries, a
//! worker takes it out.
//!
//! ```text
//! cargo run --example queue_job
//! ```

use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};
use wbin::{RawValue, Value, wbin};

/// The envelope. The broker knows this much, and nothing of the arguments and the payload.
#[derive(Serialize, Deserialize, Debug)]
struct Job<'a> {
    #[serde(with = "wbin::with::uuid")]
    id: [u8; 16],
    task: &'a str,
    /// Whatever the task takes: any value, in the order in which it was given.
    #[serde(borrow)]
    arguments: Value<'a>,
    #[serde(with = "wbin::with::timestamp")]
    created: SystemTime,
    /// Producers of the first version did not write it.
    #[serde(default)]
    retries: Retries,
    /// Checked when it is read, and otherwise left as it is: it may be large.
    #[serde(borrow)]
    payload: RawValue<'a>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Retries {
    done: u32,
    most: u32,
    #[serde(with = "wbin::with::duration")]
    pause: Duration,
}

impl Default for Retries {
    fn default() -> Retries {
        Retries { done: 0, most: 3, pause: Duration::from_millis(1500) }
    }
}

/// What the payload of a `resize` job is. Only the worker has this type.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Picture {
    name: String,
    width: u32,
    height: u32,
    #[serde(with = "as_bytes")]
    pixels: Vec<u8>,
}

/// `Vec<u8>` is a list of ints to serde; this writes it as bytes, which take one byte each.
mod as_bytes {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    /// A `Vec<u8>` reads from bytes as well as from a list.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Vec::deserialize(deserializer)
    }
}

fn produce(picture: &Picture) -> wbin::Result<Vec<u8>> {
    let payload = wbin::to_vec(picture)?;
    let job = Job {
        id: *b"\x01\x93\x7f\x2e\x10\x00\x70\x00\x80\x00\x00\x00\x00\x00\x00\x2a",
        task: "resize",
        arguments: wbin!({"width": 640, "sharpen": 0.25, "format": "webp"}),
        created: SystemTime::UNIX_EPOCH + Duration::from_millis(1_796_083_200_250),
        retries: Retries::default(),
        payload: RawValue::from_slice(&payload)?,
    };
    wbin::to_vec(&job)
}

/// Counts an attempt. The payload goes from the old bytes to the new ones undecoded.
fn count_attempt(job: &[u8]) -> wbin::Result<Vec<u8>> {
    let mut job: Job = wbin::from_slice(job)?;
    job.retries.done += 1;
    wbin::to_vec(&job)
}

fn main() -> wbin::Result<()> {
    let picture = Picture { name: "harbour.png".into(), width: 16, height: 16, pixels: vec![0x7F; 256] };
    let queued = produce(&picture)?;
    println!("queued, {} bytes: {}", queued.len(), short(&queued)?);

    let retried = count_attempt(&queued)?;
    let (before, after): (Job, Job) = (wbin::from_slice(&queued)?, wbin::from_slice(&retried)?);
    assert_eq!((before.retries.done, after.retries.done), (0, 1));
    assert_eq!(before.payload.as_bytes(), after.payload.as_bytes());
    println!("passed on, {} bytes, {} of them payload", retried.len(), after.payload.as_bytes().len());

    // The worker.
    let job: Job = wbin::from_slice(&retried)?;
    assert_eq!(job.task, "resize");
    let received: Picture = job.payload.decode()?;
    assert_eq!(received, picture);
    let width = job.arguments["width"].as_u64();
    println!("worker: {} to a width of {}", received.name, width.unwrap_or_default());
    assert_eq!(width, Some(640));

    // A job that says less gets the defaults; one that is wrong says where.
    let first_version = wbin!({
        "id": Value::from(wbin::Ext::new(1, Value::from(&[0; 16][..]))),
        "task": "resize",
        "arguments": {},
        "created": Value::from(wbin::Ext::new(0, 1_700_000_000)),
        "payload": null
    })
    .to_vec()?;
    assert_eq!(wbin::from_slice::<Job>(&first_version)?.retries, Retries::default());
    let wrong = wbin!({"task": "resize", "retries": {"done": 0, "most": "three", "pause": 1}}).to_vec()?;
    let error = wbin::from_slice::<Job>(&wrong).expect_err("a text where a number should be");
    println!("refused: {error}");
    assert_eq!((error.name(), error.path().as_deref()), ("invalid-type", Some(".retries.most")));
    Ok(())
}

/// The notation of a document, with the long bytes cut.
fn short(document: &[u8]) -> wbin::Result<String> {
    Ok(wbin::diag::to_string(document)?.replace(&"7f".repeat(256), "7f…"))
}
