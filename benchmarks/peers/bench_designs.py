"""The published design program of the 3R mechanism beside cvxpy, as it is printed.

Both are given the bounds b_k of one side of a chain. What cvxpy returns is in floats: which of its
constraints -(log q_1 + .. + log q_k) <= b_k do not hold is decided by enclosures. Nothing here
asserts a time.
"""

from fractions import Fraction

from benchmarks.peers.beside import beside, packaged, timed
from flint import ctx

from pufferproof import BinaryChain, Level
from pufferproof.lp.redaction import regions
from pufferproof.lp.redaction.regions import BITS, DesignSide, conic_q_approx
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.sequences.binary import Budget

CHAIN = BinaryChain("1/1000", "1/100", 1_000)
LEVEL = Level.parse("0.9")


def broken(room, chosen):
    """How many constraints are broken, and by how much at most."""
    with ctx.workprec(BITS):
        total, excesses = ball(0), []
        for height, q in zip(room, chosen):
            total -= ball(Fraction(q)).log()
            excesses.append(total - height)
        count = sum(1 for excess in excesses if excess > 0)
        return count, max(float(excess.mid()) for excess in excesses)


def test_designs_beside_cvxpy(benchmark):
    side = DesignSide.of(CHAIN, CHAIN.length - 1, Budget(LEVEL))
    found = benchmark.pedantic(regions.relaxed_side, (side,), rounds=5, warmup_rounds=1)
    with ctx.workprec(BITS):
        room = regions.room_of(side)
    heights = [float(height.mid()) for height in room]
    seconds, others = timed(lambda: conic_q_approx(heights), 3)
    count, excess = broken(room, others)
    assert broken(room, found.q)[0] == 0
    difference = abs(sum(others) / float(found.total) - 1)
    assert difference < 1e-4
    what = f"published program of one side, {len(room):,} constraints, q that keep all of them"
    answers = (
        f"sums of q {difference:.0e} apart, relatively; {count:,} of {len(room):,} constraints "
        f"do not hold for its q, by up to {excess:.0e}; all do for ours"
    )
    beside(benchmark, what, f"{packaged('cvxpy')} ({packaged('clarabel')})", seconds, answers)
