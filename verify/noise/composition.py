"""The exact leakage of several queries with noise, released together with independent noise.

Together they are one query whose coordinates are those of all releases. Whether leakages add is
decided by normal forms where bounds do not tell: independent releases about disjoint secrets leak
exactly the sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import prod
from operator import mul
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.signatures import checked
from pufferproof.verify.composition import composition_json, composition_text, is_additive
from pufferproof.verify.noise.audit import NoiseAudit, Release, audit_noise
from pufferproof.verify.noise.leakage import Candidate, NoiseLeakage

MAX_RUNS = 64
_MOST_TERMS = 300_000  # of the products that decide whether leakages add up exactly


@dataclass(frozen=True, repr=False)
class NoiseComposition(Readable):
    """Single and joint leakage of queries with noise released together, each `runs` times.

    `outputs` is the joint witness: the outputs of every release, the runs of the first query first.
    """

    releases: tuple[Release, ...] = field(repr=False)
    runs: int
    single: tuple[NoiseAudit, ...]
    joint: NoiseAudit
    outputs: tuple[str, ...]

    @property
    def additive(self) -> bool | None:
        """Whether the joint leakage is at most the sum of the leakages of its releases; None
        where that is too close.
        """
        told = is_additive(self.joint.leakage, [each.leakage for each in self.single], self.runs)
        return self._exactly() if told is None else told

    def _exactly(self) -> bool | None:
        joint = _largest(self.joint)
        single = [_largest(each) for each in self.single for _ in range(self.runs)]
        known = [each for each in single if each is not None]
        if joint is None or len(known) < len(single):
            return None
        sides = [
            [joint.above, *(each.below for each in known)],
            [joint.below, *(each.above for each in known)],
        ]
        if any(prod(len(factor.terms) for factor in side) > _MOST_TERMS for side in sides):
            return None
        left, right = (reduce(mul, side) for side in sides)
        return (left - right).sign() <= 0

    def as_json(self) -> dict[str, Any]:
        """Return the composition object of the file formats."""
        single = [each.leakage for each in self.single]
        return composition_json(
            single, self.joint.as_json(), self.additive, self.runs, self.outputs
        )

    def __str__(self) -> str:
        return composition_text(
            [each.leakage for each in self.single],
            self.joint,
            self.outputs,
            self.additive,
            self.runs,
        )


@checked
def audit_noise_composition(
    framework: Framework, releases: Sequence[Release], runs: int = 1
) -> NoiseComposition:
    """Audit the independent joint release of queries with noise, each run `runs` times.

    >>> from pufferproof import Level, Table
    >>> from pufferproof.models.noise.additive import AdditiveNoise, Noise
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    >>> bit = AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(2))
    >>> found = audit_noise_composition(framework, [bit], runs=2)
    >>> found.joint.found.compare(Level.of_nats(1)), found.outputs, found.additive
    (0, ('0', '0'), True)

    Raises `ModelError` as `audit_noise` does, `TooLargeError` where the joint release is too large.
    """
    if not 1 <= runs <= MAX_RUNS:
        raise ModelError(f"expected 1 to {MAX_RUNS} runs, found {runs}", "runs")
    together = [release for release in releases for _ in range(runs)]
    joint = audit_noise(framework, together)
    single = {id(release): audit_noise(framework, release) for release in releases}
    outputs = _separated(together, joint.witness.output)
    return NoiseComposition(
        tuple(releases), runs, tuple(single[id(release)] for release in releases), joint, outputs
    )


def _largest(found: NoiseAudit) -> Candidate | None:
    return found.found.largest if isinstance(found.found, NoiseLeakage) else None


def _separated(releases: Sequence[Release], output: str) -> tuple[str, ...]:
    """Return the output of every release, given the numbers of the joint one."""
    numbers, found = output.split(","), []
    for release in releases:
        found.append(",".join(numbers[: release.dimension]))
        numbers = numbers[release.dimension :]
    return tuple(found)
