//! What the writers in use give, and what is refused.

use super::*;

fn graph(text: &str) -> Result<Attributed, String> {
    from_bytes(Path::new("a.json"), text.as_bytes(), &ReadOptions::default()).map_err(|bad| bad.to_string())
}

/// As networkx 3.4 wrote it with `json.dumps(nx.node_link_data(G, edges="links"))`, shortened.
const NETWORKX: &str = r#"{"directed": true, "multigraph": false, "graph": {"name": "g"},
 "nodes": [{"z": 1.5, "label": "x", "v": [1, 0.5], "ok": true, "id": 1},
           {"z": null, "label": "y", "v": [0, -2], "tags": ["p"], "id": 2}],
 "links": [{"weight": 3, "source": 1, "target": 2}, {"kind": "k", "source": 2, "target": 1}]}"#;

#[test]
fn node_link_data_becomes_columns_in_the_order_of_the_file() {
    let graph = graph(NETWORKX).unwrap();
    assert_eq!(graph.ids, ["1", "2"]);
    assert_eq!(graph.columns, ["z", "label", "v.0", "v.1", "ok"]);
    assert_eq!(graph.cells, [["1.5", "x", "1", "0.5", "true"], ["", "y", "0", "-2", ""]]);
    assert_eq!(graph.edges, [(0, 1), (1, 0)]);
    assert_eq!(graph.weights[0], 3.0);
    assert!(graph.weights[1].is_nan() && graph.directed);
    assert_eq!(
        graph.remarks,
        [
            "a.json: the attribute \"tags\" is not one text or number, nor always as many numbers; left out",
            "a.json: attributes of edges that are not used: kind"
        ]
    );
}

#[test]
fn edges_without_ids_name_nodes_by_place() {
    let d3 = r#"{"nodes": [{"name": "a", "group": 1}, {"name": "b"}], "links": [{"source": 1, "target": 0}]}"#;
    let d3 = graph(d3).unwrap();
    assert_eq!((&d3.ids[..], &d3.edges[..]), (&["0".into(), "1".into()][..], &[(1, 0)][..]));
    assert_eq!(d3.columns, ["name", "group"]);
    assert!(d3.weights.is_empty() && !d3.directed);
}

#[test]
fn elements_of_cytoscape_are_read_with_numbers_and_text_alike() {
    let text = r#"{"data": [], "directed": false, "elements": {
        "nodes": [{"data": {"id": "0", "value": 0, "name": "0", "kind": "x"}}, {"data": {"id": "1", "value": 1, "name": "1"}}],
        "edges": [{"data": {"source": 0, "target": 1}}]}}"#;
    let graph = graph(text).unwrap();
    assert_eq!((&graph.columns[..], &graph.edges[..]), (&["kind".to_string()][..], &[(0, 1)][..]));
    assert_eq!(graph.remarks.len(), 2, "{:?}", graph.remarks);
}

#[test]
fn whatever_is_no_graph_is_said() {
    let edges = |nodes: &str, edges: &str| format!(r#"{{"nodes": {nodes}, "edges": {edges}}}"#);
    for (text, wanted) in [
        (r#"{"a": 1, "b": 2}"#.into(), "JSON with the keys a, b; nodes and links"),
        ("[1, 2]".into(), "JSON that is a list"),
        ("{\"a\": 1}\n{\"a\": 2}\n".into(), "JSON lines"),
        ("{\"nodes\": [".into(), "line 1: broken JSON"),
        ("{\"nodes\": [{\"id\": 1,\n \"x\": NaN}]}".into(), "line 2: broken JSON"),
        ("{\"nodes\": [{\"id\": 1,\n \"x\": NaN}]}".into(), "write null"),
        ("{\"a\": 1, \"a\": 2}".into(), "the key \"a\" is there twice"),
        (edges(r#"[{"id": 1}, {"id": "1"}]"#, "[]"), "node 1: 1 as a number and \"1\" as text"),
        (edges(r#"[{"id": 1}, {"id": 2}]"#, r#"[{"source": 1, "target": "2"}]"#), "edge 0: 2 as a number"),
        (edges(r#"[{"id": 1}, {"id": 1}]"#, "[]"), "node 1: the node \"1\" again"),
        (edges(r#"[{"id": 1}, {"name": 1}]"#, "[]"), "node 1: a node without an id, with name"),
        (edges(r#"[{"id": [1]}]"#, "[]"), "node 0: an id that is a list"),
        (edges(r#"[{"id": 1}]"#, r#"[{"source": 1, "target": 5}]"#), "edge 0: an edge of the node \"5\""),
        (edges(r#"[{"id": 1}]"#, r#"[{"source": 1}]"#), "edge 0: an edge without target, with source"),
        (edges(r#"[{"n": 1}]"#, r#"[{"source": "a", "target": 0}]"#), "edge 0: source is text, and nodes have no ids"),
        (edges(r#"[{"id": 1}]"#, r#"[{"source": 1, "target": 1, "weight": "x"}]"#), "edge 0: the weight \"x\""),
        (edges(r#"[{"id": 1}]"#, "[]"), "no edges"),
        (edges("[]", "[]"), "no nodes"),
        (edges("3", "[]"), "nodes is a number; a list is needed"),
        (edges("[3]", "[]"), "entry 0 of nodes is a number"),
    ] {
        let message = graph(&text).unwrap_err();
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn the_weight_asked_for_must_be_there() {
    let options = ReadOptions { weight_column: Some("kind".into()), ..ReadOptions::default() };
    let message = from_bytes(Path::new("a.json"), NETWORKX.as_bytes(), &options).unwrap_err().to_string();
    assert!(message.contains("the weight \"k\""), "{message}");
    let options = ReadOptions { weight_column: Some("w".into()), ..ReadOptions::default() };
    let message = from_bytes(Path::new("a.json"), NETWORKX.as_bytes(), &options).unwrap_err().to_string();
    assert!(message.contains("edges have no attribute \"w\"; their attributes: kind, weight"), "{message}");
}
