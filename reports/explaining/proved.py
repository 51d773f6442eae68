"""What certificates prove together of a leakage, and how a page says a leakage in words."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, at_least, at_most, brief, rounded
from pufferproof.reports.console.words import in_nats
from pufferproof.verify.leakage.ratio import Leakage

_BITS = 128
_SHORT = 5  # characters of a level that is not rounded
_NEAR = Fraction(1, 10**6)  # relative: ends that are closer are the same to the digits of a page


def proved_leakage(documents: Iterable[JsonObject]) -> Leakage:
    """Return bounds of the leakage that certificates prove together; 0 and infinity if they prove
    none.

    >>> at_most = {"kind": "noise-leakage-at-most", "claim": {"level": {"log": "3"}}}
    >>> witness = {"kind": "noise-leakage-witness", "claim": {"exceeds": {"log": "2"}}}
    >>> proved_leakage([at_most, witness])
    <Leakage: between 0.6931472 and 1.098612 nats>
    """
    lower, uppers, infinite = Fraction(1), [], False
    for document in documents:
        for relation, level in _claims(document["kind"], document["claim"]):
            if level == "inf":
                infinite = infinite or relation != "<="
                continue
            least, most = _ratio(level)
            if relation != "<=":
                lower = max(lower, least)
            if relation in ("<=", "="):
                uppers.append(most)
    return Leakage(None, None) if infinite else Leakage(lower, min(uppers, default=None))


def _claims(kind: str, claim: JsonObject) -> list[tuple[str, JsonObject | str]]:
    """Return which relations of the leakage to levels a certificate states."""
    if kind == "redaction-leakage":
        return [(claim["relation"], claim["level"])]
    if kind.endswith(("leakage-at-most", "class-at-most")):
        return [("=" if claim.get("attained") is not None else "<=", claim["level"])]
    if kind.endswith(("leakage-witness", "class-witness")):
        return [(">", claim["exceeds"])]
    return []


def _ratio(level: object) -> tuple[Fraction, Fraction]:
    number = level if isinstance(level, dict) else {"nats": level}
    if "log" in number:
        return exact(number["log"]), exact(number["log"])
    return exp_bounds(exact(number["nats"]), _BITS)


def claim_text(kind: str, claim: JsonObject) -> str:
    """Say what a certificate proves of a leakage, in nats and as a factor on the odds, with three
    digits rounded away from what is claimed; nothing if it proves none.

    >>> claim_text("noise-leakage-at-most", {"level": {"nats": "1.45880089"}})
    'The leakage is at most 1.46 nats: no output multiplies the odds by more than 4.31.'
    >>> claim_text("noise-leakage-witness", {"exceeds": {"nats": "1"}})
    'The leakage is more than 1 nat: some output multiplies the odds by more than 2.71.'
    """
    said = _claims(kind, claim)
    if not said:
        return ""
    relation, level = said[0]
    if level == "inf":
        return "The leakage is infinite: some output rules a secret out."
    least, most = _ratio(level)
    ends = Leakage(least, most).enclosure()
    if relation in ("<=", "="):
        nats = _stated(level) or at_most(ends.upper)
        how = "at most"
        what = f"no output multiplies the odds by more than {at_most(most)}"
    else:
        nats = _stated(level) or at_least(ends.lower)
        how = "more than" if relation == ">" else "at least"
        what = f"some output multiplies the odds by {how} {at_least(least)}"
    return f"The leakage is {how} {in_nats(nats)}: {what}."


def _stated(level: JsonObject | str) -> str:
    """Return a level in nats as it is stated, if it is a short decimal."""
    nats = level.get("nats", "") if isinstance(level, dict) else level
    return nats if len(nats) <= _SHORT and "/" not in nats else ""


def expresses(proved: Leakage, computed: Leakage) -> bool:
    """Whether what is proved is what was computed, to the digits of a page.

    >>> half = Leakage(Fraction(1), Fraction(4, 3))
    >>> expresses(half, half), expresses(Leakage(Fraction(1), Fraction(3, 2)), half)
    (True, False)
    """
    least = _near(proved.lower, computed.lower)
    return least and _near(computed.upper, proved.upper)


def leakage_trust(documents: Sequence[JsonObject], computed: Leakage, trust: Sequence[str]) -> list[str]:
    """Return what a leakage rests on that stands beside a certified verdict, nothing if its
    certificates bound it as closely: the `trust` of the computation.
    """
    return [*trust] if documents and proved_less(documents, computed) else []


def proved_less(documents: Sequence[JsonObject], computed: Leakage) -> bool:
    """Whether certificates bound a leakage less closely than it was computed."""
    proved = proved_leakage(documents)
    same = proved.infinite == computed.infinite
    return not (same and _near(computed.upper, proved.upper))


def _near(one: Fraction | None, other: Fraction | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= _NEAR * other


def odds_text(leakage: Leakage) -> str:
    """Say by which factor an output multiplies the odds of a secret at most, by which one some
    output does, or both. Three digits of bounds are rounded away from what is claimed.

    >>> odds_text(Leakage(Fraction(2), Fraction(2)))
    'Some output multiplies the odds of a secret by 2; no output multiplies them by more.'
    >>> odds_text(Leakage(Fraction(702, 31), Fraction(702, 31)))
    'Some output multiplies the odds of a secret by about 22.6; no output multiplies them by more.'
    >>> odds_text(Leakage(Fraction(1), Fraction(4, 3)))
    'No output multiplies the odds of a secret by more than 1.34.'
    >>> odds_text(Leakage(Fraction(3), None))
    'Some output multiplies the odds of a secret by at least 3.'
    """
    if leakage.lower is None:
        return "Some output multiplies the odds of a secret without bound."
    least = at_least(leakage.lower)
    most = None if leakage.upper is None else at_most(leakage.upper)
    if most is not None and leakage.lower == 1:
        return f"No output multiplies the odds of a secret by more than {most}."
    some = "Some output multiplies the odds of a secret by"
    if leakage.lower == leakage.upper:
        about = "" if least == most else "about "
        return f"{some} {about}{rounded(leakage.lower, 3)}; no output multiplies them by more."
    more = "" if most is None else f"; no output multiplies them by more than {most}"
    return f"{some} at least {least}{more}."


def headlines(
    proved: Leakage, computed: Leakage, nats: str, say: Callable[[Leakage], str] | None = None
) -> tuple[Sequence[str], Sequence[str]]:
    """Return what a page says first of a leakage, which is proved, and what was only computed. Of
    an infinite one it says at once that a level is far less than what leaks.

    >>> exact = Leakage(Fraction(2), Fraction(2))
    >>> headlines(Leakage(Fraction(1), Fraction(7)), exact, "The leakage is 0.7 nats.")[1][1]
    'The leakage is 0.7 nats.'
    """
    say = say or odds_text
    if expresses(proved, computed) or say(proved) == say(computed):
        return [say(computed), nats], []
    if proved.lower is None or (proved.lower == 1 and proved.upper is None):
        return [] if proved.lower else [say(proved)], [say(computed), nats]
    if computed.infinite:
        proves = f"a certificate proves a factor of more than {at_least(proved.lower)}"
        return [f"{say(computed)[:-1]}; {proves}."], [nats]
    return [say(proved)], [say(computed), nats]


def digits_line(leakage: Leakage) -> str:
    """Say all digits that are known of a leakage and of the factor, none of an infinite one.

    >>> digits_line(Leakage(Fraction(2), Fraction(2)))
    'The factor is 2, the leakage from 0.69314718055994530 to 0.69314718055994531 nats.'
    """
    ends = leakage.enclosure()
    if ends.lower == "inf":
        return ""
    exact = leakage.ratio is not None and not (text := brief(leakage.ratio)).startswith("~")
    factor = f"The factor is {text}, the leakage" if exact else "The leakage is"
    most = "on" if ends.upper == "inf" else f"to {ends.upper} nats"
    nats = f"{ends.lower} nats" if ends.lower == ends.upper else f"from {ends.lower} {most}"
    return f"{factor} {nats}."
