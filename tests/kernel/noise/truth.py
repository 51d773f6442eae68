"""Whether a certificate of noise is true, by enumeration of all sequences of records."""

import json
from collections.abc import Iterator
from copy import deepcopy
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np
from mpmath import mp
from tests.kernel.changes import Change

from pufferproof.models.numbers.grammar import exact

DIGITS = 60
NEAR = Decimal(10) ** -40  # of what is no tie
CLOSE = 1e-9  # of logarithms in floats
Number = Fraction | Decimal
Vector = tuple[Fraction, ...]
Given = dict[Vector, Fraction]  # the law of numbers


def holds(change: Change) -> bool:
    return is_true(change.certificate)


def is_true(certificate: Any) -> bool:
    """Whether the statement of a certificate holds."""
    claim = certificate["claim"]
    with localcontext() as context:
        context.prec = DIGITS
        if "cells" in claim:
            return class_is_true(certificate)
        if "member" in claim:
            if not is_member(certificate):
                return False
            certificate = deepcopy(certificate)
            certificate["framework"]["priors"] = {claim["prior"]: {"markov": claim["member"]}}
        if "delta" in claim:
            return delta_is_true(certificate)
        if "exceeds" in claim:
            s, t = claim["pair"]
            given = claim["output"]
            place = tuple(map(exact, given if isinstance(given, list) else [given]))
            laws = [law_given(certificate, claim["prior"], secret) for secret in (s, t)]
            return exceeds(ratio(certificate, *laws, place, {}), claim["exceeds"]) > 0
        found = list(ratios(certificate))
        return bool(found) and all(exceeds(each, claim["level"]) <= 0 for each in found)


def ratios(certificate: Any) -> Iterator[tuple[Number, Number]]:
    """Density given one secret and given the other, at every value of the query between."""
    framework, places = certificate["framework"], values(certificate)
    known = dict[Any, Number]()
    for name in framework["priors"]:
        laws = {x: law_given(certificate, name, x) for x in framework["secrets"]}
        for s, t in pairs(framework):
            for one, other in ((s, t), (t, s)):
                if laws[one] and laws[other]:
                    for place in places:
                        yield ratio(certificate, laws[one], laws[other], place, known)


def pairs(framework: Any) -> list[tuple[str, str]]:
    secrets = framework["secrets"]
    if framework["pairs"] != "disjoint":
        return [(s, t) for s, t in framework["pairs"]]
    return [
        (s, t)
        for s in secrets
        for t in secrets
        if s < t
        and secrets[s]["record"] == secrets[t]["record"]
        and secrets[s]["value"] != secrets[t]["value"]
    ]


Segment = tuple[int, int]


def segments(certificate: Any) -> list[Segment]:
    """The segments of the mechanisms, in order."""
    count = int(certificate["framework"]["records"]["count"])
    found = [each["segment"] or [1, count] for each in certificate["mechanisms"]]
    return sorted({(int(first), int(last)) for first, last in found})


def people(certificate: Any) -> int:
    return int(certificate["framework"].get("people", 1))


def apart(certificate: Any, sequence: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The records of every person."""
    count = int(certificate["framework"]["records"]["count"])
    return [sequence[k : k + count] for k in range(0, len(sequence), count)]


def query(certificate: Any, mechanism: Any, sequence: tuple[str, ...]) -> Fraction:
    """The query at a sequence; of a histogram of two values the second of its counts."""
    count = int(certificate["framework"]["records"]["count"])
    first, last = mechanism["segment"] or [1, count]
    chosen = [
        value for own in apart(certificate, sequence) for value in own[int(first) - 1 : int(last)]
    ]
    if mechanism["query"] == "histogram":
        return Fraction(chosen.count(certificate["framework"]["records"]["alphabet"][1]))
    if isinstance(mechanism["query"], dict):
        return Fraction(chosen.count(mechanism["query"]["count"]))
    total = sum((exact(value) for value in chosen), Fraction(0))
    return total / len(chosen) if mechanism["query"] == "mean" else total


def numbers(certificate: Any, sequence: tuple[str, ...]) -> tuple[Fraction, ...]:
    """The query of every segment; of a histogram of more than two values the counts of all."""
    count = int(certificate["framework"]["records"]["count"])
    found = {}
    for each in certificate["mechanisms"]:
        first, last = each["segment"] or [1, count]
        ends = int(first), int(last)
        if each["query"] == "histogram" and many(certificate) > 2:
            alphabet = certificate["framework"]["records"]["alphabet"]
            counted = ({**each, "query": {"count": value}} for value in alphabet)
            found[ends] = [query(certificate, one, sequence) for one in counted]
        else:
            found[ends] = [query(certificate, each, sequence)]
    return tuple(number for ends in segments(certificate) for number in found[ends])


def many(certificate: Any) -> int:
    """The number of values of a record."""
    return len(certificate["framework"]["records"]["alphabet"])


def values(certificate: Any) -> list[tuple[Fraction, ...]]:
    """All outputs whose numbers are values of their queries."""
    found = [numbers(certificate, each) for each in sequences(certificate)]
    return [*product(*(sorted(set(column)) for column in zip(*found)))]


def sequences(certificate: Any) -> Iterator[tuple[str, ...]]:
    records = certificate["framework"]["records"]
    return product(records["alphabet"], repeat=int(records["count"]) * people(certificate))


def probability(certificate: Any, name: str, sequence: tuple[str, ...]) -> Fraction:
    alphabet = certificate["framework"]["records"]["alphabet"]
    chain = certificate["framework"]["priors"][name]["markov"]
    rows = [[exact(x) for x in row] for row in chain["transition"]]
    start = chain["initial"]
    law = stationary(rows) if start == "stationary" else [exact(x) for x in start]
    found = Fraction(1)
    for own in apart(certificate, sequence):
        places = [alphabet.index(value) for value in own]
        found *= law[places[0]]
        for one, other in pairwise(places):
            found *= rows[one][other]
    return found


def stationary(rows: list[list[Fraction]]) -> list[Fraction]:
    """By spanning trees: a value's share is the sum over trees towards it of products of rows."""
    size = len(rows)
    weights = [Fraction(0)] * size
    for chosen in product(range(size), repeat=size):
        for root in range(size):
            if chosen[root] == root and all(reaches(chosen, x, root) for x in range(size)):
                weights[root] += prod(rows[x][chosen[x]] for x in range(size) if x != root)
    return [weight / sum(weights) for weight in weights]


def reaches(chosen: tuple[int, ...], value: int, root: int) -> bool:
    """Say whether following choices leads to the root."""
    for _ in chosen:
        value = root if value == root else chosen[value]
    return value == root


def decay(certificate: Any, ends: Segment, distance: Fraction) -> Number:
    """The density of the releases of a segment at a distance, over that at 0."""
    found: Number = Fraction(1)
    count = int(certificate["framework"]["records"]["count"])
    for mechanism in certificate["mechanisms"]:
        if tuple(map(int, mechanism["segment"] or [1, count])) != ends:
            continue
        ((kind, given),) = mechanism["noise"].items()
        text = str(next(iter(given.values())))
        times = 2 if mechanism["query"] == "histogram" and many(certificate) == 2 else 1
        if kind == "geometric":
            assert distance.denominator == 1
            found *= exact(text) ** int(distance * times)
        elif "/log(" in text:
            top, _, base = text[:-1].partition("/log(")
            power = distance * times / exact(top)
            assert power.denominator == 1
            found *= exact(base) ** -int(power)
        else:
            nats = distance * times / exact(text)
            found = decimal(found) * (-decimal(nats)).exp()
    return found


def decimal(number: Number) -> Decimal:
    if isinstance(number, Decimal):
        return number
    return Decimal(number.numerator) / Decimal(number.denominator)


def far(certificate: Any, numbers_: Vector, at: Vector, known: dict[Any, Number]) -> Number:
    """The density of an output given the numbers, over the largest one."""
    found: Number = Fraction(1)
    ends_of = segments(certificate)
    each = len(numbers_) // len(ends_of)
    for ends, n, w in zip([ends for ends in ends_of for _ in range(each)], numbers_, at):
        if (ends, abs(n - w)) not in known:
            known[ends, abs(n - w)] = decay(certificate, ends, abs(n - w))
        one = known[ends, abs(n - w)]
        exact_ones = isinstance(found, Fraction) and isinstance(one, Fraction)
        found = found * one if exact_ones else decimal(found) * decimal(one)
    return found


def ratio(
    certificate: Any, above: Given, below: Given, at: Vector, known: dict[Any, Number]
) -> tuple[Number, Number]:
    """The density at an output given s and given t; 0 and 0 if one of them is impossible."""
    if not above or not below:
        return Fraction(0), Fraction(0)
    totals: list[Number] = []
    for law in (above, below):
        terms = [(p, far(certificate, n, at, known)) for n, p in law.items()]
        if all(isinstance(each, Fraction) for _, each in terms):
            totals.append(sum((p * each for p, each in terms), Fraction(0)))
        else:
            totals.append(sum((decimal(p) * decimal(each) for p, each in terms), Decimal(0)))
    return totals[0], totals[1]


def delta_is_true(certificate: Any) -> bool:
    """Whether delta is at most, or more than, what is claimed, by quadrature."""
    claim, framework = certificate["claim"], certificate["framework"]
    if "prior" in claim:
        found = delta(certificate, claim["prior"], *claim["pair"])
        return found is not None and found > mp.mpf(str(claim["delta"])) - mp.mpf(10) ** -25
    every = [
        found
        for name in framework["priors"]
        for s, t in pairs(framework)
        for one, other in ((s, t), (t, s))
        if (found := delta(certificate, name, one, other)) is not None
    ]
    bound = decimal(exact(claim["delta"]))
    return bool(every) and max(every) <= mp.mpf(str(bound)) + mp.mpf(10) ** -25


def law_given(certificate: Any, name: str, secret: str) -> Given:
    """The law of the query given a secret; empty if it is impossible."""
    secrets, found = certificate["framework"]["secrets"], Given()
    record, value = int(secrets[secret]["record"]), secrets[secret]["value"]
    for sequence in sequences(certificate):
        if sequence[record - 1] == value and (p := probability(certificate, name, sequence)):
            known = numbers(certificate, sequence)
            found[known] = found.get(known, Fraction(0)) + p
    total = sum(found.values())
    return {known: p / total for known, p in found.items()}


def delta(certificate: Any, name: str, s: str, t: str) -> Any:
    """The delta of an ordered pair: of certificates that claim another one it is the same."""
    claim = {"level": certificate["claim"]["level"]}
    return of_model(json.dumps(certificate | {"claim": claim}), name, s, t)


@cache
def of_model(text: str, name: str, s: str, t: str) -> Any:
    """The integral of the positive part, of all releases of one query; None of impossible
    secrets. Releases with a decay are those of one whose decay is their product: what is
    returned is then the delta of that one, which is no smaller.
    """
    certificate = json.loads(text)
    above, below = (
        {n: p for (n,), p in law_given(certificate, name, each).items()} for each in (s, t)
    )
    if not above or not below:
        return None
    level = certificate["claim"]["level"]
    given = level["log"] if "log" in level else level["nats"]
    with mp.workdps(40):
        number = mp.mpf(exact(given).numerator) / exact(given).denominator
        bound = number if "log" in level else mp.exp(number)
        terms = {
            n: fraction(above.get(n, Fraction(0))) - bound * fraction(below.get(n, Fraction(0)))
            for n in sorted({*above, *below})
        }
        noises = [each["noise"] for each in certificate["mechanisms"]]
        times = 2 if certificate["mechanisms"][0]["query"] == "histogram" else 1
        if "gaussian" in noises[0]:
            sigmas = [fraction(exact(each["gaussian"]["sigma"])) for each in noises]
            return normal_part(terms, mp.sqrt(1 / sum(times / x**2 for x in sigmas)))
        ends = segments(certificate)[0]
        tau = decimal(decay(certificate, ends, Fraction(1))) if integers(noises) else None
        if tau is not None:
            return integer_part(terms, mp.mpf(str(tau)))
        nats = mp.fsum(times / scale_of(each) for each in noises)
        return exponential_part(terms, nats)


def fraction(number: Fraction) -> Any:
    return mp.mpf(number.numerator) / number.denominator


def integers(noises: list[Any]) -> bool:
    return all(kind in ("geometric", "discrete_laplace") for each in noises for kind in each)


def scale_of(noise: Any) -> Any:
    text = str(noise["laplace"]["scale"])
    if "/log(" in text:
        top, _, base = text[:-1].partition("/log(")
        return fraction(exact(top)) / mp.log(fraction(exact(base)))
    return fraction(exact(text))


def integer_part(terms: dict[Fraction, Any], tau: Any) -> Any:
    """The sum of the positive part over all integers."""
    low, high = int(min(terms)), int(max(terms))
    unit = (1 - tau) / (1 + tau)
    at = {
        w: unit * mp.fsum(c * tau ** abs(w - int(n)) for n, c in terms.items())
        for w in range(low, high + 1)
    }
    tails = [max(0, at[end]) * tau / (1 - tau) for end in (low, high)]
    return mp.fsum(max(0, x) for x in at.values()) + mp.fsum(tails)


def exponential_part(terms: dict[Fraction, Any], nats: Any) -> Any:
    """The integral of the positive part, pieces between numbers split where their sign changes."""
    places, weights = [fraction(n) for n in terms], [*terms.values()]

    def at(w: Any) -> Any:
        return nats / 2 * mp.fsum(c * mp.exp(-nats * abs(w - n)) for n, c in zip(places, weights))

    total = (max(0, at(places[0])) + max(0, at(places[-1]))) / nats
    for low, high in pairwise(places):
        cuts = [
            low,
            *([mp.findroot(at, (low, high), solver="anderson")] if at(low) * at(high) < 0 else []),
            high,
        ]
        for a, b in pairwise(cuts):
            total += max(0, mp.quad(at, [a, b]))
    return total


def normal_part(terms: dict[Fraction, Any], sigma: Any) -> Any:
    """The integral of the positive part, between the changes of sign that a fine grid shows."""

    places, weights = [fraction(n) for n in terms], [*terms.values()]

    def at(w: Any) -> Any:  # times a constant
        return mp.fsum(c * mp.exp(-(((w - n) / sigma) ** 2) / 2) for n, c in zip(places, weights))

    low, high = places[0] - 12 * sigma, places[-1] + 12.37 * sigma  # a middle is often a zero
    grid = [low + (high - low) * k / 400 for k in range(401)]
    heights = [at(w) for w in grid]
    cuts = [
        mp.findroot(at, ends, solver="anderson")
        for ends, (a, b) in zip(pairwise(grid), pairwise(heights))
        if a * b < 0
    ]
    total = mp.mpf(0)
    for a, b in pairwise([-mp.inf, *cuts, mp.inf]):
        mass = mp.fsum(
            c * (mp.ncdf(b, fraction(n), sigma) - mp.ncdf(a, fraction(n), sigma))
            for n, c in terms.items()
        )
        total += max(0, mass)
    return total


# --- classes of chains ---


def is_member(certificate: Any) -> bool:
    """Whether the chain of a witness is of the class that it names."""
    claim = certificate["claim"]
    given, chain = certificate["framework"]["priors"][claim["prior"]]["markov"], claim["member"]
    rows = [[exact(x) for x in row] for row in chain["transition"]]
    first = chain["initial"]
    law = stationary(rows) if first == "stationary" else [exact(x) for x in first]
    if given["initial"] == "stationary" and law != stationary(rows):
        return False
    if isinstance(given["initial"], list) and law != [exact(x) for x in given["initial"]]:
        return False
    if "eigengap" in given:
        slowest = abs(rows[0][0] + rows[1][1] - 1)
        return min(law) >= exact(given["pi_min"]) and slowest <= 1 - exact(given["eigengap"])
    return all(
        exact(a) <= x <= exact(b)
        for own in zip(bounds(given, "lower"), rows, bounds(given, "upper"))
        for a, x, b in zip(*own)
    )


def bounds(given: Any, side: str) -> Any:
    return given.get("transition") or given[f"transition_{side}"]


def class_is_true(certificate: Any) -> bool:
    """Whether no chain of a grid in every class exceeds the level, and one chain is compared."""
    level = certificate["claim"]["level"]
    nats = float(exact(level["nats"])) if "nats" in level else float(np.log(float(level_of(level))))
    count = int(certificate["framework"]["records"]["count"])
    most = [largest(certificate, *chains(prior, count)) for prior in classes(certificate)]
    return max(most) > -np.inf and max(most) <= nats + CLOSE


def level_of(level: Any) -> Fraction:
    return min(exact(level["log"]), Fraction(10) ** 300)


def classes(certificate: Any) -> list[Any]:
    return [each["markov"] for each in certificate["framework"]["priors"].values()]


def steps(low: Any, high: Any) -> Any:
    """Numbers from one to another, closer to each other near both."""
    share = np.array([0, 0.001, 0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.98, 0.999, 1])
    return float(low) + (float(high) - float(low)) * share


def chains(given: Any, count: int) -> tuple[Any, Any, Any]:
    """Numbers P(0, 1), P(1, 0) and P(X_1 = 1) of chains of a class, the former for every step where
    they change with time.
    """
    if "eigengap" in given:
        least, most = exact(given["pi_min"]), 1 - exact(given["eigengap"])
        pi, c = (x.ravel() for x in np.meshgrid(steps(least, 1 - least), steps(-most, most)))
        a, b = pi * (1 - c), (1 - pi) * (1 - c)
        fits = (a <= 1) & (b <= 1)
        return a[fits], b[fits], pi[fits]
    low, high = bounds(given, "lower"), bounds(given, "upper")
    spans = []
    for x, y in ((0, 1), (1, 0)):
        least = max(exact(low[x][y]), 1 - exact(high[x][x]))
        spans.append(steps(least, min(exact(high[x][y]), 1 - exact(low[x][x]))))
    first = given["initial"]
    starts = steps(0, 1) if isinstance(first, str) else np.array([float(exact(first[1]))])
    if given.get("class") == "time-varying":
        draw = np.random.default_rng(0)
        a, b = (draw.choice(x, (max(1, count - 1), 3000)) for x in spans)
        return a, b, draw.choice(starts, 3000)
    a, b, s = (x.ravel() for x in np.meshgrid(*spans, starts))
    if first == "stationary":
        a, b = a[a + b > 0], b[a + b > 0]
        s = a / (a + b)
    return a, b, s


def largest(certificate: Any, a: Any, b: Any, s: Any) -> float:
    """The largest log of a ratio under some chains of two values; -inf if nothing is compared."""
    alphabet = certificate["framework"]["records"]["alphabet"]
    every, weights = list(sequences(certificate)), []
    for sequence in every:
        found = np.ones(len(s))
        for own in apart(certificate, sequence):
            places = [alphabet.index(value) for value in own]
            found = found * (s if places[0] else 1 - s)
            for t, (one, other) in enumerate(pairwise(places)):
                to_one, to_none = (x if x.ndim == 1 else x[t] for x in (a, b))
                rows = [[1 - to_one, to_one], [to_none, 1 - to_none]]
                found = found * rows[one][other]
        weights.append(found)
    known: dict[Any, Number] = {}
    laws = [numbers(certificate, each) for each in every]
    shown = np.array(
        [[float(far(certificate, n, w, known)) for n in laws] for w in values(certificate)]
    )
    most = -np.inf
    for one, other in pairs(certificate["framework"]):
        secrets = [certificate["framework"]["secrets"][each] for each in (one, other)]
        record = int(secrets[0]["record"]) - 1
        held = [[each[record] == secret["value"] for each in every] for secret in secrets]
        masses = [np.array(weights)[rows].sum(axis=0) for rows in held]
        both = (masses[0] > 0) & (masses[1] > 0)
        if both.any():
            given = [
                (shown[:, rows] @ np.array(weights)[rows] / mass)[:, both]
                for rows, mass in zip(map(np.array, held), [np.where(both, m, 1) for m in masses])
            ]
            most = max(most, float(abs(np.log(given[0] / given[1])).max()))
    return most


def exceeds(found: tuple[Number, Number], level: Any) -> int:
    """Whether the first number is more than e^level times the second: 1, 0 or -1."""
    a, b = found
    if "log" in level and isinstance(a, Fraction) and isinstance(b, Fraction):
        right = exact(level["log"]) * b
        return (a > right) - (a < right)
    bound = decimal(exact(level["log"])) if "log" in level else decimal(exact(level["nats"])).exp()
    one, other = decimal(a), bound * decimal(b)
    near = abs(one - other) <= NEAR * max(one, other)
    return 0 if near else (one > other) - (one < other)
