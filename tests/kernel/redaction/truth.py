"""Whether a certificate of a redaction is true, by enumeration of all outputs."""

from fractions import Fraction
from typing import Any

from tests.brute.redaction import INFINITE, largest_ratio, likelihoods
from tests.kernel.changes import Change

from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction


def holds(change: Change) -> bool:
    return is_true(change.certificate)


def ratio_of(certificate: Any, rows: Any, output: str | None) -> Fraction | None:
    """e^leakage, or the ratio of one output, by enumeration, or None if it is infinite."""
    of = certificate["chain"]
    start = of["initial"] if of["initial"] == "stationary" else [exact(x) for x in of["initial"]]
    chain = BinaryChain(exact(of["alpha"]), exact(of["beta"]), of["length"], start)
    profile = LocalRedaction([[exact(r) for r in row[1:]] for row in rows for _ in range(row[0])])
    found = likelihoods(chain, profile, certificate["private"])
    return largest_ratio(found if output is None else {output: found[output]})


def level_of(stated: Any) -> Level | None:
    return (
        None
        if stated == "inf"
        else Level.log(exact(stated["log"]))
        if "log" in stated
        else Level.of_nats(exact(stated["nats"]))
    )


def is_true(certificate: Any) -> bool:
    """Whether the statement of a certificate holds."""
    claim = certificate["claim"]
    level, relation = level_of(claim["level"]), claim["relation"]
    sides = {"<=": (-1, 0), "=": (0,), ">=": (0, 1), ">": (1,)}[relation]
    for output in {None, claim["output"]} if relation == "=" else {claim["output"]}:
        ratio = ratio_of(certificate, certificate["redaction"], output)
        sign = (
            (1 if level is not None else 0)
            if ratio is INFINITE
            else -1
            if level is None
            else level.compare(ratio)
        )
        if sign not in sides:
            return False
    return True
