"""Leakage decided by columns, against the definition pair by pair, on random frameworks."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from pufferproof.verify import kernel

DATABASES = ["a", "b", "c", "d", "e"]
Law = dict[str, Fraction]


def law(draw: random.Random, labels: list[str]) -> Law:
    weights = [draw.choice([0, 0, 1, 2, 3]) for _ in labels]
    weights[draw.randrange(len(labels))] += 1
    return {x: Fraction(n, sum(weights)) for x, n in zip(labels, weights, strict=True)}


def texts(numbers: Law) -> dict[str, str]:
    return {label: str(number) for label, number in numbers.items()}


def certificate(draw: random.Random) -> Any:
    """Secrets overlap or not, priors and rows have zeros, pairs are listed or all."""
    count = draw.choice([2, 3, 5])
    secrets = {f"s{i}": [x] for i, x in enumerate(DATABASES[:count])}
    if draw.random() < 0.5:
        secrets["many"] = draw.sample(DATABASES, 2)
    priors = {name: texts(law(draw, DATABASES)) for name in ("one", "two")}
    outputs = ["u", "v", "w"]
    rows = {x: [*texts(law(draw, outputs)).values()] for x in DATABASES}
    pairs: Any = "disjoint" if draw.random() < 0.7 else [["s1", "s0"]]
    return {
        "format": "pufferproof-certificate/1",
        "kind": "leakage-at-most",
        "framework": {"databases": DATABASES, "secrets": secrets, "pairs": pairs, "priors": priors, "closure": "list"},
        "mechanisms": [{"outputs": outputs, "channel": rows}],
        "inputs": {"framework": None, "mechanisms": [None], "normalized": [False]},
        "claim": {"level": {"log": "1"}, "attained": None},
    }


def ratios(top: Any) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield P(w | s) and P(w | t) for all priors, ordered pairs and outputs, by the definition."""
    space, rows = top["framework"], top["mechanisms"][0]["channel"]
    listed = space["pairs"]
    for prior in space["priors"].values():
        for s, t in permutations(space["secrets"], 2):
            apart = not {*space["secrets"][s]} & {*space["secrets"][t]}
            if apart if listed == "disjoint" else [s, t] in listed or [t, s] in listed:
                masses = [{x: Fraction(prior[x]) for x in space["secrets"][name]} for name in (s, t)]
                if all(sum(mass.values()) > 0 for mass in masses):
                    for w in range(3):
                        one, two = (
                            sum(n * Fraction(rows[x][w]) for x, n in mass.items()) / sum(mass.values())
                            for mass in masses
                        )
                        yield one, two


def accepts(top: Any, level: Fraction) -> bool:
    top["claim"]["level"] = {"log": str(level)}
    try:
        found = kernel.check_bytes(json.dumps(top).encode())
    except kernel.Refused:
        return False
    assert found.checked == len([*ratios(top)])
    return True


@pytest.mark.parametrize("seed", range(4))
def test_a_level_is_accepted_where_the_definition_holds(seed: int) -> None:
    draw, tight = random.Random(seed), 0
    for _ in range(60):
        top = certificate(draw)
        places = [*ratios(top)]
        finite = all(two > 0 or one == 0 for one, two in places)
        largest = max((one / two for one, two in places if two > 0), default=Fraction(0))
        assert accepts(top, max(largest, Fraction(1))) == (finite and len(places) > 0)
        if finite and largest > 1:
            assert not accepts(top, largest - (largest - 1) / 10**30)
            tight += 1
    assert tight > 3


def test_rows_of_short_and_of_long_numbers_are_read_alike() -> None:
    top = certificate(random.Random(0))
    row = top["mechanisms"][0]["channel"]
    same = ["1/4", "1/2", "1/4"], ["0.25", "5e-1", "2/8"], ["02/8", "1/02", ".".join(["0", "25"])]
    found = set()
    for each in same:
        row.update(dict.fromkeys(DATABASES, each))
        found.add(kernel.check_bytes(json.dumps(top).encode()))
    assert len(found) == 1


@pytest.mark.parametrize(
    "row",
    [
        ["1/2\n1/4", "1/4"],
        ["1/2\n1/4", "1/4", ""],
        ["1/2", "1/2", "\n0"],
        ["1/2", "1/2", "0/0"],
        ["1/2", "1/2", None],
        ["3/2", "-1/2", "0"],
        ["\u0661/2", "1/2", "0"],
        ["1/2", "1/2"],
    ],
)
def test_a_row_that_is_none_is_refused(row: list[Any]) -> None:
    top = certificate(random.Random(0))
    top["mechanisms"][0]["channel"].update(dict.fromkeys(DATABASES, row))
    with pytest.raises(kernel.Refused):
        kernel.check_bytes(json.dumps(top).encode())
