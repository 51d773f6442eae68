"""Laws given two secrets, under priors and their mixtures: which are mixtures of others?"""

from fractions import Fraction


def both_laws(space, theta, pair):
    """The probabilities of all databases given one secret, and given the other."""
    held = [[space.databases[x] for x in space.secrets[name]] for name in pair]
    masses = [sum(theta[x] for x in members) for members in held]
    if not all(masses):
        return None
    return [
        theta[x] / mass if x in members else Fraction(0) for members, mass in zip(held, masses) for x in space.databases
    ]


def is_mixture(point, corners) -> bool:
    """Whether a point lies between two, or is the only one there is."""
    if not corners:
        return False
    ends = list(zip(point, corners[0], corners[-1]))
    shares = {(p - b) / (a - b) for p, a, b in ends if a != b}
    return len(shares) < 2 and all(p == a for p, a, b in ends if a == b)
