"""What commands say of published bounds of releases together: each beside the joint leakage, which
is smallest, and why others say nothing.
"""

from pufferproof.lp.accounting.published.bound import PublishedBound
from pufferproof.lp.accounting.published.every import PublishedBounds
from pufferproof.models.numbers.text import JsonObject, rounded
from pufferproof.reports.console.words import leakage_text
from pufferproof.verify.decision import recorded_verdict as _verdict

_FALSE = "REFUTED"


def published_json(found: PublishedBounds) -> list[JsonObject]:
    """Return the objects of the file formats, with the recorded verdict on what is printed."""
    return [
        known | {"printed": {"claim": known["printed"], "verdict": _verdict(known["printed"])}}
        for known in found.as_json()
    ]


def published_lines(found: PublishedBounds) -> list[str]:
    """Render published bounds for a terminal, nothing where no theorem is about such releases."""
    said: dict[str, list[PublishedBound]] = {}
    for each in found.bounds:
        said.setdefault(_said(found, each), []).append(each)
    lines = [f"{', '.join(e.theorem for e in known)}  {what}" for what, known in said.items()]
    heads = ["published ", *["          "] * len(lines)]
    return [f"{head}{line}" for head, line in zip(heads, lines)]


def _said(found: PublishedBounds, bound: PublishedBound) -> str:
    if bound.bound is None:
        return f"no bound: {bound.reason}"
    repaired = " (as repaired: the print is false)" if _verdict(bound.printed) == _FALSE else ""
    above = bound.above(found.joint)
    off = "" if above is None else f", {rounded(above.upper, 4)} nats above the joint leakage"
    least = "; the smallest" if bound is found.smallest else ""
    return f"at most {leakage_text(bound.bound)}{off}{least}{repaired}"
