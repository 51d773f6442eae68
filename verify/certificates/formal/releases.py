"""Statements about releases: what mechanisms leak of a framework, alone, together and run many
times, and worst cases within budgets.
"""

from __future__ import annotations

import re
from fractions import Fraction

from . import NotChecked
from .taken_apart import ExportedFile, Json, expect, laws, level, lists, pair, whole


def framework(file: ExportedFile, given: Json) -> None:
    """Compare the framework."""
    keys = "size secrets pairs prior_unit priors convex"
    part = file.record("f", "framework", keys)
    databases, secrets = given["databases"], given["secrets"]
    expect(whole(part["size"]) == len(databases), "size")
    held = [["true" if x in s else "false" for x in databases] for s in secrets.values()]
    expect(lists(part["secrets"]) == held, "secrets")
    expect(pairs_in(part["pairs"]) == pairs_of(given), "pairs")
    priors = [[Fraction(law.get(x, "0")) for x in databases] for law in given["priors"].values()]
    expect(laws(file, "p", part["prior_unit"], part["priors"]) == priors, "priors")
    expect(part["convex"] == {"list": "false", "convex": "true"}[given["closure"]], "convex")


def pairs_in(text: str) -> set[frozenset[int]]:
    found = re.fullmatch(r"\[((?:\([0-9]+, [0-9]+\)(?:; )?)*)\]%nat", text)
    if not found:
        raise NotChecked("pairs: expected pairs of numbers")
    return {frozenset(map(int, pair)) for pair in re.findall(r"\(([0-9]+), ([0-9]+)\)", found[1])}


def pairs_of(given: Json) -> set[frozenset[int]]:
    """Return the pairs of a framework as numbers of secrets."""
    names = {name: i for i, name in enumerate(given["secrets"])}
    if given["pairs"] != "disjoint":
        return {frozenset((names[s], names[t])) for s, t in given["pairs"]}
    held = [{*members} for members in given["secrets"].values()]
    return {frozenset((i, j)) for i in range(len(held)) for j in range(i) if not held[i] & held[j]}


def mechanism(file: ExportedFile, name: str, given: Json, space: Json) -> None:
    """Compare a mechanism; a database that has no row must be impossible."""
    part = file.record(name, "mechanism", "outputs row_unit rows")
    expect(whole(part["outputs"]) == len(given["outputs"]), f"{name}: outputs")
    rows = laws(file, f"r{name[1:]}", part["row_unit"], part["rows"])
    expect(len(rows) == len(space["databases"]), f"{name}: rows")
    for x, row in zip(space["databases"], rows):
        if x in given["channel"]:
            expect(row == [*map(Fraction, given["channel"][x])], f"{name}: row of {x!r}")
        else:
            possible = any(Fraction(law.get(x, "0")) for law in space["priors"].values())
            expect(not possible, f"{name}: no row of {x!r}")


def tables(file: ExportedFile, certificate: Json) -> list[str]:
    """Compare the framework and the mechanisms, and return the names of the mechanisms."""
    framework(file, certificate["framework"])
    names = [f"m{i}" for i in range(len(certificate["mechanisms"]))]
    for name, given in zip(names, certificate["mechanisms"]):
        mechanism(file, name, given, certificate["framework"])
    return names


def leakage(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate of leakage, and return its definitions and its statement."""
    claim, names = certificate["claim"], tables(file, certificate)
    if "releases" in claim:
        ms = f"[{'; '.join(f'm{i}' for i in claim['releases'])}]"
        released = f"(joint f {ms})"
    else:
        ms, released = "[m0]", "(channel f m0)"
    return ["f", *names], f"well_formed f {ms} /\\ {said(certificate['kind'], claim, released)}"


def said(kind: str, claim: Json, released: str) -> str:
    """Return the statement of a claim of leakage."""
    if kind.startswith("delta"):
        word = kind.replace("-", "_").replace("witness", "above")
        return f"{word} f {released} {level(claim['level'])} {pair(Fraction(claim['delta']))}"
    if kind.endswith("witness"):
        if claim["exceeds"] == "inf":
            return f"leakage_infinite f {released}"
        return f"leakage_above f {released} {level(claim['exceeds'])}"
    word = "leakage_at_most" if claim["attained"] is None else "leakage_equals"
    return f"{word} f {released} {level(claim['level'])}"


def many_runs(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate about many runs, and return its definitions and its statement."""
    claim, names = certificate["claim"], tables(file, certificate)
    if certificate["kind"] != "rate":
        levels = zip(names, claim["levels"], strict=True)
        parts = f"[{'; '.join(f'({name}, {level(e)})' for name, e in levels)}]"
    if certificate["kind"] == "nfc":
        statement = f"nfc_holds f {parts} /\\ levels_add_up f {parts}"
    elif certificate["kind"] == "nfc-violation":
        where = game(claim, certificate["framework"])
        statement = f"nfc_fails_at f {parts} {where} /\\ ~ levels_add_up f {parts}"
    elif claim["upper"] == "inf":
        statement = "rate_infinite f m0"
    else:
        bounds = level(claim["lower"]), level(claim["upper"])
        statement = f"rate_at_least f m0 {bounds[0]} /\\ rate_at_most f m0 {bounds[1]}"
    return ["f", *names], f"well_formed f [{'; '.join(names)}] /\\ {statement}"


def game(claim: Json, space: Json) -> str:
    """Return the numbers of two priors, of two secrets and of a database."""
    first, last = claim["prior"] if isinstance(claim["prior"], list) else [claim["prior"]] * 2
    places = [[*space["priors"]].index(prior) for prior in (first, last)]
    places += [[*space["secrets"]].index(secret) for secret in claim["pair"]]
    return " ".join(map(str, [*places, space["databases"].index(claim["database"])]))


def worst(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate of a worst case, and return its definitions and its statement."""
    claim, space = certificate["claim"], certificate["framework"]
    framework(file, space)
    expect(not certificate["mechanisms"], "mechanisms")
    shape = ""
    if (given := claim["records"]) is not None:
        expect(sequences(given["alphabet"], given["count"]) == space["databases"], "records")
        shape = f"Sequences {given['count']} {len(given['alphabet'])}"
    near = [None if each is None else f"(Some ({shape}, {level(each)}))" for each in claim["per_record"]]
    promised = [level(budget) for budget in claim["budgets"]]
    budgets = " ".join(f"(Budget {e} {each})" for e, each in zip(promised, near, strict=True))
    parts = ["worst_at_most"] + ["worst_at_least"] * (claim["attained"] is not None)
    said = [f"{word} f {budgets} {level(claim['level'])}" for word in parts]
    return ["f"], " /\\ ".join(["well_formed f []", *said])


def sequences(alphabet: list[str], count: int) -> list[str]:
    """Return all sequences of so many values as they are written, in their order."""
    between = "" if all(len(value) == 1 for value in alphabet) else ","
    words = [""]
    for k in range(count):
        words = [f"{word}{between * (k > 0)}{value}" for word in words for value in alphabet]
    return words
