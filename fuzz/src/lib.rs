//! What the targets share: several files in one input, and a folder in memory to put them in.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use bgcn_core::data::Dataset;
use bgcn_core::posterior::Progress;

/// Stands between two files of one input.
const MARK: &[u8] = b"\n====\n";

/// The files in an input, in their order.
pub fn pieces(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while let Some(at) = bytes.windows(MARK.len()).position(|window| window == MARK) {
        found.push(&bytes[..at]);
        bytes = &bytes[at + MARK.len()..];
    }
    found.push(bytes);
    found
}

/// A folder of this process, in memory where the system has such a place.
pub struct Place(PathBuf);

impl Place {
    pub fn new(target: &str) -> Self {
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let folder = parent.join(format!("bgcn-fuzz-{target}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The folder with these files alone; without a piece, there is no such file.
    pub fn fill(&self, names: &[&str], pieces: &[&[u8]]) -> &Path {
        for (i, name) in names.iter().enumerate() {
            let path = self.0.join(name);
            match pieces.get(i) {
                Some(piece) => fs::write(path, piece).expect("a file can be written"),
                None => drop(fs::remove_file(path)),
            }
        }
        &self.0
    }
}

/// Ends work that a file may ask for without end: settings such as a million draws are allowed.
pub fn briefly(looks: usize) -> impl Fn(Progress) -> ControlFlow<()> + Sync {
    let left = AtomicUsize::new(looks);
    move |_| match left.fetch_sub(1, Ordering::Relaxed) {
        0 | 1 => {
            left.store(1, Ordering::Relaxed);
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    }
}

/// Checks that the parts of a dataset fit each other.
pub fn whole(data: &Dataset) {
    assert_eq!(data.features.nodes(), data.nodes());
    assert_eq!(data.ids.len(), data.nodes());
    assert!(data.labels.known() <= data.nodes());
    assert_eq!(data.labels.class_counts().iter().sum::<usize>(), data.labels.known());
}
