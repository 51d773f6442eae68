"""Which records of a chain to hide around one of them: HiddenBlocks.v. Records are counted from
0.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.gaps import QUILT_WITHIN
from pufferproof.claims.vocabulary.entries.chains.powers import LAW_OF, STEPS
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    ChainOf,
    Table,
    law_of_chain,
    tables_of,
)
from pufferproof.claims.vocabulary.terms import entry

Asked = tuple[Fraction, Law, Rows, int, int, int, int, int, int]


def _hiding(*asked: *Asked) -> Iterator[bool]:
    """Yield whether some b records can be hidden, by the law of all tables."""
    ratio, m, P, n, i, b, v, w, size = asked
    law = [*zip(tables_of(size, n), law_of_chain(ChainOf(m, [P]), n))]
    hidden = (each for each in combinations(range(n), b) if i in each)
    yield any(_tell(ratio, law, each, i, (v, w)) for each in hidden)


def _tell(
    ratio: Fraction,
    law: Sequence[tuple[Table, Fraction]],
    hidden: Collection[int],
    i: int,
    values: tuple[int, int],
) -> bool:
    """Return whether the records that are not hidden tell at most log ratio."""
    both: dict[Table, list[Fraction]] = {}
    for x, p in law:
        column = both.setdefault(tuple(a for k, a in enumerate(x) if k not in hidden), [ZERO, ZERO])
        for place, value in enumerate(values):
            column[place] += p if x[i] == value else ZERO
    one, other = (sum(column, ZERO) for column in zip(*both.values()))
    return all(left * other <= ratio * one * right for left, right in both.values())


def _block(*asked: *Asked) -> Iterator[bool]:
    """Yield whether some b records in a row can be hidden."""
    ratio, m, P, n, i, b, v, w, size = asked
    ends = ((low, low + b) for low in range(i + 1) if i < low + b <= n)
    told = (QUILT_WITHIN.value(ratio, m, P, n, *each, i, v, w, size) for each in ends)
    yield any(all(left <= right for left, right in each) for each in told)


CHAIN = "of the first [3] records of the chain with first law [1] and steps [2], counted from 0, "
AGAINST = "tell at most [0], of X_([4]) = [6] against X_([4]) = [7]"
TAKES = ("R", LAW_OF, STEPS, "nat", "nat", "nat", "'A", "'A", "Type")
TELL = (
    "That records X_S tell at most R of X_i = v against X_i = w means P(X_S = x, X_i = v) P(X_i = "
    "w) <= R P(X_i = v) P(X_S = x, X_i = w) for all x."
)
HIDING = entry(
    "hidden records",
    TAKES,
    "Prop",
    f"{CHAIN}some [5] can be hidden, X_([4]) among them, so that all others {AGAINST}",
    r"\min_{H \ni [4],\ |H| = [5]} \max_x \frac{P_{[1], [2]}(X_{\bar H} = x \mid X_{[4]} = [6])}"
    r"{P_{[1], [2]}(X_{\bar H} = x \mid X_{[4]} = [7])} \le [0]",
    "HiddenBlocks.hiding_within (d[8]) [0] [1] [2] [3] [4] [5] [6] [7]",
    _hiding,
    relation="truth",
    meaning=TELL,
)
BLOCK = entry(
    "hidden block",
    TAKES,
    "Prop",
    f"{CHAIN}some [5] in a row can be hidden, X_([4]) among them, so that the record before them "
    f"and the one after them, as far as there are such, {AGAINST}",
    r"\min_{L \le [4] < L + [5] \le [3]} \max_{x, y} \frac{P_{[1], [2]}(X_{L - 1} = x, "
    r"X_{L + [5]} = y \mid X_{[4]} = [6])}{P_{[1], [2]}(X_{L - 1} = x, X_{L + [5]} = y \mid "
    r"X_{[4]} = [7])} \le [0]",
    "HiddenBlocks.block_within (d[8]) [0] [1] [2] [3] [4] [5] [6] [7]",
    _block,
    relation="truth",
    meaning=TELL,
)
