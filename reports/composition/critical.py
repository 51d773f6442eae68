"""The command `critical`: the smallest budget at which releases within it can leak everything.

The answer is an enclosure that is decided at both ends, and the exact number if it is recognised
and proved. The search is `lp/cones/separation.py` and `counterexamples/collapse/threshold.py`.
"""

from fractions import Fraction
from typing import Annotated, Literal

import typer

from pufferproof.counterexamples.collapse.threshold import Threshold, search_threshold
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.separation import WIDTH, Undecided, critical_rests_on, targets
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.enclosures import enclose, log_bounds
from pufferproof.models.numbers.text import JsonObject, outward, text_of
from pufferproof.reports.console.options import AsJson, FrameworkFile, NormalizePriors, Seconds
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import priors_json, priors_lines, tell
from pufferproof.reports.console.words import counted, trust_line
from pufferproof.reports.schemas.values import Enclosure, FrameworkInput, NormalizedPriors, Ratio, RestsOn, Trusted


class Critical(Trusted):
    """What `pufferproof critical --json` prints: `collapses` is false when no budget lets these
    releases leak everything.

    The threshold of e^epsilon is in [`lower`, `upper`]; `exact`: it is `value`^(1/`power`).
    `attained`: is there a collapse at that number (then it is the threshold); false: none at it or
    below; null: not decided.
    """

    collapses: bool | None
    lower: Ratio | None
    upper: Ratio | None
    epsilon: Enclosure | None
    power: Literal[1, 2] | None
    value: Ratio | None
    exact: bool | None
    attained: bool | None
    trust: list[str]
    rests_on: RestsOn = None
    runs: int | None
    inputs: FrameworkInput
    normalized_priors: NormalizedPriors = None

    @classmethod
    def of(cls, found: Threshold | Undecided | None, columns: Columns, asked: JsonObject) -> "Critical":
        """Return the answer: no threshold, or nothing if the search ended early."""
        fields = dict.fromkeys(cls.model_fields.keys() - asked.keys() - {"normalized_priors"})
        proof: JsonObject = {"trust": [], "rests_on": []}
        if not isinstance(found, Undecided):
            proof = {"trust": ["EXACT"], "rests_on": critical_rests_on(columns)}
            fields["collapses"] = found is not None
        if isinstance(found, Threshold):
            low, high = found.enclosure.lower, found.enclosure.upper
            if low != high and (found.exact or found.least):
                proof["trust"] += ["Z3", "CVC5"]
            bottom = log_bounds(low, 72)[0] if low > 1 else Fraction(0)  # log(1) is 0 exactly
            top = log_bounds(high, 72)[1] if high > 1 else Fraction(0)
            fields |= {"lower": text_of(low), "upper": text_of(high), "power": found.power}
            fields |= {"epsilon": enclose(bottom, top).as_json(), "attained": found.attained.value}
            fields |= {"value": found.value and text_of(found.value), "exact": found.exact}
        return cls.model_validate(fields | proof | asked)

    def lines(self) -> list[str]:
        """Return what is printed on a terminal."""
        many = "any number of releases" if self.runs is None else counted(self.runs, "release")
        if self.collapses is None:
            return [f"critical  undecided: {many}"]
        have = "has" if self.runs == 1 else "have"
        said = [f"none: {many} {have} finite joint leakage at every budget"]
        if self.epsilon is not None:
            enough = many.replace("any number of", "enough")
            root = f"log({self.value})" + (" / 2" if self.power == 2 else "")
            between = "between {} and {} nats".format(*outward(self.epsilon.lower, self.epsilon.upper))
            if self.exact and self.value == "1":
                said = [f"every budget, even 0: {enough} can leak everything"]
            elif self.exact:
                at = f"{enough} can leak everything at this budget, not below it"
                said = [f"{root}, {between}", at]
            elif self.attained is False:
                leak = "leaks" if self.runs == 1 else "leak"
                finite = f"{many} {leak} a finite amount at this budget and below it"
                said = [f"at least {root}, {between}", finite]
            else:
                simple = f"the only simple number in it, not proved to be the threshold: {root}"
                said = [between, f"{enough} can leak everything above, not below"]
                said = said if self.value is None else [*said, simple]
        heads = ["critical", *[""] * (len(said) - 1)]
        trust = trust_line(self.trust, rests_on=self.rests_on)
        return [*(f"{head:<10}{line}" for head, line in zip(heads, said)), trust]


def critical(
    framework: FrameworkFile,
    runs: Annotated[int | None, typer.Option("--runs", metavar="K", help="number of releases [default: any]")] = None,
    seconds: Seconds = None,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Find the smallest budget at which releases can reveal everything together."""
    if runs is not None and runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")

    with working("looking for the critical budget", seconds):
        space = read_listed(framework, normalize)
        columns = Columns(space.value)
        most = max((len(target.needed) for target in targets(columns)), default=1)
        try:
            threshold: Threshold | Undecided | None = search_threshold(space.value, min(most, runs or most), seconds)
        except Undecided as stopped:
            threshold = stopped
    asked = {"runs": runs, "inputs": hashes(framework=space), **priors_json(space.value.normalized)}
    answer = Critical.of(threshold, columns, asked)
    notes = priors_lines(space.value.normalized, framework)
    notes += [f"warning: {threshold}"] if isinstance(threshold, Undecided) else []
    narrow = threshold is None or (
        isinstance(threshold, Threshold) and threshold.enclosure.upper - threshold.enclosure.lower <= WIDTH
    )
    tell(answer, answer.lines(), notes, as_json, code=0 if narrow else 3)
