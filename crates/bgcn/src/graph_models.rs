//! The folder of a graph model: λ, the nodes' ids and classes, and the observed edges, with which drawn graphs are
//! compared.

use bgcn_core::Error;
use bgcn_core::data::Dataset;
use bgcn_core::graph_model;
use bgcn_core::graph_model::SavedModel;
use bgcn_files::files::{Folder, read, write_new};
use bgcn_files::write::quoted;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// Edges of the observed graph, by node number.
pub const OBSERVED: &str = "observed.csv";
/// Class numbers of the nodes, where there are classes.
pub const CLASSES: &str = "classes.csv";
/// Ids of the nodes, by number.
pub const NODES: &str = "nodes.csv";

/// Graphs that were drawn from a model lie beside it and go with it.
const MODEL: Folder = Folder {
    kind: "graph model",
    owns: |name| {
        let number = name.strip_prefix("graph-").and_then(|rest| rest.strip_suffix(".csv"));
        [graph_model::JSON, graph_model::TENSORS, OBSERVED, CLASSES, NODES].contains(&name)
            || number.is_some_and(|number| number.bytes().all(|c| c.is_ascii_digit()))
    },
};

/// The name of the i-th drawn graph, from 0.
pub fn drawn_graph(i: u32) -> String {
    format!("graph-{}.csv", i + 1)
}

/// An error where a model cannot be written to `path`. Worth asking before long work.
pub fn check_model_folder(path: &Path, overwrite: bool) -> Result<(), Error> {
    MODEL.check(path, overwrite)?;
    Ok(())
}

/// Writes the folder of a model that was inferred from `data`, whole or not at all.
pub fn write_model(path: &Path, overwrite: bool, data: &Dataset, saved: &SavedModel) -> Result<(), Error> {
    let nodes = || 0..data.nodes() as u32;
    MODEL.publish(path, overwrite, |folder| {
        let put = |name: &str, fill: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
            let path = folder.join(name);
            write_new(&path, |w| fill(w)).map_err(Error::io("writing", &path))
        };
        let (json, tensors) = saved.to_bytes();
        put(graph_model::JSON, &|w| w.write_all(&json))?;
        tensors.map_or(Ok(()), |bytes| put(graph_model::TENSORS, &|w| w.write_all(&bytes)))?;
        put(OBSERVED, &|w| {
            writeln!(w, "source,target")?;
            data.graph.edge_list().try_for_each(|(a, b)| writeln!(w, "{a},{b}"))
        })?;
        put(NODES, &|w| {
            writeln!(w, "node,id")?;
            nodes().try_for_each(|a| writeln!(w, "{a},{}", quoted(data.ids.name(a))))
        })?;
        if data.labels.classes() == 0 {
            return Ok(());
        }
        put(CLASSES, &|w| {
            writeln!(w, "node,class")?;
            let class = |a| data.labels.class(a).map_or(String::new(), |class| class.to_string());
            nodes().try_for_each(|a| writeln!(w, "{a},{}", class(a)))
        })
    })
}

/// Reads a model from its folder, or from the path of one of its files.
pub fn read_model(path: &Path) -> Result<SavedModel, Error> {
    let (json, tensors) = SavedModel::paths(path);
    let text = read(&json).map_err(Error::io("reading", &json))?;
    let bytes = match read(&tensors) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None, // a model without arrays
        Err(error) => return Err(Error::io("reading", &tensors)(error)),
    };
    SavedModel::from_bytes(&text, bytes.as_deref(), path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::karate;
    use bgcn_core::graph_model::{Array, Parameters};
    use std::fs;

    fn example(arrays: &[(&str, Array)]) -> SavedModel {
        let arrays = arrays.iter().map(|(name, array)| (name.to_string(), array.clone())).collect();
        let parameters = Parameters { nodes: 34, arrays, ..Parameters::default() };
        SavedModel::new("example", &serde_json::json!({ "copy": 0.9 }), 3, parameters)
    }

    #[test]
    fn a_model_comes_back_from_its_folder_and_from_the_path_of_one_of_its_files() {
        let place = tempfile::tempdir().unwrap();
        let (path, saved) = (place.path().join("model"), example(&[("classes", Array::Labels(vec![4; 34]))]));
        write_model(&path, false, &karate(), &saved).unwrap();
        assert_eq!(read_model(&path).unwrap(), saved);
        assert_eq!(read_model(&path.join(graph_model::TENSORS)).unwrap(), saved);
        fs::write(path.join(graph_model::TENSORS), "nothing of the kind").unwrap();
        assert!(read_model(&path).unwrap_err().to_string().contains(graph_model::TENSORS));
        let bare = example(&[]);
        write_model(&path, true, &karate(), &bare).unwrap();
        assert_eq!((read_model(&path).unwrap(), path.join(graph_model::TENSORS).exists()), (bare, false));
        let error = read_model(&place.path().join("other")).unwrap_err().to_string();
        assert!(error.contains(graph_model::JSON), "{error}");
    }
}
