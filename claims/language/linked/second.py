"""The second reader of linked arguments: from plain data alone, with a reader of formulas and a
printer of queries of its own (`trees`), so that nothing rests on the bookkeeping of the first.

It asks again whether every fact follows from those that it names. It shares with the first reader
the solvers, and no line that reads, substitutes or writes a formula.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

from pufferproof.claims.language.linked.trees import (
    Tree,
    UnlinkedError,
    bounds,
    divisors,
    exchanged,
    in_order,
    letters,
    made_of,
    parts_of,
    replaced,
    smt,
    theorem,
    tree,
)
from pufferproof.claims.language.theorems import theorem_named
from pufferproof.verify.proof.smt import ask

SECONDS = 20.0
FOLDED = ("sum", "product", "chain")
_CHAIN, _TERMS = {"over", "start", "following"}, {"over", "term"}
_PARTS: Mapping[str, set[str]] = {
    "let": {"is"},
    "sum": _CHAIN | _TERMS,
    "product": _CHAIN | _TERMS,
    "chain": _CHAIN,
    "largest": _TERMS,
    "least": _TERMS,
    "at": {"of", "at"},
    "before": {"of"},
}
"""What a definition of each kind says."""


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
        for each in self.data.get("moving", ()):
            self._moving(each, {fact["name"] for fact in facts})
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
        if name in self.indices or name in self.data["indices"]:
            self._fail(f"{name} is not new")
        if each.keys() - {"letter", "kind"} != _PARTS.get(kind):
            self._fail(f"{name} is no {kind}")
        if kind == "before":
            along = self.made.get(each["of"], {})
            if along.get("kind") not in FOLDED:
                self._fail(f"{name} comes before {each['of']}, which is made along nothing")
            its = self.indices[each["of"]] | {along["over"]}
            self.indices[name], self.made[name] = its, each
            return
        parts = parts_of(each)
        folded = kind in FOLDED
        if folded:
            if name in letters(tree(each["start"])):
                self._fail(f"{name} starts at itself")
            parts -= {name}
        if unknown := parts - self.indices.keys():
            self._fail(f"{name} is made of {min(unknown)}, which comes later or not at all")
        texts = [each[part] for part in ("start", "following", "term") if part in each]
        if any(letters(x) for text in texts for x in divisors(tree(text))):
            self._fail(f"{name} is made of a quotient")
        its = set[str]().union(*(self.indices[part] for part in parts))
        if kind == "at":
            its = self._at(name, each, its)
        if kind in ("largest", "least"):
            if each["over"] not in its:
                self._fail(f"{name} is no {kind} over {each['over']}")
            its -= {each["over"]}
        if folded:
            start = set[str]().union(*(self.indices[x] for x in letters(tree(each["start"]))))
            if each["over"] not in self.data["indices"] or each["over"] in start:
                self._fail(f"{name} is not made along {each['over']}")
            _expect_kind(each, name, self)
            its -= {each["over"]}
        if name in parts:
            self._fail(f"{name} is made of itself")
        self.indices[name], self.made[name] = its, each

    def _moving(self, each: Mapping[str, Any], said: set[str]) -> None:
        """Letters that are functions of what is made along an index: at the start, before and after
        each value other letters must be made alike.
        """
        along, earlier = self.made.get(each["along"], {}), self.made.get(each["before"], {})
        if along.get("kind") not in FOLDED or earlier != {
            "letter": each["before"],
            "kind": "before",
            "of": each["along"],
        }:
            self._fail(f"{each['before']} does not come before values of {each['along']}")
        x: Tree = ("letter", each["before"])
        after = replaced(tree(along["following"]), {each["along"]: x})
        for moment, place in enumerate((tree(along["start"]), x, after)):
            put = {each["along"]: place}
            for name, images in each["letters"].items():
                self._moves(name, along["over"], put.keys())
                put[name] = ("letter", images[moment])
                self._alike(self.made[name], self.made.get(images[moment], {}), put, said)

    def _moves(self, name: str, over: str, moved: Iterable[str]) -> None:
        made = self.made.get(name, {})
        still = parts_of(made) - {name, *moved}
        deep = set[str]().union(*(self._reached(x) for x in still))
        along = {x for x in deep if self.made[x].get("over") == over}
        if made.get("kind") not in ("let", "sum", "product") or made.get("over") == over:
            self._fail(f"{name} does not move along {over}")
        if along or over in self.indices[name]:
            self._fail(f"{name} depends on more of {over}")

    def _reached(self, name: str) -> set[str]:
        """The letters that are made of which a letter is made, with itself."""
        parts = parts_of(self.made.get(name, {})) - {name}
        found = set[str]().union(*map(self._reached, parts))
        return found | ({name} if name in self.made else set())

    def _alike(self, mine: Any, theirs: Any, put: Mapping[str, Tree], said: set[str]) -> None:
        name = theirs.get("letter")
        if any(mine.get(each) != theirs.get(each) for each in ("kind", "over")):
            self._fail(f"{name} is not made as {mine['letter']} is")
        for one in (mine, theirs):
            if "exp(" not in one.get("is", "exp(") and f"let {one['letter']}" not in said:
                self._fail(f"nothing says what {one['letter']} is")
        for part in ("is", "start", "following", "term"):
            if part in mine and (made := replaced(tree(mine[part]), put)) != tree(theirs[part]):
                self._follows(f"{name} is {mine['letter']}", ("=", made, tree(theirs[part])), [])

    def _at(self, name: str, each: Mapping[str, Any], its: set[str]) -> set[str]:
        """The indices of a letter that is another one at a second value of one of them."""
        first = self.data["indices"].get(each["at"])
        if first not in self.data["indices"] or first not in its or each["at"] in its:
            self._fail(f"{name} is not {each['of']} at a second value of its index")
        if (domain := self.domains.get(each["of"])) is not None:
            self.domains[name] = domain
        return (its - {first}) | {each["at"]}

    def _term(self, fact: Mapping[str, Any], formula: Tree) -> None:
        made, whole = self.made.get(fact["of"], {}), ("letter", fact["of"])
        kind = made.get("kind")
        term = tree(made["term"]) if kind in ("sum", "largest", "least") else None
        right = ("<=", whole, term) if kind == "least" else ("<=", term, whole)
        if term is None or formula != right:
            self._fail(f'"{fact["name"]}" does not say what the terms of {fact["of"]} are to it')
        if kind == "sum":
            zero = tree("0")
            self._follows(f"{fact['name']}: its terms", (">=", term, zero), self._used(fact))

    def _attained(self, fact: Mapping[str, Any], formula: Tree) -> None:
        made, name = self.made.get(fact["of"], {}), fact["name"]
        if made.get("kind") not in ("largest", "least"):
            self._fail(f'"{name}": {fact["of"]} is no largest and no least term')
        if any(made["over"] in self.indices[x] for x in letters(formula)):
            self._fail(f'"{name}" speaks of one value of {made["over"]}')
        there = ("=", tree(made["term"]), ("letter", fact["of"]))
        self._follows(name, formula, [*self._used(fact), there])

    def _again(self, fact: Mapping[str, Any], formula: Tree) -> None:
        """The fact that is used, with every letter of the first index at the second one."""
        index, (used,) = fact["over"], self._used(fact)
        first, put = self.data["indices"].get(index), dict[str, Tree]()
        for x in letters(used):
            if index in self.indices[x]:
                self._fail(f'"{fact["name"]}": {x} has both values of an index')
            if first in self.indices[x]:
                there = [y for y, each in self.made.items() if each.get("of") == x]
                there = [y for y in there if self.made[y].get("at") == index]
                if not there:
                    self._fail(f'"{fact["name"]}": no letter is {x} at {index}')
                put[x] = ("letter", there[-1])
        if not put or formula != replaced(used, put):
            self._fail(f'"{fact["name"]}" is not the fact at {index}')

    def _given(self, fact: Mapping[str, Any], formula: Tree) -> None:
        del formula
        if any(other["rule"] not in ("given", "let") for other in self._before(fact)):
            self._fail(f'the hypothesis "{fact["name"]}" comes after a consequence')

    def _let(self, fact: Mapping[str, Any], formula: Tree) -> None:
        name = fact["name"].removeprefix("let ")
        made = self.made.get(name, {})
        if made.get("kind") != "let" or formula != ("=", ("letter", name), tree(made["is"])):
            self._fail(f'"{fact["name"]}" is not how {name} is defined')
        given = [tree(x["formula"]) for x in self.data["facts"] if x["rule"] == "given"]
        for each in divisors(formula):
            nonzero = ("distinct", each, tree("0"))
            self._follows(f"{fact['name']}: no divisor is 0", nonzero, self._used(fact) or given)

    def _step(self, fact: Mapping[str, Any], formula: Tree) -> None:
        self._follows(fact["name"], formula, self._used(fact))

    def _along(self, fact: Mapping[str, Any], formula: Tree) -> None:
        over, name = fact["over"], fact["name"]
        mine = {x: self.made[x] for x in letters(formula) & self.made.keys()}
        mine = {x: each for x, each in mine.items() if each.get("over") == over and each["kind"] in FOLDED}
        moving = [
            each
            for each in self.data.get("moving", ())
            if self.made[each["along"]]["over"] == over and letters(formula) & {each["along"], *each["letters"]}
        ]
        mine |= {each["along"]: self.made[each["along"]] for each in moving}
        moved = {x: images for each in moving for x, images in each["letters"].items()}
        if not mine or any(over in self.indices[x] for x in letters(formula)):
            self._fail(f'"{name}" is no statement about what is made along {over}')
        used, whole = self._used(fact), mine.keys() | moved.keys()
        if any(letters(each) & whole for each in used):
            self._fail(f'"{name}" uses a fact about all of {over}')
        for x, each in mine.items():
            parts = letters(tree(each["start"])) | letters(tree(each["following"]))
            if (parts - {x}) & whole:
                self._fail(f'"{name}": {x} is made of another such letter')
        earlier: dict[str, Tree] = {
            x: ("letter", each["of"])
            for x, each in self.made.items()
            if each["kind"] == "before" and each["of"] in mine
        }
        earlier |= {images[1]: ("letter", x) for x, images in moved.items()}
        start = {x: tree(each["start"]) for x, each in mine.items()}
        start |= {x: ("letter", images[0]) for x, images in moved.items()}
        following = {x: tree(each["following"]) for x, each in mine.items()}
        following |= {x: ("letter", images[2]) for x, images in moved.items()}
        following = {x: replaced(each, earlier) for x, each in following.items()}
        self._follows(f"{name}: nothing yet", replaced(formula, start), used)
        so_far = [formula, *(replaced(each, earlier) for each in used)]
        self._follows(f"{name}: one more", replaced(formula, following), so_far)

    def _swap(self, fact: Mapping[str, Any], formula: Tree) -> None:
        sides = [self._double(each) for each in formula[1:]]
        one, other = sides[0], sides[-1]
        same = one and other and one == (other[1], other[0], other[2])
        if formula[0] != "=" or not same:
            self._fail(f'"{fact["name"]}" is no exchange of two sums')

    def _exponentials(self, fact: Mapping[str, Any], formula: Tree) -> None:
        names = [side[1] for side in formula[1:] if side[0] == "letter"]
        power, product = (self.made.get(each, {}) for each in [*names, "", ""][:2])
        inside = tree(power.get("is", "0"))
        whole = self.made.get(inside[1][1], {}) if inside[0] == "exp" else {}
        each = self.made.get(product.get("term", ""), {})
        right = (
            (formula[0], len(names), whole.get("kind"), product.get("kind")) == ("=", 2, "sum", "product")
            and whole["over"] == product["over"]
            and tree(each.get("is", "0")) == ("exp", tree(whole["term"]))
        )
        if not right:
            self._fail(f'"{fact["name"]}" is not exp of a sum and the product of exp of its terms')

    def _double(self, side: Tree) -> tuple[str, str, str] | None:
        outer = self.made.get(side[1], {}) if side[0] == "letter" else {}
        inner = self.made.get(outer.get("term", ""), {})
        if outer.get("kind") != "sum" or inner.get("kind") != "sum":
            return None
        return outer["over"], inner["over"], inner["term"]

    def _lemma(self, fact: Mapping[str, Any], formula: Tree) -> None:
        name, lemma = fact["name"], fact["lemma"]
        put = {x: tree(text) for x, text in fact["put"].items()}
        own, indexed = lemma["letters"], False
        if isinstance(source := lemma["source"], Mapping):
            self.asked += read_again(source, lemma["name"])
            inside = made_of(source)
            own = {x: each["domain"] for x, each in source["letters"].items() if x in inside}
            if missing := inside - put.keys():
                self._fail(f'"{name}" puts nothing for {min(missing)}')
            self._made_alike(name, source, put)
            given = [x["formula"] for x in source["facts"] if x["rule"] == "given"]
            if (lemma["given"], lemma["then"]) != (given, source["then"]):
                self._fail(f'"{name}" does not say what {lemma["name"]} does')
            indexed = bool(source["indices"])
            if given and indexed and not fact.get("uses"):
                self._fail(f'"{name}" names no facts from which its hypotheses follow')
        elif theorem(theorem_named(source).statement) != _said(lemma):
            self._fail(f'"{name}" is not what {source} says')
        spoken = [tree(text) for text in (*lemma["given"], lemma["then"])]
        for x in set[str]().union(*map(letters, spoken)):
            if x not in put:
                self._fail(f'"{name}" puts nothing for {x}')
        needed = [self._written(tree(each), put) for each in lemma["given"]]
        needed += [self._written(each, put) for each in bounds(own)]
        conclusion = self._written(tree(lemma["then"]), put)
        if fact.get("uses") or indexed or not needed:
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
                self._fail(f'"{name}": {x} is made of another letter')
            if "is" in mine and "exp(" not in mine["is"] and f"let {mine['letter']}" not in self.formulas:
                self._fail(f'"{name}": nothing says what {mine["letter"]} is')
            if each.get("at") != mine.get("at") or (
                "at" in each and source["indices"][each["at"]] != self.data["indices"][each["at"]]
            ):
                self._fail(f'"{name}": what is put for {x} is at another index')
            for part in ("is", "start", "following", "term"):
                if part in each:
                    beside = letters(tree(each[part])) - {x}
                    if part != "is" and any(put[x][1] in letters(put.get(y, ())) for y in beside):
                        self._fail(f'"{name}": what is put beside {x} speaks of all of it')
                    theirs, ours = replaced(tree(each[part]), put), tree(mine[part])
                    if theirs != ours:
                        self._follows(f"{name}: {x}", ("=", theirs, ours), [])
        for x, each in source["letters"].items():
            if any(not self.indices[y] <= set(each["indices"]) for y in letters(put.get(x, ()))):
                self._fail(f'"{name}": what is put for {x} depends on more than it does')

    def _written(self, formula: Tree, put: Mapping[str, Tree]) -> Tree:
        """Put trees for letters, and for exponentials of letters the letters they define."""
        defined = {name: each["is"] for name, each in self.made.items() if "is" in each}
        powers = {tree(text): ("letter", n) for n, text in defined.items() if "exp(" in text}
        return exchanged(replaced(formula, put), powers)

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
        said = {each["name"] for each in facts if each["rule"] == "let"}
        for x, each in self.made.items():
            if divisors(tree(each.get("is", "0"))) and f"let {x}" not in said:
                self._fail(f"nothing says that {x} divides by 0 nowhere")
        if facts[-1]["formula"] != self.data["then"]:
            self._fail("the last fact is not the conclusion")
        used = {facts[-1]["name"]}
        moving = [x for each in self.data.get("moving", ()) for x in each["letters"].items()]
        used |= {f"let {x}" for name, images in moving for x in (name, *images)}
        for each in reversed(facts):
            if each["name"] not in used:
                self._fail(f'nothing uses "{each["name"]}"')
            used |= {*each.get("uses", ())}
            source = each.get("lemma", {}).get("source")
            if isinstance(source, Mapping):  # what it defines must be put for what is made alike
                defined = {x["letter"] for x in source["definitions"]}
                used |= {f"let {text}" for x, text in each["put"].items() if x in defined}

    def _fail(self, text: str) -> None:
        raise UnlinkedError(f"{self.of}: {text}")


_RULES: Mapping[str, Callable[[_Reader, Mapping[str, Any], Tree], None]] = {
    "given": _Reader._given,
    "let": _Reader._let,
    "step": _Reader._step,
    "along": _Reader._along,
    "swap": _Reader._swap,
    "exponentials": _Reader._exponentials,
    "term": _Reader._term,
    "attained": _Reader._attained,
    "again": _Reader._again,
    "lemma": _Reader._lemma,
}


def _said(lemma: Mapping[str, Any]) -> tuple[frozenset[Tree], Tree]:
    """The hypotheses and the conclusion of a lemma that Coq proved."""
    given = [*map(tree, lemma["given"]), *bounds(lemma["letters"])]
    return frozenset(map(in_order, given)), in_order(tree(lemma["then"]))


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
