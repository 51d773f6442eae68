"""Write the corpus of rates: certificates that are accepted, and for every side condition
one that is refused.

`python -m tests.kernel.rates.make_corpus` rewrites `accept/`, `reject/` and `inputs/`. A reject
file is named after the side condition of CERTIFICATES.md that it breaks; README.md says how one is
added.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.kernel.corpus import Given, Json, edited, write_corpus, write_inputs

HERE = Path(__file__).parent

SPACE = {
    "databases": ["a", "b", "c"],
    "secrets": {"s": ["a"], "t": ["b", "c"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"a": "1/2", "b": "1/4", "c": "1/4"}},
    "closure": "list",
}
# a leaks against b and c together: their geometric mean is (3/8)^(1/2) below a's 1/2 at both
# outputs
MIDDLE = {
    "outputs": ["u", "v"],
    "channel": {"a": ["1/2", "1/2"], "b": ["3/4", "1/4"], "c": ["1/4", "3/4"]},
}
RESPONSE = {
    "outputs": ["u", "v"],
    "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/4", "3/4"]},
}
SILENT = {"outputs": ["w"], "channel": {"a": [1], "b": [1], "c": [1]}}
# c is excluded by v, b by w: together they exclude t
APART = {
    "outputs": ["u", "v", "w"],
    "channel": {"a": ["1/3"] * 3, "b": ["1/2", "1/2", 0], "c": ["1/2", 0, "1/2"]},
}
# w is impossible at a and separates c from it
ZEROS = {
    "outputs": ["u", "v", "w"],
    "channel": {"a": ["1/2", "1/2", 0], "b": ["1/2", "1/4", "1/4"], "c": [0, "1/2", "1/2"]},
}
# (1/8 1/2)^(1/2) = 1/4 is half of a's 1/2 at u, exactly
TIE = {
    "outputs": ["u", "v"],
    "channel": {"a": ["1/2", "1/2"], "b": ["1/8", "7/8"], "c": ["1/2", "1/2"]},
}
# n is impossible, so that r is possible and compared with nothing
IMPOSSIBLE: Json = {
    "databases": ["a", "b", "c", "d"],
    "secrets": {"s": ["a"], "t": ["b"], "r": ["c"], "n": ["d"]},
    "pairs": [["s", "t"], ["r", "n"]],
}
HALVES = {"b": "1/2", "c": "1/2"}
AT_A: Json = {"prior": "theta", "pair": ["s", "t"], "database": "a"}
AT_B: Json = {"prior": "theta", "pair": ["t", "s"], "database": "b"}


def certificate(kind: str, claim: Json, mechanisms: list[Json], **framework: Any) -> Json:
    inputs = {
        "framework": None,
        "mechanisms": [None] * len(mechanisms),
        "normalized": [False] * len(mechanisms),
    }
    whole = {
        "framework": SPACE | framework,
        "mechanisms": mechanisms,
        "inputs": inputs,
        "claim": claim,
    }
    return deepcopy({"format": "pufferproof-certificate/1", "kind": kind} | whole)


def beta(database: str, weights: Json) -> Json:
    return {"database": database, "beta": weights}


def nfc(levels: list[Json], betas: list[Json], mechanisms: list[Json], **framework: Any) -> Json:
    return certificate("nfc", {"levels": levels, "betas": betas}, mechanisms, **framework)


def violation(
    levels: list[Json],
    alpha: list[Json],
    mechanisms: list[Json],
    place: Json = AT_A,
    **framework: Any,
) -> Json:
    return certificate(
        "nfc-violation", {"levels": levels, **place, "alpha": alpha}, mechanisms, **framework
    )


def rate(
    lower: Any,
    upper: Any,
    alpha: Json,
    betas: list[Json],
    mechanism: Json,
    place: Json = AT_A,
    **framework: Any,
) -> Json:
    claim = {"lower": lower, "upper": upper, **place, "alpha": [alpha], "betas": betas}
    return certificate("rate", claim, [mechanism], **framework)


TO_A = [beta("b", {"a": 1}), beta("c", {"a": 1})]
ALL = [beta("a", HALVES), *TO_A]
NFC = nfc([{"log": "3/2"}], ALL, [MIDDLE])
# log(1/2) - log(3/16)/2 = 0.1438..: a beta of large denominators, and levels in nats
DYADIC = {"b": "281474976710655/562949953421312", "c": "281474976710657/562949953421312"}
LOG_HALF = "0.1438410362258904"  # log(2 / sqrt 3), rounded down
NATS = nfc([{"nats": "0.405465108108165"}], [beta("a", DYADIC), *TO_A], [MIDDLE])
TWO = nfc([{"log": "3/2"}, {"log": 1}], ALL, [MIDDLE, SILENT])
VIOLATION = violation([{"log": "10/9"}], [{"u": "1/2", "v": "1/2"}], [MIDDLE])
LEFT_OUT = {"priors": {"theta": SPACE["priors"]["theta"], "only": {"a": 1}}}
RATE = rate({"log": "3"}, {"log": "3"}, {"u": 1}, [beta("a", {"b": 1}), *TO_A], RESPONSE)
WIDE = rate({"nats": "0.4"}, {"nats": "0.41"}, {"u": 1}, ALL, MIDDLE, AT_B)
INFINITE = rate("inf", "inf", {"v": "1/2", "w": "1/2"}, [], APART)
# two priors that each make one secret impossible: only the limit of their mixtures compares
# anything
ONE_EACH = {"priors": {"left": {"a": 1}, "right": {"b": "1/2", "c": "1/2"}}, "closure": "convex"}
AT_LIMIT = {"prior": ["left", "right"], "pair": ["s", "t"], "database": "a"}
# `left` makes c possible, `only` does not know t
PARTLY = {
    "priors": {"left": {"a": "1/2", "b": "1/2"}, "only": {"a": 1}, "last": {"c": 1}},
    "closure": "convex",
}
# `last` knows only t: it is compared with `left`, which knows both, in one order
KNOWS = {"priors": {"left": {"a": "1/2", "b": "1/2"}, "last": {"c": 1}}, "closure": "convex"}
NEVER = {
    "outputs": ["u", "v", "w"],
    "channel": {x: [*row, 0] for x, row in MIDDLE["channel"].items()},
}
TO_EACH = [beta("a", {"b": 1}), beta("a", {"c": 1}), *TO_A]


def accepted() -> dict[str, Json]:
    return {
        "nfc": NFC,
        "nfc-tie-of-powers": nfc([{"log": 2}], ALL, [TIE]),
        "nfc-nats": NATS,
        "nfc-dyadic": edited(NFC, "claim.betas.0.beta", DYADIC),
        "nfc-two-mechanisms": TWO,
        "nfc-zero": nfc(
            [{"nats": 0}],
            [beta("a", {"b": 1}), *TO_A],
            [{"outputs": ["w"], "channel": {k: [1] for k in "abc"}}],
        ),
        "nfc-secret-left-out": nfc(
            [{"nats": 0}], [beta("a", {"b": 1}), beta("b", {"a": 1})], [SILENT], **IMPOSSIBLE
        ),
        "nfc-prior-left-out": nfc([{"log": "3/2"}], ALL, [MIDDLE], **LEFT_OUT),
        "nfc-mixtures": nfc([{"log": 3}], TO_EACH, [RESPONSE], **PARTLY),
        "nfc-mixtures-one-secret-each": nfc([{"log": "3/2"}], ALL, [MIDDLE], **ONE_EACH),
        "nfc-mixtures-one-knows-both": nfc([{"log": 3}], TO_EACH, [RESPONSE], **KNOWS),
        "nfc-zero-over-zero": nfc([{"log": "3/2"}], ALL, [NEVER]),
        "nfc-violation": VIOLATION,
        "nfc-violation-nats": edited(VIOLATION, "claim.levels.0", {"nats": LOG_HALF}),
        "nfc-violation-thirty-digits": edited(
            VIOLATION, "claim.levels.0", {"nats": "0.143841036225890463719609502996"}
        ),
        "nfc-violation-dyadic": edited(
            VIOLATION, "claim.alpha.0", {"u": DYADIC["b"], "v": DYADIC["c"]}
        ),
        "nfc-violation-two-mechanisms": violation(
            [{"log": 2}, {"log": "5/4"}], [{}, {"u": 1}], [SILENT, MIDDLE], AT_B
        ),
        "nfc-violation-infinite": violation([{"log": 99}], [{"v": "1/2", "w": "1/2"}], [APART]),
        "nfc-violation-some-infinite": violation(
            [{"log": "6/5"}], [{"u": "1/100", "v": "99/100"}], [ZEROS]
        ),
        "nfc-violation-mixtures": violation(
            [{"log": "10/9"}], [{"u": "1/2", "v": "1/2"}], [MIDDLE], AT_LIMIT, **ONE_EACH
        ),
        "rate": RATE,
        "rate-wide": WIDE,
        "rate-zero": rate({"log": 1}, {"nats": 0}, {"w": 1}, [beta("a", {"b": 1}), *TO_A], SILENT),
        "rate-infinite": INFINITE,
        "rate-mixtures": rate(
            {"log": "4/3"},
            {"log": "3/2"},
            {"u": 1},
            ALL,
            MIDDLE,
            {**AT_LIMIT, "pair": ["t", "s"], "database": "b", "prior": ["right", "left"]},
            **ONE_EACH,
        ),
    }


def refused() -> dict[str, tuple[Json, str]]:
    return {
        "RC1-claim-key": (edited(NFC, "claim.alpha", []), "expected the keys"),
        "RC1-top-key": (edited(NFC, "claims", []), "expected the keys"),
        "RC1-beta-key": (edited(NFC, "claim.betas.0.prior", "theta"), "expected the keys"),
        "RC2-kind": (edited(NFC, "kind", "nfcs"), "expected one of"),
        "RC3-no-mechanism": (
            certificate("nfc", {"levels": [], "betas": []}, []),
            "expected at least one mechanism",
        ),
        "RC3-hashes": (edited(NFC, "inputs.mechanisms", [None, None]), "expected 1 mechanisms"),
        "RC3-flags": (edited(NFC, "inputs.normalized", []), "expected 1 mechanisms"),
        "RC4-nothing-to-check": (
            nfc([{"log": 1}], [], [SILENT], priors={"theta": {"a": 1}}),
            "no inequality was checked",
        ),
        "RW1-unknown-database": (edited(NFC, "claim.betas.0.beta", {"z": 1}), "unknown names"),
        "RW1-impossible-database": (
            edited(
                nfc([{"log": "3/2"}], ALL, [MIDDLE], databases=[*"abcd"]),
                "claim.betas.0.beta",
                {"d": 1},
            ),
            "unknown names",
        ),
        "RW2-below-one": (edited(NFC, "claim.betas.0.beta", {"b": "1/2", "c": "1/3"}), "sum to 1"),
        "RW2-zero": (edited(NFC, "claim.betas.1.beta", {"a": 1, "b": 0}), "positive weights"),
        "RW2-negative": (
            edited(NFC, "claim.betas.0.beta", {"b": "3/2", "c": "-1/2"}),
            "positive weights",
        ),
        "RW2-none": (edited(NFC, "claim.betas.0.beta", {}), "sum to 1"),
        "RW2-alpha-above-one": (
            edited(VIOLATION, "claim.alpha.0", {"u": 1, "v": "1/2"}),
            "sum to 1",
        ),
        "RL1-too-few-levels": (edited(TWO, "claim.levels", [{"log": 3}]), "expected 2 levels"),
        "RL1-negative": (edited(NFC, "claim.levels.0", {"log": "1/2"}), "is negative"),
        "RL1-infinite": (edited(NFC, "claim.levels.0", "inf"), 'expected "dict"'),
        "RB1-unknown-database": (edited(NFC, "claim.betas.0.database", "z"), "expected one of"),
        "RB1-impossible-database": (
            nfc([{"log": "3/2"}], [*ALL, beta("d", {"a": 1})], [MIDDLE], databases=[*"abcd"]),
            "expected one of",
        ),
        "RB2-excluded": (
            nfc([{"log": 9}], [beta("a", HALVES), *TO_A], [ZEROS]),
            "excludes a database",
        ),
        "RB3-above": (edited(NFC, "claim.levels.0", {"log": "149/100"}), "is exceeded at output"),
        "RB3-above-nats": (
            edited(NATS, "claim.levels.0", {"nats": "0.405465108108164"}),
            "is exceeded at output",
        ),
        "RB3-other-beta": (edited(NFC, "claim.betas.0.beta", {"b": 1}), "is exceeded at output"),
        "RB3-second-mechanism": (
            nfc([{"log": "3/2"}, {"log": 2}], ALL, [MIDDLE, RESPONSE]),
            "is exceeded at output",
        ),
        "RB3-dyadic": (
            edited(edited(NFC, "claim.betas.0.beta", DYADIC), "claim.levels.0", {"nats": LOG_HALF}),
            "is exceeded",
        ),
        "RB4-none": (edited(NFC, "claim.betas", TO_A), "no beta for"),
        "RB4-other-order": (edited(NFC, "claim.betas", ALL[:2]), "no beta for"),
        "RB4-beta-of-another-prior": (
            nfc(
                [{"log": "3/2"}],
                ALL,
                [MIDDLE],
                priors={"theta": {"a": "1/2", "b": "1/2"}, "eta": {"a": "1/2", "c": "1/2"}},
            ),
            "no beta for",
        ),
        "RB4-limit-of-mixtures": (
            nfc([{"log": 3}], [TO_EACH[0], *TO_A], [RESPONSE], **PARTLY),
            "no beta for",
        ),
        "RB5-twice": (
            edited(NFC, "claim.betas", [*ALL, beta("a", {"b": "1/3", "c": "2/3"})]),
            "serve no game",
        ),
        "RB5-of-no-game": (
            edited(RATE, "claim.betas", [*RATE["claim"]["betas"], beta("a", {"c": 1})]),
            "serve no game",
        ),
        "RP1-prior": (edited(VIOLATION, "claim.prior", "eta"), "is not a place"),
        "RP1-pair": (edited(VIOLATION, "claim.pair", ["t", "s"]), "is not a place"),
        "RP1-database": (edited(VIOLATION, "claim.database", "b"), "is not a place"),
        "RP1-secret-impossible": (
            violation([{"log": 1}], [{"u": 1}], [MIDDLE], {**AT_A, "prior": "only"}, **LEFT_OUT),
            "is not a place",
        ),
        "RP1-two-priors-of-a-list": (
            violation(
                [{"log": 1}], [{"u": 1}], [MIDDLE], {**AT_A, "prior": ["theta", "only"]}, **LEFT_OUT
            ),
            "is not a place",
        ),
        "RP1-priors-that-know-both": (
            violation(
                [{"log": "10/9"}],
                [{"u": "1/2", "v": "1/2"}],
                [MIDDLE],
                {**AT_A, "prior": ["theta", "eta"]},
                priors={"theta": SPACE["priors"]["theta"], "eta": {"a": "1/2", "b": "1/2"}},
                closure="convex",
            ),
            "is not a place",
        ),
        "RA1-too-few": (edited(VIOLATION, "claim.alpha", []), "expected 1 mechanisms"),
        "RA1-too-many": (edited(VIOLATION, "claim.alpha", [{"u": 1}, {}]), "expected 1 mechanisms"),
        "RA2-unknown-output": (edited(VIOLATION, "claim.alpha.0", {"x": 1}), "expected one of"),
        "RA3-excluded-by-the-database": (
            violation([{"log": 1}], [{"u": "1/2", "w": "1/2"}], [ZEROS], AT_A),
            'that "a" excludes',
        ),
        "RA3-nothing-over-something": (
            violation([{"log": 1}], [{"w": 1}], [ZEROS], AT_A),
            "excludes",
        ),
        "RA4-not-above": (edited(VIOLATION, "claim.levels.0", {"log": "7/6"}), "does not exceed"),
        "RA4-tie": (violation([{"log": 3}], [{"u": 1}], [RESPONSE]), "does not exceed"),
        "RA4-one-database": (edited(VIOLATION, "claim.alpha.0", {"v": 1}), "does not exceed"),
        "RA4-second-mechanism": (
            violation(
                [{"log": 3}, {"log": "10/9"}], [{"u": "1/2"}, {"u": "1/2"}], [RESPONSE, MIDDLE]
            ),
            "does not exceed",
        ),
        "RR1-two-mechanisms": (
            certificate("rate", RATE["claim"] | {"alpha": [{"u": 1}, {}]}, [RESPONSE, SILENT]),
            "expected one mechanism",
        ),
        "RR2-upper-too-small": (
            edited(RATE, "claim.upper", {"log": "29/10"}),
            "is exceeded at output",
        ),
        "RR2-infinite-above": (edited(RATE, "claim.upper", "inf"), 'expected "dict"'),
        "RR3-lower-too-large": (edited(RATE, "claim.lower", {"log": "31/10"}), "does not exceed"),
        "RR3-other-place": (
            edited(edited(RATE, "claim.pair", ["t", "s"]), "claim.database", "b"),
            "does not exceed",
        ),
        "RR4-not-separated": (edited(INFINITE, "claim.alpha.0", {"v": 1}), "does not exceed"),
        "RR4-finite-above": (edited(INFINITE, "claim.upper", {"log": 3}), "an infinite rate"),
        "RR4-betas": (edited(INFINITE, "claim.betas", TO_A), "an infinite rate"),
    }


def with_files() -> list[Given]:
    """The certificate of a rate with its files, with others, and with rows that were divided."""
    space = {
        "format": "pufferproof-framework/1",
        **{key: SPACE[key] for key in ("databases", "secrets", "pairs")},
        "priors": {"theta": {"table": {"a": "1/2", "b": "0.25", "c": "25e-2"}}},
    }
    framework = ("framework.json", json.dumps(space))
    mechanism = ("mechanism.json", json.dumps({"format": "pufferproof-mechanism/1", **RESPONSE}))
    files, divided = [framework, mechanism], edited(RATE, "inputs.normalized", [True])
    text = "expected a framework file and"
    return [
        Given("rate", RATE, files),
        Given("divided", divided, files),
        Given("P1-too-few-files", RATE, files, text, (framework[0],)),
        Given("P1-too-many-files", RATE, files, text, (framework[0], *[mechanism[0]] * 2)),
        Given("P1-other-files", RATE, files, "has ", (framework[0], framework[0])),
    ]


def main() -> None:
    write_corpus(HERE, accepted(), refused())
    write_inputs(HERE / "inputs", with_files())


if __name__ == "__main__":
    main()
