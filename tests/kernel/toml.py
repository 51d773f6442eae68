"""TOML texts that take far more than their length, and good ones that look like them: for every
reader of TOML, the kernel's and the package's.
"""

from collections.abc import Callable
from itertools import islice, product
from string import ascii_lowercase


def names(count: int) -> list[str]:
    """As many names."""
    return ["".join(each) for each in islice(product(ascii_lowercase, repeat=4), count)]


def dotted(part: str, count: int = 20_000, mark: str = ".") -> str:
    """A key of as many parts."""
    return mark.join([part] * count)


LONG = {  # a key of over 8 parts
    "a dotted key": lambda: f"{dotted('a')} = 1\n",
    "quoted parts": lambda: f"{dotted(chr(34) + 'a.b' + chr(34))} = 1\n",
    "literal parts": lambda: f"{dotted(chr(39) + 'a' + chr(39), mark=' . ')} = 1\n",
    "escaped quotes": lambda: f"{dotted(chr(34) + 'a' + chr(92) + chr(34) * 2, mark=' . ')} = 1\n",
    "numbers as parts": lambda: f"{dotted('1')} = 1\n",
    "parts far apart": lambda: f"{dotted('a', mark=' ' * 40 + '.' + chr(9))} = 1\n",
    "nine parts": lambda: "a.b.c.d.e.f.g.h.i = 1\n",
    "a header": lambda: f"[{dotted('a')}]\n",
    "a header and lines": lambda: f"[{dotted('a', 5_000)}]\n" + " = 1\n".join(names(4_000)),
    "an array of tables": lambda: f"[[{dotted('a')}]]\n",
    "within an inline table": lambda: f"x = {{y = 1, {dotted('a')} = 1}}\n",
    "within an array": lambda: f"x = [\n  {{{dotted('a')} = 1}},\n]\n",
    "after strings": lambda: f'x = """\n"" \\" ""\\\n"""\ny = \'\'\'\\\'\'\'\n{dotted("a")} = 1\n',
    "after quotes in a string": lambda: f"x = \"\"\"a\"\"\"\"\"\ny = '''b'''''\n{dotted('a')} = 1\n",
    "after a comment": lambda: f'x = 1 # """ \'\'\' "\n{dotted("a")} = 1\n',
}
MANY: dict[str, Callable[[], str]] = {  # keys, or nesting
    "headers of 8 parts": lambda: "".join(f"[{a}.b.c.d.e.f.g.h]\n" for a in names(130_000)),
    "keys of 8 parts": lambda: "".join(f"{a}.b.c.d.e.f.g.h=1\n" for a in names(130_000)) + "[z]\n",
    "inline keys of 8 parts": lambda: "x=[" + "{a.b.c.d.e.f.g.h=1}," * 130_000 + "]\n",
    "arrays of tables": lambda: "[[a.b.c.d.e.f.g.h]]\n" * 130_000,
    "many empty arrays": lambda: "".join(f"{a}=[]\n" for a in names(456_976)) * 2,
    "nested arrays": lambda: "x = " + "[" * 100_000 + "]" * 100_000,
    "nested inline tables": lambda: "x = " + "{a = " * 50_000 + "1" + "}" * 50_000,
    "nested in turn": lambda: "x = " + "[{a = " * 50_000 + "1" + "}]" * 50_000,
    "nested, of 8 parts": lambda: "x = " + "{a.b.c.d.e.f.g.h = " * 130 + "1" + "}" * 130,
    "strings without an end": lambda: '\\"""\n' * 400_000,
    "quotes without an end": lambda: '."a' * 400_000,
}
DOTS = {  # of which none belongs to a long key
    "eight parts": "a.b.c.d.e.f.g.h = 1",
    "a header of eight parts": "[a . b . c . d . e . f . g . h]",
    "a quoted key": '"a.b.c.d.e.f.g.h.i.j" = 1',
    "a quoted key with quotes": '"a\\".b.c.d.e.f.g.h.i.j\\\\" = 1',
    "a literal key": "'a.b.c.d.e.f.g.h.i.j\\' = 1",
    "a quoted header": '["a.b.c.d.e.f.g.h.i.j".b]',
    "a string": 'x = "a.b.c.d.e.f.g.h.i.j"',
    "a string with quotes": 'x = "\\"a.b.c.d.e.f.g.h.i.j"',
    "a literal string": "x = '\"a.b.c.d.e.f.g.h.i.j'",
    "lines": 'x = """\na.b.c.d.e.f.g.h.i.j\n"" a.b.c.d.e.f.g.h.i.j \\""" a.b.c.d.e.f.g.h.i.j"""""',
    "literal lines": "x = '''\na.b.c.d.e.f.g.h.i.j\n'' a.b.c.d.e.f.g.h.i.j \\'''''",
    "a comment": "# a.b.c.d.e.f.g.h.i.j = \"\nx = 1 # ''' a.b.c.d.e.f.g.h.i.j\ny = 1",
    "floats": "x = [0.5, 0.25, 1.5e-3, -0.1, +2.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]",
    "strings in a row": 'x = ["a.b", "c.d", \'e.f\', "g.h", "i.j", "k.l", "m.n", "o.p", "q.r"]',
    "dots alone": 'x = ["................", "..............................."]',
    "initials": 'x = "A. B. C. D. E. F. G. H. I. J. K."',
    "ends of lines": 'x = "a.b.c.d"\r\n# e.f.g.h.i.j.k.l.m\r\ny = 1\r\n',
}
