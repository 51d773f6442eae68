"""Several private records of a binary chain: every strategy designed for each record alone, and the
most conservative of them.

r_t(x) is the largest over the designs of the single records. Each record then keeps the level
(claim `massny2025.fn1`); all of them together need not, so that the exact joint leakage stands
beside the exact leakage of each. Nothing is optimised jointly. Beside them stand the certificates
of all designs, and the published upper bound. Source: Massny, Bitar, Ye and El Rouayheb 2025
(massny2025), footnote 1.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from pufferproof.lp.redaction.central import CentralOptimum, central_optimum
from pufferproof.lp.redaction.regions import DesignSide, sides
from pufferproof.lp.redaction.strategies import (
    AUDIT_RESTS_ON,
    NAMES,
    Design,
    Designs,
    Skipped,
    equal_budgets,
    redaction_designs,
)
from pufferproof.models.errors import CertificateError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.sequences.binary import BinaryChain, Budget, private_records
from pufferproof.models.sequences.redaction import LocalRedaction, most_conservative
from pufferproof.verify.certificates.redaction import chain_json, precision, runs_json
from pufferproof.verify.certificates.writing import FORMAT, certified_text, level_json
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.redaction.joint import RESTS_ON as JOINT_RESTS_ON
from pufferproof.verify.sequences.redaction.joint import joint_redaction_leakage
from pufferproof.verify.sequences.redaction.leakage import redaction_leakages

# Certificates of redaction designs, as the kernel checks them: mechanism, leakage, utility, and no better one.
#
# A design whose bound has a rule in the kernel is certified whole; for others (`3r-split`, `local-optimal` where it is
# below what mechanisms that see all records reach) the certificate has the mechanism, its leakage and its utility, and
# no bound. The kernel is asked about every design before it is written. See CERTIFICATES.md.

# by how much proofs stay below the q of a design
_SLACKS = tuple(Fraction(1, 1 << bits) for bits in (78, 66))
_LONG, _RATIO_BITS = (4_000, 128)  # bits of a ratio that is written as an enclosure, and of its fraction then
_UNIT = 1 << 128  # of slopes
_MOST_EXACT, _MOST_ENUMERATED = (10_000, 4)  # records for which exact slopes, and prices of sequences, are tried


@dataclass(frozen=True)
class CertifiedDesigns:
    """A certificate whose designs the kernel has accepted, and which of them it certifies whole.

    `trust` has the designs of the certificate: "KERNEL" where leakage, utility and its upper bound
    are certified as they are printed (a quilt has no bound), "EXACT" where the bound rests on exact
    arithmetic outside the kernel. `document` is None if the kernel accepts none of the designs.
    """

    document: JsonObject | None
    trust: dict[str, str]


def certified_designs(
    chain: BinaryChain, private: int, level: Level, designs: Iterable[Design | Skipped]
) -> CertifiedDesigns:
    """Return a certificate of all designs that the kernel can check, each with the strongest
    statement it accepts.

    >>> from pufferproof.lp.redaction.strategies import redaction_designs
    >>> chain, level = BinaryChain("1/4", "1/2", 2), Level.log("3/2")
    >>> designs = certified_designs(
    ...     chain, 1, level, redaction_designs(chain, 1, level, ["data-independent", "3r-split"])
    ... )
    >>> designs.trust
    {'data-independent': 'KERNEL', '3r-split': 'EXACT'}
    """
    (private,) = private_records(private, chain.length)
    writer = _DesignWriter(chain, private, level)
    entries, trust = [], dict[str, str]()
    for design in designs:
        if isinstance(design, Skipped) or design.name not in NAMES or design.leakage.infinite:
            continue
        if (entry := writer.accepted(design)) is not None:
            entries.append(entry)
            whole = entry["utility"]["upper"] is not None or design.name == "quilt"
            trust[design.name] = "KERNEL" if whole else "EXACT"
    return CertifiedDesigns(writer.document(entries) if entries else None, trust)


class _DesignWriter:
    """Writes the designs for one record and level."""

    def __init__(self, chain: BinaryChain, private: int, level: Level) -> None:
        self.chain, self.private, self.level = chain, private, level

    def document(self, entries: Sequence[dict[str, object]]) -> JsonObject:
        """Return a certificate of some designs."""
        return {
            "format": FORMAT,
            "kind": "redaction-designs",
            "chain": chain_json(self.chain),
            "private": self.private,
            "claim": {"level": level_json(self.level), "designs": list(entries)},
        }

    def accepted(self, design: Design) -> JsonObject | None:
        """Return a design's entry with the first proof the kernel accepts, or without."""
        for entry in self.entries(design):
            with suppress(CertificateError):
                certified_text(self.document([entry]))
                return entry
        return None

    def entries(self, design: Design) -> Iterator[JsonObject]:
        """Yield what may be accepted, the strongest statement first: each with few bits and, if
        these are too few, exactly.
        """
        if design.name == "central-lp":
            optimum = central_optimum(self.chain, self.private, self.level)
            table = {x: {y: text_of(share) for y, share in row.items()} for x, row in optimum.releases.items()}
            upper = design.upper if design.lower == design.upper else _printed(design)
            for proof in (_Proof(_prices(optimum, self.level), upper), _UNBOUNDED):
                yield _entry(design, table, proof, None)
            return
        if design.mechanism is None:
            return
        bits = precision(self.chain, design.mechanism.rows)
        for proof in (*self.proofs(design, design.mechanism), _UNBOUNDED):
            for kept in dict.fromkeys([bits, None] if self.chain.length <= _MOST_EXACT else [bits]):
                yield _entry(design, runs_json(design.mechanism.rows), proof, kept)

    def proofs(self, design: Design, mechanism: LocalRedaction) -> "Iterator[_Proof]":
        """Yield proofs of the design's upper bound, as far as there is a rule."""
        tight = design.lower == design.upper
        if design.name == "data-independent" and tight:
            yield _Proof(None, design.upper)
        elif design.name == "local-optimal" and self.chain.length <= _MOST_ENUMERATED:
            optimum = central_optimum(self.chain, self.private, self.level)
            if optimum.upper <= (upper := _printed(design)):
                yield _Proof(_prices(optimum, self.level), upper)
        elif design.name in ("3r-relaxed", "3r-constant", "3r-exact"):
            for slack in (*(Fraction(0),) * tight, *_SLACKS):
                numbers = [self._shown(design.name, side, q, slack) for side, q in self._medium(mechanism)]
                yield _Proof(dict(zip(("left", "right"), numbers)), _printed(design) if slack else design.upper)

    def _shown(self, name: str, side: DesignSide, q: Sequence[Fraction], slack: Fraction) -> Any:
        """Return what shows that one side needs about these q, lowered by a slack."""
        if name == "3r-relaxed":
            return runs_json((value,) for value in accumulate((max(Fraction(0), value - slack) for value in q), min))
        if name == "3r-constant" or len(q) < 2:
            return text_of(max(Fraction(0), q[0] - slack) if q else Fraction(0))
        # the least P(output | common) : P(output | rare) at the first medium record
        leave, back = side.switches
        moved = leave / (1 - back) if side.released else Fraction(1)
        for value in q[:0:-1]:
            slope = value * moved
            moved = ((1 - leave) * slope + leave) / (back * slope + 1 - back)
        return text_of(Fraction(int((q[0] * moved) * (1 - slack) * _UNIT), _UNIT))

    def _medium(self, mechanism: LocalRedaction) -> list[tuple[DesignSide, list[Fraction]]]:
        """Return both sides with their q, nearest first."""
        p, common = self.private, self.chain.common_value
        left, right = sides(self.chain, p, *equal_budgets(self.chain, p, self.level))
        return [
            (side, [mechanism.rows[p - 1 + sign * distance][common] for distance in range(side.first, side.small)])
            for side, sign in ((left, -1), (right, 1))
        ]


@dataclass(frozen=True)
class _Proof:
    """What shows that no mechanism of the class releases more than `upper`, or None."""

    numbers: Any
    upper: Fraction | None


_UNBOUNDED = _Proof(None, None)


def _entry(design: Design, redaction: object, proof: _Proof, bits: int | None) -> dict[str, object]:
    upper = None if proof.upper is None else text_of(proof.upper)
    # bounds of e^leakage: exact if the kernel finds short ones, else outward
    lower, high = design.leakage.lower, design.leakage.upper
    if lower is None or high is None:
        raise CertificateError(f"the design {design.name} has infinite leakage")
    if bits is None and lower == high and lower.numerator.bit_length() <= _LONG:
        ratios = [text_of(lower), text_of(high)]
    else:
        unit = 1 << _RATIO_BITS
        low = Fraction(lower.numerator * unit // lower.denominator - 1, unit)
        ratios = [
            text_of(max(Fraction(1), low)),
            text_of(Fraction(-(-high.numerator * unit // high.denominator) + 1, unit)),
        ]
    return {
        "name": design.name,
        "precision": bits,
        "redaction": redaction,
        "leakage": ratios,
        "utility": {"lower": text_of(design.lower), "upper": upper},
        "proof": proof.numbers,
    }


def _printed(design: Design) -> Fraction:
    """Return the upper bound of the utility as it is printed: rounded up to a short decimal."""
    return exact(enclose(design.lower, design.upper).upper)


def _prices(optimum: CentralOptimum, level: Level) -> dict[str, object]:
    """Return the prices of sequences, per record, with a ratio that is at least e^level."""
    ratio = optimum.above.pairing.ratio
    ratio = ratio if level.compare(ratio) >= 0 else level.bounds(64)[1]
    scaled = {x: text_of(price * optimum.chain.length) for x, price in optimum.prices.items()}
    return {"ratio": text_of(ratio), "prices": scaled}


# The published upper bound on the utility of data-independent redaction about one private record of a binary chain.
#
# As printed, to be set beside what is reached. The print is false by one record, by two where the eigenvalue is
# negative: the claim `massny2025.thm2` has counterexamples, `massny2025.thm2-repaired` the repair, and
# `redaction_patterns` the exact optimum. Source: Massny, Bitar, Ye and El Rouayheb 2025 (massny2025), Theorem 2.

PUBLISHED_RESTS_ON = ("massny2025.thm2-repaired",)


def published_bound(chain: BinaryChain, private: int, level: Level) -> Fraction:
    """Return the bound of Theorem 2 on the expected fraction of released records, exactly as
    printed.

        0          if eps < i1(n - p),
        1 - R2/n   if eps >= i1(p - 1) + i1(n - p),
        1 - R1/n   otherwise;     R1 = D*(eps) + p - 1,  R2 = min{R1, 2 D*(eps/2) - 1}.

    D*(eps) is the least distance with i1(D) <= eps, and i1(0) is infinite. The print wants p <=
    n/2: beyond the middle the chain is mirrored, and the middle of an odd chain is taken as it is.

    >>> published_bound(BinaryChain("1/100", "4/5", 10), 1, Level.of_nats(1))
    Fraction(7, 10)

    Raises `ModelError` unless the chain is stationary and 1 <= p <= n.
    """
    (private,) = private_records(private, chain.length)
    chain.expect_stationary()
    length, rare = chain.length, 1 - chain.common_value
    near = min(private, length + 1 - private)
    far = length - near
    if far == 0 or chain.compare_influences(level, (rare, far)) > 0:
        return Fraction(0)
    redacted = chain.first_distance(rare, level, length) + near - 1
    if near > 1 and chain.compare_influences(level, (rare, near - 1), (rare, far)) <= 0:
        redacted = min(redacted, 2 * chain.first_distance(rare, Budget(level, Fraction(1, 2)), length) - 1)
    return 1 - Fraction(redacted, length)


RESTS_ON = ("massny2025.fn1-repaired", "redaction.monotone")


@dataclass(frozen=True, repr=False)
class SetDesign(Design):
    """A mechanism for several private records: `leakage` is about all of them together, `alone`
    about each, in order.
    """

    alone: tuple[Leakage, ...] = ()


def redaction_set_designs(
    chain: BinaryChain, private: Iterable[int], level: LevelLike, names: Iterable[str] = NAMES
) -> Designs:
    """Return the most conservative mechanism of every strategy for a set of private records.

    >>> (design,) = redaction_set_designs(BinaryChain("1/4", "1/2", 5), [1, 5], "log(2)", ["data-independent"])
    >>> design.lower, design.leakage.ratio, [leakage.ratio for leakage in design.alone]
    (Fraction(3, 5), Fraction(171, 43), [Fraction(2, 1), Fraction(2, 1)])

    Raises `ModelError` unless the names are of `NAMES`, the chain is stationary and there is a
    record, all of the chain.
    """
    chain = check_type(chain, BinaryChain, "chain")
    names = check_type(names, Iterable[str], "names")
    chosen, names = private_records(private, chain.length), list(names)
    single = [redaction_designs(chain, record, level, names) for record in chosen]
    return Designs(_combined(chain, chosen, name, designs) for name, designs in zip(names, zip(*single)))


def _combined(
    chain: BinaryChain, private: tuple[int, ...], name: str, designs: tuple[Design | Skipped, ...]
) -> Design | Skipped:
    mechanisms = []
    for design in designs:
        if isinstance(design, Skipped):
            return design
        if design.mechanism is None:
            return Skipped(name, "no local redaction, which could be combined over several private records")
        mechanisms.append(design.mechanism)
    return evaluated(chain, private, name, most_conservative(*mechanisms))


def evaluated(chain: BinaryChain, private: tuple[int, ...], name: str, mechanism: LocalRedaction) -> SetDesign:
    """Return a mechanism's exact utility, joint leakage, and leakage about each record."""
    alone = tuple(leakage.leakage for leakage in redaction_leakages(chain, mechanism, private))
    joint = alone[0] if len(private) == 1 else joint_redaction_leakage(chain, mechanism, private).leakage
    utility = mechanism.utility(chain)
    several = united(RESTS_ON, JOINT_RESTS_ON) if len(private) > 1 else ()
    claims = united(several, AUDIT_RESTS_ON)
    return SetDesign(name, utility, utility, mechanism, joint, alone, claims=claims)
