"""Queries with noise released together, beside the accountant's bound of what they leak.

The accountant (`pufferproof.verify.noise.accountant`) needs records in a chain or independent ones,
and no list of databases; it also answers where the exact joint leakage is too large to compute.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.queries import Query
from pufferproof.models.noise.records import RecordQuery
from pufferproof.reports.auditing.words import account_text, additive_line, composition_lines
from pufferproof.reports.console.words import counted, leakage_text, never_checked_lines
from pufferproof.verify.audit import audit
from pufferproof.verify.composition import Composition, compose
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.largest import product_of
from pufferproof.verify.leakage.ratio import Leakage, Scope
from pufferproof.verify.noise.accountant import Account, quilt_account
from pufferproof.verify.noise.bounds import MAX_ACCOUNTS, places_to_check

_LONGEST = 2_000  # records for which single leakages are computed where the joint one is too large


@dataclass(frozen=True)
class AccountedComposition:
    """What is known of releases: the exact composition unless it is too large, and the account
    or why there is none.
    """

    runs: int
    exactly: Composition | None
    single: tuple[Leakage | None, ...]
    account: Account | str
    scope: Scope
    too_large: str = ""

    @classmethod
    def of(
        cls, framework: Framework, releases: Sequence[Query], runs: int
    ) -> "AccountedComposition":
        try:
            together = compose(framework, releases, runs)
        except TooLargeError as error:
            account = _account(framework, releases, runs)
            if isinstance(account, str) or not framework.along_records:
                raise
            distinct = {id(release): _alone(framework, release) for release in releases}
            single = tuple(distinct[id(release)] for release in releases)
            return cls(runs, None, single, account, places_to_check(framework)[1], str(error))
        alone = tuple(each.leakage for each in together.single)
        account = _account(framework, releases, runs)
        return cls(runs, together, alone, account, together.joint.scope)

    @property
    def total(self) -> Leakage | None:
        """The sum of the single leakages of all releases, None unless all are known."""
        if any(each is None for each in self.single):
            return None
        known = [each for each in self.single if each is not None]
        return Leakage(
            product_of([each.lower for each in known], self.runs),
            product_of([each.upper for each in known], self.runs),
        )

    @property
    def additive(self) -> Decision:
        """Whether the joint leakage is at most that sum: as the bound says, where only that is
        known.
        """
        if self.exactly is not None:
            return self.exactly.additive
        total, account = self.total, self.account
        if total is None or isinstance(account, str) or account.bound.upper is None:
            return Decision.UNDECIDED
        within = total.lower is None or account.bound.upper <= total.lower
        return Decision.HOLDS if within else Decision.UNDECIDED

    @property
    def notes(self) -> list[str]:
        notes = never_checked_lines(self.scope)
        notes += (
            [f"note: the joint leakage is not computed: {self.too_large}"] if self.too_large else []
        )
        return [
            *notes,
            *(
                [f"note: no account: {self.account}"]
                if isinstance(self.account, str) and self.account
                else []
            ),
        ]

    def as_json(self) -> dict[str, Any]:
        total, account = self.total, self.account
        answer = {
            "sum": None if total is None else total.as_json(),
            "account": None if isinstance(account, str) else account.as_json(),
        }
        if self.exactly is not None:
            return self.exactly.as_json() | answer
        single = [None if each is None else each.as_json() for each in self.single]
        unknown = dict.fromkeys(("joint", "witness", "checked"))
        known = {
            "single": single,
            "additive": self.additive.value,
            "runs": self.runs,
            "excluded": self.scope.excluded,
        }
        left_out = [list(pair) for pair in self.scope.never_checked]
        return (
            known | unknown | {"never_checked": left_out, "trust": ["INTERVAL", "PROSE"]} | answer
        )

    def lines(self, names: Sequence[str]) -> list[str]:
        """Render it for a terminal: single, joint, and the bounds of the joint leakage."""
        bounds = [] if self.total is None else [f"sum       {leakage_text(self.total)}"]
        if not isinstance(self.account, str):
            bounds.append(f"account   at most {leakage_text(self.account.bound)}")
            bounds.append(f"          {account_text(self.account)}")
        if self.exactly is not None:
            return composition_lines(self.exactly, names, bounds)
        return [
            *(f"single    {single_text(each)}  {name}" for each, name in zip(self.single, names)),
            f"joint     {single_text(None)}  ({counted(self.runs * len(names), 'release')})",
            *([] if self.additive is Decision.UNDECIDED else [additive_line(self.additive)]),
            *bounds,
        ]


def single_text(leakage: Leakage | None) -> str:
    """Say the leakage of one release in one phrase, None where it is too large to compute."""
    return "not computed, too large" if leakage is None else leakage_text(leakage)


def _alone(framework: Framework, release: Query) -> Leakage | None:
    """Return the leakage of one release, None where even that is too large."""
    if framework.records is not None and framework.records.count > _LONGEST:
        return None
    try:
        return audit(framework, release).leakage
    except TooLargeError:
        return None


def _account(framework: Framework, releases: Sequence[Query], runs: int) -> Account | str:
    """Return the largest bound over all records, or why there is none: "" with listed
    databases, which have no records.
    """
    queries = [release for release in releases if isinstance(release, RecordQuery)]
    if not framework.along_records or len(queries) < len(releases):
        return ""
    if any(query.noise.decay is None for query in queries):
        return "gaussian noise has no bounded cost per record"
    if len(framework.places) * len(framework.priors) > MAX_ACCOUNTS:
        return f"more than {MAX_ACCOUNTS} secrets, times priors"
    accounts = quilt_account(framework, [query for query in queries for _ in range(runs)])
    return accounts[0] if accounts else "no record with a secret is uncertain"
