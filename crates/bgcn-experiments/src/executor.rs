//! Independent parts, such as the trials of a study, on the threads of this pool. Other machines run shares of a study:
//! [`crate::Shard`] and [`crate::merge`].

use rayon::prelude::*;

/// Runs parts, started in their order; what they gave, in the same order. The first error ends it.
///
/// A bridge starts parts one after another for each thread. Splitting the list would start in its middle too, and a
/// thread that waits inside a part could be given another one.
pub(crate) fn run_parts<P: Sync, T: Send, E: Send>(
    parts: &[P],
    run: impl Fn(&P) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let run = |(place, part)| run(part).map(|found| (place, found));
    let mut found: Vec<(usize, T)> = parts.iter().enumerate().par_bridge().map(run).collect::<Result<_, E>>()?;
    found.sort_unstable_by_key(|(place, _)| *place);
    Ok(found.into_iter().map(|(_, found)| found).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_parts_give_keeps_their_order() {
        let parts: Vec<u64> = (0..200).collect();
        let slow = |part: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(200 - part));
            Ok::<u64, String>(2 * part)
        };
        assert!(run_parts(&parts, slow).unwrap().into_iter().eq((0..200).map(|part| 2 * part)));
        let failing = |part: &u64| if *part == 7 { Err("seven") } else { Ok(()) };
        assert_eq!(run_parts(&parts, failing), Err("seven"));
    }
}
