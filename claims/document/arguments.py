"""Linked arguments of documents, `linked NAME: ABOUT`: read, and written in one way.

    linked MEAN: a mean
      index x: the databases
      given p[x] >= 0: a weight
      given f[x]: a value of the function
      given K: a bound
      if a bound: f <= K
      sum M over x: p*f -- the weighted sum
      sum N over x: p -- the weight in all
      so one more: M <= K*N along x by a bound
      then the mean: M <= K*N by one more

Letters and lines of one form serve both: `p[x] >= 0`, `a, b >= 0`.
"""

import re
from collections.abc import Iterator, Sequence

from pufferproof.claims.document.formulas import shown
from pufferproof.claims.document.lines import NAME, SYMBOLS, Line, Once, Reader, is_symbol, plain, wrapped
from pufferproof.claims.document.parts import Argument, LetterLine, Linking, Text

BEGINS = re.compile(rf"linked {NAME}(:|$)")
_HEAD = re.compile(rf"linked ({NAME}): (.+)")
MADE = ("sum", "product", "largest", "least")
"""Definitions of letters along an index."""
KEYS = (*("index", "given", "near", "spare", "if", "let"), *(*MADE, "chain", "moving", "so", "then", "why"))
_FIRST = ("index", "given", "near", "spare")
_RANKS = {**{key: rank for rank, key in enumerate(_FIRST)}, "why:": len(_FIRST) + 1}
_TURNED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}
_RELATION = re.compile(r" (>=|<=|!=|>|<) ")
_INDICES = r"\[([A-Za-z0-9_,]+)\]"
_AT = re.compile(rf"({NAME}) at ({NAME})")
_BEFORE = re.compile(rf"({NAME}) before each")
_OVER = re.compile(rf"({NAME}) over ({NAME}): (.+)", re.DOTALL)
_MOVING = re.compile(rf"({NAME}) before ({NAME}): (.+)", re.DOTALL)
_TERM = re.compile(rf"term of ({NAME})")
_AGAIN = re.compile(rf"again (.+) at ({NAME})")
_EQUAL = re.compile(rf"({NAME}) = ({NAME}) as (double sums|exponentials)")
_LEMMA = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*) with (.+)", re.DOTALL)
_RULE = re.compile(rf"(.+) (along|at) ({NAME})", re.DOTALL)
_MEANING = " -- "


# --- letters with their bounds
# ----------------------------------------------------------------------------------------------


def letter_line(reader: Reader, line: Line, head: str, meaning: str, more: str = r" \"([^\"]+)\"") -> LetterLine:
    """Read letters with their bounds; `more` is what may follow a name: what pages show, which is
    the name if nothing follows, or indices.
    """
    real = head.endswith(" real")
    pieces = _RELATION.split(head.removesuffix(" real"))
    domain: list[tuple[str, str]] = []
    middle = 0
    if len(pieces) == 5 and pieces[1] in _TURNED:
        middle = 2
        domain.append((_TURNED[pieces[1]], pieces[0]))
    domain += zip(pieces[middle + 1 :: 2], pieces[middle + 2 :: 2])
    once, names = Once(reader.place), []
    for relation, _ in domain:
        if relation != "!=":
            once.add(f'a bound "{relation[0]}"', line.number)
    for each in pieces[middle].split(", "):
        found = re.fullmatch(rf"({NAME})(?:{more})?", each)
        if found is None or not all(re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", x) for _, x in domain):
            raise reader.wrong(
                line.number,
                f'expected letters and bounds by numbers, such as "a, b >= 0" or "0 <= p <= 1", found "{head:.60}"',
            )
        if found[2] and more != _INDICES and not is_symbol(found[2]):
            said = f'expected one letter as pages show it, such as {SYMBOLS}, found "{found[2]}"'
            raise reader.wrong(line.number, said)
        names.append((found[1], found[2] or (found[1] if more != _INDICES else "")))
    return LetterLine(tuple(names), tuple(domain), meaning, real, line.number)


def bounded(names: str, each: LetterLine) -> str:
    """Return names of letters with their bounds."""
    domain = dict(each.domain)
    if [*domain] == [">=", "<="]:
        return f"{domain['>=']} <= {names} <= {domain['<=']}"
    if len(each.domain) == 2 and each.domain[0][0] in _TURNED:
        (first, least), (relation, number) = each.domain
        return f"{least} {_TURNED[first]} {names} {relation} {number}"
    return names + "".join(f" {relation} {number}" for relation, number in each.domain)


# --- what is read
# ----------------------------------------------------------------------------------------------


def read(reader: Reader, line: Line) -> Argument:
    """Read `linked NAME: ABOUT` and the lines below it."""
    head = _HEAD.fullmatch(line.text)
    if head is None:
        raise reader.wrong(line.number, f'expected "linked NAME: ABOUT", found "{line.text:.60}"')
    indices, given, lines = list[tuple[str, str]](), list[LetterLine](), list[Linking]()
    near, spare, why = list[tuple[str, Text]](), list[tuple[str, str]](), ""
    last, once = 0, Once(reader.place)
    for each in reader.entries():
        key, _, rest = each.text.partition(" ")
        if (rank := _RANKS.get(key, len(_FIRST))) < last:
            order = ", ".join(_FIRST)
            said = f'"{key}" comes too late: the order is {order}, what is defined and said, why'
            raise reader.wrong(each.number, said)
        last = rank
        match key:
            case "index":
                indices.append(_named(reader, each, rest))
                once.add(f'"index {indices[-1][0]}"', each.number)
            case "given":
                given.append(_given(reader, each, rest))
            case "near":
                name, text = _named(reader, each, rest)
                once.add(f'"near {name}"', each.number)
                near.append((name, Text(text, each.number)))
            case "spare":
                spare.append(_named(reader, each, rest))
                once.add(f'"spare {spare[-1][0]}"', each.number)
            case "why:":
                once.add('"why"', each.number)
                why = rest
            case _:
                lines.append(_line(reader, each, key, rest))
    made = (tuple(indices), tuple(given), tuple(near), tuple(spare), tuple(lines))
    return Argument(head[1], head[2], *made, why, line.number)


def _given(reader: Reader, line: Line, text: str) -> LetterLine:
    head, _, meaning = text.partition(": ")
    made = letter_line(reader, line, head, meaning, _INDICES)
    if made.real or not meaning:
        said = f'expected "given p[x], K >= 0: what it is", found "{line.text:.60}"'
        raise reader.wrong(line.number, said)
    return made


def _named(reader: Reader, line: Line, text: str) -> tuple[str, str]:
    """Read `NAME: TEXT`; a name that has ": " stands in quotation marks."""
    if text.startswith('"'):
        name, _, rest = text[1:].partition('"')
        quoted = rest.startswith(": ")
        name, text = (name, rest[2:]) if quoted else ("", "")
    else:
        name, _, text = text.partition(": ")
    if not name or not text:
        key = line.text.partition(" ")[0]
        raise reader.wrong(line.number, f'expected "{key} NAME: ..", found "{line.text:.60}"')
    return name, text


def _line(reader: Reader, line: Line, key: str, rest: str) -> Linking:
    """Read a definition or a fact."""
    if key == "if":
        name, text = _named(reader, line, rest)
        return Linking("given", name, text, line.number)
    if key in ("so", "then"):
        name, text = _named(reader, line, rest)
        made = _fact(text, line.number, name)
        if key == "so":
            return made
        if made.kind == "step":
            return Linking("conclude", name, made.text, line.number, by=made.by)
        said = f'expected "then NAME: FORMULA by FACTS", found "{line.text:.60}"'
        raise reader.wrong(line.number, said)
    made_here = _defined(key, rest, line.number)
    if made_here is None:
        said = f'expected one of {", ".join(KEYS)}, with what follows it, found "{line.text:.60}"'
        raise reader.wrong(line.number, said)
    return made_here


def _defined(key: str, rest: str, line: int) -> Linking | None:
    """Read the definition of a letter, or which letters move; None if it is neither."""
    if key == "moving" and (found := _MOVING.fullmatch(rest)):
        pairs = [each.partition(" = ") for each in found[3].split("; ")]
        put = tuple((name, text) for name, _, text in pairs)
        return Linking("moving", found[1], "", line, found[2], put=put)
    head, meaning = _before(_MEANING, rest)
    if key == "let" and " = " in head:
        name, _, text = head.partition(" = ")
        text, by = _used(text)
        if found := _AT.fullmatch(text):
            return Linking("at", name, found[1], line, found[2], by=by, meaning=meaning)
        if found := _BEFORE.fullmatch(text):
            return Linking("before", name, found[1], line, by=by, meaning=meaning)
        return Linking("let", name, text, line, by=by, meaning=meaning)
    if key in (*MADE, "chain") and (found := _OVER.fullmatch(head)):
        start, _, following = found[3].partition(", then ")
        if key == "chain":
            return Linking(key, found[1], following, line, found[2], start, meaning=meaning)
        return Linking(key, found[1], found[3], line, found[2], meaning=meaning)
    return None


def _fact(text: str, line: int, name: str) -> Linking:
    """Read what a fact says, by its rule."""
    text, by = _used(text)
    if found := _TERM.fullmatch(text):
        return Linking("term", name, "", line, found[1], by=by)
    if found := _AGAIN.fullmatch(text):
        return Linking("again", name, "", line, found[2], by=(found[1].strip('"'), *by))
    if found := _EQUAL.fullmatch(text):
        kind = "swap" if found[3] == "double sums" else "exponentials"
        return Linking(kind, name, found[1], line, found[2], by=by)
    if found := _LEMMA.fullmatch(text):
        pairs = [each.partition(" = ") for each in _split(found[2])]
        put = tuple((x, each or x) for x, _, each in pairs)
        return Linking("by", name, found[1], line, put=put, by=by)
    if found := _RULE.fullmatch(text):
        kind = "along" if found[2] == "along" else "attained"
        return Linking(kind, name, found[1], line, found[3], by=by)
    return Linking("step", name, text, line, by=by)


def _used(text: str) -> tuple[str, tuple[str, ...]]:
    """Split off the facts that are used, "A by ONE, OTHER"; one with a comma is quoted."""
    text, rest = _before(" by ", text)
    facts = list[str]()
    while rest:
        name, comma, behind = rest[1:].partition('"') if rest.startswith('"') else ("", "", rest)
        if comma and (not behind or behind.startswith(", ")):
            rest = behind.removeprefix(", ")
        else:
            name, _, rest = rest.partition(", ")
        facts.append(name)
    return text, tuple(facts)


def _before(sign: str, text: str) -> tuple[str, str]:
    """Split a text at a sign outside quotation marks."""
    found = re.fullmatch(rf'((?:"[^"]*"|[^"])*?){sign}(.*)', text, re.DOTALL)
    return (found[1], found[2]) if found else (text, "")


def _split(text: str) -> Iterator[str]:
    """Yield what stands between commas outside brackets."""
    depth, begun = 0, 0
    for at, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            yield text[begun:at].strip()
            begun = at + 1
    yield text[begun:].strip()


# --- what is written
# ----------------------------------------------------------------------------------------------


def written(each: Argument) -> Iterator[str]:
    """Yield an argument as lines of a document."""
    yield wrapped(f"linked {each.name}: {each.about}", 0)
    for name, text in each.indices:
        yield wrapped(f"index {name}: {text}", 2)
    for letters in each.given:
        names = ", ".join(f"{x}[{its}]" if its else x for x, its in letters.names)
        yield wrapped(f"given {bounded(names, letters)}: {letters.meaning}", 2)
    for name, value in each.near:
        yield wrapped(f"near {name}: {shown(value.text)}", 2)
    for name, reason in each.spare:
        yield wrapped(f"spare {plain(name, ': ')}: {reason}", 2)
    for line in each.lines:
        yield wrapped(_written(line), 2)
    if each.why:
        yield wrapped(f"why: {each.why}", 2)


def _written(each: Linking) -> str:
    meaning = f"{_MEANING}{each.meaning}" if each.meaning else ""
    if each.kind == "moving":
        put = "; ".join(f"{name} = {text}" for name, text in each.put)
        return f"moving {each.name} before {each.over}: {put}"
    if each.kind in ("let", "at", "before"):
        return f"let {each.name} = {_says(each)}{_by(each.by)}{meaning}"
    if each.kind in (*MADE, "chain"):
        return f"{each.kind} {each.name} over {each.over}: {_says(each)}{meaning}"
    key = {"given": "if", "conclude": "then"}.get(each.kind, "so")
    by = each.by[1:] if each.kind == "again" else each.by
    return f"{key} {plain(each.name, ': ')}: {_says(each)}{_by(by)}"


def _says(each: Linking) -> str:
    """Return what stands behind the name of a line."""
    match each.kind:
        case "at":
            return f"{each.text} at {each.over}"
        case "before":
            return f"{each.text} before each"
        case "chain":
            return f"{shown(each.start)}, then {shown(each.text)}"
        case "term":
            return f"term of {each.over}"
        case "again":
            return f"again {plain(each.by[0], ', ', ' at ', ' by ')} at {each.over}"
        case "swap" | "exponentials":
            kind = "double sums" if each.kind == "swap" else each.kind
            return f"{each.text} = {each.over} as {kind}"
        case "by":
            put = (x if x == text else f"{x} = {shown(text)}" for x, text in each.put)
            return f"{each.text} with {', '.join(put)}"
        case "along" | "attained":
            rule = "along" if each.kind == "along" else "at"
            return f"{shown(each.text)} {rule} {each.over}"
    return shown(each.text)


def _by(facts: Sequence[str]) -> str:
    return f" by {', '.join(plain(each, ', ', _MEANING) for each in facts)}" if facts else ""
