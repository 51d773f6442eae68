"""Which records to hide around one, the same ones for all chains of a class: HiddenBlocks.v.
Records are counted from 0.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.quilts.chains import CLASS_OF, ChainOf, Table, law_of_chain, tables_of
from pufferproof.claims.vocabulary.terms import entry

Shown = Callable[[Table], Any]
Asked = tuple[Fraction, Sequence[ChainOf], int, int, int, int, int, int]


def sets_of(n: int, i: int, b: int) -> list[Shown]:
    """Return, for every set of b of n records with record i, what is shown if it is hidden."""
    hidden = (each for each in combinations(range(n), b) if i in each)
    return [_all_but(each) for each in hidden]


def _all_but(hidden: tuple[int, ...]) -> Shown:
    return lambda x: tuple(a for k, a in enumerate(x) if k not in hidden)


def blocks_of(n: int, i: int, b: int) -> list[Shown]:
    """Return, for every b of n records in a row with record i, what is shown beside them."""
    return [_beside(low, low + b) for low in range(i + 1) if i < low + b <= n]


def _beside(low: int, high: int) -> Shown:
    return lambda x: (x[low - 1] if low else None, x[high] if high < len(x) else None)


def compared(chain: ChainOf, shown: Shown, n: int, i: int, v: int, w: int) -> list[tuple[Fraction, Fraction]]:
    """Return both sides for all that is shown, by the law of all tables."""
    both: dict[Any, list[Fraction]] = {}
    for x, chance in zip(tables_of(len(chain.first), n), law_of_chain(chain, n)):
        column = both.setdefault(shown(x), [ZERO, ZERO])
        for place, value in enumerate((v, w)):
            column[place] += chance if x[i] == value else ZERO
    one, other = (sum(column, ZERO) for column in zip(*both.values()))
    return [(left * other, one * right) for left, right in both.values()]


def _tell(ratio: Fraction, chain: ChainOf, shown: Shown, n: int, i: int, values: tuple[int, int]) -> bool:
    return all(left <= ratio * right for left, right in compared(chain, shown, n, i, *values))


def _hiding(*asked: *Asked) -> Iterator[bool]:
    """Yield whether some b records can be hidden under all chains."""
    yield _some(sets_of, *asked)


def _block(*asked: *Asked) -> Iterator[bool]:
    """Yield whether some b records in a row can be hidden under all chains."""
    yield _some(blocks_of, *asked)


def _some(ways: Callable[[int, int, int], list[Shown]], *asked: *Asked) -> bool:
    ratio, chains, n, i, b, v, w, _ = asked
    return any(all(_tell(ratio, chain, shown, n, i, (v, w)) for chain in chains) for shown in ways(n, i, b))


OF_CHAINS = "of the first [2] records, counted from 0, of every chain in [1] "
AGAINST = "tell at most [0], of X_([3]) = [5] against X_([3]) = [6]"
TAKES = ("R", CLASS_OF, "nat", "nat", "nat", "'A", "'A", "Type")
TELL = (
    "That records X_S tell at most R of X_i = v against X_i = w means P(X_S = x, X_i = v) P(X_i = "
    "w) <= R P(X_i = v) P(X_S = x, X_i = w) for all x."
)
HIDING = entry(
    "hidden records",
    takes=TAKES,
    words=f"{OF_CHAINS}the same [4] can be hidden, X_([3]) among them, so that all others {AGAINST}",
    tex=r"\min_{H \ni [3],\ |H| = [4]} \sup_{\theta \in [1]} \max_x \frac{P_\theta(X_{\bar H} = x \mid "
    r"X_{[3]} = [5])}{P_\theta(X_{\bar H} = x \mid X_{[3]} = [6])} \le [0]",
    coq="HiddenBlocks.hiding_within (d[7]) [0] [1] [2] [3] [4] [5] [6]",
    value=_hiding,
    relation="truth",
    meaning=TELL,
)
BLOCK = entry(
    "hidden block",
    takes=TAKES,
    words=f"{OF_CHAINS}the same [4] in a row can be hidden, X_([3]) among them, so that the record "
    f"before them and the one after them, as far as there are such, {AGAINST}",
    tex=r"\min_{L \le [3] < L + [4] \le [2]} \sup_{\theta \in [1]} \max_{x, y} "
    r"\frac{P_\theta(X_{L - 1} = x, X_{L + [4]} = y \mid X_{[3]} = [5])}"
    r"{P_\theta(X_{L - 1} = x, X_{L + [4]} = y \mid X_{[3]} = [6])} \le [0]",
    coq="HiddenBlocks.block_within (d[7]) [0] [1] [2] [3] [4] [5] [6]",
    value=_block,
    relation="truth",
    meaning=TELL,
)
