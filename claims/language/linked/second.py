"""The second reader of linked arguments: from plain data alone, with a reader of formulas and a
printer of queries of its own, so that nothing rests on the bookkeeping of the first.

It asks again whether every fact follows from those that it names. It shares with the first reader
the solvers, and no line that reads, substitutes or writes a formula.
"""

import ast
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from pufferproof.verify.proof.smt import ask

Tree = tuple[Any, ...]
SECONDS = 20.0
_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.BitOr: "or",
    ast.BitAnd: "and",
}
_COMPARED = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">"}
_CALLED = {"Eq": "=", "Ne": "distinct", "Implies": "=>", "Abs": "abs", "And": "and", "Or": "or"}
_NARY = {"Max": ">=", "Min": "<="}


class UnlinkedError(Exception):
    """What is wrong with an argument."""


def read_again(data: Mapping[str, Any], of: str = "") -> int:
    """Return how many implications hold of an argument that is linked.

    Raises `UnlinkedError` where one does not, or something comes from nowhere or leads nowhere.
    """
    return _Reader(data, of or data["about"]).read()


class _Reader:
    def __init__(self, data: Mapping[str, Any], of: str) -> None:
        self.data, self.of, self.asked = data, of, 0
        self.indices = {name: set(each["indices"]) for name, each in data["letters"].items()}
        self.domains = {name: each["domain"] for name, each in data["letters"].items()}
        self.made: dict[str, Mapping[str, Any]] = {}
        self.formulas: dict[str, Tree] = {}

    def read(self) -> int:
        for each in self.data["definitions"]:
            self._define(each)
        facts = self.data["facts"]
        for fact in facts:
            name, formula = fact["name"], tree(fact["formula"])
            if name in self.formulas:
                self._fail(f'"{name}" is said twice')
            if unknown := letters(formula) - self.indices.keys():
                self._fail(f'"{name}" speaks of {min(unknown)}, which is no letter')
            if missing := [use for use in fact.get("uses", ()) if use not in self.formulas]:
                self._fail(f'"{name}" uses "{missing[0]}", which nothing before it says')
            _RULES[fact["rule"]](self, fact, formula)
            self.formulas[name] = formula
        self._closed(facts)
        return self.asked

    def _define(self, each: Mapping[str, Any]) -> None:
        name, kind = each["letter"], each["kind"]
        if name in self.indices:
            self._fail(f"{name} is not new")
        if kind == "before":
            along = self.made.get(each["of"], {}).get("over")
            if along is None:
                self._fail(f"{name} comes before {each['of']}, which is made along nothing")
            self.indices[name], self.made[name] = self.indices[each["of"]] | {along}, each
            return
        texts = [each["is"]] if kind == "let" else [each["start"], each["following"]]
        parts = set[str]().union(*(letters(tree(text)) for text in texts))
        if kind != "let":
            if name in letters(tree(each["start"])):
                self._fail(f"{name} starts at itself")
            parts -= {name}
        if unknown := parts - self.indices.keys():
            self._fail(f"{name} is made of {min(unknown)}, which comes later or not at all")
        its = set[str]().union(*(self.indices[part] for part in parts))
        if kind != "let":
            start = set[str]().union(*(self.indices[x] for x in letters(tree(each["start"]))))
            if each["over"] not in self.data["indices"] or each["over"] in start:
                self._fail(f"{name} is not made along {each['over']}")
            _expect_kind(each, name, self)
            its -= {each["over"]}
        if name in parts:
            self._fail(f"{name} is made of itself")
        self.indices[name], self.made[name] = its, each

    def _given(self, fact: Mapping[str, Any], formula: Tree) -> None:
        del formula
        if any(other["rule"] not in ("given", "let") for other in self._before(fact)):
            self._fail(f'the hypothesis "{fact["name"]}" comes after a consequence')

    def _let(self, fact: Mapping[str, Any], formula: Tree) -> None:
        name = fact["name"].removeprefix("let ")
        made = self.made.get(name, {})
        if made.get("kind") != "let" or formula != ("=", ("letter", name), tree(made["is"])):
            self._fail(f'"{fact["name"]}" is not how {name} is defined')

    def _step(self, fact: Mapping[str, Any], formula: Tree) -> None:
        self._follows(fact["name"], formula, self._used(fact))

    def _along(self, fact: Mapping[str, Any], formula: Tree) -> None:
        over, name = fact["over"], fact["name"]
        mine = {x: self.made[x] for x in letters(formula) & self.made.keys()}
        mine = {x: each for x, each in mine.items() if each.get("over") == over}
        if not mine or any(over in self.indices[x] for x in letters(formula)):
            self._fail(f'"{name}" is no statement about what is made along {over}')
        used = self._used(fact)
        if any(letters(each) & mine.keys() for each in used):
            self._fail(f'"{name}" uses a fact about all of {over}')
        for x, each in mine.items():
            if (letters(tree(each["start"])) | letters(tree(each["following"]))) - {
                x
            } & mine.keys():
                self._fail(f'"{name}": {x} is made of another such letter')
        earlier: dict[str, Tree] = {
            x: ("letter", each["of"]) for x, each in self.made.items() if each.get("of") in mine
        }
        start = replaced(formula, {x: tree(each["start"]) for x, each in mine.items()})
        following = {x: replaced(tree(each["following"]), earlier) for x, each in mine.items()}
        self._follows(f"{name}: nothing yet", start, used)
        so_far = [formula, *(replaced(each, earlier) for each in used)]
        self._follows(f"{name}: one more", replaced(formula, following), so_far)

    def _swap(self, fact: Mapping[str, Any], formula: Tree) -> None:
        sides = [self._double(each) for each in formula[1:]]
        one, other = sides[0], sides[-1]
        same = one and other and one == (other[1], other[0], other[2])
        if formula[0] != "=" or not same:
            self._fail(f'"{fact["name"]}" is no exchange of two sums')

    def _double(self, side: Tree) -> tuple[str, str, str] | None:
        outer = self.made.get(side[1], {}) if side[0] == "letter" else {}
        inner = self.made.get(outer.get("term", ""), {})
        if outer.get("kind") != "sum" or inner.get("kind") != "sum":
            return None
        return outer["over"], inner["over"], inner["term"]

    def _lemma(self, fact: Mapping[str, Any], formula: Tree) -> None:
        name, lemma = fact["name"], fact["lemma"]
        put = {x: tree(text) for x, text in fact["put"].items()}
        own = lemma["letters"]
        if isinstance(source := lemma["source"], Mapping):
            self.asked += read_again(source, lemma["name"])
            made_of = _made_of(source)
            own = {x: each["domain"] for x, each in source["letters"].items() if x in made_of}
            if missing := made_of - put.keys():
                self._fail(f'"{name}" puts nothing for {min(missing)}')
            self._made_alike(name, source, put)
            given = [x["formula"] for x in source["facts"] if x["rule"] == "given"]
            if (lemma["given"], lemma["then"]) != (given, source["then"]):
                self._fail(f'"{name}" does not say what {lemma["name"]} does')
            if given and source["indices"] and not fact.get("uses"):
                self._fail(f'"{name}" names no facts from which its hypotheses follow')
        spoken = [tree(text) for text in (*lemma["given"], lemma["then"])]
        for x in set[str]().union(*map(letters, spoken)):
            if x not in put:
                self._fail(f'"{name}" puts nothing for {x}')
        needed = [self._written(tree(each), put) for each in lemma["given"]]
        needed += [self._written(each, put) for each in bounds(own)]
        conclusion = self._written(tree(lemma["then"]), put)
        if fact.get("uses") or not needed:
            for each in needed:
                self._follows(f"{name}: it applies", each, self._used(fact))
        else:
            conclusion = ("=>", reduce(lambda a, b: ("and", a, b), needed), conclusion)
        self._follows(name, formula, [conclusion])

    def _made_alike(self, name: str, source: Mapping[str, Any], put: Mapping[str, Tree]) -> None:
        """Fail unless the letters that a lemma defines are put for letters defined alike."""
        for each in source["definitions"]:
            x = each["letter"]
            if x not in put:
                continue
            mine = self.made.get(put[x][1], {}) if put[x][0] == "letter" else {}
            if (mine.get("kind"), mine.get("over")) != (each["kind"], each.get("over")):
                self._fail(f'"{name}": what is put for {x} is not made as it is')
            if "of" in each and put.get(each["of"]) != ("letter", mine["of"]):
                self._fail(f'"{name}": {x} comes before another letter')
            for part in ("is", "start", "following"):
                if part in each:
                    theirs = self._written(tree(each[part]), put)
                    self._follows(f"{name}: {x}", ("=", theirs, tree(mine[part])), [])
        for x, each in source["letters"].items():
            if any(not self.indices[y] <= set(each["indices"]) for y in letters(put.get(x, ()))):
                self._fail(f'"{name}": what is put for {x} depends on more than it does')

    def _written(self, formula: Tree, put: Mapping[str, Tree]) -> Tree:
        """Put trees for letters, and for exponentials of letters the letters they define."""
        defined = {name: each["is"] for name, each in self.made.items() if "is" in each}
        powers = {tree(text): ("letter", n) for n, text in defined.items() if "exp(" in text}
        return _exchanged(replaced(formula, put), powers)

    def _used(self, fact: Mapping[str, Any]) -> list[Tree]:
        return [self.formulas[each] for each in fact.get("uses", ())]

    def _before(self, fact: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
        for each in self.data["facts"]:
            if each is fact:
                return
            yield each

    def _follows(self, name: str, formula: Tree, used: list[Tree]) -> None:
        """Fail unless a solver finds that a formula follows from others and from domains."""
        self.asked += 1
        spoken = set[str]().union(*map(letters, [formula, *used]))
        assumed = [*used, *bounds({x: self.domains[x] for x in spoken & self.domains.keys()})]
        query = smt([*assumed], formula)
        if not any(ask(solver, query, SECONDS).status == "unsat" for solver in ("cvc5", "z3")):
            self._fail(f'"{name}" does not follow')

    def _closed(self, facts: list[Mapping[str, Any]]) -> None:
        if facts[-1]["formula"] != self.data["then"]:
            self._fail("the last fact is not the conclusion")
        used = {facts[-1]["name"]}
        for each in reversed(facts):
            if each["name"] not in used:
                self._fail(f'nothing uses "{each["name"]}"')
            used |= {*each.get("uses", ())}

    def _fail(self, text: str) -> None:
        raise UnlinkedError(f"{self.of}: {text}")


_RULES: Mapping[str, Callable[[_Reader, Mapping[str, Any], Tree], None]] = {
    "given": _Reader._given,
    "let": _Reader._let,
    "step": _Reader._step,
    "along": _Reader._along,
    "swap": _Reader._swap,
    "lemma": _Reader._lemma,
}


def tree(text: str) -> Tree:
    """Read a formula. Raises `UnlinkedError` for what is none."""
    return _tree(ast.parse(text, mode="eval").body)


def _tree(node: ast.AST) -> Tree:
    match node:
        case ast.Name(id=name):
            return ("letter", name)
        case ast.Constant(value=int(number)):
            return ("number", Fraction(number))
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return ("-", _tree(part))
        case ast.UnaryOp(op=ast.Invert(), operand=part):
            return ("not", _tree(part))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return ("^", _tree(left), _tree(right))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
            return (_BINARY[type(sign)], _tree(left), _tree(right))
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARED:
            return (_COMPARED[type(sign)], _tree(left), _tree(right))
        case ast.Call(func=ast.Name(id=name), args=parts) if name in _CALLED:
            return (_CALLED[name], *map(_tree, parts))
        case ast.Call(func=ast.Name(id=name), args=parts) if name in _NARY:
            return reduce(lambda a, b: ("ite", (_NARY[name], a, b), a, b), map(_tree, parts))
        case ast.Call(func=ast.Name(id="exp"), args=[part]):
            return ("exp", _tree(part))
    raise UnlinkedError(f"cannot be read: {ast.unparse(node)}")


def letters(formula: Tree) -> set[str]:
    """The letters of a formula."""
    if not formula or formula[0] == "number":
        return set()
    if formula[0] == "letter":
        return {formula[1]}
    return set[str]().union(*map(letters, formula[1:]))


def replaced(formula: Tree, put: Mapping[str, Tree]) -> Tree:
    """A formula with trees for letters, all at once."""
    if formula[0] == "letter":
        return put.get(formula[1], formula)
    if formula[0] == "number":
        return formula
    return (formula[0], *(replaced(each, put) for each in formula[1:]))


def _made_of(source: Mapping[str, Any]) -> set[str]:
    """The letters of the hypotheses and the conclusion of an argument, and those they are made
    of.
    """
    texts = [x["formula"] for x in source["facts"] if x["rule"] == "given"]
    found = set[str]().union(*(letters(tree(text)) for text in (*texts, source["then"])))
    for each in reversed(source["definitions"]):
        if each["letter"] in found:
            found |= {each["of"]} if "of" in each else set()
            for part in ("is", "start", "following"):
                found |= letters(tree(each[part])) if part in each else set()
    return found


def bounds(domains: Mapping[str, Iterable[Iterable[str]]]) -> list[Tree]:
    """The conditions of domains."""
    signs = {"!=": "distinct"}
    return [
        (signs.get(relation, relation), ("letter", name), ("number", Fraction(number)))
        for name, its in sorted(domains.items())
        for relation, number in its
    ]


def smt(assumed: Iterable[Tree], formula: Tree) -> str:
    """The query that has no model iff a formula follows."""
    every = [*assumed, formula]
    names = sorted(set[str]().union(*map(letters, every)))
    lines = ["(set-logic QF_NRA)", *(f"(declare-const {each} Real)" for each in names)]
    lines += [f"(assert {_text(each)})" for each in every[:-1]]
    return "\n".join([*lines, f"(assert (not {_text(formula)}))", "(check-sat)", ""])


def _text(formula: Tree) -> str:
    sign, *parts = formula
    if sign == "letter":
        return str(parts[0])
    if sign == "number":
        value = parts[0]
        shown = f"(/ {abs(value.numerator)} {value.denominator})"
        return f"(- {shown})" if value < 0 else shown
    if sign == "^":
        return _power(_text(parts[0]), parts[1])
    if sign == "abs":
        inside = _text(parts[0])
        return f"(ite (< {inside} 0) (- {inside}) {inside})"
    if sign == "exp":
        raise UnlinkedError("an exponential stands in a query")
    return f"({sign} {' '.join(map(_text, parts))})"


def _power(base: str, exponent: Tree) -> str:
    sign, number = (1, exponent) if exponent[0] == "number" else (-1, exponent[-1])
    if number[0] != "number" or number[1].denominator != 1 or not 0 < number[1] <= 40:
        raise UnlinkedError("a power must be a small integer")
    shown = f"(* {' '.join([base] * int(number[1]))} 1)"
    return shown if sign > 0 else f"(/ 1 {shown})"


def _exchanged(formula: Tree, put: Mapping[Tree, Tree]) -> Tree:
    if formula in put:
        return put[formula]
    if formula[0] in ("letter", "number"):
        return formula
    return (formula[0], *(_exchanged(each, put) for each in formula[1:]))


def _expect_kind(each: Mapping[str, Any], name: str, reader: _Reader) -> None:
    """Fail unless a sum adds a term to what there is so far, and a product multiplies by one."""
    kind = each["kind"]
    if kind == "chain":
        return
    start, sign = ("0", "+") if kind == "sum" else ("1", "*")
    so_far, term = ("letter", name), tree(each["term"])
    if each["start"] != start or name in letters(term):
        reader._fail(f"{name} is no {kind}")
    reader._follows(name, ("=", tree(each["following"]), (sign, so_far, term)), [])
