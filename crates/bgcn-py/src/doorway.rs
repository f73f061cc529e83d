//! The one way into long calls: the interpreter is released, signals are looked for, progress is told, and parts of a fit
//! are handed to whoever carries them out.

use crate::errors;
use bgcn::Error;
use bgcn::posterior::{Carriers, Phase, Progress, Watch};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
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
    /// Parts to be carried out: what they share, and the orders.
    orders: Option<(Vec<u8>, Vec<Vec<u8>>)>,
    /// What came back of them; nothing where that failed.
    answers: Option<Option<Vec<Vec<u8>>>>,
    ended: bool,
}

/// Hands parts to the thread that holds the interpreter.
struct Window<'a> {
    board: &'a Mutex<Board>,
    changed: &'a Condvar,
    at_a_time: usize,
}

impl Carriers for Window<'_> {
    fn at_a_time(&self) -> usize {
        self.at_a_time
    }

    fn carry_out(&self, start: Vec<u8>, orders: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Error> {
        let mut held = self.board.lock().expect("no one panics while they hold it");
        held.orders = Some((start, orders));
        self.changed.notify_all();
        let waiting = |board: &mut Board| board.answers.is_none();
        let mut held = self.changed.wait_while(held, waiting).expect("as above");
        held.answers.take().flatten().ok_or(Error::Stopped)
    }
}

/// Carries out `work` on `threads` threads (0: one per core) while Python goes on. `told` is called with phase, done and
/// total, not for every step; if it returns False or raises, the work stops, as it does after Ctrl-C.
pub fn through<T: Send>(
    py: Python<'_>,
    threads: usize,
    told: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Watch<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    through_with(py, threads, (told, None), |watch, _| work(watch))
}

/// Who carries out parts, called with what they share and a list of orders, and how many of these at a time.
pub type Carrying<'a, 'py> = Option<(&'a Bound<'py, PyAny>, usize)>;

/// The same for a fit whose parts are carried out by others; `work` is given nobody where there is nobody.
pub fn through_with<T: Send>(
    py: Python<'_>,
    threads: usize,
    (told, carrying): (Option<&Bound<'_, PyAny>>, Carrying<'_, '_>),
    work: impl FnOnce(Watch<'_>, Option<&dyn Carriers>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (board, changed, stop) = (Mutex::new(Board::default()), Condvar::new(), AtomicBool::new(false));
    let listened = told.is_some();
    let watch = |progress: Progress| {
        if listened {
            board.lock().expect("no one panics while they hold it").news = Some(progress);
        }
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let window = carrying.map(|(_, at_a_time)| Window { board: &board, changed: &changed, at_a_time });
    let window = window.as_ref().map(|window| window as &dyn Carriers);
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            // A panic is a fault of ours and becomes an exception; nothing that it left half done is used again.
            let done = catch_unwind(AssertUnwindSafe(|| bgcn::on_threads(threads, || work(&watch, window)).flatten()));
            board.lock().expect("as above").ended = true;
            changed.notify_all();
            done
        });
        let mut raised = None;
        loop {
            let (news, orders, ended) = py.detach(|| {
                let held = board.lock().expect("as above");
                let waiting = |board: &mut Board| !board.ended && board.orders.is_none();
                let (mut held, _) = changed.wait_timeout_while(held, GLANCE, waiting).expect("as above");
                (held.news.take(), held.orders.take(), held.ended)
            });
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| tell(told, news)).err();
                stop.store(raised.is_some(), Ordering::Relaxed);
            }
            if let (Some((start, orders)), Some((carry, _))) = (orders, carrying) {
                let answers = match &raised {
                    None => carried(py, carry, &start, &orders).map_err(|error| raised = Some(error)).ok(),
                    Some(_) => None,
                };
                stop.store(raised.is_some(), Ordering::Relaxed);
                board.lock().expect("as above").answers = Some(answers);
                changed.notify_all();
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

/// What `carry` answers to these orders.
fn carried(py: Python<'_>, carry: &Bound<'_, PyAny>, start: &[u8], orders: &[Vec<u8>]) -> PyResult<Vec<Vec<u8>>> {
    let orders: Vec<Bound<'_, PyBytes>> = orders.iter().map(|order| PyBytes::new(py, order)).collect();
    carry.call1((PyBytes::new(py, start), orders))?.extract()
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
