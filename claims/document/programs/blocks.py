"""Read blocks of programs, and write them: each is the inverse of the other."""

import ast
import re
from collections.abc import Iterator

from pufferproof.claims.document.expressions.reading import canonical, entries, entry, parsed
from pufferproof.claims.document.lines import NAME, Line, Once, Reader, wrapped
from pufferproof.claims.document.parts import Block, Define, Family, Hypothesis, Program, Text
from pufferproof.models.errors import ModelError

HYPOTHESES = ("given", "needs")
SEVERAL = (*HYPOTHESES, "not", "where")
"""Fields of a program of which there may be several."""
FIELDS = (*SEVERAL, "holds", "edges", "broken", "degenerate", "computed", "always")
_HEADS = {
    "define": rf"{NAME}\(",
    "define cached": rf"{NAME}\(",
    "hypothesis": rf"{NAME}: ",
    "family": rf"{NAME}: ",
    "program": rf"{NAME}(?: over |\()",
}
_BLOCK = re.compile("|".join(f"({key}) (?={rest})" for key, rest in _HEADS.items()))
_WORDED = (*HYPOTHESES, "not")


def begins(text: str) -> bool:
    """Whether a line begins a block."""
    return bool(_BLOCK.match(text))


def read(reader: Reader, line: Line) -> Block:
    """Return the block that a line begins, with the lines below it."""
    head = _BLOCK.match(line.text)
    assert head is not None
    rest = line.text[head.end() :]
    key = head[0].strip()
    match key:
        case "family":
            return _family(reader, line, rest)
        case "program":
            return _program(reader, line, rest)
        case "hypothesis":
            words, _, text = rest.partition(": ")[2].partition(" :: ")
            if not text:
                said = f'expected "hypothesis NAME: WORDS :: EXPRESSION", found "{line.text:.60}"'
                raise reader.wrong(line.number, said)
            return Hypothesis(rest.partition(":")[0], words, Text(text, line.number), line.number)
    return _define(reader, line, rest, key != "define")


def write(each: Block) -> str:
    """Return the lines of a block."""
    match each:
        case Define():
            cached = "cached " if each.cached else ""
            head = f"define {cached}{each.name}({each.arguments}) = {canonical(each.value.text)}"
            said = [wrapped(each.said, 2)] if each.said else []
            where = (wrapped(f"where: {settings(text.text)}", 2) for text in each.where)
            return "\n".join([wrapped(head, 0), *said, *where])
        case Hypothesis():
            text = canonical(each.value.text)
            return wrapped(f"hypothesis {each.name}: {each.words} :: {text}", 0)
        case Family():
            lines = [f"family {each.name}: {each.said}"]
            lines += [settings(text.text) for text in each.drawn]
            lines.append(f"give: {given(each.entries.text)}")
            return "\n".join(wrapped(x, 2 if number else 0) for number, x in enumerate(lines))
        case Program():
            arguments = f"({each.arguments})" if each.arguments else ""
            head = f"program {each.name}{arguments} over {canonical(each.family.text)}"
            return "\n".join([wrapped(head, 0), *(wrapped(x, 2) for x in _fields(each))])


def parameters(text: str) -> ast.arguments:
    """Return the parameters of a function. Raises `ModelError` if they are none."""
    try:
        made = ast.parse(f"lambda {text}: 0", mode="eval").body
    except SyntaxError:
        made = None
    if not isinstance(made, ast.Lambda):
        raise ModelError(f'expected parameters of a function, found "{text:.60}"')
    return made.args


def assignments(text: str) -> list[tuple[ast.expr, str]]:
    """Return what `NAME = VALUE; NAMES = VALUE` names, and the values. Raises `ModelError`."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, RecursionError, MemoryError):
        body = []
    pairs = [
        (each.targets[0], ast.get_source_segment(text, each.value) or "")
        for each in body
        if isinstance(each, ast.Assign) and len(each.targets) == 1
    ]
    if not pairs or len(pairs) < len(body):
        raise ModelError(f'expected "NAME = VALUE; ..", found "{text:.60}"')
    return pairs


def settings(text: str) -> str:
    """Return `NAME = VALUE; ..` in the layout of documents."""
    shown = []
    for target, value in assignments(text):
        bare = ast.unparse(ast.Assign([target], ast.Name("x", ast.Load()), lineno=0))
        text = canonical(value)
        several = isinstance(target, ast.Tuple) and isinstance(parsed(text), ast.Tuple)
        shown.append(f"{bare.removesuffix('x')}{text[1:-1] if several else text}")
    return "; ".join(shown)


def given(text: str) -> str:
    """Return the entries that a family gives, in the layout of documents."""
    pairs = entries(text, bare=True)
    return "; ".join(entry(name, canonical(value)) if value else name for name, value in pairs)


def _define(reader: Reader, line: Line, rest: str, cached: bool) -> Define:
    name, _, text = rest.partition("(")
    stop = text.find(") = ")
    while stop >= 0 and not _is_parameters(text[:stop]):
        stop = text.find(") = ", stop + 1)
    if stop < 0:
        said = f'expected "define NAME(PARAMETERS) = EXPRESSION", found "{line.text:.60}"'
        raise reader.wrong(line.number, said)
    below = [(each.text, each.number) for each in reader.entries()]
    said = ""
    if below and not below[0][0].startswith("where: "):
        said = below.pop(0)[0]
    for each, number in below:
        if not each.startswith("where: "):
            raise reader.wrong(number, f'expected "where: NAME = VALUE; ..", found "{each:.60}"')
    where = tuple(Text(each.removeprefix("where: "), number) for each, number in below)
    value = Text(text[stop + 4 :], line.number)
    return Define(name, text[:stop], value, said, where, cached, line.number)


def _is_parameters(text: str) -> bool:
    try:
        parameters(text)
    except ModelError:
        return False
    return True


def _family(reader: Reader, line: Line, rest: str) -> Family:
    name, _, said = rest.partition(": ")
    *drawn, last = [Text(each.text, each.number) for each in reader.entries()] or [Text("", 0)]
    if not said or not last.text.startswith("give: "):
        said = 'expected "family NAME: WHAT IT DRAWS", and "give: NAMES" as its last line'
        raise reader.wrong(last.line or line.number, said)
    entries = Text(last.text.removeprefix("give: "), last.line)
    return Family(name, said, tuple(drawn), entries, line.number)


def _program(reader: Reader, line: Line, rest: str) -> Program:
    head, _, family = rest.partition(" over ")
    name, _, arguments = head.removesuffix(")").partition("(")
    fields: list[tuple[str, str, Text]] = []
    once = Once(reader.place)
    for each in reader.entries():
        key, words, text = _field(each.text)
        if key not in FIELDS or not text or (words and key not in (*_WORDED, "holds")):
            said = f'expected one of {", ".join(FIELDS)}, and its text, found "{each.text:.60}"'
            raise reader.wrong(each.number, said)
        if key not in SEVERAL:
            once.add(f'field "{key}"', each.number)
        fields.append((key, words, Text(text, each.number)))
    if "holds" not in (key for key, _, _ in fields):
        raise reader.wrong(line.number, 'expected "holds: EXPRESSION" below a program')
    return Program(name, arguments, Text(family, line.number), tuple(fields), line.number)


def _field(text: str) -> tuple[str, str, str]:
    """Split `KEY: TEXT`, `KEY WORDS: TEXT` and `KEY (PARAMETERS): TEXT`."""
    key = re.match(r"[a-z]*", text)
    assert key is not None
    rest = text[key.end() :]
    if rest.startswith(' "') and '": ' in rest:
        words, _, value = rest[2:].partition('": ')
        return key[0], words, value
    stop = rest.find(": ")
    if key[0] == "holds" and rest.startswith(" ("):
        stop = rest.find("): ") + 1
        while stop and not _is_parameters(rest[2 : stop - 1]):
            stop = rest.find("): ", stop) + 1
        return key[0], rest[2 : stop - 1] if stop else "", rest[stop + 2 :] if stop else ""
    return key[0], rest[:stop].strip(), rest[stop + 2 :] if stop >= 0 else ""


def _fields(each: Program) -> Iterator[str]:
    """Yield the fields of a program."""
    for key, words, value in each.fields:
        text = value.text
        match key:
            case "given" | "needs" if not words:
                pass
            case "where":
                text = settings(text)
            case "not":
                text = canonical(text, several=True)
            case "computed" | "always":
                pass
            case _:
                text = canonical(text)
        if words and key == "holds":
            words = f"({words})"
        elif words and (": " in words or words.startswith(('"', "("))):
            words = f'"{words}"'
        yield f"{key} {words}: {text}" if words else f"{key}: {text}"
