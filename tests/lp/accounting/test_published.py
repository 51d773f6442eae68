"""Published bounds of releases together against sums over all sequences: each applicable one is at
least the joint leakage, and is what its formula says.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import inf, log, prod
from random import Random

import pytest
from tests import seeds

from pufferproof import (
    Channel,
    Framework,
    LocalMechanism,
    MarkovChain,
    Noise,
    Product,
    RecordQuery,
    Records,
    Table,
    compose,
    published_bounds,
)
from pufferproof.lp.accounting.published.far import PublishedBound
from pufferproof.verify.influence.bounds import song_bound
from pufferproof.verify.leakage.ratio import Leakage

F = Fraction
ONE = F(1)
STEPS = [
    [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]],
    [[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2)]],
    [[F(1, 10), F(9, 10)], [F(4, 5), F(1, 5)]],  # a negative eigenvalue
    [[F(0), ONE], [ONE, F(0)]],
    [[ONE, F(0)], [F(0), ONE]],
    [[ONE, F(0)], [F(1, 3), F(2, 3)]],
    [[F(0), ONE], [F(1, 2), F(1, 2)]],
    [[F(0), ONE, F(0)], [F(1, 2), F(0), F(1, 2)], [F(1, 3), F(1, 3), F(1, 3)]],
    [[F(1, 6), F(1, 3), F(1, 2)], [F(1, 3), F(1, 2), F(1, 6)], [F(1, 6), F(1, 2), F(1, 3)]],
]


class Case:
    """A chain, two or three segments and a query with noise on each, all by enumeration."""

    def __init__(self, random, number=2):
        step = random.choice(STEPS)
        k = len(step)
        starts = [[F(1, k)] * k, [ONE, *[F(0)] * (k - 1)], [F(1, 2), F(1, 2), *[F(0)] * (k - 2)]]
        self.start, self.step, self.k = random.choice(starts), step, k
        self.spans, at = [], 1 + random.randrange(2)
        for _ in range(number):
            last = at + random.choice([0, 0, 1] if number > 2 or k > 2 else [0, 1, 1, 2])
            self.spans.append((at, last))
            at = last + 1 + random.choice([0, 0, 1])
        self.count = self.spans[-1][1] + random.randrange(2)
        self.records = Records(self.count, tuple("012"[:k]))
        self.names = [random.choice(["sum", "histogram", "count"]) for _ in self.spans]
        self.decays = [random.choice([F(1, 2), F(1, 3), F(2, 3)]) for _ in self.spans]
        self.laplace = random.random() < 0.7
        self.law, self.grid = cache(self._law), cache(self._grid)
        self.density, self.likelihoods = cache(self._density), cache(self._likelihoods)

    @property
    def prior(self):
        return MarkovChain(self.start, self.step)

    def framework(self, records):
        secrets = {f"x{t}={v}": (t, str(v)) for t in records for v in range(self.k)}
        return Framework.of_records(self.records, secrets, "disjoint", {"theta": self.prior})

    def queries(self):
        for name, span, decay in zip(self.names, self.spans, self.decays):
            noise = Noise.laplace(f"1/log({1 / decay})") if self.laplace else Noise.geometric(decay)
            counted = "1" if name == "count" else None
            yield RecordQuery(name, noise, self.records, span, counted)

    def _law(self):
        law = {}
        for x in product(range(self.k), repeat=self.count):
            p = self.start[x[0]]
            for now, then in pairwise(x):
                p *= self.step[now][then]
            if p:
                law[x] = p
        return law

    def value(self, at, x):
        first, last = self.spans[at]
        inside = x[first - 1 : last]
        if self.names[at] == "histogram":
            return tuple(inside.count(v) for v in range(self.k))
        return (sum(inside) if self.names[at] == "sum" else inside.count(1),)

    def _grid(self, at):
        values = {self.value(at, x) for x in self.law()}
        return list(product(*({v[c] for v in values} for c in range(len(next(iter(values)))))))

    def _density(self, at, values, w):
        return self.decays[at] ** sum(abs(one - other) for one, other in zip(values, w))

    def given(self, record, value):
        part = {x: p for x, p in self.law().items() if x[record - 1] == value}
        total = sum(part.values())
        return {x: p / total for x, p in part.items()} if total else None

    def _likelihoods(self, record, value, which):
        law = self.given(record, value)
        if law is None:
            return None
        shown = Counter()
        for x, p in law.items():
            shown[tuple(self.value(at, x) for at in which)] += p
        return {
            ws: sum(p * self._all(which, values, ws) for values, p in shown.items())
            for ws in product(*(self.grid(at) for at in which))
        }

    def _all(self, which, values, ws):
        return prod(self.density(at, v, w) for at, v, w in zip(which, values, ws))

    def leakage(self, records, which):
        best = ONE
        for t in records:
            laws = [self.likelihoods(t, v, which) for v in range(self.k)]
            known = [law for law in laws if law is not None]
            for one, other in product(known, repeat=2):
                best = max(best, *(one[w] / other[w] for w in one))
        return best

    def influence(self, record, others):
        """e^e of a set of records, None if infinite."""
        laws = []
        for v in range(self.k):
            law = self.given(record, v)
            if law is not None:
                shown = {}
                for x, p in law.items():
                    key = tuple(x[t - 1] for t in others)
                    shown[key] = shown.get(key, F(0)) + p
                laws.append(shown)
        best = ONE
        for one, other in product(laws, repeat=2):
            for key, p in one.items():
                if key not in other:
                    return None
                best = max(best, p / other[key])
        return best

    def divergence(self, records):
        best = ONE
        places = [(t, self.possible(t)) for t in records]
        for t, v in ((t, v) for t, values in places if len(values) > 1 for v in values):
            both = self.likelihoods(t, v, (0, 1))
            one, other = (self.likelihoods(t, v, (at,)) for at in (0, 1))
            for (y, z), p in both.items():
                ratio = p / (one[y,] * other[z,])
                best = max(best, ratio, 1 / ratio)
        return best

    def possible(self, record):
        return [v for v in range(self.k) if self.given(record, v) is not None]

    def uncertain(self):
        return any(len(self.possible(t)) > 1 for t in self.secrets())

    def secrets(self):
        return [t for first, last in self.spans for t in range(first, last + 1)]


def by_theorem(framework, mechanisms, runs=1):
    found = published_bounds(compose(framework, mechanisms, runs))
    return {each.theorem: each for each in found.bounds}, found


def least(*ratios):
    return min((each for each in ratios if each is not None), default=None)


@seeds(120)
def test_no_applicable_bound_is_below_the_joint_leakage(seed):
    case = Case(Random(seed))
    framework = case.framework(case.secrets())
    if not case.uncertain():
        return
    bounds, found = by_theorem(framework, list(case.queries()))
    joint = case.leakage(case.secrets(), (0, 1))
    assert found.joint.ratio == joint
    for each in bounds.values():
        assert each.bound is None or each.bound.upper >= joint, each
        assert (each.bound is None) == bool(each.reason)
    T2, T3 = case.spans[0][1], case.spans[1][0]
    R, S = (case.leakage(range(s, e + 1), (at,)) for at, (s, e) in enumerate(case.spans))
    forward, backward = case.influence(T2, [T3]), case.influence(T3, [T2])
    wanted = max(
        least(R * S, None if forward is None else R * forward), least(R * S, None if backward is None else S * backward)
    )
    assert bounds["III.1"].bound.ratio == wanted
    E = case.divergence(case.secrets())
    assert bounds["III.6"].parts["E"].ratio == E
    alone = [case.leakage(case.secrets(), (at,)) for at in (0, 1)]
    assert bounds["III.6"].bound.ratio == alone[0] * alone[1] * E**2
    assert (bounds["III.7"].bound is None) == (not case.laplace)
    if case.laplace:
        _expect_levels(case, bounds["III.7"])
    assert found.smallest.bound.upper == min(each.bound.upper for each in bounds.values() if each.bound is not None)


def _expect_levels(case, found):
    """The level of a run: over records the least over quilts of e^e t^-(L card(N))."""
    total = ONE
    for at, name in enumerate(case.names):
        lipschitz = {"sum": case.k - 1, "histogram": 2, "count": 1}[name]
        level = ONE
        for i in case.secrets():
            if len(case.possible(i)) < 2:
                continue
            scores = []
            for left, right in product([None, *range(1, i)], [None, *range(i + 1, case.count + 1)]):
                e = case.influence(i, [t for t in (left, right) if t is not None])
                near = (right or case.count + 1) - (left or 0) - 1
                if e is not None:
                    scores.append(e * case.decays[at] ** (-lipschitz * near))
            level = max(level, min(scores))
        part = found.parts[f"eps_{at + 1}"]
        assert part.lower <= level <= part.upper
        assert part.upper - part.lower < level / 10**20
        total *= level
    assert found.bound.lower <= total <= found.bound.upper


@seeds(16)
def test_releases_about_several_segments_are_no_pair(seed):
    case = Case(Random(seed), 3)
    framework = case.framework(case.secrets())
    if not case.uncertain():
        return
    bounds, found = by_theorem(framework, list(case.queries()))
    assert "III.6" not in bounds
    assert bounds["III.1"].bound is None
    assert "(found 3)" in bounds["III.1"].reason
    assert found.joint.lower >= 1


def flags():
    """The counterexample to the printed theorem (song2017.thm-III1): flags on X_2 and X_3."""
    low, high = F(1, 20), F(19, 20)
    nothing = [[F(1, 2), F(1, 2)]] * 2
    first = [nothing, [[low, high], [high, low]], nothing, nothing]
    second = [nothing, nothing, [[F(1, 5), F(4, 5)], [high, low]], nothing]
    prior = MarkovChain(["3/4", "1/4"], [["1/2", "1/2"], ["1/4", "3/4"]])
    records = Records(4, ("0", "1"))
    secrets = {f"x{t}={v}": (t, v) for t in range(1, 5) for v in "01"}
    return (
        Framework.of_records(records, secrets, "disjoint", {"theta": prior}),
        [LocalMechanism("01", "uv", rows) for rows in (first, second)],
    )


@pytest.mark.parametrize("written_out", [False, True])
def test_the_printed_bound_is_below_the_joint_leakage_and_the_repaired_one_is_not(written_out):
    framework, mechanisms = flags()
    outside = framework
    inside = Framework.of_records(
        framework.records, {f"x{t}={v}": (t, v) for t in (2, 3) for v in "01"}, "disjoint", framework.priors
    )
    given = [each.channel() for each in mechanisms] if written_out else mechanisms
    assert by_theorem(outside, given)[0]["III.1"].bound is None  # X_1 and X_4 are seen by none
    bounds, found = by_theorem(inside, given)
    repaired = bounds["III.1"]
    R, S, forward, backward = (each.ratio for each in repaired.parts.values())
    printed = max(min(R * S, R * backward), min(R * S, S * forward))
    assert 1 < printed < found.joint.ratio <= repaired.bound.ratio
    assert repaired.bound.ratio == max(min(R * S, R * forward), min(R * S, S * backward))
    assert repaired.claim == "song2017.thm-III1-repaired"
    with pytest.raises(AssertionError, match="exceeds the bound of III"):
        PublishedBound("III.1", "", "", Leakage.of(printed)).above(found.joint)


def far(gap, length=60, scale=20, step=(("1/2", "1/2"), ("1/3", "2/3"))):
    """Two sums over segments of a fast chain, and a secret in the middle of the first one."""
    spans = [(1, length), (length + gap, 2 * length + gap - 1)]
    records = Records(spans[1][1], ("0", "1"))
    secrets = {f"x={v}": (length // 2, v) for v in "01"}
    prior = MarkovChain("stationary", step)
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": prior})
    noise = Noise.laplace(scale)
    return framework, [RecordQuery("sum", noise, records, span) for span in spans]


def test_far_segments_leak_the_larger_level():
    framework, queries = far(59)
    bounds, found = by_theorem(framework, queries)
    bound = bounds["III.3"]
    assert bound.bound.upper >= found.joint.upper
    level, two_sided = _approximate(framework, 60, 20)
    assert log(bound.bound.upper) == pytest.approx(level, abs=1e-9)
    assert two_sided
    assert [each.margin for each in bound.conditions if "T3 - T2" in each.says] == [0]
    short = by_theorem(*far(58))[0]["III.3"]
    assert short.bound is None
    assert "T3 - T2 >= max{T2 - T1, T4 - T3} (1 record short)" in short.reason


def _approximate(framework, size, scale):
    """The least level of MQMApprox on a segment, in floats, and whether a quilt is two-sided."""
    bound = song_bound(framework.priors["theta"].transition)
    h = {d: None if (r := bound.at(None, d)) is None else log(r.upper) for d in range(1, size)}

    def quilts(i):
        yield size, 0, False
        for a in range(1, i):
            if h[a] is not None:
                yield size - i + a, 2 * h[a], False
        for b in range(1, size - i + 1):
            if h[b] is not None:
                yield i + b - 1, h[b], False
        for a, b in product(range(1, i), range(1, size - i + 1)):
            if h[a] is not None and h[b] is not None:
                yield a + b - 1, 2 * h[a] + h[b], True

    level = max(min(e + n / scale for n, e, _ in quilts(i)) for i in range(1, size + 1))
    active = [
        min((n / (level - e) if e < level else inf, two) for n, e, two in quilts(i))[1] for i in range(1, size + 1)
    ]
    return level, any(active)


@pytest.mark.parametrize("length", [3, 12, 20, 30, 45])
@pytest.mark.parametrize("scale", [2, 7, 20])
def test_active_quilts_are_those_of_every_record(length, scale):
    framework, queries = far(length, length=length, scale=scale)
    bound = by_theorem(framework, queries)[0]["III.3"]
    level, two_sided = _approximate(framework, length, scale)
    assert (bound.bound is not None) == two_sided
    assert log(bound.parts["eps_A"].upper) == pytest.approx(level, abs=1e-9)
    margins = [each.margin for each in bound.conditions if "two nodes" in each.says]
    assert len(margins) == 2
    assert all(m is None or (m > 0) == two_sided for m in margins)


def test_a_periodic_chain_has_no_bound_by_far_segments():
    """P P* is the identity."""
    framework, queries = far(60, step=((0, 1), (1, 0)))
    reason = by_theorem(framework, queries)[0]["III.3"].reason
    assert "1 a simple eigenvalue of P P*" in reason


def test_what_the_theorems_do_not_cover_is_no_bound():
    records = Records(4, ("0", "1"))
    places = {f"x{t}={v}": (t, v) for t in (1, 2) for v in "01"}
    chain = MarkovChain("stationary", STEPS[0])
    noise = Noise.laplace("1/log(2)")
    queries = [RecordQuery("sum", noise, records, span) for span in ((1, 2), (4, 4))]
    apart = Product([["1/2", "1/2"]] * 4)
    framework = Framework.of_records(records, places, "disjoint", {"theta": apart})
    bounds = by_theorem(framework, queries)[0]
    assert all("Markov chain" in bounds[each].reason for each in ("III.1", "III.3", "III.7"))
    assert bounds["III.6"].bound is not None
    of_chain = Framework.of_records(records, places, "disjoint", {"theta": chain})
    gaussian = [RecordQuery("sum", Noise.gaussian(1), records, q.segment) for q in queries]
    bounds = by_theorem(of_chain, gaussian)[0]
    assert all(each.bound is None for each in bounds.values())
    overlap = [queries[0], RecordQuery("sum", noise, records, (2, 3))]
    assert "(found 1)" in by_theorem(of_chain, overlap)[0]["III.1"].reason
    four = by_theorem(of_chain, queries, runs=2)
    assert four[0]["III.1"].bound.upper >= four[1].joint.upper
    assert "III.6" not in four[0]
    hull = Framework.of_records(records, places, "disjoint", {"theta": chain}, "convex")
    coin = Channel.of({x: ["1/2", "1/2"] for x in records.labels()}, ["u", "v"])
    assert not published_bounds(compose(hull, [coin, coin])).bounds


@seeds(60)
def test_listed_releases_leak_at_most_the_sum_and_twice_the_divergence(seed):
    random = Random(seed)
    size = 2 + random.randrange(3)
    labels = [f"d{at}" for at in range(size)]
    cut = 1 + random.randrange(size - 1)
    weights = [F(random.randrange(1, 4)) for _ in labels]
    prior = Table({x: w / sum(weights) for x, w in zip(labels, weights)})
    secrets = {"s": labels[:cut], "t": labels[cut:]}
    framework = Framework(labels, secrets, [("s", "t")], {"theta": prior})

    def rows():
        law = [F(random.choice([0, 1, 1, 2, 3])) for _ in range(3)]
        law[random.randrange(3)] += 1
        return [p / sum(law) for p in law]

    tables = [{x: rows() for x in labels} for _ in range(2)]
    given = [Channel.of(table, ["u", "v", "w"]) for table in tables]
    (bound,), found = (lambda b, f: (list(b.values()), f))(*by_theorem(framework, given))
    E = ONE
    for held in secrets.values():
        total = sum(prior.law(tuple(labels), None).weights[labels.index(x)] for x in held)
        law = {x: F(prior.law(tuple(labels), None).weights[labels.index(x)], total) for x in held}
        for y, z in product(range(3), repeat=2):
            both = sum(p * tables[0][x][y] * tables[1][x][z] for x, p in law.items())
            apart = sum(p * tables[0][x][y] for x, p in law.items()) * sum(p * tables[1][x][z] for x, p in law.items())
            if bool(both) != bool(apart):
                E = None
            elif both and E is not None:
                E = max(E, both / apart, apart / both)
    assert bound.parts["E"].ratio == E
    assert bound.parts["E"].infinite == (E is None)
    if bound.bound is not None:
        assert bound.bound.ratio >= found.joint.ratio
