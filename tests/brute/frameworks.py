"""Small frameworks with known composition: pairs, bits, priors, and random ones."""

import random
from fractions import Fraction

from pufferproof import Framework, MarkovChain, Product, Records, Table


def one_pair(*secrets):
    """One pair of secrets under the uniform prior, e.g. one_pair("a", "bc")."""
    labels = "".join(secrets)
    return Framework(
        list(labels),
        dict(zip("st", map(list, secrets))),
        [("s", "t")],
        {"theta": Table(dict.fromkeys(labels, Fraction(1, len(labels))))},
    )


def bits(count, rows=None, stay=None):
    """All bits secret, under a product of bits (fair ones by default) or a symmetric stationary
    chain.
    """
    prior = Product(rows or [["1/2", "1/2"]] * count)
    if stay is not None:
        prior = MarkovChain("stationary", [[stay, 1 - stay], [1 - stay, stay]])
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"theta": prior})


def two_priors(first, second):
    """X = a or not; given not, b1 has probability `first` under one prior and `second` under
    the other.
    """
    priors = {
        name: Table({"a": "1/2", "b1": Fraction(p) / 2, "b2": (1 - Fraction(p)) / 2})
        for name, p in (("theta1", first), ("theta2", second))
    }
    return Framework(["a", "b1", "b2"], {"s": ["a"], "t": ["b1", "b2"]}, [("s", "t")], priors)


def singletons(labels):
    """Every database is a secret, against every other."""
    prior = Table(dict.fromkeys(labels, Fraction(1, len(labels))))
    return Framework(list(labels), {x: [x] for x in labels}, "disjoint", {"theta": prior})


def parities(count):
    """Uniform bits, every parity of some of them secret."""
    labels = [format(x, f"0{count}b") for x in range(2**count)]
    secrets, pairs = {}, []
    for mask in range(1, 2**count):
        for value in (0, 1):
            secrets[f"p{mask}={value}"] = [x for x in labels if bin(int(x, 2) & mask).count("1") % 2 == value]
        pairs.append((f"p{mask}=0", f"p{mask}=1"))
    return Framework(labels, secrets, pairs, {"theta": Table(dict.fromkeys(labels, Fraction(1, 2**count)))})


def random_framework(seed, largest=5):
    """Up to `largest` databases, 1 or 2 priors with zeros, 1 to 3 pairs, sometimes one-sided;
    None if nothing is checked.
    """
    draw = random.Random(seed)
    labels = "abcdefgh"[: draw.randint(2, largest)]
    secrets, pairs = {}, []
    for k in range(draw.randint(1, 3)):
        sides = [draw.choice([0, 1, 2, 1, 2]) for _ in labels]
        held = [[x for x, side in zip(labels, sides) if side == which] for which in (1, 2)]
        if all(held):
            secrets |= {f"s{k}": held[0], f"t{k}": held[1]}
            pairs.append((f"s{k}", f"t{k}"))
    priors = {}
    for k in range(draw.randint(1, 2)):
        weights = [draw.choice([0, 1, 1, 2, 3]) for _ in labels]
        if any(weights):
            priors[f"theta{k}"] = Table({x: Fraction(w, sum(weights)) for x, w in zip(labels, weights)})
    if not pairs or not priors:
        return None
    framework = Framework(list(labels), secrets, pairs, priors, one_sided=draw.random() < 0.25)
    checked = any(
        framework.mass(prior, left) and framework.mass(prior, right) for prior in priors for left, right in pairs
    )
    return framework if checked else None
