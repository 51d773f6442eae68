"""Several private records of a binary chain: every strategy designed for each record alone, and the
most conservative of them.

r_t(x) is the largest over the designs of the single records. Each record then keeps the level
(claim `massny2025.fn1`); all of them together need not, so that the exact joint leakage stands
beside the exact leakage of each. Nothing is optimised jointly. Source: Massny, Bitar, Ye and El
Rouayheb 2025 (massny2025), footnote 1.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pufferproof.lp.redaction.strategies import AUDIT_RESTS_ON, NAMES, Design, Designs, Skipped, redaction_designs
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.level import LevelLike
from pufferproof.models.sequences.binary import BinaryChain, private_records
from pufferproof.models.sequences.redaction import LocalRedaction, most_conservative
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.redaction.joint import RESTS_ON as JOINT_RESTS_ON
from pufferproof.verify.sequences.redaction.joint import joint_redaction_leakage
from pufferproof.verify.sequences.redaction.leakage import redaction_leakages

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
