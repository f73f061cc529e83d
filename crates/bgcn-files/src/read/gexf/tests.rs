//! What Gephi and NetworkX give, and what is refused.

use super::*;

fn graph(text: &str) -> Result<Attributed, String> {
    from_bytes(Path::new("a.gexf"), text.as_bytes(), &ReadOptions::default()).map_err(|bad| bad.to_string())
}

const GEPHI: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
  <meta><creator>Gephi</creator></meta>
  <graph defaultedgetype="undirected" mode="static">
    <attributes class="node" mode="static">
      <attribute id="0" title="kind" type="string"><default>none</default></attribute>
      <attribute id="1" title="size" type="float"/>
    </attributes>
    <attributes class="edge"><attribute id="0" title="since" type="integer"/></attributes>
    <nodes count="3">
      <node id="a" label="Ann"><viz:size value="3"/><attvalues><attvalue for="0" value="x"/></attvalues></node>
      <node id="b" label="Bob"><attvalues><attvalue for="1" value="0.5"/></attvalues></node>
      <node id="c"/>
    </nodes>
    <edges>
      <edge id="0" source="a" target="b" weight="2.0"><attvalues><attvalue for="0" value="1999"/></attvalues></edge>
      <edge id="1" source="b" target="c" type="directed"/>
    </edges>
  </graph>
</gexf>
"#;

#[test]
fn attributes_labels_and_weights_are_read() {
    let graph = graph(GEPHI).unwrap();
    assert_eq!(graph.ids, ["a", "b", "c"]);
    assert_eq!(graph.columns, ["label", "kind", "size"]);
    assert_eq!(graph.cells, [["Ann", "x", ""], ["Bob", "none", "0.5"], ["", "none", ""]]);
    assert_eq!((&graph.edges[..], graph.weights[0], graph.directed), (&[(0, 1), (1, 2)][..], 2.0, true));
    assert_eq!(graph.remarks, ["a.gexf: attributes of edges that are not used: since"]);
}

#[test]
fn labels_that_repeat_the_ids_are_no_column() {
    let same =
        graph(&GEPHI.replace("Ann", "a").replace("Bob", "b").replace("id=\"c\"", "id=\"c\" label=\"c\"")).unwrap();
    assert_eq!(same.columns, ["kind", "size"]);
    assert!(same.remarks[1].contains("\"label\" repeats the ids"), "{:?}", same.remarks);
    let other = graph(&GEPHI.replace("title=\"kind\"", "title=\"label\"")).unwrap();
    assert_eq!(other.columns, ["node label", "label", "size"]);
}

#[test]
fn what_changes_over_time_is_left_out() {
    let text = GEPHI
        .replace("<attributes class=\"node\" mode=\"static\">", "<attributes class=\"node\" mode=\"dynamic\">")
        .replace("<node id=\"c\"/>", "<node id=\"c\"><spells><spell start=\"1\"/></spells></node>");
    let graph = graph(&text).unwrap();
    assert_eq!(graph.columns, ["label"]);
    assert!(graph.remarks[0].contains("over time"), "{:?}", graph.remarks);
}

#[test]
fn whatever_is_wrong_has_a_line() {
    let change = |from: &str, to: &str| GEPHI.replace(from, to);
    for (text, wanted) in [
        (change("target=\"c\"", "target=\"z\""), "line 17: an edge of the node \"z\""),
        (change("id=\"b\"", "id=\"a\""), "line 12: the node \"a\" again"),
        (change("value=\"0.5\"", "value=\"big\""), "\"big\" for \"size\" of type float"),
        (change("for=\"1\"", "for=\"7\""), "line 12: a value of the attribute \"7\"; declared are 0, 1"),
        (change("<node id=\"c\"/>", "<node id=\"c\"><nodes/></node>"), "line 13: a node inside a node"),
        (change("<node id=\"c\"/>", "<node id=\"c\" pid=\"a\"/>"), "line 13: a node inside a node"),
        (change("weight=\"2.0\"", "weight=\"NaN\""), "line 16: the weight \"NaN\""),
        (change("</gexf>", ""), "broken XML"),
        ("<gexf/>".into(), "no nodes"),
    ] {
        let message = graph(&text).unwrap_err();
        assert!(message.contains(wanted), "{message}");
    }
}
