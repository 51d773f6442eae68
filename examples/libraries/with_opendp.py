"""OpenDP's noisy count of the sick days of a year: its privacy map says level 1 for one day, and
under a chain of spells it leaks more than four times that.
"""

from typing import Any

from pufferproof.examples.libraries.days import diary, told
from pufferproof.models.mechanisms.adapters.entry import as_mechanism
from pufferproof.verify.audit import Audit, audit

YEAR, DAY = 365, 180


def measurement() -> Any:
    """Return the count's noise: Laplace on integers, of scale 1."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    return dp.m.make_laplace(*space, scale=1.0)


def answers() -> dict[str, Audit]:
    """Audit the count of the whole year at the level that its map says."""
    framework, count = diary(YEAR, DAY), measurement()
    read = as_mechanism(count, framework.expect_records(), query="sum")
    return {"the count of a year": audit(framework, read, str(count.map(1)))}


if __name__ == "__main__":
    print(told(f"OpenDP, promised for one day: {measurement().map(1)}", answers()))
