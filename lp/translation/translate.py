"""What per-record levels of differential privacy promise under a framework: the worst case over all
mechanisms of these levels, exactly where it can be computed, and the published bounds beside it.

Chains of two values, hidden chains of two states and independent records take one pass of any
length (`bits`); databases that can be listed a linear program (`listed`); longer chains with more
values a walk rounded upwards, beside what the mechanism of its tilts shows (`sets`), or if it fails
the published bound. Of a box of chains two corners stand for all, or it is enclosed (`published`).
Classes of networks of bits are bounded by elimination.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.bits import endless_kernels, endless_ratio, way_of, worst_of_bits
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
    Walks,
    WorstCase,
    largest,
    orders,
    responses,
)
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.interface.steps import steps
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.enclosures import Enclosure, enclose, log_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.priors.forest import Forest, forest_within
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork
from pufferproof.models.sequences.chain import Along, Chain, SequencePrior
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.scale.calibration import enclosed

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
        if along and all(
            isinstance(framework.priors[name], MarkovChain) or _two_states(framework.chains[name])
            for name in framework.chains
        ):
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
    from pufferproof.verify.noise.classes.networks import contacts_ratio, network_ratio  # with arrays

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


# The largest level per record that keeps a promise, by the worst case over all mechanisms of that level: exact
# translation, turned round.
#
# The worst case does not fall when levels rise, so that the largest level e with worst(e) <= epsilon lies between one
# that keeps epsilon and one that does not. Floats propose two that are close, both the logarithm of a rational, and
# exact comparisons decide. For an inner record of an endless symmetric chain, whose value changes with probability c
# <= 1/2, the largest level has a closed form,
#
#     sinh(e / 2) = c / (1 - c) sinh(epsilon / 2).
#
# Where the worst case is only known to be at most a bound, the level kept is the largest by that bound.

LARGEST_LEVEL_RESTS_ON = ("worst.power-closed", "worst.moebius-tree", "worst.chain-interior")
_MOST_NATS = 200
_STEPS = 60  # of the search in floats, which ends sooner
_CLOSE = 1e-13

Worst = Callable[[Total], Fraction | None]  # e to the worst case of a level, None for no bound


@dataclass(frozen=True, repr=False)
class LargestLevel(Readable, Tabular):
    """A level per record that keeps the promise, and a slightly larger one that does not, or is not
    shown to, or None if no larger one does.

    `worst` is the worst case at the level kept, None for endless chains.
    """

    _named = ("what",)

    kept: Level
    broken: Level | None
    worst: WorstCase | None = None

    def scale(self, lipschitz: Fraction = Fraction(1)) -> Scale:
        """Return L / epsilon_DP: the upper end keeps the promise, the lower end need not."""
        largest = quotient(lipschitz, self.kept)
        if self.broken is None:
            return largest
        return Scale(quotient(lipschitz, self.broken).lower, largest.upper)

    def entries(self) -> list[Entry]:
        """Return the level per record and, of a chain with an end, the worst case at it."""
        rows = [{"what": "level per record"} | nats(self.enclosure())]
        if self.worst is not None:
            rows.append({"what": "worst case"} | nats(self.worst.leakage.enclosure()))
        return rows

    def __str__(self) -> str:
        ends = self.enclosure()
        level = between(exact(ends.lower), exact(ends.upper))
        noise = f"noise of scale {self.scale()} times the sensitivity"
        return f"level {level} nats for every record: {noise}"

    def enclosure(self) -> Enclosure:
        """Return the level in nats."""
        low, high = _nats(self.kept)[0], _nats(self.broken or self.kept)[1]
        return enclose(low, high)


def _nats(level: Level) -> tuple[Fraction, Fraction]:
    if level.nats is not None:
        return level.nats, level.nats
    return log_bounds(level.ratio or Fraction(1), 72)


def largest_level(framework: Framework, level: LevelLike) -> LargestLevel:
    """Return the largest level per record whose every mechanism leaks at most `level`.

    Noise of scale L / epsilon_DP then keeps it for every query that one record changes by at most
    L (L1), over all tables of the records' values.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> largest_level(framework, "1").scale().enclosure().upper[:10]
    '8.64044103'

    Raises `ModelError` as `worst_case`, and unless the level is above 0 and at most 200 nats.
    """
    framework = check_type(framework, Framework, "framework")
    epsilon = Level.coerce(level, "level")
    count = framework.expect_records().count

    def worst_of(total: Total) -> WorstCase:
        return worst_case(framework, RecordLevels(((count, total),)))

    found = _searched(bounded_above(framework, count), epsilon)
    return LargestLevel(found.kept, found.broken, worst_of(Total.of([found.kept])))


def largest_endless_level(framework: Framework, epsilon: Level) -> LargestLevel:
    """Return the largest level for records of stationary chains of any length, two values.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (2, "0"), "one": (2, "1")}
    >>> framework = Framework.of_records(Records(3, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> found = largest_endless_level(framework, Level("1"))
    >>> found.enclosure().lower[:12], f"{2 * math.asinh(math.sinh(1 / 2) / 9):.10f}"
    ('0.1157343544', '0.1157343544')

    Raises `ModelError` as `endless_ratio` and `endless_kernels`, and where values alternate.
    """
    kernels = endless_kernels(framework)
    if any(kernel[0][0] == kernel[1][1] == 0 for kernel in kernels):
        raise ModelError(
            "records that alternate determine one another: in an endless chain of them no level "
            "above 0 keeps a promise",
            "transition",
        )

    def worst(total: Total) -> Fraction | None:
        highs = [endless_ratio(kernel, total)[1] for kernel in kernels]
        return None if None in highs else max(high for high in highs if high is not None)

    return _searched(worst, epsilon)


def _searched(worst: Worst, epsilon: Level) -> LargestLevel:
    if epsilon.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "level")
    if epsilon.compare(Level.of_nats(_MOST_NATS).bounds()[0]) < 0:
        raise ModelError(f"expected a level of at most {_MOST_NATS} nats, found {epsilon}", "level")
    above = Fraction(1 << math.ceil(epsilon.bounds()[1]).bit_length())
    ratio = worst(Total(above, Fraction(0)))
    if ratio is not None and ratio <= above:
        return LargestLevel(epsilon, None)
    nats = float(_nats(epsilon)[0])

    def leakage_approx(level: float) -> float:
        ratio = worst(Total(_ratio(level), Fraction(0)))
        return math.inf if ratio is None else float(log_bounds(ratio, 64)[1])

    def exceeds(scale: Fraction) -> bool:
        ratio = worst(Total(_ratio(float(1 / scale)), Fraction(0)))
        return ratio is None or epsilon.compare(ratio) > 0

    guess = _root_approx(leakage_approx, nats)
    low, high = enclosed(exceeds, 1 / Fraction(guess))
    kept, broken = (Level.log(_ratio(float(1 / scale))) for scale in (high, low))
    return LargestLevel(kept, broken)


def _ratio(level: float) -> Fraction:
    """Return a short rational near e^level, e^level - 1 to the accuracy of floats."""
    return 1 + Fraction(math.expm1(level))


def _root_approx(leakage: Callable[[float], float], epsilon: float) -> float:
    """Return a level with about this leakage by secants between known ends."""
    low, high = 0.0, math.inf
    tried: list[tuple[float, float]] = []
    level = epsilon
    for _ in range(_STEPS):
        leaked = leakage(level)
        if abs(leaked / epsilon - 1) < _CLOSE:
            break
        low, high = (level, high) if leaked < epsilon else (low, level)
        if math.isfinite(leaked) and leaked > 0:
            tried = [*tried[-1:], (math.log(level), math.log(leaked / epsilon))]
        # the next level: where the secant, at first of slope 1, meets epsilon inside
        middle = (low + high) / 2 if math.isfinite(high) else 2 * low
        if not tried:
            level = middle
        else:
            (x, y) = tried[-1]
            (other, z) = tried[0] if len(tried) > 1 else (x - 1, y - 1)
            guess = math.exp(x - y * (x - other) / (y - z)) if y != z else middle
            level = guess if low < guess < high else middle
        if high - low < _CLOSE * high:
            break
    return level
