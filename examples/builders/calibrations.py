"""The 56 small frameworks on which calibrations of noise are compared, and the list of them.

Chains of several lengths and correlations, started anywhere, of two to four values; networks,
products, tables, classes and normal records; counts, means, histograms and tables as queries.
Frameworks are fixed: a result of one day can be set beside one of another day.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

FOLDER, LIST = "calibrations", "frameworks.toml"
Document = Mapping[str, Any]
_BITS = "01"


class Case(NamedTuple):
    """A framework's place in the folder, the query, its level, and its document."""

    place: str
    document: Document
    query: str = "sum"
    level: str = "1"


def cases() -> list[Case]:
    """Return all frameworks, in order."""
    listed = [*_chains(), *_starts(), *_values(), *_networks(), *_products(), *_tables()]
    return [*listed, *_classes(), *_weak(), *_normal()]


def documents() -> dict[str, Document]:
    """Return the documents of all files but the list, by place; tables have a query beside them."""
    files: dict[str, Document] = {case.place: case.document for case in cases()}
    return files | {f"tables/{name}.query.json": made for name, made in _QUERIES.items()}


def list_text() -> str:
    """Return the list: an entry for each framework."""
    parts = ["# Frameworks to compare calibrations on, written by examples/builders/calibrations.py.\n"]
    for case in cases():
        entry = f'framework = "{case.place}"\nquery = "{case.query}"\nepsilon = "{case.level}"\n'
        parts.append(f"\n[[case]]\n{entry}")
    return "".join(parts)


def _framework(count: int, values: str, private: Sequence[int], **priors: Any) -> Document:
    secrets = {f"x{t}={v}": {"record": t, "value": v} for t in private for v in values}
    pairs = [[f"x{t}={a}", f"x{t}={b}"] for t in private for i, a in enumerate(values) for b in values[i + 1 :]]
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": list(values)},
        "secrets": secrets,
        "pairs": pairs,
        "priors": priors,
    }


def _chain(transition: Sequence[Sequence[str]], initial: Any = "stationary") -> Document:
    return {"markov": {"initial": initial, "transition": [list(row) for row in transition]}}


def _stay(p: str, q: str) -> list[list[str]]:
    """A chain of two values that moves with probability p from 0 and q from 1, in tenths."""
    a, b = int(p), int(q)
    return [[f"{10 - a}/10", f"{a}/10"], [f"{b}/10", f"{10 - b}/10"]]


def _chains() -> Iterator[Case]:
    """Two values, stationary, the record in the middle: 12."""
    for count, move in product((3, 7, 21), (4, 3, 2, 1)):
        chain = _chain(_stay(str(move), str(move)))
        document = _framework(count, _BITS, [(count + 1) // 2], moves=chain)
        yield Case(f"chains/{count:02}-records-{move}-of-10-move.json", document)


def _starts() -> Iterator[Case]:
    """Two values: other starts, records, levels, and chains that alternate: 10."""
    sticky, skew = _stay("1", "1"), _stay("1", "4")
    yield Case("starts/first-record.json", _framework(7, _BITS, [1], theta=_chain(sticky)))
    yield Case("starts/last-record.json", _framework(7, _BITS, [7], theta=_chain(sticky)))
    yield Case("starts/every-record.json", _framework(5, _BITS, range(1, 6), theta=_chain(sticky)))
    from_zero = _chain(sticky, ["1", "0"])
    yield Case("starts/from-zero.json", _framework(6, _BITS, [4], theta=from_zero))
    uneven = _chain(skew, ["1/2", "1/2"])
    yield Case("starts/not-stationary.json", _framework(8, _BITS, [4], theta=uneven))
    yield Case("starts/skewed.json", _framework(10, _BITS, [5], theta=_chain(skew)), "mean", "0.5")
    yield Case("starts/alternating-5.json", _framework(5, _BITS, [3], theta=_chain(_stay("9", "9"))))
    yield Case("starts/alternating-8.json", _framework(8, _BITS, [2], theta=_chain(_stay("8", "7"))))
    two = {"calm": _chain(_stay("3", "3")), "busy": _chain(_stay("2", "4"))}
    yield Case("starts/two-priors.json", _framework(6, _BITS, [3], **two), "sum", "log(2)")
    long = _framework(60, _BITS, [30], theta=_chain(_stay("2", "2")))
    yield Case("starts/sixty-records.json", long, "sum", "0.5")


def _values() -> Iterator[Case]:
    """Three and four values, counts and histograms: 7."""
    even = [["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]]
    walk = [["3/4", "1/4", "0"], ["1/4", "1/2", "1/4"], ["0", "1/4", "3/4"]]
    turn = [["1/10", "4/5", "1/10"], ["1/10", "1/10", "4/5"], ["4/5", "1/10", "1/10"]]
    four = [["7/10" if i == j else "1/10" for j in range(4)] for i in range(4)]
    yield Case("values/three-even.json", _framework(4, "012", [2], theta=_chain(even)))
    yield Case("values/three-walk.json", _framework(5, "012", [3], theta=_chain(walk)))
    yield Case("values/three-turning.json", _framework(4, "012", [2], theta=_chain(turn)))
    yield Case("values/four.json", _framework(3, "0123", [2], theta=_chain(four)))
    bits = _framework(5, _BITS, [3], theta=_chain(_stay("2", "2")))
    yield Case("values/two-histogram.json", bits, "histogram")
    three = _framework(3, "012", [2], theta=_chain(even))
    yield Case("values/three-histogram.json", three, "histogram", "log(3)")
    turning = _framework(3, "012", [1], theta=_chain(turn))
    yield Case("values/turning-histogram.json", turning, "histogram")


def _network(parents: Mapping[int, Sequence[int]], up: str, down: str, alone: str) -> Document:
    """A network of bits: 1 with probability `up` where some parent is 1, else `down`."""
    rows = {}
    for record, above in parents.items():
        keys = ["".join(bits) for bits in product(_BITS, repeat=len(above))]
        known = {key: up if "1" in key else (down if above else alone) for key in keys}
        rows[str(record)] = {key: [_rest(p), p] for key, p in known.items()}
    named = {str(record): [str(each) for each in above] for record, above in parents.items()}
    return {"bayes_net": {"parents": named, "cpt": rows}}


def _rest(p: str) -> str:
    above, below = map(int, p.split("/"))
    return f"{below - above}/{below}"


def _networks() -> Iterator[Case]:
    """Trees, a star, a collider, a loop, and one that is never 1 by itself: 6."""
    tree = {1: [], **{t: [t // 2] for t in range(2, 8)}}
    star = {1: [], **{t: [1] for t in range(2, 7)}}
    collider = {1: [], 2: [], 3: [1, 2]}
    loop = {1: [], 2: [1], 3: [1], 4: [2, 3]}
    ladder = {1: [], 2: [1], 3: [1], 4: [2, 3], 5: [3], 6: [4, 5]}
    for name, shape, private, chances in (
        ("tree", tree, 2, ("4/5", "1/5", "1/2")),
        ("star", star, 1, ("3/5", "2/5", "1/2")),
        ("collider", collider, 1, ("9/10", "1/10", "1/4")),
        ("loop", loop, 2, ("3/4", "1/4", "1/2")),
        ("ladder", ladder, 3, ("2/3", "1/3", "1/2")),
        ("contagion", {1: [], 2: [1], 3: [2], 4: [3]}, 1, ("1/2", "0/1", "1/10")),
    ):
        prior = _network(shape, *chances)
        yield Case(f"networks/{name}.json", _framework(len(shape), _BITS, [private], theta=prior))


def _products() -> Iterator[Case]:
    """Independent records: 4."""
    fair = _fair(5)
    uneven = {"product": [[f"{9 - t}/10", f"{1 + t}/10"] for t in range(6)]}
    three = {"product": [["1/2", "1/3", "1/6"]] * 3}
    yield Case("products/fair.json", _framework(5, _BITS, [3], theta=fair))
    yield Case("products/uneven.json", _framework(6, _BITS, [1, 6], theta=uneven), "sum", "0.5")
    yield Case("products/three-values.json", _framework(3, "012", [1], theta=three))
    yield Case("products/histogram.json", _framework(4, _BITS, [2], theta=_fair(4)), "histogram")


def _fair(count: int) -> Document:
    return {"product": [["1/2", "1/2"]] * count}


_QUERIES: dict[str, Document] = {
    "income": {"query": {"low": "0", "middle": "1", "high": "3", "top": "10"}},
    "clusters": {"query": {"a0": "0", "a1": "1", "b0": "9", "b1": "10"}},
}


def _tables() -> Iterator[Case]:
    """Records that go together in other ways, and databases that are listed: 7."""
    equal = {"table": {"000": "1/2", "111": "1/2"}}
    yield Case("tables/three-equal.json", _framework(3, _BITS, [1], theta=equal))
    nearly = {"table": {"000": "9/20", "111": "9/20", "010": "1/20", "101": "1/20"}}
    yield Case("tables/nearly-equal.json", _framework(3, _BITS, [2], theta=nearly))
    parity = {"table": dict.fromkeys(("000", "011", "101", "110"), "1/4")}
    yield Case("tables/parity.json", _framework(3, _BITS, [1], theta=parity))
    group = {"table": {"0000": "1/10", "1111": "1/10"} | _household()}
    yield Case("tables/household.json", _framework(4, _BITS, [1], theta=group))
    opposite = {"table": {"01": "9/20", "10": "9/20", "00": "1/20", "11": "1/20"}}
    yield Case("tables/opposite.json", _framework(2, _BITS, [1], theta=opposite), "sum", "0.5")
    yield Case("tables/income.json", _income(), "tables/income.query.json")
    yield Case("tables/clusters.json", _clusters(), "tables/clusters.query.json")


def _household() -> dict[str, str]:
    """How many of four have the flu, 3/20, 1/2 and 3/20 for one, two and three (wang2016)."""
    chances = {1: "3/80", 2: "1/12", 3: "3/80"}
    labels = map("".join, product(_BITS, repeat=4))
    return {x: chances[x.count("1")] for x in labels if 0 < x.count("1") < 4}


def _listed(secrets: Document, prior: Mapping[str, str]) -> Document:
    return {
        "format": "pufferproof-framework/1",
        "databases": list(prior),
        "secrets": secrets,
        "pairs": [list(secrets)],
        "priors": {"theta": {"table": dict(prior)}},
    }


def _income() -> Document:
    prior = {"low": "2/5", "middle": "3/10", "high": "1/5", "top": "1/10"}
    return _listed({"poor": ["low", "middle"], "rich": ["high", "top"]}, prior)


def _clusters() -> Document:
    prior = {"a0": "9/20", "a1": "1/20", "b0": "1/20", "b1": "9/20"}
    return _listed({"even": ["a0", "b0"], "odd": ["a1", "b1"]}, prior)


def _classes() -> Iterator[Case]:
    """Classes of chains, which few methods take: 4."""
    lower, upper = [["3/5", "1/5"], ["1/5", "3/5"]], [["4/5", "2/5"], ["2/5", "4/5"]]
    box = {"initial": "any", "transition_lower": lower, "transition_upper": upper}
    yield Case("classes/box.json", _framework(6, _BITS, [3], theta={"markov": box}))
    still = {**box, "initial": "stationary"}
    yield Case("classes/box-stationary.json", _framework(6, _BITS, [3], theta={"markov": still}))
    anyhow = {"markov": {"initial": "any", "transition": _stay("3", "3")}}
    yield Case("classes/any-start.json", _framework(7, _BITS, [4], theta=anyhow))
    known = {"initial": "stationary", "reversible": True}
    gap = {"markov": {**known, "pi_min": "1/5", "eigengap": "1/2"}}
    yield Case("classes/eigengap.json", _framework(20, _BITS, [10], theta=gap))


def _weak() -> Iterator[Case]:
    """Records that hardly depend on one another, at levels that a bound by the largest and the
    least transition probability reaches: 3.
    """
    move = [["11/20", "9/20"], ["9/20", "11/20"]]
    three = [["2/5" if i == j else "3/10" for j in range(3)] for i in range(3)]
    yield Case("weak/9-of-20-move.json", _framework(21, _BITS, [11], theta=_chain(move)))
    four = _framework(21, _BITS, [11], theta=_chain(_stay("4", "4")))
    yield Case("weak/4-of-10-move.json", four, "sum", "2")
    values = _framework(4, "012", [2], theta=_chain(three))
    yield Case("weak/three-values.json", values, "histogram", "2")


def _points(count: int, record: int, gaussian: Document) -> Document:
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count},
        "secrets": {f"x={v}": {"record": record, "at": v} for v in "01"},
        "pairs": [["x=0", "x=1"]],
        "priors": {"theta": {"gaussian": gaussian}},
    }


def _normal() -> Iterator[Case]:
    """Normal records: a family, an autoregression, a record that varies less than another: 3."""
    family = [["1" if i == j else "1/4" for j in range(3)] for i in range(3)]
    yield Case("normal/family.json", _points(3, 1, {"covariance": family}))
    series = {"ar1": {"coefficient": "1/4", "variance": "1"}}
    yield Case("normal/autoregression.json", _points(5, 3, series))
    uneven = {"covariance": [["1", "1"], ["1", "4"]]}
    yield Case("normal/uneven.json", _points(2, 1, uneven))
