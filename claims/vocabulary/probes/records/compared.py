"""Probes of the Markov quilt mechanism, its bounds, and what 3R mechanisms show."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.records import compared
from pufferproof.claims.vocabulary.entries.records.redaction import DIM_SHARE
from pufferproof.claims.vocabulary.entries.records.stationary import i1
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records.redaction import De, Dh, levels
from pufferproof.claims.vocabulary.probes.records.stationary import a, b, n, p, ratio, steps, tied_with_quilts, x, y

F = Fraction
AT = (a, b, ratio, De, Dh, n, p)
ABOVE = [F(1), F(1), F(1), F(9, 10), F(101, 100)]


def shares(draws: Draws) -> Instance:
    """Two shares of one to four records, most often apart by up to two records."""
    length = 1 + draws.below(4)
    y = F(draws.below(5), length)
    apart = draws.among([F(0), F(1), F(2), F(3), F(-1), F(1, 2)])
    return {"n": length - (draws.below(12) == 11), "y": y, "x": y + apart / length}


def three_regions(draws: Draws) -> Instance:
    """A chain with a <= b, seldom none, of one to five records, a place among them, seldom after
    them, a level R that is often an influence or a product of two, and a share that is often the
    largest one, or close to it.
    """
    found = {**steps(draws), "n": 1 + draws.below(5)}
    found["p"] = draws.below(found["n"]) + (draws.below(12) == 11)
    near, far = (i1(found["a"], found["b"], 1 + draws.below(4)) for _ in range(2))
    found["ratio"] = draws.among([near, near * far, near * far, F(2), F(1)]) * draws.among(CLOSE)
    most = None
    if found["p"] < found["n"]:
        at = (found["a"], found["b"], found["ratio"], found["n"], found["p"])
        most = compared.largest_share(*at, draws.whether())
    some = F(draws.below(found["n"]), found["n"])
    found["x"] = draws.among([some if most is None else most, some]) * draws.among(ABOVE)
    return found


V = compared
PROBES: list[Probe] = [
    tied_with_quilts(
        "chances of the Markov quilt mechanism",
        DIM_SHARE(V.MQ(*AT), n),
        levels,
        lambda a, b, R, De, Dh, n, p: V.MQ.value(a, b, R, De + 1, Dh, n, p),
    ),
    tied_with_quilts("lower bound of the Markov quilt mechanism", V.LOWER(*AT), levels, V.UPPER.value),
    tied_with_quilts("bound of data-independent mechanisms, as printed", V.UPPER(*AT), levels, V.LOWER.value),
    tied_with_quilts("exceeds by up to two records", V.UP_TO_TWO(x, y, n), shares, lambda x, y, n: iter((x == y,))),
    tied_with_quilts(
        "some 3R mechanism shows a share", V.SOME_3R(a, b, ratio, n, p, x), three_regions, V.SOME_POSITIVE_3R.value
    ),
    tied_with_quilts(
        "some 3R mechanism with positive budgets shows a share",
        V.SOME_POSITIVE_3R(a, b, ratio, n, p, x),
        three_regions,
        V.SOME_3R.value,
    ),
    tied_with_quilts("share with one record more", V.ONE_MORE(x, n), shares, V.ONE_LESS.value),
    tied_with_quilts("share with one record less", V.ONE_LESS(x, n), shares, V.ONE_MORE.value),
]
