"""Programs as people write them for NumPy, whose exact laws tests compute and sample."""

import numpy as np


def sparse_vector(variant, epsilon=1.0, cut=1):
    """A variant of Lyu, Su and Li (PVLDB 2017), threshold 0, queries of sensitivity 1."""
    half = epsilon / 2
    first = {4: 4 / epsilon}.get(variant, 1 / half)
    second = {1: 2 * cut / half, 4: 4 / 3 / epsilon, 6: 1 / half}

    def program(database, rng):
        threshold, out, above = rng.laplace(scale=first), "", 0
        for query in map(int, database):
            noise = rng.laplace(scale=second[variant]) if variant in second else 0
            if query + noise < threshold:
                out += "_"
                continue
            out += "T"
            above += 1
            if variant in (1, 4) and above == cut:
                break
        return out

    return program


def noisy_max(kind, scale):
    """The place of the largest noisy score."""

    def program(database, rng):
        best, at = None, None
        for i, score in enumerate(map(int, database)):
            noisy = score + getattr(rng, kind)(scale=scale)
            if best is None or noisy > best:
                best, at = noisy, i
        return at

    return program


IDIOMS = {}


def idiom(program):
    IDIOMS[program.__name__] = program
    return program


@idiom
def argmax(database, rng):
    counts = np.array([database.count("0"), 1, 0])
    return int(np.argmax(counts + rng.laplace(scale=2.0, size=3)))


@idiom
def argmin_of_spread_scales(database, rng):
    return np.argmin(rng.laplace(scale=np.array([1.0, 2.0, 0.5])))


@idiom
def argsort(database, rng):
    return "".join(map(str, np.argsort(np.array([2, 0, 1]) + rng.exponential(0.5, size=3))))


@idiom
def middle(database, rng):
    x = np.sort(rng.laplace(size=3))
    return int(x[1] > 1) + int(x[0] > -1)


@idiom
def median(database, rng):
    return bool(np.median(rng.laplace(size=3) + 2) > 1)


@idiom
def where(database, rng):
    return np.where(rng.laplace(size=3) > 0, 1, 0)


@idiom
def mask(database, rng):
    return np.sum(rng.random(4) < 0.3)


@idiom
def walk(database, rng):
    return "".join("+" if x > 0 else "-" for x in np.cumsum(rng.laplace(size=3)))


@idiom
def mean(database, rng):
    return bool(np.mean(rng.random(3)) > 0.4)


@idiom
def clip(database, rng):
    x = np.clip(2 + rng.laplace(), 0, 3)
    return "top" if x >= 3 else "low" if x <= 0 else "middle"


@idiom
def circle(database, rng):
    x, y, z = rng.laplace(size=3)
    return str(x < y + 1) + str(y < z + 1) + str(z < x + 1)


@idiom
def sum_of_three(database, rng):
    x, y, z = rng.laplace(size=3)
    return str(x + y > z) + str(x > 0)


@idiom
def triangle(database, rng):
    x, y, z = rng.random(3)
    return str(x + y > z) + str(y + z > x) + str(x + z > y)


@idiom
def ties(database, rng):
    x = rng.laplace()
    return str(x <= x) + str(x < x) + str(x == x) + str(x - x >= 0) + str(x >= 1)


@idiom
def no_scale(database, rng):
    x = 2 + rng.laplace(scale=0)
    return str(x >= 2) + str(x > 2) + str(rng.exponential(0) <= 0)


@idiom
def far_scales(database, rng):
    return bool(rng.laplace(scale=1e6) > rng.laplace(scale=1e-6) + 2)


@idiom
def tenths(database, rng):
    return str(0.1 * rng.random() + 0.2 > 0.25) + str(rng.random() < 0.1)


@idiom
def recursion(database, rng):
    def depth(d):
        return 0 if d == 0 or rng.random() < 0.5 else 1 + depth(d - 1)

    return depth(5)


@idiom
def exceptions(database, rng):
    try:
        if rng.laplace() > 1:
            raise KeyError
        return "a" if rng.laplace() > 0 else "b"
    except Exception:
        return "c"


@idiom
def whole(database, rng):
    x = np.clip(rng.laplace(scale=2), -2, 2.5)
    return int(np.floor(x)), int(x), round(x), int(np.round(x))


@idiom
def text_of_rounded(database, rng):
    return str(round(np.clip(rng.laplace() * 0.5, -1, 1), 1))


@idiom
def text_of_array(database, rng):
    return str(np.round(np.clip(rng.laplace(size=2), -1, 1)))


@idiom
def reordered(database, rng):
    letters = list(database[:3])
    rng.shuffle(letters)
    return "".join(letters) + "".join(rng.permutation(["a", "b"]))


@idiom
def two_of_four(database, rng):
    return sorted(int(i) for i in rng.choice(4, size=2, replace=False))


@idiom
def large_integers(database, rng):
    x = np.int64(3) * rng.laplace() + np.int64(2**40)
    return bool(x > np.int64(2**40) + np.float32(0.5))


@idiom
def top_two(database, rng):
    return sorted(np.argpartition(rng.laplace(size=4) + np.arange(4), -2)[-2:].tolist())


@idiom
def matrix(database, rng):
    return (rng.laplace(size=(2, 2)).sum(axis=0) > 0).tolist()


@idiom
def product(database, rng):
    return bool(np.array([1, 2, -1]) @ rng.laplace(size=3) > 1)


@idiom
def smaller(database, rng):
    return bool(np.minimum(rng.laplace(), rng.exponential()) > 0.2)


@idiom
def absolute(database, rng):
    return int(np.argmax(np.abs(rng.laplace(size=2) + np.array([0, 1]))))


@idiom
def masked(database, rng):
    x = rng.laplace(size=3)
    x[x < 0] = 0
    return int(np.count_nonzero(x > 0))


@idiom
def key_of_largest(database, rng):
    noisy = {"a": rng.laplace(), "b": 1 + rng.laplace()}
    return max(noisy.items(), key=lambda item: item[1])[0]


@idiom
def sign(database, rng):
    return int(np.sign(rng.laplace() + 1))


@idiom
def nan(database, rng):
    x = rng.laplace()
    return "nan" if np.isnan(x) or not np.isfinite(x) else x > np.inf


@idiom
def counts(database, rng):
    return rng.binomial(3, 0.4), min(rng.geometric(0.5), 3), rng.integers(2, 4, endpoint=True)


@idiom
def weighted(database, rng):
    return rng.choice([0, 1, 5], p=[0.2, 0.3, 0.5], size=2)
