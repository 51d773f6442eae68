"""The gallery: published mechanisms as Python programs, the level that each claims, and what it
leaks.

Two frameworks ask of each: neighbours, where every change that the publication allows is a pair of
databases, which is differential privacy; and a chain of records that stay as they are with
probability 9/10, about the record in the middle.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from pufferproof.examples.programs import memory, noisy_counts, noisy_max, samples, sparse_vector, thresholds
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Calls, code_of
from pufferproof.models.framework import Framework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table
from pufferproof.verify.audit import Audit, audit

_STAYS = Fraction(9, 10)
LYU = "Lyu, Su and Li, Understanding the sparse vector technique, PVLDB 10, 2017, Algorithm"
_ROTH = "Dwork and Roth, The algorithmic foundations of differential privacy, 2014, section 3.3"
_OF_VALUES = "Incorrect variant of Ding, Wang, Wang, Zhang and Kifer, CCS 2018"


@dataclass(frozen=True)
class Exhibit:
    """A program, the level that its source claims for neighbours, with a `delta` if there is one,
    and how many records a database has. `all_change`: neighbours may differ in every record, by 1,
    as answers to queries do.
    """

    program: Callable[..., Any]
    claimed: str
    source: str
    records: int
    all_change: bool = False
    runs: int = 1
    delta: str | None = None

    @property
    def name(self) -> str:
        """Where the program stands, `module:function`."""
        return f"{self.program.__module__}:{self.program.__qualname__}"

    @property
    def neighbours(self) -> Framework:
        """Every database against its neighbours."""
        labels = Records(self.records, ("0", "1")).labels()
        pairs = [(x, y) for x, y in combinations(labels, 2) if self.all_change or sum(map(str.__ne__, x, y)) == 1]
        any_of_them = Table(dict.fromkeys(labels, Fraction(1, len(labels))))
        return Framework(labels, {x: [x] for x in labels}, pairs, {"any": any_of_them})

    @property
    def chain(self) -> Framework:
        """The record in the middle of a chain."""
        return chain(self.records, _STAYS)

    def audits(self) -> Iterator[Audit | ModelError]:
        """Audit the program under neighbours at the level that is claimed, and under the chain."""
        calls = Calls(True, runs=self.runs)
        program = code_of(self.program, self.name, None, calls)
        asked = (self.neighbours, self.claimed, self.delta), (self.chain, None, None)
        for framework, level, delta in asked:
            try:
                yield audit(framework, program, level, delta)
            except ModelError as error:
                yield error


def chain(records: int, stays: Fraction) -> Framework:
    """Return the framework of a stationary chain of two values, about the record in the middle."""
    moves = MarkovChain("stationary", [[stays, 1 - stays], [1 - stays, stays]])
    middle = (records + 1) // 2
    secrets = {f"x{middle}={value}": (middle, value) for value in "01"}
    space = Records(records, ("0", "1"))
    return Framework.of_records(space, secrets, "disjoint", {"chain": moves})


def exhibits() -> list[Exhibit]:
    """Return the gallery."""
    variants = [getattr(sparse_vector, f"variant_{k}") for k in range(1, 7)]
    gap = "Ding, Wang, Zhang and Kifer, Free gap information, PVLDB 13, 2019"
    maxima = [noisy_max.with_laplace, noisy_max.with_exponential]
    talwar = "McSherry and Talwar, Mechanism design via differential privacy, FOCS 2007"
    durfee = "Durfee and Rogers, Practical differentially private top-k selection, NeurIPS 2019"
    of_one = f"the noise of one place for two, an incorrect use; {durfee}"
    values = [noisy_max.value_with_laplace, noisy_max.value_with_exponential]
    flip = "McKenna and Sheldon, Permute-and-flip, NeurIPS 2020"
    dwork = "Dwork and Lei, Differential privacy and robust statistics, STOC 2009"
    korolova = "Korolova, Kenthapadi, Mishra and Ntoulas, Releasing search queries, WWW 2009"
    nissim = "Nissim, Raskhodnikova and Smith, Smooth sensitivity, STOC 2007"
    warner = "Warner, Randomized response, JASA 60, 1965, per person"
    rappor = "Erlingsson, Pihur and Korolova, RAPPOR, CCS 2014: one bit, any number of reports"
    adaptive = "Dwork and Roth, 2014, section 3.5: the sum of the levels"
    counts = "Dwork and Roth, 2014, section 3.3: scale 2 / epsilon"
    gaussian = "Dwork and Roth, 2014, Theorem A.1"
    balle = "Theorem A.1 beyond epsilon = 1; Balle and Wang, ICML 2018"
    return [
        *(Exhibit(each, "1", f"{LYU} {k}", 4, True) for k, each in enumerate(variants, 1)),
        Exhibit(sparse_vector.with_gap, "1", gap, 4, True),
        *(Exhibit(each, "1", _ROTH, 3, True) for each in maxima),
        Exhibit(noisy_max.with_gumbel, "1", talwar, 3, True),
        Exhibit(noisy_max.top_k, "1", durfee, 4, True),
        Exhibit(noisy_max.top_k_at_scale_of_one, "1", of_one, 4, True),
        *(Exhibit(each, "1", _OF_VALUES, 3, True) for each in values),
        Exhibit(noisy_max.permute_and_flip, "1", flip, 3, True),
        Exhibit(thresholds.propose_test_release, "1", dwork, 4, delta="0.0677"),  # e^-2 / 2
        Exhibit(thresholds.histogram, "1", korolova, 4, delta="0.3033"),  # e^(-1/2) / 2
        Exhibit(noisy_counts.histogram, "1", counts, 4),
        Exhibit(noisy_counts.gaussian, "1", gaussian, 4, delta="0.00001"),
        Exhibit(noisy_counts.gaussian_above_one, "10", balle, 4, delta="0.00001"),
        Exhibit(noisy_counts.majority, "1", "a decision by such a count", 4),
        Exhibit(samples.subsample_and_aggregate, "1", nissim, 4),
        Exhibit(samples.shuffled_response, "log(3)", warner, 3),
        Exhibit(memory.Rappor, "log(3)", rappor, 3, runs=3),
        Exhibit(memory.Adaptive, "2", adaptive, 4, runs=2),
    ]


def table() -> Iterator[str]:
    """Render the gallery, a line for each program."""
    yield f"{'program':<40} {'claims':<10} {'neighbours':<24} chain, {_STAYS}"
    for each in exhibits():
        near, far = each.audits()
        name = each.name.removeprefix("pufferproof.examples.programs.")
        claims = ", ".join(filter(None, [each.claimed, each.delta]))
        yield f"{name:<40} {claims:<10} {_said(near):<24} {_said(far)}"


def _said(found: Audit | ModelError) -> str:
    if isinstance(found, ModelError):
        return "no exact law here"
    verdict = "" if found.verdict is None else f" {found.verdict.value}"
    if found.delta is not None:
        return f"delta {float(found.delta.bounds()[0]):.3g}{verdict}"
    leaked = found.leakage
    if leaked.infinite:
        return f"infinite{verdict}"
    return f"{float(leaked.enclosure().lower):.6f}{verdict}"
