"""Claims on finite joint leakage and its rate: as brute force finds on small
frameworks.
"""

import random
from fractions import Fraction
from itertools import product

from tests.brute.worst import INFINITE, laws, rays, worst
from tests.examples import seeds

from pufferproof import Channel, Framework, Table
from pufferproof.models.mechanisms.releases import repeat


def random_framework(draw):
    names = ("a", "b", "c", "d")[: draw.choice([3, 4])]
    cut = draw.randrange(1, len(names))
    secrets = {"s": list(names[:cut]), "t": list(names[cut:])}
    priors = {}
    for prior in range(draw.choice([1, 2, 3])):
        weights = {x: draw.choice([1, 2, 3, 4]) for x in names}
        priors[f"p{prior}"] = Table(
            {x: Fraction(w, sum(weights.values())) for x, w in weights.items()}
        )
    return Framework(names, secrets, [("s", "t")], priors)


def implied(columns, x, y):
    return all(u[y] > 0 for u in columns if u[x] > 0)


@seeds(25)
def test_finiteness_is_decided_by_implications_on_the_cone(seed):
    """(c), evaluated at the rays, against L*_K for K = max |supp nu|; (d) bounds L*_K by
    kappa^K / b.
    """
    draw = random.Random(seed)
    framework, ratio = (
        random_framework(draw),
        draw.choice([Fraction(1), Fraction(6, 5), Fraction(3, 2), Fraction(3)]),
    )
    pairs, runs = laws(framework), 3
    columns = rays(pairs, ratio)
    size = range(len(columns[0]))
    chosen = [
        [next((y for y in size if nu[y] and implied(columns, x, y)), None) for x in size if mu[x]]
        for mu, nu in pairs
    ]
    finite = all(y is not None for row in chosen for y in row)
    found = worst(pairs, *[columns] * runs)
    assert (found is not INFINITE) == finite
    if finite:
        kappa = max(
            u[x] / u[y]
            for (mu, nu), row in zip(pairs, chosen)
            for x, y in zip([x for x in size if mu[x]], row)
            for u in columns
            if u[x]
        )
        assert found <= kappa**runs / min(p for _, nu in pairs for p in nu if p)


def triple_framework():
    """Return the framework with collapse number 3 at e^epsilon = 4/3."""
    laws = {"p1": (1, 2, 2), "p2": (2, 1, 2), "p3": (2, 2, 1)}
    names = ("a", "b1", "b2", "b3")
    priors = {
        name: Table(dict(zip(names, [Fraction(1, 2), *(Fraction(w, 10) for w in law)])))
        for name, law in laws.items()
    }
    return Framework(names, {"a": ["a"], "b": list(names[1:])}, [("a", "b")], priors)


def test_three_releases_collapse_where_two_do_not():
    pairs = laws(triple_framework())
    columns = rays(pairs, Fraction(4, 3))
    assert worst(pairs, columns, columns) is not INFINITE
    assert worst(pairs, columns, columns, columns) is INFINITE
    closer, wider = rays(pairs, Fraction(8, 7)), rays(pairs, Fraction(3, 2))
    assert worst(pairs, *[closer] * 4) is not INFINITE
    assert worst(pairs, wider, wider) is INFINITE


def ratio_of(pairs, channel, databases):
    found = Fraction(0)
    for output in channel.outputs:
        column = [channel.probability(x, output) for x in databases]
        for mu, nu in pairs:
            above, below = (sum(p * u for p, u in zip(law, column)) for law in (mu, nu))
            if above and not below:
                return INFINITE
            found = max(found, above / below if below else Fraction(0))
    return found


def test_repeated_runs_stay_between_the_bounds_of_the_rate():
    """a: (1/2, 1/2); b1: (1/5, 4/5), b2: (4/5, 1/5): against a the weights 1/2, 1/2 give e^V =
    (1/2)/sqrt(4/25) = 5/4.

    Backwards, b against a, e^V = (4/5)/(1/2) = 8/5, which one output repeated reaches; so the rate
    is log(8/5).
    """
    half = Fraction(1, 2)
    theta = Table({"a": half, "b1": Fraction(1, 4), "b2": Fraction(1, 4)})
    framework = Framework(
        ["a", "b1", "b2"], {"s": ["a"], "t": ["b1", "b2"]}, [("s", "t")], {"theta": theta}
    )
    channel = Channel.of(
        {"a": [half, half], "b1": ["1/5", "4/5"], "b2": ["4/5", "1/5"]}, ["u", "v"]
    )
    forward, backward = laws(framework)
    for runs in range(1, 13):
        joint = repeat(channel, runs)
        there, back = (ratio_of([pair], joint, framework.databases) for pair in (forward, backward))
        assert half * Fraction(8, 5) ** runs <= back <= 2 * Fraction(8, 5) ** runs
        assert there <= 2 * Fraction(5, 4) ** runs
        if runs % 2 == 0:
            assert there >= Fraction(5, 4) ** runs


def test_zeros_are_collected_by_spare_runs():
    """b2 excludes u once, b1 never does: the quotient at b1 alone is the rate 3/2 of a against
    b, mu_a = 1.
    """
    theta = Table({"a": "1/2", "b1": "1/4", "b2": "1/4"})
    framework = Framework(
        ["a", "b1", "b2"], {"s": ["a"], "t": ["b1", "b2"]}, [("s", "t")], {"theta": theta}
    )
    rows = {"a": ["1/4", "3/4"], "b1": ["1/2", "1/2"], "b2": [0, 1]}
    channel = Channel.of(rows, ["u", "v"])
    forward = laws(framework)[:1]
    for runs in range(2, 12):
        found = ratio_of(forward, repeat(channel, runs), framework.databases)
        assert Fraction(3, 2) ** (runs - 1) * half_of_one() <= found <= 2 * Fraction(3, 2) ** runs


def half_of_one():
    """u once costs the factor (1/4)/(1/2) at b1."""
    return Fraction(1, 4) / Fraction(1, 2)


def test_the_rate_over_all_mechanisms_bounds_every_joint_ratio():
    """Singletons against complements on three equal databases at R = 3/2: values of games by
    exhaustion of pure weights.
    """
    third = Fraction(1, 3)
    names = ("a", "b", "c")
    secrets = {x: [x] for x in names} | {f"not {x}": [y for y in names if y != x] for x in names}
    framework = Framework(
        names,
        secrets,
        [(x, f"not {x}") for x in names],
        {"even": Table(dict.fromkeys(names, third))},
    )
    pairs = laws(framework)
    columns = rays(pairs, Fraction(3, 2))
    kappa = max(u[x] / u[y] for u in columns for x, y in product(range(3), repeat=2))
    for runs in (1, 2, 3):
        assert worst(pairs, *[columns] * runs) <= 2 * kappa**runs
