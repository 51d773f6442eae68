"""The same input gives the same bytes: every kind of file that commands write, by two processes
whose hashes, time zones and folders differ.

Two processes, since the order of a set is chosen when one starts.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.reports.console.test_hostile_labels import GROUPS, files

COMMANDS = [
    "audit f.json m.json --epsilon log(3) --certificate c.json --csv t.csv --plot o.svg --json",
    "audit f.json m.json --epsilon log(2) --certificate w.json --plot o.png --table",
    "compose f.json m.json --runs 3 --certificate j.json --json",
    "compose f.json m.json --runs 3 --plot p.svg",
    "conditions f.json m.json --json",
    "worst f.json --budget log(2) --budget log(3) --out mechanisms --json",
    "partner f.json m.json --budget log(2) --out partner.json",
    "export c.json --coq c.v",
    "check c.json --explain",
    "influence records.json --plot i.svg --json",
    "translate records.json --per-record-dp log(2) --out translated --json",
    "report examples --out out",
]
SCRIPT = """
import contextlib, io, sys
from pufferproof.reports import cli
for line in sys.argv[1:]:
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = cli._run(line.split())
    print(line, code)
    print(told.getvalue())
"""


def written(folder: Path, seed: str, zone: str) -> dict[str, bytes]:
    """What the commands print and write in a folder."""
    folder.mkdir()
    framework, mechanism = files(["a", "b", "s", "t", *GROUPS[1][4:]])
    chain = {"markov": {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/4", "3/4"]]}}
    secrets = {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}}
    records = framework | {
        "records": {"count": 3, "alphabet": ["0", "1"]},
        "secrets": secrets,
        "pairs": [["s", "t"]],
        "priors": {"p": chain, "q": {"product": [["1/2", "1/2"]] * 3}},
    }
    del records["databases"]
    example = folder / "examples" / "one"
    example.mkdir(parents=True)
    for name, document in {"f": framework, "m": mechanism, "records": records}.items():
        (folder / f"{name}.json").write_text(json.dumps(document))
        (example / f"{name}.json").write_text(json.dumps(document))
    (example / "example.toml").write_text(
        'title = "one"\n[[audit]]\nframework = "f.json"\nmechanism = "m.json"\nshows = "x"\nepsilon = "log(2)"\n'
    )
    environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *COMMANDS], cwd=folder, env=environment, capture_output=True, check=True
    )
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items()} | {
        "printed": done.stdout.replace(str(folder).encode(), b"")
    }


@pytest.mark.pages
def test_two_processes_write_the_same_bytes(tmp_path):
    one = written(tmp_path / "one", "1", "UTC")
    other = written(tmp_path / "the other", "4711", "Asia/Tokyo")
    assert one.keys() == other.keys()
    assert {name for name in one if one[name] != other[name]} == set()
    kinds = {Path(name).suffix for name in one}
    assert kinds >= {".json", ".csv", ".svg", ".png", ".v", ".html", ".md"}
    codes = [line.rpartition(b" ")[2] for line in one["printed"].splitlines()]
    assert codes.count(b"2") == 0
