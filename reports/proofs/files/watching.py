"""How far a check of claims is, on the start page of a folder of reports while the check runs.

Recorded verdicts are shown as recorded. The page says when it was written, so that it is true as
well if the run ends early. How often it is written depends on a clock, and nothing else does.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic

from pufferproof.claims.run import Result
from pufferproof.claims.run.steps.record import written
from pufferproof.models.errors import ModelError
from pufferproof.models.listing import counted
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.outputs import expect_new, write_outputs
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.page.start import Checking, RecordedPaper, StartPage
from pufferproof.reports.proofs import record
from pufferproof.reports.proofs.pages import VERDICTS
from pufferproof.reports.proofs.papers.shown import papers
from pufferproof.reports.proofs.running import chosen_claims, matches
from pufferproof.verify.proof.argument import EXHAUST_LIMITS
from pufferproof.verify.proof.smt import limit_met

# The file of `prove --steps`: what claims do, to be compared with what they did before.


def write_steps(path: str, patterns: Sequence[str], extra: Sequence[str], trust_code: bool, seconds: float) -> None:
    """Write what the claims do that patterns choose, and say so. Raises `ModelError` for a pattern
    without a match, and if the file exists.
    """
    expect_new(path)
    claims = chosen_claims(patterns, extra, trust_code, seconds)
    if extra and (limit := limit_met(partial(written, claims), EXHAUST_LIMITS * seconds)):
        raise ModelError(f"what its claims do takes more than {limit}", extra[0])
    write_outputs({path: written(claims)}, path, inputs=list(extra))
    print_lines(f"steps     {path}: written of {counted(len(claims), 'claim')}, no verdict")


_SECONDS = 4.0  # between two versions of the page


class Watched:
    """The start page of a folder of reports, and the check whose report will be in a folder of it.

    Args:
        out: the folder of the report, inside that of the start page.
        patterns: which claims are checked, all if there is none.
    """

    def __init__(self, folder: str, benchmarks: str | None, out: str, patterns: Sequence[str]) -> None:
        if Path(out).resolve().parent != Path(folder).resolve():
            raise ModelError(f"expected the folder that --out {out} is in", "--start")
        self._out = Path(out).name
        self._start = StartPage.of(folder, benchmarks)
        self._recorded = {
            name: entry
            for name, entry in record.recorded().items()
            if not patterns or any(matches(name, each) for each in patterns)
        }
        self._papers = _papers(self._recorded)
        self._new: list[Result] = []
        self._others: list[str] = []
        self._checked, self._written = 0, 0.0

    def write(self, total: int | None = None) -> Path:
        """Write the page as things are now."""
        # which new results differ from the record
        found = record.verdicts(record.open_where_reworded(self._new))
        for name, entry in found.items():
            known = self._recorded.get(name, {})
            self._others += [] if known | entry == known else [name]
        self._new = []
        self._written = monotonic()
        verdicts = Counter(entry["verdict"] for entry in self._recorded.values())
        return self._start.write(
            Checking(
                f"{datetime.now().astimezone():%H:%M:%S %Z on %d %B %Y}",
                self._checked,
                total,
                sorted(self._others),
                {name: verdicts[name] for name in VERDICTS if verdicts[name]},
                self._papers,
                self._out,
            )
        )

    def done(self, result: Result, total: int) -> None:
        """Take in a claim that is checked; write the page if the last time was a while ago."""
        self._checked += 1
        self._new.append(result)
        if monotonic() - self._written > _SECONDS or self._checked == total:
            self.write(total)


def _papers(recorded: Mapping[str, JsonObject]) -> list[RecordedPaper]:
    """Count what is recorded of each paper."""
    verdicts: dict[str, list[str]] = {}
    for name, entry in recorded.items():
        verdicts.setdefault(name.partition(".")[0], []).append(entry["verdict"])
    known = papers()
    return [
        RecordedPaper(known[name].title, known[name].citation, len(all_), all_.count("REFUTED"))
        for name, all_ in verdicts.items()
        if name in known
    ]
