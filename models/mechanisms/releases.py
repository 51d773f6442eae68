"""Mechanisms made of mechanisms: repeated and adaptive releases, processing of outputs, and
mixtures.

Independent releases side by side are `Channel.beside`. An unknown function may change outputs
before they are shown; what a library's object says of itself is a claim.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, lcm, prod
from typing import Any, ClassVar

from pufferproof.models.channel import MAX_BITS, MAX_ENTRIES, MAX_RUNS, Channel, joined, same_databases
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.laws import law_at, numbers_of

# A mechanism whose outputs an unknown function changes before they are shown: what is known of it is an upper bound,
# because no function of the outputs adds to what they tell.

_AUDITED = "audit bounds it; before has the mechanism before post-processing"


@dataclass(frozen=True)
class PostProcessed:
    """The mechanism `before` post-processing; only `audit` takes it, which answers with bounds.

    >>> from pufferproof.models.channel import Channel
    >>> PostProcessed(Channel.of({"a": {"u": 1}}))
    PostProcessed(Channel(1 databases, 1 outputs))
    """

    unnamed: ClassVar = True
    taken_by: ClassVar = dict.fromkeys(("Channel", "AdditiveNoise", "RecordQuery", "LocalMechanism"), _AUDITED)

    before: Any

    def __repr__(self) -> str:
        return f"PostProcessed({self.before!r})"


# What a library's object says of itself: a level, in a measure of privacy, between arguments at a distance. It is
# repeated beside an answer, and decides nothing.


@dataclass(frozen=True)
class Claim:
    """A value in a measure of privacy (`pure`, or the library's name for it) at a distance `d_in`.

    >>> str(Claim("pure", 1.0, 1, "one record changed"))
    'claimed 1 at d_in=1 (one record changed)'
    >>> str(Claim("zero-concentrated", 0.125, 2))
    'claimed rho 0.125 at d_in=2'
    >>> str(Claim("approximate", (1.0, 1e-06), 1))
    'claimed (1, 1e-06) at d_in=1'
    """

    measure: str
    value: object
    d_in: object
    changed: str = ""

    def at(self, delta: object) -> str:
        """Say the claim at a delta: of a privacy profile its epsilon there."""
        if delta is None or not hasattr(self.value, "epsilon"):
            return str(self)
        level = _digits(self.value.epsilon(float(delta)))  # type: ignore[arg-type]
        return f"claimed ({level}, {text_of(delta)}) {self._where}"  # type: ignore[arg-type]

    @property
    def _where(self) -> str:
        changed = f" ({self.changed})" if self.changed else ""
        return f"at d_in={_digits(self.d_in)}{changed}"

    def __str__(self) -> str:
        rho = "rho " if self.measure == "zero-concentrated" else ""
        return f"claimed {rho}{_digits(self.value)} {self._where}"


def _digits(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_digits, value))})"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, int | str):
        return str(value)
    return "a privacy profile" if hasattr(value, "epsilon") else "a curve"


SHARED = "the database, drawn once from the prior (including any sampling)"
_GIVEN = "the database"


def shared(releases: int, framework: Framework | None = None) -> str | None:
    """Return what some releases share, None of a single one. A prior draws nothing, so no sample
    either, if each secret of a framework is one database, as under neighbours.
    """
    if releases <= 1:
        return None
    if framework is not None and framework.neighbours is not None:
        return _GIVEN
    if framework is None or framework.by_records or framework.people > 1 or framework.classes:
        return SHARED
    return SHARED if any(len(each) > 1 for each in framework.secrets.values()) else _GIVEN


def adaptive_compose(first: Channel, then: Mapping[str, Channel]) -> Channel:
    """Return the release of `first` followed by the mechanism `then[y]` chosen by its output y.

    P(y, z | x) = P(y | x) P_y(z | x); outputs are labelled `y,z`.

    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> silent = Channel.of({"a": {"-": 1}, "b": {"-": 1}})
    >>> adaptive_compose(coin, {"u": coin, "v": silent}).outputs
    ('u,u', 'u,v', 'v,-')

    Raises `ModelError` unless `then` has a mechanism on the same databases for every output of
    `first`.
    """
    first = check_type(first, Channel, "first")
    then = check_type(then, Mapping[str, Channel], "then")
    return first.followed_by(then)


def repeat(mechanism: Channel, runs: int) -> Channel:
    """Return `runs` independent releases of one mechanism, outputs merged into multisets.

    The likelihood of a sequence of outputs depends only on how often each occurs, so merging the
    orders of a multiset loses nothing: every likelihood ratio is unchanged. An output is labelled
    by its sorted sequence `y_1,..,y_k`; its probability is the multinomial coefficient times the
    product.

    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> repeat(coin, 2).probability("a", "u,v")
    Fraction(3, 8)

    Raises `ModelError` unless there is a run, and the joint release is small enough to write out.
    """
    mechanism = check_type(mechanism, Channel, "mechanism")
    runs = check_type(runs, int, "runs")
    if runs < 1:
        raise ModelError(f"expected at least 1 run, found {runs}", "runs")
    if runs == 1:
        return mechanism
    if runs > MAX_RUNS:
        raise ModelError(f"expected at most {MAX_RUNS} runs, found {runs}", "runs")
    if not _small(mechanism, runs):
        most, _ = least(lambda k: not _small(mechanism, k), (0, runs))
        raise ModelError(f"the joint release of {runs} runs is too large: expected at most {most}", "runs")
    size = len(mechanism.outputs)
    chosen = list(combinations_with_replacement(range(size), runs))
    counts = [[(output, pick.count(output)) for output in sorted(set(pick))] for pick in chosen]
    orders = [factorial(runs) // prod(factorial(times) for _, times in count) for count in counts]
    numerators = []
    for x in range(len(mechanism.databases)):
        powers = [[number**k for k in range(runs + 1)] for number in mechanism.numerators_of(x)]
        numerators.append(
            [order * prod(powers[output][times] for output, times in count) for order, count in zip(orders, counts)]
        )
    denominators = [denominator**runs for denominator in mechanism.denominators]
    labels = joined([tuple(mechanism.outputs[index] for index in pick) for pick in chosen])
    joint = Channel.of_integers(mechanism.databases, labels, numerators, denominators)
    return replace(joint, releases=((mechanism.outputs, runs),))


def _small(mechanism: Channel, runs: int) -> bool:
    """Say whether the joint release of runs has few enough entries, and bits, to be written out."""
    entries = len(mechanism.databases) * comb(len(mechanism.outputs) + runs - 1, runs)
    longest = max(denominator.bit_length() for denominator in mechanism.denominators)
    return entries <= MAX_ENTRIES and entries * longest * runs <= MAX_BITS


def post_process(mechanism: Channel, processing: Channel) -> Channel:
    """Return the mechanism followed by `processing`, a channel whose databases are the mechanism's
    outputs.

    P(z | x) = sum_y P(y | x) Q(z | y).

    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> post_process(coin, Channel.of({"u": {"w": "1/3", "z": "2/3"}, "v": {"z": 1}})).probability("a", "w")
    Fraction(1, 4)

    Raises `ModelError` unless every output of the mechanism has a row.
    """
    mechanism = check_type(mechanism, Channel, "mechanism")
    processing = check_type(processing, Channel, "processing")
    try:
        follow = processing.aligned(mechanism.outputs, frozenset(range(len(mechanism.outputs))))
    except ModelError as error:
        raise error.within("post_process") from None
    common = lcm(*follow.denominators)
    steps = [
        [number * (common // denominator) for number in follow.numerators_of(y)]
        for y, denominator in enumerate(follow.denominators)
    ]
    numerators = []
    for x in range(len(mechanism.databases)):
        row = mechanism.numerators_of(x)
        numerators.append([sum(map(int.__mul__, row, column)) for column in zip(*steps)])
    denominators = [denominator * common for denominator in mechanism.denominators]
    return Channel.of_integers(mechanism.databases, follow.outputs, numerators, denominators)


def mix(weights: Sequence[object], mechanisms: Sequence[Channel], normalize: bool = False) -> Channel:
    """Return the mechanism that runs the i-th of `mechanisms` with probability weights[i] and does
    not say which.

    Outputs with the same label are merged; `normalize` divides the weights by their sum, exactly.

    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> mix(["1/2", "1/2"], [coin, Channel.of({"a": {"u": 1}, "b": {"u": 1}})]).probability("b", "u")
    Fraction(5, 8)

    Raises `ModelError` unless the weights form a law and databases agree.
    """
    weights = check_type(weights, Sequence[object], "weights")
    mechanisms = check_type(mechanisms, Sequence[Channel], "mechanisms")
    values = numbers_of(weights, "weights", normalize)
    if len(values) != len(mechanisms) or not values:
        raise ModelError(f"expected one weight per mechanism, found {len(values)} for {len(mechanisms)}", "mix")
    law_at(values, "weights")
    outputs = list(dict.fromkeys(output for mechanism in mechanisms for output in mechanism.outputs))
    place = {output: index for index, output in enumerate(outputs)}
    rows: dict[str, list[Fraction]] = {}
    for label in mechanisms[0].databases:
        row = rows[label] = [Fraction(0)] * len(outputs)
        for value, mechanism in zip(values, mechanisms):
            same_databases(mechanisms[0], mechanism)
            x = mechanism.position[label]
            for output, number in zip(mechanism.outputs, mechanism.numerators_of(x)):
                row[place[output]] += value * Fraction(number, mechanism.denominators[x])
    return Channel.of(rows, outputs)
