"""The accountant: what releases spent, what they leak together at most, and what is left of a
budget.

It takes the least of several bounds. A bound by levels holds whatever the mechanisms were, also
where each was chosen after seeing the outputs of those before it, and at every output: the account
is an odometer, and spending on as long as it stays within a budget keeps that budget. The exact
joint leakage holds for the mechanisms that were named, independent of one another.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor, inf, log10, prod
from numbers import Real
from pathlib import Path
from typing import Any, Literal, cast

from pufferproof.lp.accounting.ledger import (
    Release,
    entries_of,
    framework_digest,
    held,
    is_mechanism,
    level_release,
    mechanism_release,
    read_ledger,
    summed,
    updated,
)
from pufferproof.lp.levels import NOTHING, RecordLevels, Total
from pufferproof.models.errors import ModelError, PufferproofError, extras
from pufferproof.models.files.reading import Loaded
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, value_of
from pufferproof.models.interface.outputs import write_all_atomically
from pufferproof.models.interface.readable import Readable
from pufferproof.models.listing import counted
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.enclosures import Enclosure, enclose, log_approx, log_bounds
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, rounded, shown
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.models.views import possible_values
from pufferproof.verify.audit import AnyFramework, AnyMechanism, Plain
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.leakage.runs.repeated import multisets_of
from pufferproof.verify.noise.accounts.accountant import QUILT_CLAIMS, Account, best_quilt, nearby
from pufferproof.verify.noise.ratio.bounds import MAX_ACCOUNTS

# Bounds of what releases leak together, and the theorems that they rest on.
#
# | name | what it is | adaptive releases |
# |---|---|---|
# | `joint` | the exact joint leakage of the mechanisms | no |
# | `worst` | the largest leakage of all mechanisms of the summed levels | yes |
# | `quilt` | one Markov quilt for all releases | yes |
# | `published` | the largest levels of some records, and the influence of the others | yes |
#
# The last three speak of every column u with u(x) <= e^(e_j) u(x') for databases that differ in record j: of every
# joint output of releases whose levels add up to e_j, also where a later mechanism was chosen after seeing earlier
# outputs, as the likelihoods of the outputs multiply.

BOUNDS_RESTS_ON = (
    "general.quilt-account",
    "song2017.x-any-quilt",
    "worst.record-levels-adaptive",
    "worst.record-levels-interior",
    "worst.tilts",
    "worst.box-sets",
    "noise.attained",
    "noise.gaussian-line",
)
_BITS = 256
Name = Literal["joint", "worst", "quilt", "published"]
WORDS: dict[Name, str] = {
    "joint": "exact joint leakage",
    "worst": "worst case of the levels",
    "quilt": "quilt account",
    "published": "published bound",
}
_NOISE_CLAIMS = ("noise.attained", "noise.decided", "noise.discrete")
_ADDED = "worst.record-levels-adaptive"
_EXACT_CLAIMS = (_ADDED, "worst.record-levels-interior")
_PUBLISHED_CLAIMS = ("general.quilt-account",)  # of a set of records that is no quilt
MOST_RELEASES = 64  # of an exact joint leakage
_MOST_ENTRIES = 1_000_000


@dataclass(frozen=True, repr=False)
class Bound(Readable):
    """A bound of the leakage of all releases together: at most the upper end of `leakage`; None
    where there is none, and `how` says why.

    `claims` are the ids of the claims that it rests on besides the definition. `exact`: some
    releases that are accounted for alike leak as much; else `shown` is e to what some leak, where
    that was looked for.
    """

    name: Name
    leakage: Leakage | None
    how: str
    claims: tuple[str, ...] = ()
    exact: bool = False
    shown: Fraction | None = None

    @property
    def ratio(self) -> Fraction | None:
        """The upper bound of e^leakage, or None if it is infinite or there is none."""
        return None if self.leakage is None else self.leakage.upper

    def as_json(self) -> JsonObject:
        """Return the bound object of the file formats."""
        leakage = None if self.leakage is None else self.leakage.as_json()
        return {
            "name": self.name,
            "at_most": leakage,
            "how": self.how,
            "exact": self.exact,
            "claims": list(self.claims),
        }

    def __str__(self) -> str:
        if self.leakage is None:
            return f"{WORDS[self.name]}: none ({self.how})"
        rests = f"; by {', '.join(self.claims)}" if self.claims else ""
        return f"{WORDS[self.name]}: {self.leakage} ({self.how}{rests})"


def least_bound(bounds: Sequence[Bound]) -> Bound | None:
    """Return the least of some bounds, the first one of equals, or None if there is none."""
    computed = [bound for bound in bounds if bound.leakage is not None]
    return min(computed, key=lambda bound: (bound.ratio is None, bound.ratio or 0), default=None)


def composition(framework: Framework, mechanisms: Sequence[tuple[Plain, int]]) -> Composition | str:
    """Return the exact joint release of mechanisms, each so many times, or why there is none."""
    count = sum(runs for _, runs in mechanisms)
    if count > MOST_RELEASES:
        return f"{count} releases, computed for at most {MOST_RELEASES}"
    every = [mechanism for mechanism, runs in mechanisms for _ in range(runs)]
    alone = len({id(mechanism) for mechanism in every}) == 1
    try:
        if count > 1 and (size := _written_out(framework, every, alone)) > _MOST_ENTRIES:
            return f"{size} databases times joint outputs, computed for at most {_MOST_ENTRIES}"
        return compose(framework, every[:1], count) if alone else compose(framework, every)
    except PufferproofError as error:
        return str(error)


def _written_out(framework: Framework, mechanisms: Sequence[Plain], alone: bool) -> int:
    """Return the entries of a joint release that is written out, 0 for one that is not."""
    if any(isinstance(mechanism, NoisyQueries) for mechanism in mechanisms):
        return 0
    local = [mechanism for mechanism in mechanisms if isinstance(mechanism, LocalMechanism)]
    every = local[:1] if alone else local
    runs = len(mechanisms) if alone else 1
    if len(local) == len(mechanisms) and framework.along_records and not writable(every, runs):
        return 0
    sizes = [
        len(mechanism.outputs) ** (mechanism.length if isinstance(mechanism, LocalMechanism) else 1)
        for mechanism in mechanisms
        if not isinstance(mechanism, NoisyQueries)
    ]
    outputs = multisets_of(sizes[0], len(sizes)) if alone else prod(sizes)
    return len(framework.databases) * outputs


def joint_bound(together: Composition | str) -> Bound:
    """Return the exact joint leakage, if it was computed."""
    if isinstance(together, str):
        return Bound("joint", None, together)
    how = f"of independent releases; {', '.join(together.joint.trust)}"
    # the claims on which the leakage of noise rests; others are the definition's
    queries = [query for form in together.mechanisms if isinstance(form, NoisyQueries) for query in form.queries]
    claims: tuple[str, ...] = _NOISE_CLAIMS if queries else ()
    if any(query.noise.decay is None for query in queries):
        claims = ("noise.gaussian-line",)
    return Bound("joint", together.joint.leakage, how, claims, True)


def level_bounds(framework: Framework, levels: RecordLevels, every: bool = True) -> list[Bound]:
    """Return bounds for all mechanisms of some levels per record, summed over releases.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> for bound in level_bounds(framework, RecordLevels.uniform(100, ["0.01"])):
    ...     print(bound.name, bound.leakage)
    worst ≈ 0.08996876 nats
    quilt ≈ 0.4200872 nats
    published ≈ 0.4200872 nats

    Args: every: whether to compute bounds that the first one shows to be larger.
    """
    worst = _tried("worst", _worst, framework, levels)
    if worst.exact and not every:
        return [worst]
    others: list[tuple[Name, _Maker]] = [("quilt", _quilt), ("published", _published)]
    return [worst, *(_tried(name, make, framework, levels) for name, make in others)]


_Maker = Callable[[Framework, RecordLevels], Bound]


def _tried(name: Name, make: _Maker, framework: Framework, levels: RecordLevels) -> Bound:
    try:
        return make(framework, levels)
    except ModelError as error:
        return Bound(name, None, str(error))


def _worst(framework: Framework, levels: RecordLevels) -> Bound:
    with extras:
        from pufferproof.lp.translation.bits import EXACT_CLAIMS
        from pufferproof.lp.translation.published import SETS_CLAIMS
        from pufferproof.lp.translation.translate import worst_case

    worst = worst_case(framework, levels)
    pair = f'"{worst.pair[0]}" against "{worst.pair[1]}" under "{worst.prior}"'
    claims = (_ADDED, *worst.claims[1:])
    if worst.attained == "linear program":
        return Bound("worst", worst.leakage, f"by a linear program, {pair}", claims, True)
    if worst.exact:
        walked = worst.attained == "randomised response"
        claims = _EXACT_CLAIMS if worst.claims == EXACT_CLAIMS else claims
        how = "walks by signs along records" if walked else "one pass along records"
        return Bound("worst", worst.leakage, f"by {how}, {pair}", claims, True)
    if worst.bound == "published":
        raise ModelError("not known but for the published bound, by any faster way", "priors")
    if worst.leakage.upper is None:
        return Bound("worst", None, "no finite bound was found")
    if worst.claims == SETS_CLAIMS:
        how = "sets of values along records of a box"
    elif worst.bound == "elimination":
        how = f"elimination of the other records, {pair}"
    elif framework.classes:
        how = f"a search among the chains of a box, {pair}"
    else:
        how = f"walks by signs along records, {pair}"
    bound, shown = Leakage.of(worst.leakage.upper), worst.leakage.lower
    return Bound("worst", bound, how, claims, shown=shown)


def _quilt(framework: Framework, levels: RecordLevels) -> Bound:
    account = level_account(framework, levels)
    influence, spent = account.influence, account.spent
    how = f"record {account.record}, quilt {account.quilt}: influence {influence}, spent {spent}"
    return Bound("quilt", account.bound, how, QUILT_CLAIMS)


def _published(framework: Framework, levels: RecordLevels) -> Bound:
    with extras:
        from pufferproof.lp.translation import published

    bounds = published.published_bounds(framework, levels)
    best = published.least(bounds)
    untried = f", {published.UNTRIED}" if published.some_untried(bounds) else ""
    how = f"{counted(best.hidden, 'record')} hidden{untried}"
    return Bound("published", best.leakage, how, _PUBLISHED_CLAIMS)


def level_account(framework: Framework, levels: RecordLevels) -> Account:
    """Return the best bound found for every record with a secret, under every prior: the largest of
    them.

    Given the values outside N, the records inside differ one by one, and what is outside tells at
    most e(X_Q | X_i) of X_i (general.quilt-account).

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> account = level_account(framework, RecordLevels.uniform(100, ["0.01"]))
    >>> account.quilt, account.bound.enclosure().upper[:6]
    ('{33, 67}', '0.4200')

    Args: framework: chains along records. levels: of all records, summed over releases.

    Raises `ModelError` unless some record with a secret is uncertain, beyond 2,000 secrets, times
    priors, and for priors that do not go along the records.
    """
    if len(framework.places) * len(framework.chains) > MAX_ACCOUNTS:
        raise ModelError(f"more than {MAX_ACCOUNTS} secrets, times priors", "secrets")
    places = sorted({place for place, _ in framework.places.values()})
    accounts = [
        _account(framework, levels, name, record)
        for name in framework.chains
        for record, possible in possible_values(framework, name, places).items()
        if len(possible) > 1
    ]
    if not accounts:
        raise ModelError("no record with a secret is uncertain", "secrets")
    return max(accounts, key=lambda account: account.bound.upper or Fraction(0))


def _account(framework: Framework, levels: RecordLevels, name: str, record: int) -> Account:
    from flint import ctx

    prior = framework.priors[name]
    if not isinstance(prior, MarkovChain):
        independent = isinstance(prior, Product)  # then a quilt of neighbours has no influence
        left = 1 if independent and record > 1 else None
        right = 1 if independent and record < levels.count else None
        return _bound(levels, name, record, (left, right), Bounds.none())
    with ctx.workprec(_BITS):
        influence = ChainInfluence(Along(prior, levels.count, "enclosed", _BITS))
        quilt = best_quilt(influence, record, _costs(levels, record))
        return _bound(levels, name, record, quilt, influence.of(record, *quilt))


def _bound(
    levels: RecordLevels, name: str, record: int, quilt: tuple[int | None, int | None], influence: Bounds
) -> Account:
    if influence.lower is None or influence.upper is None:
        raise ModelError("the influence of the chosen quilt is infinite", "quilt")
    low, high = total_between(levels, *nearby(record, *quilt, levels.count)).bounds()
    bound = Leakage(influence.lower * low, influence.upper * high)  # general.quilt-account
    return Account(name, record, *quilt, bound, Leakage(*influence), Leakage(low, high))


def total_between(levels: RecordLevels, first: int, last: int) -> Total:
    """Return the sum of the levels of some records that follow each other."""
    total = NOTHING
    for length, level in levels.between(first, last):
        total = total + level.times(length)
    return total


def _costs(levels: RecordLevels, record: int) -> Callable[[int | None, int | None], float]:
    """Return what the records near a record cost, in floats, by the distances of a quilt."""
    import numpy as np

    lengths = [length for length, _ in levels.runs]
    costs = np.repeat([level.nats_approx for _, level in levels.runs], lengths)
    sums = np.concatenate([[0.0], np.cumsum(costs)])

    def spent(left: int | None, right: int | None) -> float:
        first, last = nearby(record, left, right, levels.count)
        return float(sums[last] - sums[first - 1])

    return spent


RESTS_ON = ("worst.record-levels-adaptive", "worst.record-levels-interior", "general.quilt-account")


# Remaining ----------------------------------------------------------------------------------------
#
# What is left of a budget: in nats, and as the level that one more release may have.
#
# The leakage of all mechanisms whose levels add up to those spent, and t more for every record,
# rises with t. The largest multiple of a step at which it is within the budget is found between
# one that is and one that is not, by false position in floats; a bound by levels decides each,
# exactly.

_DIGITS = 10  # of the level, relative to the budget
_MOST = 10**5  # nats: levels beyond are not looked at
_SLOW = 3  # rounds of false position after which an interval is halved


@dataclass(frozen=True, repr=False)
class Remaining(Readable):
    """What is left of a budget.

    Args: nats: budget minus what is spent, at least 0. level: the largest one found for every
        record that one more release of any kind may have, so that the budget is kept, or None if
        not even 0 is, and `reason` says why. beyond: the next one tried, at which the bound is not
        within the budget.
    """

    budget: Level
    spent: Leakage
    nats: Enclosure
    level: Level | None
    beyond: Level | None
    reason: str = ""

    @property
    def exceeded(self) -> bool:
        """Whether what is spent is not known to be within the budget."""
        return not _within(self.budget, self.spent.upper)

    def __str__(self) -> str:
        if self.spent.upper is None:
            return f"nothing left of {self.budget}: no finite bound of what is spent"
        if self.exceeded:
            return f"nothing left of {self.budget}: {self.spent} spent"
        left = f"{rounded(self.nats.lower, 7)} nats left of {self.budget}"
        if self.level is None:
            return f"{left}; no level for another release: {self.reason}"
        if self.level.ratio == 1:
            return f"{left}; nothing that another release may spend"
        return f"{left}; another release may have level {self.level} for every record"


def remaining(
    framework: Framework, levels: RecordLevels | None, spent: Leakage, budget: Level, reason: str
) -> Remaining:
    """Return what is left of a budget.

    Args: levels: of every record, summed over releases, or None if there are none for the `reason`.
        spent: what is known of their leakage.
    """
    # budget minus spent in nats, not below 0
    if spent.lower is None or spent.upper is None:
        nats = Enclosure("0", "0")
    else:
        low, high = _nats(budget)
        least, most = (_log(end) for end in (spent.lower, spent.upper))
        nats = enclose(max(low - most[1], Fraction(0)), max(high - least[0], Fraction(0)))
    if not _within(budget, spent.upper):
        return Remaining(budget, spent, nats, None, None, "the budget is spent")
    if levels is None:
        return Remaining(budget, spent, nats, None, None, reason)
    level, beyond = _LargestStep(framework, levels, budget).largest()
    none_left = "the levels spent allow more than the budget, whatever these mechanisms leaked"
    return Remaining(budget, spent, nats, level, beyond, "" if level else none_left)


def _within(budget: Level, ratio: Fraction | None) -> bool:
    return ratio is not None and budget.compare(ratio) <= 0


def _nats(level: Level) -> tuple[Fraction, Fraction]:
    if level.nats is not None:
        return level.nats, level.nats
    return _log(level.ratio or Fraction(1))


def _log(ratio: Fraction) -> tuple[Fraction, Fraction]:
    return (Fraction(0), Fraction(0)) if ratio == 1 else log_bounds(ratio, 72)


class _LargestStep:
    """The largest level in multiples of a step, by log(bound) - budget in floats, then exactly."""

    def __init__(self, framework: Framework, levels: RecordLevels, budget: Level) -> None:
        self.framework, self.levels, self.budget = framework, levels, budget
        self.nats = float(_nats(budget)[1])
        digits = floor(log10(self.nats)) + 1 - _DIGITS if self.nats else 0
        self.step = Fraction(10) ** digits

    def at(self, multiple: int) -> tuple[float, bool]:
        """Look at one level."""
        extra = Total(Fraction(1), multiple * self.step)
        least = least_bound(level_bounds(self.framework, self.levels.plus(extra), every=False))
        if least is None or least.ratio is None:
            return inf, False
        value = log_approx(least.ratio) - self.nats
        return value, _within(self.budget, least.ratio)

    def largest(self) -> tuple[Level | None, Level | None]:
        """Return the largest level that keeps the budget, and the next one."""
        low, value = 0, self.at(0)
        if not value[1]:
            return None, Level(0)
        high = max(1, floor(Fraction(self.nats) / self.step))
        above = self.at(high)
        while above[1]:
            low, value, high = high, above, 2 * high
            if high * self.step > _MOST:
                return self._level(low), None
            above = self.at(high)
        return self._between(low, high, value[0], above[0])

    def _between(self, low: int, high: int, below: float, above: float) -> tuple[Level, Level]:
        """Close an interval by false position, with ends that are weighed down where they stay."""
        side = rounds = 0
        while high - low > 1:
            guess = low + round((high - low) * -below / (above - below)) if above < inf else 0
            if rounds % (_SLOW + 1) == _SLOW or not low < guess < high:
                guess = min(max(guess, low + 1), high - 1) if side == 0 else (low + high) // 2
            value, kept = self.at(guess)
            if kept:
                low, below, above = guess, min(value, 0.0), above / 2 if side == 1 else above
            else:
                high, above, below = guess, value, below / 2 if side == -1 else below
            side, rounds = (1 if kept else -1), rounds + 1
        return self._level(low), self._level(high)

    def _level(self, multiple: int) -> Level:
        return Level.of_nats(multiple * self.step)


# Accountant ---------------------------------------------------------------------------------------

_LISTED = 12  # releases that an explanation names


class Accountant:
    """The account of the releases about one framework.

    Args:
        framework: a `Framework`, or what `read_framework` returns.
        adaptive: mechanisms may be chosen after seeing earlier outputs, so that only bounds by
            levels count.

    >>> from pufferproof import Framework, MarkovChain, Noise, RecordQuery, Records
    >>> records = Records(100, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"x50=0": (50, "0"), "x50=1": (50, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"activity": chain})
    >>> account = Accountant(framework)
    >>> account.spend(RecordQuery("sum", Noise("laplace", 8), records, (1, 30)))
    <Accountant: 1 release, at most ≈ 0.006705722 nats>
    >>> account.spend("0.025", records=(41, 60))
    <Accountant: 2 releases, at most ≈ 0.2073122 nats>
    >>> print(account.remaining("0.5"))
    0.2926878 nats left of 0.5; another release may have level 0.0330165011 for every record

    Raises `ModelError` unless it is a framework.
    """

    def __init__(self, framework: AnyFramework, adaptive: bool = False) -> None:
        self.framework: Framework = check_type(cast("Framework", framework), Framework, "framework")
        self.adaptive = check_type(adaptive, bool, "adaptive")
        self._loaded = framework if isinstance(framework, Loaded) else None
        self._releases: list[Release] = []
        self._stored: dict[str, int] = {}  # entries of the ledgers that this account goes on with
        self._known: dict[object, tuple[object, Release]] = {}  # what is released again
        self._counted, self._sum = 0, RecordLevels(((1, NOTHING),))
        self._bounds: list[Bound] = []
        self._least: Leakage | None = None
        self._together: Composition | str | None = None

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases so far, in order."""
        return tuple(self._releases)

    def spend(
        self,
        mechanism_or_level: AnyMechanism | Sequence[object] | LevelLike,
        records: tuple[int, int] | None = None,
        runs: int = 1,
        name: str = "",
    ) -> "Accountant":
        """Enter a release, and return this account.

        Args:
            mechanism_or_level: a mechanism as `audit` takes it; or the level per record of any
                mechanism: one for all records, or a list of one per record.
            records: first and last record that the level is about; the others have level 0.
            runs: independent releases of it.
            name: for `explain`.

        Raises `ModelError`, and enters nothing, unless the mechanism fits the framework, levels are
        levels, and there is such a segment.
        """
        self._enter(self._release(mechanism_or_level, records, runs, name))
        return self

    def _release(self, given: Any, records: Any, runs: int, name: str) -> Release:
        runs, name = check_type(runs, int, "runs"), check_type(name, str, "name")
        if runs < 1:
            raise ModelError(f"expected at least one run, found {runs}", "runs")
        if isinstance(given, Loaded):
            name = name or given.path
        given = value_of(given)
        given = tuple(given) if isinstance(given, list) else given
        key: object = tuple(map(id, given)) if isinstance(given, tuple) else id(given)
        if not is_mechanism(given):
            # a level, or one per record. Raises `ModelError` for anything else.
            if isinstance(given, Sequence) and not isinstance(given, str) and given:
                given = Level.coerce_all(given, "mechanism_or_level")
            elif isinstance(given, Level | str | Real | Decimal):
                given = Level.coerce(cast("LevelLike", given), "mechanism_or_level")
            else:
                raise ModelError(
                    f'expected a mechanism, or a level such as "log(2)" or 0.5, found {shown(given)}',
                    "mechanism_or_level",
                )
            records = check_type(records, tuple[int, ...] | None, "records")
            key = (given, None if records is None else tuple(records))
        elif records is not None:
            raise ModelError("needs a level, found a mechanism", "records")
        if key not in self._known:
            self._known[key] = given, self._made(given, records)
        release = self._known[key][1]
        return Release(name or release.name, runs, release.mechanism, release.spending)

    def _made(self, given: Any, records: Any) -> Release:
        if is_mechanism(given):
            return mechanism_release(self.framework, given)
        return level_release(self.framework, given, records)

    def _enter(self, *releases: Release) -> None:
        self._releases.extend(releases)
        self._bounds, self._least, self._together = [], None, None

    def save(self, path: str | Path) -> None:
        """Write the account as a ledger: a file that `load` and `compose --ledger` read.

        Raises `ModelError`, and leaves what is there, unless there is nothing yet, or the ledger
        that this account was loaded from or saved as, which nobody else has extended.
        """
        path = str(check_type(path, str | Path, "path"))
        with held(path):
            write_all_atomically({path: self.ledger(path)})
            self._stored[os.path.realpath(path)] = len(entries_of(self._releases))

    def ledger(self, path: str | Path) -> bytes:
        """Return the bytes of the ledger that may take the place of what is at a path."""
        stored = self._stored.get(os.path.realpath(path), 0)
        return updated(path, self.sha256, entries_of(self._releases), stored)

    @classmethod
    def load(cls, path: str | Path, framework: AnyFramework, adaptive: bool = False) -> "Accountant":
        """Return the account of a ledger.

        Raises `ModelError` unless it is a ledger of this framework: read from the same file, or the
        same object in Python.
        """
        account = cls(framework, adaptive)
        path = str(check_type(path, str | Path, "path"))
        account._enter(*read_ledger(path, account.framework, account.sha256))
        account._stored[os.path.realpath(path)] = len(entries_of(account._releases))
        return account

    @property
    def sha256(self) -> str:
        """The hash by which a ledger knows the framework: that of its file, or of what it says."""
        return self._loaded.sha256 if self._loaded else framework_digest(self.framework)

    def bounds(self) -> list[Bound]:
        """Return all bounds of what releases leak together, or why they do not apply."""
        if not self._bounds:
            self._bounds = self._computed(every=True)
        return list(self._bounds)

    def epsilon(self) -> Leakage:
        """Return the least bound of what the releases leak together, in nats; infinite where no
        finite one is known.

        An adversary who sees all outputs changes the odds between the secrets of a pair by a factor
        of at most e to it. Where it is the exact joint leakage, some outputs do.
        """
        if self._least is None:
            least = least_bound(self._bounds or self._computed(every=False))
            leakage = None if least is None else least.leakage
            self._least = Leakage.of(None) if leakage is None else leakage
        return self._least

    def _computed(self, every: bool) -> list[Bound]:
        if not self._releases:
            return [Bound("joint", Leakage.of(Fraction(1)), "nothing was released", (), True)]
        levels = self.levels
        return [
            joint_bound(self.composition()),
            *(
                level_bounds(self.framework, levels, every)
                if levels is not None
                else [Bound(name, None, self._reason) for name in WORDS if name != "joint"]
            ),
        ]

    def composition(self) -> Composition | str:
        """Return the exact joint release of all mechanisms, or why it is not computed."""
        if self._together is None:
            if self.adaptive:
                self._together = "mechanisms may depend on earlier outputs"
            else:
                named = [(release.mechanism, release.runs) for release in self._releases if release.mechanism]
                if len(named) < len(self._releases):
                    self._together = "of some releases only levels are known"
                else:
                    self._together = composition(self.framework, named)
        return self._together

    @property
    def _reason(self) -> str:
        """Why there are no levels, "" where there are."""
        for release in self._releases:
            if release.levels is None:
                return f"{release.name} has no level per record: {release.spending.reason}"
        return ""

    @property
    def levels(self) -> RecordLevels | None:
        """The level of every record, summed over releases, or None if there is none."""
        if self._reason or self.framework.records is None:
            return None
        count = self.framework.records.count
        fresh = self._releases[self._counted :]
        spent = [(each.levels, each.runs) for each in fresh if each.levels is not None]
        self._sum = summed(count, [(self._sum, 1), *spent])
        self._counted = len(self._releases)
        return self._sum

    def remaining(self, budget: LevelLike) -> Remaining:
        """Return how many nats are left of a budget, and the largest level for every record that
        one more release of any kind may have.

        Raises `ModelError` unless the budget is a level.
        """
        level = Level.coerce(budget, "budget")
        reason = self._reason or "databases are not made of records"
        return remaining(self.framework, self.levels, self.epsilon(), level, reason)

    def explain(self) -> str:
        """Say what was spent, each bound with the claims that it rests on, and the least."""
        chosen = ", chosen while outputs were seen" if self.adaptive else ""
        lines = [f"{counted(self._count, 'release')}{chosen}"]
        lines += [f"  {release.text}" for release in self._releases[:_LISTED]]
        if len(self._releases) > _LISTED:
            lines.append(f"  and {len(self._releases) - _LISTED} more")
        levels = self.levels
        lines += [] if levels is None else [f"level of a record, together: {levels.text}"]
        return "\n".join([*lines, *map(str, self.bounds()), f"together at most {self.epsilon()}"])

    @property
    def _count(self) -> int:
        return sum(release.runs for release in self._releases)

    def __repr__(self) -> str:
        said = f"{counted(self._count, 'release')}, at most {self.epsilon()}"
        return f"<Accountant: {said}>"
