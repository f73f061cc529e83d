graph [
  node [
    id 0
    label "cleo"
  ]
  node [
    id 1
    label "finn"
  ]
  node [
    id 2
    label "hana"
  ]
  node [
    id 3
    label "bo"
  ]
  node [
    id 4
    label "edda"
  ]
  node [
    id 5
    label "gus"
  ]
  node [
    id 6
    label "juno"
  ]
  node [
    id 7
    label "ana"
  ]
  node [
    id 8
    label "dag"
  ]
  node [
    id 9
    label "kai"
  ]
  node [
    id 10
    label "ivo"
  ]
  node [
    id 11
    label "lena"
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 0
    target 2
  ]
  edge [
    source 0
    target 6
  ]
  edge [
    source 0
    target 3
  ]
  edge [
    source 0
    target 11
  ]
  edge [
    source 1
    target 3
  ]
  edge [
    source 1
    target 9
  ]
  edge [
    source 1
    target 7
  ]
  edge [
    source 1
    target 10
  ]
  edge [
    source 1
    target 5
  ]
  edge [
    source 1
    target 6
  ]
  edge [
    source 3
    target 7
  ]
  edge [
    source 3
    target 4
  ]
  edge [
    source 4
    target 5
  ]
  edge [
    source 5
    target 6
  ]
  edge [
    source 6
    target 8
  ]
  edge [
    source 7
    target 8
  ]
  edge [
    source 9
    target 11
  ]
  edge [
    source 10
    target 11
  ]
]
