"""GK16: its counterexample by an audit, and the worst mechanism of a level by linear programs."""

from fractions import Fraction

import pytest
from scipy.optimize import linprog

from pufferproof import Channel, Framework, Records, Table, audit
from pufferproof.claims.ours.influence.inferential import Bits, worst_ratio
from pufferproof.models.errors import ModelError
from pufferproof.models.noise.inferential import influences


def test_three_equal_records_tell_eight_times_where_four_is_promised():
    records = Records(3, ("0", "1"))
    prior = Table({"000": "1/2", "111": "1/2"})
    framework = Framework.of_records(
        records, {"s": (1, "0"), "t": (1, "1")}, [("s", "t")], {"theta": prior}
    )
    rows = {x: Fraction(2 ** x.count("1"), 16) for x in records.labels()}
    channel = Channel.of({x: [p, 1 - p] for x, p in rows.items()}, ["1", "0"])
    assert audit(framework, channel, "log(4)").leakage.ratio == 8
    for x in rows:
        for y in rows:
            if sum(a != b for a, b in zip(x, y)) == 1:
                assert rows[x] <= 2 * rows[y]
                assert 1 - rows[x] <= 2 * (1 - rows[y])
    with pytest.raises(ModelError, match="every database is possible"):
        influences(prior, records)


def by_programs(each, record):
    """Maximise the mass given 1 over columns whose mass given 0 is 1, and turned around."""
    size, block = len(each.weights), 1 << (each.bits - record)
    level = float(each.level)
    rows = []
    for x in range(size):
        for bit in range(each.bits):
            row = [0.0] * size
            row[x], row[x ^ (1 << bit)] = 1.0, -level
            rows.append(row)
    best = 0.0
    for up in (True, False):
        above = [w if bool(x & block) is up else 0 for x, w in enumerate(each.weights)]
        below = [w if bool(x & block) is not up else 0 for x, w in enumerate(each.weights)]
        gain = [-w / sum(above) for w in above]
        norm = [w / sum(below) for w in below]
        found = linprog(gain, A_ub=rows, b_ub=[0] * len(rows), A_eq=[norm], b_eq=[1])
        best = max(best, -found.fun)
    return best


@pytest.mark.parametrize(
    "weights", [(1, 1, 1, 1), (5, 1, 1, 5), (1, 2, 3, 4), (1, 2, 2, 1, 2, 1, 1, 2)]
)
@pytest.mark.parametrize("level", [Fraction(3, 2), Fraction(4)])
def test_the_worst_mechanism_is_that_of_a_linear_program(weights, level):
    each = Bits(weights, level)
    for record in range(1, each.bits + 1):
        assert float(worst_ratio(each, record)) == pytest.approx(by_programs(each, record))
