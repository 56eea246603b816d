//! A progress bar on the standard error, for work that takes more than a moment.

use crate::args::Common;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// One stretch of work. The bar goes away when this is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    watch: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Work on so many bytes, if that is known.
    pub(crate) fn start(what: &'static str, total: Option<u64>, common: &Common) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let watch =
            (!common.quiet && std::io::stderr().is_terminal()).then(|| watch(bar.clone(), what, total));
        Progress { bar, watch }
    }

    /// Work of which nothing is shown.
    pub(crate) fn none() -> Progress {
        Progress { bar: ProgressBar::hidden(), watch: None }
    }

    /// How many bytes are done.
    pub(crate) fn reached(&self, bytes: u64) {
        if self.watch.is_some() {
            self.bar.set_position(bytes);
        }
    }
}

/// Waits a moment on a thread of its own, since the work may be one long call, then shows the bar.
fn watch(bar: ProgressBar, what: &'static str, total: Option<u64>) -> (Sender<()>, JoinHandle<()>) {
    let (done, wait) = channel();
    let thread = std::thread::spawn(move || {
        if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let template = match total {
            Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes}",
            None => "{spinner} {msg} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what);
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.enable_steady_tick(Duration::from_millis(100));
    });
    (done, thread)
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.watch.take() {
            drop(done);
            // The thread only draws; if it failed, there is nothing to clear.
            let _ = thread.join();
            self.bar.finish_and_clear();
        }
    }
}
