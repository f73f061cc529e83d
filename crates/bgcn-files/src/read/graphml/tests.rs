//! What the writers in use give, and what is refused.

use super::*;

fn graph(text: &str) -> Result<Attributed, String> {
    from_bytes(Path::new("a.graphml"), text.as_bytes(), &ReadOptions::default()).map_err(|bad| bad.to_string())
}

const NETWORKX: &str = r#"<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d3" for="edge" attr.name="weight" attr.type="double"/>
  <key id="d2" for="node" attr.name="seen" attr.type="boolean"><default>false</default></key>
  <key id="d1" for="node" attr.name="size" attr.type="long"/>
  <key id="d4" for="node" attr.name="size" attr.type="double"/>
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <graph edgedefault="undirected">
    <edge source="a &amp; b" target="c"><data key="d3">0.5</data></edge>
    <node id="a &amp; b"><data key="d0">x &lt; y</data><data key="d1">3</data><data key="d2">True</data></node>
    <node id="c"><data key="d0"><![CDATA[<z>]]></data><data key="d4">2.5</data></node>
    <node id="e"/>
    <edge source="c" target="e"/>
  </graph>
</graphml>
"#;

#[test]
fn attributes_have_types_and_defaults() {
    let graph = graph(NETWORKX).unwrap();
    assert_eq!(graph.ids, ["a & b", "c", "e"]);
    assert_eq!(graph.columns, ["seen", "size", "label"]);
    assert_eq!(graph.cells, [["true", "3", "x < y"], ["false", "2.5", "<z>"], ["false", "", ""]]);
    assert_eq!((&graph.edges[..], graph.weights[0], graph.directed), (&[(0, 1), (1, 2)][..], 0.5, false));
    assert!(graph.weights[1].is_nan() && graph.remarks.is_empty());
}

#[test]
fn nodes_of_igraph_are_called_by_their_name() {
    let text = r#"<graphml><key id="v_name" for="node" attr.name="name" attr.type="string"/>
        <key id="v_x" for="node" attr.name="x" attr.type="double"/>
        <graph id="G" edgedefault="directed"><node id="n0"><data key="v_name">Ann</data><data key="v_x">1</data></node>
        <node id="n1"><data key="v_name">Bob</data><data key="v_x">2</data></node>
        <edge source="n1" target="n0"/></graph></graphml>"#;
    let named = graph(text).unwrap();
    assert_eq!((&named.ids[..], &named.columns[..]), (&["Ann".into(), "Bob".into()][..], &["x".to_string()][..]));
    assert_eq!(named.cells, [["1"], ["2"]]);
    assert!(named.directed && named.remarks[0].contains("called by their attribute \"name\""));
    let same = graph(&text.replace("Bob", "Ann")).unwrap();
    assert_eq!(same.ids, ["n0", "n1"]);
}

#[test]
fn drawings_of_yed_are_left_out() {
    let text = r#"<graphml xmlns:y="http://www.yworks.com/xml/graphml">
        <key for="node" id="d5" attr.name="description" attr.type="string"/>
        <key for="node" id="d6" yfiles.type="nodegraphics"/><key for="edge" id="d9" yfiles.type="edgegraphics"/>
        <graph edgedefault="directed"><node id="n0"><data key="d5"/><data key="d6"><y:ShapeNode><y:NodeLabel>A</y:NodeLabel>
        </y:ShapeNode></data></node><node id="n1"/><edge id="e0" source="n0" target="n1"><data key="d9"><y:PolyLineEdge/>
        </data></edge></graph></graphml>"#;
    let graph = graph(text).unwrap();
    assert_eq!((&graph.columns[..], &graph.edges[..]), (&["description".to_string()][..], &[(0, 1)][..]));
    assert_eq!(graph.remarks, ["a.graphml: how the graph is drawn is left out"]);
}

#[test]
fn whatever_is_wrong_has_a_line() {
    let with = |inside: &str| format!("<graphml>\n<graph>\n<node id='a'/><node id='b'/>\n{inside}\n</graph></graphml>");
    for (text, wanted) in [
        (with("<edge source='a' target='z'/>"), "line 4: an edge of the node \"z\""),
        (with("<node id='a'/>"), "line 4: the node \"a\" again"),
        (with("<node/>"), "line 4: <node> without id"),
        (with("<node id='c'><graph/></node>"), "line 4: a graph inside a node"),
        (with("<node id='c'><port name='p'/></node>"), "line 4: a port"),
        (with("<edge source='a' target='b' sourceport='p'/>"), "line 4: an edge between ports"),
        (with("<hyperedge/>"), "line 4: a hyperedge"),
        (with("<node id='c'><data key='k'>1</data></node>"), "line 4: data of the key \"k\""),
        (with(""), "no edges"),
        (with("</graph><graph>"), "a second graph"),
        ("<graphml></graphml>".into(), "no nodes"),
        ("<graphml><key id='k' attr.type='int'/><graph><node id='a'><data key='k'>x</data>".into(), "of type int"),
        ("<graphml><graph>".into(), "broken XML"),
    ] {
        let message = graph(&text).unwrap_err();
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn another_attribute_can_be_the_weight() {
    let options = ReadOptions { weight_column: Some("w".into()), ..ReadOptions::default() };
    let text = NETWORKX.replace("\"weight\"", "\"w\"");
    let graph = from_bytes(Path::new("a"), text.as_bytes(), &options).unwrap();
    assert_eq!(graph.weights[0], 0.5);
    let message = from_bytes(Path::new("a"), NETWORKX.as_bytes(), &options).unwrap_err().to_string();
    assert!(message.contains("edges have no attribute \"w\"; their attributes: weight"), "{message}");
}

#[test]
fn graphml_is_read_back_with_ids_features_labels_and_edges() {
    use crate::write::Form;
    use bgcn_core::data::{DenseRows, Features, Labels, NodeIds, karate};
    let mut data = karate();
    data.features = Features::Dense(DenseRows { columns: 2, values: (0..68).map(|i| i as f32 * 0.5).collect() });
    data.feature_names = vec!["a < b".into(), "c".into()];
    data.ids = NodeIds::Named((0..34).map(|a| format!("no. {a} & \"more\"")).collect());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("data.graphml");
    assert_eq!(Form::of(&path), Form::GraphMl);
    Form::GraphMl.write(&data, &path, false).unwrap();
    let graph = from_bytes(&path, &std::fs::read(&path).unwrap(), &ReadOptions::default()).unwrap();
    assert_eq!(graph.ids, (0..34).map(|a| data.ids.name(a).into_owned()).collect::<Vec<_>>());
    assert_eq!(graph.columns, ["label", "a < b", "c"]);
    let Labels::Classes { names, of } = &data.labels else { unreachable!() };
    for (a, row) in graph.cells.iter().enumerate() {
        assert_eq!(row[0], of[a].map_or("", |class| &names[class as usize]));
        assert_eq!(row[1..].iter().map(|cell| cell.parse().unwrap()).collect::<Vec<f32>>(), [a as f32, a as f32 + 0.5]);
    }
    assert_eq!(graph.edges, data.graph.edge_list().collect::<Vec<_>>());
    assert!(graph.remarks.is_empty() && !graph.directed);
}
