"""What levels per record promise by one Markov quilt per record: the influence of the quilt is paid
once, whatever the number of releases.

Let Q be a quilt of X_i with nearby set N, and let all releases together have the level e_j at
record j. Then they leak at most

    e(X_Q | X_i) + sum_(j in N) e_j

about X_i. Records of N far from each other need not be in one segment, and the quilt does not
depend on the release. Independent records have a quilt without influence next to them; of a hidden
chain all records are nearby. `pufferproof.verify.noise.accounts.accountant` has the account of
noise. Source: wang2016, Theorem 4.4, with one quilt for all releases and any mechanism of these
levels.
"""

from collections.abc import Callable
from fractions import Fraction

from pufferproof.lp.translation.levels import NOTHING, RecordLevels, Total
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.possible_values import possible_values
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.accountant import Account, best_quilt, nearby
from pufferproof.verify.noise.ratio.bounds import MAX_ACCOUNTS

RESTS_ON = ("song2017.x-any-quilt", "general.quilt-account")
_BITS = 256


def level_account(framework: Framework, levels: RecordLevels) -> Account:
    """Return the best bound found for every record with a secret, under every prior: the largest of
    them.

    Given the values outside N, the records inside differ one by one, and what is outside tells at
    most e(X_Q | X_i) of X_i (general.quilt-account).

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(
    ...     Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain}
    ... )
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
    """Return the account by a quilt without influence: the neighbours of an independent record,
    else no quilt.
    """
    left = 1 if independent and record > 1 else None
    right = 1 if independent and record < levels.count else None
    return _bound(levels, name, record, (left, right), Bounds.none())


def _bound(
    levels: RecordLevels,
    name: str,
    record: int,
    quilt: tuple[int | None, int | None],
    influence: Bounds,
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
