"""Bounds of what releases leak together, and the theorems that they rest on.

| name | what it is | adaptive releases |
|---|---|---|
| `joint` | the exact joint leakage of the mechanisms | no |
| `worst` | the largest leakage of all mechanisms of the summed levels | yes |
| `quilt` | one Markov quilt for all releases | yes |
| `published` | the largest levels of some records, and the influence of the others | yes |

The last three speak of every column u with u(x) <= e^(e_j) u(x') for databases that differ in
record j: of every joint output of releases whose levels add up to e_j, also where a later mechanism
was chosen after seeing earlier outputs, as the likelihoods of the outputs multiply.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal

from pufferproof.lp.levels import NOTHING, RecordLevels, Total
from pufferproof.models.errors import ModelError, PufferproofError, extras
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.listing import counted
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.laws import Product
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.models.views import possible_values
from pufferproof.verify.audit import Form, Plain
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.leakage.runs.repeated import multisets_of
from pufferproof.verify.noise.accounts.accountant import QUILT_CLAIMS, Account, best_quilt, nearby
from pufferproof.verify.noise.ratio.bounds import MAX_ACCOUNTS

RESTS_ON = (
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
    return Bound("joint", together.joint.leakage, how, _joint_claims(together.mechanisms), True)


def _joint_claims(mechanisms: Sequence[Form]) -> tuple[str, ...]:
    """Return the claims on which the leakage of noise rests; others are the definition's."""
    queries = [query for form in mechanisms if isinstance(form, NoisyQueries) for query in form.queries]
    if any(query.noise.decay is None for query in queries):
        return ("noise.gaussian-line",)
    return _NOISE_CLAIMS if queries else ()


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
        from pufferproof.lp.translation.bits.worst import EXACT_CLAIMS
        from pufferproof.lp.translation.boxes import SETS_CLAIMS
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
        return _alone(levels, name, record, isinstance(prior, Product))
    with ctx.workprec(_BITS):
        influence = ChainInfluence(Along(prior, levels.count, "enclosed", _BITS))
        quilt = best_quilt(influence, record, _costs(levels, record))
        return _bound(levels, name, record, quilt, influence.of(record, *quilt))


def _alone(levels: RecordLevels, name: str, record: int, independent: bool) -> Account:
    """Return the account by a quilt without influence, if the record is independent."""
    left = 1 if independent and record > 1 else None
    right = 1 if independent and record < levels.count else None
    return _bound(levels, name, record, (left, right), Bounds.none())


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
