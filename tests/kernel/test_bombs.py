"""Files that cost far more than their length: each is answered, or refused for its work, in 1
GB; and answers that are lost.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.kernel import forked, toml
from tests.kernel.bench import FAMILIES
from tests.kernel.cases import bad, good
from tests.kernel.forked import GIGABYTE
from tests.kernel.reading_list import KERNEL

ACCEPTED = {family: good(family) for family in FAMILIES}
LARGE, REFUSED, ACCEPT = (2, "no answer: too large: over "), (1, "refused: "), (0, "")
LESS = ("--work", "400000000000")  # a tenth of the default


def run(*words: str | Path, memory: int = GIGABYTE) -> tuple[int, str]:
    """Return the exit code and the messages of the kernel with so many bytes of memory."""
    done = forked.run(*words, memory=memory)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == (done.returncode > 0)
    return done.returncode, done.stderr


def long(digits: int, number: int = 1) -> str:
    return "1" + f"{number:0{digits}}"


def complement(text: str) -> str:
    """Return 1 - 1/n for "1/n" with a long n that ends with a digit other than 0, as text and
    without arithmetic.
    """
    n = text.removeprefix("1/")
    return f"{n[:-1]}{int(n[-1]) - 1}/{n}"


# --- bombs of the parser ---

HEAD = (
    '{"format":"pufferproof-certificate/1","kind":"leakage-at-most","framework":{},"mechanisms":[],"inputs":{},"claim":'
)
TEXTS: dict[str, tuple[Callable[[], str], str | None]] = {
    "numbers": (lambda: HEAD + "[" + "1," * 7_900_000 + "1]}", LARGE[1]),
    "objects": (lambda: HEAD + "[" + "{}," * 5_200_000 + "1]}", LARGE[1]),
    "lists": (lambda: HEAD + "[" * 900 + "[]," * 5_200_000, LARGE[1]),
    "nested": (lambda: "[" * 1_000_000, None),
    "a string": (lambda: '{"format":"' + "\U0001f600" * 3_900_000 + '"}', None),
    "too long": (lambda: "[" + "1" * 16_000_000, "no answer: "),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_16_megabytes_are_read_or_not_in_a_gigabyte(name: str, tmp_path: Path) -> None:
    text, said = TEXTS[name]
    (tmp_path / "c.json").write_text(text(), encoding="utf-8")
    code, message = run(tmp_path / "c.json")
    assert (code in (1, 2), message != "no answer: not enough memory\n") == (True, True)
    assert said is None or (code, message.startswith(said)) == (2, True)


KEYS = {
    "keys": lambda: HEAD + "{" + ",".join(f'"{i:x}":1' for i in range(390_000)) + "}}",
    "one key": lambda: HEAD + "{" + '"a":1,' * 660_000 + '"a":1}}',
}


@pytest.mark.parametrize("name", KEYS)
def test_a_quarter_as_many_keys_are_read_in_a_quarter_of_the_memory(name: str, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(KEYS[name](), encoding="utf-8")
    code, message = run(tmp_path / "c.json", "--work", "1000000000000", memory=GIGABYTE // 4)
    assert (code in (1, 2), message != "no answer: not enough memory\n") == (True, True)


def test_memory_that_is_not_there_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(HEAD + "[" + '"ab",' * 1_000_000 + "1]}", encoding="utf-8")
    assert run(tmp_path / "c.json", memory=75_000_000) == (2, "no answer: not enough memory\n")


# --- bombs of the rules: each a file of less than 100 kB, one for every way to make work ---

TWO = {"outputs": ["u", "v"], "channel": {"a": ["1/3", "2/3"], "b": ["2/3", "1/3"]}}
HALF = {"p": {"a": "1/2", "b": "1/2"}}


def claim(kind: str = "leakage-at-most", **parts: Any) -> dict[str, Any]:
    base = json.loads(ACCEPTED["leakage"].read_text(encoding="utf-8")) | {"kind": kind}
    base["framework"] = {"databases": ["a", "b"], "secrets": {"s": ["a"], "t": ["b"]}, "pairs": [["s", "t"]]}
    base["framework"] |= {"priors": HALF, "closure": "list"} | parts.pop("framework", {})
    base |= {"mechanisms": [TWO], "claim": {"level": {"log": "3"}, "attained": None}} | parts
    count = len(base["mechanisms"])
    return base | {"inputs": {"framework": None, "mechanisms": [None] * count, "normalized": [False] * count}}


def names(count: int) -> list[str]:
    return [f"{i:x}" for i in range(count)]


def simple(outputs: int, databases: str = "ab") -> dict[str, Any]:
    return {"outputs": names(outputs), "channel": {x: ["1", *"0" * (outputs - 1)] for x in databases}}


def joint(**parts: Any) -> dict[str, Any]:
    return claim(
        "joint-leakage-at-most", claim={"releases": [0] * 100, "level": {"log": "3"}, "attained": None}, **parts
    )


def many(count: int, digits: int) -> dict[str, dict[str, str]]:
    unit = [f"1/{long(digits, 10 * i + 7)}" for i in range(count)]
    return {f"p{i}": {"a": part, "b": complement(part)} for i, part in enumerate(unit)}


DELTA = {"level": {"log": 1}, "delta": 0, "prior": "p", "pair": ["s", "t"], "outputs": names(8000)}
MIXED = {"prior": {"mixture": {f"p{i}": "1/45" for i in range(45)}}, "pair": ["s", "t"], "output": "u"}
RULES: dict[str, tuple[dict[str, Any], tuple[int, str]]] = {
    "many inequalities": (claim(framework={"priors": many(700, 2)}, mechanisms=[simple(5000)]), LARGE),
    "many tuples of outputs": (joint(mechanisms=[simple(9)]), LARGE),
    "a product of a hundred units": (
        joint(
            mechanisms=[
                {
                    "outputs": ["u", "v"],
                    "channel": {x: [f"1/{long(20_000, 7)}", complement(f"1/{long(20_000, 7)}")] for x in "ab"},
                }
            ]
        ),
        LARGE,
    ),
    "mixtures of two of many priors": (claim(framework={"priors": many(2500, 2), "closure": "convex"}), LARGE),
    "mixtures of long priors": (
        claim(
            framework={"priors": many(80, 400), "closure": "convex"},
            claim={"level": {"log": long(9000)}, "attained": None},
        ),
        LARGE,
    ),
    "a mixture of priors without a common unit": (
        claim(
            "leakage-witness",
            framework={"priors": many(45, 3200), "closure": "convex"},
            claim=MIXED | {"exceeds": {"log": 1}},
        ),
        LARGE,
    ),
    "long units": (
        claim(
            mechanisms=[
                {
                    "outputs": names(40),
                    "channel": {"a": ["1/" + long(2000, i) for i in range(40)], "b": ["1", *"0" * 39]},
                }
            ]
        ),
        REFUSED,
    ),
    "short numbers that are long": (
        claim(mechanisms=[{"outputs": ["u"], "channel": {"a": ["1e-9999"] * 9000, "b": [1]}}]),
        LARGE,
    ),
    "long numbers": (claim(mechanisms=[{"outputs": ["u"], "channel": {"a": ["7" * 99_999], "b": [1]}}]), REFUSED),
    "units for many numbers": (
        claim(mechanisms=[{"outputs": ["u"], "channel": {"a": [f"1/{long(45_000)}", *["0"] * 40_000], "b": [1]}}]),
        LARGE,
    ),
    "pairs of large secrets": (
        claim(
            framework={
                "databases": names(6000),
                "secrets": {"s": names(6000)[:3000], "t": names(6000)[3000:]},
                "pairs": [["s", "t"]] * 30_000,
                "priors": {},
            }
        ),
        LARGE,
    ),
    "priors of few databases": (
        claim(
            framework={"databases": ["a", "b", *names(6000)[16:]], "priors": {f"p{i}": {"a": 1} for i in range(6000)}}
        ),
        LARGE,
    ),
    "mechanisms of no database": (
        claim(
            framework={"databases": names(6000), "secrets": {}, "pairs": [], "priors": {}},
            mechanisms=[{"outputs": [], "channel": {}}] * 12_000,
        ),
        LARGE,
    ),
    "outputs looked up": (claim("delta-witness", mechanisms=[simple(8000)], claim=DELTA), REFUSED),
    "a secret with a long name": (claim(framework={"secrets": {"s" * 50_000: names(9000), "t": ["b"]}}), REFUSED),
}


def polynomials(assumptions: list[Any], proof: list[Any], variables: Any = ("x",)) -> dict[str, Any]:
    given = [{"polynomial": one, "relation": ">="} for one in assumptions]
    whole = {"variables": [*variables], "assumptions": given, "conclusion": None, "proof": proof}
    return {"format": "pufferproof-certificate/1", "kind": "polynomial-inequality", "claim": whole}


def term(powers: list[int], square: Any = None) -> dict[str, Any]:
    return {"coefficient": 1, "powers": powers, "square": square}


def pure(kind: str, **parts: Any) -> dict[str, Any]:
    return {"format": "pufferproof-certificate/1", "kind": kind, "claim": parts}


ALGEBRA = {
    "a square": (polynomials([], [term([], [[1, [i]] for i in range(8000)])]), LARGE),
    "a power of sums": (polynomials([[[1, [i * 10_000]] for i in range(3000)]], [term([3])]), LARGE),
    "a power of long numbers": (polynomials([[["1/" + long(900, 7), [0]]]], [term([100])]), REFUSED),
    "many powers of nothing": (polynomials([[]] * 100, [term([100] * 100)] * 1200), LARGE),
    "many powers of one": (polynomials([[[1, [0]]]] * 100, [term([100] * 100)] * 200), LARGE),
    "many exponents": (
        polynomials(
            [[[1, [(i * j) % 99_999 for j in range(100)]] for i in range(100)]],
            [term([9])],
            [f"v{i}" for i in range(100)],
        ),
        LARGE,
    ),
    "rows without a common unit": (
        pure(
            "farkas",
            variables=["x", "y"],
            conclusion=None,
            multipliers=[1] * 400,
            rows=[[["1/" + long(300, 10 * i + 1), "1/" + long(300, 10 * i + 3)], 1, "<="] for i in range(400)],
        ),
        REFUSED,
    ),
    "a long exponent": (
        pure("exp-enclosure", exponent="0." + "6" * 99_000, lower="1." + "9" * 99_000, upper=None),
        REFUSED,
    ),
}

RATES = {
    "many games": (
        claim(
            "nfc",
            framework={
                "databases": names(4000),
                "secrets": {"s": names(4000)[:2000], "t": names(4000)[2000:]},
                "priors": {f"p{i}": dict.fromkeys(names(4000), "1/4000") for i in range(2)},
            },
            mechanisms=[{"outputs": ["u"], "channel": {x: [1] for x in names(4000)}}],
            claim={"levels": [{"log": 1}], "betas": [{"database": x, "beta": {"f": 1}} for x in names(4000)]},
        ),
        REFUSED,
    ),
    "pairs of priors": (
        claim(
            "nfc",
            framework={"priors": {f"{i:x}": HALF["p"] for i in range(4500)}, "closure": "convex"},
            claim={"levels": [{"log": 3}], "betas": []},
        ),
        LARGE,
    ),
    "a logarithm of a long number": (
        claim("nfc", claim={"levels": [{"log": long(45_000)}], "betas": [{"database": "a", "beta": {"b": 1}}] * 2}),
        REFUSED,
    ),
}


def program(**parts: Any) -> dict[str, Any]:
    whole = {"variables": ["x"], "free": [], "objective": {}, "rows": [], "primal": {}, "dual": [], "value": 0}
    return pure("lp-optimum", **(whole | parts))


def worst(count: int, **parts: Any) -> dict[str, Any]:
    words = ["".join(word) for word in product("01", repeat=count)]
    whole = {"budgets": [{"log": 2}] * 2, "per_record": [{"log": 2}] * 2, "level": {"log": 4}, "rows": [[], []]}
    whole |= {"records": {"count": count, "alphabet": ["0", "1"]}, "laws": [], "attained": None} | parts
    space = {"databases": words, "secrets": {"s": words[:1], "t": words[1:2]}}
    space["priors"] = {"p": {words[0]: "1/2", words[1]: "1/2"}}
    return claim("worst-at-most", framework=space, mechanisms=[], claim=whole)


TREE = {"multipliers": [[0, 0, "1e-9999"]] * 9000}
COLUMNS = {"prior": "p", "pair": ["s", "t"], "columns": [{"0" * 12: 1}] * 2}
BOTH = [["p", "s", "t"], ["p", "t", "s"]]
OPTIMA = {
    "free variables": (
        program(variables=names(12_000), free=names(12_000), primal=dict.fromkeys(names(6000), -1)),
        ACCEPT,
    ),
    "rows of no variable": (
        program(
            variables=names(12_000), rows=[{"coefficients": {}, "relation": "=", "bound": 0}] * 900, dual=[0] * 900
        ),
        ACCEPT,
    ),
    "sums without a common unit": (
        program(
            rows=[
                {"coefficients": {"x": "1/" + long(600, 10 * i + 1)}, "relation": "<=", "bound": 1} for i in range(130)
            ],
            primal={"x": 1},
            dual=[1] * 130,
        ),
        REFUSED,
    ),
    "multipliers of a leaf": (worst(1, rows=[[{"law": BOTH[0]}]] * 2, laws=[{"places": BOTH, "tree": TREE}]), LARGE),
    "columns within a level per record": (
        worst(
            12,
            attained=COLUMNS,
            rows=[[{"law": place} for place in BOTH]] * 2,
            laws=[{"places": [place], "tree": {"multipliers": [[k, k, 1]]}} for k, place in enumerate(BOTH)],
        ),
        REFUSED,
    ),
}


def chain(length: int, redaction: list[Any], precision: int | None, **parts: Any) -> dict[str, Any]:
    base = json.loads(ACCEPTED["redaction"].read_text(encoding="utf-8"))
    base["chain"] |= {"length": length} | parts
    base["claim"] = {"relation": "<=", "level": {"log": "2"}, "output": None}
    return base | {"redaction": redaction, "precision": precision}


REDACTION = {
    "a million records, a long alpha": (chain(10**6, [[10**6, "1/8", 1]], 64, alpha="1/" + long(50_000, 7)), LARGE),
    "a million records, exact": (chain(10**6, [[10**6, "1/8", 1]], None), LARGE),
    "a million records, a million bits": (chain(10**6, [[10**6, "1/8", 1]], 10**6), LARGE),
    "long rows": (chain(9, [[9, "1/" + long(40_000, 7), "1/" + long(40_000, 9)]], None), REFUSED),
}


def design(name: str, redaction: Any, private: int = 1, precision: int | None = 64, **parts: Any) -> dict[str, Any]:
    base = json.loads(ACCEPTED["designs"].read_text(encoding="utf-8")) | {"private": private}
    base["chain"] |= parts
    one = {"name": name, "precision": precision, "redaction": redaction, "leakage": ["1", "9"], "proof": None}
    base["claim"]["designs"] = [one | {"utility": {"lower": "1/2", "upper": None}}]
    return base


CENTRAL: dict[str, dict[str, int]] = {"".join(x): {"*" * 10: 1} for x in product("01", repeat=10)}
DESIGNS = {
    "a million records, exact": (design("quilt", [[10**6, "1/8", 1]], precision=None, length=10**6), LARGE),
    "rows without a common unit": (
        design(
            "quilt",
            [[1, f"1/{long(20, 10 * i + 1)}", f"1/{long(20, 10 * i + 3)}"] for i in range(1500)],
            length=1500,
            precision=16,
        ),
        LARGE,
    ),
    "sequences of a long chain": (
        design("central-lp", CENTRAL, length=10, alpha=f"1/{long(9000, 1)}", beta=f"1/{long(9001, 1)}"),
        LARGE,
    ),
}


def noise(law: Any, alphabet: Any = None, count: int = 3, width: int | None = None) -> Any:
    """A certificate of Laplace noise of this scale on records of these values."""
    base = json.loads(ACCEPTED["noise"].read_text(encoding="utf-8"))
    base["framework"]["records"]["count"] = count
    if alphabet is not None:
        base["framework"]["records"]["alphabet"] = alphabet
        base["framework"]["secrets"]["on"]["value"] = alphabet[1]
        row = ["1/2", "1/4", *[f"1/{4 * len(alphabet) - 8}"] * (len(alphabet) - 2)]
        row = ["1/2", "1/2"] if len(alphabet) == 2 else row
        chain = {"initial": row, "transition": [row for _ in alphabet]}
        base["framework"]["priors"]["week"]["markov"] = chain
    base["mechanisms"][0]["noise"] = {"laplace": {"scale": law}}
    base["claim"] |= {"width": width, "level": {"nats": 9}}
    return base


def normal(count: int) -> Any:
    """A certificate of normal noise."""
    found = noise("1", count=count)
    found["mechanisms"][0]["noise"] = {"gaussian": {"sigma": "3"}}
    return found


def delta(certificate: Any, bits: int = 64) -> Any:
    """The claim that a delta is at most 1."""
    width, normal_ = (certificate["claim"]["width"], "gaussian" in certificate["mechanisms"][0]["noise"])
    cuts = [
        {"prior": "week", "pair": pair, "ends": [0, 0], "brackets": [["1", "2"]]}
        for pair in (["on", "off"], ["off", "on"])
    ]
    claim = {"level": {"nats": "1"}, "delta": "1", "width": width, "bits": bits}
    claim["cuts"] = cuts if normal_ else []
    return certificate | {"kind": "noise-delta-at-most", "claim": claim}


def cells(tree: str, scale: str = "1", count: int = 3, low: str = "1/4") -> Any:
    """A certificate of a class of chains, cut into cells."""
    found = noise(scale, count=count)
    rows = [["1/2", low], [low, "1/2"]], [["3/4", "1/2"], ["1/2", "3/4"]]
    box = {"initial": "any", "transition_lower": rows[0], "transition_upper": rows[1]}
    found["framework"]["priors"]["week"]["markov"] = box
    claim = {"level": {"nats": 9}, "bits": 64, "cells": {"week": tree}}
    return found | {"kind": "noise-class-at-most", "claim": claim}


def counted(scale: str, values: int, count: int, width: int | None = None) -> Any:
    """A certificate of Laplace noise on all counts of some values."""
    found = noise(scale, [str(k) for k in range(values)], count, width)
    found["mechanisms"][0]["query"] = "histogram"
    return found


def above_all(certificate: Any) -> Any:
    """A certificate of a level that whatever is compared has to be compared with."""
    certificate["claim"]["level"] = {"nats": "1000000000000"}
    return certificate


def in_segments(scale: str, count: int) -> Any:
    """A certificate of a sum of the first half of the records, and of one of the others."""
    found, half = noise(scale, count=count), count // 2
    (one,) = found["mechanisms"]
    found["mechanisms"] = [one | {"segment": [1, half]}, one | {"segment": [half + 1, count]}]
    found["inputs"]["mechanisms"] = [None, None]
    return found


FAR = ["0", "1" + "0" * 12]
MANY = noise("1")
MANY["framework"]["secrets"] = {str(i): {"record": 2, "value": "01"[i % 2]} for i in range(12_000)}
MANY["framework"]["pairs"] = "disjoint"
NOISE = {
    "a million records": (noise("1", count=10**6), LARGE),
    "windows of all": (noise("1", count=10**6, width=10**6), LARGE),
    "values far apart": (noise("1", ["0", "1", "1" + "0" * 12]), LARGE),
    "a power of a trillion": (noise("1/log(2)", FAR), LARGE),
    "a decay of nothing": (noise("1e-9999", ["0", "1"]), LARGE),
    "pairs of many secrets": (MANY, LARGE),
    "a delta of a million records": (delta(noise("1", count=10**6)), LARGE),
    "a delta at many bits": (delta(noise("1", count=60_000, width=4_000), bits=1 << 14), LARGE),
    "cells of a million records": (cells(".", count=10**6), LARGE),
    "a tree of many cells": (cells("a." * 10_000 + "."), LARGE),
    "a deep tree": (cells("s" * 600_000), LARGE),
    "many cells of many records": (cells("s." * 500 + ".", count=10_000), LARGE),
    "cells of a decay of nothing": (cells(".", "1e-9999"), LARGE),
    "cells of a decay of little": (cells(".", "1e-8"), LARGE),
    "cells of long numbers": (cells("a" * 9_000 + "." * 9_001, low="1/" + "7" * 90_000), LARGE),
    "normal noise at many bits": (delta(normal(3_000), bits=1 << 14), LARGE),
    "numbers far apart": (above_all(noise("1.2e-10", count=2)), LARGE),
    "numbers farther apart": (above_all(noise("1.2e-12", count=2)), LARGE),
    "a window of numbers far apart": (above_all(noise("1e-9", count=4, width=2)), LARGE),
    "a delta of numbers far apart": (delta(noise("1e-9", count=4, width=2)), ACCEPT),
    "odds far apart": (above_all(in_segments("1e-5", 40)), LARGE),
    "odds farther apart": (above_all(in_segments("1e-9", 4)), LARGE),
    "counts far apart": (above_all(counted("1e-8", 3, 40)), LARGE),
    "counts of a window far apart": (above_all(counted("1e-8", 3, 40, 30)), LARGE),
    "counts as many as there may be": (counted("1/9", 3, 57), REFUSED),
    "laws of many sums": (noise("1", [*map(str, range(5)), "190000"], 3, 1), LARGE),
}
BOMBS = {
    f"{family}: {name}": bomb
    for family, bombs in zip(FAMILIES, (RULES, RATES, OPTIMA, ALGEBRA, REDACTION, DESIGNS, NOISE))
    for name, bomb in bombs.items()
}


@pytest.mark.parametrize("name", BOMBS)
def test_work_is_counted_before_it_is_done(name: str, tmp_path: Path) -> None:
    certificate, (code, said) = BOMBS[name]
    text = json.dumps(certificate, separators=(",", ":"))
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    assert len(text) < 700_000
    found = run(tmp_path / "c.json", *(LESS if code == 2 else ()))
    assert (found[0], found[1][: len(said)]) == (code, said), found


GREEDY = [
    "numbers far apart",
    "odds far apart",
    "counts far apart",
    "counts of a window far apart",
    "counts as many as there may be",
    "laws of many sums",
]


@pytest.mark.parametrize("name", GREEDY)
@pytest.mark.parametrize("times", [Fraction(1), Fraction(1, 10), Fraction(1, 100)])
def test_memory_is_less_than_a_gigabyte_and_shrinks_with_the_work(name: str, times: Fraction, tmp_path: Path) -> None:
    """A process that has done nothing takes 100 MB of addresses."""
    (tmp_path / "c.json").write_text(json.dumps(BOMBS[f"noise: {name}"][0]), encoding="utf-8")
    room, work = 100_000_000 + int((GIGABYTE - 100_000_000) * times), int(4_000_000_000_000 * times)
    code, said = run(tmp_path / "c.json", "--work", str(work), memory=room)
    assert said.startswith((LARGE[1], REFUSED[1])), (code, said)


# --- the limit ---


@pytest.mark.parametrize("family", FAMILIES)
def test_work_is_an_option_and_the_same_for_all_answers(family: str) -> None:
    good = ACCEPTED[family]
    assert run(good) == run("--work", "4000000000000", good) == (0, "")
    assert run(good, "--work", "1000") == run("--work", "1000", good, "--json")
    code, message = run("--work", "1000", good)
    assert (code, message.startswith(LARGE[1]), message.endswith("more than --work 1000\n")) == (2, True, True)


@pytest.mark.parametrize("work", [[], ["0"], ["-1"], ["1e9"], ["many"], ["9", "--work", "9"], ["9" * 40]])
@pytest.mark.parametrize("family", ["leakage", "algebra"])
def test_a_limit_is_one_positive_integer(family: str, work: list[str]) -> None:
    code, message = run(ACCEPTED[family], "--work", *work)
    assert (code, message.startswith("misuse: ")) == (2, True)


def test_more_work_decides_what_less_work_does_not(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(claim(framework={"priors": many(300, 2)}, mechanisms=[simple(500)])), encoding="utf-8")
    needed = {work: run(path, "--work", str(work))[0] for work in (10**11, 10**13)}
    assert needed == {10**11: 2, 10**13: 0}


@pytest.mark.parametrize("work", [str(4 * 10**16), str(10**24), "9" * 31])
@pytest.mark.parametrize("family", FAMILIES)
def test_any_amount_of_work_may_be_allowed(family: str, work: str) -> None:
    assert run("--work", work, ACCEPTED[family]) == ACCEPT


@pytest.mark.parametrize("part", ["pairs", "priors"])
def test_multisets_of_outputs_are_counted_without_pairs_and_priors_too(part: str, tmp_path: Path) -> None:
    empty: dict[str, Any] = {"pairs": []} if part == "pairs" else {"priors": {}}
    channels = simple(100, "ab" if part == "pairs" else "")
    document = joint(framework=empty, mechanisms=[channels])
    (tmp_path / "c.json").write_text(json.dumps(document))
    code, said = run(tmp_path / "c.json")
    assert (code, said.startswith(LARGE[1])) == (2, True), said


def with_toml(text: str, folder: Path) -> tuple[int, str]:
    """What the kernel says of a certificate whose framework is this file."""
    (folder / "f.toml").write_text(text)
    (folder / "m.csv").write_text("x,u\n")
    document = json.loads(ACCEPTED["leakage"].read_text())
    names = ("f.toml", "m.csv")
    hashes = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names]
    framework, mechanism = (f"sha256:{each}" for each in hashes)
    document["inputs"] = {"framework": framework, "mechanisms": [mechanism], "normalized": [False]}
    (folder / "c.json").write_text(json.dumps(document))
    return run(folder / "c.json", *(folder / name for name in names))


@pytest.mark.parametrize("name", toml.LONG)
def test_toml_keys_of_very_many_parts_are_not_read(name: str, tmp_path: Path) -> None:
    code, said = with_toml(toml.LONG[name](), tmp_path)
    assert (code, "a key of over 8 parts" in said) == (1, True), said


@pytest.mark.parametrize("name", toml.MANY)
def test_toml_of_very_many_keys_is_read_or_not_in_a_gigabyte(name: str, tmp_path: Path) -> None:
    code, said = with_toml(toml.MANY[name](), tmp_path)
    assert (code in (1, 2), "memory" in said) == (True, False), said


@pytest.mark.parametrize("name", toml.DOTS)
def test_toml_with_dots_elsewhere_is_read(name: str, tmp_path: Path) -> None:
    said = with_toml('format = "pufferproof-framework/1"\n' + toml.DOTS[name], tmp_path)[1]
    assert "expected the keys" in said


@pytest.mark.parametrize("family", ["leakage", "algebra"])
def test_files_may_be_longer_in_proportion_to_the_work(family: str, tmp_path: Path) -> None:
    text = ACCEPTED[family].read_text(encoding="utf-8")
    (tmp_path / "c.json").write_text(text + " " * 16_000_000, encoding="utf-8")
    assert run(tmp_path / "c.json")[0] == 2
    assert run(tmp_path / "c.json", "--work", "7999999999999")[0] == 2
    assert run(tmp_path / "c.json", "--work", "8000000000000") == (0, "")


# --- streams ---

LINES = {  # the words, the exit code, that with no standard output
    "accepted": (["GOOD"], 0, 2),
    "accepted, as JSON": (["--json", "GOOD"], 0, 2),
    "refused": (["BAD"], 1, 1),
    "refused, as JSON": (["--json", "BAD"], 1, 2),
    "no file": (["nofile"], 2, 2),
    "no words": ([], 2, 2),
}
STREAMS = {
    "> out 2> err": 1,
    "> out 2> /dev/full": 1,
    "> out 2>&-": 1,
    "<&- > out 2> err": 1,
    "> /dev/full 2> err": 2,
    ">&- 2> err": 2,
    "> /dev/full 2> /dev/full": 2,
    "<&- >&- 2>&-": 2,
}


WRITERS = [  # every family is written by the same lines, and seen to be where some stream is full
    (line, family, streams)
    for line, (words, _, _) in LINES.items()
    for family in ("leakage", "algebra", "rates")
    for streams in STREAMS
    if family == "leakage" or ({"GOOD", "BAD"} & {*words} and streams == "> /dev/full 2> err")
]


@pytest.mark.parametrize(("line", "family", "streams"), WRITERS)
def test_an_answer_that_cannot_be_written_is_none_and_no_other_exit_code_changes(
    family: str, line: str, streams: str, tmp_path: Path
) -> None:
    words, code, unread = LINES[line]
    other = {"GOOD": str(good(family)), "BAD": str(bad(family))}
    quoted = " ".join(f"'{other.get(word, word)}'" for word in words)
    shell = f"'{sys.executable}' -I -S '{KERNEL}' {quoted} {streams}"
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, check=False, timeout=600)
    assert done.returncode == (code if STREAMS[streams] == 1 else unread)
    written = {name: (tmp_path / name).read_text() for name in ("out", "err") if (tmp_path / name).exists()}
    assert (written.get("out", "") != "") == ("out" in written and (code == 0 or (code == 1 and "JSON" in line)))
    lost = "cannot be written" in written.get("err", "")
    assert ("err" not in written) or lost == (STREAMS[streams] == 2 and unread != code)
    assert "Traceback" not in written.get("err", "")


def test_a_reader_that_has_gone_has_no_answer() -> None:
    read, write = os.pipe()
    os.close(read)
    line = [sys.executable, "-I", "-S", str(KERNEL), str(ACCEPTED["leakage"])]
    done = subprocess.run(line, stdout=write, stderr=subprocess.PIPE, check=False, timeout=600)
    os.close(write)
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False)
