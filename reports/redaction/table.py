"""Redaction designs as a table for people and as the JSON object of the command `redact`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from pufferproof.lp.redaction.alphabets import NAMES, AlphabetDesign, alphabet_redactions
from pufferproof.lp.redaction.sets import SetDesign, published_bound
from pufferproof.lp.redaction.strategies import Design, Skipped
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, rounded, text_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.schemas.redaction import AlphabetRedact
from pufferproof.verify.leakage.ratio import Leakage

PROFILE = "profile"
MEANINGS = {
    "data-independent": "best pattern that is blind to values",
    "quilt": "redacts a window around the record, as published",
    "3r-relaxed": "3R, published bound of the leakage",
    "3r-constant": "3R, exact leakage, best single q",
    "3r-exact": "3R, exact leakage, best q",
    "3r-split": "as 3r-exact, best budgets of the two sides",
    "local-optimal": "best of all local redaction",
    "central-lp": "best redaction that sees the whole sequence",
    PROFILE: "the file given",
}
_EQUAL = ("3r-relaxed", "3r-constant", "3r-exact")  # published budgets


def described(design: Design | Skipped, private: Sequence[int], level: Level, trust: str) -> dict[str, object]:
    """Return a strategy as JSON; of several private records, and of a given profile, also what each
    of them leaks.

    `trust` is "KERNEL" where a certificate has the whole design, else "EXACT".
    """
    if isinstance(design, Skipped):
        return {"name": design.name, "skipped": design.reason}
    answer: JsonObject = {
        "name": design.name,
        "utility": enclose(design.lower, design.upper).as_json(),
        "leakage": design.leakage.as_json(),
        "r": None if design.mechanism is None else design.mechanism.as_json(),
        "trust": [trust],
        "rests_on": design.claims,
        "reached": text_of(design.lower),
    }
    if design.solver is not None:
        answer["solver"] = design.solver
    if design.difference is not None:
        answer["difference"] = scientific(design.difference)
    if design.worst is not None and not isinstance(design, SetDesign):
        answer["witness"] = {"output": design.worst.output, "likelier": design.worst.likelier}
    if isinstance(design, SetDesign):
        answer["keeps"] = _keeps(design.leakage, level)
        answer["records"] = [
            {"private": record, "leakage": leakage.as_json(), "keeps": _keeps(leakage, level)}
            for record, leakage in zip(private, design.alone)
        ]
        answer["reveals"] = [record for record, leakage in zip(private, design.alone) if leakage.infinite]
    return answer


def scientific(value: Fraction) -> str:
    """Write a small difference with three digits."""
    return f"{float(value):.2e}"


def certified_lines(trust: Mapping[str, str], path: str | None) -> list[str]:
    """Say what a certificate has: whole designs, and those of which it has leakage and utility,
    but no upper bound.
    """
    whole, partly = ([name for name, word in trust.items() if word == each] for each in ("KERNEL", "EXACT"))
    lines = (
        [] if path is None else [f"written   {path}, accepted by the kernel: {', '.join(whole) or 'no design whole'}"]
    )
    return [*lines, *([f"          without the upper bound of the utility: {', '.join(partly)}"] if partly else [])]


def published_text(chain: BinaryChain, private: Sequence[int], level: Level) -> str | None:
    """Return the published bound on data-independent redaction of one private record, as exact
    text; None for several.
    """
    return text_of(published_bound(chain, private[0], level)) if len(private) == 1 else None


def _keeps(leakage: Leakage, level: Level) -> bool:
    return leakage.upper is not None and level.compare(leakage.upper) <= 0


def design_lines(
    chain: BinaryChain, private: Sequence[int], level: Level, designs: Sequence[Design | Skipped]
) -> list[str]:
    """Return the table: the chain, a row per strategy, and the published bound and budgets."""
    records = "record" if len(private) == 1 else "records"
    swapped = [f"swapped   alpha > beta, so that {chain.common_value} is the common value"] if chain.swapped else []
    chain_lines = [
        chain_line(chain),
        f"private   {records} {', '.join(map(str, private))}, at level {level_nats(level)}",
        *swapped,
    ]
    several = len(private) > 1
    header = ["strategy", "utility", "leakage of all" if several else "leakage (nats)", *["of each"] * several, ""]
    rows = [header, *(_row(design, private, level) for design in designs if isinstance(design, Design))]
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(header) - 1)]
    widths[0] = max(widths[0], *(len(design.name) + 2 for design in designs))
    lines = ["".join(cell.ljust(width) for cell, width in zip(row, widths)) + row[-1] for row in rows]
    computed = iter(lines[1:])
    told = [
        f"{design.name.ljust(widths[0])}skipped: {design.reason}" if isinstance(design, Skipped) else next(computed)
        for design in designs
    ]
    return [*chain_lines, *[line.rstrip() for line in (lines[0], *told)], *_notes(chain, private, level, designs)]


def chain_line(chain: BinaryChain) -> str:
    """Say which chain it is."""
    return (
        f"chain     n = {chain.length}, alpha = {brief(chain.alpha)}, beta = {brief(chain.beta)}, "
        f"eigenvalue {brief(chain.eigenvalue)}"
    )


def _row(design: Design, private: Sequence[int], level: Level) -> list[str]:
    alone = design.alone if isinstance(design, SetDesign) else ()
    each = [" ".join(rounded(leakage.enclosure().upper, 6) for leakage in alone)] if len(private) > 1 else []
    said = MEANINGS[design.name]
    if design.solver is not None:
        said += f"; solved {'by cvxpy' if design.solver == 'cvxpy' else 'exactly'}"
    if design.difference is not None:
        said += f", {scientific(design.difference)} less" if design.difference else ", as much"
    revealed = [str(record) for record, leakage in zip(private, alone) if leakage.infinite]
    if revealed:
        said = f"{said}; reveals record {', '.join(revealed)}, released with positive probability"
    elif isinstance(design, SetDesign) and not _keeps(design.leakage, level):
        said = f"{said}; above the level{' together' * (len(private) > 1)}"
    return [design.name, utility_text(design), leakage_text(design.leakage), *each, said]


def utility_text(design: Design) -> str:
    """Return a utility, or what was found and the bound."""
    low, high = (rounded(text, 9) for text in enclose(design.lower, design.upper).as_json().values())
    return low if Decimal(low) == Decimal(high) else f"{low} to {high}"


def leakage_text(leakage: Leakage) -> str:
    """Return a leakage in nats, and exactly where that is short."""
    if leakage.infinite:
        return "infinite"
    ratio = leakage.ratio
    short = ratio is not None and ratio != 1 and not (text := brief(ratio)).startswith("~")
    return rounded(leakage.enclosure().upper, 9) + (f" = log({text})" if short else "")


def _notes(chain: BinaryChain, private: Sequence[int], level: Level, designs: Sequence[Design | Skipped]) -> list[str]:
    reached = {design.name: design.lower for design in designs if isinstance(design, Design)}
    # say how strategies with published budgets divide the level between the two sides
    equal = [name for name in _EQUAL if name in reached]
    ends = {record in (1, chain.length) for record in private}
    part = "half of the level on either side"
    if ends == {True}:
        part = "all of the level (the record is an end)"
    elif len(ends) == 2:
        part += ", all of it at an end"
    budgets = [f"budgets   as published, {part}: {', '.join(equal)}"] if equal else []
    if len(private) > 1:
        combined = "every strategy is designed for each record; r_t(x) is the largest of these"
        return [f"combined  {combined}", *budgets]
    blind = reached.get("data-independent")
    return [*([] if blind is None else _bound_notes(chain, private[0], level, blind)), *budgets]


def _bound_notes(chain: BinaryChain, private: int, level: Level, blind: Fraction) -> list[str]:
    """Say the published bound on redaction that is blind to values, and whether it is exceeded."""
    published = published_bound(chain, private, level)
    bound = rounded(enclose(published, published).upper, 9)
    line = f"published data-independent redaction reaches at most {bound} (massny2025, Theorem 2 as printed)"
    repair = "`pufferproof prove massny2025.thm2` has the repair"
    return [line, *([f"          which is exceeded here: {repair}"] if blind > published else [])]


# `redact --chain FRAMEWORK`: redaction on a chain of any number of values, as lines and JSON.

ALPHABET_MEANINGS = {
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
            lines.append(
                _line(
                    each.name,
                    rounded(enclose(each.utility, each.utility).upper, 9),
                    leaked,
                    ALPHABET_MEANINGS[each.name],
                )
            )
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


def _line(name: str, utility: str, leakage: str, meaning: str) -> str:
    return f"{name:<18}{utility:<13}{leakage:<28}{meaning}".rstrip()
