"""Subjects can be taken away: without the modules of one, and of those that use it, help, schemas
and public names are those that are left, and drawn questions are answered as before. A subject
imports no other but those that its entry names, and all else only where it is asked for.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import grimp
import pytest

import pufferproof
from pufferproof.reports.commands import COMMANDS, SUBJECTS

ROOT = Path(__file__).parents[2]
PACKAGE = Path(pufferproof.__path__[0])
WITHOUT = """
import contextlib, io, json, sys, tempfile
from pathlib import Path

import pufferproof
from pufferproof.reports import cli
from tests.same.answers import answered, recorded, worse
from tests.same.kinds import question

def printed(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli._run([*words])
    return code, out.getvalue() + err.getvalue()

found = {"package": pufferproof.__path__[0], "questions": 0, "worse": []}
found["help"], gone = printed("--help")[1], sys.argv[1:]
found["gone"] = {name: printed(name, "--help") for name in gone}
found["schemas"], everything = printed("schema", "?")[1], {}
exec("from pufferproof import *", everything)
found["names"] = sorted({*everything} - {"__builtins__"})
found["refused"] = {}
for name in {*pufferproof._HOME} - {*everything}:
    try:
        getattr(pufferproof, name)
    except pufferproof.PufferproofError as error:
        found["refused"][name] = str(error)
for kind, rows in recorded().items():
    number, answer = rows[0]
    asked = question(kind, number)
    if asked.words[0] not in gone:
        with tempfile.TemporaryDirectory() as folder:
            now = answered(asked, Path(folder))
        if "left out of this installation" not in now.get("refused", ""):
            found["questions"] += 1
            found["worse"] += [f"{kind} {number}: {line}" for line in worse(answer, now)]
print(json.dumps(found))
"""


def module_file(room):
    place = PACKAGE.joinpath(*room.split("."))
    return place if place.is_dir() else place.with_suffix(".py")


def with_those_that_use(subject):
    """Return a subject with all that use it, in turn."""
    found = {subject}
    while more := {name for name, each in SUBJECTS.items() if found & {*each.needs.split()}} - found:
        found |= more
    return found


def rooms(subjects):
    return [room for name in subjects for room in SUBJECTS[name].rooms.split()]


def inside(module, subjects):
    """Whether a module of the package, `module:name` too, belongs to subjects."""
    name = module.removeprefix("pufferproof.").partition(":")[0]
    return any(f"{name}.".startswith(f"{room}.") for room in rooms(subjects))


def taken_away(subjects, folder):
    """Copy the package without the rooms of subjects; what answers say of claims stays."""
    out = {module_file(room) for room in rooms(subjects)}

    def left_out(place, names):
        return [name for name in names if name == "__pycache__" or Path(place, name) in out]

    def linked(source, target):
        try:
            os.link(source, target)
        except OSError:  # of another disk
            shutil.copyfile(source, target)

    shutil.copytree(PACKAGE, folder / "pufferproof", ignore=left_out, copy_function=linked)
    record = folder / "pufferproof" / "claims" / "EXPECTED.json"
    if not record.exists():
        record.parent.mkdir()
        linked(PACKAGE / "claims" / record.name, record)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_all_else_works_without_a_subject(subject, tmp_path):
    gone = with_those_that_use(subject)
    taken_away(gone, tmp_path)
    commands = [name for name, place in COMMANDS.items() if inside(place.path, gone)]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *commands],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["package"] == str(tmp_path / "pufferproof")
    assert not [name for name in commands if f"\n  {name} " in found["help"]]
    assert all(code == 2 and "is no command" in said for code, said in found["gone"].values())
    names = {name for name, home in pufferproof._HOME.items() if inside(home, gone)}
    assert {*found["names"]} == pufferproof._HOME.keys() - names
    assert found["refused"].keys() == names
    assert all("left out of this installation" in said for said in found["refused"].values())
    schemas = {name for each in commands for name in COMMANDS[each].schemas}
    assert schemas.isdisjoint(re.findall(r"[\w-]+", found["schemas"].partition("one of")[2]))
    assert found["questions"] > 30
    assert found["worse"] == []


CERTIFIED = """
from pufferproof.reports import cli
framework, mechanism = EXAMPLE
audited = cli._run(["audit", framework, mechanism, "--certificate", "certificate.json"])
checked = cli._run(["check", "certificate.json", framework, mechanism, "--explain"])
packed = cli._run(["audit", framework, mechanism, "--evidence", "evidence.zip"])
raise SystemExit(audited * 100 + checked * 10 + packed)
"""


def test_certificates_are_written_and_checked_without_evidence(tmp_path):
    taken_away(["evidence"], tmp_path)
    example = [
        str(ROOT / "examples" / "textbook" / "randomized-response" / name)
        for name in ("framework.toml", "mechanism.csv")
    ]
    done = subprocess.run(
        [sys.executable, "-c", CERTIFIED.replace("EXAMPLE", repr(example))],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr  # of the evidence alone
    assert "accepted" in done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert "left out of this installation" in done.stderr
    assert not (tmp_path / "evidence.zip").exists()


def test_subjects_have_rooms_of_their_own_and_use_subjects_of_the_table():
    every = rooms(SUBJECTS)
    assert len(every) == len({*every})
    assert [room for room in every if not module_file(room).exists()] == []
    used = {name for each in SUBJECTS.values() for name in each.needs.split()}
    assert used <= SUBJECTS.keys()


@cache
def lines(module):
    place = module_file(module.removeprefix("pufferproof").strip("."))
    return (place / "__init__.py" if place.is_dir() else place).read_text("utf-8").splitlines()


def at_the_margin(module, number):
    return not lines(module)[number - 1].startswith(" ")


@cache
def imports():
    """The imports of the package, those inside functions too."""
    return grimp.build_graph("pufferproof", exclude_type_checking_imports=True, cache_dir=None)


@cache
def subjects_of(module):
    return {name for name in SUBJECTS if inside(module, [name])}


def imported(modules):
    """The subjects that modules import beside their own: at the margin, and inside functions."""
    first, later = set(), set()
    for module in modules:
        for other in imports().find_modules_directly_imported_by(module):
            used = subjects_of(other) - subjects_of(module)
            for each in imports().get_import_details(importer=module, imported=other):
                (first if at_the_margin(module, each["line_number"]) else later).update(used)
    return first, later - first


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_imports_the_subjects_that_its_entry_names_and_no_other(subject):
    own = [module for module in imports().modules if subject in subjects_of(module)]
    entry = SUBJECTS[subject]
    assert imported(own) == ({*entry.needs.split()}, {*entry.asks.split()})


def test_all_else_imports_a_subject_only_inside_functions():
    others = [
        module
        for module in imports().modules
        if not subjects_of(module) and not module.startswith("pufferproof.examples.")
    ]
    assert len(others) > 350
    assert imported(others)[0] == set()


def test_the_page_on_the_architecture_lists_the_subjects():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = page.partition("Some subjects can be taken away")[2].partition("These are")[2]
    assert re.findall(r"`([a-z-]+)`", told.partition("\n\n")[0]) == [*SUBJECTS]
