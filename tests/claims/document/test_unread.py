"""Documents that nobody has read run arithmetic and plain data alone: whatever else is in them is
refused before any of it runs, by three fences, each of which holds without the others.
"""

import ast
import builtins
import importlib.util
import os
import re
import signal
import subprocess
import sys
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[import-not-found]
from pathlib import Path

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.claims.examination import names_of

from pufferproof.claims import registry
from pufferproof.claims.document import module as making
from pufferproof.claims.document.expressions import plain
from pufferproof.claims.document.module import module_of
from pufferproof.claims.document.outside import Outside
from pufferproof.claims.language import attributes
from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.interface.sweeps.units import HUNG, Unit
from pufferproof.verify.proof.formulas import as_written, evaluate_no_texts
from pufferproof.verify.proof.smt import ending, limit_met, limited

ESCAPES = """
().__class__.__base__.__subclasses__()
''.__class__.__mro__[1].__subclasses__()[104]
(x for x in [1]).gi_frame.f_builtins['__import__']('os').system('touch PWN')
(x for x in [1]).gi_frame.f_back.f_globals
(x for x in [1]).gi_code
(lambda: 0).__globals__['__builtins__']
(lambda: 0).__code__.co_consts
(lambda: 0).__closure__
(lambda: 0).__defaults__
(lambda: 0).__kwdefaults__
(lambda: 0).__get__(1)
(lambda: 0).__call__.__self__
(lambda x=().__class__: x)()
(lambda: (yield))()
(lambda: (yield from ()))()
[].append.__self__
[].__reduce_ex__(2)[0].__globals__
[].__init_subclass__
[1].__class__
{}.__class__.__bases__
{}.__class__.mro()
{}.fromkeys('ab')
(1).__class__.__base__
(1).from_bytes('a', 'big')
(1).real
1 .__add__.__objclass__
True.__class__
None.__class__
len.__self__
len.__self__.open('PWN', 'w')
len.__module__
max.__call__
sum.__text_signature__
str.format('{0.__class__}', 1)
'{0.__class__.__mro__}'.format(1)
'{0.__globals__}'.format(lambda: 0)
'{x}'.format_map({'x': 1})
'%s'.__mod__(1)
'a'.encode('utf-8')
'a'.translate({97: 'b'})
'a'.__doc__
f'{1 .__class__}'
f'{1:{9}}'
f'{(lambda: 0).__globals__!r}'
type(1)
type('X', (), {})
type.__getattribute__(1, '__class__')
object()
object.__subclasses__()
super()
getattr(1, 'real')
getattr((), '__class__')
setattr(max, 'x', 1)
hasattr(1, 'real')
delattr(1, 'real')
vars()
dir(1)
globals()
locals()
open('PWN', 'w')
input()
print(1)
exec('1')
eval('1')
compile('1', 'x', 'eval')
__import__('os')
__import__('os').system('touch PWN')
__builtins__
__builtins__['open']
__builtins__.open
__loader__
__spec__.loader
__name__
__file__
__doc__
__debug__
__build_class__
breakpoint()
help()
exit()
quit()
copyright
license._Printer__filenames
credits
memoryview('a')
bytearray(3)
bytes(3)
classmethod(max)
staticmethod(max)
property(max)
callable(max)
id(1)
hash(1)
repr(1)
ascii(1)
chr(97)
ord('a')
format(1, 'd')
slice(1)
complex(1)
float('inf')
aiter(1)
anext(1)
BaseException
Exception('a').__traceback__
ValueError('a').with_traceback
NotImplemented
Ellipsis
...
b'a'
[1 async for x in y]
[x for x in ().__class__.__base__.__subclasses__()]
[y for x in [(1).__class__] for y in x.__mro__]
[x := ().__class__]
(x := [].append)(1)
{**().__class__.__dict__}
[*().__class__.__mro__]
max(*().__class__.__mro__)
dict(**(lambda: 0).__dict__)
sorted([1], key=().__class__)
sorted([1], key=lambda x: x.__class__)
map(().__class__.__base__.__subclasses__, [])
(1 if True else ().__class__)
not ().__class__
-(1).__class__
().__class__ < 1
(1)[().__class__]
[1][().__class__:]
1 @ 2
_document_checked.__globals__
_document_attribute((), '__class__')
_document_claim('zz.evil')
_document_Fraction.from_float
_document_cache.__globals__
check
proof.steps
Draws
F.numerator.real.imag
F.limit_denominator.__func__
F.__class__._from_coprime_ints
F._numerator
F.from_float
F.as_integer_ratio
sys.modules
os.system('touch PWN')
reduce.__self__
reduce.__class__
chain.from_iterable.__self__
A.__class__
A.__init__.__globals__['__builtins__']
A.bounds[0].of.__globals__
A.func
A.subs('__import__("os").system("touch PWN")', 1)
A.evalf
A.doit.__func__.__globals__
A.xreplace
A.meaning
dict.get.__objclass__
dict.items.__qualname__
[].index.__self__
[].count.__class__
'a'.join.__self__
'a'.split.__call__
Channel.__init__.__globals__
Channel.of.__func__.__globals__
Channel.of.__self__
Framework.records
""".strip().split("\n")
HEAD = """# A title

use functools: reduce
use fractions: Fraction as F
use itertools: chain
use pufferproof: Channel, Framework

letters:
  A >= 0: a letter

"""
FAMILY = "family two: Two numbers.\n  give: a = below(3); b = below(3)\n\n"
END = "\n## zz.one | Lemma 1 | lemma\n\nA sum is large.\n\n"
FALSE = "reading as stated\n  false: one -- a is 1\n  at: a = {}\n  by: {}\n  so: a = a\nwhy: none.\n"
EVERY = "unsaid: none\nreading as stated | all\n  every: all -- n is a number\n  of: {}\n  holds: {}\n"
PROGRAM = "program P over two\n  {}\n  holds ({}): a >= {}\n  not more: {}\n"
EVIL = "(x for x in [1]).gi_frame"
DOORS = {
    "let": f"let X = {EVIL}\n",
    "let, several": f"let X, Y = 1, {EVIL}\n",
    "define": f"define f(a) = {EVIL}\n",
    "define, a default": f"define f(a={EVIL}) = a\n",
    "define, where": f"define f(a) = b\n  where: b = {EVIL}\n",
    "define, an attribute that is given": "define f(a) = a\n  where: a.b = 1; b = a\n",
    "define, an entry that is given": "define f(a) = b\n  where: a[0] = 1; b = a\n",
    "define, an import": "define f(a, open=1) = open\n",
    "hypothesis": f"hypothesis H: words :: {EVIL}\n",
    "family": f"family two: Two.\n  a = {EVIL}\n  give: a\n",
    "family, an entry": f"family two: Two.\n  give: a = {EVIL}\n",
    "family, all entries": f"family two: Two.\n  give: ** {EVIL}\n",
    "family, draws": "family two: Two.\n  give: a = draws._next\n",
    "program over": f"program P over {EVIL}\n  holds: 1 < 2\n",
    "program, parameters": f"{FAMILY}program P(x={EVIL}) over two\n  holds: a < x\n",
    "program, given": FAMILY + PROGRAM.format(f"given words: {EVIL}", "c=0", "b", "c = 1"),
    "program, where": FAMILY + PROGRAM.format(f"where: d = {EVIL}", "c=0", "b", "c = 1"),
    "program, edges": FAMILY + PROGRAM.format(f"edges: [{EVIL}]", "c=0", "b", "c = 1"),
    "program, broken": FAMILY + PROGRAM.format(f"broken: [{EVIL}]", "c=0", "b", "c = 1"),
    "program, degenerate": FAMILY + PROGRAM.format(f"degenerate: {EVIL}", "c=0", "b", "c = 1"),
    "program, holds": FAMILY + PROGRAM.format("always: yes", "c=0", EVIL, "c = 1"),
    "program, a parameter": FAMILY + PROGRAM.format("always: yes", f"c={EVIL}", "b", "c = 1"),
    "program, a near miss": FAMILY + PROGRAM.format("always: yes", "c=0", "b", f"c = {EVIL}"),
    "at": END + FALSE.format(EVIL, "a == 1"),
    "by": END + FALSE.format("1", f"a == {EVIL}"),
    "of": END + EVERY.format(EVIL, "lambda n: n > 1"),
    "holds": END + EVERY.format("[1]", f"lambda n: {EVIL}"),
    "holds, a default": END + EVERY.format("[1]", f"lambda n, m={EVIL}: n"),
    "near": END + EVERY.format("[1]", "lambda n: n > 0") + f"  near x: lambda n: {EVIL}\n",
    "says": f"{END}reading as stated :: {EVIL}\n",
    "is": f"{END}reading as stated\n  definition: gap -- a gap\n  is: {EVIL}\n",
    "call": f"{END}reading as stated\n  call: max(1, 2)\n",
    "through": f"{END}reading as stated\n  through: max\n",
    "a fence": "```python\nX = 1\n```\n",
    "an object": "sorts:\n  M: NUMBER\n",
    "a lemma": "linked M: a mean\n  given a: words\n  so x: A.x with y = a\n  then z: a > 1 by x\n",
    **{
        f"use {each}": f"use {each}\n"
        for each in (
            *("os: system", "subprocess: call", "sys: modules", "evil: x", "math", "functools"),
            *("functools: update_wrapper", "functools: wraps", "functools: partial"),
            *("functools: singledispatch", "functools: cached_property", "collections: namedtuple"),
            *("operator: attrgetter", "operator: methodcaller", "operator: call", "typing: Any"),
            *("typing: get_type_hints", "dataclasses: make_dataclass", "dataclasses: replace"),
            *("string: Formatter", "copy: copy", "enum: Enum", "re: compile", "itertools: tee"),
            *("models.files.writing: Path", "models.errors: os", "claims.registry: claim"),
            *("claims.registry: importlib", "language.letters: sys", "language.letters: letter"),
            *("language.statements: Draws", "language.instances.laws: chain", "language: Edit"),
            *("language.instances.laws: itemgetter", "document.module: module_of", "sympy: sympify"),
            *("song2017.notation: NOTHING", "reports.cli: main", "pufferproof: read_framework"),
        )
    },
}


@pytest.fixture
def canary(tmp_path, monkeypatch):
    """Fail if anything was written in the working directory."""
    monkeypatch.chdir(tmp_path)
    yield
    assert [each.name for each in tmp_path.iterdir() if "PWN" in each.name] == []


def let(expression):
    return f"{HEAD}let X = {expression}\n  a value\n"


def refusal(text):
    """Return why a document that nobody has read is refused, or nothing if it is taken."""
    try:
        module_of(text, "own.claims", trusted=False)
    except ModelError as error:
        return str(error)
    return ""


@pytest.mark.usefixtures("canary")
def test_what_is_known_to_lead_out_of_expressions_is_refused():
    assert [each for each in ESCAPES if not refusal(let(each)).startswith("own.claims:")] == []


def test_texts_for_names_of_this_package_are_not_evaluated(tmp_path, run):
    """SymPy evaluates a text where an expression is expected: of documents that nobody has read it
    reads no text that names anything.
    """
    code = "Basic.subs.__globals__['__builtins__']['__import__']('os').system('touch PWN')"
    own = tmp_path / "own.claims"
    for text in (code, "open(chr(80), chr(119))", "ｅval(chr(49))", "().__class__"):
        document = let(f"value({text!r}, 1, 1)")
        use = "use song2017.two_releases.statement: value\nuse functools"
        own.write_text(document.replace("use functools", use), encoding="utf-8")
        code, _, err = run("prove", str(own), "--no-cache")
        assert code == 2, err
    assert not (tmp_path / "PWN").exists()
    evaluate_no_texts()
    for text in ("open(chr(80), chr(119))", "ｅval(chr(49))", "().__class__", "x.y", "f'x'"):
        with pytest.raises(SolverError, match="expected an expression"):
            sympy.sympify(text)
        with pytest.raises(SolverError):
            as_written(text, functions=("exp", "log"))
    assert sympy.sympify("1/2 + 3") == sympy.Rational(7, 2)


def test_formulas_are_printed_after_a_document_that_nobody_has_read():
    """SymPy imports its units when it prints a product; they have texts of their own."""
    code = """if True:
        import sympy
        from pufferproof.verify.proof.formulas import as_written, evaluate_no_texts
        evaluate_no_texts()
        print(sympy.pretty(as_written("(1 - x)/(1 - y)*z"), use_unicode=False))
    """
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "1 - x" in found.stdout, found.stderr


@pytest.mark.usefixtures("canary")
def test_python_is_refused_wherever_it_stands_in_a_document():
    said = {door: refusal(HEAD + text) for door, text in DOORS.items()}
    placed = re.compile(r"own\.claims: has Python at line \d+ \(|own\.claims:\d+: ")
    assert {door: words for door, words in said.items() if not placed.match(words)} == {}


@pytest.mark.usefixtures("canary")
def test_each_fence_holds_without_the_one_before(monkeypatch):
    """Of expressions that all of Python reads, the second refuses every one, and the third lets
    none of them import anything.
    """
    monkeypatch.setattr(making, "expect_plain", lambda tree, place, line: tree)
    monkeypatch.setattr(plain.Plain, "visit_Attribute", lambda self, node: node)
    kept = []
    for expression in ESCAPES:
        text = let(expression)
        try:
            module_of(text, "own.claims", trusted=False)
        except ModelError:
            pass
        else:
            kept.append(expression)
    # what the module itself is made of is no way out
    assert kept == ["__file__", "_document_attribute((), '__class__')", "check"][: len(kept)]
    monkeypatch.setattr(making, "expect_plain_module", lambda *_: None)
    source = let("(x for x in [1]).gi_frame.f_builtins['__import__']('os').system('touch PWN')")
    module = module_of(source, "own.claims", trusted=False)
    names = {"__builtins__": plain.plain_builtins(module), "__file__": "own.claims"}
    with pytest.raises(ImportError, match="os is not imported by a line of the document"):
        exec(compile(module, "own.claims", "exec"), names)
    assert {*names["__builtins__"]} == {*plain.FUNCTIONS, "__import__"}


@pytest.mark.parametrize(
    "words",
    [
        *("prove own.claims", "prove --claims own.claims", "prove --claims .", "prove own.claims --json"),
        *("prove own.claims --record", "prove own.claims --check", "prove own.claims --out out"),
        *("prove own.claims --letter zz", "prove own.claims --steps steps.json"),
        *("export own.claims --smtlib smt", "export zz.one --smtlib smt --claims own.claims"),
    ],
)
@pytest.mark.usefixtures("canary")
def test_no_command_runs_a_fence_unasked(words, run, tmp_path):
    (tmp_path / "own.claims").write_text(f"# A\n\n```python\nopen('PWN', 'w')\n```\n{END}")
    code, out, err = run(*words.split())
    said = "pufferproof: own.claims: has Python at line 4 (a fence): read it, then pass"
    assert (code, out, err) == (2, "", f"{said} --trust-code\n")
    assert [each.name for each in tmp_path.iterdir()] == ["own.claims"]


ORDINARY = """
[a for a in range(10) if a % 2 == 0]
{a: a ** 2 for a in range(5)}
sum(1/2 ** n for n in range(10))
max([1, 2], key=lambda x: -x)
sorted({3, 1, 2})[0]
all(x < y for x, y in zip([1, 2], [2, 3]))
[min(row) for row in [[1, 2], [3, 4]]]
F(1, 3).numerator + (1/2).denominator
{'a': 1}.items()
[*{'a': 1}.values(), *{'b': 2}.keys()]
{'a': 1}.get('b', 0)
', '.join(['a', 'b'])
f'{1}{2}'
reduce(lambda a, b: a * b, [1, 2, 3])
[*chain([1], [2])]
dict(a=1, b=2)['a']
(lambda a, b=2, *c, **d: a + b + len(c) + len(d))(1, 2, 3, e=4)
[x := 1, x + 1]
abs(-1) + divmod(7, 2)[0] + pow(2, 5, 3) + round(F(7, 2)) + int('12')
(1 if 2 > 1 else 0)
isinstance(1, int) and not isinstance('a', int)
{1, 2} & {2, 3} | {4} - {4} ^ {5}
[[1, 2], [3, 4]][1][0:1]
Channel.of({'a': ['1/2', '1/2'], 'b': ['1/4', '3/4']}, outputs=['u', 'v'])
(5).bit_length() + [1, 2].index(2) + (1, 1).count(1)
2 ** -1 + 3 ** 4 - 7 // 2
list(enumerate(reversed([1, 2]))) + list(map(str, [1])) + list(filter(None, [0, 1]))
any(n > 2 for n in iter([1, 2, 3])) or next(iter([1])) == 1 or set() == frozenset()
""".strip().split("\n")


@pytest.mark.parametrize("expression", ORDINARY)
def test_what_authors_write_needs_no_trust_and_means_the_same(expression, tmp_path):
    expression = expression.replace(" | {4} - {4} ^ {5}", "")
    path = tmp_path / "own.claims"
    path.write_text(let(expression))
    loader = Outside("own", str(path), trusted=False)
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("own", path, loader=loader))
    loader.exec_module(module)
    trusted = names_of(let(expression))["X"]
    shown = [repr(each) if isinstance(each, type({}.items())) else each for each in (module.X, trusted)]
    assert shown[0] == shown[1] or repr(shown[0]) == repr(shown[1])


def test_an_attribute_is_one_of_the_type_that_has_it():
    """Static names are those that some type has, and no type gives one that the list lacks."""
    of_types = {name for _, names in attributes._KINDS for name in names} | {"of"}
    assert of_types == plain.ATTRIBUTES
    assert attributes.attribute(Fraction(1, 2), "numerator") == 1
    assert attributes.attribute(Draws(None), "below")(3) == 0

    def family(draws):
        """Nothing."""
        return {}

    near = {"one more": {"more": 1}}
    statement = Statement(family=family, holds=lambda more=0: more == 0, too_strong=near)
    assert attributes.attribute(statement, "fails")({}) is False
    values = (1, "a", [1], {}, max, ModelError, lambda: 0, Draws(None), statement, type, dict, iter([1]))
    for value in values:
        for name in (*dir(value), *plain.ATTRIBUTES):
            kinds = [names for kind, names in attributes._KINDS if isinstance(value, kind)]
            if not any(name in names for names in kinds):
                with pytest.raises(ModelError, match="read it, then pass --trust-code"):
                    attributes.attribute(value, name)


# --- fuzz


_ATOMS = ("0", "1", "2", "'a'", "True", "None", "A", "F(1, 2)", "[1, 2]", "(1, 'b')", "{'a': 1}")
_CALLED = (*plain.FUNCTIONS, "F", "reduce", "chain", "(lambda x, y=1: x)", "(lambda *x: x)")
_FORMS = (
    *("({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} / {1})", "({0} // {1})", "({0} % {1})"),
    *("({0} < {1})", "({0} == {1})", "({0} in {1})", "({0} and {1})", "(not ({0}))", "(-({0}))"),
    *("({0} & {1})", "[{0}, {1}]", "({0}, {1})", "{{{0}: {1}}}", "{0}[{1}]", "{0}[{1}:]"),
    *("[x for x in {0} if {1}]", "{{x: {1} for x in {0}}}", "(x for x in {0})", "(lambda x: {0})"),
    *("[*{0}, {1}]", "({0} if {1} else {0})", "f'{{{0}}}'", "'%s %r' % ({0}, {1})", "[y := {0}]"),
)
_KNOWN = st.sampled_from(_ATOMS)


def _grown(inner):
    calls = [f"{each}({{0}})" for each in _CALLED] + [f"{each}({{0}}, {{1}})" for each in _CALLED]
    looked = [f"({{0}}).{each}" for each in sorted(plain.ATTRIBUTES)]
    forms = st.one_of(*map(st.sampled_from, (_FORMS, calls, looked)))
    return st.tuples(forms, inner, inner).map(lambda each: each[0].format(*each[1:]))


EXPRESSIONS = st.recursive(_KNOWN, _grown, max_leaves=8)
_ATTRIBUTES = sorted(
    {
        name
        for kind in (*plain.METHODS, type(len), type(lambda: 0), type(x for x in ()), type, object)
        for name in dir(kind)
    }
    | {"gi_frame", "f_back", "f_builtins", "f_globals", "format", "tb_frame", "co_code"}
)
_HIDDEN = ("open", "eval", "type", "object", "getattr", "__import__", "__builtins__", "globals")


def _ran(expression):
    """Run an expression as the value of a document, and return what was called while it ran."""
    module = module_of(let(expression), "own.claims", trusted=False)
    last = module.body.pop()
    names = {"__builtins__": plain.plain_builtins(module), "__file__": "own.claims"}
    exec(compile(module, "own.claims", "exec"), names)
    code = compile(ast.Module([last], []), "own.claims", "exec")
    called = []

    def seen(frame, event, argument):
        if event == "c_call" and frame.f_code.co_filename == "own.claims":
            called.append(argument)
        elif event == "call" and frame.f_back.f_code.co_filename == "own.claims":
            called.append(frame.f_code)

    sys.setprofile(seen)
    try:
        exec(code, names)
    except Exception:  # whatever an expression does with values that do not fit
        pass
    finally:
        sys.setprofile(None)
    return called


@examples(400)
@given(expression=EXPRESSIONS)
def test_drawn_expressions_call_nothing_outside_of_the_list(expression):
    """They are drawn from what is allowed; a call of C is a function of Python of the list or a
    method of plain data of the list, and a call of Python is of the document or of what makes it
    exact, looks up attributes, or is a fraction or a letter.
    """
    try:
        module_of(let(expression), "own.claims", trusted=True)
    except ModelError:  # brackets, and the like
        return
    called = _ran(expression)
    allowed = {getattr(builtins, name) for name in plain.FUNCTIONS}
    for each in called:
        if hasattr(each, "co_filename"):
            place = each.co_filename
            inside = "pufferproof" in Path(place).parts or place in ("own.claims", "<string>")
            assert inside or re.search(r"fractions|numbers|sympy|abc|enum|functools", place), place
            continue
        own = getattr(each, "__self__", None)
        of_list = any(each is x for x in allowed) or each.__name__ in plain.ATTRIBUTES
        named = f"{getattr(each, '__module__', '')}.{each.__name__}"
        assert of_list or named in ("_functools.reduce", "itertools.chain") or own is None, each


@examples(400)
@given(
    expression=EXPRESSIONS,
    inner=EXPRESSIONS,
    name=st.sampled_from(_ATTRIBUTES),
    hidden=st.sampled_from(_HIDDEN),
    is_name=st.booleans(),
)
def test_one_node_outside_of_the_list_is_refused_wherever_it_stands(expression, inner, name, hidden, is_name):
    evil = f"{hidden}({inner})" if is_name else f"({inner}).{name}"
    if not is_name and name in plain.ATTRIBUTES:
        return
    for text in (f"[{expression}, {evil}]", f"max({evil}, {expression})", f"(lambda z: {evil})"):
        with pytest.raises(ModelError):
            module_of(let(text), "own.claims", trusted=False)


# --- loading


@pytest.mark.usefixtures("canary")
def test_nothing_that_stands_beside_a_document_is_believed(tmp_path):
    """Neither a compiled file that Python would load without looking at the document, nor a module
    of the name of one that is used.
    """
    path = tmp_path / "own.claims"
    path.write_text(let("1"))
    cached = Path(importlib.util.cache_from_source(str(path)))
    cached.parent.mkdir()
    evil = compile("open('PWN', 'w')", str(path), "exec")
    cached.write_bytes(_code_to_hash_pyc(evil, b"\0" * 8, False))
    registry.load_extra([path])
    registry.load_extra([path], trust_code=True)
    assert [each.name for each in cached.parent.iterdir()] == [cached.name]


@pytest.mark.usefixtures("canary")
def test_no_file_of_a_folder_runs_before_all_are_looked_at(tmp_path):
    (tmp_path / "a.claims").write_text(let("sum(range(10**11))"))
    (tmp_path / "z.claims").write_text(f"{HEAD}```python\nopen('PWN', 'w')\n```\n")
    with pytest.raises(ModelError, match=r"z\.claims: has Python at line 12 \(a fence\)"):
        registry.load_extra([tmp_path], seconds=0.5)
    (tmp_path / "z.claims").unlink()
    (tmp_path / "z.py").write_text("open('PWN', 'w')\n")
    with pytest.raises(ModelError, match=r"z\.py: has Python at line 1 \(a file of Python\)"):
        registry.load_extra([tmp_path], seconds=0.5)


LONG = {
    "sum(range(10**11))": "1 s of the processor",
    "'a' in range(10**11)": "1 s of the processor",
    "factorial(10**8)": "1 s of the processor",
    "[x for x in range(10**9)]": "1 s of the processor",
    "[*range(10**9)]": "1 s of the processor|2 GB of memory",
    "[0] * 10**9": "1 s of the processor|2 GB of memory",
    "all(all(a + b >= 0 for a in range(10**5)) for b in range(10**5))": "1 s of the processor",
    "F('1e999999999')": "1 s of the processor|2 GB of memory",
    "'%999999999d' % 1 * 9": "2 GB of memory|1 s of the processor",
}


@pytest.mark.parametrize("expression", LONG)
def test_loading_ends_within_its_limits(expression, tmp_path):
    path = tmp_path / "own.claims"
    path.write_text(let(expression).replace("use itertools", "use math: factorial\nuse itertools"))
    with pytest.raises(ModelError) as error:
        registry.load_extra([path], seconds=0.5)
    assert re.search(rf"own\.claims: cannot be loaded: it takes more than ({LONG[expression]})", str(error.value))


def endless() -> int:
    """Run on and on inside one call of a function of Python, which hears of no signal."""
    with limited(0.1), ending(0.3):
        return sum(range(10**11))


def test_a_worker_that_runs_on_and_on_ends_and_is_not_begun_again():
    with opened(Sharing(jobs=1), apart=True) as sweep:
        [(_, outcome)] = sweep.outcomes([Unit.of(endless)], 1)
    assert (outcome.kind, "limit of time of the processor" in outcome.said) == (HUNG, True)


def test_work_within_its_limits_is_done_here_too():
    assert limit_met(lambda: sum(range(10)), 1) == ""
    assert limit_met(lambda: {}["a"], 1) == ""  # what it raises is raised where it is done
    assert "GB of memory" in limit_met(lambda: [0] * 10**9, 1)
    assert "1 s of the processor" in limit_met(lambda: sum(range(10**11)), 1)
    assert "SIGTERM" in limit_met(lambda: os.kill(os.getpid(), signal.SIGTERM), 1)
