//! The machine that results were made on, in a line.

use std::fs::read_to_string;

/// Cores, threads used, processor, memory: as far as the system reports them.
pub fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or("cores unknown".into(), |n| format!("{n} cores"));
    let (os, arch, threads) = (std::env::consts::OS, std::env::consts::ARCH, rayon::current_num_threads());
    let mut parts = vec![format!("{os} on {arch}"), format!("{cores}, {threads} threads used")];
    let processor = read_to_string("/proc/cpuinfo").ok().and_then(|text| field(&text, "model name"));
    parts.extend(processor);
    parts.push(format!("{} code", bgcn_core::processor_class()));
    let memory = read_to_string("/proc/meminfo").ok().and_then(|text| gibibytes(&field(&text, "MemTotal")?));
    parts.extend(memory.map(|gib| format!("{gib:.0} GiB of memory")));
    parts.join("; ")
}

/// The value after `name:` in the files of /proc.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned()).filter(|value| !value.is_empty())
}

fn gibibytes(value: &str) -> Option<f64> {
    Some(value.strip_suffix("kB")?.trim().parse::<f64>().ok()? / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_files_are_read_as_far_as_they_go() {
        assert_eq!(field("processor\t: 0\nmodel name\t: Fast One\n", "model name").as_deref(), Some("Fast One"));
        assert_eq!(field("model name\t: \n", "model name"), None);
        assert_eq!(field("MemTotal:  2097152 kB\n", "MemTotal").and_then(|value| gibibytes(&value)), Some(2.0));
        assert_eq!(gibibytes("many"), None);
        assert!(describe().contains("threads"));
    }
}
