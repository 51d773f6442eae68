"""Deltas of dp_accounting, rounded down and up: a program of its own, in the environment that
`make bench` makes for the library. Reads questions as JSON and writes what it found and how long
that took.
"""

import json
import sys
from importlib.metadata import version
from time import process_time

from dp_accounting.pld import privacy_loss_distribution as pld


def released(kind: str, number: float, step: float, pessimistic: bool) -> pld.PrivacyLossDistribution:
    given = {"pessimistic_estimate": pessimistic, "value_discretization_interval": step}
    connected = {**given, "use_connect_dots": pessimistic}
    kind, _, rate = kind.partition(" of samples at ")
    if rate:
        connected["sampling_prob"] = float(rate)
    if kind == "laplace":
        return pld.from_laplace_mechanism(number, **connected)
    if kind == "gaussian":
        return pld.from_gaussian_mechanism(number, **connected)
    if kind == "discrete_laplace":
        return pld.from_discrete_laplace_mechanism(1 / number, **given)
    # the share of answers that are drawn at random, the true one among them
    return pld.from_randomized_response(2 / (number + 1), 2, **given)


def main() -> None:
    asked = json.load(sys.stdin)
    start, found = process_time(), []
    for kind, number, runs in asked["cases"]:
        sides = [released(kind, number, asked["step"], pessimistic).self_compose(runs) for pessimistic in (False, True)]
        levels = asked["epsilons"]
        found.append([[float(side.get_delta_for_epsilon(e)) for side in sides] for e in levels])
    seconds = process_time() - start
    answer = {"version": version("dp-accounting"), "seconds": seconds, "deltas": found}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
