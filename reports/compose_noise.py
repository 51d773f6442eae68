"""`pufferproof compose` on queries with noise: single and joint leakage of independent releases, and the accountant's bound.

The accountant (`pufferproof.verify.quilt_accountant`) needs records in a chain or independent ones, and no list of databases;
it also answers where the exact joint leakage is too large to compute.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise_files import NoisyReleases
from pufferproof.models.record_query import RecordQuery
from pufferproof.models.sequences import SequenceFramework
from pufferproof.reports.audit_noise import checked_line, likelier_lines, refuse_options
from pufferproof.reports.audit_sequences import enclosed_text
from pufferproof.reports.console import print_answer, warn
from pufferproof.reports.progress import working
from pufferproof.reports.text import additive_line, counted, never_checked_lines
from pufferproof.verify.leakage import Leakage
from pufferproof.verify.noise_audit import Release, audit_noise
from pufferproof.verify.noise_composition import NoiseComposition, audit_noise_composition
from pufferproof.verify.quilt_accountant import Account, quilt_account

_MOST_ACCOUNTS = 2_000  # secrets, times priors
_LONGEST = 2_000  # records for which single leakages are computed where the joint one is too large


def compose_noise(noisy: NoisyReleases, runs: int, options: Sequence[str], as_json: bool) -> None:
    """Compose queries with noise, and print what was found; there are no rates.

    `options` are options that were given and go with listed outputs. Raises `ModelError` unless there are none, and
    `TooLargeError` unless the joint leakage or a bound of it can be computed.
    """
    refuse_options(options)
    paths = [each.path for each in noisy.releases]
    distinct = {each.path: each.value for each in noisy.releases}  # a file given twice is audited once
    with working("composing"):
        found = _Composed.of(noisy.framework.value, [distinct[path] for path in paths], runs)
    hashes = [each.sha256 for each in noisy.releases]
    answer = found.as_json() | {"rate": None, "inputs": {"framework": noisy.framework.sha256, "mechanisms": hashes}}
    warn([*found.notes, *(["note: no composition rates: outputs are not listed"] if as_json else [])])
    lines = [*found.lines(paths), "rate      none: outputs are not listed", f"trust     {', '.join(answer['trust'])}"]
    print_answer(answer, lines, as_json)


@dataclass(frozen=True)
class _Composed:
    """What is known of releases: the exact composition unless it is too large, and the account or why there is none."""

    runs: int
    exactly: NoiseComposition | None
    single: tuple[Leakage | None, ...]
    account: Account | str
    too_large: str = ""

    @classmethod
    def of(cls, framework: Framework | SequenceFramework, releases: Sequence[Release], runs: int) -> "_Composed":
        try:
            found = audit_noise_composition(framework, releases, runs)
        except TooLargeError as error:
            account = _account(framework, releases, runs)
            if isinstance(account, str):
                raise
            distinct = {id(release): _alone(framework, release) for release in releases}
            return cls(runs, None, tuple(distinct[id(release)] for release in releases), account, str(error))
        single = tuple(each.leakage for each in found.single)
        return cls(runs, found, single, _account(framework, releases, runs))

    @property
    def total(self) -> Leakage | None:
        """The sum of the single leakages of all releases, None unless all are known."""
        if any(each is None for each in self.single):
            return None
        known = [each for each in self.single if each is not None]
        if any(each.lower is None or each.upper is None for each in known):
            return Leakage.of(None)
        lower, upper = ([getattr(each, side) or Fraction(1) for each in known] for side in ("lower", "upper"))
        return Leakage(prod(lower) ** self.runs, prod(upper) ** self.runs)

    @property
    def additive(self) -> bool | None:
        """Whether the joint leakage is at most that sum: as the bound says, where only that is known."""
        if self.exactly is not None:
            return self.exactly.additive
        total, account = self.total, self.account
        if total is None or isinstance(account, str) or account.bound.upper is None:
            return None
        return True if total.lower is None or account.bound.upper <= total.lower else None

    @property
    def notes(self) -> list[str]:
        notes = [] if self.exactly is None else never_checked_lines(self.exactly.joint)
        notes += [f"note: the joint leakage is not computed: {self.too_large}"] if self.too_large else []
        return [
            *notes,
            *([f"note: no account: {self.account}"] if isinstance(self.account, str) and self.account else []),
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
        unknown = dict.fromkeys(("joint", "witness", "excluded", "checked"))
        known = {"single": single, "additive": self.additive, "runs": self.runs, "never_checked": []}
        return known | unknown | {"trust": ["EXACT", "INTERVAL"]} | answer

    def lines(self, names: Sequence[str]) -> list[str]:
        """Render it for a terminal: single, joint, and the bounds of the joint leakage."""
        lines = [f"single    {_text(each)}  {name}" for each, name in zip(self.single, names)]
        count = counted(self.runs * len(names), "release")
        found = self.exactly
        lines.append(f"joint     {_text(None if found is None else found.joint.leakage)}  ({count})")
        if found is not None:
            shown = ", ".join(f"({output})" if "," in output else output for output in found.outputs)
            lines += [f'witness   outputs {shown}, prior "{found.joint.witness.prior}"', *likelier_lines(found.joint)]
        lines += [] if self.additive is None and found is None else [additive_line(self.additive)]
        lines += [] if self.total is None else [f"sum       {_text(self.total)}"]
        lines += [] if isinstance(self.account, str) else _account_lines(self.account)
        return [*lines, *([] if found is None else [checked_line(found.joint)])]


def _text(leakage: Leakage | None) -> str:
    return "not computed, too large" if leakage is None else enclosed_text(leakage)


def _account_lines(account: Account) -> list[str]:
    spent, influence = (enclosed_text(each).partition(" nats")[0] for each in (account.spent, account.influence))
    place = f'record {account.record}, prior "{account.prior}", quilt {account.quilt}'
    parts = f"influence {influence}, spent {spent}"
    return [f"account   at most {enclosed_text(account.bound)}", f"          {place}: {parts}"]


def _alone(framework: Framework | SequenceFramework, release: Release) -> Leakage | None:
    """Return the leakage of one release, None where even that is too large."""
    if isinstance(framework, SequenceFramework) and framework.records.count > _LONGEST:
        return None
    try:
        return audit_noise(framework, release).leakage
    except TooLargeError:
        return None


def _account(framework: Framework | SequenceFramework, releases: Sequence[Release], runs: int) -> Account | str:
    """Return the largest bound over all records, or why there is none: "" with listed databases, which have no records."""
    queries = [release for release in releases if isinstance(release, RecordQuery)]
    if not isinstance(framework, SequenceFramework):
        return ""
    if any(query.noise.decay is None for query in queries):
        return "gaussian noise has no bounded cost per record"
    if len(framework.secrets) * len(framework.priors) > _MOST_ACCOUNTS:
        return f"more than {_MOST_ACCOUNTS} secrets, times priors"
    accounts = quilt_account(framework, [query for query in queries for _ in range(runs)])
    return accounts[0] if accounts else "no record with a secret is uncertain"
