"""`pufferproof compose` on queries with noise: single and joint leakage of independent releases,
and the accountant's bound.

The accountant (`pufferproof.verify.noise.accountant`) needs records in a chain or independent ones,
and no list of databases; it also answers where the exact joint leakage is too large to compute.
Claimed levels are decided one by one; what they say of many runs, the condition NfC, is a matter of
listed outputs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from pufferproof.models.errors import TooLargeError
from pufferproof.models.files.question import NoisyReleases
from pufferproof.models.framework import Framework
from pufferproof.models.noise.queries import Query
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.reports.auditing.noise import (
    account_lines,
    checked_line,
    likelier_lines,
    refuse_options,
)
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import (
    additive_line,
    counted,
    leakage_text,
    never_checked_lines,
)
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.composition import Composition, compose
from pufferproof.verify.leakage.ratio import Leakage, Scope
from pufferproof.verify.noise.accountant import Account, quilt_account
from pufferproof.verify.noise.bounds import (
    MAX_ACCOUNTS,
    NoiseBounds,
    audit_or_bounds,
    places_to_check,
)

_LONGEST = 2_000  # records for which single leakages are computed where the joint one is too large


def compose_noise(
    noisy: NoisyReleases, runs: int, levels: Sequence[Level], options: Sequence[str], as_json: bool
) -> int:
    """Compose queries with noise, print what was found, and return the exit code; there are no
    rates.

    `levels` are those claimed, one for every release, or none; `options` were given and go with
    listed outputs. Raises `ModelError` unless there are none, and `TooLargeError` unless the joint
    leakage or a bound of it can be computed.
    """
    refuse_options(options)
    paths = [each.path for each in noisy.mechanisms]
    distinct = {
        each.path: each.value for each in noisy.mechanisms
    }  # a file given twice is audited once
    with working("composing"):
        found = NoiseReleased.of(noisy.framework.value, [distinct[path] for path in paths], runs)
        claimed = [
            audit_or_bounds(noisy.framework.value, distinct[path], level)
            for path, level in zip(paths, levels)
        ]
    answer = found.as_json() | {"rate": None, "inputs": noisy.inputs}
    answer |= priors_json(noisy.framework.value.normalized)
    verdicts = [each.verdict.value for each in claimed if each.verdict is not None]
    if claimed:
        answer["claimed"] = [
            {"level": str(level), "verdict": verdict} for level, verdict in zip(levels, verdicts)
        ]
        answer["nfc"] = None
    divided = priors_lines(noisy.framework.value.normalized, noisy.framework.path)
    none = [
        "rate      none: outputs are not listed",
        *(["nfc       none: outputs are not listed"] if claimed else []),
    ]
    absent = "no composition rates" + (", and no NfC" if claimed else "")
    warn(
        [*divided, *found.notes, *([f"note: {absent}: outputs are not listed"] if as_json else [])]
    )
    lines = [
        *_claimed_lines(claimed, paths),
        *found.lines(paths),
        *none,
        f"trust     {', '.join(answer['trust'])}",
    ]
    print_answer(answer, lines, as_json)
    return 1 if "VIOLATES" in verdicts else 3 if "UNDECIDED" in verdicts else 0


def _claimed_lines(claimed: Sequence[Audit], names: Sequence[str]) -> list[str]:
    """Say of every release whether it keeps the level claimed for it, and where a bound says so."""
    lines = []
    for each, name in zip(claimed, names):
        verdict = each.verdict.value if each.verdict is not None else ""
        how = (
            f": leakage {leakage_text(each.leakage)}, by bounds"
            if isinstance(each.largest, NoiseBounds)
            else ""
        )
        lines.append(f"{verdict} {each.level}  {name}, released once{how}")
    return lines


@dataclass(frozen=True)
class NoiseReleased:
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
    def of(cls, framework: Framework, releases: Sequence[Query], runs: int) -> "NoiseReleased":
        try:
            found = compose(framework, releases, runs)
        except TooLargeError as error:
            account = _account(framework, releases, runs)
            if isinstance(account, str) or not framework.along_records:
                raise
            distinct = {id(release): _alone(framework, release) for release in releases}
            single = tuple(distinct[id(release)] for release in releases)
            return cls(runs, None, single, account, places_to_check(framework)[1], str(error))
        alone = tuple(each.leakage for each in found.single)
        return cls(runs, found, alone, _account(framework, releases, runs), found.joint.scope)

    @property
    def total(self) -> Leakage | None:
        """The sum of the single leakages of all releases, None unless all are known."""
        if any(each is None for each in self.single):
            return None
        known = [each for each in self.single if each is not None]
        if any(each.lower is None or each.upper is None for each in known):
            return Leakage.of(None)
        lower, upper = (
            [getattr(each, side) or Fraction(1) for each in known] for side in ("lower", "upper")
        )
        return Leakage(prod(lower) ** self.runs, prod(upper) ** self.runs)

    @property
    def additive(self) -> bool | None:
        """Whether the joint leakage is at most that sum: as the bound says, where only that is
        known.
        """
        if self.exactly is not None:
            return self.exactly.additive
        total, account = self.total, self.account
        if total is None or isinstance(account, str) or account.bound.upper is None:
            return None
        return True if total.lower is None or account.bound.upper <= total.lower else None

    @property
    def notes(self) -> list[str]:
        notes = never_checked_lines(self)
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
            "additive": self.additive,
            "runs": self.runs,
            "excluded": self.scope.excluded,
        }
        left_out = [list(pair) for pair in self.scope.never_checked]
        return (
            known | unknown | {"never_checked": left_out, "trust": ["INTERVAL", "PROSE"]} | answer
        )

    def lines(self, names: Sequence[str]) -> list[str]:
        """Render it for a terminal: single, joint, and the bounds of the joint leakage."""
        lines = [f"single    {_text(each)}  {name}" for each, name in zip(self.single, names)]
        count = counted(self.runs * len(names), "release")
        found = self.exactly
        lines.append(
            f"joint     {_text(None if found is None else found.joint.leakage)}  ({count})"
        )
        if found is not None:
            shown = ", ".join(
                f"({output})" if "," in output else output for output in found.outputs
            )
            lines += [
                f'witness   outputs {shown}, prior "{found.joint.witness.prior}"',
                *likelier_lines(found.joint),
            ]
        lines += [] if self.additive is None and found is None else [additive_line(self.additive)]
        lines += [] if self.total is None else [f"sum       {_text(self.total)}"]
        lines += [] if isinstance(self.account, str) else _account_lines(self.account)
        return [*lines, *([] if found is None else [checked_line(found.joint)])]


def _text(leakage: Leakage | None) -> str:
    return "not computed, too large" if leakage is None else leakage_text(leakage)


def _account_lines(account: Account) -> list[str]:
    return [
        f"account   at most {leakage_text(account.bound)}",
        *(f"          {line}" for line in account_lines(account)),
    ]


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
