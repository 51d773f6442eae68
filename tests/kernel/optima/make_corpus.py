"""Write the corpus of optima: certificates that are accepted, and for every side condition
one that is refused.

`python -m tests.kernel.optima.make_corpus` rewrites `accept/`, `reject/` and `inputs/`. A reject
file is named after the side condition of CERTIFICATES.md that it breaks; README.md says how one is
added.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.kernel.corpus import Given, Json, edited, write_corpus, write_inputs

HERE = Path(__file__).parent

FORMAT = "pufferproof-certificate/1"


def log(ratio: Any) -> Json:
    return {"log": ratio}


def lp(
    rows: list[Any], objective: Json, primal: Json, dual: list[Any], value: Any, **more: Any
) -> Json:
    lines = [
        {"coefficients": row, "relation": relation, "bound": bound} for row, relation, bound in rows
    ]
    claim = {"variables": ["x", "y"], "free": [], "objective": objective, "rows": lines}
    return {
        "format": FORMAT,
        "kind": "lp-optimum",
        "claim": claim | {"primal": primal, "dual": dual, "value": value} | more,
    }


# x + y is largest at (8/5, 6/5), where both rows are tight
CORNER = lp(
    [({"x": 1, "y": 2}, "<=", 4), ({"x": 3, "y": 1}, "<=", 6)],
    {"x": 1, "y": 1},
    {"x": "8/5", "y": "6/5"},
    ["2/5", "1/5"],
    "14/5",
)
# y is free and negative at the optimum of x - y; the equation has a negative multiplier, the last
# row none
FREE = lp(
    [({"x": 1, "y": 1}, ">=", -1), ({"x": -1}, "=", "-1/2"), ({"y": 1}, "<=", 7)],
    {"x": 1, "y": -1},
    {"x": "1/2", "y": "-3/2"},
    [-1, -2, 0],
    2,
    free=["y"],
)
ALL_FREE = lp([({"x": 1}, "=", 3)], {"x": 2}, {"x": 3}, [2], 6, free=["x", "y"])
# a name that would read as another program, were it not quoted
ODD = "x <= 1 and all >= 0 is 9\n"
ODD_NAME = lp([({ODD: 1}, "<=", 2)], {ODD: 1}, {ODD: 2}, [1], 2, variables=[ODD])
MANY = [f"x{i}" for i in range(21)]
TWENTY = ["x", *MANY[:20]]
TWENTY_FREE = lp([({"x": 1}, "=", 3)], {"x": 1}, {"x": 3}, [1], 3, variables=TWENTY, free=MANY[:20])
MANY_FREE = lp([({"x": 1}, "=", 3)], {"x": 1}, {"x": 3}, [1], 3, variables=["x", *MANY], free=MANY)
ZERO = lp([], {"x": -1}, {"y": 0}, [], 0)
SLACK = lp([({"x": 1}, ">=", -5), ({"y": 1}, "<=", 5)], {"x": -1}, {}, [0, 0], 0)


def many(count: int) -> Json:
    names = [f"x{i}" for i in range(count)]
    ones = dict.fromkeys(names, 1)
    rows = [({name: 1}, "<=", 1) for name in names]
    return lp(rows, ones, ones, [1] * count, count, variables=names)


S_T, T_S = ["theta", "s", "t"], ["theta", "t", "s"]
PRODUCT = [
    [0, 0, 1],
    [1, 1, "3/2"],
]  # -u_a v_a + 21/10 u_b v_b = (3/2 u_b - u_a) v_a + 3/2 u_b (7/5 v_b - v_a)


def worst(
    trees: list[tuple[list[Any], Json]],
    rows: list[Any],
    level: Any,
    attained: Json | None = None,
    **more: Any,
) -> Json:
    """Two databases that the secrets determine, budgets log(3/2) and log(7/5); `more` replaces
    parts of the claim.
    """
    space = {
        "databases": ["a", "b"],
        "secrets": {"s": ["a"], "t": ["b"]},
        "pairs": [["s", "t"]],
        "priors": {"theta": {"a": "1/3", "b": "2/3"}},
        "closure": "list",
    }
    framework = space | more.pop("framework", {})
    claim = {
        "budgets": [log("3/2"), log("7/5")],
        "per_record": [None, None],
        "records": None,
        "level": log(level),
        "attained": attained,
        "rows": rows,
        "laws": [{"places": places, "tree": tree} for places, tree in trees],
    }
    inputs = {"framework": None, "mechanisms": [], "normalized": []}
    whole = {"framework": framework, "mechanisms": [], "inputs": inputs, "claim": claim | more}
    return deepcopy({"format": FORMAT, "kind": "worst-at-most"} | whole)


def leaf(*entries: list[Any]) -> Json:
    return {"multipliers": list(entries)}


def split(above: Json, below: Json, release: int = 0, factor: Any = "3/2") -> Json:
    cut = {"release": release, "above": "a", "below": "b", "factor": factor}
    return {"split": cut, "above": above, "below": below}


ROWS = [
    [{"law": S_T}, {"database": "b"}, {"law": T_S}, {"database": "a"}],
    [{"database": "a"}, {"law": S_T}, {"database": "b"}, {"law": T_S}],
]
BACK = leaf([2, 2, 1], [3, 3, "3/2"])
AT = {"prior": "theta", "pair": ["s", "t"], "columns": [{"a": "3/4", "b": "1/2"}, {"a": 7, "b": 5}]}
BASE = worst([([S_T], leaf(*PRODUCT)), ([T_S], BACK)], ROWS, "21/10")
EXACT = worst([([S_T], leaf(*PRODUCT)), ([T_S], BACK)], ROWS, "21/10", AT)
# below: the row of the split, number 4 of its release, stands for the law; above, a looser row does
# no harm
SPLIT = worst(
    [([S_T], split(leaf(*PRODUCT), leaf([4, 0, 1], [1, 1, "3/2"]))), ([T_S], BACK)], ROWS, "21/10"
)
DEEP = worst(
    [
        (
            [S_T],
            split(
                split(leaf(*PRODUCT), leaf([0, 0, 1], [1, 4, "3/2"]), 1, "7/5"),
                split(leaf([4, 0, 1], [1, 1, "3/2"]), leaf([4, 0, 1], [1, 4, "3/2"]), 1, "7/5"),
            ),
        ),
        ([T_S], BACK),
    ],
    ROWS,
    "21/10",
)
# the half of u with u_a <= u_b / 2 is the last of two splits of the same release
TWICE = worst(
    [
        (
            [S_T],
            split(
                leaf(*PRODUCT),
                split(leaf([4, 0, 1], [1, 1, "3/2"]), leaf([5, 0, 1], [1, 1, "1/2"]), 0, "1/2"),
            ),
        ),
        ([T_S], BACK),
    ],
    ROWS,
    "21/10",
)
NOTHING = worst([([S_T], leaf(*PRODUCT, [3, 2, 0])), ([T_S], BACK)], ROWS, 3)
LEVEL_ZERO = worst(
    [([S_T], leaf([0, 0, 1], [1, 1, 1])), ([T_S], leaf([2, 2, 1], [3, 3, 1]))],
    ROWS,
    1,
    {**AT, "columns": [{"a": 1, "b": 1}, {"a": 2, "b": 2}]},
    budgets=[log(1), log(1)],
)
# two priors with the same laws share their trees; under a third one secret t is impossible
PRIORS = {"theta": {"a": "1/3", "b": "2/3"}, "other": {"a": "1/2", "b": "1/2"}, "only": {"a": 1}}
SHARED = worst(
    [([S_T, ["other", "s", "t"]], leaf(*PRODUCT)), ([T_S, ["other", "t", "s"]], BACK)],
    ROWS,
    "21/10",
    framework={"priors": PRIORS},
)

RECORDS = {"count": 2, "alphabet": ["0", "1"]}
PAIR = {
    "databases": ["00", "01", "10", "11"],
    "secrets": {"s": ["00"], "t": ["11"]},
    "priors": {"theta": {"00": "1/2", "11": "1/2"}},
}
PAIR_ROWS = [
    [{"record": ["00", "11"]}, {"database": "11"}, {"record": ["11", "00"]}, {"database": "00"}],
    [{"database": "00"}, {"law": S_T}, {"database": "11"}, {"law": T_S}],
]
PAIR_AT = {
    "prior": "theta",
    "pair": ["s", "t"],
    "columns": [{"00": 4, "01": 2, "10": 2, "11": 1}, {"00": 7, "01": 0, "11": 5}],
}
# release 0 keeps the budget log(5) and the per-record level log(2), so u_00 <= 4 u_11
NEAR = worst(
    [([S_T], leaf([0, 0, 1], [1, 1, 4])), ([T_S], leaf([2, 2, 1], [3, 3, 4]))],
    PAIR_ROWS,
    "28/5",
    PAIR_AT,
    framework=PAIR,
    budgets=[log(5), log("7/5")],
    per_record=[log(2), None],
    records=RECORDS,
)
NEAR_BOTH = worst(
    [([S_T], leaf([0, 0, 1], [1, 1, 4])), ([T_S], leaf([2, 2, 1], [3, 3, 4]))],
    [
        PAIR_ROWS[0],
        [
            {"database": "00"},
            {"record": ["00", "11"]},
            {"database": "11"},
            {"record": ["11", "00"]},
        ],
    ],
    9,
    None,
    framework=PAIR,
    budgets=[log(5), log(5)],
    per_record=[log(2), log("3/2")],
    records=RECORDS,
)
ONE_RECORD = worst(
    [([S_T], leaf([0, 0, 1], [1, 1, 2])), ([T_S], leaf([2, 2, 1], [3, 3, 2]))],
    [
        [{"record": ["a", "b"]}, {"database": "b"}, {"record": ["b", "a"]}, {"database": "a"}],
        ROWS[1],
    ],
    "14/5",
    {**AT, "columns": [{"a": 2, "b": 1}, {"a": 7, "b": 5}]},
    budgets=[log(3), log("7/5")],
    per_record=[log(2), None],
    records={"count": 1, "alphabet": ["a", "b"]},
)

ACCEPT = {
    "lp-corner": CORNER,
    "lp-free": FREE,
    "lp-all-free": ALL_FREE,
    "lp-no-rows": ZERO,
    "lp-slack": SLACK,
    "lp-twenty": many(20),
    "lp-many": many(21),
    "lp-twenty-free": TWENTY_FREE,
    "lp-many-free": MANY_FREE,
    "lp-odd-name": ODD_NAME,
    "worst": BASE,
    "worst-exact": EXACT,
    "worst-split": SPLIT,
    "worst-deep": DEEP,
    "worst-twice": TWICE,
    "worst-loose": NOTHING,
    "worst-level-zero": LEVEL_ZERO,
    "worst-shared": SHARED,
    "worst-records": NEAR,
    "worst-records-both": NEAR_BOTH,
    "worst-one-record": ONE_RECORD,
}

TREE = "claim.laws.0.tree"
REJECT: dict[str, tuple[Any, str]] = {
    "OC1-missing-key": (edited(BASE, "claim.rows", ...), "expected the keys"),
    "OC1-extra-key": (edited(CORNER, "claim.rows.0.name", "first"), "expected the keys"),
    "OC1-extra-key-at-the-top": (edited(CORNER, "inputs", {}), "expected the keys"),
    "OC1-extra-key-in-a-tree": (edited(BASE, f"{TREE}.above", leaf()), "expected the keys"),
    "OC1-a-split-that-is-a-leaf": (edited(SPLIT, f"{TREE}.multipliers", []), "expected the keys"),
    "OC2-unknown-kind": (edited(BASE, "kind", "worst"), "expected one of"),
    "OC2-no-kind": (edited(BASE, "kind", ...), "NoneType"),
    "OC2-not-an-object": ([], '"list"'),
    "OC3-a-mechanism": (
        edited(BASE, "mechanisms", [{"outputs": ["u"], "channel": {"a": [1], "b": [1]}}]),
        "no mechanisms",
    ),
    "OC3-a-mechanism-hash": (edited(BASE, "inputs.mechanisms", [None]), "no mechanisms"),
    "OC3-a-mechanism-flag": (edited(BASE, "inputs.normalized", [False]), "no mechanisms"),
    "OC4-law-does-not-sum-to-one": (edited(BASE, "framework.priors.theta.a", "1/2"), "not 1"),
    "OC4-hash": (edited(BASE, "inputs.framework", "sha256:1"), "64 hexadecimal digits"),
    "OL1-variable-twice": (
        edited(CORNER, "claim.variables", ["x", "y", "x"]),
        "a label occurs twice",
    ),
    "OL1-unknown-free": (edited(CORNER, "claim.free", ["z"]), "unknown variables"),
    "OL1-unknown-in-objective": (edited(CORNER, "claim.objective.z", 0), "unknown names"),
    "OL1-unknown-in-primal": (edited(CORNER, "claim.primal.z", 0), "unknown names"),
    "OL1-unknown-in-row": (edited(CORNER, "claim.rows.0.coefficients.z", 0), "unknown names"),
    "OL1-relation": (edited(CORNER, "claim.rows.0.relation", "<"), "expected one of"),
    "OL1-no-variables": (lp([], {}, {}, [], 0, variables=[]), "nothing was checked"),
    "OL2-negative-primal": (edited(FREE, "claim.free", []), "are negative"),
    "OL3-row-below": (edited(CORNER, "claim.rows.0.bound", "399/100"), "primal: row 0"),
    "OL3-row-above": (edited(FREE, "claim.rows.0.bound", 0), "primal: row 0"),
    "OL3-row-equal": (edited(FREE, "claim.rows.1.bound", 0), "primal: row 1"),
    "OL3-row-equal-over": (edited(FREE, "claim.rows.1.bound", -1), "primal: row 1"),
    "OL4-too-few": (edited(CORNER, "claim.dual", ["2/5"]), "expected 2 multipliers"),
    "OL4-too-many": (edited(CORNER, "claim.dual", ["2/5", "1/5", 0]), "expected 2 multipliers"),
    "OL4-negative": (edited(CORNER, "claim.dual.0", "-2/5"), "wrong sign"),
    "OL4-positive": (edited(FREE, "claim.dual.0", 1), "wrong sign"),
    "OL5-short": (edited(CORNER, "claim.objective.x", 2), "do not add up"),
    "OL5-free-over": (edited(ALL_FREE, "claim.objective.x", 1), "do not add up"),
    "OL5-free-short": (edited(ALL_FREE, "claim.objective.x", 3), "do not add up"),
    "OL5-no-row-at-all": (lp([], {"x": 1}, {}, [], 0), "do not add up"),
    "OL6-primal-value": (edited(CORNER, "claim.primal.x", "7/5"), "primal value"),
    "OL6-value": (edited(CORNER, "claim.value", 3), "primal value"),
    "OL7-dual-value": (edited(CORNER, "claim.dual.0", "1/2"), "dual value"),
    "OW1-convex": (edited(BASE, "framework.closure", "convex"), "mixtures of priors"),
    "OW2-three-budgets": (edited(BASE, "claim.budgets", [log(1)] * 3), "two releases"),
    "OW2-one-level": (edited(BASE, "claim.per_record", [None]), "two releases"),
    "OW2-three-lists-of-rows": (edited(BASE, "claim.rows", [*ROWS, []]), "two releases"),
    "OW2-nats": (edited(BASE, "claim.level", {"nats": 1}), "of the form log"),
    "OW2-budget-below-one": (edited(BASE, "claim.budgets.0", log("1/2")), "is negative"),
    "OW3-no-records": (edited(NEAR, "claim.records", None), "expected them with"),
    "OW3-records-for-nothing": (
        edited(BASE, "claim.records", {"count": 1, "alphabet": ["a", "b"]}),
        "expected them with",
    ),
    "OW3-other-order": (edited(NEAR, "claim.records.alphabet", ["1", "0"]), "in this order"),
    "OW3-more": (edited(NEAR, "claim.records.count", 3), "in this order"),
    "OW4-unknown-database": (edited(BASE, "claim.rows.0.1", {"database": "c"}), "expected one of"),
    "OW4-unknown-law": (
        edited(BASE, "claim.rows.0.0", {"law": ["theta", "s", "s"]}),
        "no prior and ordered pair",
    ),
    "OW4-record-without-level": (
        edited(NEAR, "claim.rows.1.0", {"record": ["00", "11"]}),
        "with a per-record level",
    ),
    "OW4-two-names": (
        edited(BASE, "claim.rows.0.0", {"law": S_T, "database": "a"}),
        "expected a database, a law",
    ),
    "OW4-same-database": (
        edited(NEAR, "claim.rows.0.0", {"record": ["00", "00"]}),
        "a label occurs twice",
    ),
    "OW4-three-databases": (
        edited(NEAR, "claim.rows.0.0", {"record": ["00", "01", "11"]}),
        "expected two databases",
    ),
    "OW4-unknown-record": (
        edited(NEAR, "claim.rows.0.0", {"record": ["00", "12"]}),
        "expected two databases",
    ),
    "OW5-one-order": (edited(BASE, "claim.laws", [BASE["claim"]["laws"][0]]), "no proof for"),
    "OW5-unknown-place": (
        edited(BASE, "claim.laws.0.places.0.0", "other"),
        "no prior and ordered pair",
    ),
    "OW5-impossible-secret": (
        edited(SHARED, "claim.laws.0.places.1.0", "only"),
        "no prior and ordered pair",
    ),
    "OW5-one-prior": (edited(SHARED, "claim.laws.0.places", [S_T]), "no proof for"),
    "OW6-release": (edited(SPLIT, f"{TREE}.split.release", 2), "release 0 or 1"),
    "OW6-database": (edited(SPLIT, f"{TREE}.split.below", "c"), "expected one of"),
    "OW6-other-side": (edited(SPLIT, f"{TREE}.split.above", "b"), "negative entries"),
    "OW6-exchanged": (
        edited(SPLIT, TREE, split(leaf([4, 0, 1], [1, 1, "3/2"]), leaf(*PRODUCT))),
        "negative entries",
    ),
    "OW6-other-factor": (edited(SPLIT, f"{TREE}.split.factor", 2), "negative entries"),
    "OW6-other-release": (edited(SPLIT, f"{TREE}.split.release", 1), "no such row"),
    "OW7-no-such-row": (edited(BASE, f"{TREE}.multipliers.0.0", 4), "no such row"),
    "OW7-no-such-row-of-the-other": (edited(BASE, f"{TREE}.multipliers.0.1", 4), "no such row"),
    "OW7-row-of-the-other-half": (edited(SPLIT, f"{TREE}.below.multipliers.0.0", 5), "no such row"),
    "OW7-negative": (edited(BASE, f"{TREE}.multipliers.0.2", -1), "is negative"),
    "OW7-two-entries": (edited(BASE, f"{TREE}.multipliers.0", [0, 0]), "two rows and a number"),
    "OW8-smaller-level": (edited(BASE, "claim.level", log("209/100")), "negative entries"),
    "OW8-missing-multiplier": (edited(BASE, TREE, leaf([0, 0, 1])), "negative entries"),
    "OW8-off-the-diagonal": (edited(BASE, f"{TREE}.multipliers.0.2", "11/10"), "negative entries"),
    "OW8-other-law": (edited(BASE, "claim.laws.0.places", [S_T, T_S]), "negative entries"),
    "OW8-distance": (edited(NEAR, "claim.rows.0.0", {"record": ["00", "10"]}), "negative entries"),
    "OW8-distance-two-taken-for-none": (
        worst(
            [([S_T], leaf([0, 0, 1], [1, 1, 1])), ([T_S], leaf([2, 2, 1], [3, 3, 1]))],
            PAIR_ROWS,
            2,
            framework=PAIR,
            budgets=[log(5), log("7/5")],
            per_record=[log(2), None],
            records=RECORDS,
        ),
        "negative entries",
    ),
    "OW9-no-place": (
        edited(
            edited(BASE, "framework.priors.theta", {"a": 1}),
            "claim",
            {**BASE["claim"], "rows": [[], []], "laws": []},
        ),
        "no prior gives both",
    ),
    "OW10-negative": (edited(EXACT, "claim.attained.columns.0.a", "-3/4"), "is negative"),
    "OW10-unknown-database": (edited(EXACT, "claim.attained.columns.0.c", 0), "unknown names"),
    "OW10-three-columns": (
        edited(EXACT, "claim.attained.columns", [{"a": 1, "b": 1}] * 3),
        "two columns",
    ),
    "OW10-unknown-place": (
        edited(EXACT, "claim.attained.prior", "other"),
        "no prior and ordered pair",
    ),
    "OW11-over-the-budget": (
        edited(EXACT, "claim.attained.columns.0.a", 1),
        "not within its budget",
    ),
    "OW11-over-the-budget-in-the-other-order": (
        edited(EXACT, "claim.attained.columns.1.a", 1),
        "not within its budget",
    ),
    "OW11-budgets-exchanged": (
        edited(EXACT, "claim.attained.columns", [{"a": 7, "b": 5}, {"a": 3, "b": 2}]),
        "not within",
    ),
    "OW12-over-the-level": (edited(NEAR, "claim.attained.columns.0.01", 3), "per-record level"),
    "OW12-left-out-is-zero": (edited(NEAR, "claim.attained.columns.0.01", ...), "per-record level"),
    "OW12-one-record": (edited(ONE_RECORD, "claim.attained.columns.0.a", 3), "per-record level"),
    "OW13-smaller-ratio": (edited(EXACT, "claim.attained.columns.0.a", "1/2"), "not the level"),
    "OW13-nothing": (edited(EXACT, "claim.attained.columns", [{}, {}]), "not the level"),
    "OW13-other-order": (edited(EXACT, "claim.attained.pair", ["t", "s"]), "not the level"),
}


# --- certificates with the framework file they were made from ---

RECORDS_FILE = {
    "format": "pufferproof-framework/1",
    "records": RECORDS,
    "secrets": {"s": ["00"], "t": ["11"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"00": "1/2", "11": "1/2"}}},
}
LISTED_FILE = {**RECORDS_FILE, "databases": PAIR["databases"]}
LISTED_FILE.pop("records")
ONE_OF_FOUR = {"count": 1, "alphabet": ["00", "01", "10", "11"]}
# the databases of PAIR taken for one record of four values: all are near each other, and at most
# 14/5 leaks, not 28/5
FORGED = worst(
    [([S_T], leaf([0, 0, 1], [1, 1, 2])), ([T_S], leaf([2, 2, 1], [3, 3, 2]))],
    PAIR_ROWS,
    "14/5",
    {**PAIR_AT, "columns": [{"00": 2, "01": 2, "10": 2, "11": 1}, {"00": 7, "11": 5}]},
    framework=PAIR,
    budgets=[log(5), log("7/5")],
    per_record=[log(2), None],
    records=ONE_OF_FOUR,
)
FREE_OF_RECORDS = worst(
    [([S_T], leaf([0, 0, 1], [1, 1, 5])), ([T_S], leaf([2, 2, 1], [3, 3, 5]))],
    [
        [{"law": S_T}, {"database": "11"}, {"law": T_S}, {"database": "00"}],
        [{"database": "00"}, {"law": S_T}, {"database": "11"}, {"law": T_S}],
    ],
    7,
    framework=PAIR,
    budgets=[log(5), log("7/5")],
)
# name, certificate, framework file, and None or the reason of the refusal
INPUTS: list[tuple[str, Json, Json, str | None]] = [
    ("records", NEAR, RECORDS_FILE, None),
    ("one-record", FORGED, {**RECORDS_FILE, "records": ONE_OF_FOUR}, None),
    ("no-per-record-level", FREE_OF_RECORDS, RECORDS_FILE, None),
    ("no-per-record-level-listed", FREE_OF_RECORDS, LISTED_FILE, None),
    ("OW14-one-record-of-four-values", FORGED, RECORDS_FILE, "the records are"),
    (
        "OW14-two-records-of-two-values",
        NEAR,
        {**RECORDS_FILE, "records": ONE_OF_FOUR},
        "the records are",
    ),
    (
        "OW14-alphabet-in-another-order",
        NEAR,
        edited(RECORDS_FILE, "records.alphabet", ["1", "0"]),
        "the records are",
    ),
    ("OW14-no-records", NEAR, LISTED_FILE, "there are no records"),
]


TABLE_FILE = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/3", "b": "2/3"}}},
}


def with_files() -> list[Given]:
    """Certificates with a framework file, the right one and others."""
    cases = [
        Given(name, certificate, [(f"{name}.framework.json", text_of(framework))], reason)
        for name, certificate, framework, reason in INPUTS
    ]
    file, none = ("framework.json", text_of(TABLE_FILE)), "speaks of no mechanisms"
    other = edited(BASE, "framework.priors.theta", {"a": "1/2", "b": "1/2"})
    return [
        *cases,
        Given("worst", BASE, [file]),
        Given("without-the-file", BASE, [file], None, ()),
        Given("OC4-other-hash", BASE, [file], "the certificate says", ("records.framework.json",)),
        Given("OC4-other-priors", other, [file], "differ from the certificate"),
        Given("OC3-a-mechanism-file", BASE, [file], none, ("framework.json", "framework.json")),
    ]


def text_of(framework: Json) -> str:
    return json.dumps(framework, indent=1) + "\n"


PROGRAM = "../accept/lp-corner.json"
MORE = {"certificate": PROGRAM, "files": [PROGRAM], "refused": "speaks of no framework"}


def main() -> None:
    write_corpus(HERE, ACCEPT, REJECT)
    write_inputs(HERE / "inputs", with_files(), [MORE])


if __name__ == "__main__":
    main()
