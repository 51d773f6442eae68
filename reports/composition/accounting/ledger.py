"""`pufferproof compose --ledger FILE`: all releases that a ledger has together with new ones, which
are entered into it.

The account is `lp/accounting/accountant.py`. Nothing is entered unless the answer is known, and
then the whole ledger takes the place of the one before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pufferproof.lp.accounting.accountant import Accountant, Bound
from pufferproof.lp.accounting.ledger import exists, held
from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import Listed
from pufferproof.models.files.reading import Loaded
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.any_form import Files
from pufferproof.reports.auditing.words.answers import shared_lines
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import priors_json
from pufferproof.reports.console.words import counted, leakage_text
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.decision import united

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
        for mechanism in _mechanisms(files):
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

    def as_json(self) -> JsonObject:
        """Return the composition object of the file formats, with `ledger`; `single` has the new
        releases only.
        """
        exactly = self.exactly
        unknown = dict.fromkeys(("joint", "additive", "witness", "excluded", "checked"))
        fields: JsonObject = {"single": [None] * self._count} | unknown
        fields |= {"runs": self.runs, "never_checked": [], "trust": self._trust, "rate": None}
        fields["rests_on"] = self._rests_on
        if exactly is not None:
            fields |= exactly.as_json() | {"runs": self.runs, "trust": self._trust}
            fields["single"] = [each.leakage.as_json() for each in self._single(exactly)]
        fields |= {"shared": self._shared, "ledger": self._ledger(), "inputs": self.files.inputs}
        return fields | priors_json(self.files.framework.value.normalized)

    def _single(self, exactly: Composition) -> list[Any]:
        """Return the audits of the new mechanisms; of equal releases there is one."""
        every = exactly.single
        if len(every) == 1:
            return list(every) * self._count
        return list(every[-self._count * self.runs :: self.runs])

    def _ledger(self) -> dict[str, object]:
        return {
            "file": self.path,
            "before": self.before,
            "now": self.runs * self._count,
            "adaptive": self.account.adaptive,
            "bounds": [bound.as_json() for bound in self.account.bounds()],
            "at_most": self.account.epsilon().as_json(),
        }

    @property
    def _shared(self) -> str | None:
        """What all releases of the ledger share, whatever else they are."""
        return shared(self.before + self.runs * self._count, self.files.framework.value)

    @property
    def _trust(self) -> list[str]:
        """What the answer rests on, besides the claims that bounds name."""
        exactly = self.exactly
        return ["EXACT", "INTERVAL"] if exactly is None else list(exactly.joint.trust)

    @property
    def _rests_on(self) -> list[str]:
        """The claims of the joint release, or of the bounds if it was not computed."""
        exactly = self.exactly
        if exactly is not None:
            return list(exactly.rests_on)
        return list(united(*(bound.claims for bound in self.account.bounds())))

    def lines(self) -> list[str]:
        """Render it for a terminal."""
        now, exactly = self.runs * self._count, self.exactly
        names = [mechanism.path for mechanism in self.files.mechanisms]
        alone = [] if exactly is None else self._single(exactly)
        return [
            f"ledger    {self.path}: {counted(self.before, 'release')} before, {now} now",
            *(f"single    {leakage_text(each.leakage)}  {name}" for each, name in zip(alone, names)),
            *(line for bound in self.account.bounds() for line in _bound_lines(bound)),
            f"together  at most {leakage_text(self.account.epsilon())}",
            *shared_lines(self._shared),
        ]


def _mechanisms(files: Files) -> list[Loaded[Any]]:
    """Return the mechanisms as they were written; a file that is given twice is one object."""
    local = files.local if isinstance(files, Listed) else ()
    by_path = {each.path: each for each in local or files.mechanisms}
    return [by_path[mechanism.path] for mechanism in files.mechanisms]


def _bound_lines(bound: Bound) -> list[str]:
    if bound.leakage is None:
        return [f"{bound.name:<10}none: {bound.how}"]
    exactly = "" if bound.name == "joint" else "at most "
    rests = [f"          rests on {', '.join(bound.claims)}"] if bound.claims else []
    return [f"{bound.name:<10}{exactly}{leakage_text(bound.leakage)}", f"          {bound.how}", *rests]
