"""Check a certificate about an optimum, trusting this file, `kernel.py` beside it, and the Python
interpreter.

A certificate carries either a linear program with its optimum (`lp-optimum`), or a framework, two
budgets and a bound of what any two mechanisms within them leak together (`worst-at-most`); see
`CERTIFICATES.md`. Numbers, frameworks and their files are read by `kernel.py`. All arithmetic is
exact; there is no search and no solver.

    python verify/kernel_optima.py [--json] [--work N] CERTIFICATE [FRAMEWORK]

Exit codes: 0 accepted; 1 refused; 2 no answer (misuse, too much work, a statement that cannot be
written): see `kernel.py`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

MAX_DATABASES, MAX_SHOWN = (
    4096,
    20,
)  # databases of a worst case; terms and rows of a program put in words

Row = dict[
    int, Fraction
]  # a linear form: its coefficients by the number of the database or variable


def load_kernel() -> Any:
    """Return `kernel.py` from the folder of this file, as a module of its own."""
    spec = importlib.util.spec_from_file_location(
        "kernel_beside_optima", Path(__file__).with_name("kernel.py")
    )
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules[module.__name__] = module  # dataclasses look their module up
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


kernel = load_kernel()
Refused, NotJSON, require, show = kernel.Refused, kernel.NotJSON, kernel.require, kernel.show
MAX_WORK, WORK, spend = kernel.MAX_WORK, kernel.WORK, kernel.spend


def check(
    certificate: str, framework: str | None = None, mechanisms: Sequence[str] = (), work: int = 0
) -> Any:
    """Check a certificate, and the framework file it was made from if given. Raises `Refused`,
    `NotJSON` or `OSError`.
    """
    WORK.begin(work or MAX_WORK)
    top = kernel.read_file(certificate, None, "certificate")
    kind = kernel.Node(top.value.get("kind"), "kind").one_of([*RULES])
    require(
        not mechanisms, "the kind {} speaks of no mechanisms, but files of some are given", kind
    )
    if kind == "lp-optimum":
        require(
            framework is None,
            "the kind {} speaks of no framework, but a file of one is given",
            kind,
        )
        statement, checked = lp_optimum(top.fields("format kind claim")["claim"])
        return kernel.Accepted(kind, statement, checked, "not given")
    part = top.fields("format kind framework mechanisms inputs claim")
    space = kernel.Framework(part["framework"].fields("databases secrets pairs priors closure"))
    inputs = part["inputs"].fields("framework mechanisms normalized")
    lists = [part["mechanisms"], inputs["mechanisms"], inputs["normalized"]]
    require(not any(node.entries() for node in lists), "the kind {} speaks of no mechanisms", kind)
    digest, paths = inputs["framework"].digest(), [] if framework is None else [framework]
    files = [kernel.read_file(path, digest, "framework") for path in paths]
    kernel.compare_files(space, [], files, [])
    worst = Worst(space, part["claim"])
    worst.compare_records(files)
    statement, checked = worst.at_most()
    return kernel.Accepted(kind, statement, checked, "matched" if files else "not given")


def dot(row: Mapping[Any, Fraction], x: Mapping[Any, Fraction]) -> Fraction:
    """Return the sum of row[k] x[k], where what is missing is 0."""
    total = Fraction(0)
    spend(1 + len(row))
    for k, c in row.items():
        if k in x:
            total += product_of(c, x[k], total)
    return total


def product_of(a: Fraction, b: Fraction, total: Fraction) -> Fraction:
    """Return a b, which is to be added to a total."""
    spend(16)
    spend(1, size(a), size(b))
    spend(1, size(a) + size(b), size(total))
    return a * b


def size(number: Fraction) -> int:
    """Return the bits of a fraction, with those that it costs more than an integer."""
    return 768 + int(kernel.size(number))


def lp_optimum(claim: Any) -> tuple[str, int]:
    """The primal vector is feasible, the dual vector is feasible, and both have the stated
    value.
    """
    part = claim.fields("variables free objective rows primal dual value")
    names, free, value = part["variables"].labels(), part["free"].labels(), part["value"].number()
    known, unsigned = {*names}, {*free}
    require(unsigned <= known, "unknown variables among {}", free)
    require(len(names) > 0, "nothing was checked: there are no variables")
    objective, primal = (vector(part[key], known) for key in ("objective", "primal"))
    rows = [linear_row(node, known) for node in part["rows"].entries()]
    dual = [entry.number() for entry in part["dual"].entries()]
    require(len(dual) == len(rows), "dual: expected {} multipliers, found {}", len(rows), len(dual))
    negative = [name for name, x in primal.items() if x < 0 and name not in unsigned]
    require(not negative, "primal: {} are negative", negative)
    combined: dict[str, Fraction] = {name: -c for name, c in objective.items()}
    for i, (y, (row, relation, bound)) in enumerate(zip(dual, rows)):
        found = dot(row, primal)
        spend(1, size(found), size(bound))
        fine = (
            found <= bound
            if relation == "<="
            else found >= bound
            if relation == ">="
            else found == bound
        )
        require(fine, "primal: row {} is {}, not {} {}", i, found, relation, bound)
        signed = relation == "=" or (y >= 0 if relation == "<=" else y <= 0)
        require(
            signed,
            "dual: the multiplier {} of row {}, which is {}, has the wrong sign",
            y,
            i,
            relation,
        )
        for name, c in row.items():
            old = combined.get(name, Fraction(0))
            combined[name] = old + product_of(y, c, old)
    short = [name for name, c in combined.items() if c < 0 or (c > 0 and name in unsigned)]
    require(not short, "dual: the rows do not add up to the objective at {}", short)
    require(dot(objective, primal) == value, "the primal value is not {}", value)
    bounds = {i: bound for i, (_, _, bound) in enumerate(rows)}
    require(dot(bounds, dict(enumerate(dual))) == value, "the dual value is not {}", value)
    given = [f"{words(row)} {relation} {show(bound)}" for row, relation, bound in rows[:MAX_SHOWN]]
    given += [f"... {len(rows) - MAX_SHOWN} more rows"] * (len(rows) > MAX_SHOWN)
    others = ", ".join(
        [
            *map(show, free[:MAX_SHOWN]),
            *[f"... {len(free) - MAX_SHOWN} more"][: len(free[MAX_SHOWN:])],
        ]
    )
    signs = [f"all{' but ' * bool(free)}{others} >= 0"] * (len(free) < len(names))
    text = (
        f"the maximum of {words(objective)} subject to "
        f"{' and '.join([*given, *signs]) or 'nothing'} is {show(value)}"
    )
    return text, len(rows) + len(names)


def vector(node: Any, known: Set[str]) -> dict[str, Fraction]:
    found = {name: entry.number() for name, entry in node.children().items()}
    require(found.keys() <= known, "{}: unknown names among {}", node.where, [*found])
    return found


def linear_row(node: Any, known: Set[str]) -> tuple[dict[str, Fraction], str, Fraction]:
    part = node.fields("coefficients relation bound")
    relation = part["relation"].one_of(["<=", "=", ">="])
    return vector(part["coefficients"], known), relation, part["bound"].number()


def words(row: Mapping[str, Fraction]) -> str:
    shown = [f"{show(c)} {show(name)}" for name, c in [*row.items()][:MAX_SHOWN]]
    return (
        " + ".join([*shown, *[f"... {len(row) - MAX_SHOWN} more"] * (len(row) > MAX_SHOWN)]) or "0"
    )


class Worst:
    """A bound of what two mechanisms leak together, over all mechanisms within two budgets."""

    def __init__(self, space: Any, claim: Any) -> None:
        require(not space.convex, "there is no rule for mixtures of priors")
        keys = "budgets per_record records level attained rows laws"
        self.space, self.part = space, claim.fields(keys)
        self.databases = [*space.databases]
        require(len(self.databases) <= MAX_DATABASES, "too large: over {} databases", MAX_DATABASES)
        self.place = {x: i for i, x in enumerate(self.databases)}
        self.budgets = [self.ratio(node) for node in self.pair("budgets")]
        levels = [
            None if node.value is None else self.ratio(node) for node in self.pair("per_record")
        ]
        self.per_record, self.level = levels, self.ratio(self.part["level"])
        self.shape: list[
            tuple[int, list[str]]
        ] = []  # count and alphabet of the records, if the claim speaks of them
        self.records = self.words_of_records(
            self.part["records"], any(level is not None for level in levels)
        )
        self.laws: dict[tuple[str, ...], tuple[Row, Row]] = dict(self.all_laws())
        self.checked = 0

    def at_most(self) -> tuple[str, int]:
        """Rule worst-at-most: every ordered pair of laws has a tree of splits with an identity
        at each leaf.
        """
        rows = [
            [self.row(k, node) for node in nodes.entries()]
            for k, nodes in enumerate(self.pair("rows"))
        ]
        covered: list[tuple[str, ...]] = []
        for node in self.part["laws"].entries():
            part = node.fields("places tree")
            places = [
                tuple(entry.of(str) for entry in node.entries())
                for node in part["places"].entries()
            ]
            for place in dict.fromkeys(places):
                self.tree(part["tree"], rows, self.law(place))
            covered += places
        missing = {*self.laws} - {*covered}
        require(not missing, "no proof for {}", sorted(missing))
        require(self.checked > 0, "no prior gives both secrets of a pair positive probability")
        attained = self.part["attained"].value is not None and self.attained(self.part["attained"])
        return self.statement(attained), self.checked

    def statement(self, attained: bool) -> str:
        names = [f"log({show(ratio)})" for ratio in (*self.budgets, self.level)]
        extra = [
            f"release {k} with per-record level log({show(s)})"
            for k, s in enumerate(self.per_record)
            if s is not None
        ]
        extra += [
            f"databases being {count} records of {show(alphabet)}" for count, alphabet in self.shape
        ]
        over = f"{len(self.space.priors)} priors, {len(self.space.pairs)} pairs in both orders"
        worst = f"is equal to {names[2]}, and attained" if attained else f"is at most {names[2]}"
        return (
            f"the joint leakage over {over} of any two mechanisms of leakage at most {names[0]} "
            f"and {names[1]}{''.join(f', {text}' for text in extra)}, also when the second depends "
            f"on the first output, {worst}"
        )

    def pair(self, key: str) -> list[Any]:
        nodes: list[Any] = self.part[key].entries()
        require(
            len(nodes) == 2,
            "{}: expected one entry for each of two releases, found {}",
            key,
            len(nodes),
        )
        return nodes

    def ratio(self, node: Any) -> Fraction:
        level = kernel.Level(node)
        require(level.form == "log", "{}: expected a level of the form log", node.where)
        value: Fraction = level.value
        return value

    def words_of_records(self, node: Any, wanted: bool) -> dict[str, tuple[str, ...]]:
        """Return the values of the records of every database, where a per-record level asks for
        them.
        """
        require(
            (node.value is not None) == wanted,
            "records: expected them with a per-record level, and only then",
        )
        if not wanted:
            return {}
        names, count, alphabet = expanded(node)
        require(
            names == self.databases,
            "records: their databases are not those of the framework, in this order",
        )
        self.shape = [(count, alphabet)]
        return dict(zip(names, product(alphabet, repeat=count)))

    def compare_records(self, files: list[Any]) -> None:
        """Refuse unless the framework file, if any, has the records of the claim, which say
        what databases are near.
        """
        for top in files if self.shape else []:
            require(
                "records" in top.value,
                "{}: there are no records, which the claim speaks of",
                top.where,
            )
            _, count, alphabet = expanded(top.children()["records"])
            fine = [(count, alphabet)] == self.shape
            require(
                fine, "{}: the records are {} of {}, not the claim's", top.where, count, alphabet
            )

    def all_laws(self) -> Iterator[tuple[tuple[str, ...], tuple[Row, Row]]]:
        """Yield both conditional laws for every prior and ordered pair of which both secrets
        are possible.
        """
        for name, prior in self.space.priors.items():
            for s, t in (ordered for pair in self.space.pairs for ordered in permutations(pair)):
                mu, nu = self.given(prior, s), self.given(prior, t)
                if mu and nu:
                    yield (name, s, t), (mu, nu)

    def given(self, prior: dict[str, Fraction], secret: str) -> Row:
        held = {self.place[x]: n for x, n in prior.items() if x in self.space.secrets[secret]}
        total = Fraction(0)
        spend(1 + len(prior))
        for n in held.values():
            total += product_of(n, Fraction(1), total)
        spend(1 + len(held), size(total), size(total) + max(map(size, held.values()), default=0))
        return {x: n / total for x, n in held.items()}

    def row(self, k: int, node: Any) -> Row:
        """Return a linear form that is not negative on the columns of every mechanism that
        release k may be.
        """
        kind, level = [*node.of(dict)], self.per_record[k]
        if kind == ["database"]:
            return {
                self.place[node.fields("database")["database"].one_of(self.databases)]: Fraction(1)
            }
        if kind == ["law"]:
            mu, nu = self.law(tuple(entry.of(str) for entry in node.fields("law")["law"].entries()))
            return combined(nu, self.budgets[k], mu)
        if kind != ["record"] or level is None:
            raise Refused(
                f"{node.where}: expected a database, a law or, with a per-record level, a record"
            )
        names = node.fields("record")["record"].labels()
        require(
            len(names) == 2 and {*names} <= {*self.place},
            "{}: expected two databases, found {}",
            node.where,
            names,
        )
        distance = sum(a != b for a, b in zip(self.records[names[0]], self.records[names[1]]))
        spend(distance, distance * size(level), size(level))
        return {self.place[names[0]]: Fraction(-1), self.place[names[1]]: level**distance}

    def law(self, key: tuple[str, ...]) -> tuple[Row, Row]:
        require(key in self.laws, "{} is no prior and ordered pair of positive probability", key)
        return self.laws[key]

    def tree(self, root: Any, rows: list[list[Row]], law: tuple[Row, Row]) -> None:
        """Check the leaves of a tree; at a split, its two sides gain the two opposite rows."""
        stack: list[tuple[Any, list[list[Row]]]] = [(root, [[], []])]
        while stack:
            node, gained = stack.pop()
            if "split" not in node.of(dict):
                self.leaf(node.fields("multipliers")["multipliers"].entries(), rows, gained, law)
                continue
            part = node.fields("split above below")
            cut = part["split"].fields("release above below factor")
            k = cut["release"].whole()
            require(k < 2, "{}: expected release 0 or 1, found {}", node.where, k)
            above, below = (
                self.place[cut[side].one_of(self.databases)] for side in ("above", "below")
            )
            row = combined({above: Fraction(1)}, Fraction(1), {below: cut["factor"].number()})
            for side, extra in (("above", row), ("below", {x: -c for x, c in row.items()})):
                stack.append(
                    (
                        part[side],
                        [[*each, extra] if i == k else each for i, each in enumerate(gained)],
                    )
                )

    def leaf(
        self,
        entries: list[Any],
        rows: list[list[Row]],
        gained: list[list[Row]],
        law: tuple[Row, Row],
    ) -> None:
        """Check that diag(L nu - mu), less the sum of multiplier row row^T, has no negative
        entry.
        """
        rest = {(x, x): c for x, c in combined(law[1], self.level, law[0]).items()}
        inner: dict[int, tuple[Row, Row]] = {}
        for entry in entries:
            three = entry.entries()
            require(len(three) == 3, "{}: expected two rows and a number", entry.where)
            (i, left), (_, right) = (numbered(*each) for each in zip(rows, gained, three))
            number = three[2].number()
            require(number >= 0, "{}: the multiplier {} is negative", entry.where, number)
            _, line = inner.setdefault(i, (left, {}))
            for y, c in right.items():
                self.add(line, y, number, c)
        for left, line in inner.values():
            for x, a in left.items():
                for y, b in line.items():
                    self.add(rest, (x, y), -a, b)
        negative = [(self.databases[x], self.databases[y]) for (x, y), c in rest.items() if c < 0]
        require(not negative, "the identity of a leaf leaves negative entries at {}", negative[:5])
        self.checked += 1

    def add(self, row: dict[Any, Fraction], key: Any, a: Fraction, b: Fraction) -> None:
        old = row.get(key, Fraction(0))
        row[key] = old + product_of(a, b, old)

    def attained(self, node: Any) -> bool:
        """Check two columns within the budgets whose product has exactly the ratio of the level."""
        part = node.fields("prior pair columns")
        laws = self.law((part["prior"].of(str), *part["pair"].labels()))
        nodes = part["columns"].entries()
        require(len(nodes) == 2, "expected two columns, found {}", len(nodes))
        columns = [self.column(k, entry) for k, entry in enumerate(nodes)]
        both = {x: c * columns[1][x] for x, c in columns[0].items() if x in columns[1]}
        above, below = (dot(law, both) for law in laws)
        equal = above > 0 and above == product_of(self.level, below, above)
        require(equal, "the columns have the ratio {} / {}, not the level", above, below)
        return True

    def column(self, k: int, node: Any) -> Row:
        """Read a column, and check that it is within the budget and the per-record level of
        release k.
        """
        found = {self.place[x]: n for x, n in vector(node, self.place.keys()).items()}
        require(all(n >= 0 for n in found.values()), "{}: a probability is negative", node.where)
        for key, (mu, nu) in self.laws.items():
            fine = dot(mu, found) <= product_of(self.budgets[k], dot(nu, found), Fraction(1))
            require(fine, "{}: not within its budget at {}", node.where, key)
        level = self.per_record[k]
        if level is not None:
            for (x, values), (y, others) in permutations(self.records.items(), 2):
                spend(4 + len(values))
                if sum(a != b for a, b in zip(values, others)) == 1:
                    one, other = (found.get(self.place[name], Fraction(0)) for name in (x, y))
                    fine = one <= product_of(level, other, one)
                    require(fine, "{}: not within its per-record level at {}", node.where, (x, y))
        return found


RULES = {"lp-optimum", "worst-at-most"}


def expanded(node: Any) -> tuple[list[str], int, list[str]]:
    """Return the databases that records expand to, their count and their alphabet."""
    space = kernel.Framework.__new__(kernel.Framework)
    return space.records(node), space.count, space.alphabet


def numbered(known: list[Row], gained: list[Row], node: Any) -> tuple[int, Row]:
    """Return a number and its row; those gained at splits are numbered after the others."""
    i: int = node.whole()
    require(i < len(known) + len(gained), "{}: there is no such row", node.where)
    return i, known[i] if i < len(known) else gained[i - len(known)]


def combined(plus: Row, factor: Fraction, minus: Row) -> Row:
    """Return factor plus - minus."""
    long = size(factor) + max((size(n) for row in (plus, minus) for n in row.values()), default=0)
    spend(1 + len(plus) + len(minus), long, long)
    return {
        x: factor * plus.get(x, Fraction(0)) - minus.get(x, Fraction(0)) for x in {**plus, **minus}
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    code: int = kernel.main(
        argv, check, "kernel_optima.py [--json] [--work N] CERTIFICATE [FRAMEWORK]"
    )
    return code


if __name__ == "__main__":
    sys.exit(main())
