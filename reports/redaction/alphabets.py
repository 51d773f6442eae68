"""`redact --chain FRAMEWORK`: redaction on a chain of any number of values, as lines and JSON."""

from collections.abc import Sequence
from dataclasses import dataclass

from pufferproof.lp.redaction.alphabets import NAMES, AlphabetDesign, alphabet_redactions
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import rounded, text_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.redaction.table import leakage_text
from pufferproof.reports.schemas.redaction import AlphabetRedact

MEANINGS = {
    "data-independent": "best pattern that is blind to values",
    "3r-constant": "3R, exact leakage, least q of a grid",
    "3r-values": "single r_t(x) lowered on a grid",
}


@dataclass(frozen=True)
class AlphabetAnswer:
    """What was designed, for which chain."""

    alphabet: tuple[str, ...]
    length: int
    private: int
    level: Level
    designs: tuple[AlphabetDesign, ...]

    def as_json(self) -> AlphabetRedact:
        """Return what is printed with --json."""
        strategies = [
            {
                "name": design.name,
                "utility": text_of(design.utility),
                "leakage": design.leakage.as_json(),
                "r": [[text_of(value) for value in row] for row in design.rows],
                "rests_on": design.claims,
            }
            for design in self.designs
        ]
        known = {"alphabet": self.alphabet, "private": [self.private], "strategies": strategies}
        return AlphabetRedact.model_validate(known)

    def lines(self) -> list[str]:
        """Render the designs for a terminal; of the best also r_t(x) where anything is redacted."""
        lines = [
            f"chain     n = {self.length}, values {', '.join(self.alphabet)}",
            f"private   record {self.private}, at level {level_nats(self.level)}",
            _line("strategy", "utility", "leakage (nats)", ""),
        ]
        for each in self.designs:
            leaked = leakage_text(each.leakage)
            lines.append(_line(each.name, _share(each), leaked, MEANINGS[each.name]))
        best = max(self.designs, key=lambda design: design.utility)
        lines.append(f"redacted  by {best.name}, of every value in this order:")
        for record, row in enumerate(best.rows, 1):
            if any(row):
                lines.append(f"          record {record:<4}{'  '.join(map(text_of, row))}")
        return lines


def alphabet_answer(path: str, private: Sequence[int], level: Level, names: Sequence[str]) -> AlphabetAnswer:
    """Design redaction for the one Markov chain of a framework file.

    Raises `ModelError` unless it has one, there is one private record, and strategies are known.
    """
    framework = read_valued(path).value
    (prior, *others) = framework.priors.values()
    if others or not isinstance(prior, MarkovChain) or framework.records is None:
        raise ModelError('expected one prior, of form "markov"', f"{path}: priors")
    if len(private) != 1:
        raise ModelError(f"expected one record with --chain, found {len(private)}", "--private")
    for name in names:
        if name not in NAMES:
            expected = ", ".join(NAMES)
            raise ModelError(f'expected {expected} with --chain, found "{name[:60]}"', "--strategy")
    records = framework.records
    with working("designing redactions"):
        designs = alphabet_redactions(prior, records.count, private[0], level, names or NAMES)
    return AlphabetAnswer(records.alphabet, records.count, private[0], level, designs)


def _share(design: AlphabetDesign) -> str:
    return rounded(enclose(design.utility, design.utility).upper, 9)


def _line(name: str, utility: str, leakage: str, meaning: str) -> str:
    return f"{name:<18}{utility:<13}{leakage:<28}{meaning}".rstrip()
