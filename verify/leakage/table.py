"""The leakage of every prior, ordered pair and output, with posterior odds: what each output
tells an adversary.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, infinite_if_none, nats
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import Enclosure, enclose_log
from pufferproof.models.numbers.text import JsonObject, brief, text_of
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs
from pufferproof.verify.leakage.ratio import Witness

COLUMNS = (
    "prior",
    "pair",
    "output",
    "p_left",
    "p_right",
    "ratio",
    "epsilon_lower",
    "epsilon_upper",
    "prior_odds",
    "posterior_odds",
)


@dataclass(frozen=True, repr=False)
class Row(Readable):
    """One output under one prior and ordered pair (s, s').

    `left` and `right` are P(output | s) and P(output | s'); `prior_odds` P(s) : P(s'),
    `posterior_odds` P(s | output) : P(s' | output). A ratio x/0 with x > 0 is infinite and 0/0 is
    nothing: both are None as a `Fraction`.
    """

    prior: str
    pair: Pair
    output: str
    left: Fraction
    right: Fraction
    prior_odds: Fraction

    @property
    def ratio(self) -> Fraction | None:
        """P(output | s) / P(output | s')."""
        return self.left / self.right if self.right else None

    @property
    def posterior_odds(self) -> Fraction | None:
        """P(s | output) : P(s' | output)."""
        return None if self.ratio is None else self.ratio * self.prior_odds

    def epsilon(self) -> Enclosure | None:
        """Return log(ratio), negative if the output speaks for s', or None if impossible."""
        if self.ratio:
            return enclose_log(self.ratio)
        if self.left == self.right:
            return None
        return Enclosure("inf", "inf") if self.left else Enclosure("-inf", "-inf")

    def entry(self) -> Entry:
        """Return the row as `to_pandas` has it: the nats are those that the output tells."""
        known = self.epsilon()
        ends = {"lower": None, "upper": None} if known is None else nats(known)
        above, below = self.pair
        odds = infinite_if_none(self.posterior_odds) if self.left or self.right else None
        return {
            "prior": self.prior,
            "above": above,
            "below": below,
            "output": self.output,
            "p_above": self.left,
            "p_below": self.right,
            **ends,
            "prior_odds": self.prior_odds,
            "posterior_odds": odds,
        }

    def as_json(self) -> JsonObject:
        """Return the row with exact numbers as text, null if the output is impossible."""
        epsilon = self.epsilon()
        return {
            "prior": self.prior,
            "pair": list(self.pair),
            "output": self.output,
            "p_left": text_of(self.left),
            "p_right": text_of(self.right),
            "ratio": self._quotient(self.ratio),
            "epsilon": None if epsilon is None else epsilon.as_json(),
            "prior_odds": text_of(self.prior_odds),
            "posterior_odds": self._quotient(self.posterior_odds),
        }

    def as_csv(self) -> list[str]:
        """Return the row in the order of `COLUMNS`; empty cells where the output cannot occur."""
        cells = self.as_json()
        epsilon = cells.pop("epsilon") or {"lower": "", "upper": ""}
        cells |= {"pair": _joined(self.pair), "epsilon_lower": epsilon["lower"], "epsilon_upper": epsilon["upper"]}
        return ["" if cells[column] is None else str(cells[column]) for column in COLUMNS]

    def _quotient(self, value: Fraction | None) -> str | None:
        if value is not None:
            return text_of(value)
        return "inf" if self.left else None

    def __str__(self) -> str:
        left, right = (f"P({self.output!r} | {secret!r})" for secret in self.pair)
        unbounded = "infinite" if self.left else "none"
        ratio = unbounded if self.ratio is None else brief(self.ratio)
        return f"{left} = {brief(self.left)} against {right} = {brief(self.right)}, ratio {ratio}, prior {self.prior!r}"


def _joined(pair: Pair) -> str:
    """Return a pair in one cell; a bar or a backslash inside a name has a backslash in front."""
    return "|".join(name.replace("\\", "\\\\").replace("|", "\\|") for name in pair)


def leakage_table(framework: Framework, channel: Channel) -> Iterator[Row]:
    """Yield a row for every listed prior, ordered pair of positive secrets and output, in file
    order.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> print(next(leakage_table(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]))))
    P('u' | 's') = 3/4 against P('u' | 't') = 1/4, ratio 3, prior 'theta'

    Raises `ModelError` unless the channel fits the framework.
    """
    framework = check_type(framework, Framework, "framework")
    channel = check_type(channel, Channel, "channel")
    channel = channel.aligned(framework.databases, framework.support)
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        for s, t in ordered_pairs(framework, prior):
            odds = Fraction(framework.mass(prior, s), framework.mass(prior, t))
            for output, label in enumerate(channel.outputs):
                left, right = (Fraction(*laws.exact(secret, output)) for secret in (s, t))
                yield Row(prior, (s, t), label, left, right, odds)


def probabilities(framework: Framework, channel: Channel, witness: Witness) -> tuple[Fraction, Fraction]:
    """Return P(output | pair[0]) and P(output | pair[1]) at a witness."""
    weights = {witness.prior: Fraction(1)} if isinstance(witness.prior, str) else dict(witness.prior)
    channel = channel.aligned(framework.databases, framework.support)
    output = channel.outputs.index(witness.output)
    likelihoods = []
    for secret in witness.pair:
        masses = {
            name: w * Fraction(framework.mass(name, secret), framework.laws[name].total) for name, w in weights.items()
        }
        joint = sum(
            mass * Fraction(*ConditionalLaws(framework, channel, name).exact(secret, output))
            for name, mass in masses.items()
            if mass
        )
        likelihoods.append(Fraction(joint) / sum(masses.values()))
    return likelihoods[0], likelihoods[1]
