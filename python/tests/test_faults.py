"""A disk that is full: the system's number and words, and the run before stays.

The disk is a small tmpfs in a mount namespace of its own, which ends with the process.
"""

import subprocess
import sys

import bgcn
import pytest

SCRIPT = """
import errno, pathlib, sys
import bgcn

def fitted(seed):
    return bgcn.BayesianGCNClassifier(random_state=seed).fit(bgcn.datasets.load("karate"), labels_per_class=2)

def files():
    return {path.name: path.read_bytes() for path in run.iterdir()}

old, new, run = fitted(1), fitted(2), pathlib.Path("disk/run")
old.save(run)
before = files()
for free in (0, 8192):
    with open("disk/filler", "wb", buffering=0) as filler:
        try:
            while filler.write(bytes(4096)):
                pass
        except OSError:
            filler.truncate(filler.tell() - free)
    try:
        new.save(run, overwrite=True)
    except OSError as error:
        assert error.errno == errno.ENOSPC, repr(error)
        assert "No space left on device" in str(error) and "run" in str(error), str(error)
        assert error.filename.startswith("disk/run"), error.filename
    else:
        sys.exit("it was saved")
    assert files() == before
    assert [path.name for path in pathlib.Path("disk").iterdir() if path.name.startswith(".")] == []
    pathlib.Path("disk/filler").unlink()
bgcn.load(run)
new.save(run, overwrite=True)
assert files() != before
print("kept")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a tmpfs")
def test_a_full_disk_is_named_and_the_run_before_stays(tmp_path):
    (tmp_path / "disk").mkdir()
    mount = 'mount -t tmpfs -o size=1m tmpfs disk || exit 99; exec "$@"'
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh", sys.executable, "-c", SCRIPT]
    try:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if done.returncode == 99 or done.stderr.startswith("unshare:"):
        pytest.skip(f"no tmpfs can be mounted here: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "kept\n"


def test_a_path_that_is_a_file_is_an_os_error(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OSError, match="file") as caught:
        bgcn.GraphModel("sbm").fit(bgcn.datasets.load("karate")).save(tmp_path / "file" / "below")
    assert caught.value.errno is not None
    assert (tmp_path / "file").read_text() == "mine"
