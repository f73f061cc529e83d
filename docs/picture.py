#!/usr/bin/env python3
"""docs/report.png: the suspicious edges in the report of the default fit of the demo. Needs chromium and the command.

    python3 docs/picture.py [target/release/bgcn]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

OUT = pathlib.Path(__file__).with_name("report.png").resolve()
WIDTH, HEIGHT = 985, 1580
#: Nothing is asked of the network.
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1"]


def main():
    bgcn = sys.argv[1] if len(sys.argv) > 1 else "target/release/bgcn"
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        subprocess.run([bgcn, "fit", "demo", "--out", run, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        report = (run / "report.html").read_text(encoding="utf-8")
        head, body = report[: report.index("<body")], report[report.index("<h2>Suspicious edges") :]
        page = pathlib.Path(folder) / "page.html"
        opening = re.search(r"<body[^>]*>(\s*<main[^>]*>)?", report)[0]
        page.write_text(head + opening + body[: body.index("<h2>Missing edges")], encoding="utf-8")
        size = [f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={OUT}", f"--user-data-dir={folder}/profile"]
        subprocess.run(["chromium", *QUIET, *size, page.as_uri()], check=True, capture_output=True)
    print(OUT.name)


if __name__ == "__main__":
    main()
