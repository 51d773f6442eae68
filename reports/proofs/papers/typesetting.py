"""Sentences in which letters, indices and powers are set as mathematics sets them: for a page
(`typeset`), and in Unicode for a letter (`plain`).

A paper's own letters (`symbols`) are written as its print writes them: `D*` as a Delta with a star.
What is no plain index or power stays as it was written.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape

from markupsafe import Markup

from pufferproof.reports.console.labels import visible

_GREEK = {
    "epsilon": "ϵ",
    "eps": "ϵ",
    "theta": "θ",
    "Theta": "Θ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "Delta": "Δ",
    "lambda": "λ",
    "lam": "λ",
    "Lam": "Λ",
    "mu": "μ",
    "nu": "ν",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "infinity": "∞",
}
_LETTER = re.compile(rf"(?<![A-Za-z])({'|'.join(_GREEK)})(?![A-Za-z])")
_SUM = re.compile(r"\b(sum|prod)(?=_\w|_\{)")
_SIGNS = {"sum": "∑", "prod": "∏"}
_WRITTEN = (("~>", " ⇝ "), ("->", " → "), ("<-", " ← "), ("=>", " ⇒ "))
_ARROW = re.compile(r" *(~>|->|<-(?![\d.\w])|(?<![<>=])=>) *")
_MINUS = re.compile(r"(?<=[\w)\]}*'|⋆]) - (?=[\w(\[|{∑∏])")
_SHORT_MINUS = re.compile(  # of single letters and numbers, no hyphen
    r"(?<=\))-(?=\d|[^\W\d_](?![^\W\d_]))|(?<=(?<![^\W_])[^\W\d_])-(?=\d)|(?<![\w)}])-(?=[\d∞])"
    r"|(?<=\d)-(?=\(|[^\W\d_](?![^\W\d_]))|(?<=(?<![^\W_])[a-zα-ωϵℓ])-(?=[A-Za-zα-ωΑ-Ωϵℓ](?![^\W_]))"
    r"|(?<=[=≤≥<>(,] )-(?=[^\W\d]|[∑∏])|(?<=[=≤≥<>(])-(?=[^\W\d]|[∑∏])"
)
_TIMES = re.compile(
    r"(?<=[\w)\]])\*(?=[^\W_])|(?<=[\w)\]}] )\*(?= [\w(\[])"
    r"|(?<=[\w)\]])\*(?=\((?:[^()]|\([^()]*\))* [+−-] (?:[^()]|\([^()]*\))*\))"
)
_STAR = re.compile(r"(?<=(?<![^\W_])[^\W_])\*|(?<=[)\]}₀-ₜ])\*")
_SIGN = re.compile(r"[_^]")
_BASE = re.compile(r"(?:(?<![^\W_])[^\W_]{1,3}'*|[)\]}*'∑∏⋆|])$")
_PLAIN = re.compile(r"[+−-]?[^\W_]+⋆?|[*⋆]|\+(?![\w(])")
_SHIFTED = re.compile(r"\((\w+ ?[+−-] ?\w+)\)")  # X_(i-a); a_(x) is a function
_MORE = re.compile(r"'+|_[^\W_]+'*")
_CLOSING = {"{": "}", "(": ")"}
_ALONE = re.compile(r"(?<![\w’'])(?<!\w\.)([A-Za-z])('*)(?![\w’]|'\w|\.\w)")
_HEADED = re.compile(r"(?:Appendix|Appendices|Section|Lemma|Theorem)(?: [A-Z],?)*(?: and)?$")
_FOLLOWS = re.compile(r"[=≤≥≠+−/|*⋆·]|&[lg]t;")  # "a", "A" or "I" that is a letter
_PRECEDES = ("=", "≤", "≥", "≠", "+", "−", "/", "|", "·", "&lt;", "&gt;")
_SUBSCRIPTS = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"))
_SUPERSCRIPTS = dict(zip("0123456789+-=()nikt", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵏᵗ"))
_NOTHING: Mapping[str, str] = {}


def typeset(text: str, symbols: Mapping[str, str] = _NOTHING) -> Markup:
    """Write a sentence with Greek letters, and with indices and powers where these are plain.

    >>> print(typeset("e^(k epsilon) Q, X_{i+1} < 2^-3"))
    <i>e</i><sup><i>k</i> ϵ</sup> <i>Q</i>, <i>X</i><sub><i>i</i>+1</sub> &lt; 2<sup>−3</sup>
    """
    return Markup(_marked(_signs(visible(text), symbols)))


def plain(text: str, symbols: Mapping[str, str] = _NOTHING) -> str:
    """Write a sentence in Unicode, with indices and powers where Unicode has them.

    >>> plain("e^eps R_2, X_{i+1} - 2^t, X_T1 and lam")
    'e^ϵ R₂, Xᵢ₊₁ − 2ᵗ, X_T1 and λ'
    """
    return _STAR.sub("∗", _in_unicode(_signs(visible(text), symbols)))


def _signs(text: str, symbols: Mapping[str, str]) -> str:
    """Write a paper's own letters, Greek ones, relations, sums, arrows and minus signs."""
    if symbols:
        words = "|".join(re.escape(each) for each in sorted(symbols, key=len, reverse=True))
        own = re.compile(rf"(?<![A-Za-z])({words})(?![A-Za-z0-9*])")
        text = own.sub(lambda match: symbols[match[1]], text)
    for written, sign in (("<=>", "⇔"), ("<=", "≤"), (">=", "≥"), ("!=", "≠")):
        text = text.replace(written, sign)
    text = _LETTER.sub(lambda match: _GREEK[match[1]], text)
    text = _ARROW.sub(lambda match: dict(_WRITTEN)[match[1]], text)
    text = _SUM.sub(lambda match: _SIGNS[match[1]], text)
    text = _TIMES.sub("·", text)
    return _SHORT_MINUS.sub("−", _MINUS.sub(" − ", text))


def _marked(text: str, inside: bool = False) -> str:
    """Write text as HTML, with its indices and powers; single letters are in italics."""
    shown, last = "", 0
    for start, end, sign, inner in _groups(text):
        tag = "sub" if sign == "_" else "sup"
        before = _italic(text[last:start], inside, True)
        shown += f"{before}<{tag}>{_marked(inner.replace('-', '−'), True)}</{tag}>"
        last = end
    return shown + _italic(text[last:], inside, False)


def _in_unicode(text: str) -> str:
    """Write text with the indices and powers that Unicode has."""
    shown, last = "", 0
    for start, end, sign, inner in _groups(text):
        shown += text[last:start] + small(sign, _in_unicode(inner).replace("-", "−"))
        last = end
    return shown + text[last:]


def _groups(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield indices and powers that are plain: where each begins and ends, its sign, and what it
    is. A bracket after an index is that of a function, and a long word has none.
    """
    place = 0
    while found := _SIGN.search(text, place):
        sign, start = found[0], found.start()
        place = start + 1
        base = _BASE.search(text, 0, start) if start else None
        inner = None if base is None else _inner(text, start + 1, sign, base[0])
        if inner is not None:
            place = inner[1]
            yield start, place, sign, inner[0].replace(" in ", " ∈ ")


def _inner(text: str, start: int, sign: str, base: str) -> tuple[str, int] | None:
    """Return an index or power and where it ends: of brackets what they hold; of e the whole of
    eps_A, as in e^eps_A.
    """
    if text[start : start + 1] == "{" or (sign == "^" and text[start : start + 1] == "("):
        end = _closing(text, start)
        if end is None:
            return None
        inner = text[start + 1 : end].strip()
        is_label = text[start] == "(" and len(inner) == 1 and not inner.isdigit()  # as in Y^(r)
        return (f"({inner})" if is_label else inner), end + 1
    if text[start : start + 1] == "(" and (inside := _SHIFTED.match(text, start)):
        return inside[1], inside.end()
    found = _PLAIN.match(text, start)
    if found is None or not found[0]:
        return None
    end = found.end()
    if sign == "^" and (base == "e" or base.isdigit()):
        more = _MORE.match(text, end)
        end = end if more is None else more.end()
    return text[start:end], end


def _closing(text: str, start: int) -> int | None:
    """Return where the bracket at this place is closed, or None."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == text[start]) - (text[place] == _CLOSING[text[start]])
        if not depth:
            return place
    return None


def _italic(text: str, inside: bool, indexed: bool) -> str:
    """Escape text, and set its single letters in italics, but for the words "a", "A" and "I".

    Args:
        inside: the text is an index or a power; indexed: one follows it.
    """
    shown = escape(text, quote=False)

    def letter(match: re.Match[str]) -> str:
        before, after = shown[: match.start()].rstrip(" "), shown[match.end() :].lstrip(" ")
        if _HEADED.search(before) or shown[: match.start()].endswith("-"):
            return match[0]
        is_last = indexed and match.end() == len(shown)
        is_word = match[1] in "aAI" and not (match[2] or inside or is_last)
        is_listed = match[1] == "a" and after.startswith((",", ":"))  # no article: "R, a, b: if"
        if is_word and not (is_listed or _FOLLOWS.match(after) or before.endswith(_PRECEDES)):
            return match[0]
        return f"<i>{match[1]}</i>{match[2]}"

    return _ALONE.sub(letter, shown)


def small(sign: str, inner: str) -> str:
    """Return an index or power in Unicode, or as it is written in a line of text.

    >>> small("_", "t - 1"), small("^", "⋆"), small("_", "DIM"), small("^", "a b")
    ('ₜ₋₁', '⋆', '_DIM', '^{a b}')
    """
    if inner and all(each in "⋆′" for each in inner):
        return inner
    if inner == "*":
        return "∗" if sign == "^" else "_∗"
    known = _SUBSCRIPTS if sign == "_" else _SUPERSCRIPTS
    narrow = inner.replace(" ", "").replace("−", "-")
    if narrow and all(each in known for each in narrow):
        return "".join(known[each] for each in narrow)
    return f"{sign}{inner}" if re.fullmatch(r"−?[^\W_]+", inner) else f"{sign}{{{inner}}}"
