"""Claims on delta of several releases, the relaxation and mixtures: as explicit
mechanisms show.
"""

from fractions import Fraction

from tests.brute.definitions import delta, leakage
from tests.brute.worst import INFINITE, laws, rays, worst

from pufferproof import Channel, Framework, Table
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.mechanisms.releases import adaptive_compose

F = Fraction


def tables_framework():
    """Return the framework with laws (1/4, 3/4) on a1, a2 and (1/2, 1/2) on b1, b2."""
    weights = {"a1": "1/8", "a2": "3/8", "b1": "1/4", "b2": "1/4"}
    return Framework(
        list(weights),
        {"a": ["a1", "a2"], "b": ["b1", "b2"]},
        [("a", "b")],
        {"theta": Table(weights)},
    )


def table_mechanism(corner):
    """Return the mechanism of level 0 whose outputs are the cells of the table with `corner` at
    (a1, b1).
    """
    cells = {
        "11": corner,
        "12": F(1, 4) - corner,
        "21": F(1, 2) - corner,
        "22": F(1, 4) + corner,
    }
    laws = {"a1": F(1, 4), "a2": F(3, 4), "b1": F(1, 2), "b2": F(1, 2)}
    rows = {
        label: {
            cell: (p / law if cell[label[0] == "b"] == label[1] else F(0))
            for cell, p in cells.items()
        }
        for label, law in laws.items()
    }
    return Channel.of(rows, list(cells))


def test_adaptivity_raises_delta():
    framework, corners = tables_framework(), (F(0), F(1, 8), F(1, 4))
    assert all(leakage(framework, table_mechanism(s))[0] == 1 for s in corners)
    independent = {
        (s, t): delta(framework, table_mechanism(s).beside(table_mechanism(t)), F(1))
        for s in corners
        for t in corners
    }
    assert max(independent.values()) == independent[F(0), F(1, 4)] == F(2, 3)
    second = {"11": F(0), "12": F(1, 4), "21": F(1, 4), "22": F(0)}
    adaptive = adaptive_compose(
        table_mechanism(F(0)), {cell: table_mechanism(t) for cell, t in second.items()}
    )
    assert delta(framework, adaptive, F(1)) == F(3, 4)
    assert all(
        delta(
            framework,
            adaptive_compose(table_mechanism(s), dict(zip(second, map(table_mechanism, after)))),
            F(1),
        )
        <= F(3, 4)
        for s in (F(0), F(1, 4))
        for after in [
            (a, b, c, d)
            for a in (0, F(1, 4))
            for b in (0, F(1, 4))
            for c in (0, F(1, 4))
            for d in (0, F(1, 4))
        ]
    )


def relaxed(pairs, one, two):
    """Solve the relaxation for two levels by linear programs, one for each pair; INFINITE if
    one is unbounded.
    """
    size, best = len(pairs[0][0]), F(0)
    first, second = (
        [[m - ratio * n for m, n in zip(mu, nu)] for mu, nu in pairs] for ratio in (one, two)
    )

    def cell(x, y):
        return x * size + y

    rows = [Row({cell(x, y): a[x] for x in range(size)}, "<=") for a in first for y in range(size)]
    rows += [
        Row({cell(x, y): b[y] for y in range(size)}, "<=") for b in second for x in range(size)
    ]
    rows += [
        Row({cell(x, y): a[x] * b[y] for x in range(size) for y in range(size)}, ">=")
        for a in first
        for b in second
    ]
    for mu, nu in pairs:
        norm = Row({cell(x, x): nu[x] for x in range(size) if nu[x]}, "=", 1)
        solution = solve_exact(
            Program({cell(x, x): mu[x] for x in range(size) if mu[x]}, [*rows, norm], size * size)
        )
        if solution.value is None:
            return INFINITE
        best = max(best, solution.value)
    return best


def test_the_relaxation_is_exact_for_two_databases_and_an_upper_bound_for_three():
    two = laws(
        Framework(
            "ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": Table({"a": "1/3", "b": "2/3"})}
        )
    )
    assert relaxed(two, F(2), F(3)) == worst(two, rays(two, F(2)), rays(two, F(3))) == 6
    secrets = {x: [x] for x in "abc"} | {f"not {x}": [y for y in "abc" if y != x] for x in "abc"}
    theta = Table({"a": "1/2", "b": "1/3", "c": "1/6"})
    three = laws(Framework("abc", secrets, [(x, f"not {x}") for x in "abc"], {"p": theta}))
    exact = worst(three, rays(three, F(2)), rays(three, F(3, 2)))
    bound = relaxed(three, F(2), F(3, 2))
    assert bound is INFINITE or exact <= bound
