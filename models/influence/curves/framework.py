"""The influence curve of a framework, by whichever way its priors and secrets allow."""

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.influence.curves.chains import chain_curve
from pufferproof.models.influence.curves.listed import enumerated_curve
from pufferproof.models.influence.curves.point import CurvePoint
from pufferproof.models.interface.signatures import checked
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along


@checked
def influence_curve(framework: Framework, most: int | None = None) -> list[CurvePoint]:
    """Return the influence curve a*(b) for b = 0 .. `most`, or up to the number of records.

        a*(b) = max over ordered pairs (s, t) of min over H, |H| <= b, of max over priors and D_L of
        log P(D_L | s) / P(D_L | t),

    L being the records outside the hidden set H, in nats. Any mechanism that is epsilon
    differentially private per record leaks at most b epsilon + a*(b), for every b.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(
    ...     Records(3, ("0", "1")), secrets, [("x2=0", "x2=1")], {"theta": chain}
    ... )
    >>> [point.upper for point in influence_curve(framework)]
    [None, Fraction(9, 1), Fraction(3, 1), Fraction(1, 1)]

    Raises `ModelError` unless databases are made of records, priors a list, `most` is at most the
    number of records, and some pair has two secrets of positive probability under some prior.
    """
    if framework.records is None:
        raise ModelError(
            'a curve needs databases made of records ("records" in place of "databases")',
            "databases",
        )
    count = framework.records.count
    if most is not None and not 0 <= most <= count:
        raise ModelError(f"expected from 0 to {count} hidden records, found {most}", "most")
    chains = [prior for prior in framework.priors.values() if isinstance(prior, MarkovChain)]
    if framework.along_records and len(chains) == len(framework.priors):
        places = []
        for one, other in framework.pairs:
            (record, v), (_, w) = framework.places[one], framework.places[other]
            places += [(record, v, w), (record, w, v)]
        ratios = chain_curve([ChainInfluence(Along(chain, count)) for chain in chains], places)
    else:
        ratios = enumerated_curve(framework)
    points = [CurvePoint(b, Bounds(ratio, ratio)) for b, ratio in enumerate(ratios)]
    return points if most is None else points[: most + 1]
