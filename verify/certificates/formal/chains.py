"""Statements about redactions of a chain of bits, and about designs of them."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from .taken_apart import File, Json, expect, level, whole

RUN = re.compile(r"\(([0-9]+), Row ([0-9]+) ([0-9]+) ([0-9]+)\)")


def chain(file: File, certificate: Json) -> None:
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


def runs(file: File, name: str, given: Json, length: int) -> None:
    """Compare how likely records are hidden."""
    kind, text = file.definitions.get(name, ("nothing", ""))
    found = [[*map(int, run)] for run in RUN.findall(text)]
    expect(kind == "runs", name)
    expect(text == f"[{'; '.join('({}, Row {} {} {})'.format(*run) for run in found)}]", name)
    expect(all(run[1] > 0 and math.gcd(*run[1:]) == 1 for run in found), f"{name}: units")
    shown = [[n, Fraction(zero, whole), Fraction(one, whole)] for n, whole, zero, one in found]
    expect(shown == [[int(n), *map(Fraction, pair)] for n, *pair in given], name)
    expect(sum(n for n, *_ in found) == length, f"{name}: length")


def redaction(file: File, certificate: Json) -> tuple[list[str], str]:
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


def designs(file: File, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate of redaction designs; return its definitions and its statement."""
    claim, keys = certificate["claim"], "redacted at_least at_most utility blind_most"
    chain(file, certificate)
    names = ["c"]
    for i, entry in enumerate(claim["designs"]):
        part, utility = file.record(f"d{i}", "design", keys), entry["utility"]
        upper, blind = utility["upper"], entry["name"] == "data-independent"
        expect(upper is None or blind, f"{entry['name']}: an upper bound")
        runs(file, f"r{i}", entry["redaction"], int(certificate["chain"]["length"]))
        low, high = entry["leakage"]
        expected = {
            "redacted": f"r{i}",
            "at_least": fraction(low),
            "at_most": fraction(high),
            "utility": fraction(utility["lower"]),
            "blind_most": "None" if upper is None else f"Some {fraction(upper)}",
        }
        expect(part == expected, f"d{i}")
        names += [f"r{i}", f"d{i}"]
    every = "; ".join(f"d{i}" for i in range(len(claim["designs"])))
    return names, f"are_designs c {level(claim['level'])} [{every}]"


def fraction(given: Json) -> str:
    x = Fraction(given)
    return f"({x.numerator}, {x.denominator}%positive)"


def symbols(output: str) -> str:
    """Return an output as runs of symbols."""
    names = {"*": "None", "0": "Some false", "1": "Some true"}
    parts = re.findall(r"((.)\2*)", output)
    return f"(spread [{'; '.join(f'({len(run)}, {names[symbol]})' for run, symbol in parts)}])"
