"""Deltas of plain differential privacy lie between the optimistic and the pessimistic ones of
dp_accounting (Google), whose privacy loss distributions are rounded down and up.

Its numbers are in `dp_accounting.json`, written by version 0.6.0: the library asks for an older
attrs than the other tests have. Where it can be imported, it is asked again.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from pufferproof import AdditiveNoise, Framework, Noise, Table, audit
from pufferproof.examples.builders.mechanisms.randomized_response import randomized_response

RECORDED = Path(__file__).with_name("dp_accounting.json")
PAIR = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table(dict.fromkeys("ab", "1/2"))})
EPSILONS = ("0", "0.3", "1", "2")
# what is released, with which parameter, and how often
CASES = [
    *[("laplace", each, 1) for each in ("1/2", "1", "3")],
    *[("gaussian", each, runs) for each in ("1/2", "1", "4") for runs in (1, 20)],
    *[("discrete_laplace", each, runs) for each in ("1/2", "1", "3") for runs in (1, 3)],
    *[("randomized_response", each, runs) for each in ("3/2", "3") for runs in (1, 10)],
]
STEP, ROUNDING = 1e-4, 1e-9  # of a loss; of floats, of masses that it leaves out


def ours(kind, parameter, runs, epsilon):
    if kind == "randomized_response":
        release = randomized_response("ab", parameter)
    else:
        release = AdditiveNoise({"a": 0, "b": 1}, Noise(kind, parameter))
    if runs == 1:
        return audit(PAIR, release, epsilon, "1/2").delta.bounds()
    if kind == "randomized_response":
        return audit(PAIR, release.beside(*[release] * (runs - 1)), epsilon, "1/2").delta.bounds()
    return audit(PAIR, [release] * runs, epsilon, "1/2").delta.bounds()


def theirs(kind, parameter, runs, epsilon, pessimistic):
    """Return the delta of dp_accounting, rounded up or down."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    number = float(Fraction(parameter))
    given = {"pessimistic_estimate": pessimistic, "value_discretization_interval": STEP}
    connected = {**given, "use_connect_dots": pessimistic}
    known = {
        "laplace": lambda: pld.from_laplace_mechanism(number, **connected),
        "gaussian": lambda: pld.from_gaussian_mechanism(number, **connected),
        "discrete_laplace": lambda: pld.from_discrete_laplace_mechanism(1 / number, **given),
        # the share of answers that are drawn at random, the true one among them
        "randomized_response": lambda: pld.from_randomized_response(2 / (number + 1), 2, **given),
    }
    return known[kind]().self_compose(runs).get_delta_for_epsilon(float(epsilon))


def test_deltas_lie_between_those_of_dp_accounting():
    for place in range(len(CASES)):
        case = CASES[place]
        told = json.loads(RECORDED.read_text(encoding="utf-8"))[place]
        assert told["case"] == list(case)
        for epsilon, (least, most) in zip(EPSILONS, told["deltas"], strict=True):
            lower, upper = ours(*case, epsilon)
            assert least - ROUNDING <= lower <= upper <= most + ROUNDING
            assert most - least <= 3 * case[2] * STEP  # the comparison says something


def test_dp_accounting_still_says_so():
    pytest.importorskip("dp_accounting", exc_type=ImportError)
    for case, told in zip(CASES, json.loads(RECORDED.read_text(encoding="utf-8")), strict=True):
        for epsilon, known in zip(EPSILONS, told["deltas"], strict=True):
            again = [theirs(*case, epsilon, way) for way in (False, True)]
            assert again == pytest.approx(known, abs=ROUNDING)


def record():
    """Write what the library says, a line for every case."""
    rows = [
        {"case": case, "deltas": [[theirs(*case, e, way) for way in (False, True)] for e in EPSILONS]} for case in CASES
    ]
    lines = ",\n".join(json.dumps(row) for row in rows)
    RECORDED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
