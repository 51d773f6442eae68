"""Whether the statement of an accepted certificate is true, from the certificate alone, by
definitions that share nothing with the kernel.

Judges raise `Unjudged` where that would take long, and say that a statement is false by `False`.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from tests.kernel.algebra.truth import still_true as true_algebra
from tests.kernel.bench import kinds
from tests.kernel.designs.truth import is_true as true_designs
from tests.kernel.noise.truth import is_true as true_noise
from tests.kernel.optima.truth import true_bound, true_program
from tests.kernel.rates.truth import still_true as true_rates
from tests.kernel.redaction.truth import is_true as true_redaction

from pufferproof.models.numbers.level import Level

MOST = 30_000  # likelihoods that a judge computes
LONG = 60  # digits of a number that judges of optima and of chains take


class Unjudged(Exception):  # noqa: N818
    """It would take long."""


def number(text: Any) -> Fraction:
    assert not isinstance(text, bool)
    return Fraction(str(text))


def holds(data: bytes) -> bool:
    """Say whether the statement of a file is true."""
    certificate = json.loads(data, parse_float=str)
    if any(len(each) > LONG or "e" in each.lower() for each in texts(certificate) if numeric(each)):
        raise Unjudged
    return JUDGES[kinds()[certificate["kind"]]](certificate)


def texts(value: Any):
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from texts(entry)
    else:
        yield str(value)


def numeric(text: str) -> bool:
    return text[:1] in "-0123456789" and text[-1:].isdigit()


class Statement:
    """A statement about what mechanisms leak."""

    def __init__(self, certificate: Any) -> None:
        self.kind, self.claim = certificate["kind"], certificate["claim"]
        space = certificate["framework"]
        self.space, self.convex = space, space["closure"] == "convex"
        self.priors = {
            name: {x: number(p) for x, p in law.items()} for name, law in space["priors"].items()
        }
        self.secrets = {name: set(held) for name, held in space["secrets"].items()}
        self.channels = [
            {x: dict(zip(each["outputs"], map(number, row))) for x, row in each["channel"].items()}
            for each in certificate["mechanisms"]
        ]
        listed = [tuple(pair) for pair in self.pairs()]
        self.ordered = {*listed, *(pair[::-1] for pair in listed)}
        self.releases = self.claim.get("releases", [0])
        self.outputs = [*product(*(certificate["mechanisms"][i]["outputs"] for i in self.releases))]
        if len(self.outputs) * len(self.ordered) * len(self.priors) > MOST:
            raise Unjudged

    def pairs(self) -> Any:
        if self.space["pairs"] != "disjoint":
            return self.space["pairs"]
        names = [*self.secrets]
        return [
            (one, other)
            for k, one in enumerate(names)
            for other in names[k + 1 :]
            if not self.secrets[one] & self.secrets[other]
        ]

    def is_one(self) -> bool:
        """Whether it is a framework with mechanisms."""
        known = set(self.space["databases"])
        laws = [*self.priors.values()]
        possible = {x for law in laws for x, p in law.items() if p}
        rows = [row for channel in self.channels for row in channel.values()]
        return (
            len(known) == len(self.space["databases"])
            and all(law.keys() <= known for law in laws)
            and all(held and held <= known for held in self.secrets.values())
            and all(not self.secrets[s] & self.secrets[t] for s, t in self.ordered)
            and all(possible <= channel.keys() <= known for channel in self.channels)
            and all(sum(each.values()) == 1 for each in (*laws, *rows))
            and all(p >= 0 for each in (*laws, *rows) for p in each.values())
        )

    def holds(self) -> bool:
        judge = {"leakage": self.leaks, "joint": self.leaks, "delta": self.exceeds_delta}
        return self.is_one() and judge[self.kind.split("-")[0]]()

    def given(self, theta: dict[str, Fraction], secret: str, outputs: Any) -> Fraction | None:
        """P(outputs | secret), None if the secret is impossible."""
        held = {x: p for x, p in theta.items() if p and x in self.secrets[secret]}
        mass = sum(held.values())
        if not mass:
            return None
        parts = [self.channels[i] for i in self.releases]
        shown = sum(p * prod(c[x][w] for c, w in zip(parts, outputs)) for x, p in held.items())
        return Fraction(shown) / mass

    def laws(self):
        """The priors, and where all mixtures are meant, some of these."""
        yield from self.priors.values()
        if self.convex:
            names = [*self.priors]
            for k, one in enumerate(names):
                for other in names[k + 1 :]:
                    for share in (Fraction(n, 7) for n in range(1, 7)):
                        yield self.mixture({one: share, other: 1 - share})

    def mixture(self, weights: dict[str, Any]) -> dict[str, Fraction]:
        shares = {name: number(weight) for name, weight in weights.items()}
        assert sum(shares.values()) == 1
        assert min(shares.values()) >= 0
        found: dict[str, Fraction] = {}
        for name, share in shares.items():
            for x, p in self.priors[name].items():
                found[x] = found.get(x, Fraction(0)) + share * p
        return found

    def named(self) -> dict[str, Fraction]:
        """The prior that the claim names, or its mixture."""
        prior = (self.claim.get("attained") or self.claim)["prior"]
        return self.priors[prior] if isinstance(prior, str) else self.mixture(prior["mixture"])

    def place(self, stated: Any) -> tuple[Fraction, Fraction]:
        """Both likelihoods at the place of a claim."""
        shown = stated["outputs"] if "outputs" in stated else [stated["output"]]
        assert tuple(stated["pair"]) in self.ordered
        above, below = (self.given(self.named(), secret, shown) for secret in stated["pair"])
        assert above is not None
        assert below is not None
        return above, below

    def leaks(self) -> bool:
        if self.kind.endswith("witness"):
            above, below = self.place(self.claim)
            if self.claim["exceeds"] == "inf":
                return above > 0 == below
            return level_of(self.claim["exceeds"]).sign(above, below) > 0
        level, attained = level_of(self.claim["level"]), self.claim["attained"]
        if attained is not None:
            above, below = self.place(attained)
            if below == 0 or level.sign(above, below) != 0:
                return False
        return all(level.sign(a, b) <= 0 for _, a, b in self.likelihoods())

    def likelihoods(self):
        for theta in self.laws():
            for s, t in self.ordered:
                for outputs in self.outputs:
                    above, below = (self.given(theta, secret, outputs) for secret in (s, t))
                    if above is not None and below is not None:
                        yield (s, t), above, below

    def exceeds_delta(self) -> bool:
        level, delta = level_of(self.claim["level"]), number(self.claim["delta"])
        if self.kind.endswith("witness"):
            shown = self.claim["outputs"]
            places = [self.place({"pair": self.claim["pair"], "output": w}) for w in shown]
            above, below = (sum(side) for side in zip(*places))
            return len({*shown}) == len(shown) and level.sign(above - delta, below) > 0
        for theta in self.laws():
            for pair in self.ordered:
                sides = [[self.given(theta, each, w) for each in pair] for w in self.outputs]
                both = [(a, b) for a, b in sides if a is not None and b is not None]
                worse = [(a, b) for a, b in both if level.sign(a, b) > 0]
                above, below = (sum(side) for side in zip(*worse)) if worse else (0, 0)
                if level.sign(Fraction(above) - delta, Fraction(below)) > 0:
                    return False
        return 0 <= delta <= 1


def level_of(stated: Any) -> Level:
    if "log" in stated:
        return Level.log(number(stated["log"]))
    return Level.of_nats(number(stated["nats"]))


def algebra(certificate: Any) -> bool:
    if certificate["kind"] == "polynomial-inequality":
        return polynomials(certificate)
    return true_algebra(certificate["kind"], certificate["claim"], ("claim", "none"))


def polynomials(certificate: Any) -> bool:
    """The conclusion holds at every point of a grid at which the assumptions do."""
    claim = certificate["claim"]
    values = [Fraction(n, 2) for n in (-6, -3, -2, -1, 0, 1, 2, 3, 4, 7)]
    if len(claim["variables"]) > 3:
        raise Unjudged
    for point in product(values, repeat=len(claim["variables"])):
        if all(at_point(each, point) for each in claim["assumptions"]) and not (
            claim["conclusion"] and at_point(claim["conclusion"], point)
        ):
            return False
    return True


def at_point(relation: Any, point: tuple[Fraction, ...]) -> bool:
    value = sum(
        number(c) * prod(x ** int(n) for x, n in zip(point, powers))
        for c, powers in relation["polynomial"]
    )
    sign = (value > 0) - (value < 0)
    return sign in {">=": (0, 1), ">": (1,), "=": (0,), "!=": (-1, 1)}[relation["relation"]]


def optima(certificate: Any) -> bool:
    claim = certificate["claim"]
    if certificate["kind"] == "lp-optimum":
        return true_program(claim)
    stated = [claim["level"], *claim["budgets"], *claim["per_record"]]
    if any(each is not None and "log" not in each for each in stated):
        raise Unjudged
    return true_bound(certificate)


def short(longest: int, judge: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A judge of chains that are enumerated."""

    def judged(certificate: Any) -> bool:
        if int(certificate["chain"]["length"]) > longest:
            raise Unjudged
        return judge(certificate)

    return judged


def noise(certificate: Any) -> bool:
    """Whether a certificate of noise is true, where its sequences are few."""
    records = certificate["framework"]["records"]
    people = int(certificate["framework"].get("people", 1))
    if len(records["alphabet"]) ** (int(records["count"]) * people) > 64:
        raise Unjudged
    return true_noise(certificate)


JUDGES: dict[str, Callable[[Any], bool]] = {  # of each family
    "leakage": lambda each: Statement(each).holds(),
    "rates": lambda each: true_rates(each, ()),
    "optima": optima,
    "algebra": algebra,
    "redaction": short(5, true_redaction),
    "designs": short(4, lambda each: true_designs(each, {})),
    "noise": noise,
}
