"""The command `redact`: ways to keep one record of a binary Markov chain private by redaction, side by side.

Prints every strategy's utility (the expected fraction of released records) and exact leakage, and draws the utility against
epsilon and how often a record with the common value is redacted. The designs are `lp/redaction_strategies.py`.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pufferproof.models.errors import ModelError
from pufferproof.reports.console import AsJson, parsed_level, print_answer, warn, write_outputs

if TYPE_CHECKING:
    from pufferproof.lp.redaction_strategies import Design, Skipped
    from pufferproof.models.binary_chain import BinaryChain

_MOST_RECORDS = 1_000_000


def redact(
    alpha: Annotated[str, typer.Option("--alpha", metavar="P", help="probability that a 0 is followed by a 1")],
    beta: Annotated[str, typer.Option("--beta", metavar="P", help="probability that a 1 is followed by a 0")],
    length: Annotated[int, typer.Option("--length", metavar="N", help="number of records")],
    private: Annotated[int, typer.Option("--private", metavar="INDEX", help="the private record, from 1")],
    epsilon: Annotated[str, typer.Option("--epsilon", metavar="LEVEL", help="log(N), log(N/M) or nats")],
    strategy: Annotated[
        list[str] | None, typer.Option("--strategy", metavar="NAME", help="only this one; all if left out")
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="draw utility curves and redaction probabilities")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Design redaction that keeps one record of a binary Markov chain private, by every strategy."""
    level = parsed_level(epsilon)
    chain = _chain(alpha, beta, length, private)
    from pufferproof.lp.redaction_strategies import NAMES, redaction_designs
    from pufferproof.reports.progress import working

    chosen = list(dict.fromkeys(strategy or NAMES))
    if unknown := [name for name in chosen if name not in NAMES]:
        raise ModelError(f'expected one of {", ".join(NAMES)}, found "{unknown[0]}"', "--strategy")
    with working("designing redactions"):
        found = redaction_designs(chain, private, level, chosen)
        if plot is not None:
            from pufferproof.reports.plots import rendered
            from pufferproof.reports.redaction_plot import redaction_plot

            write_outputs({plot: rendered(redaction_plot(chain, private, level, found), plot)}, plot, inputs=[])
    if chain.swapped:
        warn(["note: alpha is larger than beta, so that 0 and 1 change roles: 1 is the common value"])
    answer = {"strategies": [_described(design) for design in found], "swapped": chain.swapped}
    print_answer(answer, _lines(found), as_json)


def _chain(alpha: str, beta: str, length: int, private: int) -> "BinaryChain":
    from pufferproof.models.binary_chain import BinaryChain
    from pufferproof.models.numbers import parse_number

    if not 1 <= length <= _MOST_RECORDS:
        raise ModelError(f"expected from 1 to {_MOST_RECORDS} records, found {length}", "--length")
    if not 1 <= private <= length:
        raise ModelError(f"expected a record from 1 to {length}, found {private}", "--private")
    numbers = []
    for option, text in (("--alpha", alpha), ("--beta", beta)):
        try:
            value = parse_number(text)
        except ModelError as error:
            raise error.within(option) from None
        if not 0 < value < 1:
            raise ModelError(f"expected a probability strictly between 0 and 1, found {text}", option)
        numbers.append(value)
    return BinaryChain(numbers[0], numbers[1], length)


def _described(found: "Design | Skipped") -> dict[str, Any]:
    from pufferproof.lp.redaction_strategies import Skipped
    from pufferproof.models.numbers import enclose

    if isinstance(found, Skipped):
        return {"name": found.name, "skipped": found.reason}
    return {
        "name": found.name,
        "utility": enclose(found.lower, found.upper).as_json(),
        "leakage": found.leakage.as_json(),
        "r": None if found.mechanism is None else found.mechanism.as_json(),
    }


def _lines(found: "tuple[Design | Skipped, ...]") -> list[str]:
    from pufferproof.lp.redaction_strategies import Skipped
    from pufferproof.models.numbers import brief, enclose, rounded

    lines = [f"{'strategy':<18}{'utility':<34}leakage (nats)"]
    for design in found:
        if isinstance(design, Skipped):
            lines.append(f"{design.name:<18}skipped: {design.reason}")
            continue
        low, high = (rounded(text, 9) for text in (enclose(design.lower, design.upper).as_json().values()))
        between = low if low == high else f"{low} to {high}"
        ends, ratio = design.leakage.enclosure(), design.leakage.ratio
        short = ratio is not None and ratio != 1 and not (text := brief(ratio)).startswith("~")
        exact = f" = log({text})" if short else ""
        lines.append(f"{design.name:<18}{between:<34}{rounded(ends.upper, 9)}{exact}")
    return lines
