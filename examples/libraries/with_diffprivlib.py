"""Mechanisms of diffprivlib on a diary of five days: each keeps its level, pure or approximate,
where days are independent, and leaks more where spells last.
"""

from typing import Any

from pufferproof.examples.libraries.days import diary, independent, told
from pufferproof.models.mechanisms.adapters.entry import as_mechanism
from pufferproof.models.mechanisms.library import LibraryMechanism
from pufferproof.verify.audit import Audit, audit

DAYS, DAY = 5, 3
WORLDS = {"independent days": independent(DAYS, DAY), "spells": diary(DAYS, DAY)}


def mechanisms() -> dict[str, LibraryMechanism]:
    """Return randomised response on every day, a clamped count, and a choice of the usual state."""
    import diffprivlib.mechanisms as dp

    records = diary(DAYS, DAY).expect_records()
    coin: Any = dp.Binary(epsilon=1, value0="0", value1="1")
    count: Any = dp.GeometricTruncated(epsilon=1, lower=0, upper=DAYS)
    usual = {
        days: dp.PermuteAndFlip(epsilon=1, sensitivity=1, utility=[days.count(v) for v in "01"])
        for days in records.labels()
    }
    return {
        "randomised response": as_mechanism(coin, records),
        "the clamped count": as_mechanism(count, records, query="sum"),
        "the usual state": as_mechanism(usual),
    }


def answers() -> dict[str, Audit]:
    """Audit each at level 1, and Gaussian noise at (1/2, 1/1000), on independent days and on
    spells.
    """
    import diffprivlib.mechanisms as dp

    records = diary(DAYS, DAY).expect_records()
    noise = dp.Gaussian(epsilon=0.5, delta=0.001, sensitivity=1)
    gaussian = as_mechanism(noise, records, query="sum")
    answers = {}
    for world, framework in WORLDS.items():
        for name, mechanism in mechanisms().items():
            answers[f"{name}, {world}"] = audit(framework, mechanism, "1")
        answers[f"Gaussian noise, {world}"] = audit(framework, gaussian, "0.5", delta="1/1000")
    return answers


if __name__ == "__main__":
    print(told("diffprivlib, promised: 1; Gaussian noise (1/2, 1/1000)", answers()))
