"""Write the corpus of leakages: certificates that are accepted, and for every side condition
one that is refused.

`python -m tests.kernel.leakage.make_corpus` rewrites `accept/`, `reject/` and `inputs/`. A reject
file is named after the side condition of CERTIFICATES.md that it breaks; README.md says how one is
added.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.kernel.corpus import Given, Json, edited, write_corpus, write_inputs

HERE = Path(__file__).parent

AT_U = {"prior": "theta", "pair": ["s", "t"], "output": "u"}
AT_UU = {"prior": "theta", "pair": ["s", "t"], "outputs": ["u", "u"]}
RESPONSE = {
    "outputs": ["u", "v"],
    "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/4", "0.75"]},
}
LONG = RESPONSE | {  # over 64 bits
    "channel": RESPONSE["channel"] | {"a": [f"0.75{'0' * 20}1", f"0.24{'9' * 21}"]}
}
THREE = {
    "outputs": ["x", "y", "z"],
    "channel": {"a": ["1/2", "1/2", 0], "b": ["1/4", "1/4", "1/2"], "c": ["1/4", "1/2", "1/4"]},
}


def certificate(
    kind: str, claim: Json, mechanisms: list[Json] | None = None, **framework: Any
) -> Json:
    """A certificate on three databases, with parts of the framework replaced."""
    channels = [RESPONSE] if mechanisms is None else mechanisms
    space = {
        "databases": ["a", "b", "c"],
        "secrets": {"s": ["a"], "t": ["b", "c"]},
        "pairs": [["s", "t"]],
        "priors": {"theta": {"a": "1/2", "b": "1/4", "c": "1/4"}},
        "closure": "list",
    }
    inputs = {
        "framework": None,
        "mechanisms": [None] * len(channels),
        "normalized": [False] * len(channels),
    }
    whole = {
        "framework": space | framework,
        "mechanisms": channels,
        "inputs": inputs,
        "claim": claim,
    }
    return deepcopy({"format": "pufferproof-certificate/1", "kind": kind} | whole)


def at_most(level: Json, attained: Json | None = None, **parts: Any) -> Json:
    return certificate("leakage-at-most", {"level": level, "attained": attained}, **parts)


def witness(
    exceeds: Any, mechanisms: list[Json] | None = None, framework: Json | None = None, **place: Any
) -> Json:
    return certificate(
        "leakage-witness", {**AT_U, **place, "exceeds": exceeds}, mechanisms, **(framework or {})
    )


def joint(level: Json, attained: Json | None = None, releases: Any = (0, 0), **parts: Any) -> Json:
    claim = {"releases": list(releases), "level": level, "attained": attained}
    return certificate("joint-leakage-at-most", claim, **parts)


def joint_witness(
    exceeds: Any, releases: Any = (0, 0), mechanisms: list[Json] | None = None, **place: Any
) -> Json:
    claim = {"releases": list(releases), **AT_UU, **place, "exceeds": exceeds}
    return certificate("joint-leakage-witness", claim, mechanisms)


def delta(level: Json, bound: Any, **parts: Any) -> Json:
    return certificate("delta-at-most", {"level": level, "delta": bound}, **parts)


def delta_witness(
    level: Json, bound: Any, outputs: list[str], framework: Json | None = None, **place: Any
) -> Json:
    claim = {
        "level": level,
        "delta": bound,
        "prior": "theta",
        "pair": ["s", "t"],
        "outputs": outputs,
        **place,
    }
    return certificate("delta-witness", claim, [THREE], **(framework or {}))


# Two priors under each of which nothing leaks, and whose mixture 1 : 2 leaks log(361/121), the most
# of all mixtures.
SIMPSON = {
    "databases": ["a", "b", "c", "d"],
    "secrets": {"s": ["a", "c"], "t": ["b", "d"]},
    "priors": {"left": {"a": "9/10", "b": "1/10"}, "right": {"c": "1/10", "d": "9/10"}},
    "closure": "convex",
}
SIMPSON_RESPONSE = {
    "outputs": ["u", "v"],
    "channel": {k: ["4/5", "1/5"] if k in "ab" else ["1/5", "4/5"] for k in "abcd"},
}
SIMPSON_AT = {
    "prior": {"mixture": {"left": "1/3", "right": "2/3"}},
    "pair": ["s", "t"],
    "output": "u",
}
# One prior of either secret only: neither gives both secrets probability, their mixtures do.
APART = {"priors": {"left": {"a": 1}, "right": {"b": "1/2", "c": "1/2"}}, "closure": "convex"}
# Every pair of these three priors is in the promise at log(3); what is left out by prior `only` is
# a secret.
PARTLY = {
    "priors": {"theta": {"a": "1/2", "b": "1/2"}, "only": {"a": 1}, "other": {"c": 1}},
    "closure": "convex",
}
REVEAL = {"outputs": ["u", "v"], "channel": {"a": [1, 0], "b": [0, 1], "c": ["1/2", "1/2"]}}
SILENT = {
    "outputs": ["u", "v", "w"],
    "channel": {k: [*row, 0] for k, row in RESPONSE["channel"].items()},
}


def accepted() -> dict[str, Json]:
    below, above = "1.098612288668109", "1.09861228866811"  # log 3 lies between
    spaces = {"secrets": {"s": ["a"], "t": ["b"], "r": ["c"]}, "pairs": "disjoint"}
    return {
        "at-most": at_most({"log": "3"}),
        "at-most-attained": at_most({"log": "3"}, AT_U),
        "at-most-loose": at_most({"log": "7/2"}),
        "at-most-integer-level": at_most({"log": 3}),
        "at-most-long-numbers": at_most({"log": "7/2"}, mechanisms=[LONG]),
        "at-most-nats": at_most({"nats": above}),
        "at-most-nats-thirty-digits": at_most({"nats": "1.098612288668109691395245236923"}),
        "at-most-nats-huge": at_most({"nats": "1e9999"}),
        "at-most-nats-large": at_most({"nats": 4}),
        "at-most-nats-zero": at_most(
            {"nats": "-0.0e5"},
            mechanisms=[{"outputs": ["u"], "channel": {k: ["1"] for k in "abc"}}],
        ),
        "at-most-log-one": at_most(
            {"log": "1"}, mechanisms=[{"outputs": ["u"], "channel": {k: [1] for k in "abc"}}]
        ),
        "at-most-zero-over-zero": at_most({"log": "3"}, mechanisms=[SILENT]),
        "at-most-disjoint-pairs": at_most({"log": "3"}, **spaces),
        "at-most-pair-listed-twice": at_most(
            {"log": "3"}, pairs=[["s", "t"], ["t", "s"], ["s", "t"]]
        ),
        "at-most-overlapping-secrets-not-paired": at_most(
            {"log": 3}, secrets={"s": ["a"], "t": ["b", "c"], "any": ["a", "b"]}
        ),
        "at-most-disjoint-skips-overlap": at_most(
            {"log": 3}, secrets={"s": ["a"], "t": ["b", "c"], "any": ["a", "b"]}, pairs="disjoint"
        ),
        "at-most-excluded-prior": at_most(
            {"log": "3"},
            priors={"theta": {"a": "1/2", "b": "1/2"}, "only": {"a": "1"}, "other": {"b": "1"}},
        ),
        "at-most-missing-impossible-row": at_most(
            {"log": "3"},
            mechanisms=[
                {"outputs": ["u", "v"], "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}}
            ],
            priors={"theta": {"a": "0.5", "b": "5e-1", "c": 0}},
        ),
        "at-most-two-priors": at_most(
            {"log": "3"},
            AT_U,
            priors={"theta": {"a": "1/2", "b": "1/2"}, "eta": {"a": "1/9", "c": "8/9"}},
        ),
        "at-most-number-forms": at_most(
            {"log": "3.0e0"},
            mechanisms=[
                {
                    "outputs": ["u", "v"],
                    "channel": {
                        "a": ["75e-2", 0.25],
                        "b": ["0.025e1", "0750/1000"],
                        "c": ["1/4", 7.5e-1],
                    },
                }
            ],
        ),
        "at-most-odd-labels": at_most(
            {"log": "3"},
            {**AT_U, "output": "{}\n\u00e9"},
            mechanisms=[{**RESPONSE, "outputs": ["{}\n\u00e9", ""]}],
        ),
        "convex-single": at_most({"log": "3"}, AT_U, closure="convex"),
        "convex-tie": at_most(
            {"log": "361/121"}, SIMPSON_AT, mechanisms=[SIMPSON_RESPONSE], **SIMPSON
        ),
        "convex-nats": at_most({"nats": "1.093087413"}, mechanisms=[SIMPSON_RESPONSE], **SIMPSON),
        "convex-nats-huge": at_most({"nats": "1e9999"}, mechanisms=[SIMPSON_RESPONSE], **SIMPSON),
        "convex-nats-large": at_most({"nats": "40"}, mechanisms=[SIMPSON_RESPONSE], **SIMPSON),
        "convex-secrets-apart": at_most(
            {"log": "3"}, {**AT_U, "prior": {"mixture": {"left": "1/2", "right": "0.5"}}}, **APART
        ),
        "convex-secrets-apart-nats": at_most({"nats": "1.1"}, **APART),
        "convex-partly": at_most({"log": "3"}, **PARTLY),
        "witness": witness({"log": "29/10"}),
        "witness-other-order": witness({"log": "29/10"}, pair=["t", "s"], output="v"),
        "witness-nats": witness({"nats": below}),
        "witness-nats-zero": witness({"nats": 0}),
        "witness-log-one": witness({"log": 1}),
        "witness-infinite": witness("inf", [REVEAL], {"secrets": {"s": ["a"], "t": ["b"]}}),
        "witness-infinite-above-any-level": witness(
            {"nats": "1e9999"}, [REVEAL], {"secrets": {"s": ["a"], "t": ["b"]}}
        ),
        "witness-mixture": witness(
            {"log": "3610/1211"}, [SIMPSON_RESPONSE], SIMPSON, prior=SIMPSON_AT["prior"]
        ),
        "witness-mixture-zero-weight": witness(
            {"log": "2"},
            None,
            {**APART, "priors": {**APART["priors"], "third": {"c": 1}}},
            prior={"mixture": {"left": "1/4", "right": "3/4", "third": 0}},
        ),
        "joint-twice": joint({"log": "9"}, AT_UU),
        "joint-nats": joint({"nats": "2.2"}),
        "joint-thrice": joint({"log": "27"}, releases=[0, 0, 0]),
        "joint-different": joint(
            {"log": "12"},
            {**AT_UU, "outputs": ["u", "x"]},
            [0, 1],
            mechanisms=[
                RESPONSE,
                {
                    "outputs": ["x", "y"],
                    "channel": {"a": ["4/5", "1/5"], "b": ["1/5", "4/5"], "c": ["1/5", "4/5"]},
                },
            ],
        ),
        "joint-mixed": joint(
            {"log": "36"},
            {**AT_UU, "outputs": ["u", "x", "u"]},
            [0, 1, 0],
            mechanisms=[
                RESPONSE,
                {
                    "outputs": ["x", "y"],
                    "channel": {"a": ["4/5", "1/5"], "b": ["1/5", "4/5"], "c": ["1/5", "4/5"]},
                },
            ],
        ),
        "joint-convex": joint({"log": "9"}, closure="convex"),
        "joint-witness": joint_witness({"log": "8"}),
        "joint-witness-order": joint_witness(
            {"log": "1.99"}, [1, 0, 0], [RESPONSE, THREE], outputs=["x", "u", "v"]
        ),
        "joint-witness-infinite": joint_witness(
            "inf", [0, 1], [REVEAL, RESPONSE], pair=["t", "s"], outputs=["v", "v"]
        ),
        "delta-at-most": delta({"log": "2"}, "1/4"),
        "delta-at-most-loose": delta({"log": "2"}, "0.3"),
        "delta-at-most-zero": delta({"log": "3"}, 0),
        "delta-at-most-one": delta({"log": "1"}, 1, mechanisms=[REVEAL]),
        "delta-at-most-nats": delta({"nats": "0.5"}, "0.33782"),
        "delta-at-most-infinite-part": delta({"nats": "1e9999"}, "3/4", mechanisms=[REVEAL]),
        "delta-at-most-zero-nats": delta({"nats": "0"}, "1/2"),
        "delta-at-most-two-priors": delta(
            {"log": "2"}, "1/4", priors={"theta": {"a": "1/2", "b": "1/2"}, "only": {"a": "1"}}
        ),
        "delta-at-most-three-outputs": delta({"log": "3/2"}, "3/8", mechanisms=[THREE]),
        "delta-witness": delta_witness({"log": "1"}, "0.37", ["x", "y"]),
        "delta-witness-nats": delta_witness({"nats": "0.1"}, "0.3", ["x", "y"]),
        "delta-witness-zero": delta_witness({"log": "3/2"}, 0, ["x"]),
        "delta-witness-mixture": delta_witness(
            {"log": "1"}, "0.37", ["x", "y"], {"closure": "convex"}, prior={"mixture": {"theta": 1}}
        ),
        "delta-witness-infinite-part": delta_witness(
            {"nats": "1e9999"}, "0.37", ["z"], pair=["t", "s"]
        ),
    }


def refused() -> dict[str, tuple[Any, str]]:
    good, seen, twice = (
        at_most({"log": "3"}, AT_U),
        witness({"log": "29/10"}),
        joint({"log": "9"}, AT_UU),
    )
    big = joint_witness({"log": "8"})
    some = delta_witness({"log": "1"}, "0.37", ["x", "y"])
    mixed = witness({"log": "3610/1211"}, [SIMPSON_RESPONSE], SIMPSON, prior=SIMPSON_AT["prior"])
    text = json.dumps(good)
    cases: dict[str, tuple[Any, str]] = {
        "C1-not-an-object": ([], 'expected "dict"'),
        "C2-missing-key": (edited(good, "claim", ...), "expected the keys"),
        "C2-unknown-key": ({**good, "note": "x"}, "expected the keys"),
        "C2-empty-key": ({**good, "": "x"}, "expected the keys"),
        "C2-claim-key-missing": (edited(good, "claim.attained", ...), "expected the keys"),
        "C2-claim-key-unknown": (edited(good, "claim.releases", [0, 0]), "expected the keys"),
        "C2-closure-missing": (edited(good, "framework.closure", ...), "expected the keys"),
        "C2-records-in-certificate": (
            edited(good, "framework.records", {"count": 1, "alphabet": ["a"]}),
            "expected the keys",
        ),
        "C3-other-format": (edited(good, "format", "pufferproof-certificate/2"), "unknown format"),
        "C3-format-missing": (edited(good, "format", ...), "unknown format"),
        "C4-unknown-kind": (edited(good, "kind", "leakage-about"), "expected one of"),
        "C4-kind-not-text": (edited(good, "kind", ["leakage-at-most"]), 'expected "str"'),
        "C5-key-twice": (text[:-1] + ', "kind": "leakage-at-most"}', "occurs twice"),
        "C5-row-twice": (
            text.replace('"channel": {', '"channel": {"a": ["1/4", "3/4"], '),
            "occurs twice",
        ),
        "N1-nan": (text.replace('"log": "3"', '"log": NaN'), "expected a number"),
        "N1-infinity": (text.replace('"log": "3"', '"log": Infinity'), "expected a number"),
        "N1-true": (edited(good, "claim.level.log", True), "expected a number"),
        "N1-null": (edited(good, "claim.level.log", None), "expected a number"),
        "N2-zero-denominator": (edited(good, "claim.level.log", "3/0"), "expected a number"),
        "N2-zero-denominator-long": (edited(good, "claim.level.log", "3/000"), "expected a number"),
        "N3-exponent-of-five-digits": (
            edited(good, "claim.level.log", "3e00000"),
            "expected a number",
        ),
        "N3-exponent-of-ten-digits": (
            edited(good, "claim.level.nats", "1e9999999999"),
            "expected the keys",
        ),
        "N3-float-exponent": (
            text.replace('"log": "3"', '"log": 1e999999999'),
            "expected a number",
        ),
    }
    for i, number in enumerate(
        [
            "",
            " 3",
            "3 ",
            "+3",
            ".5",
            "3.",
            "3_0",
            "0x3",
            "3/1e0",
            "3/-1",
            "1/2/3",
            "inf",
            "\u0663",
            "3\n",
            "--3",
            "3e",
            "3/1.0",
        ]
    ):
        cases[f"N1-grammar-{i:02}"] = (edited(good, "claim.level.log", number), "expected a number")
    for name, base, path, value, reason in [
        ("T1-number-as-label", good, "framework.databases.0", 1, 'expected "str"'),
        ("T1-null-as-label", good, "mechanisms.0.outputs.0", None, 'expected "str"'),
        ("T1-object-as-list", good, "mechanisms.0.outputs", {"u": 0}, 'expected "list"'),
        ("T1-list-as-object", good, "mechanisms.0.channel", [["3/4", "1/4"]], 'expected "dict"'),
        ("F1-database-twice", good, "framework.databases", ["a", "b", "c", "a"], "occurs twice"),
        ("F1-no-database", good, "framework.databases", [], "different databases"),
        ("F2-secret-empty", good, "framework.secrets.t", [], "known databases"),
        ("F2-secret-unknown-database", good, "framework.secrets.t", ["b", "d"], "known databases"),
        ("F2-secret-database-twice", good, "framework.secrets.t", ["b", "b"], "occurs twice"),
        (
            "F2-secret-by-record",
            good,
            "framework.secrets.t",
            {"record": 1, "value": ""},
            "expected a record",
        ),
        ("F3-pair-unknown-secret", good, "framework.pairs", [["s", "r"]], "two known secrets"),
        ("F3-pair-of-one-secret", good, "framework.pairs", [["s", "s"]], "occurs twice"),
        ("F3-pair-of-one", good, "framework.pairs", [["s"]], "two known secrets"),
        ("F3-pair-of-three", good, "framework.pairs", [["s", "t", "r"]], "two known secrets"),
        ("F3-pair-overlaps", good, "framework.secrets.t", ["a", "b"], "database in common"),
        ("F3-pairs-by-another-word", good, "framework.pairs", "all", 'expected "list"'),
        ("F4-prior-unknown-database", good, "framework.priors.theta.d", "0", "database is unknown"),
        (
            "F4-prior-negative",
            good,
            "framework.priors.theta",
            {"a": "3/2", "b": "-1/2"},
            "negative",
        ),
        ("F4-prior-below-one", good, "framework.priors.theta.c", "1/5", "not 1"),
        ("F4-prior-above-one", good, "framework.priors.theta.c", "1/3", "not 1"),
        (
            "F4-prior-in-file-form",
            good,
            "framework.priors.theta",
            {"table": {"a": "1"}},
            "database is unknown",
        ),
        ("F5-closure", good, "framework.closure", "hull", "expected one of"),
        ("F5-closure-not-text", good, "framework.closure", True, 'expected "str"'),
        ("M1-output-twice", good, "mechanisms.0.outputs", ["u", "u"], "occurs twice"),
        (
            "M1-no-output",
            good,
            "mechanisms.0",
            {"outputs": [], "channel": {"a": [], "b": [], "c": []}},
            "not 1",
        ),
        ("M2-row-missing", good, "mechanisms.0.channel.c", ..., "rows missing"),
        (
            "M2-row-of-unknown-database",
            good,
            "mechanisms.0.channel.d",
            ["1", "0"],
            "rows missing or of unknown",
        ),
        ("M3-row-too-short", good, "mechanisms.0.channel.c", ["1"], "expected 2 numbers"),
        (
            "M3-row-too-long",
            good,
            "mechanisms.0.channel.c",
            ["1/4", "3/4", 0],
            "expected 2 numbers",
        ),
        ("M3-row-negative", good, "mechanisms.0.channel.c", ["-1/4", "5/4"], "negative"),
        ("M3-row-below-one", good, "mechanisms.0.channel.c", ["1/4", "0.7499"], "not 1"),
        ("M3-row-above-one", good, "mechanisms.0.channel.c", ["1/4", "0.7501"], "not 1"),
        (
            "M3-impossible-row-not-a-law",
            at_most({"log": "3"}, AT_U, priors={"theta": {"a": "1/2", "b": "1/2"}}),
            "mechanisms.0.channel.c",
            ["1", "1"],
            "not 1",
        ),
        ("I1-hash-malformed", good, "inputs.framework", "sha256:" + "0" * 63, "hexadecimal"),
        ("I1-hash-upper-case", good, "inputs.mechanisms.0", "sha256:" + "A" * 64, "hexadecimal"),
        ("I1-hash-not-text", good, "inputs.framework", False, 'expected "str"'),
        ("I2-too-many-hashes", good, "inputs.mechanisms", [None, None], "expected 1 mechanisms"),
        ("I2-too-few-hashes", good, "inputs.mechanisms", [], "expected 1 mechanisms"),
        ("I2-too-few-flags", good, "inputs.normalized", [], "expected 1 mechanisms"),
        ("I2-flag-not-boolean", good, "inputs.normalized", [0], 'expected "bool"'),
        ("V1-log-below-one", good, "claim.level.log", "99/100", "negative"),
        ("V1-nats-negative", good, "claim.level", {"nats": "-1e-9"}, "negative"),
        ("V2-two-forms", good, "claim.level", {"log": "3", "nats": "2"}, "expected the keys"),
        ("V2-no-form", good, "claim.level", {}, "expected the keys"),
        ("V2-level-not-an-object", good, "claim.level", "log(3)", 'expected "dict"'),
        ("V2-infinite-level", good, "claim.level", "inf", 'expected "dict"'),
        ("A1-two-mechanisms", good, "mechanisms", [RESPONSE, RESPONSE], "expected 2 mechanisms"),
        (
            "A2-above-the-level",
            good,
            "claim",
            {"level": {"log": "2999999/1000000"}, "attained": None},
            "exceeded",
        ),
        (
            "A2-above-the-level-in-nats",
            good,
            "claim",
            {"level": {"nats": "1.098612288668109691395245236922"}, "attained": None},
            "exceeded",
        ),
        (
            "A2-above-the-level-in-the-other-order",
            at_most(
                {"log": 3},
                pairs=[["t", "s"]],
                mechanisms=[
                    {
                        "outputs": ["u", "v"],
                        "channel": {
                            "a": ["9/10", "1/10"],
                            "b": ["1/2", "1/2"],
                            "c": ["1/2", "1/2"],
                        },
                    }
                ],
            ),
            "claim.level.log",
            "4.9",
            "exceeded",
        ),
        (
            "A2-above-under-the-second-prior",
            at_most(
                {"log": 3},
                priors={"theta": {"b": "1/2", "c": "1/2"}, "eta": {"a": "1/2", "b": "1/2"}},
            ),
            "claim.level.log",
            "2",
            "exceeded",
        ),
        (
            "A2-infinite",
            good,
            "mechanisms.0",
            {"outputs": ["u", "v"], "channel": {"a": [1, 0], "b": [0, 1], "c": [0, 1]}},
            "exceeded",
        ),
        (
            "A2-infinite-above-huge-nats",
            at_most({"nats": "1e9999"}),
            "mechanisms.0",
            {"outputs": ["u", "v"], "channel": {"a": [1, 0], "b": [0, 1], "c": [0, 1]}},
            "exceeded",
        ),
        ("A3-no-prior", at_most({"log": 3}), "framework.priors", {}, "no inequality"),
        (
            "A3-no-mechanism-row-needed",
            at_most({"log": 3}, mechanisms=[{"outputs": ["u"], "channel": {}}]),
            "framework.priors",
            {},
            "no inequality",
        ),
        ("A3-no-pair", at_most({"log": 3}), "framework.pairs", [], "no inequality"),
        (
            "A3-secret-impossible",
            at_most({"log": 3}),
            "framework.priors.theta",
            {"a": 1},
            "no inequality",
        ),
        (
            "A3-other-secret-impossible",
            at_most({"log": 3}),
            "framework.priors.theta",
            {"b": 1},
            "no inequality",
        ),
        (
            "A3-secret-impossible-convex",
            at_most({"log": 3}, closure="convex"),
            "framework.priors",
            {"l": {"a": 1}, "m": {"a": 1}},
            "no inequality",
        ),
        (
            "A3-other-secret-impossible-convex",
            at_most({"log": 3}, closure="convex"),
            "framework.priors",
            {"l": {"b": 1}, "m": {"c": 1}},
            "no inequality",
        ),
        (
            "A4-attained-below",
            at_most({"log": "301/100"}, AT_U),
            "claim.level.log",
            "3.000001",
            "not attained",
        ),
        ("A4-attained-elsewhere", good, "claim.attained.output", "v", "not attained"),
        ("A4-attained-in-the-other-order", good, "claim.attained.pair", ["t", "s"], "not attained"),
        (
            "A4-attained-zero-over-zero",
            at_most({"log": "3"}, mechanisms=[SILENT]),
            "claim.attained",
            {**AT_U, "output": "w"},
            "not attained",
        ),
        ("A5-attained-nats", at_most({"nats": 3}), "claim.attained", AT_U, "not attained"),
        (
            "A5-attained-nats-equal-to-ratio",
            at_most({"nats": "3"}, AT_U),
            "claim.attained.output",
            "u",
            "not attained",
        ),
        ("A6-attained-unknown-prior", good, "claim.attained.prior", "eta", "unknown prior"),
        ("A6-attained-unknown-output", good, "claim.attained.output", "w", "expected one of"),
        ("A6-attained-unknown-pair", good, "claim.attained.pair", ["s", "r"], "not a pair"),
        ("A6-attained-extra-key", good, "claim.attained.outputs", ["u"], "expected the keys"),
        (
            "X1-mixture-above",
            at_most({"log": "361/121"}, mechanisms=[SIMPSON_RESPONSE], **SIMPSON),
            "claim.level.log",
            "360999/121000",
            "exceeded",
        ),
        (
            "X1-mixture-above-in-nats",
            at_most({"nats": "2"}, mechanisms=[SIMPSON_RESPONSE], **SIMPSON),
            "claim.level.nats",
            "1.093087412",
            "exceeded",
        ),
        (
            "X1-listed-prior-above",
            at_most({"log": "3"}, closure="convex"),
            "claim.level.log",
            "2.9",
            "exceeded",
        ),
        (
            "X1-listed-prior-above-in-nats",
            at_most({"nats": "3"}, closure="convex"),
            "claim.level.nats",
            "1",
            "exceeded",
        ),
        (
            "X1-secrets-apart-above",
            at_most({"log": "3"}, **APART),
            "claim.level.log",
            "2.9",
            "exceeded",
        ),
        (
            "X1-secrets-apart-infinite",
            at_most({"nats": "1e9999"}, **APART),
            "mechanisms.0",
            REVEAL | {"channel": {"a": [1, 0], "b": [0, 1], "c": [0, 1]}},
            "exceeded",
        ),
        ("X1-partly-above", at_most({"log": "3"}, **PARTLY), "claim.level.log", "2.99", "exceeded"),
        (
            "X1-partly-above-by-mixture",
            at_most({"log": "3"}, **PARTLY),
            "mechanisms.0.channel.c",
            ["1/5", "4/5"],
            "exceeded",
        ),
        ("W1-not-above", seen, "claim.exceeds.log", "3", "not "),
        (
            "W1-not-above-in-nats",
            seen,
            "claim.exceeds",
            {"nats": "1.098612288668109691395245236923"},
            "not ",
        ),
        ("W1-zero-over-zero", witness({"log": 1}, [SILENT]), "claim.output", "w", "not "),
        (
            "W1-nothing-over-something",
            witness({"log": 1}, [REVEAL], {"secrets": {"s": ["a"], "t": ["b"]}}),
            "claim.output",
            "v",
            "not ",
        ),
        ("W2-finite", seen, "claim.exceeds", "inf", "not "),
        ("W2-zero-over-zero", witness("inf", [SILENT]), "claim.output", "w", "not "),
        ("W3-pair-of-no-framework", seen, "claim.pair", ["s", "s2"], "not a pair"),
        (
            "W3-known-secrets-not-paired",
            edited(seen, "framework.secrets", {"s": ["a"], "t": ["b", "c"], "r": ["c"]}),
            "claim.pair",
            ["s", "r"],
            "not a pair",
        ),
        ("W3-same-secret", seen, "claim.pair", ["s", "s"], "occurs twice"),
        ("W3-secret-impossible", seen, "framework.priors.theta", {"b": 1}, "probability 0"),
        (
            "W3-other-secret-impossible",
            edited(seen, "claim.exceeds", "inf"),
            "framework.priors.theta",
            {"a": 1},
            "probability 0",
        ),
        ("W3-unknown-prior", seen, "claim.prior", "eta", "unknown prior"),
        ("W3-unknown-output", seen, "claim.output", "w", "expected one of"),
        ("W3-output-not-text", seen, "claim.output", 0, 'expected "str"'),
        ("W4-mixture-of-a-list", seen, "claim.prior", {"mixture": {"theta": 1}}, "closure"),
        ("W4-weights-below-one", mixed, "claim.prior.mixture.left", "1/4", "not 1"),
        (
            "W4-weight-negative",
            mixed,
            "claim.prior.mixture",
            {"left": "-1/3", "right": "4/3"},
            "negative",
        ),
        (
            "W4-weight-of-unknown-prior",
            mixed,
            "claim.prior.mixture",
            {"left": "1/3", "centre": "2/3"},
            "unknown prior",
        ),
        ("W4-no-weights", mixed, "claim.prior.mixture", {}, "not 1"),
        ("W4-other-key", mixed, "claim.prior", {"blend": {"left": 1}}, "expected the keys"),
        ("J1-one-release", twice, "claim.releases", [0], "expected 2 to"),
        ("J1-no-release", twice, "claim.releases", [], "releases of all"),
        ("J1-unknown-mechanism", twice, "claim.releases", [0, 1], "releases of all"),
        ("J1-negative-index", twice, "claim.releases", [0, -1], "1 to 9 digits"),
        ("J1-boolean-index", twice, "claim.releases", [False, 0], 'expected "Numeral"'),
        ("J1-text-index", twice, "claim.releases", ["0", "0"], 'expected "Numeral"'),
        (
            "J1-long-index",
            edited(twice, "claim.attained", None),
            "claim.releases",
            [0, 1000000000],
            "1 to 9 digits",
        ),
        ("J1-unused-mechanism", twice, "mechanisms", [RESPONSE, RESPONSE], "expected 2 mechanisms"),
        ("J2-above", joint({"log": "9"}), "claim.level.log", "8.99", "exceeded"),
        (
            "J2-above-on-unequal-outputs",
            joint(
                {"log": "12"},
                releases=[0, 0],
                mechanisms=[
                    {
                        "outputs": ["u", "v"],
                        "channel": {"a": ["1/2", "1/2"], "b": [1, 0], "c": [0, 1]},
                    }
                ],
            ),
            "claim.level.log",
            "1e9",
            "exceeded",
        ),
        ("J3-attained-elsewhere", twice, "claim.attained.outputs", ["u", "v"], "not attained"),
        (
            "J3-attained-too-few-outputs",
            twice,
            "claim.attained.outputs",
            ["u"],
            "expected 2 outputs",
        ),
        (
            "J3-attained-too-many-outputs",
            twice,
            "claim.attained.outputs",
            ["u", "u", "u"],
            "expected 2 outputs",
        ),
        ("J4-not-above", big, "claim.exceeds.log", "9", "not "),
        ("J4-finite", big, "claim.exceeds", "inf", "not "),
        ("J4-too-few-outputs", big, "claim.outputs", ["u"], "expected 2 outputs"),
        ("J4-unknown-output", big, "claim.outputs", ["u", "w"], "expected one of"),
        (
            "J4-outputs-in-another-order",
            joint_witness({"log": 2}, [1, 0], [RESPONSE, THREE], outputs=["x", "u"]),
            "claim.outputs",
            ["u", "x"],
            "expected one of",
        ),
        (
            "D1-two-mechanisms",
            delta({"log": 2}, "1/4"),
            "mechanisms",
            [RESPONSE, RESPONSE],
            "expected 2 mechanisms",
        ),
        ("D1-delta-negative", delta({"log": 3}, "1/4"), "claim.delta", "-1/4", "from 0 to 1"),
        ("D1-delta-above-one", delta({"log": 3}, "1/4"), "claim.delta", "1.01", "from 0 to 1"),
        ("D1-convex", delta({"log": 2}, "1/4"), "framework.closure", "convex", "no rule"),
        ("D2-above", delta({"log": 2}, "1/4"), "claim.delta", "0.249999", "exceeded"),
        ("D2-above-in-nats", delta({"nats": "0.5"}, "0.34"), "claim.delta", "0.33781", "exceeded"),
        (
            "D2-above-by-the-sum-of-outputs",
            delta({"log": "1"}, "1/2", mechanisms=[THREE]),
            "claim.delta",
            "0.3749",
            "exceeded",
        ),
        (
            "D2-infinite-part",
            delta({"nats": "1e9999"}, "1/2", mechanisms=[THREE]),
            "claim.delta",
            "0.374",
            "exceeded",
        ),
        (
            "D2-above-in-the-other-order",
            delta(
                {"log": 2},
                "1/4",
                pairs=[["t", "s"]],
                mechanisms=[
                    {
                        "outputs": ["u", "v"],
                        "channel": {"a": ["0", "1"], "b": ["1/4", "3/4"], "c": ["1/4", "3/4"]},
                    }
                ],
            ),
            "claim.delta",
            "0.2",
            "exceeded",
        ),
        ("D3-no-inequality", delta({"log": 2}, "1/4"), "framework.pairs", [], "no inequality"),
        ("D4-not-above", some, "claim.delta", "3/8", "not "),
        (
            "D4-not-above-in-nats",
            delta_witness({"nats": "0.1"}, "0.3", ["x", "y"]),
            "claim.delta",
            "0.32",
            "not ",
        ),
        (
            "D4-zero-not-above-zero",
            delta_witness({"log": "2"}, 0, ["x"]),
            "claim.level.log",
            "2",
            "not ",
        ),
        ("D4-output-twice", some, "claim.outputs", ["x", "y", "x"], "occurs twice"),
        ("D4-no-output", some, "claim.outputs", [], "outputs, found 0"),
        ("D4-unknown-output", some, "claim.outputs", ["x", "w"], "expected one of"),
        ("D4-pair-of-no-framework", some, "claim.pair", ["s", "r"], "not a pair"),
        ("D4-secret-impossible", some, "framework.priors.theta", {"a": 1}, "probability 0"),
        ("D4-mixture-of-a-list", some, "claim.prior", {"mixture": {"theta": 1}}, "closure"),
        ("D4-level-infinite", some, "claim.level", "inf", 'expected "dict"'),
    ]:
        cases[name] = (edited(base, path, value), reason)
    return cases


# --- certificates with the files they were made from ---

CHAIN = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["0", "1"]},
    "secrets": {
        "x1=0": {"record": 1, "value": "0"},
        "x1=1": {"record": 1, "value": "1"},
        "x2=1": ["01", "11"],
    },
    "pairs": [["x1=0", "x1=1"]],
    "priors": {
        "still": {
            "markov": {"initial": "stationary", "transition": [["9/10", "1/10"], ["3/10", "7/10"]]}
        },
        "start": {
            "markov": {"initial": ["1/2", "0.5"], "transition": [["0", "1"], ["1/3", "2/3"]]}
        },
        "free": {"product": [["1/4", "3/4"], ["1/2", "1/2"]]},
        "table": {"table": {"00": "1/2", "11": "1/2"}},
    },
}
CHAIN_SPACE = {
    "databases": ["00", "01", "10", "11"],
    "secrets": {"x1=0": ["00", "01"], "x1=1": ["10", "11"], "x2=1": ["11", "01"]},
    "pairs": [["x1=1", "x1=0"]],
    "priors": {
        "still": {"00": "27/40", "01": "3/40", "10": "3/40", "11": "7/40"},
        "start": {"00": 0, "01": "1/2", "10": "1/6", "11": "1/3"},
        "free": {"00": "1/8", "01": "1/8", "10": "3/8", "11": "3/8"},
        "table": {"00": "1/2", "11": "1/2"},
    },
    "closure": "list",
}
CHAIN_ROWS = {
    "00": ["3/4", "1/4"],
    "01": ["3/4", "1/4"],
    "10": ["1/4", "3/4"],
    "11": ["1/4", "3/4"],
}
CHAIN_MECHANISM = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": CHAIN_ROWS,
}
CHAIN_CSV = "database,u,v\n" + "".join(f"{x},{u},{v}\n" for x, (u, v) in CHAIN_ROWS.items())
WORDS = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["no", "yes"]},
    "secrets": {"n": {"record": 2, "value": "no"}, "y": {"record": 2, "value": "yes"}},
    "pairs": "disjoint",
    "priors": {"p": {"product": [["1/2", "1/2"], ["1/3", "2/3"]]}},
    "closure": "convex",
}
WORDS_TOML = """format = "pufferproof-framework/1"
pairs = "disjoint"
closure = "convex"
records = {count = 2, alphabet = ["no", "yes"]}
secrets = {n = {record = 2, value = "no"}, y = {record = 2, value = "yes"}}
priors.p.product = [[0.5, 0.5], ["1/3", "2/3"]]
"""
WORDS_SPACE = {
    "databases": ["yes,yes", "no,no", "no,yes", "yes,no"],
    "secrets": {"n": ["no,no", "yes,no"], "y": ["no,yes", "yes,yes"]},
    "pairs": [["n", "y"]],
    "priors": {"p": {"no,no": "1/6", "no,yes": "1/3", "yes,no": "1/6", "yes,yes": "1/3"}},
    "closure": "convex",
}
WORDS_ROWS = {"no,no": [3, 1], "no,yes": [1, 3], "yes,no": [6, 2], "yes,yes": [1, 3]}
WORDS_CSV = (
    "database,u,v\r\n"
    + "\r\n".join(f'"{x}",{u},{v}' for x, (u, v) in WORDS_ROWS.items())
    + "\r\n\r\n"
)
WORDS_TABLE = {
    "outputs": ["u", "v"],
    "channel": {x: ["3/4", "1/4"] if x.endswith("no") else ["1/4", "3/4"] for x in WORDS_ROWS},
}
TABLE_FILE = {
    "format": "pufferproof-framework/1",
    "databases": ["c", "b", "a"],
    "secrets": {"t": ["c", "b"], "s": ["a"]},
    "pairs": [["t", "s"]],
    "priors": {"theta": {"table": {"a": "0.5", "b": "2/8", "c": "0.25"}}},
}
TABLE_MECHANISM = {"format": "pufferproof-mechanism/1", **RESPONSE}
MECHANISM_TOML = """format = "pufferproof-mechanism/1"
outputs = ["u", "v"]
channel = {a = [0.75, 0.25], b = ["1/4", "3/4"], c = ["1/4", "3/4"]}
"""


def with_files() -> list[tuple[str, Json, list[tuple[str, str]], str | None]]:
    """Name, certificate without hashes, files (name, content), and None or the reason of the
    refusal.
    """
    chain = at_most(
        {"log": "3"}, mechanisms=[{k: CHAIN_MECHANISM[k] for k in ("outputs", "channel")}]
    )
    chain["framework"] = CHAIN_SPACE
    words = at_most({"log": "3"}, mechanisms=[WORDS_TABLE])
    words["framework"], words["inputs"]["normalized"] = WORDS_SPACE, [True]
    table, twice = at_most({"log": "3"}, AT_U), joint({"log": "9"})
    spare = at_most({"log": "3"}, priors={"theta": {"a": "1/2", "b": "1/2"}})
    spare["mechanisms"][0]["channel"].pop("c")
    spare_file = {**TABLE_FILE, "priors": {"theta": {"table": {"a": "0.5", "b": "2/4"}}}}

    def file(name: str, value: Any) -> tuple[str, str]:
        return name, value if isinstance(value, str) else json.dumps(value)

    chained, tabled = file("chain.json", CHAIN), file("table.json", TABLE_FILE)
    response = file("response.json", TABLE_MECHANISM)
    out: list[tuple[str, Json, list[tuple[str, str]], str | None]] = [
        ("chain-json", chain, [chained, file("chain-mechanism.json", CHAIN_MECHANISM)], None),
        ("chain-csv", chain, [chained, file("chain-mechanism.csv", CHAIN_CSV)], None),
        (
            "words-toml-normalized",
            words,
            [file("words.toml", WORDS_TOML), file("words.csv", WORDS_CSV)],
            None,
        ),
        (
            "words-json-normalized",
            words,
            [file("words.json", WORDS), file("words.CSV", WORDS_CSV)],
            None,
        ),
        ("table", table, [tabled, response], None),
        ("table-toml", table, [tabled, file("response.toml", MECHANISM_TOML)], None),
        (
            "table-any-suffix",
            table,
            [file("table.txt", TABLE_FILE), file("response", TABLE_MECHANISM)],
            None,
        ),
        ("joint", twice, [tabled, response], None),
        ("spare-row-in-file", spare, [file("spare.json", spare_file), response], None),
        ("P1-too-many-files", table, [tabled, response, response], "mechanism files"),
        ("P1-too-few-files", table, [tabled], "mechanism files"),
        (
            "P5-normalized-not-stated",
            edited(words, "inputs.normalized", [False]),
            [file("words.toml", WORDS_TOML), file("words.csv", WORDS_CSV)],
            "not 1",
        ),
        (
            "P5-normalized-zero-row",
            words,
            [file("words.json", WORDS), file("zero.csv", WORDS_CSV.replace("6,2", "0,0"))],
            "not 1",
        ),
        (
            "P4-row-of-certificate-not-in-file",
            at_most({"log": "3"}, priors={"theta": {"a": "1/2", "b": "1/2"}}),
            [
                file("spare.json", spare_file),
                file("short.json", edited(TABLE_MECHANISM, "channel.c", ...)),
            ],
            "differ",
        ),
    ]
    for name, path, value, reason in [
        ("P3-databases", "databases", ["a", "b", "c", "d"], "differ"),
        ("P3-secrets", "secrets", {"s": ["a"], "t": ["b"]}, "differ"),
        ("P3-secret-name", "secrets", {"s": ["a"], "t": ["b", "c"], "r": ["b", "c"]}, "differ"),
        ("P3-pairs", "pairs", [], "differ"),
        ("P3-prior-value", "priors.theta.table", {"a": "0.5", "b": "1/8", "c": "3/8"}, "differ"),
        (
            "P3-prior-name",
            "priors",
            {"eta": {"table": {"a": "0.5", "b": "1/4", "c": "1/4"}}},
            "differ",
        ),
        ("P3-prior-more", "priors.eta", {"table": {"a": 1}}, "differ"),
        ("P3-closure", "closure", "convex", "differ"),
        ("P2-format", "format", "pufferproof-framework/2", "unknown format"),
        ("P2-unknown-key", "title", "x", "expected the keys"),
        (
            "P2-both-databases-and-records",
            "records",
            {"count": 1, "alphabet": ["a", "b", "c"]},
            "expected the keys",
        ),
        ("P2-neither-databases-nor-records", "databases", ..., "expected the keys"),
        ("P2-product-without-records", "priors.theta", {"product": [["1"]]}, "cannot re-read"),
        ("P2-two-prior-forms", "priors.theta.product", [], "cannot re-read"),
        ("P2-bayes-net", "priors.theta", {"bayes_net": {"bif": "a.bif"}}, "cannot re-read"),
        (
            "P2-secret-by-record-without-records",
            "secrets.s",
            {"record": 1, "value": "a"},
            "expected one of",
        ),
    ]:
        out.append(
            (name, table, [file(f"{name}.json", edited(TABLE_FILE, path, value)), response], reason)
        )
    for name, path, value, reason in [
        ("P3-markov-transition", "priors.still.markov.transition.0", ["8/10", "2/10"], "differ"),
        ("P3-markov-initial", "priors.start.markov.initial", ["1/3", "2/3"], "differ"),
        ("P3-product", "priors.free.product", [["1/2", "1/2"], ["1/4", "3/4"]], "differ"),
        ("P3-record-value", "secrets.x1=0.value", "1", "database in common"),
        ("P3-record-number", "secrets.x1=0.record", 2, "database in common"),
        ("P2-record-zero", "secrets.x1=0.record", 0, "expected a record"),
        ("P2-record-three", "secrets.x1=0.record", 3, "expected a record"),
        ("P2-record-as-text", "secrets.x1=0.record", "1", 'expected "Numeral"'),
        ("P2-record-value-unknown", "secrets.x1=0.value", "2", "expected one of"),
        ("P2-record-extra-key", "secrets.x1=0.note", "2", "expected the keys"),
        ("P2-no-records", "records.count", 0, "records: expected"),
        ("P2-no-alphabet", "records.alphabet", [], "different databases"),
        ("P2-alphabet-twice", "records.alphabet", ["0", "0"], "occurs twice"),
        (
            "P2-ambiguous-labels",
            "records",
            {"count": 2, "alphabet": ["a", "a,a"]},
            "different databases",
        ),
        (
            "P2-stationary-not-unique",
            "priors.still.markov.transition",
            [[1, 0], [0, 1]],
            "not unique",
        ),
        (
            "P2-transition-not-square",
            "priors.still.markov.transition",
            [["9/10", "1/10"]],
            "expected 2 rows",
        ),
        (
            "P2-transition-row-long",
            "priors.still.markov.transition.0",
            ["9/10", "1/10", 0],
            "expected 2 numbers",
        ),
        ("P2-transition-row-sum", "priors.start.markov.transition.0", ["9/10", "1/5"], "not 1"),
        ("P2-initial-short", "priors.start.markov.initial", [1], "expected 2 numbers"),
        ("P2-initial-any", "priors.start.markov.initial", "any", 'expected "list"'),
        ("P2-markov-box", "priors.start.markov.transition_lower", [], "expected the keys"),
        ("P2-product-short", "priors.free.product", [["1/4", "3/4"]], "expected 2 rows"),
        ("P2-product-row-short", "priors.free.product.0", [1], "expected 2 numbers"),
    ]:
        files = [
            file(f"{name}.json", edited(CHAIN, path, value)),
            file("chain-mechanism.json", CHAIN_MECHANISM),
        ]
        out.append((name, chain, files, reason))
    noise = {
        "format": "pufferproof-mechanism/1",
        "query": {"a": 0},
        "noise": {"laplace": {"scale": 1}},
    }
    bad = {
        "P4-outputs-order": ({**TABLE_MECHANISM, "outputs": ["v", "u"]}, "outputs differ"),
        "P4-row": (edited(TABLE_MECHANISM, "channel.c", ["1/2", "1/2"]), "differ"),
        "P2-mechanism-format": (
            edited(TABLE_MECHANISM, "format", "pufferproof-mechanism/0"),
            "unknown format",
        ),
        "P2-mechanism-key": ({**TABLE_MECHANISM, "title": ""}, "expected the keys"),
        "P2-noise": (noise, "cannot re-read"),
        "P2-not-json": ("{", "cannot be parsed"),
        "P2-not-an-object": ("[]", 'expected "dict"'),
    }
    for name, (value, reason) in bad.items():
        out.append((name, table, [tabled, file(f"{name}.json", value)], reason))
    for name, content, reason in [
        ("P2-csv-empty.csv", "", "cannot be parsed"),
        ("P2-csv-quote.csv", 'database,u,v\n"a,1,2\n', "cannot be parsed"),
        ("P2-csv-row-twice.csv", "database,u,v\na,3/4,1/4\na,3/4,1/4\n", "occurs twice"),
        (
            "P2-csv-blank-number.csv",
            "database,u,v\na, 3/4,1/4\nb,1/4,3/4\nc,1/4,3/4\n",
            "expected a number",
        ),
        ("P2-toml-date.toml", MECHANISM_TOML + "when = 2020-01-01\n", "cannot be parsed"),
        ("P2-toml-twice.toml", MECHANISM_TOML + "outputs = []\n", "cannot be parsed"),
        ("P2-toml-dotted.toml", MECHANISM_TOML + "a.a.a.a.a.a.a.a.a = 1\n", "over 8 parts"),
        ("P2-toml-inf.toml", MECHANISM_TOML.replace("0.75", "inf"), "expected a number"),
        ("P2-array.npy", "\x93NUMPY", "cannot re-read"),
    ]:
        out.append((name.split(".")[0], table, [tabled, (name, content)], reason))
    return out


def main() -> None:
    write_corpus(HERE, accepted(), refused())
    cases = []
    for name, certificate, files, reason in with_files():
        cases.append(Given(name, certificate, files, reason))
    write_inputs(HERE / "inputs", cases)


if __name__ == "__main__":
    main()
