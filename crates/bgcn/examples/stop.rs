//! Stop a fit: a watcher sees every epoch, inference and draw, and ends the fit when it has had enough.
//!
//! With `BGCN_DATA` set to a folder with the Planetoid files it stops fits of Pubmed at several moments, and prints how
//! long each went on after that; without, a fit of the built-in data.

use bgcn::{Error, Places, Plan, ReadOptions, Request, Source, SplitChoice, demo, load};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn main() -> Result<(), Error> {
    let pubmed =
        std::env::var_os("BGCN_DATA").and_then(|_| load("pubmed", &Places::new(None), &ReadOptions::default()).ok());
    let data = Arc::new(pubmed.unwrap_or_else(demo));
    for (method, moments) in [("gcn+copying", [0, 100, 400, 900]), ("gcn+published", [100, 400, 700, 900])] {
        for moment in moments {
            let request = Request::of_data(Arc::clone(&data), Source::default()).plan(Plan::of_method(method)?);
            let job = request.split(SplitChoice::Random).prepare(&Places::new(None))?;
            let (begun, asked) = (Instant::now(), Mutex::new(None));
            let watch = |_| match begun.elapsed() < Duration::from_millis(moment) {
                true => ControlFlow::Continue(()),
                false => {
                    asked.lock().expect("no panic holds it").get_or_insert_with(Instant::now);
                    ControlFlow::Break(())
                }
            };
            // The moment may fall between two calls of the watcher: that time counts as well.
            match job.run(&watch) {
                Err(Error::Stopped) => {
                    let late = begun.elapsed().saturating_sub(Duration::from_millis(moment));
                    println!("{method} on {}, to be stopped after {moment} ms: ended {late:.1?} later", data.name);
                }
                Err(error) => return Err(error),
                Ok(_) => println!("{method} on {} had ended after {moment} ms", data.name),
            }
        }
    }
    Ok(())
}
