//! Long calls: the interpreter is released, signals are checked for, and progress is reported.

use crate::errors;
use bgcn_core::Error;
use bgcn_core::posterior::{Phase, Progress, Watch};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Time between two checks for signals and progress.
const INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` on `threads` threads (0: one per core) while Python goes on. `watch` is called with phase, done and
/// total, not for every step; if it returns False or raises, the work stops, as it does after Ctrl-C.
pub fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    watch: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (latest, stop) = (Mutex::new(None), AtomicBool::new(false));
    let newest = || latest.lock().expect("no thread panics while it holds the lock").take();
    let watched = watch.is_some();
    let report = |progress: Progress| {
        if watched {
            *latest.lock().expect("as above") = Some(progress);
        }
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (end, mut ended) = channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // A panic is a bug of the library and becomes an exception; what it left half done is not used again.
            let done = catch_unwind(AssertUnwindSafe(|| bgcn_core::on_threads(threads, || work(&report)).flatten()));
            let _ = end.send(done);
        });
        let mut raised = None;
        loop {
            // A receiver belongs to one thread, and may be borrowed by another.
            let borrowed = &mut ended;
            let done = py.detach(move || borrowed.recv_timeout(INTERVAL));
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| call(watch, newest())).err();
                stop.store(raised.is_some(), Ordering::Relaxed);
            }
            match (raised.take(), done) {
                (waiting, Err(RecvTimeoutError::Timeout)) => raised = waiting,
                (Some(error), _) => return Err(error),
                (None, Ok(Ok(done))) => return done.map_err(errors::of),
                (None, Ok(Err(panic))) => return Err(errors::of_panic(&*panic)),
                (None, Err(RecvTimeoutError::Disconnected)) => unreachable!("it sends before it ends"),
            }
        }
    })
}

/// Calls `watch`; False from it stops the work.
fn call(watch: Option<&Bound<'_, PyAny>>, latest: Option<Progress>) -> PyResult<()> {
    let (Some(watch), Some(Progress { phase, done, total })) = (watch, latest) else { return Ok(()) };
    let phase = match phase {
        Phase::Pretraining => "pretraining",
        Phase::Inference => "inference",
        Phase::Draws => "draws",
        Phase::Decoys => "decoys",
    };
    let answer = watch.call1((phase, done, total))?;
    match answer.is_none() || answer.is_truthy()? {
        true => Ok(()),
        false => Err(PyStopIteration::new_err("the fit was stopped by its callback")),
    }
}
