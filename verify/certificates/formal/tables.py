"""A second reader: whether an exported file for Coq states what a certificate claims.

Coq says that the last theorem of the file is true. This says that the tables in it are those of
the certificate, that the theorem is about them and is the claim, and that the file has nothing but
tables, the theorem and one computation. It shares no code with the exporter or with the kernel.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable
from fractions import Fraction

from . import NotChecked
from .taken_apart import ExportedFile, Json, expect, laws, level, lists, pair, whole

# Releases ----------------------------------------------------------------------------------------


def framework(file: ExportedFile, given: Json) -> None:
    """Compare the framework."""
    keys = "size secrets pairs prior_unit priors convex"
    part = file.record("f", "framework", keys)
    databases, secrets = given["databases"], given["secrets"]
    expect(whole(part["size"]) == len(databases), "size")
    held = [["true" if x in s else "false" for x in databases] for s in secrets.values()]
    expect(lists(part["secrets"]) == held, "secrets")
    found = re.fullmatch(r"\[((?:\([0-9]+, [0-9]+\)(?:; )?)*)\]%nat", part["pairs"])
    if not found:
        raise NotChecked("pairs: expected pairs of numbers")
    pairs = {frozenset(map(int, pair)) for pair in re.findall(r"\(([0-9]+), ([0-9]+)\)", found[1])}
    if given["pairs"] == "disjoint":
        members = [{*secret} for secret in secrets.values()]
        expected = {frozenset((i, j)) for i in range(len(members)) for j in range(i) if not members[i] & members[j]}
    else:
        names = {name: i for i, name in enumerate(secrets)}
        expected = {frozenset((names[s], names[t])) for s, t in given["pairs"]}
    expect(pairs == expected, "pairs")
    priors = [[Fraction(law.get(x, "0")) for x in databases] for law in given["priors"].values()]
    expect(laws(file, "p", part["prior_unit"], part["priors"]) == priors, "priors")
    expect(part["convex"] == {"list": "false", "convex": "true"}[given["closure"]], "convex")


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


def framework_and_mechanisms(file: ExportedFile, certificate: Json) -> list[str]:
    """Compare the framework and the mechanisms, and return the names of the mechanisms."""
    framework(file, certificate["framework"])
    names = [f"m{i}" for i in range(len(certificate["mechanisms"]))]
    for name, given in zip(names, certificate["mechanisms"]):
        mechanism(file, name, given, certificate["framework"])
    return names


def leakage(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate of leakage, and return its definitions and its statement."""
    claim, names = certificate["claim"], framework_and_mechanisms(file, certificate)
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
    claim, names = certificate["claim"], framework_and_mechanisms(file, certificate)
    if certificate["kind"] != "rate":
        levels = zip(names, claim["levels"], strict=True)
        parts = f"[{'; '.join(f'({name}, {level(e)})' for name, e in levels)}]"
    if certificate["kind"] == "nfc":
        statement = f"nfc_holds f {parts} /\\ levels_add_up f {parts}"
    elif certificate["kind"] == "nfc-violation":
        # the numbers of two priors, of two secrets and of a database
        space = certificate["framework"]
        first, last = claim["prior"] if isinstance(claim["prior"], list) else [claim["prior"]] * 2
        places = [[*space["priors"]].index(prior) for prior in (first, last)]
        places += [[*space["secrets"]].index(secret) for secret in claim["pair"]]
        where = " ".join(map(str, [*places, space["databases"].index(claim["database"])]))
        statement = f"nfc_fails_at f {parts} {where} /\\ ~ levels_add_up f {parts}"
    elif claim["upper"] == "inf":
        statement = "rate_infinite f m0"
    else:
        bounds = level(claim["lower"]), level(claim["upper"])
        statement = f"rate_at_least f m0 {bounds[0]} /\\ rate_at_most f m0 {bounds[1]}"
    return ["f", *names], f"well_formed f [{'; '.join(names)}] /\\ {statement}"


def worst(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Compare a certificate of a worst case, and return its definitions and its statement."""
    claim, space = certificate["claim"], certificate["framework"]
    framework(file, space)
    expect(not certificate["mechanisms"], "mechanisms")
    shape = ""
    if (given := claim["records"]) is not None:
        alphabet = given["alphabet"]
        between = "" if all(len(value) == 1 for value in alphabet) else ","
        words = [""]  # all sequences of so many values as they are written, in their order
        for k in range(given["count"]):
            words = [f"{word}{between * (k > 0)}{value}" for word in words for value in alphabet]
        expect(words == space["databases"], "records")
        shape = f"Sequences {given['count']} {len(given['alphabet'])}"
    near = [None if each is None else f"(Some ({shape}, {level(each)}))" for each in claim["per_record"]]
    promised = [level(budget) for budget in claim["budgets"]]
    budgets = " ".join(f"(Budget {e} {each})" for e, each in zip(promised, near, strict=True))
    parts = ["worst_at_most"] + ["worst_at_least"] * (claim["attained"] is not None)
    said = [f"{word} f {budgets} {level(claim['level'])}" for word in parts]
    return ["f"], " /\\ ".join(["well_formed f []", *said])


# Redactions of chains of bits --------------------------------------------------------------------

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
    named = "None"
    if claim["output"] is not None:  # as runs of symbols
        names = {"*": "None", "0": "Some false", "1": "Some true"}
        parts = re.findall(r"((.)\2*)", claim["output"])
        named = f"(Some (spread [{'; '.join(f'({len(run)}, {names[symbol]})' for run, symbol in parts)}]))"
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


# Real numbers ------------------------------------------------------------------------------------


def enclosure(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of bounds of e^q or log r."""
    claim = certificate["claim"]
    ((key, value),) = claim.items() - [(side, claim[side]) for side in ("lower", "upper")]
    word = {"exponent": "exp", "log_of": "log"}[key]
    bounds = [("at_least", claim["lower"]), ("at_most", claim["upper"])]
    said = [
        f"{word}_{side} {pair(Fraction(value))} {pair(Fraction(bound))}" for side, bound in bounds if bound is not None
    ]
    return [], " /\\ ".join(said)


def inequality(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of a polynomial inequality."""
    claim = certificate["claim"]
    parts = [*claim["assumptions"], claim["conclusion"]]
    said = [
        "False" if part is None else f"{polynomial(part['polynomial'])} {relation(part['relation'])} 0"
        for part in parts
    ]
    return [], for_all(len(claim["variables"]), said)


def farkas(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of a consequence of linear inequalities."""
    claim = certificate["claim"]
    rows, end = [*claim["rows"]], claim["conclusion"]
    if end is not None:
        rows.append([end["row"], end["bound"], end["relation"]])
    said = [row_said(enumerate(row), sign, bound) for row, bound, sign in rows]
    return [], for_all(len(claim["variables"]), said + ["False"] * (end is None))


def optimum(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of the optimum of a linear program."""
    claim = certificate["claim"]
    place = {name: j for j, name in enumerate(claim["variables"])}

    def numbered(row: dict[str, object]) -> list[tuple[int, object]]:
        return sorted((place[name], c) for name, c in row.items())

    limits = [f"v{j} >= 0" for name, j in place.items() if name not in claim["free"]]
    limits += [row_said(numbered(row["coefficients"]), row["relation"], row["bound"]) for row in claim["rows"]]
    best, value = numbered(claim["objective"]), claim["value"]
    reached = " /\\ ".join([*limits, row_said(best, "=", value)])
    above = for_all(len(place), [*limits, row_said(best, "<=", value)])
    names = " ".join(f"v{j}" for j in place.values())
    return [], f"(exists {names} : R, {reached}) /\\ ({above})"


def for_all(count: int, said: list[str]) -> str:
    names = " ".join(f"v{j}" for j in range(count))
    return f"forall {names} : R, " * (count > 0) + " -> ".join(said)


def relation(given: str) -> str:
    expect(given in ("<=", "<", "=", ">=", ">"), "relation")
    return given


def row_said(row: Iterable[tuple[int, Json]], sign: str, bound: Json) -> str:
    parts = [f"{real(c)} * v{j}" for j, c in row if Fraction(c) != 0]
    return f"{' + '.join(parts) or '0'} {relation(sign)} {real(bound)}"


def polynomial(parts: Json) -> str:
    shown = ([real(c), *(f"v{j}^{e}" for j, e in enumerate(exponents) if int(e) > 0)] for c, exponents in parts)
    return " + ".join(" * ".join(part) for part in shown) or "0"


def real(given: Json) -> str:
    x = Fraction(given)
    above = f"({x.numerator})" if x < 0 else f"{x.numerator}"
    return above if x.denominator == 1 else f"{above} / {x.denominator}"


# All kinds ---------------------------------------------------------------------------------------

Reader = Callable[[ExportedFile, Json], tuple[list[str], str]]
KINDS: dict[str, Reader] = {
    "leakage-at-most": leakage,
    "leakage-witness": leakage,
    "joint-leakage-at-most": leakage,
    "joint-leakage-witness": leakage,
    "delta-at-most": leakage,
    "delta-witness": leakage,
    "nfc": many_runs,
    "nfc-violation": many_runs,
    "rate": many_runs,
    "worst-at-most": worst,
    "exp-enclosure": enclosure,
    "redaction-leakage": redaction,
    "redaction-designs": designs,
    "polynomial-inequality": inequality,
    "farkas": farkas,
    "lp-optimum": optimum,
}


def compare(text: str, data: bytes) -> str:
    """Return the statement of a file if it is the claim of the certificate with these bytes.

    Raises `NotChecked` with the first difference.
    """
    file = ExportedFile(text)
    if file.digest != hashlib.sha256(data).hexdigest():
        raise NotChecked("the file is of a certificate with another SHA-256")
    certificate = json.loads(data, parse_float=str)
    kind = certificate["kind"]
    if kind not in KINDS:
        raise NotChecked(f"there is no reader for certificates of the kind {kind!r}")
    names, statement = KINDS[kind](file, certificate)
    found = [name for name in file.definitions if name not in file.tables]
    if found != names:
        raise NotChecked(f"expected the definitions {names}, found {found}")
    if file.statement != statement:
        raise NotChecked(f"expected the statement {statement}, found {file.statement}")
    return file.statement
