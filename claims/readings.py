"""How claims of this paper open a reading: its argument, and the near misses that the same
argument must fail on.
"""

from collections.abc import Callable

from pufferproof.claims.registry import Check
from pufferproof.verify.proof.argument import Argument

Proof = Callable[[Argument], object]


def decide(check: Check, name: str, scope: str, proof: Proof, **near_misses: Proof) -> None:
    """Open a reading and run its near misses, named after it by their keywords, with
    underscores for spaces.
    """
    with check.reading(name, scope) as argument:
        proof(argument)
    for miss, build in near_misses.items():
        check.near_miss(f"{name}: {miss.replace('_', ' ')}", build)
