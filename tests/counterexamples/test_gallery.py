"""The gallery: what is on disk is what is built, the kernel accepts every certificate, and each
shows what it says.
"""

import json
from fractions import Fraction

import pytest

from pufferproof import audit, read_framework, read_mechanism
from pufferproof.counterexamples.collapse.search import Impossible, search_collapse
from pufferproof.counterexamples.collapse.threshold import search_threshold
from pufferproof.counterexamples.gallery import build, entries
from pufferproof.verify import kernel
from pufferproof.verify.audit.composition import compose

FOLDER = build.FOLDER
FINDS = entries.FINDS
JOINT, FINITE = (sorted(path.parent.name for path in FINDS.glob(f"*/{file}.json")) for file in ("joint", "finite-1"))
SOURCES = {"__init__.py", "build.py", "entries.py"}
CERTIFICATES = sorted(
    path.relative_to(FINDS).as_posix()
    for path in FINDS.glob("*/*.json")
    if path.name != "framework.json" and not (path.stem[0] == "m" and path.stem[1:].isdigit())
)
FREE = (
    "multipliers",
    "alpha",
    "betas",
    "outputs",
)  # several are right: which one is found is up to the solver's version


def comparable(name, text):
    """Return a file without what a proof may choose."""
    if not name.endswith(".json") or "joint" in name:
        return text
    document = json.loads(text)
    if "claim" in document:
        document["claim"] = {key: value for key, value in document["claim"].items() if key not in FREE}
    return document


def gallery():
    """Every entry by its name; not while tests are collected, as it takes seconds."""
    return {entry.name: entry for entry in entries.all_entries()}


def mechanisms_of(folder, document):
    by_hash = {}
    for path in folder.glob("m*.json"):
        by_hash["sha256:" + build.hashlib.sha256(path.read_bytes()).hexdigest()] = str(path)
    return [by_hash[digest] for digest in document["inputs"]["mechanisms"]]


def test_files_on_disk_are_what_build_writes():
    on_disk = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name not in SOURCES
    }
    built = build.built_files()
    assert on_disk.keys() == built.keys()
    assert [name for name, entry in sorted(gallery().items()) if entry.joint] == JOINT
    assert [name for name, entry in sorted(gallery().items()) if entry.finite] == FINITE
    for name, text in built.items():
        assert comparable(name, on_disk[name]) == comparable(name, text), name


def test_the_mechanisms_on_disk_are_the_smallest_that_are_found_without_them():
    assert entries.derived_entries() == entries.all_entries()
    assert [entry.name for entry in entries.all_entries() if entry.smallest] == [
        "smallest-pair",
        "two-bits",
        "unequal-bits",
        "three-bits",
        "two-priors",
        "phase-transition",
        "three-runs",
    ]


def test_the_kernel_accepts():
    for name in CERTIFICATES:
        path = FINDS / name
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["kind"] == "farkas":
            assert kernel.check(str(path)).checked > 0
        else:
            accepted = kernel.check(
                str(path), str(path.parent / "framework.json"), mechanisms_of(path.parent, document)
            )
            assert accepted.checked > 0
            assert accepted.inputs == "matched"


def test_the_kernel_refuses_them_when_tampered_with(tmp_path):
    for name in [name for name in CERTIFICATES if name.endswith(("finite-1.json", "joint.json"))]:
        document = json.loads((FINDS / name).read_text(encoding="utf-8"))
        if document["kind"] == "farkas":
            row = document["claim"]["conclusion"]["row"]
            row[:] = [str(Fraction(entry) + Fraction(1, 100)) if Fraction(entry) < 0 else entry for entry in row]
        else:
            for mechanism in document["mechanisms"]:  # the same law for every database: nothing leaks
                rows = mechanism["channel"]
                mechanism["channel"] = dict.fromkeys(rows, next(iter(rows.values())))
        (tmp_path / "c.json").write_text(json.dumps(document))
        with pytest.raises(kernel.Refused):
            kernel.check(str(tmp_path / "c.json"))


def test_files_break_what_they_keep_alone():
    for name in JOINT:
        entry, folder = gallery()[name], FINDS / name
        framework = read_framework(folder / "framework.json").value
        mechanisms = [read_mechanism(folder / f"m{i + 1}.json", framework).value for i in range(len(entry.mechanisms))]
        for mechanism, budget in zip(mechanisms, entry.budgets):
            assert audit(framework, mechanism, budget).verdict.value == "SATISFIES"
        joint = compose(framework, [mechanisms[i] for i in entry.joint]).joint.leakage
        if name == "nfc-not-enough":
            assert joint.ratio == Fraction(24, 13) > Fraction(4, 3) ** 2
        else:
            assert joint.infinite


@pytest.mark.parametrize("name", [name for name in FINITE if name != "three-runs"])
def test_where_finiteness_is_certified_collapse_is_impossible(name):
    entry = gallery()[name]
    for bounded in entry.finite:
        found = search_collapse(entry.framework, [bounded.budget], per_record=bounded.per_record, engine="rays")
        assert found == Impossible(None, "rays")


def test_a_framework_on_disk_knows_its_records():
    for name, entry in gallery().items():
        found = read_framework(FINDS / name / "framework.json").value
        assert (found.records, found.databases) == (entry.framework.records, entry.framework.databases)
    assert read_framework(FINDS / "per-record-dp" / "framework.json").value.records is not None


@pytest.mark.parametrize("engine", ["lp", "rays", "z3"])
def test_three_runs_need_three(engine):
    framework = gallery()["three-runs"].framework
    assert search_collapse(framework, ["log(5/4)"] * 2, engine=engine) == Impossible(2, engine)
    assert search_collapse(framework, ["log(5/4)"], engine=engine).runs == 3


def test_the_phase_transition_is_exactly_where_the_gallery_shows_it():
    found = search_threshold(gallery()["phase-transition"].framework, 2)
    assert (found.exact, found.power, found.value) == (True, 1, 2)


def test_every_folder_is_in_the_readme():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    folders = {path.name for path in FINDS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == gallery().keys()
    assert all(f"]({build.FINDS.name}/{name})" in text for name in folders)
