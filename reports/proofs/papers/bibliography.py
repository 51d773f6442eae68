"""Names of claims as a referee writes them: "Theorem 2", "Lemma 1, equation (7)", or a place."""

import re

from pufferproof.claims.language.wording import quoted
from pufferproof.models.numbers.text import capital
from pufferproof.reports.proofs.sentences import Result

_NUMBER = r"\(?[A-Z]?[.\w]*\d[\w.()]*"
_NAMED = r"(?:theorem|lemma|proposition|corollary|algorithm|claim|definition|assumption|equation)"
_FIRST = re.compile(rf"(?i)({_NAMED}|figure|footnote|table|condition|remark)s? {_NUMBER}")
_SECOND = re.compile(rf"(?i)((?:section|appendix) [\w.-]+), ({_NAMED}s? {_NUMBER}.*)")
_BEHIND = re.compile(rf"(?i)({_NAMED}s? {_NUMBER}), ((?:section|appendix) [\w.-]+)")
_OTHER = {"definition": ("definition", "assumption"), "assumption": ("assumption",)}


def title_of(where: str, place: str, kind: str) -> str:
    """Return the name of a printed claim: its number in the paper, else its place there.

    >>> title_of("Theorem 2", "Section III, Theorem 2, its display", "theorem")
    'Theorem 2'
    >>> title_of("Appendix B, Algorithm 1", "Appendix B, Algorithm 1, lines 1 to 11", "algorithm")
    'Algorithm 1 (Appendix B)'
    >>> title_of("Theorem 4", "Section 2, proof of Theorem 4, last line; Section 1", "proof step")
    'Section 2, proof of Theorem 4, last line'
    """
    spelled = re.sub(r"\beq\. ", "equation ", where)
    if "proof" not in kind and "remark" not in kind:
        for form, shown in ((_SECOND, r"\2 (\1)"), (_BEHIND, r"\1 (\2)"), (_FIRST, None)):
            if (match := form.match(spelled)) and _is_of(kind, match[0]):
                name = spelled if shown is None else match.expand(shown)
                return capital(f"{name}{_which(spelled, place)}").replace("appendix", "Appendix")
    elif (match := _FIRST.fullmatch(spelled)) and kind == "remark":
        return capital(spelled)
    return place.partition(";")[0] or spelled


def name_of(result: Result) -> str:
    """Return the name of a claim: of a printed one its number or place in the paper; of another
    what its file calls it, in quotation marks, or its id.

    >>> name_of({"id": "mine.lem1", "where": "Lemma 1", "kind": "lemma", "print": None})
    '“Lemma 1”'
    """
    printed = result.get("print") or {}
    if printed:
        return title_of(result["where"], printed["place"], result["kind"])
    return quoted(result["where"]) or str(result["id"])


def is_numbered(title: str) -> bool:
    """Whether a name is a number of the paper, and no place.

    >>> is_numbered("Theorem 2"), is_numbered("“Lemma 1”"), is_numbered("Section 4, last sentence")
    (True, True, False)
    """
    return _FIRST.match(title.removeprefix("“")) is not None


def _which(where: str, place: str) -> str:
    """Return which sentence or half of what is named is the claim, if that is said."""
    which = r"(?:first|second|third|last) (?:sentence|half)"
    match = re.search(rf"{re.escape(where)}, ({which})(?![\w ])", place)
    return "" if match is None else f" ({match[1]})"


def _is_of(kind: str, named: str) -> bool:
    """Whether what is named is the claim itself: a definition that stands in a theorem is not."""
    words = _OTHER.get(kind)
    return words is None or any(word in named.lower() for word in words)
