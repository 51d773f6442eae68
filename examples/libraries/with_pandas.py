"""A table of counts in pandas: what a clinic wrote down for two days, by what they were. Its rows,
divided by their sums, are a mechanism; a square table of transitions is a prior.
"""

from typing import Any

from pufferproof.examples.libraries.days import diary, told
from pufferproof.models.mechanisms.adapters.entry import as_mechanism, as_prior
from pufferproof.verify.audit import Audit, audit


def tables() -> tuple[Any, Any]:
    """Return the clinic's notes by diaries of two days, and how many days followed which."""
    import pandas

    notes = {"fit": [90, 40, 35, 5], "tired": [10, 50, 55, 15], "ill": [5, 10, 10, 80]}
    days = pandas.MultiIndex.from_product([["0", "1"], ["0", "1"]], names=["first", "second"])
    followed = pandas.DataFrame([[219, 24], [24, 97]], index=["0", "1"], columns=["0", "1"])
    return pandas.DataFrame(notes, index=days), followed


def answers() -> dict[str, Audit]:
    """Audit the notes under the chain of the counted transitions."""
    notes, followed = tables()
    framework = diary(2, 1, {"counted": as_prior(followed, normalize=True)})
    return {"the clinic's notes": audit(framework, as_mechanism(notes, normalize=True))}


if __name__ == "__main__":
    print(told("pandas", answers()))
