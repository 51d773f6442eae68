"""What objects of libraries claim, beside what their mechanisms leak.

A claim is about arguments at a distance, in the library's own measure of privacy; an answer is
about the pairs and priors of a framework. They stand side by side: neither decides the other.
"""

from collections.abc import Sequence

from pufferproof.models.numbers.text import brief
from pufferproof.verify.audit.answer import Audit
from pufferproof.verify.audit.given import libraries


def claims(answer: Audit, mechanisms: Sequence[object]) -> str:
    """Say what every mechanism claims; of one alone what it leaks, or which question was asked if
    the claim is about another.
    """
    found = [each.claim for each in libraries(mechanisms) if each.claim is not None]
    said = list(dict.fromkeys(each.at(answer.delta_bound) for each in found))
    if len(mechanisms) == len(found) == 1:
        said = [said[0] + _beside(found[0].measure, answer)]
    return "; ".join(said)


def _beside(measure: str, answer: Audit) -> str:
    if answer.smallest is not None:
        letter, name = answer.smallest.names
        same = (measure, letter) == ("zero-concentrated", "rho")
        return "" if same else f", asked was the {letter} of {name}"
    if answer.renyi is not None:
        return f", asked was a Renyi divergence of order {brief(answer.renyi.order)}"
    if answer.delta_bound is not None:
        return "" if measure == "approximate" else ", asked was a level with a delta"
    return f", leaks {answer.leakage}" if measure == "pure" else ", asked was a pure level"
