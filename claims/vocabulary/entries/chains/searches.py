"""Searches for quilts of chains with a gap: Searches.v."""

from collections.abc import Iterator, Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.gaps import FAR, told
from pufferproof.claims.vocabulary.entries.chains.powers import LAW_OF, STEPS
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import RELEASE_OF, ChainOf, Release, law_of_chain
from pufferproof.claims.vocabulary.entries.quilts.tables import room
from pufferproof.claims.vocabulary.sorts import both, listed, natural
from pufferproof.claims.vocabulary.terms import Sort, entry

Found = Sequence[tuple[int, int]]
FIND = "nat -> nat * nat"
QUILT = (
    "A quilt (a, b) of X_i among X_1 .. X_n has the records X_(i - a) and X_(i + b); 1 <= a <= i "
    "and 1 <= b <= n + 1 - i, and a = i and b = n + 1 - i stand for no record."
)
SCORE = (
    f"{QUILT} "
    "With l and r a quilt has a score if r^t < l for the distance t of each of its records and "
    "e < eps for its bound e = 2 ln((l + r^a)/(l - r^a)) + ln((l + r^b)/(l - r^b)), without the "
    "terms of records that there are not: the score is (a + b - 1)/(eps - e)."
)
SEARCH = Sort(
    FIND,
    "a search that finds a quilt (a, b) of each X_i",
    "list (nat * nat)",
    "Searches.find_read {}",
    listed(both(natural, natural)),
    SCORE,
)


def found_for(find: Found, i: int) -> tuple[int, int]:
    """Return the quilt that a search finds; there is one beyond the list as well."""
    place = max(i - 1, 0)
    return find[place] if place < len(find) else (1, 1)


def visited(n: int, find: Found) -> list[int]:
    """Return the records that the faster search meets."""
    seen, i = list[int](), n // 2
    while i not in seen and len(seen) <= n:
        seen.append(i)
        a, b = found_for(find, i)
        if (i <= a) == (i + b == n + 1):
            break
        i = i + 1 if i <= a else max(i - 1, 0)
    return seen


def scored(low: Fraction, r: Fraction, n: int, run: Release, i: int, a: int, b: int) -> Iterator[bool]:
    """Yield what makes a quilt one with a small score."""
    if not (1 <= a <= i <= n and 1 <= b and i + b <= n + 1):
        yield False
        return
    at = (low, r, n, i - a, i + b - 1, i - 1)
    yield from FAR.value(*at)
    influence = told(*at)
    yield (influence if influence > 0 else 1) <= room(run, a + b - 1)


def _each(low: Fraction, r: Fraction, n: int, run: Release, find: Found, some: Sequence[int]) -> Iterator[bool]:
    for i in some:
        yield from scored(low, r, n, run, i, *found_for(find, i))


def every_score(low: Fraction, r: Fraction, n: int, run: Release, find: Found) -> Iterator[bool]:
    """Yield what makes the scores of all records small."""
    return _each(low, r, n, run, find, range(1, n + 1))


def fast_scores(low: Fraction, r: Fraction, n: int, run: Release, find: Found) -> Iterator[bool]:
    """Yield what makes the scores small that the faster search meets."""
    return _each(low, r, n, run, find, visited(n, find))


def _law_from(first: Law, step: Rows, number: int, size: int) -> list[list[Fraction]]:
    return [law_of_chain(ChainOf(first, [step]), number)]


WALK = (
    "The faster search meets X_i for i = n/2, rounded down, first. From X_i with the quilt (a, b) "
    "it goes on to X_(i + 1) if a = i and b < n + 1 - i, and to X_(i - 1) if a < i and b = n + 1 - "
    "i; else it ends, and it ends at a record that it met before."
)
SCORED = entry(
    "score of a quilt",
    takes=("R", "R", "nat", RELEASE_OF, "nat", "nat", "nat"),
    words="([5], [6]) is a quilt of X_[4] among X_1 .. X_[2] and with [0] and [1] it has a score of at "
    "most sigma_[3] for eps_[3]",
    tex=r"\sigma_{[0], [1]}(X_{[4] - [5]}, X_{[4] + [6]}) \le \sigma_{[3]}",
    coq="Searches.scored [0] [1] [2] (TableQuilts.at_level [3]) (TableQuilts.with_noise [3]) [4] [5] [6]",
    value=scored,
    relation="truth",
    meaning=SCORE,
)
EVERY_SCORE = entry(
    "scores of all records",
    takes=("R", "R", "nat", RELEASE_OF, FIND),
    words="for each X_i of X_1 .. X_[2] the quilt [4]_i has with [0] and [1] a score of at most sigma_[3] for eps_[3]",
    tex=r"\sigma_{\max}^{\text{Basic}}([4]) \le \sigma_{[3]}",
    coq="Searches.every_score [0] [1] [2] (TableQuilts.at_level [3]) (TableQuilts.with_noise [3]) [4]",
    value=every_score,
    relation="truth",
)
FAST_SCORES = entry(
    "scores of the faster search",
    takes=("R", "R", "nat", RELEASE_OF, FIND),
    words="for each X_i that the faster search meets among X_1 .. X_[2] by [4], it is one of these, and "
    "the quilt [4]_i has with [0] and [1] a score of at most sigma_[3] for eps_[3]",
    tex=r"\sigma_{\max}^{\text{Fast}}([4]) \le \sigma_{[3]}",
    coq="Searches.fast_scores [0] [1] [2] (TableQuilts.at_level [3]) (TableQuilts.with_noise [3]) [4]",
    value=fast_scores,
    relation="truth",
    meaning=WALK,
)
LAW_FROM = entry(
    "law of one chain",
    takes=(LAW_OF, STEPS, "nat", "Type"),
    gives="(Chain.vec [3] [2] -> R) -> Prop",
    words="the law of the first [2] records of the chain with first law [0] and steps [1]",
    tex=r"\{P_{[0], [1]}(X_1 .. X_{[2]})\}",
    coq="Searches.law_from [0] [1] [2]",
    value=_law_from,
)
AT_LEAST_2 = entry(
    "at least two",
    takes=("nat",),
    words="[0] >= 2",
    tex=r"[0] \ge 2",
    coq="(2 <= [0])%nat",
    value=lambda number: iter((number >= 2,)),
    precedence=0,
    relation="truth",
)
