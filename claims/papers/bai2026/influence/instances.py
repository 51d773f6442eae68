"""Influence curves of small tables from Definition 2 of Section 6.2, by trying all sets of cells.

A table is a string, one character for each cell; a pair of secrets is a list of two laws of the
table, given s_i and given s_j, one for every prior. Ratios are e^a, None for infinite. Nothing here
uses the formulas that are examined.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from pufferproof.claims.papers.song2017.setting.chains import Chain, chain

Law = Mapping[str, Fraction]
Laws = tuple[Law, Law]
"""The laws of the table given s_i and given s_j, under one prior."""
Ratio = Fraction | None


def shown(law: Law, cells: Sequence[int]) -> dict[str, Fraction]:
    """The law of D_L, L given by places."""
    found = dict[str, Fraction]()
    for table, chance in law.items():
        key = "".join(table[place] for place in cells)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def largest(first: Law, second: Law, both: bool = False) -> Ratio:
    """The largest first(x)/second(x), over x of positive probability (under both laws, if so)."""
    best = Fraction(0)
    for x, chance in first.items():
        below = second.get(x, Fraction(0))
        if chance and not below and not both:
            return None
        if chance and below:
            best = max(best, chance / below)
    return best


def dagger(priors: Sequence[Laws], cells: Sequence[int], both: bool = False) -> Ratio:
    """e^a_dagger(L) of an ordered pair."""
    ratios = [largest(shown(mu, cells), shown(nu, cells), both) for mu, nu in priors]
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known) if len(known) == len(ratios) else None


def star(priors: Sequence[Laws], hidden: int, both: bool = False) -> Ratio:
    """e^a*(b) of an ordered pair: the least over all L with at most b other cells."""
    size = len(next(iter(priors[0][0])))
    ratios = [dagger(priors, cells, both) for cells in shown_sets(size, hidden)]
    known = [ratio for ratio in ratios if ratio is not None]
    return min(known) if known else None


def shown_sets(size: int, hidden: int) -> Iterator[tuple[int, ...]]:
    """Every L with at most b other cells."""
    for count in range(max(0, size - hidden), size + 1):
        yield from combinations(range(size), count)


def curve(pairs: Sequence[Sequence[Laws]], hidden: int) -> Ratio:
    """The largest e^a*(b) over ordered pairs."""
    ratios = [star(priors, hidden) for priors in pairs]
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known) if len(known) == len(ratios) else None


def swapped(priors: Sequence[Laws]) -> list[Laws]:
    """The pair in the other order."""
    return [(nu, mu) for mu, nu in priors]


def bits(p: Fraction, q: Fraction, length: int) -> Chain:
    """The stationary chain of bits with P(0 -> 0) = p and P(1 -> 1) = q."""
    stay = (1 - q) / (2 - p - q)
    return chain(f"{stay} {1 - stay}", f"{p} {1 - p};{1 - q} {q}", length)


def values(of: Chain, record: int) -> list[Laws]:
    """The pair (X_i = 0, X_i = 1)."""
    first, second = of.given(record, 0), of.given(record, 1)
    return [(first, second)] if first is not None and second is not None else []


def chain_curve(of: Chain, hidden: int, ordered: bool = False) -> Ratio:
    """e^a*(b) for the values of all records; `ordered` leaves the order 1 against 0 out."""
    pairs = [values(of, record) for record in range(1, of.length + 1)]
    back = [] if ordered else [swapped(pair) for pair in pairs]
    return curve([*pairs, *back], hidden)


def term(p: Fraction, q: Fraction, distance: int) -> Ratio:
    """e^|log[(z + lam^d (1 - z))/(z - lam^d z)]|, the term of the printed formula."""
    stay = (1 - q) / (2 - p - q)
    z = stay if q > p else 1 - stay
    power = (p + q - 1) ** distance
    top, bottom = z + power * (1 - z), z - power * z
    return max(top / bottom, bottom / top) if top and bottom else None


def printed(p: Fraction, q: Fraction, hidden: int) -> Ratio:
    """e^a*(b) by the printed formula."""
    left, right = term(p, q, (hidden + 1) // 2), term(p, q, (hidden + 2) // 2)
    return None if left is None or right is None else left * right
