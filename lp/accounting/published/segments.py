"""Two mechanisms on two segments of one chain: song2017, Theorem III.1, with the influences where
its proof has them.

    E = max{min{eps_A + eps_B, eps_A + e(X_T3 | X_T2)}, min{eps_B + eps_A, eps_B + e(X_T2 | X_T3)}}

for segments T1 .. T2 before T3 .. T4. The levels are the exact ones for all secrets of the own
segment, as the theorem has them, whichever of these are secrets of the framework. As printed, with
the influences exchanged, it is false (song2017.thm-III1).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pufferproof.lp.accounting.published.bound import (
    DecidedCondition,
    PublishedBound,
    largest_of,
    product_of_levels,
    smallest_of,
    unmet,
)
from pufferproof.lp.accounting.published.seen import SegmentReleases, Span
from pufferproof.models.framework import Framework
from pufferproof.models.possible_values import possible_values
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.audit import audit_form
from pufferproof.verify.composition import compose
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("song2017.thm-III1-repaired", "song2017.III1-kernel")
SAID = (
    "III.1",
    "song2017.thm-III1-repaired",
    "song2017.thm-III1",
)  # theorem, claim it rests on, claim as printed
MOST_SECRETS = 400  # of a segment, whose level is then computed
_EXACT = 64  # records of a chain whose influences are exact fractions


def two_segments(framework: Framework, found: Sequence[SegmentReleases]) -> PublishedBound:
    """Return the bound for two groups of releases, or which condition is not met."""
    conditions = list(about_two_segments(framework, found))
    if reason := unmet(conditions):
        return PublishedBound(*SAID, None, tuple(conditions), reason=reason)
    first, second = found
    if _secrets(framework, first.span) + _secrets(framework, second.span) > MOST_SECRETS:
        reason = f"not computed: segments with more than {MOST_SECRETS} secrets"
        return PublishedBound(*SAID, None, tuple(conditions), reason=reason)
    levels = [own_level(framework, group) for group in found]
    finite = DecidedCondition(
        "mechanisms that keep a level", all(e.upper is not None for e in levels)
    )
    if not finite.met:
        every = (*conditions, finite)
        return PublishedBound(*SAID, None, every, reason=unmet(every))
    forward, backward = influences(framework, first.span[1], second.span[0])
    return PublishedBound(
        *SAID,
        repaired(levels[0], levels[1], forward, backward),
        (*conditions, finite),
        {"eps_A": levels[0], "eps_B": levels[1], "e(X_T3|X_T2)": forward, "e(X_T2|X_T3)": backward},
    )


def repaired(one: Leakage, other: Leakage, forward: Leakage, backward: Leakage) -> Leakage:
    """Return E: forward is e(X_T3|X_T2), beside the level of the first segment."""
    both = product_of_levels(one, other)
    return largest_of(
        [
            smallest_of([both, product_of_levels(one, forward)]),
            smallest_of([both, product_of_levels(other, backward)]),
        ]
    )


def about_two_segments(
    framework: Framework, found: Sequence[SegmentReleases]
) -> Iterator[DecidedCondition]:
    """Yield the conditions of the setting: a chain, two segments apart, secrets within them."""
    chains = all(isinstance(prior, MarkovChain) for prior in framework.priors.values())
    yield DecidedCondition("a Markov chain under every prior", chains)
    if len(found) == 2:
        (_, T2), (T3, _) = (group.span for group in found)
        yield DecidedCondition(
            "two segments, T2 < T3", True, Fraction(T3 - T2 - 1), _records(T3 - T2 - 1)
        )
        places = {record for record, _ in framework.places.values()}
        outside = sum(not any(s <= at <= e for s, e in (g.span for g in found)) for at in places)
        margin = Fraction(-outside) if outside else None
        yield DecidedCondition(
            "secrets about the segments alone", not outside, margin, _records(outside)
        )
    else:
        yield DecidedCondition(f"two segments that do not overlap (found {len(found)})", False)


def _records(number: int) -> str:
    return "record" if abs(number) == 1 else "records"


def _secrets(framework: Framework, span: Span) -> int:
    values = len(framework.expect_records().alphabet)
    return (span[1] - span[0] + 1) * values * len(framework.priors)


def own_level(framework: Framework, group: SegmentReleases) -> Leakage:
    """Return what the releases of a group leak together about the values of their own records."""
    records, (first, last) = framework.expect_records(), group.span
    secrets = {
        f"x{t}={value}": (t, value) for t in range(first, last + 1) for value in records.alphabet
    }
    own = Framework.of_records(records, secrets, "disjoint", framework.priors)
    if not _uncertain(own, range(first, last + 1)):
        return Leakage.of(Fraction(1))
    if len(group.forms) == 1:
        return audit_form(own, group.forms[0]).leakage
    return compose(own, list(group.forms)).joint.leakage


def _uncertain(framework: Framework, records: Sequence[int]) -> bool:
    """Whether some record has two possible values under some prior."""
    return any(
        len(values) > 1
        for prior in framework.priors
        for values in possible_values(framework, prior, records).values()
    )


def influences(framework: Framework, T2: int, T3: int) -> tuple[Leakage, Leakage]:
    """Return e(X_T3 | X_T2) and e(X_T2 | X_T3), the largest over the priors."""
    forward, backward = [], []
    for prior in framework.priors.values():
        if not isinstance(prior, MarkovChain):
            raise TypeError("an influence of a chain")
        length = framework.expect_records().count
        along = Along(prior, length, "exact" if length <= _EXACT else "enclosed", 256)
        influence = ChainInfluence(along)
        forward.append(_level(influence.of(T2, None, T3 - T2)))
        backward.append(_level(influence.of(T3, T3 - T2, None)))
    return largest_of(forward), largest_of(backward)


def _level(bounds: Bounds) -> Leakage:
    return Leakage(bounds.lower, bounds.upper)
