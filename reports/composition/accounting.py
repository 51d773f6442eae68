"""`pufferproof compose --ledger FILE`: all releases that a ledger has together with new ones, which
are entered into it.

The account is `lp/accounting/accountant.py`. Nothing is entered unless the answer is known, and
then the whole ledger takes the place of the one before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pufferproof.lp.accounting.accountant import Accountant
from pufferproof.lp.accounting.ledger import exists, held
from pufferproof.lp.accounting.published.every import PublishedBounds, published_bounds
from pufferproof.lp.accounting.published.far import PublishedBound
from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import Listed
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.records import Query, RecordQuery
from pufferproof.models.numbers.text import JsonObject, rounded
from pufferproof.reports.auditing.any_form import Files
from pufferproof.reports.auditing.words import account_text, composition_lines, shared_lines
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.words import counted, leakage_text, never_checked_lines
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.decision import Decision, united
from pufferproof.verify.decision import recorded_verdict as _verdict
from pufferproof.verify.leakage.ratio import Leakage, product_of
from pufferproof.verify.noise.accounts.accountant import Account, quilt_account
from pufferproof.verify.noise.ratio.bounds import MAX_ACCOUNTS, NoiseBounds

# Queries with noise released together, beside the accountant's bound of what they leak.
#
# The accountant (`pufferproof.verify.noise.accounts.accountant`) needs records in a chain or independent ones, and no
# list of databases. Where an exact leakage is too large to compute it lies between bounds, of which the accountant's
# is one (`pufferproof.verify.noise.ratio.bounds`).
#
# This file also says what commands say of published bounds of releases together.

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
        # the largest bound over all records, or why there is none
        account: Account | str
        queries = [release for release in releases if isinstance(release, RecordQuery)]
        if not framework.along_records or len(queries) < len(releases):
            account = ""
        elif any(query.noise.decay is None for query in queries):
            account = "Gaussian noise has no bounded cost per record"
        elif len(framework.places) * len(framework.priors) > MAX_ACCOUNTS:
            account = f"more than {MAX_ACCOUNTS} secrets, times priors"
        else:
            accounts = quilt_account(framework, [query for query in queries for _ in range(runs)])
            account = accounts[0] if accounts else "no record with a secret is uncertain"
        return cls(together, account)

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
        if bound.bound is None:
            text = f"no bound: {bound.reason}"
        else:
            repaired = " (as repaired: the print is false)" if _verdict(bound.printed) == _FALSE else ""
            above = bound.above(bounds.joint)
            off = "" if above is None else f", {rounded(above.upper, 4)} nats above the joint leakage"
            least = "; the smallest" if bound is bounds.smallest else ""
            text = f"at most {leakage_text(bound.bound)}{off}{least}{repaired}"
        said.setdefault(text, []).append(bound)
    lines = [f"{', '.join(e.theorem for e in known)}  {what}" for what, known in said.items()]
    heads = ["published ", *["          "] * len(lines)]
    return [f"{head}{line}" for head, line in zip(heads, lines)]


_NOT_WITH = "cannot be combined with --ledger"


def refuse_with_ledger(ledger: str | None, adaptive: bool, options: dict[str, object]) -> None:
    """Raise `ModelError` for options that do not go with a ledger, or go with one only."""
    if ledger is None:
        if adaptive:
            raise ModelError("needs --ledger as well", "--adaptive")
        return
    option = next((name for name, value in options.items() if value), None)
    if option is not None:
        raise ModelError(_NOT_WITH, option)


@dataclass(frozen=True)
class Ledgered:
    """New releases, entered into the account of a ledger after those `before`."""

    path: str
    account: Accountant
    before: int
    files: Files
    runs: int

    @classmethod
    def of(cls, path: str, files: Files, runs: int, adaptive: bool) -> "Ledgered":
        """Enter releases into the account of a ledger, a new one if there is none yet."""
        loaded = files.framework
        is_there = exists(path)
        account = Accountant.load(path, loaded, adaptive) if is_there else Accountant(loaded, adaptive)
        before = sum(release.runs for release in account.releases)
        # the mechanisms as they were written; a file that is given twice is one object
        local = files.local if isinstance(files, Listed) else ()
        by_path = {each.path: each for each in local or files.mechanisms}
        mechanisms = [by_path[mechanism.path] for mechanism in files.mechanisms]
        for mechanism in mechanisms:
            account.spend(mechanism, runs=runs)
        return cls(path, account, before, files, runs)

    def write(self, inputs: Sequence[str | None]) -> None:
        """Put the ledger with the new releases in the place of the one before."""
        with held(self.path):
            data = self.account.ledger(self.path)
            write_outputs({self.path: data}, self.path, inputs=inputs, anew=True)

    @cached_property
    def exactly(self) -> Composition | None:
        """The exact joint release, or None if it was not computed."""
        together = self.account.composition()
        return None if isinstance(together, str) else together

    @property
    def _count(self) -> int:
        return len(self.files.mechanisms)

    @property
    def _shared(self) -> str | None:
        """What all releases of the ledger share, whatever else they are."""
        return shared(self.before + self.runs * self._count, self.files.framework.value)

    def as_json(self) -> JsonObject:
        """Return the composition object of the file formats, with `ledger`; `single` has the new
        releases only.
        """
        exactly = self.exactly
        trust, claims = ["EXACT", "INTERVAL"], united(*(bound.claims for bound in self.account.bounds()))
        if exactly is not None:
            trust, claims = list(exactly.joint.trust), exactly.rests_on
        unknown = dict.fromkeys(("joint", "additive", "witness", "excluded", "checked"))
        fields: JsonObject = {"single": [None] * self._count} | unknown
        fields |= {"runs": self.runs, "never_checked": [], "trust": trust}
        fields["rests_on"] = list(claims)
        if exactly is not None:
            fields |= exactly.as_json() | {"runs": self.runs, "trust": trust}
            fields["single"] = [each.leakage.as_json() for each in self._single(exactly)]
        fields |= {
            "shared": self._shared,
            "ledger": {
                "file": self.path,
                "before": self.before,
                "now": self.runs * self._count,
                "adaptive": self.account.adaptive,
                "bounds": [bound.as_json() for bound in self.account.bounds()],
                "at_most": self.account.epsilon().as_json(),
            },
        }
        return fields

    def _single(self, exactly: Composition) -> list[Audit]:
        """Return the audits of the new mechanisms; of equal releases there is one."""
        every = exactly.single
        if len(every) == 1:
            return list(every) * self._count
        return list(every[-self._count * self.runs :: self.runs])

    def lines(self) -> list[str]:
        """Render it for a terminal."""
        now, exactly = self.runs * self._count, self.exactly
        names = [mechanism.path for mechanism in self.files.mechanisms]
        alone = [] if exactly is None else self._single(exactly)
        bounds = []
        for bound in self.account.bounds():
            if bound.leakage is None:
                bounds.append(f"{bound.name:<10}none: {bound.how}")
                continue
            exact = "" if bound.name == "joint" else "at most "
            bounds += [f"{bound.name:<10}{exact}{leakage_text(bound.leakage)}", f"          {bound.how}"]
            bounds += [f"          rests on {', '.join(bound.claims)}"] if bound.claims else []
        return [
            f"ledger    {self.path}: {counted(self.before, 'release')} before, {now} now",
            *(f"single    {leakage_text(each.leakage)}  {name}" for each, name in zip(alone, names)),
            *bounds,
            f"together  at most {leakage_text(self.account.epsilon())}",
            *shared_lines(self._shared),
        ]
