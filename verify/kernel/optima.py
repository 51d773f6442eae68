"""Optima: a linear program with its primal and dual; what any two mechanisms leak within budgets.

All arithmetic is exact; there is no search and no solver.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import permutations, product
from typing import TypeVar

from .files import input_file
from .level import Level
from .reading import Accepted, Node, Refused, cost, require, show, spend
from .space import Framework, compare_framework, recorded, sequences

MAX_DATABASES, MAX_SHOWN = 4096, 20  # databases of a worst case; terms and rows put in words

Row = dict[int, Fraction]  # a linear form: its coefficients by the number of the database
Constraint = tuple[dict[str, Fraction], str, Fraction]  # a row, its relation and its bound
Laws = tuple[Row, Row]  # of databases, given each secret of an ordered pair
K = TypeVar("K", bound=Hashable)


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate of one of `RULES`, and the framework file it was made from if given."""
    text = "the kind {} speaks of no mechanisms, but files of some are given"
    require(len(paths) < 2, text, kind)
    return (lp_optimum if kind == "lp-optimum" else worst_at_most)(kind, top, paths)


def dot(row: Mapping[K, Fraction], x: Mapping[K, Fraction]) -> Fraction:
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
    spend(1, cost(a), cost(b))
    spend(1, cost(a) + cost(b), cost(total))
    return a * b


def add(row: dict[K, Fraction], key: K, a: Fraction, b: Fraction) -> None:
    """Add a b to an entry of a row."""
    old = row.get(key, Fraction(0))
    row[key] = old + product_of(a, b, old)


class Program:
    """A linear program: maximise a form of variables >= 0, or free ones, subject to rows."""

    def __init__(self, part: dict[str, Node]) -> None:
        self.names, self.free = part["variables"].labels(), part["free"].labels()
        known, self.unsigned = {*self.names}, {*self.free}
        value = part["value"].number()
        require(self.unsigned <= known, "unknown variables among {}", self.free)
        require(len(self.names) > 0, "nothing was checked: there are no variables")
        self.objective, self.primal = (vector(part[key], known) for key in ("objective", "primal"))
        self.rows = [constraint(node, known) for node in part["rows"].entries()]
        self.dual, self.value = [entry.number() for entry in part["dual"].entries()], value
        counts = len(self.rows), len(self.dual)
        require(counts[0] == counts[1], "dual: expected {} multipliers, found {}", *counts)

    def primal_is_feasible(self) -> None:
        negative = [k for k, x in self.primal.items() if x < 0 and k not in self.unsigned]
        require(not negative, "primal: {} are negative", negative)

    def rows_hold(self) -> dict[str, Fraction]:
        """Check every row at the primal, and return what the rows and the dual add up to."""
        combined: dict[str, Fraction] = {name: -c for name, c in self.objective.items()}
        for i, (y, (row, relation, bound)) in enumerate(zip(self.dual, self.rows)):
            value = dot(row, self.primal)
            spend(1, cost(value), cost(bound))
            below = value <= bound if relation == "<=" else value == bound
            kept = value >= bound if relation == ">=" else below
            require(kept, "primal: row {} is {}, not {} {}", i, value, relation, bound)
            signed = relation == "=" or (y >= 0 if relation == "<=" else y <= 0)
            text = "dual: the multiplier {} of row {}, which is {}, has the wrong sign"
            require(signed, text, y, i, relation)
            for name, c in row.items():
                add(combined, name, y, c)
        return combined

    def values_agree(self, combined: dict[str, Fraction]) -> None:
        """Check that the dual is feasible, and that both vectors have the stated value."""
        free, value = self.unsigned, self.value
        short = [name for name, c in combined.items() if c < 0 or (c > 0 and name in free)]
        require(not short, "dual: the rows do not add up to the objective at {}", short)
        require(dot(self.objective, self.primal) == value, "the primal value is not {}", value)
        bounds = {i: bound for i, (_, _, bound) in enumerate(self.rows)}
        dual = dict(enumerate(self.dual))
        require(dot(bounds, dual) == value, "the dual value is not {}", value)

    def statement(self) -> str:
        rows, free = self.rows, self.free
        given = [f"{words(row)} {sign} {show(bound)}" for row, sign, bound in rows[:MAX_SHOWN]]
        given += [f"... {len(rows) - MAX_SHOWN} more rows"] * (len(rows) > MAX_SHOWN)
        more = [f"... {len(free) - MAX_SHOWN} more"] * (len(free) > MAX_SHOWN)
        others = ", ".join([*map(show, free[:MAX_SHOWN]), *more])
        signed = len(free) < len(self.names)
        given += [f"all{' but ' * bool(free)}{others} >= 0"] * signed
        limits = " and ".join(given) or "nothing"
        objective, value = words(self.objective), show(self.value)
        return f"the maximum of {objective} subject to {limits} is {value}"


def lp_optimum(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """The primal and the dual vector are feasible, and both have the stated value."""
    require(not paths, "the kind {} speaks of no framework, but a file of one is given", kind)
    claim = top.fields("format kind claim")["claim"]
    program = Program(claim.fields("variables free objective rows primal dual value"))
    program.primal_is_feasible()
    program.values_agree(program.rows_hold())
    return Accepted(kind, program.statement(), len(program.rows) + len(program.names))


def vector(node: Node, known: Set[str]) -> dict[str, Fraction]:
    numbers = {name: entry.number() for name, entry in node.children().items()}
    require(numbers.keys() <= known, "{}: unknown names among {}", node.where, [*numbers])
    return numbers


def constraint(node: Node, known: Set[str]) -> Constraint:
    part = node.fields("coefficients relation bound")
    relation = part["relation"].one_of(["<=", "=", ">="])
    return vector(part["coefficients"], known), relation, part["bound"].number()


def words(row: Mapping[str, Fraction]) -> str:
    shown = [f"{show(c)} {show(name)}" for name, c in [*row.items()][:MAX_SHOWN]]
    more = [f"... {len(row) - MAX_SHOWN} more"] * (len(row) > MAX_SHOWN)
    return " + ".join([*shown, *more]) or "0"


def worst_at_most(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Rule worst-at-most, and the framework file that the certificate was made from if given."""
    part = top.fields("format kind framework mechanisms inputs claim")
    space = Framework(part["framework"].fields("databases secrets pairs priors closure"))
    inputs = part["inputs"].fields("framework mechanisms normalized")
    lists = [part["mechanisms"], inputs["mechanisms"], inputs["normalized"]]
    text = "the kind {} speaks of no mechanisms"
    require(not any(node.entries() for node in lists), text, kind)
    digest = inputs["framework"].digest()
    files = [input_file(path, digest, "framework") for path in paths]
    compare_framework(space, files)
    worst = Worst(space, part["claim"])
    worst.compare_records(files)
    statement, checked = worst.at_most()
    return Accepted(kind, statement, checked, "matched" if files else "not given")


class Worst:
    """A bound of what two mechanisms leak together, over all mechanisms within two budgets."""

    def __init__(self, space: Framework, claim: Node) -> None:
        require(not space.convex, "there is no rule for mixtures of priors")
        keys = "budgets per_record records level attained rows laws"
        self.space, self.part = space, claim.fields(keys)
        self.databases = [*space.databases]
        text = "too large: over {} databases"
        require(len(self.databases) <= MAX_DATABASES, text, MAX_DATABASES)
        self.place = {x: i for i, x in enumerate(self.databases)}
        self.budgets = [ratio(node) for node in self.pair("budgets")]
        nodes = self.pair("per_record")
        self.per_record = [None if node.value is None else ratio(node) for node in nodes]
        self.level = ratio(self.part["level"])
        self.shape: list[tuple[int, list[str]]] = []  # count and alphabet, if records are claimed
        near = any(level is not None for level in self.per_record)
        self.records = self.words_of_records(self.part["records"], near)
        self.laws: dict[tuple[str, ...], Laws] = dict(self.all_laws())
        self.checked = 0

    def at_most(self) -> tuple[str, int]:
        """Check that every ordered pair of laws has a tree of splits, an identity at each leaf."""
        nodes = enumerate(self.pair("rows"))
        rows = [[self.row(k, node) for node in each.entries()] for k, each in nodes]
        covered: list[tuple[str, ...]] = []
        for node in self.part["laws"].entries():
            part = node.fields("places tree")
            places = [texts(place) for place in part["places"].entries()]
            for place in dict.fromkeys(places):
                self.tree(part["tree"], rows, self.law(place))
            covered += places
        missing = {*self.laws} - {*covered}
        require(not missing, "no proof for {}", sorted(missing))
        text = "no prior gives both secrets of a pair positive probability"
        require(self.checked > 0, text)
        node = self.part["attained"]
        if node.value is not None:
            self.check_attained(node)
        return self.statement(node.value is not None), self.checked

    def statement(self, attained: bool) -> str:
        names = [f"log({show(value)})" for value in (*self.budgets, self.level)]
        text = "release {} with per-record level log({})"
        levels = [(k, s) for k, s in enumerate(self.per_record) if s is not None]
        extra = [text.format(k + 1, show(s)) for k, s in levels]
        extra += [f"databases being {n} records of {show(alphabet)}" for n, alphabet in self.shape]
        worst = f"equal to {names[2]}, and attained" if attained else f"at most {names[2]}"
        within = "".join(f", {words}" for words in extra)
        return (
            f"the joint leakage over {self.space.over} of any two mechanisms of leakage at most "
            f"{names[0]} and {names[1]}{within}, also when the second depends on the first output, "
            f"is {worst}"
        )

    def pair(self, key: str) -> list[Node]:
        nodes = self.part[key].entries()
        text = "{}: expected one entry for each of two releases, found {}"
        require(len(nodes) == 2, text, key, len(nodes))
        return nodes

    def words_of_records(self, node: Node, near: bool) -> dict[str, tuple[str, ...]]:
        """Return the values of the records of every database, if a per-record level needs them."""
        text = "records: expected them with a per-record level, and only then"
        require((node.value is not None) == near, text)
        if not near:
            return {}
        count, alphabet = recorded(node)
        text = "records: their databases are not those of the framework, in this order"
        require(sequences(count, alphabet) == self.databases, text)
        self.shape = [(count, alphabet)]
        return dict(zip(self.databases, product(alphabet, repeat=count)))

    def compare_records(self, files: list[Node]) -> None:
        """Refuse unless the framework file, if any, has the records of the claim.

        They say which databases are near.
        """
        for top in files if self.shape else []:
            text = "{}: there are no records, which the claim speaks of"
            require("records" in top.of(dict), text, top.where)
            count, alphabet = recorded(top.children()["records"])
            text = "{}: the records are {} of {}, not the claim's"
            require([(count, alphabet)] == self.shape, text, top.where, count, alphabet)

    def all_laws(self) -> Iterator[tuple[tuple[str, ...], Laws]]:
        """Yield both conditional laws for every prior and ordered pair of possible secrets."""
        pairs = [ordered for pair in self.space.pairs for ordered in permutations(pair)]
        for name, prior in self.space.priors.items():
            for s, t in pairs:
                mu, nu = self.given(prior, s), self.given(prior, t)
                if mu and nu:
                    yield (name, s, t), (mu, nu)

    def given(self, prior: dict[str, Fraction], secret: str) -> Row:
        """Return the law of the database given a secret; nothing if that is impossible."""
        secrets, total = self.space.secrets[secret], Fraction(0)
        masses = {self.place[x]: n for x, n in prior.items() if x in secrets}
        spend(1 + len(prior))
        for n in masses.values():
            total += product_of(n, Fraction(1), total)
        longest = max(map(cost, masses.values()), default=0)
        spend(1 + len(masses), cost(total), cost(total) + longest)
        return {x: n / total for x, n in masses.items()}

    def row(self, k: int, node: Node) -> Row:
        """Return a form that is not negative on the columns of every mechanism of release k."""
        kind, level = [*node.of(dict)], self.per_record[k]
        if kind == ["database"]:
            database = node.fields("database")["database"].one_of(self.databases)
            return {self.place[database]: Fraction(1)}
        if kind == ["law"]:
            mu, nu = self.law(texts(node.fields("law")["law"]))
            return combined(nu, self.budgets[k], mu)
        if kind != ["record"] or level is None:
            text = "expected a database, a law or, with a per-record level, a record"
            raise Refused(f"{node.where}: {text}")
        labels = node.fields("record")["record"].labels()
        known = len(labels) == 2 and {*labels} <= {*self.place}
        require(known, "{}: expected two databases, found {}", node.where, labels)
        one, other = labels
        distance = sum(a != b for a, b in zip(self.records[one], self.records[other]))
        spend(distance, distance * cost(level), cost(level))
        return {self.place[one]: Fraction(-1), self.place[other]: level**distance}

    def law(self, key: tuple[str, ...]) -> Laws:
        known = key in self.laws
        require(known, "{} is no prior and ordered pair of positive probability", key)
        return self.laws[key]

    def tree(self, root: Node, rows: list[list[Row]], law: Laws) -> None:
        """Check the leaves of a tree; at a split, its two sides gain the two opposite rows."""
        stack: list[tuple[Node, list[list[Row]]]] = [(root, [[], []])]
        while stack:
            node, gained = stack.pop()
            if "split" not in node.of(dict):
                entries = node.fields("multipliers")["multipliers"].entries()
                self.leaf(entries, [*zip(rows, gained)], law)
                continue
            part = node.fields("split above below")
            k, row = self.cut(part["split"], node.where)
            for side, extra in (("above", row), ("below", {x: -c for x, c in row.items()})):
                known = [[*each, extra] if i == k else each for i, each in enumerate(gained)]
                stack.append((part[side], known))

    def cut(self, node: Node, where: str) -> tuple[int, Row]:
        """Return the release of a split, and the row that one side gains."""
        part = node.fields("release above below factor")
        k = part["release"].whole()
        require(k < 2, "{}: expected release 0 or 1, found {}", where, k)
        names = [part[side].one_of(self.databases) for side in ("above", "below")]
        above, below = (self.place[name] for name in names)
        return k, combined({above: Fraction(1)}, Fraction(1), {below: part["factor"].number()})

    def leaf(self, entries: list[Node], known: list[tuple[list[Row], list[Row]]], law: Laws) -> None:
        """Check that diag(L nu - mu) less the sum of multiplier row row^T has no negative entry."""
        rest = {(x, x): c for x, c in combined(law[1], self.level, law[0]).items()}
        inner: dict[int, tuple[Row, Row]] = {}
        for entry in entries:
            three = entry.entries()
            require(len(three) == 3, "{}: expected two rows and a number", entry.where)
            (i, left), (_, right) = (numbered(*each, node) for each, node in zip(known, three))
            number = three[2].number()
            require(number >= 0, "{}: the multiplier {} is negative", entry.where, number)
            _, line = inner.setdefault(i, (left, {}))
            for y, c in right.items():
                add(line, y, number, c)
        for left, line in inner.values():
            for x, a in left.items():
                for y, b in line.items():
                    add(rest, (x, y), -a, b)
        negative = [(self.databases[x], self.databases[y]) for (x, y), c in rest.items() if c < 0]
        require(not negative, "the identity of a leaf leaves negative entries at {}", negative[:5])
        self.checked += 1

    def check_attained(self, node: Node) -> None:
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

    def column(self, k: int, node: Node) -> Row:
        """Read a column, and check that it is within the budget and the level of release k."""
        column = {self.place[x]: n for x, n in vector(node, self.place.keys()).items()}
        positive = all(n >= 0 for n in column.values())
        require(positive, "{}: a probability is negative", node.where)
        for key, (mu, nu) in self.laws.items():
            within = dot(mu, column) <= product_of(self.budgets[k], dot(nu, column), Fraction(1))
            require(within, "{}: not within its budget at {}", node.where, key)
        level = self.per_record[k]
        if level is not None:
            self.check_records(column, level, node.where)
        return column

    def check_records(self, column: Row, level: Fraction, where: str) -> None:
        """Check a column at all ordered pairs of databases that differ in one record."""
        for (x, values), (y, others) in permutations(self.records.items(), 2):
            spend(4 + len(values))
            if sum(a != b for a, b in zip(values, others)) == 1:
                one, other = (column.get(self.place[name], Fraction(0)) for name in (x, y))
                within = one <= product_of(level, other, one)
                require(within, "{}: not within its per-record level at {}", where, (x, y))


RULES = ("lp-optimum", "worst-at-most")


def ratio(node: Node) -> Fraction:
    """Return e^level for a level of the form log."""
    level = Level(node)
    require(level.form == "log", "{}: expected a level of the form log", node.where)
    return level.value


def texts(node: Node) -> tuple[str, ...]:
    return tuple(entry.of(str) for entry in node.entries())


def numbered(known: list[Row], gained: list[Row], node: Node) -> tuple[int, Row]:
    """Return a number and its row; those gained at splits are numbered after the others."""
    i = node.whole()
    require(i < len(known) + len(gained), "{}: there is no such row", node.where)
    return i, known[i] if i < len(known) else gained[i - len(known)]


def combined(plus: Row, factor: Fraction, minus: Row) -> Row:
    """Return factor plus - minus."""
    parts, zero = {**plus, **minus}, Fraction(0)
    long = cost(factor) + max((cost(n) for row in (plus, minus) for n in row.values()), default=0)
    spend(1 + len(plus) + len(minus), long, long)
    return {x: factor * plus.get(x, zero) - minus.get(x, zero) for x in parts}
