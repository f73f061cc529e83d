//! The one way into long calls: the interpreter is released, signals are looked for, and progress is reported.

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

/// How long the interpreter waits before it looks for signals and reports progress.
const GLANCE: Duration = Duration::from_millis(20);

/// Runs `work` on `threads` threads (0: one per core) while Python goes on. `told` is called with phase, done and total,
/// not for every step; if it returns False or raises, the work stops, as it does after Ctrl-C.
pub fn through<T: Send>(
    py: Python<'_>,
    threads: usize,
    told: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (news, stop) = (Mutex::new(None), AtomicBool::new(false));
    let newest = || news.lock().expect("no thread panics while it holds the news").take();
    let listened = told.is_some();
    let watch = |progress: Progress| {
        if listened {
            *news.lock().expect("as above") = Some(progress);
        }
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (end, mut ended) = channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // A panic is a fault of ours and becomes an exception; nothing that it left half done is used again.
            let done = catch_unwind(AssertUnwindSafe(|| bgcn_core::on_threads(threads, || work(&watch)).flatten()));
            let _ = end.send(done);
        });
        let mut raised = None;
        loop {
            // A receiver is of one thread, but may be lent.
            let lent = &mut ended;
            let done = py.detach(move || lent.recv_timeout(GLANCE));
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| tell(told, newest())).err();
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

/// Calls `told`; False from it stops the work.
fn tell(told: Option<&Bound<'_, PyAny>>, news: Option<Progress>) -> PyResult<()> {
    let (Some(told), Some(Progress { phase, done, total })) = (told, news) else { return Ok(()) };
    let phase = match phase {
        Phase::Pretraining => "pretraining",
        Phase::Inference => "inference",
        Phase::Draws => "draws",
        Phase::Decoys => "decoys",
    };
    let answer = told.call1((phase, done, total))?;
    match answer.is_none() || answer.is_truthy()? {
        true => Ok(()),
        false => Err(PyStopIteration::new_err("the fit was stopped by its callback")),
    }
}
