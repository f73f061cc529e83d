//! The one way into long calls: the interpreter is released, signals are looked for, progress is told.

use crate::errors;
use bgcn::Error;
use bgcn::posterior::{Phase, Progress, Watch};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// How long the interpreter waits before it looks for signals and tells progress.
const GLANCE: Duration = Duration::from_millis(20);

/// What the working thread tells the one that holds the interpreter.
#[derive(Default)]
struct Board {
    /// The newest progress that was not told.
    news: Option<Progress>,
    ended: bool,
}

/// Carries out `work` on `threads` threads (0: one per core) while Python goes on. `told` is called with phase, done and
/// total, not for every step; if it returns False or raises, the work stops, as it does after Ctrl-C.
pub fn through<T: Send>(
    py: Python<'_>,
    threads: usize,
    told: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (board, changed, stop) = (Mutex::new(Board::default()), Condvar::new(), AtomicBool::new(false));
    let listened = told.is_some();
    let watch = |progress: Progress| {
        if listened {
            board.lock().expect("no one panics while they hold it").news = Some(progress);
        }
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            // A panic is a fault of ours and becomes an exception; nothing that it left half done is used again.
            let done = catch_unwind(AssertUnwindSafe(|| bgcn::on_threads(threads, || work(&watch)).flatten()));
            board.lock().expect("as above").ended = true;
            changed.notify_all();
            done
        });
        let mut raised = None;
        loop {
            let (news, ended) = py.detach(|| {
                let held = board.lock().expect("as above");
                let waiting = |board: &mut Board| !board.ended;
                let (mut held, _) = changed.wait_timeout_while(held, GLANCE, waiting).expect("as above");
                (held.news.take(), held.ended)
            });
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| tell(told, news)).err();
                stop.store(raised.is_some(), Ordering::Relaxed);
            }
            if ended {
                break;
            }
        }
        let done = py.detach(|| worker.join());
        match (raised, done) {
            (Some(error), _) => Err(error),
            (None, Ok(Ok(done))) => done.map_err(errors::of),
            (None, Ok(Err(panic)) | Err(panic)) => Err(errors::of_panic(&*panic)),
        }
    })
}

/// Tells whoever listens; False from them stops the work.
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
