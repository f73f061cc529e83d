//! A place where trials of an evaluation are carried out, on another machine than the one that keeps the log.
//!
//! The studies are made once, when the first trial needs them; a thread of its own holds them, since they borrow the
//! data.

use super::Studies;
use super::studies::Asked;
use crate::Failure;
use bgcn::posterior::Watch;
use bgcn_experiments::accuracy::Accuracy;
use bgcn_experiments::attack::{Attack, Attacked, Clean, Targets};
use bgcn_experiments::calibration::Calibration;
use bgcn_experiments::edges::Edges;
use bgcn_experiments::planted::Planted;
use bgcn_experiments::{Datasets, Error, Item, Study as _, carry_out};
use serde::Deserialize as _;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An order: a trial, whether to give it up, and where its line goes.
type Order = (Item, Arc<AtomicBool>, Sender<Result<String, Failure>>);

/// Carries out trials of one evaluation.
pub struct Bench {
    orders: Mutex<Sender<Order>>,
}

impl Bench {
    /// For the evaluation that `Session::evaluation` described, with its data, on so many threads.
    pub fn new(evaluation: &str, data: Datasets, threads: usize) -> Result<Self, Failure> {
        let asked: Asked = serde_json::from_str(evaluation).map_err(|error| Failure {
            message: format!("the evaluation cannot be read: {error}; run the same version of bgcn on every machine"),
            is_input: true,
        })?;
        let studies = Studies::of(asked, data).map_err(|error| Failure::of(&error))?;
        let (orders, incoming) = channel();
        // Here, where a pool that cannot be made is told.
        bgcn::on_threads(threads, || ()).map_err(|error| Failure::of(&error.into()))?;
        let work = move || bgcn::on_threads(threads, move || Made::new(&studies).serve(&incoming));
        let started = std::thread::Builder::new().name("bgcn-bench".into()).spawn(work);
        started.map_err(|error| Failure { message: format!("starting a thread: {error}"), is_input: false })?;
        Ok(Self { orders: Mutex::new(orders) })
    }

    /// Runs one trial; its line of the log. `go_on` is asked now and then, and gives it up with false.
    pub fn run(&self, item: Item, go_on: &mut dyn FnMut() -> bool) -> Result<String, Failure> {
        const GLANCE: Duration = Duration::from_millis(20);
        let gone = || Failure { message: "a fault of bgcn in a trial; please report it".into(), is_input: false };
        let (stop, (back, answer)) = (Arc::new(AtomicBool::new(false)), channel());
        let order = (item, Arc::clone(&stop), back);
        self.orders.lock().expect("nobody panics while they order").send(order).map_err(|_| gone())?;
        loop {
            match answer.recv_timeout(GLANCE) {
                Ok(line) => return line,
                Err(RecvTimeoutError::Timeout) if !go_on() => stop.store(true, Ordering::Relaxed),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

/// The studies, each made when it is first needed.
struct Made<'s> {
    studies: &'s Studies,
    accuracy: OnceCell<Accuracy<'s>>,
    edges: OnceCell<Edges<'s>>,
    planted: OnceCell<Planted<'s>>,
    calibration: OnceCell<Calibration>,
    attacks: BTreeMap<String, Attack<'s>>,
}

impl<'s> Made<'s> {
    fn new(studies: &'s Studies) -> Self {
        Self {
            studies,
            accuracy: OnceCell::new(),
            edges: OnceCell::new(),
            planted: OnceCell::new(),
            calibration: OnceCell::new(),
            attacks: BTreeMap::new(),
        }
    }

    /// Until nobody can order any more.
    fn serve(&mut self, incoming: &Receiver<Order>) {
        while let Ok((item, stop, back)) = incoming.recv() {
            let watch =
                |_| if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let line = self.line(&item, &watch).map_err(|error| Failure::of(&error));
            // Whoever has gone away does not need it.
            let _ = back.send(line);
        }
    }

    fn line(&mut self, item: &Item, watch: Watch<'_>) -> anyhow::Result<String> {
        let studies = self.studies;
        let line = match item.study.as_str() {
            Accuracy::NAME => carry_out(made(&self.accuracy, || studies.accuracy_study())?, item, watch),
            Edges::NAME => carry_out(made(&self.edges, || studies.edges_study())?, item, watch),
            Planted::NAME => carry_out(made(&self.planted, || studies.planted_study())?, item, watch),
            Calibration::NAME => carry_out(made(&self.calibration, || studies.calibration_study())?, item, watch),
            Clean::NAME => carry_out(&self.attack(item)?.clean(), item, watch),
            Attacked::NAME => {
                let wrong = |error| Error::Request(format!("the targets of an attack cannot be read: {error}"));
                let method = item.key["method"].as_str().unwrap_or_default().to_owned();
                let targets: Targets = [(method, Vec::deserialize(&item.context).map_err(wrong)?)].into();
                carry_out(&self.attack(item)?.attacked(&targets), item, watch)
            }
            other => {
                Err(Error::Request(format!("there is no study `{other}`; run the same version of bgcn everywhere")))
            }
        };
        Ok(line?)
    }

    /// The attack on the dataset that the item's key names.
    fn attack(&mut self, item: &Item) -> anyhow::Result<&Attack<'s>> {
        let Value::String(name) = &item.key["dataset"] else {
            return Err(Error::Request(format!("the trial {} names no dataset", item.key)).into());
        };
        if !self.attacks.contains_key(name) {
            if !self.studies.data.contains_key(name) {
                return Err(Error::Request(format!("the dataset {name} was not handed over")).into());
            }
            self.attacks.insert(name.clone(), self.studies.attack_studies(name)?);
        }
        Ok(&self.attacks[name])
    }
}

/// What the cell holds, or what is made for it.
fn made<T>(cell: &OnceCell<T>, make: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<&T> {
    if cell.get().is_none() {
        let _ = cell.set(make()?);
    }
    Ok(cell.get().expect("it was set above"))
}
