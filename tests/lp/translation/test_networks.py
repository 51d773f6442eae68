"""Worst cases under Bayesian networks: forests of bits of any size by passes along arrows, judged
by linear programs over listed databases on all small trees.
"""

import itertools
import random
from fractions import Fraction

import pytest
from tests import seeds
from tests.lp.translation.trees import tree_messages

from pufferproof import BayesianNetwork, Framework, MarkovChain, ModelError, Records, audit, translate
from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation import translate as translate_module
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.networks import eliminated, worst_of_networks
from pufferproof.lp.translation.translate import largest_level, worst_case
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.forest import families_of, forest_of
from pufferproof.verify.noise.queries import queries_leakage

F = Fraction
LEVELS = ["log(1)", "log(2)", "log(3)", "log(7/3)"]
WEIGHTS = [0, 1, 1, 2, 3, 5]
COIN = {"": ["1/2", "1/2"]}
NOISY = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}


def row(draw, size=2):
    weights = [draw.choice(WEIGHTS) for _ in range(size)]
    weights = weights if sum(weights) else [1] + [0] * (size - 1)
    return [F(weight, sum(weights)) for weight in weights]


def shapes(count):
    """List the skeletons of all labelled forests on 1 .. count, by parents that come first."""
    return itertools.product(*([None, *range(1, record)] for record in range(1, count + 1)))


def rerooted(shape, draw):
    """Return the parents of a forest with the same edges, directed away from random roots."""
    near = {record: [] for record in range(1, len(shape) + 1)}
    for record, parent in enumerate(shape, 1):
        if parent is not None:
            near[record].append(parent)
            near[parent].append(record)
    parents = {}
    for record in draw.sample(sorted(near), len(near)):
        left = [] if record in parents else [(record, [])]
        while left:
            here, above = left.pop()
            if here not in parents:
                parents[here] = above
                left += [(other, [here]) for other in near[here] if other not in parents]
    return parents


def drawn(draw, parents):
    keys = {0: [""], 1: ["0", "1"], 2: ["00", "01", "10", "11"]}
    return BayesianNetwork(parents, {i: {key: row(draw) for key in keys[len(above)]} for i, above in parents.items()})


def framework(network, records=None, names=None):
    count = network.length
    places = {f"x{i}={v}": (i, v) for i in (records or range(1, count + 1)) for v in "01"}
    return Framework(Records(count, ("0", "1")), places, "disjoint", {"net": network})


def judged(space, levels):
    """Compare the passes with linear programs, and the mechanism with the audit."""
    try:
        expected = worst_column(space, levels)
    except ModelError as error:
        with pytest.raises(ModelError, match=error.what[:20]):
            worst_case(space, levels)
        return False
    worst = worst_case(space, levels)
    assert worst.exact
    assert worst.attained in ("count", "alternating count", "signed count")
    assert worst.leakage.ratio == expected.ratio
    mechanism = worst.mechanism().channel()
    assert audit(space, mechanism).leakage.ratio == expected.ratio
    assert_keeps(mechanism, levels, space)
    return True


def assert_keeps(mechanism, levels, space):
    """Every output keeps the level of every record, from the definition."""
    rows = {x: (mechanism.numerators_of(at), mechanism.denominators[at]) for at, x in enumerate(mechanism.databases)}
    for x in space.databases:
        for place in range(len(x)):
            y = x[:place] + "10"[int(x[place])] + x[place + 1 :]
            top, bottom = levels.at(place + 1).exact.as_integer_ratio()
            (known, own), (others, other) = rows[x], rows[y]
            assert all(bottom * p * other <= top * q * own for p, q in zip(known, others))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_small_forests_agree_with_linear_programs(count):
    draw = random.Random(count)
    seen = 0
    for shape in shapes(count):
        for _ in range({1: 8, 2: 8, 3: 6, 4: 2}[count]):
            space = framework(drawn(draw, rerooted(shape, draw)), [draw.randint(1, count)])
            levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
            seen += judged(space, levels)
    assert seen > len(list(shapes(count)))


def with_loops(draw, count, alphabet="01"):
    """Draw parents, up to two of every record in a random order, and tables with zeros."""
    order, parents = draw.sample(range(1, count + 1), count), {}
    for index, record in enumerate(order):
        parents[record] = draw.sample(order[:index], min(index, draw.choice([0, 1, 2, 2, 2])))
    rows = {}
    for record, above in parents.items():
        keys = ["".join(key) for key in itertools.product(alphabet, repeat=len(above))]
        rows[record] = {key: row(draw, len(alphabet)) for key in keys}
    return BayesianNetwork(parents, rows)


def bounded(space, levels):
    """Compare both ends with linear programs, and what is shown with the audit of its mechanism."""
    expected = worst_column(space, levels)
    worst = worst_of_networks(space, levels)
    assert worst.leakage.lower <= expected.ratio <= worst.leakage.upper
    assert not worst.exact or worst.leakage.lower == expected.ratio
    mechanism = worst.mechanism().channel()
    assert_keeps(mechanism, levels, space)
    assert audit(space, mechanism).leakage.lower >= worst.leakage.lower
    return worst


@seeds(40)
def test_bounds_under_loops_hold_the_linear_program_and_a_noisy_count(seed):
    draw = random.Random(seed)
    count = draw.choice([1, 2, 3, 4, 5, 6])
    network, record = with_loops(draw, count), draw.randint(1, count)
    space = framework(network, [record])
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    try:
        worst_column(space, levels)
    except ModelError as error:
        with pytest.raises(ModelError, match=error.what[:20]):
            worst_of_networks(space, levels)
        return
    bounded(space, levels)
    equal = bounded(space, RecordLevels.uniform(count, ["log(3)"]))
    release = RecordQuery("sum", Noise.geometric("1/3"), Records(count, ("0", "1")))
    assert queries_leakage(space, NoisyQueries((release,))).leakage.lower <= equal.leakage.lower


@pytest.mark.parametrize("seed", range(6))
def test_bounds_of_three_values_under_loops_hold_the_linear_program(seed):
    draw = random.Random(seed)
    network = with_loops(draw, 3, "abc")
    places = {f"x2={v}": (2, v) for v in "abc"}
    space = Framework(Records(3, tuple("abc")), places, "disjoint", {"net": network})
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(3)])
    expected, worst = worst_column(space, levels), worst_of_networks(space, levels)
    assert worst.leakage.lower <= expected.ratio <= worst.leakage.upper
    assert audit(space, worst.mechanism().channel()).leakage.lower >= worst.leakage.lower


def grid(side):
    """Records in rows, every one with the parents above and to the left."""
    ends = {0: ["9/10", "1/10"], 1: ["1/2", "1/2"], 2: ["1/4", "3/4"]}
    parents = {i: [i - side] * (i > side) + [i - 1] * (i % side != 1) for i in range(1, side * side + 1)}
    keys = {0: [""], 1: ["0", "1"], 2: ["00", "01", "10", "11"]}
    rows = {i: {k: ends[k.count("1")] for k in keys[len(above)]} for i, above in parents.items()}
    return BayesianNetwork(parents, rows)


def test_a_grid_leaks_at_least_what_the_audit_of_a_noisy_count_shows():
    """Also of two releases, whose scales add up to one of their harmonic sum."""
    space = framework(grid(5), [13])
    release = RecordQuery("sum", Noise.laplace(10), Records(25, ("0", "1")))
    shown = queries_leakage(space, NoisyQueries((release,))).leakage.enclosure()
    for levels, runs in ((["0.1"], 1), (["0.05"], 2), (["0.03", "0.07"], 1)):
        worst = translate(space, levels, runs)
        assert worst.enclosure().lower[:14] == shown.lower[:14] == "0.496334287844"
        assert worst.bound == "elimination"
        assert worst.enclosure().upper[:8] == "0.745790"


@seeds(60)
def test_elimination_bounds_the_linear_program(seed):
    """And is exact where there are no loops, but for floats that are rounded up."""
    draw = random.Random(seed)
    count = draw.choice([2, 3, 4, 5, 6])
    loops = seed % 3
    if loops:
        network = with_loops(draw, count)
    else:
        shape = [None, *(draw.choice([None, *range(1, i)]) for i in range(2, count + 1))]
        network = drawn(draw, rerooted(shape, draw))
    space = framework(network, [draw.randint(1, count)])
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    try:
        expected = worst_column(space, levels).ratio
    except ModelError:
        return
    bound = eliminated(space, levels)
    assert expected <= bound
    assert loops or bound <= expected * (1 + Fraction(1, 10**9))


def test_counts_are_left_out_where_tables_are_too_large(monkeypatch):
    space = framework(grid(5), [25])
    before = translate(space, ["log(2)"])
    monkeypatch.setattr("pufferproof.lp.translation.networks._of_count", lambda *_: ())
    after = translate(space, ["log(2)"])
    assert (after.leakage.lower, after.leakage.upper) == (2, before.leakage.upper)
    assert before.leakage.lower > 2


def large(count, seed):
    draw = random.Random(seed)
    shape = [None, *(draw.randrange(max(1, i - 40), i) for i in range(2, count + 1))]
    tables = [[[F(k, 9), F(9 - k, 9)] for k in draw.choices(range(1, 9), k=2)] for _ in range(20)]
    kernels = [None, *(draw.choice(tables) for _ in range(count - 1))]
    parents = {i: [] if above is None else [above] for i, above in enumerate(shape, 1)}
    cpt = {i: dict(zip("01", k)) if k else {"": [F(1, 3), F(2, 3)]} for i, k in enumerate(kernels, 1)}
    return BayesianNetwork(parents, cpt), shape, kernels


def rounded_messages(parents, kernels, ratios):
    """The recursion of `tree_messages` in floats."""
    up, down = [float(r) for r in ratios], [float(r) for r in ratios]
    for bit in range(len(parents) - 1, 0, -1):
        (p00, p01), (p10, p11) = [[float(p) for p in r] for r in kernels[bit]]
        ends = [(p11 * t + p10) / (p01 * t + p00) for t in (up[bit], 1 / down[bit])]
        up[parents[bit]] *= max(ends)
        down[parents[bit]] *= 1 / min(ends)
    return max(up[0], down[0])


def told(mechanism, shape, kernels, value):
    """P(all records say 1 | root = value) over the same given the other value, in floats."""
    rows = [[float(r[1]) for r in channel] for channel in mechanism.laws.channels]
    means = [row[:] for row in rows]
    for record in range(len(shape), 1, -1):
        for v in (0, 1):
            kernel = kernels[record - 1][v]
            means[shape[record - 1] - 1][v] *= sum(float(p) * m for p, m in zip(kernel, means[record - 1]))
        top = max(means[shape[record - 1] - 1])
        means[shape[record - 1] - 1] = [m / top for m in means[shape[record - 1] - 1]]
    return means[0][int(value)] / means[0][1 - int(value)]


def test_the_recursion_of_small_trees_is_that_of_the_passes():
    draw = random.Random(3)
    for _ in range(60):
        count = draw.randint(1, 9)
        shape = [None, *(draw.randrange(1, i) for i in range(2, count + 1))]
        network = drawn(draw, {i: [] if p is None else [p] for i, p in enumerate(shape, 1)})
        families = families_of(network, Records(count, ("0", "1")))
        if not all(families[0].table):
            continue
        ratios = [F(draw.choice(["1", "2", "5/3"])) for _ in range(count)]
        kernels = [None, *([r for _, r in network.cpt[i - 1]] for i in range(2, count + 1))]
        expected = tree_messages([p and p - 1 for p in shape], kernels, ratios).ratio
        worst = worst_case(framework(network, [1]), RecordLevels.of([f"log({ratio})" for ratio in ratios]))
        assert worst.leakage.ratio == expected


def test_a_record_with_several_parents_is_named():
    both = {f"{a}{b}": [F(1 + 2 * a + b, 5), F(4 - 2 * a - b, 5)] for a in (0, 1) for b in (0, 1)}
    network = BayesianNetwork({1: [], 2: [], 3: [1, 2]}, {1: COIN, 2: COIN, 3: both})
    with pytest.raises(ModelError, match="several at record 3"):
        forest_of(families_of(network, Records(3, ("0", "1"))))
    triple = BayesianNetwork({1: []}, {1: {"": ["1/3", "1/3", "1/3"]}})
    with pytest.raises(ModelError, match="two values, found 3"):
        forest_of(families_of(triple, Records(1, ("a", "b", "c"))))


def test_what_needs_a_list_of_databases_says_so():
    space = framework(large(1_000, 1)[0], [3])
    assert len(space.pairs) == 1
    with pytest.raises(ModelError, match="2\\^1000 databases"):
        _ = space.databases
    with pytest.raises(ModelError, match="a Bayesian network works with noisy queries"):
        _ = space.chains
    with pytest.raises(ModelError, match=r"priors\.net: cpt\.3: expected 2 rows"):
        framework(BayesianNetwork({i: [] for i in range(1, 41)} | {3: [1]}, dict.fromkeys(range(1, 41), COIN)))


def test_bounds_stand_where_floats_find_no_optimum(monkeypatch):
    space = framework(with_loops(random.Random(5), 7), [3])
    levels, asked = RecordLevels.uniform(7, ["log(3)"]), []
    exact = worst_case(space, levels)
    assert exact.attained == "linear program"

    def unconfirmed(_space, _levels, _domain, patient):
        asked.append(patient)
        raise NotConfirmedError("none")

    monkeypatch.setattr(translate_module, "worst_column", unconfirmed)
    worst = worst_case(space, levels)
    assert worst.leakage == worst_of_networks(space, levels).leakage
    assert worst.leakage.lower <= exact.leakage.lower <= worst.leakage.upper
    largest = largest_level(space, "1")
    kept = RecordLevels(((7, Total.of([largest.kept])),))
    assert Level("1").compare(worst_of_networks(space, kept).leakage.upper) <= 0
    assert asked == [False] * 3  # once while the level is searched, once at the end


def test_a_record_that_no_other_tells_of_leaks_its_own_level():
    """A piece with loops apart from the secret record: both ends are the level itself."""
    apart = grid(5)
    parents = {i: list(above) for i, above in enumerate(apart.parents, 1)} | {26: []}
    rows = {i: dict(table) for i, table in enumerate(apart.cpt, 1)} | {26: COIN}
    space = framework(BayesianNetwork(parents, rows), [26])
    worst = translate(space, ["0.1"])
    assert (worst.exact, worst.compare(Level("0.1"))) == (True, 0)
    assert worst.enclosure() == Enclosure("0.1", "0.1")


def test_a_tree_of_four_thousand_records():
    """From the root it is the recursion, and the mechanism that is written attains it."""
    network, shape, kernels = large(4_000, 7)
    space = framework(network, [1])
    levels = RecordLevels.of(["log(2)", "log(3/2)"] * 2_000)
    worst = worst_case(space, levels)
    parents = [None if above is None else above - 1 for above in shape]
    rounded = rounded_messages(parents, kernels, [2, F(3, 2)] * 2_000)
    assert abs(float(worst.leakage.upper) / rounded - 1) < 1e-9
    shown = worst.mechanism()
    assert abs(told(shown, shape, kernels, worst.pair[0][-1]) / rounded - 1) < 1e-9


@pytest.mark.parametrize("record", [1, 700, 1_200])
def test_a_chain_written_as_a_tree_is_the_chain(record):
    """In any direction of the arrows, exactly for few records and within roundings for many."""
    for count in (30, 1_200):
        place = min(record, count)
        rows = [["3/4", "1/4"], ["2/5", "3/5"]]
        chain = MarkovChain("stationary", rows)
        steps = dict(zip("01", rows))
        start = {"": chain.initial_law()}
        forward = BayesianNetwork(
            {i: [i - 1] if i > 1 else [] for i in range(1, count + 1)},
            {i: steps if i > 1 else start for i in range(1, count + 1)},
        )
        backward = BayesianNetwork(  # of two values, a stationary chain is its own reverse
            {i: [i + 1] if i < count else [] for i in range(1, count + 1)},
            {i: steps if i < count else start for i in range(1, count + 1)},
        )
        secrets = {f"x{v}": (place, v) for v in "01"}
        levels = ["log(2)", "0.3"] if count > 30 else ["log(2)"]
        known = [
            translate(Framework(Records(count, ("0", "1")), secrets, "disjoint", {"p": p}), levels)
            for p in (chain, forward, backward)
        ]
        assert all(each.exact and each.attained == "count" for each in known)
        for each in known[1:]:
            assert each.leakage.lower <= known[0].leakage.upper
            assert known[0].leakage.lower <= each.leakage.upper
            assert each.leakage.upper / each.leakage.lower - 1 < F(1, 10**25)
        if count == 30:
            assert len({each.leakage.ratio for each in known}) == 1
