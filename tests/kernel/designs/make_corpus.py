"""Write the corpus of designs: certificates that are accepted, and for every side condition
one that is refused.

`python -m tests.kernel.designs.make_corpus` rewrites `accept/`, `reject/` and `inputs/`. A reject
file is named after the side condition of CERTIFICATES.md that it breaks; README.md says how one is
added.
"""

import json
from pathlib import Path
from typing import Any

from tests.kernel.corpus import Json, edited, write_corpus, write_inputs
from tests.kernel.redaction.make_corpus import FORMAT, chain

HERE = Path(__file__).parent

# --- redaction-designs: alpha, beta, n, p, level, names of designs, which the library makes and
# these certificates fix ---

SPECS: dict[str, tuple[str, str, int, int, str, list[str]]] = {
    "exact": ("1/4", "1/2", 2, 1, "log(3/2)", ["3r-exact"]),
    "window": ("1/4", "1/2", 4, 2, "log(2)", ["data-independent"]),
    "window-last": ("1/4", "1/2", 4, 4, "log(2)", ["data-independent"]),
    "window-middle": ("1/10", "1/5", 7, 4, "log(4)", ["data-independent"]),
    "window-falling": ("3/4", "4/5", 6, 3, "log(3)", ["data-independent"]),
    "window-nothing": ("1/4", "1/2", 3, 2, "log(1)", ["data-independent"]),
    "window-all": ("1/4", "3/4", 3, 2, "log(1)", ["data-independent"]),
    "window-tie": ("1/4", "1/2", 5, 3, "log(169/100)", ["data-independent"]),
    "quilt": ("1/4", "1/2", 5, 2, "log(2)", ["quilt", "3r-split"]),
    "relaxed-end": ("1/10", "1/2", 5, 5, "log(2)", ["3r-relaxed"]),
    "relaxed-both": ("1/10", "1/2", 9, 4, "log(2)", ["3r-relaxed"]),
    "relaxed-nats": ("1/10", "1/2", 6, 6, "1/2", ["3r-relaxed"]),
    "relaxed-turned": ("1/2", "1/10", 6, 1, "log(3/2)", ["3r-relaxed"]),
    "relaxed-falling": ("1/2", "3/4", 4, 2, "log(6/5)", ["3r-relaxed"]),
    "constant-end": ("1/10", "1/2", 5, 5, "log(2)", ["3r-constant"]),
    "constant-both": ("1/10", "1/2", 9, 4, "log(2)", ["3r-constant"]),
    "constant-turned": ("1/2", "1/10", 6, 1, "log(3/2)", ["3r-constant"]),
    "exact-falling": ("1/2", "3/4", 3, 1, "log(5/4)", ["3r-exact", "3r-constant"]),
    "exact-falling-even": ("4/5", "9/10", 5, 1, "log(3/2)", ["3r-exact"]),
    "exact-both": ("1/4", "1/2", 3, 2, "log(9/4)", ["3r-exact"]),
    "exact-two": ("1/10", "1/2", 5, 5, "log(2)", ["3r-exact"]),
    "exact-three": ("1/10", "3/10", 6, 2, "log(2)", ["3r-exact"]),
    "exact-ones": ("1/20", "1/5", 8, 8, "log(2)", ["3r-exact"]),
    "exact-nats": ("1/4", "1/2", 3, 2, "0.8", ["3r-exact", "3r-constant"]),
    "exact-independent": ("1/4", "3/4", 3, 2, "log(1)", ["3r-exact", "3r-relaxed"]),
    "central": ("1/4", "1/2", 2, 1, "log(3/2)", ["central-lp"]),
    "central-turned": ("1/2", "1/4", 3, 2, "log(9/8)", ["central-lp", "local-optimal"]),
    "central-nats": ("1/4", "1/2", 2, 2, "0.25", ["central-lp"]),
    "local-optimal": ("1/4", "1/2", 2, 1, "log(2)", ["local-optimal"]),
    "central-one": (
        "1/4",
        "1/2",
        1,
        1,
        "log(2)",
        ["central-lp", "data-independent", "3r-relaxed", "3r-constant"],
    ),
}


def designs() -> dict[str, Json]:
    from pufferproof.lp.redaction.certificates import certified_designs
    from pufferproof.lp.redaction.strategies import redaction_designs
    from pufferproof.models.numbers.level import Level
    from pufferproof.models.sequences.binary import BinaryChain

    found: dict[str, Json] = {}
    for stem, (alpha, beta, n, p, text, names) in SPECS.items():
        of, level = (
            BinaryChain(alpha, beta, n),
            Level.log(text[4:-1]) if text.startswith("log") else Level.of_nats(text),
        )
        document = certified_designs(of, p, level, redaction_designs(of, p, level, names)).document
        if document is None or len(document["claim"]["designs"]) != len(names):
            raise SystemExit(f"{stem}: some of {names} were not certified")
        found[stem] = json.loads(json.dumps(document))
    return found


FIVE, SIX, THREE = chain("1/10", "1/2", 5), chain("1/10", "1/2", 6), chain("1/4", "1/2", 3)
CLOSE, TIE = (
    chain("1/100003", "1/100019", 3),
    "100042005500229002973/2000800089001748",
)  # where the rare influence at distance 2 is the level


def by_hand(
    name: str, of: Json, private: int, ratio: str, runs: list[Any], lower: str, **more: Any
) -> Json:
    """A design that keeps its level, with no other claim about its leakage, and a bound and
    proof that say nothing.
    """
    design = {
        "name": name,
        "precision": None,
        "redaction": runs,
        "leakage": [1, ratio],
        "utility": {"lower": lower, "upper": 1},
        "proof": {"left": 0, "right": 0},
    }
    claim = {"level": {"log": ratio}, "designs": [design | more]}
    return {
        "format": FORMAT,
        "kind": "redaction-designs",
        "chain": of,
        "private": private,
        "claim": claim,
    }


FOUR = chain("1/4", "1/2", 4)


def window(of: Json, ratio: str, runs: list[Any], utility: str) -> Json:
    """A window that is said to be the best one, for record 2."""
    bounds = {"lower": utility, "upper": utility}
    return by_hand("data-independent", of, 2, ratio, runs, utility, utility=bounds, proof=None)


def bad_designs(made: dict[str, Json]) -> dict[str, tuple[Json, str]]:
    """Designs with one thing changed; "/" stands for the path to the first design."""

    def bad(name: str, path: str, value: Any, reason: str) -> tuple[Json, str]:
        return edited(made[name], path.replace("/", "claim.designs.0."), value), reason

    nothing = {"left": "0", "right": "0"}
    return {
        "QC1-extra-key": bad("exact", "more", 1, "expected the keys"),
        "QC1-extra-key-of-the-claim": bad("exact", "claim.more", 1, "expected the keys"),
        "QC1-extra-key-of-a-design": bad("exact", "/more", 1, "expected the keys"),
        "QC1-extra-key-of-the-utility": bad("exact", "/utility.more", 1, "expected the keys"),
        "QC1-extra-key-of-the-proof": bad("exact", "/proof.more", 1, "expected the keys"),
        "QC1-extra-key-of-prices": bad("central", "/proof.more", 1, "expected the keys"),
        "QC2-unknown-kind": bad("exact", "kind", "redaction-design", "expected one of"),
        "QC3-alpha": bad("exact", "chain.alpha", "1", "above 0 and below 1"),
        "QC4-initial": bad("exact", "chain.initial", ["1/2", "1/3"], "sums to"),
        "QC5-record": bad("exact", "private", 3, "expected a record from 1 to"),
        "QC6-over": bad("exact", "/redaction.1.1", "6/5", "not both probabilities"),
        "QC7-bits": bad("exact", "/precision", 8, "expected null, or from"),
        "QD1-not-stationary": bad("exact", "chain.initial", ["2/3", "1/3"], "stationary"),
        "QD2-no-designs": bad("exact", "claim.designs", [], "expected from 1 to"),
        "QD3-unknown-name": bad("exact", "/name", "3r-best", "expected one of"),
        "QD4-leakage-below": bad("exact", "/leakage.1", "7/5", "not shown to be from"),
        "QD4-leakage-above": bad("exact", "/leakage.0", "8/5", "not shown to be from"),
        "QD4-one-bound": bad("exact", "/leakage.1", ..., "expected two bounds"),
        "QD4-leakage-of-central": bad("central", "/leakage.1", "7/5", "not shown to be from"),
        "QD5-level": bad("exact", "claim.level.log", "149/100", "may leak more"),
        "QD5-nats": bad("exact", "claim.level", {"nats": "0.4"}, "may leak more"),
        "QD5-level-of-central": bad("central", "claim.level.log", "149/100", "may leak more"),
        "QD6-utility-more": bad("exact", "/utility.lower", "5/15", "the utility is"),
        "QD6-utility-less": bad("exact", "/utility.lower", "3/15", "the utility is"),
        "QD6-utility-of-central": bad("central", "/utility.lower", "1/2", "the utility is"),
        "QD7-proof-of-nothing": bad("quilt", "/proof", nothing, "a proof of nothing"),
        "QD8-below": bad("exact", "/utility.upper", "1/4", "below the utility"),
        "QD8-no-rule": bad("quilt", "/utility.upper", "1", "no rule for an upper bound"),
        "QD8-negative-window": bad("window-nothing", "/utility.upper", "-1", "below the utility"),
        "QD9-missing-sequence": bad("central", "/redaction.00", ..., "expected all sequences"),
        "QD9-shown-wrongly": bad(
            "central", "/redaction.00", {"*0": "8/9", "*1": "1/9"}, "shows something else"
        ),
        "QD9-too-long": bad(
            "central", "/redaction.00", {"*0": "8/9", "***": "1/9"}, "shows something else"
        ),
        "QD9-no-law": bad("central", "/redaction.00", {"*0": "8/9", "**": "2/9"}, "sums to"),
        "QW1-by-value": bad("exact", "/name", "data-independent", "the proof needs no numbers"),
        "QD5-central-infinite": bad("central", "/redaction.00", {"0*": "1"}, "may leak more"),
        "QD5-central-infinite-one": bad("central", "/redaction.11", {"1*": "1"}, "may leak more"),
        "QW2-better": (window(FOUR, "2", [[3, 1, 1], [1, 0, 0]], "1/4"), "may do"),
        "QW2-nothing": (window(FOUR, "2", [[4, 1, 1]], "0"), "may do"),
        "QW2-on-the-left": (window(FOUR, "21/20", [[4, 1, 1]], "0") | {"private": 4}, "may do"),
        "QW2-falling": (window(chain("3/4", "4/5", 4), "3", [[4, 1, 1]], "0"), "may do"),
        "QW1-proof": bad("window", "/proof", nothing, "the proof needs no numbers"),
        "QR1-undecided": (
            by_hand("3r-constant", CLOSE, 1, TIE, [[3, 1, 1]], "0", precision=16),
            "undecided",
        ),
        "QR2-large-is-shown": (
            by_hand(
                "3r-constant",
                SIX,
                5,
                "2",
                [[2, 0, 0], [1, 1, 1], [1, "1/2", 1], [2, 1, 1]],
                "29/72",
            ),
            "follow the regions",
        ),
        "QR2-rare-is-shown": (
            by_hand(
                "3r-constant", chain("1/10", "1/2", 4), 3, "4", [[1, 1, "9/10"], [3, 1, 1]], "1/240"
            ),
            "follow the regions",
        ),
        "QR2-small-is-redacted": (
            by_hand(
                "3r-constant",
                FIVE,
                5,
                "2",
                [[1, 0, 0], [1, 1, 1], [2, "7/10", 1], [1, 1, 1]],
                "3/10",
            ),
            "follow the regions",
        ),
        "QR3-numbers": bad("relaxed-end", "/proof.left", [[2, "1/2"]], "not excluded"),
        "QR3-numbers-of-constant": bad("constant-both", "/proof.left", "1/2", "not excluded"),
        "QR4-constraint": (
            edited(
                edited(made["constant-end"], "claim.designs.0.name", "3r-relaxed"),
                "claim.designs.0.proof",
                {"left": [[2, "1/2"]], "right": []},
            ),
            "is broken",
        ),
        "QR5-grows": bad("relaxed-end", "/proof.left", [[1, "1/2"], [1, "3/5"]], "grow"),
        "QR5-negative": bad("relaxed-end", "/proof.left", [[1, "1/2"], [1, "-1/5"]], "grow"),
        "QR5-missing": bad("relaxed-end", "/proof.left", [[1, "1/2"]], "are missing"),
        "QR5-other-side": bad(
            "relaxed-turned", "/proof", {"left": [[1, "1/2"]], "right": []}, "entries in all"
        ),
        "QR6-too-large": bad("relaxed-end", "/proof.left", [[2, "0.84"]], "too large"),
        "QR6-first-too-large": bad(
            "relaxed-end", "/proof.left", [[1, "0.99"], [1, "0.1"]], "too large"
        ),
        "QR6-turned": bad("relaxed-turned", "/proof.right", [[1, "111/117"]], "too large"),
        "QR7-not-constant": (
            by_hand(
                "3r-constant",
                FIVE,
                5,
                "2",
                [[2, 0, 0], [1, "9/10", 1], [1, "7/10", 1], [1, 1, 1]],
                "7/15",
            ),
            "not constant",
        ),
        "QR7-over-its-budget": (
            by_hand("3r-constant", THREE, 2, "9/4", [[1, "1/10", 1], [2, 1, 1]], "1/5"),
            "than its budget",
        ),
        "QR7-other-side": (
            by_hand("3r-exact", THREE, 2, "9/4", [[2, 1, 1], [1, "1/10", 1]], "1/5"),
            "than its budget",
        ),
        "QR8-too-large": bad("constant-end", "/proof.left", "0.62", "q may be below"),
        "QR8-one": bad("exact", "/proof.right", "1/4", "q may be below"),
        "QR8-over": bad("exact", "/proof.right", "6/5", "not both probabilities"),
        "QR8-negative": bad("exact", "/proof.right", "-1/5", "not both probabilities"),
        "QR9-slope": bad("exact-two", "/proof.left", "2/5", "may be below"),
        "QR9-negative": bad("exact-two", "/proof.left", "-1/5", "from 0 to 1"),
        "QR9-one": bad("exact-two", "/proof.left", "1", "from 0 to 1"),
        "QR10-slope": bad("exact-two", "/proof.left", "1/100", "not excluded"),
        "QR10-upper": bad("exact-three", "/proof.right", "1/5", "not excluded"),
        "QP1-ratio": bad("central", "/proof.ratio", "149/100", "below e^level"),
        "QP2-missing": bad("central", "/proof.prices.00", ..., "expected one for every"),
        "QP2-more": bad("central", "/proof.prices.000", 1, "expected one for every"),
        "QP3-first": bad("central", "/proof.prices.00", "1/2", "do not pay"),
        "QP3-second": bad("central", "/proof.prices.11", "-1/2", "do not pay"),
        "QP4-price": bad("central", "/proof.prices.00", "3/4", "not excluded"),
    }


ALONE = "../accept/exact.json"
MORE = {"certificate": ALONE, "files": [ALONE], "refused": "speaks of no files"}


def main() -> None:
    made = designs()
    loose = edited(made["exact-two"], "claim.designs.0.proof.left", "0")
    loose = edited(loose, "claim.designs.0.utility.upper", 1)
    write_corpus(HERE, made | {"exact-loose": loose}, bad_designs(made))
    write_inputs(HERE / "inputs", [], [MORE])


if __name__ == "__main__":
    main()
