"""Gaussian differential privacy: the smallest mu whose trade-off function lies nowhere above that
of a mechanism, over listed priors and ordered pairs.

    G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu)

The trade-off function of listed outputs is piecewise linear, and its vertices are the errors of the
tests that reject the outputs of largest Q / P. G_mu is convex: where it is at most f at the two
vertices of a segment it is so between them. Hence

    mu = max over vertices of  Phi^-1(1 - alpha) - Phi^-1(beta),

infinite where f(0) < 1 or f is 0 before 1. Gaussian noise has mu = |d / sigma|. Source: Dong, Roth
and Su, Gaussian differential privacy, JRSS B 2022.
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.verify.leakage.laws import ConditionalLaws
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.noise.concentrated.orders import Sides, gaps_of, sides_of, square_of
from pufferproof.verify.noise.concentrated.smallest import Smallest
from pufferproof.verify.noise.laws.of_framework import distinct
from pufferproof.verify.noise.queries import query_laws

_BITS, _MOST_BITS = 512, 2**16


def smallest_mu(framework: Framework, form: object) -> Smallest:
    """Return the smallest mu of Gaussian differential privacy, over listed priors and ordered
    pairs, of listed outputs and of Gaussian noise on a query that every secret determines.

    >>> from pufferproof import Channel, Framework
    >>> framework = Framework(["a", "b"], neighbours="substitute")
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> smallest_mu(framework, coin).text()
    '≈ 1.34898'

    Raises `ModelError` for other mechanisms, mixtures of priors, and where there is nothing to
    check.
    """
    if framework.closure == "convex":
        raise ModelError('needs listed priors, found "closure": "convex"', "gdp")
    if isinstance(form, NoisyQueries):
        with ctx.workprec(_BITS):
            found = list(_of_noise(framework, form))
    else:
        found = _of_listed(framework, form)
    if not found:
        raise nothing_to_check()
    best = found[0]
    for each in found[1:]:
        best = best.larger(each)
    return best


def _of_listed(framework: Framework, form: object, bits: int = _BITS) -> list[Smallest]:
    """Return the smallest mu of every prior and ordered pair, with twice as many bits until the
    ratios of outputs are told apart, and mu is known closely.
    """
    laws = _laws(framework, form)
    with ctx.workprec(bits):
        found = [
            _of_outputs(prior, pair, sides, _different(laws.get(prior), pair))
            for prior, pair, sides in sides_of(framework, form, "gdp")
        ]
    together = [each for each in found if each is not None]
    if len(together) == len(found) and (bits >= _MOST_BITS or all(map(_is_close, together))):
        return together
    if bits >= _MOST_BITS:
        raise ModelError(f"likelihood ratios are not told apart by {bits} bits", "gdp")
    return _of_listed(framework, form, 2 * bits)


def _is_close(mu: Smallest) -> bool:
    """Whether the ends of mu agree to twelve digits."""
    if mu.lower is None or mu.upper is None:
        return True
    return (mu.upper - mu.lower) * 10**12 <= mu.upper


def _laws(framework: Framework, form: object) -> dict[str, ConditionalLaws]:
    """Return the exact laws of a channel under each prior, none of another mechanism."""
    if not isinstance(form, Channel):
        return {}
    channel = form.aligned(framework.databases, framework.support)
    return {prior: ConditionalLaws(framework, channel, prior) for prior in framework.priors}


def _different(laws: ConditionalLaws | None, pair: Pair) -> int | None:
    """Return how many likelihood ratios of outputs there are, exactly; None if they are not known
    to be rational numbers.
    """
    if laws is None:
        return None
    (first, _), (second, _) = (laws.exact_row(secret) for secret in pair)
    return len({Fraction(q, p) for p, q in zip(first, second) if p})


def _of_noise(framework: Framework, form: NoisyQueries) -> list[Smallest]:
    laws, found = query_laws(framework, form), []
    for pair in distinct(laws.pairs):
        square = Fraction(0)
        for gap, noise in zip(gaps_of(pair, "gdp"), laws.noises):
            if gap and noise.kind != "gaussian":
                raise ModelError(f"needs listed outputs and Gaussian noise, found {noise.kind} noise", "gdp")
            square += gap * gap / square_of(noise) if gap else 0
        mu = ball(square).sqrt() if square else arb(0)
        bounds = dyadic(mu.lower()), dyadic(mu.upper())
        found.append(Smallest("gdp", *bounds, pair.prior, pair.pair, square=square))
    return found


@dataclass
class _Block:
    """Outputs whose ratios Q / P are not told apart: their probabilities, and bounds of the
    ratios.
    """

    p: arb
    q: arb
    least: Fraction
    most: Fraction

    def joined(self, other: "_Block") -> "_Block":
        return _Block(self.p + other.p, self.q + other.q, min(self.least, other.least), max(self.most, other.most))

    @property
    def bend(self) -> Fraction:
        """How far at most the trade-off function lies below the chord over the block."""
        return dyadic(self.q.upper()) * (self.most / self.least - 1)


def _of_outputs(prior: str, pair: Pair, sides: Sides, different: int | None) -> Smallest | None:
    """Return the smallest mu of an ordered pair, None if ratios are not told apart, of which
    there are so many `different` ones.
    """
    if any(above != below for *_, above, below in sides):
        return Smallest("gdp", None, None, prior, pair)
    blocks: list[_Block] = []
    for block in sorted(map(_block, sides), key=lambda each: each.most, reverse=True):
        if blocks and blocks[-1].least <= block.most:
            blocks[-1] = blocks[-1].joined(block)
        else:
            blocks.append(block)
    if sides and len(blocks) < (different or min(2, len(sides))):
        return None
    # f is at most so far below the chords between the vertices
    bends = (block.bend for block in blocks)
    bend = Fraction(0) if different is not None else sum(bends, Fraction(0))
    lower, upper = Fraction(0), Fraction(0)
    for place in range(1, len(blocks)):
        alpha = _sum([block.p for block in blocks[:place]])
        beta = _sum([block.q for block in blocks[place:]])
        if not beta > ball(bend):
            return None
        least = -_quantile(alpha) - _quantile(beta)
        most = -_quantile(alpha) - _quantile(beta - ball(bend))
        if not (least.is_finite() and most.is_finite()):
            return None
        lower, upper = max(lower, dyadic(least.lower())), max(upper, dyadic(most.upper()))
    return Smallest("gdp", lower, upper, prior, pair)


def _block(side: tuple[arb, arb, bool, bool]) -> _Block:
    p, q, _, _ = side
    ratio = q / p
    return _Block(p, q, dyadic(ratio.lower()), dyadic(ratio.upper()))


def _sum(parts: list[arb]) -> arb:
    total = arb(0)
    for part in parts:
        total += part
    return total


def _quantile(share: arb) -> arb:
    """Return the standard normal quantile."""
    if share < arb(0.5):
        return -arb(2).sqrt() * (2 * share).erfcinv()
    return arb(2).sqrt() * (2 * share - 1).erfinv()
