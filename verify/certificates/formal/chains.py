"""Statements about redactions of a chain of bits, and about designs of them."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from .taken_apart import ExportedFile, Json, expect, level, whole

CLASSES = {"data-independent": "Blind", "local-optimal": "Anything", "central-lp": "Anything"}
STEADY = {"3r-constant": "true", "3r-exact": "false"}  # whether a side has one probability
SIDES = re.compile(r"\(Side [0-9]+ [0-9]+ [0-9]+\) \(Side [0-9]+ [0-9]+ [0-9]+\)")
RUN = re.compile(r"\(([0-9]+), Row ([0-9]+) ([0-9]+) ([0-9]+)\)")


def chain(file: ExportedFile, certificate: Json) -> None:
    """Compare a chain of bits and its private record."""
    given, keys = certificate["chain"], "step_unit leave back first_zero first_one private"
    part = {key: whole(text) for key, text in file.record("c", "chain", keys).items()}
    steps = [Fraction(given["alpha"]), Fraction(given["beta"])]
    expect(part["step_unit"] > 0, "step_unit")
    expect([Fraction(part[key], part["step_unit"]) for key in ("leave", "back")] == steps, "steps")
    first, law = [part["first_zero"], part["first_one"]], steps[::-1]
    if given["initial"] != "stationary":
        law = [*map(Fraction, given["initial"])]
    expect(min(first) >= 0 and math.gcd(*first) == 1, "first record")
    expect([x * sum(law) for x in first] == [x * sum(first) for x in law], "first record")
    expect(part["private"] == int(certificate["private"]), "private")


def runs(file: ExportedFile, name: str, given: Json, length: int) -> None:
    """Compare how likely records are hidden."""
    kind, text = file.definitions.get(name, ("nothing", ""))
    found = [[*map(int, run)] for run in RUN.findall(text)]
    expect(kind == "runs", name)
    expect(text == f"[{'; '.join('({}, Row {} {} {})'.format(*run) for run in found)}]", name)
    expect(all(run[1] > 0 and math.gcd(*run[1:]) == 1 for run in found), f"{name}: units")
    shown = [[n, Fraction(zero, whole), Fraction(one, whole)] for n, whole, zero, one in found]
    expect(shown == [[int(n), *map(Fraction, pair)] for n, *pair in given], name)
    expect(sum(n for n, *_ in found) == length, f"{name}: length")


def redaction(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate of what a redaction leaks; return its definitions and its statement."""
    claim = certificate["claim"]
    chain(file, certificate)
    runs(file, "r", certificate["redaction"], int(certificate["chain"]["length"]))
    named = "None" if claim["output"] is None else f"(Some {symbols(claim['output'])})"
    said = [f"leaks_everything c r {named}"]
    if claim["level"] != "inf":
        stated = {
            "<=": f"leaks_at_most c r {level(claim['level'])}",
            ">=": f"leaks_at_least c r {named} {level(claim['level'])}",
            ">": f"leaks_more c r {named} {level(claim['level'])}",
        }
        signs = ["<=", ">="] if claim["relation"] == "=" else [claim["relation"]]
        said = [stated[sign] for sign in signs]
    return ["c", "r"], " /\\ ".join(["well_formed_redaction c r", *said])


def designs(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate of redaction designs; return its definitions and its statement."""
    claim, keys = certificate["claim"], "redacted at_least at_most utility no_more"
    chain(file, certificate)
    names, length = ["c"], int(certificate["chain"]["length"])
    for i, entry in enumerate(claim["designs"]):
        part, utility = file.record(f"d{i}", "design", keys), entry["utility"]
        name, mechanism = f"r{i}", f"ByValue r{i}"
        if entry["name"] == "central-lp":
            name, mechanism = f"a{i}", f"ByAll {length}%nat a{i}"
            answers(file, name, entry["redaction"])
        else:
            runs(file, name, entry["redaction"], length)
        low, high = entry["leakage"]
        expected = {
            "redacted": mechanism,
            "at_least": fraction(low),
            "at_most": fraction(high),
            "utility": fraction(utility["lower"]),
            "no_more": others(part["no_more"], entry, certificate["chain"]),
        }
        expect(part == expected, f"d{i}")
        names += [name, f"d{i}"]
    every = "; ".join(f"d{i}" for i in range(len(claim["designs"])))
    return names, f"are_designs c {level(claim['level'])} [{every}]"


def others(text: str, entry: Json, chain: Json) -> str:
    """Return what is said of other mechanisms, with the regions of the text, which Coq judges."""
    name, upper = entry["name"], entry["utility"]["upper"]
    if upper is None:
        return "None"
    said = CLASSES.get(name, "")
    if name in STEADY and (sides := SIDES.search(text)):
        turned = Fraction(chain["alpha"]) > Fraction(chain["beta"])
        said = f"ThreeR {str(turned).lower()} {STEADY[name]} {sides[0]}"
    expect(said, f"{name}: an upper bound")
    return f"Some ({said}, {fraction(upper)})"


def answers(file: ExportedFile, name: str, given: Json) -> None:
    """Compare what is shown of every sequence, with which probability."""
    part = file.record(name, "answers", "answer_unit answer_rows")
    unit = whole(part["answer_unit"])
    expect(unit > 0, f"{name}: unit")
    values, names = {"0": "false", "1": "true"}, {"*": "None", "0": "Some false", "1": "Some true"}
    rows = []
    for x, row in given.items():
        shares = {y: Fraction(p) * unit for y, p in row.items()}
        expect(all(share.denominator == 1 for share in shares.values()), f"{name}: {x}")
        shown = (f"([{'; '.join(names[o] for o in y)}], {p})" for y, p in shares.items())
        rows.append(f"([{'; '.join(values[v] for v in x)}], [{'; '.join(shown)}])")
    expect(part["answer_rows"] == f"[ {'; '.join(rows)} ]", f"{name}: rows")


def fraction(given: Json) -> str:
    x = Fraction(given)
    return f"({x.numerator}, {x.denominator}%positive)"


def symbols(output: str) -> str:
    """Return an output as runs of symbols."""
    names = {"*": "None", "0": "Some false", "1": "Some true"}
    parts = re.findall(r"((.)\2*)", output)
    return f"(spread [{'; '.join(f'({len(run)}, {names[symbol]})' for run, symbol in parts)}])"
