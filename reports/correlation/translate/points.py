"""What `translate` answers for normal records that are not truncated: levels per unit of a reading,
and the most that releases of these levels leak.
"""

from dataclasses import dataclass
from functools import cached_property

from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.models.errors import ModelError
from pufferproof.models.files.writing import MECHANISM, indented
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.reports.auditing.points.answer import leakage_words
from pufferproof.reports.console.words import level_nats
from pufferproof.verify.noise.normal.points import PointLeakage
from pufferproof.verify.noise.normal.translation import RESTS_ON, translated
from pufferproof.verify.noise.normal.windows import leakage_of


@dataclass(frozen=True)
class PointTranslation:
    """A framework of normal priors, and the level of every record, in nats for a unit of it."""

    framework: PointFramework
    levels: RecordLevels

    @cached_property
    def leakage(self) -> PointLeakage:
        """The largest leakage of releases of these levels."""
        totals = [total for length, total in self.levels.runs for _ in range(length)]
        return leakage_of(translated(self.framework, [(each.ratio, each.nats) for each in totals]))

    def as_json(self) -> JsonObject:
        """Return what the answer says of leakages."""
        found = self.leakage
        return {
            "bounds": [],
            "exact": found.as_json(),
            "at_least": None,
            "attained": "signed sum",
            "prior": found.shift.prior,
            "pair": list(found.shift.pair),
            "domain": "product",
            "records": self.levels.count,
            "level": self.levels.largest.enclosure().as_json(),
            "claims": [],
            "trust": ["EXACT" if found.rational else "INTERVAL", "PROSE"],
            "rests_on": RESTS_ON,
        }

    def mechanism(self) -> bytes:
        """Return the file of a mechanism that leaks this much. Raises `ModelError` unless it is one
        sum with one kind of noise.
        """
        if len(self.leakage.shift.queries) > 1:
            raise ModelError("several levels need a sum each: expected one level", "--out")
        (query,) = self.leakage.shift.queries
        rows = [list(map(text_of, row)) for row in query.rows]
        noise = {"laplace": {"scale": query.noise.text}}
        document = {"format": MECHANISM, "query": {"weights": rows}, "noise": noise}
        return (indented(document) + "\n").encode()

    def lines(self, out: str | None) -> list[str]:
        """What is printed on a terminal."""
        one, other = self.leakage.shift.pair
        level = level_nats(self.levels.text)
        return [
            f"level     {level} for every unit of every record, over all releases",
            f"exact     {leakage_words(self.leakage)}, the largest over all releases of this level",
            "attained  by noisy sums of the records with the signs of their correlations",
            f'worst     prior "{self.leakage.shift.prior}", "{one}" against "{other}"',
            *([f"written   {out}"] if out else []),
        ]
