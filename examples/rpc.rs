//! Remote procedure calls: messages are enums, and a connection is one value after the other.
//!
//! ```text
//! cargo run --example rpc
//! ```

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use wbin::Category;

/// What a client sends. On the wire a call is `{"id": 1, "method": {"Set": {…}}}`: variants by name, so
/// that either side may learn new ones or reorder them.
#[derive(Serialize, Deserialize, Debug)]
struct Call {
    id: u32,
    method: Method,
}

#[derive(Serialize, Deserialize, Debug)]
enum Method {
    Set { sensor: String, limit: Option<f64> },
    Get(String),
    List,
}

/// What the server answers.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Reply {
    id: u32,
    result: Result<Answer, Refusal>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Answer {
    Done,
    /// None: there is no such sensor. Some(None): it has no limit. Options in options stay apart.
    Limit(Option<Option<f64>>),
    Sensors(Vec<String>),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Refusal {
    name: String,
    message: String,
}

#[derive(Default)]
struct Server {
    limits: BTreeMap<String, Option<f64>>,
}

impl Server {
    fn answer(&mut self, method: Method) -> Result<Answer, Refusal> {
        match method {
            Method::Set { limit: Some(limit), .. } if !limit.is_finite() => {
                Err(Refusal { name: "limit".into(), message: format!("{limit} is no limit") })
            }
            Method::Set { sensor, limit } => {
                self.limits.insert(sensor, limit);
                Ok(Answer::Done)
            }
            Method::Get(sensor) => Ok(Answer::Limit(self.limits.get(&sensor).copied())),
            Method::List => Ok(Answer::Sensors(self.limits.keys().cloned().collect())),
        }
    }

    /// Answers until the connection ends. A call of a kind that this server does not know is answered, too:
    /// its bytes are fine, so the next one begins behind it. (Clients number their calls from 1.)
    fn serve(&mut self, calls: impl Read, mut replies: impl Write) -> wbin::Result<()> {
        for (number, call) in (1..).zip(wbin::iter_reader::<_, Call>(calls)) {
            let reply = match call {
                Ok(Call { id, method }) => Reply { id, result: self.answer(method) },
                Err(error) if error.category() == Category::Data => {
                    let refusal = Refusal { name: error.name().into(), message: error.to_string() };
                    Reply { id: number, result: Err(refusal) }
                }
                Err(error) => return Err(error),
            };
            wbin::to_writer(&mut replies, &reply)?;
        }
        Ok(())
    }
}

fn main() -> wbin::Result<()> {
    // What a client writes into its socket. (Over a real one the server would read through a `BufReader`.)
    let mut calls = Vec::new();
    let methods = [
        Method::Set { sensor: "boiler".into(), limit: Some(92.5) },
        Method::Set { sensor: "attic".into(), limit: None },
        Method::Set { sensor: "cellar".into(), limit: Some(f64::NAN) },
        Method::Get("boiler".into()),
        Method::Get("attic".into()),
        Method::Get("cellar".into()),
        Method::List,
    ];
    for (id, method) in (1..).zip(methods) {
        wbin::to_writer(&mut calls, &Call { id, method })?;
    }
    // A newer client calls what this server does not have.
    calls.extend(wbin::wbin!({"id": 8, "method": {"Forget": "boiler"}}).to_vec()?);

    let mut replies = Vec::new();
    let mut server = Server::default();
    server.serve(&calls[..], &mut replies)?;
    println!("{} bytes of calls, {} bytes of replies", calls.len(), replies.len());

    let mut results = Vec::new();
    for reply in wbin::iter::<Reply>(&replies) {
        let reply = reply?;
        println!("{}: {:?}", reply.id, reply.result);
        results.push(reply.result);
    }
    assert_eq!(results[..2], [Ok(Answer::Done), Ok(Answer::Done)]);
    assert_eq!(results[2].as_ref().map_err(|refusal| &*refusal.name), Err("limit"));
    let limits = [Some(Some(92.5)), Some(None), None].map(|limit| Ok(Answer::Limit(limit)));
    assert_eq!(results[3..6], limits);
    assert_eq!(results[6], Ok(Answer::Sensors(vec!["attic".into(), "boiler".into()])));
    assert_eq!(results[7].as_ref().map_err(|refusal| &*refusal.name), Err("unknown-variant"));

    // A connection that breaks inside of a call is not one that ended.
    let broken = &calls[..calls.len() - 1];
    let error = server.serve(broken, &mut Vec::new()).expect_err("the last call is cut");
    println!("broken: {error}");
    assert_eq!(error.category(), Category::Truncated);
    Ok(())
}
