#!/usr/bin/env python3
"""An LFR benchmark graph as a file of edges, for held-out links: `python docs/lfr.py 0.1 > lfr.csv` (needs NetworkX).

1,000 nodes, mean degree about 15, about 28 communities; the argument is the mixing parameter.
"""

import sys

import networkx as nx

mixing = float(sys.argv[1])
for seed in range(1, 100):
    try:
        graph = nx.LFR_benchmark_graph(
            1000, 3, 1.5, mixing, average_degree=12, max_degree=50, min_community=20, max_community=60, seed=seed
        )
    except nx.ExceededMaxIterations:
        continue
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    communities = {frozenset(graph.nodes[node]["community"]) for node in graph}
    if 27 <= len(communities) <= 29:
        degree = 2 * graph.number_of_edges() / len(graph)
        print(f"seed {seed}, {len(communities)} communities, mean degree {degree:.1f}", file=sys.stderr)
        print("source,target")
        print("\n".join(f"{a},{b}" for a, b in graph.edges))
        break
