"""Which printed claims are headed REFUTED, what is wrong in print, and no boundary case first.

The first reading of a claim is the one that its authors would sign. A claim whose first reading is
false is counted as an error of its paper, so each has a line here: what the paper says, and why its
own definitions and setting do not save it.
"""

import json
from pathlib import Path

import pytest

from pufferproof.claims.registry import load_claims

ROOT = Path(__file__).resolve().parents[3]
EXPECTED = json.loads((ROOT / "claims" / "EXPECTED.json").read_text())
WRONG_IN_PRINT = {
    "bai2026.allpriors-is-dp": "all priors ask for more than DP per record",
    "bai2026.priors-needed": "further pairs of secrets can do what further priors do",
    "bai2026.ex2-likelihoods": "2^(-n+1) for 2^-n",
    "bai2026.ex3-eps": "bars inside the logarithm leave the other order out",
    "bai2026.nfc-steps": "a norm tends to its largest item, weight 0 included",
    "bai2026.ppi-onlyif": "weights with two entries survive processing",
    "bai2026.ppi-steps": "the inequality of means is used for negative weights",
    "bai2026.ppi-implication": "coupled constraints compose without DP at epsilon",
    "bai2026.ab-monotone": "by its definition a curve is any upper bound, which may rise",
    "bai2026.chain": "the closed form fails for p + q < 1",
    "bai2026.chain-steps": "absolute values are added that no outcome attains together",
    "bai2026.chain-fig": "a falling p can make records independent",
    "bai2026.gauss-centre": "record 2 of five leaks more than the centre",
    "bai2026.gauss-L": "the walls of the box matter",
    "bai2026.gauss-sweep": "the law is truncated, the recipe is not",
    "bai2026.table6": "two noiseless queries that compose to the secret",
    "massny2025.wlog-p": "the middle record of an odd chain",
    "massny2025.prop1-convex": "not convex for lam < 0",
    "massny2025.prop1-convex-neg": "not convex for lam < 0",
    "massny2025.lemma1-steps": "ratios stand for logarithms",
    "massny2025.radius": "the inequalities for j are turned round",
    "massny2025.minmax": "min/max for max/min",
    "massny2025.eq4": "the output that releases the first record of M is left out",
    "massny2025.util-direction": "the utility falls with q, where it is said to grow",
    "massny2025.thm2": "distances whose sum is odd redact one record fewer",
    "massny2025.thm2-shape": "distances 2 and 4 alone are optimal, for lam < 0",
    "massny2025.thm2-cases": "2 D* - 1 for 2 D* - 2",
    "song2017.lem-II3": "the gap of P P* over |lam| < 1 leaves out what keeps correlation",
    "song2017.thm-III1": "the influences of the two ends are exchanged",
    "song2017.thm-III3": "rests on Lemma II.3",
    "song2017.III4-diag": "equal to its maximum with its inverse, where it is below 1",
    "song2017.III4-cases": "values between those at the ends",
    "song2017.III4-three-values": "values between the three",
    "song2017.A1-display": "an exponential is left out",
    "streaming_cw.region-is-intersection": "slopes of one order cut off what the other keeps",
    "streaming_cw.slopes-complete": "slopes of one order do not tell the other",
    "streaming_cw.cw-rows": "f_D is defined as the law of X, given nothing",
    "streaming_cw.cw-two-row-mechanism": "rows given nothing stand for rows given priv and Z",
    "streaming_cw.cw-everything-follows": "what it takes over is false already",
    "streaming_cw.lem2-last-line": "an equality for an inequality",
    "streaming_cw.thm4-Vt": "a union of sets is taken for one of them",
    "streaming_cw.thm4-min-shift": "a sum is taken for 1 minus it",
    "wang2016.dp-special-case": "S x S pairs values of different people",
    "wang2016.wass-gs": "its sensitivity lets a value change into any other",
    "wang2016.A2-eq7": "the weights of the mixture are left out",
    "wang2016.A5-power": "D^(1/2) for D^(-1/2)",
    "wang2016.A5-expansion": "1 for pi(y)",
    "wang2016.A5-cauchy": "absolute values are left out",
    "wang2016.A5-final": "a negative eigenvalue to an odd power",
    "wang2016.alg2-find": "the third test reads i + a for i + b",
    "wang2016.sigma-std": "a scale is taken for a deviation, and for the least",
}


def printed() -> set[str]:
    folder = ROOT / "claims" / "catalogue"
    return {name for file in folder.glob("*.txt") for name in file.read_text().split()}


def test_every_printed_claim_that_is_headed_refuted_says_what_is_wrong_in_print():
    refuted = {name for name in printed() if EXPECTED[name]["verdict"] == "REFUTED"}
    assert refuted == set(WRONG_IN_PRINT)


BOUNDARIES = (
    "U any set",
    "U connected",
    "also an empty one",
    "each listed mechanism once",
    "every D with s1",
    "every row of X",
    "strictly",
    "lam >= 0",
)
"""Words of readings that the setting of a paper excludes, or that fail at ties alone."""


@pytest.mark.parametrize("name", sorted(printed()))
def test_no_boundary_case_stands_first(name):
    first = next(iter(EXPECTED[name]["readings"]))
    assert EXPECTED[name]["readings"][first] != "REFUTED" or not any(
        words in first for words in BOUNDARIES
    )


@pytest.mark.parametrize(
    ("name", "refuted"),
    [
        ("x-groupdp", 1),
        ("translate", 3),
        ("compose", 2),
        ("laplace", 2),
        ("expmech", 3),
        ("alg1", 2),
        ("alg2", 2),
        ("nfc", 3),
    ],
)
def test_boundary_cases_of_bai2026_stay_behind_the_natural_reading(name, refuted):
    entry = EXPECTED[f"bai2026.{name}"]
    verdicts = list(entry["readings"].values())
    assert (entry["verdict"], verdicts[0]) == ("DEPENDS", "DERIVED")
    assert verdicts.count("REFUTED") == refuted


def test_what_the_print_defines_or_does_not_say_is_not_refuted_as_printed():
    assert EXPECTED["bai2026.groupdp"]["verdict"] == "DEFINITION"
    assert "min_b" not in load_claims()["bai2026.translate"].statement
