"""What repeats draws takes nothing from the sender that decides what a program is compared with:
an edited list of draws never lets a program agree that is not the one of the table.
"""

import json
import shutil
from copy import deepcopy
from fractions import Fraction

import pytest

from pufferproof.models.noise.additive import Noise
from pufferproof.verify.programs.agreement.cells import at_least
from pufferproof.verify.programs.repeating import Unread, _first, _offsets, repeated

BITS = ["00", "01", "10", "11"]
CALL = {"records": "text", "alphabet": ["0", "1"], "read": "str", "arguments": {}}
CALL |= {"named": False, "sized": False, "class": False, "runs": 1}
SECRETS = {"no": {"record": 1, "value": "0"}, "yes": {"record": 1, "value": "1"}}
CHAIN = {"initial": "stationary", "transition": [["4/5", "1/5"], ["1/10", "9/10"]]}
FRAMEWORK = {"secrets": SECRETS, "pairs": "disjoint", "closure": "list"}
FRAMEWORK |= {"records": {"count": 2, "alphabet": ["0", "1"]}, "priors": {"p": {"markov": CHAIN}}}
COIN = {"outputs": ["a", "b"], "channel": {x: ["1/2", "1/2"] for x in BITS}}
LAPLACE = {"query": "sum", "noise": {"laplace": {"scale": "20"}}}
LISTED = {"outputs": [[[1, "a"], "a"], [[1, "b"], "b"]], "parts": [], "rest": None, "event": False}
NOISY = {"outputs": [], "parts": [], "rest": None, "event": False}
NOISY |= {"pattern": [8, "number"], "following": [None]}
NUMBERS = LISTED | {"outputs": [[[0, "1"], "a"], [[0, "2"], "b"]]}
PAIR = NOISY | {"pattern": [2, [[8, "number"], [8, "number"]]], "following": [None, [0, 2.0, 1.0]]}
WITH_1 = NOISY | {"pattern": [2, [[8, "number"], [0, "1"]]]}
RIGHT = {
    "coin": (COIN, LISTED, "return 'ab'[rng.integers(2)]"),
    "numbers": (COIN, NUMBERS, "return 1.0 + rng.integers(2)"),
    "rounded": (COIN, NUMBERS, "return (0.1 + 0.2 + 0.7) * (1 + rng.integers(2)) + 4e-16"),
    "laplace": (LAPLACE, NOISY, "return d.count('1') + rng.laplace(scale=20)"),
    "pair": (LAPLACE, PAIR, "y = d.count('1') + rng.laplace(scale=20); return y, 2 * y + 1"),
    "with 1": (LAPLACE, WITH_1, "return d.count('1') + rng.laplace(scale=20), 1"),
}


@pytest.fixture
def made(tmp_path):
    """Return a function that makes a folder of evidence of a program, with its draws."""

    def make(name):
        mechanism, program, body = RIGHT[name]
        shutil.rmtree(tmp_path / name, ignore_errors=True)
        (tmp_path / name).mkdir()
        certificate = {"kind": "leakage-at-most", "framework": FRAMEWORK, "claim": {}}
        write(tmp_path / name, body)
        (tmp_path / name / "certificate.json").write_text(json.dumps(certificate))
        (tmp_path / name / "mechanism.json").write_text(json.dumps(mechanism))
        program = {"mechanism": "mechanism.json", "module": f"p{write.count}", "name": "f"} | program
        program |= {"call": CALL, "seed": 0, "databases": {}, "files": [f"p{write.count}.py"]}
        return tmp_path / name, program

    return make


@pytest.fixture
def fewer(monkeypatch):
    """Draw less often."""
    monkeypatch.setattr("pufferproof.verify.programs.repeating._MOST", 20_000)


def write(folder, body):
    write.count += 1  # a module is imported once
    (folder / f"p{write.count}.py").write_text(f"def f(d, rng, e=1.0):\n    {body}\n")


write.count = 0


def recorded(folder, program):
    """Return the list of draws that the maker writes."""
    first = _first(folder, program)
    assert first["why"] is first["differs"] is None
    databases = {x: {"counts": counts} for x, counts in first["counts"].items()}
    program = program | {"draws": first["draws"], "databases": databases}
    return {"files": {}, "packages": {}, "why": None, "programs": [program]}


@pytest.mark.parametrize("name", RIGHT)
def test_a_program_agrees_with_its_table_by_the_seed_and_by_others(made, name, fewer):
    folder, program = made(name)
    known = recorded(folder, program)
    assert len(known["programs"][0]["databases"]) == 4
    for seed in (None, 7):
        answer = repeated(folder, known, seed)
        assert answer["agree"] is True
        assert answer["lines"] == [
            f"mechanism.json: 20000 draws of {program['module']}:f agree with it, "
            "called as f('00', rng) for database '00'"
        ]


WRONG = {
    "coin": ["return d"],
    "numbers": [
        "return int(1 + rng.integers(2)) + int(d) * 1e-10",
        "x = 1.0 + rng.integers(2); return x if d == '00' else float(np.nextafter(x, 3))",
    ],
    "laplace": ["return float(d.count('1'))", "return rng.laplace(scale=20)"],
    "pair": ["y = d.count('1') + rng.laplace(scale=20); return y, 2 * y + 1 + int(d) * 1e-7"],
    "with 1": ["return d.count('1') + rng.laplace(scale=20), 1 + int(d) * 1e-16 * 4"],
}
one = {"00": {"counts": {"a": 1}}, "01": {"counts": {"b": 1}}}
edged = {x: {"edges": [[]], "counts": {"number 1, cell 0": 25_000}} for x in BITS}
EDITS = {
    "nothing": {},
    "edges of cells": {"databases": edged},
    "no database": {"databases": {}},
    "one draw": {"draws": 1, "databases": one},
    "one draw of each": {"draws": 1, "databases": {x: {"counts": {"a": 1}} for x in BITS}},
    "no draw": {"draws": 0, "databases": {x: {"counts": {}} for x in BITS}},
    "one database": {"databases": {"00": {"counts": {"a": 50_000}}}},
    "sides": {"databases": {x: {"side": "at least", "counts": {}} for x in BITS}},
    "an event": {"event": True},
    "another mechanism": {"mechanism": "other.json"},
    "another seed": {"seed": 8},
    "all one output": {"outputs": [], "rest": "a"},
    "no file": {"files": [], "module": "os", "name": "urandom"},
    "one argument": {"call": CALL | {"records": "list", "read": "float", "alphabet": ["xx"]}},
}


PROGRAMS = [(name, body, "nothing") for name, bodies in WRONG.items() for body in bodies]
FORGED = [(name, WRONG[name][0], edit) for name in ("coin", "laplace") for edit in EDITS]


@pytest.mark.parametrize(("name", "body", "edit"), PROGRAMS + FORGED)
def test_no_edited_list_lets_another_program_agree(made, name, body, edit):
    folder, program = made(name)
    write(folder, f"import numpy as np; {body}")
    module = f"p{write.count}"
    program = program | {"module": module, "files": [f"{module}.py"], "draws": 1_000}
    program["databases"] = {x: {"counts": {}} for x in BITS}
    (folder / "other.json").write_text(json.dumps({"outputs": ["a"], "channel": {}}))
    known = {"files": {}, "packages": {}, "why": None, "programs": [program | EDITS[edit]]}
    for seed in (None, 7):
        answer = repeated(folder, known, seed)
        assert answer["agree"] is not True, answer
        assert "NOT" in answer["lines"][-1]


def test_what_shows_nothing_is_said_in_words(made, fewer):
    folder, program = made("coin")
    known = recorded(folder, program)
    (program,) = known["programs"]

    def said(**changes):
        answer = repeated(folder, deepcopy(known) | {"programs": [program | changes]})
        assert answer["agree"] is None
        return answer["lines"][-1]

    assert "has 999 draws of a database: expected 1000 or more" in said(draws=999)
    assert "other databases than the table asks for" in said(databases={"00": {"counts": {}}})
    assert "has the seed 3" in said(seed=3)
    assert "is in no file that is packed" in said(module="random", name="random")
    assert "which is no mechanism file" in said(mechanism="certificate.json")
    answer = repeated(folder, known | {"programs": []})
    assert answer["agree"] is None
    assert answer["lines"] == ["mechanism.json: draws NOT REPEATED: draws.json has no program for it"]
    document = json.loads((folder / "mechanism.json").read_text())
    (folder / "mechanism.json").write_text(json.dumps(document | {"threshold": "3"}))
    assert "draw.py does not read 'threshold' of mechanism.json" in said()


def test_the_line_says_how_a_program_is_called(made, fewer):
    folder, program = made("coin")
    write(folder, "return d if e else 'ab'[rng.integers(2)]")
    call = CALL | {"arguments": {"e": ["float", "0.0"]}}
    module = f"p{write.count}"
    known = recorded(folder, program | {"module": module, "files": [f"{module}.py"], "call": call})
    answer = repeated(folder, known)
    assert answer["agree"] is True
    assert answer["lines"][0].endswith("called as f('00', rng, e=0.0) for database '00'")


def test_a_few_of_many_databases_are_those_of_the_seed(made, fewer):
    folder, program = made("coin")
    rows = [f"{k:04b}" for k in range(16)]
    table = {"outputs": ["a", "b"], "channel": {x: ["1/2", "1/2"] for x in rows}}
    (folder / "mechanism.json").write_text(json.dumps(table))
    known = recorded(folder, program | {"databases": {"1111": {}}})
    databases = known["programs"][0]["databases"]
    assert "1111" in databases
    assert 8 <= len(databases) <= 9
    assert repeated(folder, known)["agree"] is repeated(folder, known, 7)["agree"] is True
    del databases[min({*databases} - {"1111"})]
    assert repeated(folder, known)["agree"] is None


def test_edges_are_quantiles_of_the_noise():
    for kind in ["laplace", "gaussian", "geometric"]:
        for size in [Fraction(1, 3), Fraction(9, 10)]:
            offsets = _offsets({"noise": {kind: {"size": str(size)}}})
            noise = getattr(Noise, kind)(size)
            below = [1 - float(at_least(noise, Fraction(edge)).mid()) for edge in offsets]
            assert offsets == sorted(offsets)
            if kind != "geometric":
                assert below == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])
            else:
                assert 0 < min(below) <= 0.5 <= max(below) < 1


def test_other_noise_is_not_read():
    with pytest.raises(Unread, match="does not read noise 'staircase'"):
        _offsets({"noise": {"staircase": {"scale": "1"}}})
