"""Write the corpus of redaction: certificates that are accepted, and for every side condition
one that is refused.

`python -m tests.kernel.redaction.make_corpus` rewrites `accept/`, `reject/` and `inputs/`. A reject
file is named after the side condition of CERTIFICATES.md that it breaks; README.md says how one is
added.
"""

import json
from pathlib import Path
from typing import Any

from tests.kernel.corpus import Given, Json, edited, write_corpus, write_inputs

HERE = Path(__file__).parent

FORMAT = "pufferproof-certificate/1"


def chain(alpha: str, beta: str, length: int, initial: Any = "stationary") -> Json:
    return {"alpha": alpha, "beta": beta, "length": length, "initial": initial}


# --- redaction-leakage ---


def leak(
    of: Json,
    private: int,
    runs: list[Any],
    relation: str,
    level: Any,
    output: str | None = None,
    precision: int | None = None,
) -> Json:
    """A certificate; the level is a ratio, "inf", or an object."""
    stated = level if level == "inf" or isinstance(level, dict) else {"log": level}
    return {
        "format": FORMAT,
        "kind": "redaction-leakage",
        "chain": of,
        "private": private,
        "redaction": runs,
        "precision": precision,
        "inputs": {"framework": None, "mechanism": None},
        "claim": {"relation": relation, "level": stated, "output": output},
    }


TWO = chain("1/4", "1/2", 2)
EIGHTH = [
    [1, 1, 1],
    [1, "1/8", 1],
]  # P(** | 0) : P(** | 1) = 3/4 1/8 + 1/4 : 1/2 1/8 + 1/2 = 11/32 : 18/32
EXACT = leak(TWO, 1, EIGHTH, "=", "18/11", "**")
FALLING = chain("3/4", "4/5", 3)
MIXED = chain("1/4", "1/2", 3, ["1/3", "2/3"])
FIRST_KNOWN = chain("1/4", "1/2", 3, [0, 1])
LAST = [[1, "1/2", "3/4"], [1, "1/3", "1"], [1, 1, 1]]

LEAKAGES: dict[str, Json] = {
    "exact": EXACT,
    "at-most": leak(TWO, 1, EIGHTH, "<=", "18/11"),
    "at-most-loose": leak(TWO, 1, EIGHTH, "<=", 2),
    "at-least": leak(TWO, 1, EIGHTH, ">=", "18/11"),
    "more": leak(TWO, 1, EIGHTH, ">", "17/11", "**"),
    "one-output": leak(TWO, 1, EIGHTH, ">=", "3/2", "*0"),
    "one-output-less": leak(TWO, 1, EIGHTH, ">", "7/5", "*0"),
    "nats": leak(TWO, 1, EIGHTH, "<=", {"nats": "1/2"}),
    "nats-at-least": leak(TWO, 1, EIGHTH, ">=", {"nats": "0.49"}),
    "nats-zero": leak(TWO, 1, [[2, 1, 1]], "=", {"nats": 0}),
    "nats-zero-more": leak(TWO, 1, EIGHTH, ">", {"nats": 0}),
    "infinite": leak(TWO, 1, [[1, "1/2", 1], [1, 1, 1]], "=", "inf", "0*"),
    "infinite-one": leak(TWO, 1, [[1, 1, "1/2"], [1, 1, 1]], ">=", "inf", "1*"),
    "infinite-shown-star": leak(TWO, 1, [[1, 0, "1/2"], [1, 0, 0]], ">", "9", "*1"),
    "one-record": leak(chain("1/4", "1/2", 1), 1, [[1, 1, 1]], "=", 1, "*"),
    "first-one-record": leak(chain("1/4", "1/2", 1, ["1/5", "4/5"]), 1, [[1, 1, 1]], "=", 1),
    "falling": leak(FALLING, 2, [[1, 0, 0], [1, 1, 1], [1, "1/2", 1]], "=", "256/25"),
    "falling-first": leak(
        FALLING, 1, [[1, 1, 1], [1, "1/2", 1], [1, "1/3", "1/2"]], "=", "16/5", "*0*"
    ),
    "middle": leak(chain("1/4", "1/2", 3), 2, [[1, 0, 0], [1, 1, 1], [1, 0, 0]], "=", 4, "1*1"),
    "last": leak(chain("1/4", "1/2", 3), 3, LAST, "=", "14/9", "1**"),
    "initial": leak(MIXED, 3, LAST, "=", "51/31", "*0*"),
    "first-known": leak(FIRST_KNOWN, 3, LAST, "=", "9/5", "*0*"),
    "independent": leak(chain("1/4", "3/4", 2), 1, [[1, 1, 1], [1, 0, 0]], "=", 1),
    "precision": leak(TWO, 1, EIGHTH, "<=", "19/11", precision=16),
    "long": leak(
        chain("1/4", "1/2", 400),
        200,
        [[199, "1/3", 1], [1, 1, 1], [200, 1, 1]],
        "<=",
        "3",
        precision=32,
    ),
    "long-more": leak(
        chain("1/4", "1/2", 400),
        200,
        [[199, "1/3", 1], [1, 1, 1], [200, 1, 1]],
        ">",
        "29/20",
        precision=32,
    ),
}

SMALL = [[1, 1, 1], [1, "1/1000000007", 1], [1, "1/1000000009", 1]]
PRECISE = leak(
    chain("1/4", "1/2", 3), 1, SMALL, "<=", "250000004375000019/125000002312500011", precision=16
)
ZERO_FIRST = chain("1/4", "1/2", 1, [0, 1])
BAD_LEAKAGES: dict[str, tuple[Json, str]] = {
    "QC1-extra-key": (EXACT | {"more": 1}, "expected the keys"),
    "QC1-missing-key": (edited(EXACT, "precision", ...), "expected the keys"),
    "QC1-extra-key-of-the-chain": (edited(EXACT, "chain.more", 1), "expected the keys"),
    "QC1-extra-key-of-the-claim": (edited(EXACT, "claim.more", 1), "expected the keys"),
    "QC1-extra-key-of-the-inputs": (edited(EXACT, "inputs.more", None), "expected the keys"),
    "QC1-not-an-object": (edited(EXACT, "chain", []), 'found "list"'),
    "QC2-unknown-kind": (EXACT | {"kind": "redaction"}, "expected one of"),
    "QC3-alpha-zero": (edited(EXACT, "chain.alpha", 0), "above 0 and below 1"),
    "QC3-alpha-one": (edited(EXACT, "chain.alpha", 1), "above 0 and below 1"),
    "QC3-beta-zero": (edited(EXACT, "chain.beta", 0), "above 0 and below 1"),
    "QC3-beta-one": (edited(EXACT, "chain.beta", "1.0"), "above 0 and below 1"),
    "QC4-does-not-sum-to-one": (edited(EXACT, "chain.initial", ["1/2", "1/3"]), "sums to"),
    "QC4-three-numbers": (edited(EXACT, "chain.initial", [0, "1/2", "1/2"]), "expected 2 numbers"),
    "QC4-other-word": (edited(EXACT, "chain.initial", "any"), 'found "str"'),
    "QC5-record-zero": (edited(EXACT, "private", 0), "expected a record from 1 to"),
    "QC5-record-beyond": (edited(EXACT, "private", 3), "expected a record from 1 to"),
    "QC5-value-impossible": (leak(ZERO_FIRST, 1, [[1, 1, 1]], "=", 1), "has probability 0"),
    "QC6-negative": (edited(EXACT, "redaction.1.1", "-1/8"), "not both probabilities"),
    "QC6-negative-one": (edited(EXACT, "redaction.1.2", "-1/8"), "not both probabilities"),
    "QC6-over": (edited(EXACT, "redaction.1.1", "9/8"), "not both probabilities"),
    "QC6-over-one": (edited(EXACT, "redaction.1.2", "9/8"), "not both probabilities"),
    "QC6-too-few": (edited(EXACT, "redaction.1", ...), "are missing"),
    "QC6-too-many": (edited(EXACT, "redaction.1.0", 2), "entries in all"),
    "QC6-none": (leak(TWO, 1, [[2, 1, 1], [0, 1, 1]], "=", 1), "entries in all"),
    "QC6-no-number": (edited(EXACT, "redaction.1.2", ...), "expected a count and 2 numbers"),
    "QC6-empty": (edited(EXACT, "redaction.1", []), "expected a count and 2 numbers"),
    "QC6-three-numbers": (leak(TWO, 1, [[2, 1, 1, 1]], "=", 1), "expected a count and 2 numbers"),
    "QC7-few-bits": (edited(EXACT, "precision", 15), "expected null, or from"),
    "QC7-many-bits": (edited(EXACT, "precision", 1_000_001), "expected null, or from"),
    "QL1-relation": (edited(EXACT, "claim.relation", "<"), "expected one of"),
    "QL1-level": (edited(EXACT, "claim.level", {"log": "1/2"}), "is negative"),
    "QL1-at-most-infinite": (leak(TWO, 1, EIGHTH, "<=", "inf"), "every leakage"),
    "QL1-more-than-infinite": (
        leak(TWO, 1, [[1, "1/2", 1], [1, 1, 1]], ">", "inf", "0*"),
        "none more than",
    ),
    "QL2-at-most": (leak(TWO, 1, EIGHTH, "<=", "17/11"), "may be more than"),
    "QL2-equal": (leak(TWO, 1, EIGHTH, "=", "17/11"), "may be more than"),
    "QL2-nats": (leak(TWO, 1, EIGHTH, "<=", {"nats": "0.4924"}), "may be more than"),
    "QL2-infinite": (leak(TWO, 1, [[1, "1/2", 1], [1, 1, 1]], "<=", 9), "may be more than"),
    "QL2-left": (leak(chain("1/4", "1/2", 3), 3, LAST, "<=", "3/2"), "may be more than"),
    "QL2-precision": (PRECISE, "may be more than"),
    "QL3-equal": (leak(TWO, 1, EIGHTH, "=", 2), "not shown to be"),
    "QL3-at-least": (leak(TWO, 1, EIGHTH, ">=", "37/22"), "not shown to be"),
    "QL3-more": (leak(TWO, 1, EIGHTH, ">", "18/11"), "not shown to be"),
    "QL3-infinite": (leak(TWO, 1, EIGHTH, "=", "inf"), "not shown to be"),
    "QL3-nats": (leak(TWO, 1, EIGHTH, ">=", {"nats": "0.4925"}), "not shown to be"),
    "QL3-nats-zero": (leak(TWO, 1, [[2, 1, 1]], ">", {"nats": 0}), "not shown to be"),
    "QL4-other-output": (leak(TWO, 1, EIGHTH, "=", "18/11", "*0"), "not shown to be"),
    "QL4-short": (leak(TWO, 1, EIGHTH, "=", "18/11", "*"), "expected 2 of"),
    "QL4-other-symbol": (leak(TWO, 1, EIGHTH, "=", "18/11", "*2"), "expected 2 of"),
    "QL4-at-most": (leak(TWO, 1, EIGHTH, "<=", 2, "**"), "proves no upper bound"),
    "QL5-never-shown": (leak(TWO, 1, EIGHTH, "=", "18/11", "*1"), "impossible"),
    "QL5-always-shown": (leak(TWO, 1, [[1, 1, 1], [1, 0, 0]], ">=", 1, "**"), "impossible"),
    "QL5-first-known": (leak(FIRST_KNOWN, 3, LAST, ">=", 1, "0**"), "impossible"),
    "QL6-hash": (edited(EXACT, "inputs.framework", "sha256:abc"), "hexadecimal digits"),
    "QL6-no-hash": (edited(EXACT, "inputs.mechanism", 1), 'expected "str"'),
}

# --- with a framework and a mechanism file ---

FRAMEWORK: dict[str, Any] = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["a", "b"]},
    "secrets": {
        "s": {"record": 1, "value": "a"},
        "t": {"record": 1, "value": "b"},
        "u": {"record": 1, "value": "b"},
    },
    "pairs": [["t", "s"]],
    "priors": {
        "theta": {
            "markov": {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}
        }
    },
}
MECHANISM: dict[str, Any] = {
    "format": "pufferproof-mechanism/1",
    "redaction": [["1", "1"], ["0.125", "1"]],
}
MARKOV = {"initial": ["2/3", "1/3"], "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}
OTHER_SECRETS = {"s": {"record": 1, "value": "a"}, "t": {"record": 2, "value": "b"}}
ONE_FIRST = {"s": {"record": 1, "value": "1"}, "t": {"record": 1, "value": "0"}}


def values_of(*alphabet: str) -> dict[str, Any]:
    """Records with values that may not be told from a redacted record, which is shown as `*`."""
    held = {name: {"record": 1, "value": value} for name, value in zip("st", alphabet)}
    return {
        "records": {"count": 2, "alphabet": [*alphabet]},
        "secrets": held,
        "pairs": [["s", "t"]],
    }


FILES: list[tuple[str, dict[str, Any], dict[str, Any], str | None]] = [  # parts to replace
    ("matched", {}, {}, None),
    ("two secrets", {"secrets": {name: FRAMEWORK["secrets"][name] for name in "st"}}, {}, None),
    ("closure", {"closure": "convex"}, {}, None),
    ("disjoint", {"pairs": "disjoint"}, {}, None),
    ("initial law", {"priors": {"theta": {"markov": MARKOV}}}, {}, None),
    ("QF2 more keys", {"more": 1}, {}, "expected the keys"),
    (
        "QF2 three values",
        {"records": {"count": 2, "alphabet": ["a", "b", "c"]}},
        {},
        "expected two values",
    ),
    ("QF2 records", {"records": {"count": 3, "alphabet": ["a", "b"]}}, {}, "expected 2 records"),
    ("QF2 closure", {"closure": "open"}, {}, "expected one of"),
    ("QF3 another record", {"secrets": OTHER_SECRETS}, {}, "expected record 1"),
    ("QF3 no such value", {"secrets": {"s": {"record": 1, "value": "c"}}}, {}, "expected one of"),
    ("QF3 the same value", {"pairs": [["t", "u"]]}, {}, "expected pairs of both values"),
    ("QF3 an unknown secret", {"pairs": [["t", "x"]]}, {}, "expected pairs of both values"),
    ("QF3 three secrets", {"pairs": [["s", "t", "u"]]}, {}, "expected pairs of both values"),
    ("QF3 no pair", {"pairs": []}, {}, "expected pairs of both values"),
    (
        "QF3 nothing disjoint",
        {"pairs": "disjoint", "secrets": {"s": {"record": 1, "value": "a"}}},
        {},
        "expected pairs",
    ),
    (
        "QF4 two priors",
        {"priors": {"x": {"markov": MARKOV}, "y": {"markov": MARKOV}}},
        {},
        "expected one prior",
    ),
    ("QF4 a table", {"priors": {"x": {"table": {"aa": 1}}}}, {}, "expected the keys"),
    (
        "QF4 initial",
        {"priors": {"x": {"markov": MARKOV | {"initial": ["1/3", "2/3"]}}}},
        {},
        "initial law differs",
    ),
    (
        "QF4 transition",
        {"priors": {"x": {"markov": MARKOV | {"transition": [["1/2", "1/2"], ["1/2", "1/2"]]}}}},
        {},
        "transition probabilities differ",
    ),
    ("QF5 other numbers", {}, {"redaction": [["1", "1"], ["1/8", "7/8"]]}, "probabilities differ"),
    ("QF5 fewer records", {}, {"redaction": [["1", "1"]]}, "probabilities differ"),
    (
        "QF5 three numbers",
        {},
        {"redaction": [["1", "1"], ["1/8", "1", "1"]]},
        "expected two numbers",
    ),
    ("outputs", {}, {"outputs": ["a", "b", "*"]}, None),
    (
        "values named otherwise",
        {"records": {"count": 2, "alphabet": ["1", "0"]}, "secrets": ONE_FIRST},
        {},
        None,
    ),
    ("QF5 more keys", {}, {"segment": [1, 2]}, "expected the keys"),
    ("QF6 a redacted value", values_of("a", "*"), {}, "not be told apart"),
    ("QF6 a redacted value first", values_of("*", "a"), {}, "not be told apart"),
    ("QF6 a comma", values_of("*,*", "a"), {}, "not be told apart"),
    ("QF6 a comma and a long value", values_of(",", "aa"), {}, "not be told apart"),
    ("a comma and one character", values_of(",", "a"), {}, None),
    ("long values", values_of("no", ""), {}, None),
    ("QF7 outputs in another order", {}, {"outputs": ["b", "a", "*"]}, "expected the outputs"),
    ("QF7 outputs without *", {}, {"outputs": ["a", "b"]}, "expected the outputs"),
    ("QF7 more outputs", {}, {"outputs": ["a", "b", "*", "c"]}, "expected the outputs"),
    ("QF7 an output twice", {}, {"outputs": ["a", "b", "*", "*"]}, "occurs twice"),
    ("QF7 outputs of the certificate", {}, {"outputs": ["0", "1", "*"]}, "expected the outputs"),
    ("QF7 outputs null", {}, {"outputs": None}, 'found "NoneType"'),
]


def with_files() -> list[Given]:
    """The first certificate with files of which parts were replaced; right hashes but for QF1."""
    cases = []
    for name, framework, mechanism, reason in FILES:
        stem = name.replace(" ", "-")
        files = [("framework.json", text_of(FRAMEWORK)), ("mechanism.json", text_of(MECHANISM))]
        if framework:
            files[0] = (f"{stem}.framework.json", text_of(FRAMEWORK | framework))
        if mechanism:
            files[1] = (f"{stem}.mechanism.json", text_of(MECHANISM | mechanism))
        cases.append(Given(stem, EXACT, files, reason))
    files, text = cases[0].files, "expected a framework file and a mechanism file"
    first, second = (name for name, _ in files)
    return [
        *cases,
        Given("without-files", EXACT, files, None, ()),
        Given("QF1-no-mechanism", EXACT, files, text, (first,)),
        Given("QF1-two-mechanisms", EXACT, files, text, (first, second, second)),
        Given("QF1-exchanged", EXACT, files, "the certificate says", (second, first)),
        Given("QF1-no-hash", EXACT, [], "the certificate says", (first, second)),
    ]


def text_of(value: Json) -> str:
    return json.dumps(value, indent=1) + "\n"


def main() -> None:
    write_corpus(HERE, LEAKAGES, BAD_LEAKAGES)
    write_inputs(HERE / "inputs", with_files())


if __name__ == "__main__":
    main()
