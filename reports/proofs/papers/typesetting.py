"""Sentences in which letters, indices and powers are set as mathematics sets them: for a page
(`typeset`), and in Unicode for a letter (`plain`).

A paper's own letters (`symbols`) are written as its print writes them: `D*` as a Delta with a star.
What is no plain index or power stays as it was written.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from html import escape
from xml.etree import ElementTree

from markupsafe import Markup

from pufferproof.models.errors import extras
from pufferproof.reports.console.labels import visible
from pufferproof.reports.proofs.papers.grades import split

# Formulas as papers print them: from LaTeX to MathML of known elements only, with places where a narrow page may break
# them; and what differs between a printed formula and its repair.
#
# What does not convert as a whole is not shown as MathML at all: pages then have its LaTeX.

Rows = list[tuple[str, list[str]]]
Marks = tuple[frozenset[int], ...]
"""Of every part of a formula the leaves that are marked, by their number."""
_SPACE = "{http://www.w3.org/1998/Math/MathML}"
LEAVES = frozenset(("mi", "mn", "mo", "mtext"))
_ELEMENTS = frozenset(
    (
        *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mover"),
        *("msub", "msup", "msubsup", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle"),
    )
)
_ATTRIBUTES = frozenset(
    (
        *("stretchy", "fence", "form", "accent", "width", "movablelimits", "linethickness"),
        *("mathvariant", "columnalign", "displaystyle", "minsize", "maxsize", "class"),
    )
)
_SPACES = re.compile(r"\\q?quad(?![A-Za-z])|\\left|\\right|\\begin\{|\\end\{|\\[{}]|[{}]")
_DEEPER = ("{", r"\begin{", r"\end{")
_PLAIN_OF_LATEX = re.compile(r"[a-z0-9. -]*")
_ARROWS = ("⟹", "⟺")
_WRITTEN_OF_LATEX = {r"\implies": r"\Longrightarrow", r"\iff": r"\Longleftrightarrow"}
_AFTER_LETTER = re.compile(r"(?m)(?<=^\w)\n|(?<=, \w)\n")  # a, b > 0 is one assumption
_LOGIC = re.compile(r"\\(?:implies|iff)(?![A-Za-z])")
NO_BREAK = "\xa0"
RELATIONS = frozenset("=≠<>≤≥≪≫≈∼~⇔⟺⟹⇒∈∉⊆⊂→←↦⟼≡∝")
OPENING, CLOSING = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
_ALIKE, _MOST_PLACES, _SEVERAL = 0.6, 10, 3  # of two formulas whose difference is marked


def rows_of(latex: str) -> Rows:
    """Return a formula as rows with a word each: what it assumes, and what then holds; parts that
    are set apart in print stand apart.

    >>> rows_of(r"a > 0, b > 0 \\implies a b > 0 \\quad c")
    [('If', ['a > 0', 'b > 0']), ('then', ['a b > 0', 'c'])]
    >>> rows_of(r"a, b > 0 \\implies a b > 0")[0]
    ('If', ['a, b > 0'])
    """
    if "\\implies" not in latex:
        return [("", _apart(latex))]
    hypotheses, conclusion = split(latex)
    joined = _AFTER_LETTER.sub(", ", "\n".join(hypotheses)).split("\n")
    return [("If", joined), ("then", _apart(conclusion))]


def parts_of(latex: str) -> list[str]:
    """Return the parts of all rows of a formula, in order."""
    return [part for _, parts in rows_of(latex) for part in parts] if latex else []


def _apart(latex: str) -> list[str]:
    """Split a formula where the print leaves space between parts, outside of every bracket."""
    parts, depth, last = [], 0, 0
    for match in _SPACES.finditer(latex):
        depth += (match[0] in _DEEPER) - (match[0] == "}")
        if depth == 0 and match[0].startswith("\\q"):
            parts.append(latex[last : match.start()])
            last = match.end()
    return [each for part in [*parts, latex[last:]] if (each := part.strip(" ,"))]


@cache
def lines_markup(latex: str, marked: frozenset[int] = frozenset()) -> Markup | None:
    """Return a formula as pieces of safe MathML between which a line may end, or None if it does
    not convert. Leaves that are `marked`, by their number, differ from another formula.

    >>> print(lines_markup(r"x \\le 1", frozenset({2})))
    <math><mi>x</mi></math><wbr><math><mo form="infix">≤</mo><mn class="differs">1</mn></math>
    >>> lines_markup(r"\\unknown{x}") is None
    True
    """
    root = tree_of(latex)
    if root is None:
        return None
    for number, leaf in enumerate(leaves_of(root)):
        if number in marked:
            leaf.set("class", "differs")
    (body,) = list(root)
    return Markup("".join(f"{joint}{_piece(piece)}" for joint, piece in _pieces(body)))


def tree_of(latex: str) -> ElementTree.Element | None:
    """Return a formula as a tree of MathML that is known to be safe, or None."""
    with extras:
        from latex2mathml.converter import convert

    latex = _LOGIC.sub(lambda match: _WRITTEN_OF_LATEX[match[0]], latex)
    try:
        root = ElementTree.fromstring(convert(latex))
        _written(root)
    except Exception:  # whatever the converter raises for what is no formula
        return None
    _join_words(root)
    return root if len(root) == 1 else None


def name_of(element: ElementTree.Element) -> str:
    """Return the name of an element without that of MathML."""
    return element.tag.removeprefix(_SPACE)


def text_of(element: ElementTree.Element) -> str:
    """Return the text of a leaf."""
    return (element.text or "").strip("\n")


def leaves_of(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the letters, numbers, signs and words of a formula in order."""
    return [each for each in root.iter() if name_of(each) in LEAVES]


@cache
def differing(printed: str, repaired: str) -> tuple[Marks, Marks]:
    """Return which leaves of a printed formula and of its repair differ, for the parts of each;
    none if there is no other formula, or if most of it is another.

    >>> differing("a < b + 1", "a < b + 2")
    ((frozenset({4}),), (frozenset({4}),))
    """
    sides = [[_leaf_texts(part) for part in parts_of(each)] for each in (printed, repaired)]
    nothing = tuple(tuple(frozenset[int]() for _ in side) for side in sides)
    if not all(sides):
        return nothing[0], nothing[1]
    one, other = ([text for part in side for text in part] for side in sides)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    places = _places(matcher.get_opcodes())
    is_longer = all(start == end for start, end, _, _ in places)
    if not is_longer and (matcher.ratio() < _ALIKE or len(places) > _MOST_PLACES):
        return nothing[0], nothing[1]
    changed = (
        {each for start, end, _, _ in places for each in range(start, end)},
        {each for _, _, start, end in places for each in range(start, end)},
    )
    return _by_part(sides[0], changed[0]), _by_part(sides[1], changed[1])


def _places(codes: Sequence[tuple[str, int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Return where two formulas differ; one sign that is alike by chance, beside a change of
    several signs, is no end of the change.
    """
    places = list[tuple[int, int, int, int]]()
    kept = [ends for kind, *ends in codes if kind != "equal"]
    for start, end, first, last in kept:
        before = places[-1] if places else None
        sizes = (0, 0) if before is None else (before[1] - before[0], before[3] - before[2])
        longest = max(end - start, last - first, *sizes)
        if before is not None and start - before[1] == 1 and longest >= _SEVERAL:
            places[-1] = (before[0], end, before[2], last)
        else:
            places.append((start, end, first, last))
    return places


def _by_part(parts: Sequence[Sequence[str]], changed: set[int]) -> Marks:
    """Return what has changed of all leaves by part."""
    marks, first = [], 0
    for part in parts:
        marks.append(frozenset(each - first for each in changed if 0 <= each - first < len(part)))
        first += len(part)
    return tuple(marks)


def _leaf_texts(latex: str) -> list[str]:
    root = tree_of(latex)
    return [] if root is None else [text_of(each) for each in leaves_of(root)]


def _is_upright(element: ElementTree.Element) -> bool:
    return name_of(element) == "mi" and element.get("mathvariant") == "normal"


def _join_words(element: ElementTree.Element) -> None:
    """Join the upright letters of a word, which the converter writes one by one."""
    kept: list[ElementTree.Element] = []
    for child in list(element):
        before = kept[-1] if kept else None
        if before is not None and _is_upright(before) and _is_upright(child):
            before.text = text_of(before) + text_of(child)
            element.remove(child)
        else:
            kept.append(child)
            _join_words(child)


def _piece(elements: list[ElementTree.Element]) -> str:
    """Write a piece of a formula: words as words, which may be broken, and all else as MathML."""
    if [name_of(each) for each in elements] == ["mtext"]:
        style = f"words {elements[0].get('class', '')}".strip()
        return f'<span class="{style}">{escape(text_of(elements[0]).replace(NO_BREAK, " "))}</span>'
    return f"<math>{''.join(map(_written, elements))}</math>"


def _pieces(body: ElementTree.Element) -> Iterator[tuple[str, list[ElementTree.Element]]]:
    """Yield the pieces of a formula, each with what stands before it: a line may end before a
    relation, behind a comma and in words, outside of brackets.
    """
    children = list(body) if name_of(body) == "mrow" else [body]
    piece: list[ElementTree.Element] = []
    joint, depth, bars = "", 0, False
    for child in children:
        sign = text_of(child) if name_of(child) == "mo" else ""
        bars ^= sign == "|"
        outside = depth == 0 and not bars
        if outside and name_of(child) == "mtext":
            yield from [(joint, piece)] if piece else []
            yield "", [child]
            joint, piece = "", []
            continue
        if outside and piece and sign in RELATIONS and sign:
            yield joint, piece
            joint, piece = "<wbr>", []
            child.set("form", "infix")
        piece.append(child)
        depth += (sign in OPENING and bool(sign)) - (sign in CLOSING and bool(sign))
        if outside and sign in (",", ";"):
            yield joint, piece
            joint, piece = " ", []
    if piece:
        yield joint, piece


def _written(element: ElementTree.Element) -> str:
    """Write an element from its name, its text, its children and what is known of it alone.

    Raises `ValueError` for an unknown element, or a command that was not converted.
    """
    tag, text = name_of(element), text_of(element)
    if tag not in _ELEMENTS or "\\" in text or "$" in text:
        raise ValueError(f"expected a formula, found {tag} {text}")
    tag = "mo" if text in _ARROWS else tag
    inner = escape(text) + "".join(map(_written, element))
    given = {} if tag == "math" else element.attrib
    kept = [
        f' {key}="{each}"'
        for key, each in given.items()
        if (key in _ATTRIBUTES and _PLAIN_OF_LATEX.fullmatch(each) is not None)
    ]
    return f"<{tag}{''.join(kept)}>{inner}</{tag}>"


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
