#!/usr/bin/env python3
"""How time and memory grow from a thousand to a million nodes. Run alone on the machine.

    cargo build --release -p bgcn-cli
    python3 benches/growth.py [--bgcn target/release/bgcn] [--svg docs/growth.svg] [--largest 1000000]

Generates networks of mean degree 10 and 10 classes (nodes in random order, which is hard on caches), then times on one thread:
an epoch of a GCN learning from every label, an iteration of the block model, a drawn graph. Prints a Markdown table.
"""

import argparse, json, math, os, subprocess, sys, tempfile


def run(arguments):
    """The JSON object a command prints, and its peak memory in MB."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(arguments, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"failed: {' '.join(arguments)}")
        out.seek(0)
        return json.loads(out.read().splitlines()[-1]), usage.ru_maxrss / 1024


def measure(bgcn, nodes, folder, repeat):
    data = f"{folder}/{nodes}"
    common = ["--jobs", "1", "--json", "--quiet", "--seed", "1"]
    made, _ = run(
        [bgcn, "data", "generate", "--out", data, "--nodes", str(nodes), "--mean-degree", "10", "--classes", "10"]
        + common
    )
    row = {"nodes": nodes, "edges": made["edges"], "nonzeros": made["feature_nonzeros"]}
    epochs = {1000: 200, 10000: 100, 100000: 20}.get(nodes, 5)
    fits = [
        run([bgcn, "fit", data, "--graph-model", "observed", "--split", "all", "--epochs", str(epochs)] + common)
        for _ in range(repeat)
    ]
    row["epoch_ms"] = min(f["seconds"]["train"] for f, _ in fits) / epochs * 1e3
    row["fit_mb"] = max(m for _, m in fits)
    row["load_s"] = min(f["seconds"]["load"] for f, _ in fits)
    iterations = {1000: 500, 10000: 200, 100000: 50}.get(nodes, 10)
    models = [
        run([bgcn, "graph", "fit", data, "--iterations", str(iterations), "--out", f"{data}-model"] + common)
        for _ in range(repeat)
    ]
    row["infer_ms"] = min(f["seconds"]["infer"] for f, _ in models) / iterations * 1e3
    row["infer_mb"] = max(m for _, m in models)
    count = 3 if nodes >= 1000000 else 20
    for draw in ("hard", "mixed"):
        draws = [
            run(
                [bgcn, "graph", "sample", f"{data}-model", "--count", str(count), "--draw", draw, "--no-files"] + common
            )
            for _ in range(repeat)
        ]
        row[f"{draw}_ms"] = min(f["seconds"]["draw"] for f, _ in draws) / count * 1e3
        row[f"{draw}_edges"] = sum(d["edges"] for d in draws[0][0]["drawn"]) / count
    return row


def table(rows):
    out = [
        "| nodes | edges | GCN epoch | ns per edge and non-zero | fit, peak memory | block model iteration | ns per edge | peak memory | hard draw, ns per edge | mixed draw, ns per edge |",
        "|" + "---|" * 10,
    ]
    for r in rows:
        size = r["edges"] + r["nonzeros"]
        out.append(
            f"| {r['nodes']:,} | {r['edges']:,} | {r['epoch_ms']:.2f} ms | {r['epoch_ms'] * 1e6 / size:.1f} | {r['fit_mb']:.0f} MB "
            f"| {r['infer_ms']:.3f} ms | {r['infer_ms'] * 1e6 / r['edges']:.1f} | {r['infer_mb']:.0f} MB "
            f"| {r['hard_ms'] * 1e6 / r['hard_edges']:.1f} | {r['mixed_ms'] * 1e6 / r['mixed_edges']:.1f} |"
        )
    return "\n".join(out)


def svg(rows):
    """Time per edge against nodes, one line per job."""
    lines = {
        "GCN epoch": [r["epoch_ms"] * 1e6 / (r["edges"] + r["nonzeros"]) for r in rows],
        "block model iteration": [r["infer_ms"] * 1e6 / r["edges"] for r in rows],
        "hard draw": [r["hard_ms"] * 1e6 / r["hard_edges"] for r in rows],
        "mixed draw": [r["mixed_ms"] * 1e6 / r["mixed_edges"] for r in rows],
    }
    width, height, left, bottom, top = 640, 360, 60, 50, 30
    low, high = math.log10(rows[0]["nodes"]), math.log10(rows[-1]["nodes"])
    most = max(map(max, lines.values())) * 1.1
    x = lambda n: left + (math.log10(n) - low) / max(high - low, 1e-9) * (width - left - 170)
    y = lambda v: height - bottom - v / most * (height - bottom - top)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18" font-weight="bold">Time per edge, one thread (flat is linear growth)</text>',
    ]
    for step in range(6):
        v = most / 5 * step
        parts.append(
            f'<line x1="{left}" x2="{width - 170}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#ddd"/><text x="{left - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v:.0f}</text>'
        )
    for r in rows:
        parts.append(
            f'<text x="{x(r["nodes"]):.1f}" y="{height - bottom + 18}" text-anchor="middle">{r["nodes"]:,}</text>'
        )
    parts.append(
        f'<text x="{(left + width - 170) / 2:.0f}" y="{height - 10}" text-anchor="middle">nodes</text><text transform="translate(16 {height / 2:.0f}) rotate(-90)" text-anchor="middle">nanoseconds per edge</text>'
    )
    ends = sorted(((values[-1], name) for name, values in lines.items()), reverse=True)
    places, last = {}, -99.0
    for value, name in ends:
        last = max(y(value) + 4, last + 15)
        places[name] = last
    for (name, values), colour in zip(lines.items(), ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a")):
        points = " ".join(f"{x(r['nodes']):.1f},{y(v):.1f}" for r, v in zip(rows, values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x(r["nodes"]):.1f}" cy="{y(v):.1f}" r="3" fill="{colour}"/>' for r, v in zip(rows, values)
        ]
        parts.append(f'<text x="{width - 160}" y="{places[name]:.1f}" fill="{colour}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bgcn", default="target/release/bgcn")
    parser.add_argument("--svg")
    parser.add_argument("--largest", type=int, default=1000000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            measure(options.bgcn, n, folder, options.repeat)
            for n in (1000, 10000, 100000, 1000000)
            if n <= options.largest
        ]
    print(table(rows))
    print(json.dumps(rows))
    if options.svg:
        with open(options.svg, "w") as file:
            file.write(svg(rows))
