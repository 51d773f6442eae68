"""What per-record levels of differential privacy promise under a framework: the worst case over all
mechanisms of these levels, exactly where it can be computed, and the published bounds beside it.

Chains of two values, hidden chains of two states and independent records take one pass of any
length (`bits`); databases that can be listed a linear program (`listed`); longer chains with more
values a walk rounded upwards, beside what the mechanism of its tilts shows (`alphabets`), or if it
fails the published bound. Of a box of chains two corners stand for all, or it is enclosed
(`published`).

This file also has the worst case of per-record levels over classes of networks of bits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.alphabets import Walks
from pufferproof.lp.translation.bits.worst import way_of, worst_of_bits
from pufferproof.lp.translation.listed import MOST, Domain, worst_column
from pufferproof.lp.translation.networks import worst_of_networks
from pufferproof.lp.translation.published import (
    CLAIM,
    PUBLISHED_CLAIMS,
    BoxBound,
    bound_of_boxes,
    framework_of_corners,
    framework_of_some,
    has_corners,
    least,
    published_bounds,
    searched_boxes,
)
from pufferproof.lp.translation.sets import (
    Attained,
    BoundName,
    Order,
    PairBounds,
    WorstCase,
    largest,
    orders,
    responses,
)
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.priors.forest import Forest, forest_within
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork
from pufferproof.models.sequences.chain import Along, Chain, SequencePrior
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.classes.networks.contacts import contacts_ratio
from pufferproof.verify.noise.classes.networks.intervals import network_ratio

RESTS_ON = (
    "worst.power-closed",
    "worst.moebius-tree",
    "worst.chain-interior",
    "worst.tilts",
    "worst.box-of-bits",
    "classes.elimination-rays",
)
TILTED_CLAIMS = ("worst.power-closed", "worst.tilts")
LISTED_CLAIMS = ("worst.power-closed", "worst.columns")
NETWORK_CLAIMS = ("worst.power-closed", "classes.elimination-rays")
_ROUNDED = Fraction(1, 2**40)
_PATIENT = 64  # databases of networks for which exact arithmetic alone is quick
_MET = Fraction(1, 2**26)  # relative, of the ends of walks in floats
_NATS = 2**10  # how much less closely ends of leakages near 0 meet, relative to their nats
_LISTED = 256  # databases for which linear programs are quick


def translate(
    framework: Framework, levels: Sequence[LevelLike], runs: int = 1, domain: Domain = "product"
) -> WorstCase:
    """Return what releases of per-record levels can leak at most together: the worst case over all
    mechanisms, adaptive ones included.

    Args:
        framework: of records.
        levels: of every release, for every record.
        runs: how often each level is spent.
        domain: which databases count as neighbours, all sequences ("product") or those that some
            prior allows ("possible").

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> worst = translate(framework, ["0.1157"])
    >>> worst.exact, worst.attained, worst.leakage.enclosure().lower[:6]
    (True, 'count', '0.9997')

    Raises `ModelError` as `worst_case`, and unless there is a level and a positive number of runs.
    """
    framework = check_type(framework, Framework, "framework")
    runs = check_type(runs, int, "runs")
    domain = check_type(domain, Domain, "domain")
    read = Level.coerce_all(levels, "levels")
    if runs < 1:
        raise ModelError(f"expected at least one run, found {runs}", "runs")
    count = framework.expect_records().count
    return worst_case(framework, RecordLevels.uniform(count, read, runs), domain)


def worst_case(framework: Framework, levels: RecordLevels, domain: Domain = "product") -> WorstCase:
    """Return the worst case over all mechanisms of per-record levels.

    Args:
        framework: of records.
        levels: of every record, summed over releases.
        domain: which databases count as neighbours, all sequences or those that some prior allows.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> worst = worst_case(framework, RecordLevels.uniform(100, ["log(2)"]))
    >>> worst.exact, worst.attained, worst.leakage.enclosure().lower[:6]
    (True, 'count', '3.7489')

    Raises `ModelError` unless there is one level per record, and the worst case can be computed or
    bounded.
    """
    count = framework.expect_records().count
    if levels.count != count:
        raise ModelError(f"expected {count} levels, one per record, found {levels.count}", "levels")
    if framework.classes:
        if domain != "product":
            raise ModelError("a box of chains: expected the domain of all sequences", "domain")
        if of_networks(framework):
            return _over_networks(framework, levels)
        if not has_corners(framework):
            return _over_boxes(framework, levels)
        worst = worst_case(framework_of_corners(framework), levels)
        return replace(worst, claims=(*worst.claims, CLAIM))
    if domain == "product" and framework.by_records:
        bits = _bits(framework)
        if bits is not None:
            return worst_of_bits(framework, levels, bits)
        along = framework.along_records and not _few(framework)
        if along and all(_bounded(framework, name) for name in framework.chains):
            return _along_alphabets(framework, levels)
        if not framework.along_records:
            return _of_networks(framework, levels)
    return _by_program(framework, levels, domain)


def bounded_above(framework: Framework, count: int) -> Callable[[Total], Fraction | None]:
    """Return the function of one level per record whose values are the upper ends of `worst_case`,
    e to the nats, None for infinite.

    Along chains of more than two values no mechanisms are looked for, and what does not depend on
    the level is made once.
    """

    def worst(total: Total) -> Fraction | None:
        return worst_case(framework, RecordLevels(((count, total),))).leakage.upper

    if framework.classes or not framework.by_records or _bits(framework) is not None:
        return worst
    if not framework.along_records:
        return _bounded_networks(framework, count)
    chains = [each for each in framework.priors.values() if isinstance(each, MarkovChain)]
    if not framework.along_records or _few(framework) or len(chains) < len(framework.priors):
        return worst
    parts = [(Chain.of_markov(chain), _asked(framework, Along(chain, count))) for chain in chains]

    def largest_bound(total: Total) -> Fraction | None:
        levels, known = RecordLevels(((count, total),)), [Fraction(1)]
        for chain, asked in parts:
            if not asked:
                continue
            found = Walks(chain, levels).largest(asked)
            if found is None:
                return least(published_bounds(framework, levels)).leakage.upper
            known.append(found[1])
        return max(known)

    return largest_bound


def _bounded_networks(framework: Framework, count: int) -> Callable[[Total], Fraction | None]:
    """Return this function for networks: where one linear program is not confirmed, no others are
    tried.
    """
    by_program = listable(framework)

    def upper(total: Total) -> Fraction | None:
        nonlocal by_program
        levels = RecordLevels(((count, total),))
        worst = _of_networks if by_program else worst_of_networks
        found = worst(framework, levels)
        by_program = by_program and found.attained == "linear program"
        return found.leakage.upper

    return upper


def _of_networks(framework: Framework, levels: RecordLevels) -> WorstCase:
    """Return the worst case of networks by linear programs; that of larger ones, or where floats
    find no optimum of many databases, between bounds.
    """
    if not listable(framework):
        return worst_of_networks(framework, levels)
    try:
        return _by_program(framework, levels, "product", patient=_few(framework, _PATIENT))
    except NotConfirmedError:
        return worst_of_networks(framework, levels)


def _over_networks(framework: Framework, levels: RecordLevels) -> WorstCase:
    """Return what some members of classes of networks leak, and what none of them exceeds."""
    members = framework.of_members()
    bits = _bits(members) if members.by_records else None
    if bits is None:
        shown = worst_of_networks(members, levels)
    else:
        shown = worst_of_bits(members, levels, bits)
    bound = BoxBound(bound_of_networks(framework, levels), NETWORK_CLAIMS)
    return _between(framework, levels, shown, bound, "elimination")


def _over_boxes(framework: Framework, levels: RecordLevels) -> WorstCase:
    """Return what some chains of the boxes leak, and what no chain of them exceeds."""
    searched = searched_boxes(framework, levels)
    shown = worst_case(framework_of_some(framework, levels, searched), levels)
    bound = bound_of_boxes(framework, levels)
    if searched is not None and (bound.upper is None or _less(searched.bound, bound)):
        bound = searched.bound
    named: BoundName = "published" if bound.claims == PUBLISHED_CLAIMS else "recursion"
    return _between(framework, levels, shown, bound, named)


def _between(
    framework: Framework, levels: RecordLevels, shown: WorstCase, bound: BoxBound, named: BoundName
) -> WorstCase:
    """Return the worst case between what members leak and a bound of the classes."""
    uppers, claims = [bound.upper], bound.claims
    plain = {name: prior for name, prior in framework.priors.items() if name not in framework.classes}
    if plain:
        others = worst_case(framework.with_priors(plain), levels)
        uppers, claims = [*uppers, others.leakage.upper], (*claims, *others.claims)
    upper = None if None in uppers else max(each for each in uppers if each is not None)
    lower = shown.leakage.lower
    met = lower == upper or (not levels.exact and _close(lower, upper))
    return replace(
        shown,
        leakage=Leakage(lower, upper),
        exact=met,
        attained=shown.attained if met else None,
        claims=tuple(dict.fromkeys((*claims, *shown.claims))) if met else claims,
        ends=(None, None),
        bound=named,
        levels=(),
    )


def _less(one: BoxBound, other: BoxBound) -> bool:
    return one.upper is not None and other.upper is not None and one.upper < other.upper


def _close(lower: Fraction | None, upper: Fraction | None, apart: Fraction = _ROUNDED) -> bool:
    """Whether bounds are no further apart than irrational levels make them, which are rounded; of
    small levels, no further than tells their nats.
    """
    if lower is None or upper is None:
        return False
    return upper - lower <= apart * min(lower, (upper - 1) * _NATS)


def _bits(framework: Framework) -> Mapping[str, Chain | Forest] | None:
    """Return all priors as chains of two states and forests of bits, or None if one is neither."""
    records = framework.expect_records()
    forms: dict[str, Chain | Forest] = {}
    for name, prior in framework.priors.items():
        if isinstance(prior, SequencePrior):
            forms[name] = chain = Chain.of(prior, records)
            if not _two_states(chain):
                return None
        elif len(records.alphabet) == 2:
            if (forest := forest_within(framework.networks[name], records)) is None:
                return None
            forms[name] = forest
        else:
            return None
    return forms


def listable(framework: Framework) -> bool:
    """Whether databases are few enough for a linear program."""
    return _few(framework, MOST)


def _two_states(chain: Chain) -> bool:
    return chain.rows is not None or len(chain.step) == 2


def _bounded(framework: Framework, name: str) -> bool:
    """Whether a prior is bounded along records: hidden chains of three states are not."""
    return isinstance(framework.priors[name], MarkovChain) or _two_states(framework.chains[name])


def _few(framework: Framework, most: int = _LISTED) -> bool:
    records = framework.expect_records()
    return records.enumerable and len(records.alphabet) ** records.count <= most


def _along_alphabets(framework: Framework, levels: RecordLevels) -> WorstCase:
    known: list[PairBounds] = []
    best, claims = None, dict[str, None]()
    named: BoundName = "recursion"
    for name, prior in steps(framework.priors.items(), "priors"):
        if not isinstance(prior, MarkovChain):
            way = way_of(framework, levels, name, framework.chains[name])
            known += list(way.bounds())
            claims |= dict.fromkeys(way.claims)
            continue
        asked = _asked(framework, Along(prior, levels.count))
        if not asked:
            continue
        walks = Walks(Chain.of_markov(prior), levels)
        found = walks.largest(asked)
        if found is None:
            order, upper = asked[0], least(published_bounds(framework, levels)).leakage.upper
            named, claims = "published", claims | dict.fromkeys(PUBLISHED_CLAIMS)
        else:
            (order, upper), claims = found, claims | dict.fromkeys(TILTED_CLAIMS)
        shown = walks.responses(order)
        known.append(PairBounds(shown.ratio, upper, name, order.pair))
        if best is None or shown.ratio > best.ratio:
            best = shown
    worst = largest(known)
    mechanism = None if best is None else partial(responses, framework, levels, best.favoured)
    leakage = Leakage(worst.lower, worst.upper)
    met = _close(worst.lower, worst.upper, _MET)
    attained: Attained | None = "randomised response" if met and mechanism is not None else None
    return WorstCase(leakage, met, worst.prior, worst.pair, attained, mechanism, tuple(claims), named)


def _asked(framework: Framework, laws: Along) -> list[Order]:
    """Return the ordered pairs of values that a chain can both have."""
    return [order for order in orders(framework) if {order.one, order.other} <= set(laws.possible(order.record))]


def _by_program(framework: Framework, levels: RecordLevels, domain: Domain, patient: bool = True) -> WorstCase:
    """Return the worst case by linear programs, at rationals beside irrational levels."""
    low = high = worst_column(framework, levels.rounded(upward=False), domain, patient)
    if not levels.exact:
        high = worst_column(framework, levels.rounded(upward=True), domain, patient)
    prior, pair = low.laws.places[0]
    leakage = Leakage(low.ratio, high.ratio)
    return WorstCase(leakage, True, prior, pair, "linear program", low.mechanism, claims=LISTED_CLAIMS)


def of_networks(framework: Framework) -> bool:
    """Whether all classes of a framework are of networks."""
    every = framework.classes.values()
    return all(isinstance(box, Contacts | IntervalNetwork) for box in every)


def bound_of_networks(framework: Framework, levels: RecordLevels) -> Fraction | None:
    """Return an upper bound of e to the leakage under all classes, None for infinite."""
    records, known = framework.expect_records(), list[Fraction | None]()
    above = [levels.at(record).bounds()[1] for record in range(1, records.count + 1)]
    for record in steps(sorted({order.record for order in orders(framework)}), "records"):
        for box in framework.classes.values():
            if isinstance(box, Contacts):
                known.append(contacts_ratio(box, record, above))
            elif isinstance(box, IntervalNetwork):
                known.append(network_ratio(box, records, record, above))
    finite = [each for each in known if each is not None]
    return max(finite) if len(finite) == len(known) else None
