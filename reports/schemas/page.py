"""What `ledger` prints."""

from typing import Literal

from pufferproof.reports.schemas.values import Leakage, Output, Witness


class LedgerEntry(Output):
    """A published mechanism: the epsilon it claims against the exact one."""

    example: str
    mechanism: str
    framework: str
    source: str
    claimed: str
    leakage: Leakage
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"]
    witness: Witness


class Ledger(Output):
    """What `pufferproof ledger --json` prints."""

    ledger: list[LedgerEntry]
