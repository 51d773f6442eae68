"""A diary of days, each sick ("1") or well ("0"): spells of illness last, so days tell about each
other, and what happened on one of them is the secret.
"""

from collections.abc import Mapping

from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.verify.audit import Audit

SPELLS = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])


def diary(days: int, day: int, priors: Mapping[str, Prior] | None = None) -> Framework:
    """Return the framework that hides one day of a diary, by default from who knows how long
    spells last.
    """
    secrets = {f"day {day} sick": (day, "1"), f"day {day} well": (day, "0")}
    return Framework.of_records(Records(days, ("0", "1")), secrets, "disjoint", priors or {"spells": SPELLS})


def independent(days: int, day: int) -> Framework:
    """Return the framework in which no day tells about another: there, levels of differential
    privacy hold.
    """
    return diary(days, day, {"independent": Product([["2/3", "1/3"]] * days)})


def told(title: str, answers: Mapping[str, Audit]) -> str:
    """Write what was found, a line for each audit."""
    return "\n".join([title, *(f"  {name}: {answer}" for name, answer in answers.items())])
