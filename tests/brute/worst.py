"""Cones of columns from the definition, slowly: extreme rays by trying every set of tight
inequalities; what a claim owes.
"""

from fractions import Fraction
from itertools import combinations, product

from tests.brute.definitions import INFINITE, probabilities


def laws(framework):
    """List (mu, nu) over the databases of a framework for every prior and ordered pair with
    both secrets possible.
    """
    found = []
    for prior in framework.priors:
        theta = probabilities(framework, prior)
        for left, right in framework.pairs:
            for s, t in [(left, right), (right, left)]:
                mu, nu = (
                    [
                        theta[x] if i in framework.secrets[secret] else Fraction(0)
                        for i, x in enumerate(framework.databases)
                    ]
                    for secret in (s, t)
                )
                if sum(mu) and sum(nu):
                    found.append((tuple(p / sum(mu) for p in mu), tuple(p / sum(nu) for p in nu)))
    return found


def dot(row, u):
    return sum((a * c for a, c in zip(row, u)), Fraction(0))


def allowed(pairs, u, ratio):
    return min(u) >= 0 and all(dot(mu, u) <= ratio * dot(nu, u) for mu, nu in pairs)


def rays(pairs, ratio):
    """List the extreme rays of C_R, each with sum 1: kernels of rank N - 1 sets of inequalities
    that lie in the cone.
    """
    size = len(pairs[0][0])
    rows = [tuple(Fraction(i == x) for i in range(size)) for x in range(size)]
    rows += [tuple(ratio * n - m for m, n in zip(mu, nu)) for mu, nu in pairs]
    found = set()
    for chosen in combinations(rows, size - 1):
        kernel = _kernel(chosen, size)
        if kernel is not None:
            for sign in (1, -1):
                u = [sign * c for c in kernel]
                if allowed(pairs, u, ratio):
                    found.add(tuple(c / sum(u) for c in u))
    return sorted(found)


def _kernel(rows, size):
    """Return a vector that spans the kernel, None unless the rank is size - 1."""
    matrix, pivots = [list(row) for row in rows], []
    for column in range(size):
        place = next((i for i in range(len(pivots), len(matrix)) if matrix[i][column]), None)
        if place is None:
            continue
        top = len(pivots)
        matrix[top], matrix[place] = matrix[place], matrix[top]
        matrix[top] = [value / matrix[top][column] for value in matrix[top]]
        for i, row in enumerate(matrix):
            if i != top and row[column]:
                matrix[i] = [a - row[column] * b for a, b in zip(row, matrix[top])]
        pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    kernel = [Fraction(0)] * size
    kernel[free[0]] = Fraction(1)
    for row, column in zip(matrix, pivots):
        kernel[column] = -row[free[0]]
    return kernel


def worst(pairs, *lists):
    """Return L*_K over tuples of rays, one from each list, INFINITE for a collapse."""
    best = Fraction(0)
    products = {tuple(Fraction(1) for _ in lists[0][0])}
    for one in lists:
        products = {tuple(a * b for a, b in zip(u, v)) for u, v in product(products, one)}
    for mu, nu in pairs:
        for u in products:
            above, below = dot(mu, u), dot(nu, u)
            if above and not below:
                return INFINITE
            best = max(best, above / below if below else Fraction(0))
    return best
