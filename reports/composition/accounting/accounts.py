"""Queries with noise released together, beside the accountant's bound of what they leak.

The accountant (`pufferproof.verify.noise.accounts.accountant`) needs records in a chain or
independent ones, and no list of databases. Where an exact leakage is too large to compute it lies
between bounds, of which the accountant's is one (`pufferproof.verify.noise.ratio.bounds`).

This file also says what commands say of published bounds of releases together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pufferproof.lp.accounting.published.every import PublishedBounds, published_bounds
from pufferproof.lp.accounting.published.far import PublishedBound
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import Query, RecordQuery
from pufferproof.models.numbers.text import JsonObject, rounded
from pufferproof.reports.auditing.words.answers import composition_lines
from pufferproof.reports.auditing.words.kinds import account_text
from pufferproof.reports.console.words import leakage_text, never_checked_lines
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.decision import Decision
from pufferproof.verify.decision import recorded_verdict as _verdict
from pufferproof.verify.leakage.ratio import Leakage, product_of
from pufferproof.verify.noise.accounts.accountant import Account, quilt_account
from pufferproof.verify.noise.ratio.bounds import MAX_ACCOUNTS, NoiseBounds

_FALSE = "REFUTED"


@dataclass(frozen=True)
class AccountedComposition:
    """What is known of releases together, exactly or between bounds, and the account or why there
    is none.
    """

    together: Composition
    account: Account | str

    @cached_property
    def published(self) -> PublishedBounds:
        """What the literature says of them."""
        return published_bounds(self.together)

    @classmethod
    def of(cls, framework: Framework, releases: Sequence[Query], runs: int) -> "AccountedComposition":
        together = compose(framework, releases, runs)
        return cls(together, _account(framework, releases, runs))

    @property
    def total(self) -> Leakage:
        """The sum of the single leakages of all releases."""
        leakages = [each.leakage for each in self.together.single]
        return Leakage(
            product_of([leakage.lower for leakage in leakages], self.together.runs),
            product_of([leakage.upper for leakage in leakages], self.together.runs),
        )

    @property
    def additive(self) -> Decision:
        """Whether the joint leakage is at most that sum."""
        return self.together.additive

    @property
    def notes(self) -> list[str]:
        largest = self.together.joint.largest
        bounded = isinstance(largest, NoiseBounds) and largest.reason
        return [
            *never_checked_lines(self.together.joint.scope),
            *([f"note: the joint leakage is not computed exactly: {bounded}"] if bounded else []),
            *([f"note: no account is kept: {self.account}"] if isinstance(self.account, str) and self.account else []),
        ]

    def as_json(self) -> JsonObject:
        account, largest = self.account, self.together.joint.largest
        bounds = largest.closer_json() if isinstance(largest, NoiseBounds) else {}
        return self.together.as_json() | {
            "sum": self.total.as_json(),
            "account": None if isinstance(account, str) else account.as_json(),
            **bounds,
            "published": published_json(self.published),
        }

    def lines(self, names: Sequence[str]) -> list[str]:
        """Render it for a terminal: single, joint, and the bounds of the joint leakage."""
        bounds = [f"sum       {leakage_text(self.total)}"]
        if not isinstance(self.account, str):
            bounds.append(f"account   at most {leakage_text(self.account.bound)}")
            bounds.append(f"          {account_text(self.account)}")
        bounds += published_lines(self.published)
        return composition_lines(self.together, names, bounds)


def _account(framework: Framework, releases: Sequence[Query], runs: int) -> Account | str:
    """Return the largest bound over all records, or why there is none."""
    queries = [release for release in releases if isinstance(release, RecordQuery)]
    if not framework.along_records or len(queries) < len(releases):
        return ""
    if any(query.noise.decay is None for query in queries):
        return "Gaussian noise has no bounded cost per record"
    if len(framework.places) * len(framework.priors) > MAX_ACCOUNTS:
        return f"more than {MAX_ACCOUNTS} secrets, times priors"
    accounts = quilt_account(framework, [query for query in queries for _ in range(runs)])
    return accounts[0] if accounts else "no record with a secret is uncertain"


def published_json(bounds: PublishedBounds) -> list[JsonObject]:
    """Return the objects of the file formats, with the recorded verdict on what is printed."""
    return [
        known | {"printed": {"claim": known["printed"], "verdict": _verdict(known["printed"])}}
        for known in bounds.as_json()
    ]


def published_lines(bounds: PublishedBounds) -> list[str]:
    """Render published bounds for a terminal, nothing where no theorem is about such releases."""
    said: dict[str, list[PublishedBound]] = {}
    for bound in bounds.bounds:
        said.setdefault(_said(bounds, bound), []).append(bound)
    lines = [f"{', '.join(e.theorem for e in known)}  {what}" for what, known in said.items()]
    heads = ["published ", *["          "] * len(lines)]
    return [f"{head}{line}" for head, line in zip(heads, lines)]


def _said(bounds: PublishedBounds, bound: PublishedBound) -> str:
    if bound.bound is None:
        return f"no bound: {bound.reason}"
    repaired = " (as repaired: the print is false)" if _verdict(bound.printed) == _FALSE else ""
    above = bound.above(bounds.joint)
    off = "" if above is None else f", {rounded(above.upper, 4)} nats above the joint leakage"
    least = "; the smallest" if bound is bounds.smallest else ""
    return f"at most {leakage_text(bound.bound)}{off}{least}{repaired}"
