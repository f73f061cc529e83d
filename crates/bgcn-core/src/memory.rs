//! How much memory there is, asked before taking a size that a file decides.
//!
//! Three things bound a process: what the machine has free, what its control group may take (containers), and the
//! address space that `ulimit -v` leaves it. The smallest counts, where the system says (Linux).

use std::fs::read_to_string;

/// Sizes that are never checked.
const SMALL: u64 = 32 << 20;

/// Bytes that this process could still take without swapping, where the system says so.
pub fn available() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    let space = || of_limits(&read_to_string("/proc/self/limits").ok()?, &read_to_string("/proc/self/statm").ok()?);
    [machine, space(), of_group()].into_iter().flatten().min()
}

/// Whether so many bytes can be taken at once; where not, how many there are, for a message.
pub fn allow(bytes: u64) -> Result<(), TooMuch> {
    if bytes <= SMALL {
        return Ok(());
    }
    match available() {
        Some(available) if bytes > available => Err(TooMuch { bytes, available }),
        _ => Ok(()),
    }
}

/// More than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch {
    /// What is needed.
    pub bytes: u64,
    /// What there is.
    pub available: u64,
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "about {} of memory are needed, and {} are available", shown(self.bytes), shown(self.available))
    }
}

/// Memory that grows with what a file holds, asked for a step ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Growing {
    asked: u64,
}

impl Growing {
    /// Bytes between two questions.
    const STEP: u64 = 64 << 20;

    /// So many bytes are held now. Lists double as they grow, so as many again must be free.
    #[inline]
    pub fn reach(&mut self, bytes: u64) -> Result<(), TooMuch> {
        if bytes <= self.asked.max(SMALL) {
            return Ok(());
        }
        allow(bytes.max(Self::STEP))?;
        self.asked = bytes + Self::STEP;
        Ok(())
    }
}

/// Bytes in MB or GB.
pub fn shown(bytes: u64) -> String {
    if bytes < 1_000_000_000 { format!("{} MB", bytes / 1_000_000) } else { format!("{:.1} GB", bytes as f64 / 1e9) }
}

fn of_machine(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The address space that is left; `None` where it is unlimited.
fn of_limits(limits: &str, statm: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    // Pages of 4 KiB are the smallest there are, so that larger ones leave less than is said here, and never more room.
    let pages: u64 = statm.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * 4096))
}

/// What the control group leaves; files that are only cached can go.
fn of_group() -> Option<u64> {
    let own = read_to_string("/proc/self/cgroup").ok()?;
    let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = std::path::Path::new("/sys/fs/cgroup").join(own);
    // Above every group stand others that bound it, too.
    let groups = folder.ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup"));
    let left = groups.filter_map(|folder| {
        let read = |name: &str| read_to_string(folder.join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let cached = read("memory.stat").and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("inactive_file "))?;
            line.trim().parse::<u64>().ok()
        });
        Some((number("memory.max")? + cached.unwrap_or(0)).saturating_sub(number("memory.current")?))
    });
    left.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_reports_is_read() {
        assert_eq!(of_machine("MemTotal: 9 kB\nMemAvailable:     2048 kB\n"), Some(2 << 20));
        assert_eq!(of_machine("MemTotal: 9 kB\n"), None);
        let limits =
            |limit: &str| format!("Limit  Soft Limit  Hard Limit  Units\nMax address space   {limit}  x  bytes\n");
        assert_eq!(of_limits(&limits("4096000"), "100 50 20 1 0 40 0\n"), Some(4_096_000 - 409_600));
        assert_eq!(of_limits(&limits("unlimited"), "100 50\n"), None);
    }

    #[test]
    fn small_sizes_are_never_refused_and_absurd_ones_always() {
        assert_eq!(allow(SMALL), Ok(()));
        if available().is_some() {
            let error = allow(u64::MAX).unwrap_err();
            assert!(error.to_string().contains("are available"), "{error}");
        }
    }

    #[test]
    fn what_grows_is_asked_for_in_steps() {
        let mut growing = Growing::default();
        assert_eq!((growing.reach(SMALL), growing.asked), (Ok(()), 0));
        if available().is_none_or(|bytes| bytes > 2 * Growing::STEP) {
            assert_eq!((growing.reach(SMALL + 1), growing.asked), (Ok(()), SMALL + 1 + Growing::STEP));
            assert_eq!((growing.reach(Growing::STEP), growing.asked), (Ok(()), SMALL + 1 + Growing::STEP));
        }
        assert_eq!(growing.reach(u64::MAX / 2).is_err(), available().is_some());
    }
}
