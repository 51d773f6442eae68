"""Draw the pictures of README and of the pages on concepts: `python docs/site/pictures.py`.

Every number in them is computed here. They are plain SVG with the colours of the plots, follow the
reader's light or dark mode, print on white, and say what they show as their title.
"""

from fractions import Fraction
from itertools import groupby
from pathlib import Path

import pufferproof as pp

CONCEPTS = Path(__file__).resolve().parents[1] / "concepts"
METER = CONCEPTS.parents[1] / "examples" / "correlated" / "smart-meter"
_STYLE = """<style>
text { font: 13px "DejaVu Sans", sans-serif; fill: #1a1c20 }
.paper { fill: #fdfdfb } .faint { fill: #646972 } .axis { stroke: #8a8f98; fill: none }
.for { fill: #1f6fb2 } .against { fill: #b8560f } .mark { fill: #a3195b }
.box { fill: #1f6fb2; fill-opacity: .15; stroke: #1f6fb2 } .number { text-anchor: middle }
.large { font-size: 17px; font-weight: bold }
@media screen and (prefers-color-scheme: dark) {
  .paper { fill: #14161a } text { fill: #e8e9ec } .faint { fill: #9aa0aa } .axis { stroke: #9aa0aa }
  .for { fill: #6db3f2 } .against { fill: #f0a35e } .mark { fill: #f48fb8 }
  .box { fill: #6db3f2; stroke: #6db3f2 }
}
</style>"""


def picture(width: int, height: int, finding: str, parts: list[str]) -> str:
    """Return an SVG file of these parts, which says its finding."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    paper = f'<rect class="paper" width="{width}" height="{height}"/>'
    return "\n".join([head, f"<title>{finding}</title>", _STYLE, paper, *parts, "</svg>"]) + "\n"


def text(x: float, y: float, said: str, kind: str = "") -> str:
    """Return a line of text at a place."""
    chosen = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{chosen}>{said}</text>'


# --- four reports of a smart meter


def odds(framework: str) -> Fraction:
    """Return the largest factor by which the four reports change the odds of one half-hour."""
    known = pp.read_framework(METER / framework).value
    mechanism = pp.read_mechanism(METER / "mechanism-response.json", known).value
    found = pp.audit(known, mechanism).leakage.ratio
    if found is None:
        raise ValueError(f"{framework}: no rational factor")
    return found


def reports_of_a_meter() -> str:
    """Draw what four reports tell about one half-hour, without and with correlation."""
    apart, together = odds("framework-independent.json"), odds("framework.json")
    shown = f"{float(together):.4g}"
    parts = [text(24, 34, "How much four reports change the odds that somebody was home", "large")]
    for y, factor, said, kind in (
        (58, apart, "if half-hours are independent", "for"),
        (124, together, "if people stay home for hours", "against"),
    ):
        width = 500 * float(factor / together)
        parts.append(text(24, y + 12, said, "faint"))
        parts.append(f'<rect class="{kind}" x="24" y="{y + 20}" width="{width:g}" height="26" rx="3"/>')
        parts.append(text(width + 36, y + 39, f"{float(factor):.4g} times", "large"))
    finding = (
        f"Four reports of a smart meter change the odds that somebody was home by a factor of up "
        f"to {shown} if people stay home for hours, instead of {apart} if half-hours are "
        "independent."
    )
    return picture(700, 190, finding, parts)


# --- a class of priors


BOX = (("1/20", "3/20"), ("1/10", "3/10"))  # of P(1 after 0) and P(0 after 1)


def leaks(begins: str, ends: str) -> float:
    """Return what randomised response of five days leaks of the third, in nats, rounded, where
    spells of ones begin and end with these probabilities.
    """
    a, b = Fraction(begins), Fraction(ends)
    chain = pp.MarkovChain("stationary", [[1 - a, a], [b, 1 - b]])
    records = pp.Records(5, ("0", "1"))
    secrets = {"0": (3, "0"), "1": (3, "1")}
    framework = pp.Framework.of_records(records, secrets, [("0", "1")], {"chain": chain})
    matrix = [["3/4", "1/4"], ["1/4", "3/4"]]
    mechanism = pp.LocalMechanism(("0", "1"), ("0", "1"), [matrix] * 5)
    return float(pp.audit(framework, mechanism).leakage.enclosure().upper)


def classes_of_priors() -> str:
    """Draw chains as points of a plane, with what is leaked under each: one, a list, a box."""
    (low, high), (left, right) = BOX

    def place(begins: str, ends: str) -> tuple[float, float]:
        return 70 + 1500 * float(Fraction(ends)), 330 - 1700 * float(Fraction(begins))

    parts = ['<path class="axis" d="M70 40 V330 H600"/>']
    x0, y0 = place(high, left)
    x1, y1 = place(low, right)
    parts.append(f'<rect class="box" x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}"/>')
    corners = [(each, other) for each in (low, high) for other in (left, right)]
    found = {corner: leaks(*corner) for corner in [*corners, ("1/10", "1/5")]}
    worst = max(found, key=lambda corner: found[corner])
    for corner, nats in found.items():
        x, y = place(*corner)
        kind = "mark" if corner == worst else "for"
        parts += [f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="5"/>']
        parts += [text(x + 9, y - 8, f"{nats:.2f} nats")]
    parts += [text(x + 9, y + 18, "one prior", "faint")]
    parts += [text(x0, y1 + 22, "a class of priors: every chain in the box", "faint")]
    parts += [text(70, 24, "P(1 after 0)", "faint"), text(520, 362, "P(0 after 1)", "faint")]
    for value in ("1/20", "1/10", "3/20"):
        parts.append(text(30, place(value, "0")[1] + 4, value, "faint"))
    for value in ("1/10", "1/5", "3/10"):
        parts.append(text(place("0", value)[0], 348, value, "faint number"))
    finding = (
        f"A prior is a point, a class of priors a set of points: the promise must hold under all. "
        f"Under one chain {found['1/10', '1/5']:.2f} nats are leaked, under a corner of the box "
        f"around it {found[worst]:.2f}."
    )
    return picture(640, 372, finding, parts)


# --- the regions of a 3R design


def regions_of_3r() -> str:
    """Draw how often the best 3R design redacts each record around a private one."""
    private, count = 7, 13
    chain = pp.BinaryChain("1/100", "4/5", count)
    (design,) = pp.redaction_designs(chain, private, "0.5", ["3r-exact"])
    rows = [[float(Fraction(each)) for each in row] for row in design.mechanism.as_json()]
    parts = ['<path class="axis" d="M40 60 V240 H600"/>']
    for number, (common, rare) in enumerate(rows, 1):
        x = 8 + 42 * number
        for shift, share, kind in ((0, common, "for"), (15, rare, "against")):
            height = max(180 * share, 1)
            y = 240 - height
            parts.append(f'<rect class="{kind}" x="{x + shift}" y="{y:g}" width="13" height="{height:g}"/>')
        parts.append(text(x + 14, 258, str(number), "number"))
    regions = [{0.0: "shown", 1.0: "withheld"}.get(common, "by value") for common, _ in rows]
    for region, group in groupby(enumerate(regions, 1), lambda item: item[1]):
        places = [number for number, _ in group]
        x = 22 + 42 * (places[0] + places[-1]) / 2
        parts.append(text(x, 280, region, "number faint"))
    parts += [text(6, 64, "1", "faint"), text(6, 244, "0", "faint")]
    parts += ['<rect class="for" x="40" y="14" width="13" height="13"/>']
    parts += [text(58, 26, "withheld if the record is 0, the common value")]
    parts += ['<rect class="against" x="40" y="34" width="13" height="13"/>']
    parts += [text(58, 46, "withheld if it is 1"), text(248, 306, f"record {private} is private")]
    between = [number for number, (common, _) in enumerate(rows, 1) if 0 < common < 1]
    finding = (
        f"The three regions of a 3R design: records near the private one are withheld, far ones "
        f"shown, and {', '.join(map(str, between))} withheld if 1, and if 0 with the best "
        f"probability. It shows a share of {float(design.lower):.3f} at level 0.5."
    )
    return picture(640, 318, finding, parts)


PICTURES = {"meter.svg": reports_of_a_meter, "classes.svg": classes_of_priors, "regions.svg": regions_of_3r}


def main() -> None:
    """Write every picture beside the page that shows it."""
    for name, draw in PICTURES.items():
        (CONCEPTS / name).write_text(draw(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
