"""What noise on a query of records leaks about every group of recorded data, such as a home, under a
chain of its own; equal chains are one question.

Let L(a, b) be the leakage under the stationary chain of two values with a = P(0, 1) and b = P(1, 0).
Where a + b <= 1 it falls in a and in b, so that two corners bound a box (classes.corner):

    L(a', b') <= L(a, b) <= L(a_, b_)    if a_ <= a <= a', b_ <= b <= b' and a' + b' <= 1.

With a level, chains are rounded outward into boxes of a grid, and then of a finer one. Those whose box
does not decide are asked about by themselves, as are those that may leak most.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise, lattice_of
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, fraction_of, text_of
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.audit.answer import Audit
from pufferproof.verify.audit.decide import audit
from pufferproof.verify.decision import Decision, Theorems, united
from pufferproof.verify.engines import Engine, ask
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.classes.ends import ClassRatio
from pufferproof.verify.noise.ratio.blocks.joint import blocks_leakage

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.running import Sweep
    from pufferproof.models.interface.sweeps.units import Unit

RESTS_ON = ("classes.corner",)
_WIDTHS = (Fraction(1, 32), Fraction(1, 128))  # of boxes, the widest first
_FEWEST = 3  # chains for which a box is asked about
_TOGETHER = 64  # chains that may leak most, asked together
_CLOSE = Fraction(1, 10**9)  # how much wider the bounds of one leakage are at most
_OWN = "own chain"


@dataclass(frozen=True)
class Question:
    """What is asked of every chain: what a query with noise leaks about the values of the private
    records, and whether it keeps a level. `exact`: by an exact audit in any case.

    Raises `ModelError` of a query of chosen records that do not follow one another.
    """

    query: RecordQuery
    private: tuple[int, ...]
    level: Level | None = None
    exact: bool = False

    def __post_init__(self) -> None:
        _ = self.query.ends

    @property
    def records(self) -> Records:
        """The records of one group."""
        return self.query.records

    @cached_property
    def text(self) -> str:
        """The question as JSON, which is an argument of every unit."""
        query, noise = self.query, self.query.noise
        return json.dumps(
            {
                "count": self.records.count,
                "values": list(self.records.alphabet),
                "private": list(self.private),
                "query": [query.query, query.counted, list(query.ends)],
                "noise": [noise.kind, noise.text],
                "epsilon": None if self.level is None else str(self.level),
                "exact": self.exact,
            }
        )

    @classmethod
    def of_text(cls, text: str) -> "Question":
        """Return the question that a text says."""
        given = json.loads(text)
        records = Records(given["count"], tuple(given["values"]))
        name, counted, (first, last) = given["query"]
        query = RecordQuery(name, Noise(*given["noise"]), records, (first, last), counted)
        level = None if given["epsilon"] is None else Level(given["epsilon"])
        return cls(query, tuple(given["private"]), level, given["exact"])

    def framework(self, prior: Prior) -> Framework:
        """Return the framework of one group."""
        values = self.records.alphabet
        secrets = {f"x{t}={value}": (t, value) for t in self.private for value in values}
        return Framework.of_records(self.records, secrets, "disjoint", {_OWN: prior})

    def audit(self, prior: Prior) -> Audit:
        """Return the audit of a chain, or of a box of chains."""
        return audit(self.framework(prior), self.query, self.level)

    def asked_of(self, chain: MarkovChain) -> "Found":
        """Return what is known under one chain: exactly, or enclosed closely enough to tell it from
        the level. Raises `TooLargeError` if nothing is known.
        """
        engines: list[Engine[MarkovChain, Found]] = [self._at_ends, self._by_blocks, self._exactly]
        return ask(engines[2 * (self.exact or not self.decays) :], chain, self._settles, _upper).expect()

    @property
    def decays(self) -> bool:
        """Whether the noise decays exponentially."""
        noise = self.query.noise
        return lattice_of([noise]) is None and noise.decay is not None

    def _at_ends(self, chain: MarkovChain) -> "Found | None":
        """Evaluate both ends of the query, as of a box that has this chain alone."""
        if not falls(chain):
            return None
        rows = chain.transition
        return Found.of_audit(self.audit(IntervalChain("stationary", rows, rows))).about_one

    def _by_blocks(self, chain: MarkovChain) -> "Found | None":
        """Enclose what the query leaks as one block of the chain."""
        found = blocks_leakage(self.framework(chain), [self.query])
        if found is None:
            return None
        kept = None if self.level is None else Decision.at_most(found.leakage.compare(self.level))
        rests = found.trust(self.level), found.rests_on(self.level)
        return Found(found.leakage, kept, *rests, excluded=found.scope.excluded)

    def _exactly(self, chain: MarkovChain) -> "Found | None":
        """Audit the chain, exactly where that is not too large."""
        return Found.of_audit(self.audit(chain))

    def _settles(self, found: "Found") -> bool:
        """Whether bounds are close, and tell the leakage from the level."""
        leakage = found.leakage
        if leakage is None or leakage.lower is None or leakage.upper is None:
            return leakage is not None and leakage.infinite
        close = leakage.upper <= leakage.lower * (1 + _CLOSE)
        return close and found.kept is not Decision.UNDECIDED


def _upper(found: "Found") -> tuple[bool, Decimal]:
    return found.kept is Decision.UNDECIDED, found.ends[1]


@dataclass(frozen=True)
class Found:
    """What is known of a chain: its leakage, exact or enclosed, and whether it keeps the level;
    `boxed` if a box of chains tells; or `why` nothing is known. `excluded` counts the pairs that have
    a secret of probability 0, of which nothing can be learned. `at_ends`: at the ends of the query,
    so that it is a bound of boxes that have the chain as a corner.
    """

    leakage: Leakage | None
    kept: Decision | None = None
    trust: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    boxed: bool = False
    why: str = ""
    excluded: int = 0
    at_ends: bool = False

    @classmethod
    def of_audit(cls, found: Audit) -> "Found":
        """Return what an audit says."""
        at_ends, excluded = isinstance(found.largest, ClassRatio), found.scope.excluded
        return cls(found.leakage, found.kept, found.trust, found.rests_on, excluded=excluded, at_ends=at_ends)

    @property
    def about_one(self) -> "Found":
        """The same of a box that has one chain alone, which is its worst corner."""
        trust = tuple(word for word in self.trust if word not in {f"CITED({claim})" for claim in RESTS_ON})
        return replace(self, trust=trust, claims=tuple(each for each in self.claims if each not in RESTS_ON))

    @cached_property
    def ends(self) -> tuple[Decimal, Decimal]:
        """The bounds in nats."""
        if self.leakage is None:
            return Decimal(0), Decimal("inf")
        ends = self.leakage.enclosure()
        return Decimal(ends.lower), Decimal(ends.upper)

    @property
    def by(self) -> str | None:
        """Whether a question about the "chain" or a "box" tells; None if nothing does."""
        if self.leakage is None:
            return None
        return "box" if self.boxed else "chain"

    def as_json(self) -> JsonObject:
        """Return this as a unit answers it: bounds of e^leakage as exact text."""
        if self.leakage is None:
            return {"why": self.why}
        lower, upper = (None if end is None else text_of(end) for end in (self.leakage.lower, self.leakage.upper))
        kept = None if self.kept is None else self.kept.name
        rests = {"trust": [*self.trust], "claims": [*self.claims]}
        return {"lower": lower, "upper": upper, "kept": kept, **rests, "excluded": self.excluded, "ends": self.at_ends}

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> "Found":
        """Return what a unit answered."""
        if "why" in given:
            return cls(None, Decision.UNDECIDED, why=given["why"])
        lower, upper = (None if given[end] is None else fraction_of(given[end]) for end in ("lower", "upper"))
        kept = None if given["kept"] is None else Decision[given["kept"]]
        rests = tuple(given["trust"]), tuple(given["claims"])
        return cls(Leakage(lower, upper), kept, *rests, excluded=given["excluded"], at_ends=given["ends"])


@lru_cache(maxsize=4)
def _question(text: str) -> Question:
    return Question.of_text(text)


def answered(question: str, initial: list[str] | str, transition: list[list[str]]) -> dict[str, Any]:
    """Answer a question of one chain: a unit of a sweep."""
    try:
        return _question(question).asked_of(MarkovChain(initial, transition)).as_json()
    except ModelError as error:
        return {"why": error.what}


# Boxes ------------------------------------------------------------------------------------------------

Box = tuple[MarkovChain, MarkovChain]  # the corners of the least a and b, and of the greatest


def falls(chain: MarkovChain) -> bool:
    """Whether a chain is one of those whose leakage falls in a and in b: stationary, of two values,
    every step possible, and a + b <= 1.
    """
    rows = chain.transition
    return len(rows) == 2 and isinstance(chain.initial, str) and all(map(all, rows)) and rows[0][1] + rows[1][0] <= 1


def box_of(chain: MarkovChain, width: Fraction) -> Box | None:
    """Return the box of a grid that a chain is rounded outward into; None unless the leakage of all
    chains in the box falls in a and in b.

    >>> chain = MarkovChain("stationary", [["4/5", "1/5"], ["2/3", "1/3"]])
    >>> for corner in box_of(chain, Fraction(1, 16)):
    ...     print(corner)
    MarkovChain('stationary', [['13/16', '3/16'], ['5/8', '3/8']])
    MarkovChain('stationary', [['3/4', '1/4'], ['11/16', '5/16']])
    """
    if not falls(chain):
        return None
    low = [floor(step / width) * width for step in (chain.transition[0][1], chain.transition[1][0])]
    high = [end + width for end in low]
    if not all(low) or sum(high) > 1:
        return None
    least, most = (MarkovChain("stationary", [[1 - a, a], [b, 1 - b]]) for a, b in (low, high))
    return least, most


def of_box(least: Found, most: Found, level: Level | None) -> Found | None:
    """Return what is known of every chain of a box, by its corners; None unless both are known at the
    ends of the query.
    """
    if least.leakage is None or most.leakage is None or not least.at_ends or not most.at_ends:
        return None
    leakage = Leakage(most.leakage.lower, least.leakage.upper)
    kept = None if level is None else Decision.at_most(leakage.compare(level))
    trust, claims = united(least.trust, Theorems(RESTS_ON).trust), united(least.claims, RESTS_ON)
    return Found(leakage, kept, trust, claims, boxed=True)


# Many chains ------------------------------------------------------------------------------------------


@dataclass
class Chains:
    """The distinct chains of groups and how many groups each has, asked by a sweep: `found` has
    what is known of each, `asked` what was asked about chains and corners of boxes by themselves.
    """

    question: Question
    sweep: "Sweep"
    groups: Counter[MarkovChain]
    found: dict[MarkovChain, Found] = field(default_factory=dict)
    asked: dict[MarkovChain, Found] = field(default_factory=dict)

    def ask(self, worst: int) -> None:
        """Ask about all chains, and by themselves about those of so many groups that leak most."""
        if self.question.level is not None and not self.question.exact:
            for width in _WIDTHS:
                self._by_boxes(width)
        self._each([chain for chain in self.groups if chain not in self.found])
        while near := self._nearest(worst):
            self._each(near)

    def _by_boxes(self, width: Fraction) -> None:
        """Ask about the corners of boxes that hold several chains of which nothing is known yet."""
        boxes: dict[Box, list[MarkovChain]] = {}
        for chain in self.groups:
            box = None if chain in self.found else box_of(chain, width)
            if box is not None:
                boxes.setdefault(box, []).append(chain)
        wanted = {box: members for box, members in boxes.items() if len(members) >= _FEWEST}
        self._ask(dict.fromkeys(corner for box in wanted for corner in box))
        for (least, most), members in wanted.items():
            found = of_box(self.asked[least], self.asked[most], self.question.level)
            if found is not None and found.kept is not Decision.UNDECIDED:
                self.found |= dict.fromkeys(members, found)

    def _each(self, chains: Sequence[MarkovChain]) -> None:
        """Ask about chains by themselves; of one that has no answer what a box tells is kept."""
        self._ask(chains)
        for chain in chains:
            found, known = self.asked[chain], self.found.get(chain)
            if found.leakage is None and known is not None:
                found = replace(known, boxed=False)
            self.found[chain] = found

    def _nearest(self, worst: int) -> list[MarkovChain]:
        """Return chains that a box tells of, and that may leak more than those of which it is known
        that they are among the worst; the first ones.
        """
        lowers = sorted(found.ends[0] for chain, found in self.found.items() for _ in range(self.groups[chain]))
        least = lowers[-min(worst, len(lowers))] if lowers else Decimal(0)
        near = [chain for chain, found in self.found.items() if found.boxed and found.ends[1] > least]
        return sorted(near, key=lambda chain: -self.found[chain].ends[1])[:_TOGETHER]

    def _ask(self, chains: Iterable[MarkovChain]) -> None:
        """Ask about chains that have not been asked about."""
        from pufferproof.models.interface.sweeps.running import Failure

        fresh = [chain for chain in chains if chain not in self.asked]
        for place, outcome in self.sweep.outcomes(map(self._unit, fresh), len(fresh)):
            if isinstance(outcome, Failure):
                outcome = {"why": f"{outcome.kind}: {outcome.said}"}
            self.asked[fresh[place]] = Found.of_json(outcome)

    def _unit(self, chain: MarkovChain) -> "Unit":
        from pufferproof.models.interface.sweeps.units import Unit

        start = chain.initial if isinstance(chain.initial, str) else list(map(text_of, chain.initial))
        return Unit.of(answered, self.question.text, start, [list(map(text_of, row)) for row in chain.transition])


def order_statistic(ends: Iterable[tuple[Decimal, Decimal]], share: Fraction) -> Enclosure:
    """Enclose the number below or at which a share of numbers lie that are known between ends: the
    ceil(share n)-th smallest of n, the first for share 0.

    The k-th smallest lower end is at most the k-th smallest number, and the k-th smallest upper end
    at least.

    >>> ends = [(Decimal(1), Decimal(2)), (Decimal(4), Decimal(4)), (Decimal(0), Decimal(3))]
    >>> order_statistic(ends, Fraction(1, 2))
    Enclosure(lower='1', upper='3')
    """
    lowers, uppers = (sorted(each) for each in zip(*ends))
    place = max(ceil(share * len(lowers)), 1) - 1
    return Enclosure(*("inf" if end.is_infinite() else str(end) for end in (lowers[place], uppers[place])))
