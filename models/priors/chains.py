"""Classes of Markov chains: transition matrices in a box, from a given law, from any, or from the
stationary one.

    Theta = { (q, P) : l(x, y) <= P(x, y) <= u(x, y), rows summing to 1 },
        q given, or any law, or the one with q P = q

One matrix with any initial law is the box l = u. A row is the polytope {l <= p <= u, sum(p) = 1}:
its bounds are tightened, so that each is attained. Influences over such classes are in
`pufferproof.verify.influence.box.largest`. A class like this is no law on databases: mechanisms are
audited against it by bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import prod

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, text_of
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.laws import Law, expect_records, law_at, law_of_record, matrix_of, numbers_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records

Row = tuple[Fraction, ...]
Rows = tuple[Row, ...]
_MOST_STARTS = 4  # values, for a chain per set of them


@dataclass(frozen=True, repr=False)
class IntervalChain:
    """A box of transition matrices with an initial law, "any" or "stationary".

    Args:
        initial: law of X_1, or "any": all of them, or "stationary": that of each matrix.
        lower, upper: k x k bounds of P(x, y), tightened to those that rows summing to 1 attain.
        normalize: divide the initial law by its sum, exactly; bounds stay what they are.

    >>> box = IntervalChain("any", [["1/2", "0"], ["1/4", "1/2"]], [["1", "1/4"], ["1/2", "1"]])
    >>> box.lower
    ((Fraction(3, 4), Fraction(0, 1)), (Fraction(1, 4), Fraction(1, 2)))
    >>> box.upper
    ((Fraction(1, 1), Fraction(1, 4)), (Fraction(1, 2), Fraction(3, 4)))

    Raises `ModelError` unless bounds are square, of one size, ordered, within [0, 1], and every row
    holds a law.
    """

    initial: Row | str
    lower: Rows
    upper: Rows
    normalized: bool = field(default=False, compare=False, repr=False)

    def __init__(
        self,
        initial: Sequence[object] | str,
        lower: Sequence[Sequence[object]],
        upper: Sequence[Sequence[object]],
        normalize: bool = False,
    ) -> None:
        initial = check_type(initial, Sequence[object] | str, "initial")
        lower = check_type(lower, Sequence[Sequence[object]], "lower")
        upper = check_type(upper, Sequence[Sequence[object]], "upper")
        normalize = check_type(normalize, bool, "normalize")
        start = initial if isinstance(initial, str) else numbers_of(initial, "initial", normalize)
        if isinstance(start, str) and start not in ("any", "stationary"):
            raise ModelError(f'expected a list of probabilities, "stationary" or "any", found "{start}"', "initial")
        below = matrix_of(lower, "transition_lower")
        above = matrix_of(upper, "transition_upper")
        if not below:
            raise ModelError("expected at least one row, found none", "transition_lower")
        if len(above) != len(below):
            raise ModelError(
                f"expected {len(below)} rows as in transition_lower, found {len(above)}", "transition_upper"
            )
        for end, bounds in (("lower", below), ("upper", above)):
            for place, row in enumerate(bounds):
                if len(row) != len(below):
                    raise ModelError(
                        f"expected {len(below)} entries, one per row, found {len(row)}", f"transition_{end}[{place}]"
                    )
        rows = [_tightened(index, *bounds) for index, bounds in enumerate(zip(below, above))]
        if not isinstance(start, str):
            if len(start) != len(rows):
                raise ModelError(f"expected {len(rows)} entries, one per value, found {len(start)}", "initial")
            law_at(start, "initial")
        hold(
            self,
            initial=start,
            lower=tuple(row[0] for row in rows),
            upper=tuple(row[1] for row in rows),
            normalized=normalize,
        )

    def __repr__(self) -> str:
        start = self.initial if isinstance(self.initial, str) else list(map(text_of, self.initial))
        lower, upper = ([list(map(text_of, row)) for row in rows] for rows in (self.lower, self.upper))
        return f"IntervalChain({start!r}, {lower}, {upper})"

    @property
    def states(self) -> int:
        """The number k of states."""
        return len(self.lower)

    @property
    def single(self) -> bool:
        """Whether the box is one matrix."""
        return self.lower == self.upper

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Raise `ModelError`: a class of chains is no single law."""
        anywhere = self.single and self.initial == "any"
        what = 'the class of all initial laws ("any")' if anywhere else "a box of priors"
        raise ModelError(
            f"not supported: {what} is only for audit, compose, worst, partner, collapse, "
            "influence, calibrate and translate, which bound it; a framework of some of its "
            "chains works with every command"
        )

    def chain(self, transition: Sequence[Sequence[object]]) -> MarkovChain:
        """Return a chain with this matrix: from the given law, from the uniform one where any
        is allowed, or stationary.
        """
        start = [Fraction(1, self.states)] * self.states if self.initial == "any" else self.initial
        return MarkovChain(start, transition)

    def holds(self, transition: Sequence[Sequence[Fraction]]) -> bool:
        """Whether a matrix is in the box."""
        rows = zip(self.lower, transition, self.upper)
        return all(sum(row) == 1 and all(a <= p <= b for a, p, b in zip(low, row, high)) for low, row, high in rows)

    def corners(self) -> list[Rows]:
        """Return all matrices whose rows are vertices of their polytopes."""
        rows = [vertices(low, high) for low, high in zip(self.lower, self.upper)]
        return [tuple(chosen) for chosen in product(*rows)]

    @property
    def one_support(self) -> bool:
        """Whether every chain of the class has the possible sequences of one of `supports`: all
        matrices have the same entries positive.
        """
        return self._same_entries and (self.initial != "any" or self.states <= _MOST_STARTS)

    @property
    def _same_entries(self) -> bool:
        rows = zip(self.lower, self.upper)
        return all(low or not high for ends in rows for low, high in zip(*ends))

    def middle(self) -> dict[str, MarkovChain]:
        """Return the chain in the middle of the box by what it is, where matrices of the box differ
        in what is possible: there it has every entry positive that some matrix has.

        >>> list(IntervalChain("any", [["0", "0"]] * 2, [["1", "1"]] * 2).middle())
        ['middle']
        """
        middle = [inner(*ends) for ends in zip(self.lower, self.upper)]
        return {} if self._same_entries else {"middle": self.chain(middle)}

    def supports(self) -> dict[str, MarkovChain]:
        """Return the chain in the middle of the box, where any first law is allowed one for every
        set of values with which a chain can begin, by what they are.

        >>> rows = [["1/2", "1/2"], ["1/4", "3/4"]]
        >>> list(IntervalChain("any", rows, rows).supports())
        ['middle from 1', 'middle from 2', 'middle from 1, 2']
        """
        middle = [inner(*ends) for ends in zip(self.lower, self.upper)]
        if self.initial != "any" or self.states > _MOST_STARTS:
            return {"middle": self.chain(middle)}
        sets = [chosen for size in range(1, self.states + 1) for chosen in combinations(range(self.states), size)]
        return {
            "middle from " + ", ".join(str(x + 1) for x in chosen): MarkovChain(
                [Fraction(int(x in chosen), len(chosen)) for x in range(self.states)], middle
            )
            for chosen in sets
        }

    def members(self, most: int) -> dict[str, MarkovChain]:
        """Return some chains of the class by their matrices: of corners, at most so many.

        >>> rows = [["1/2", "1/2"], ["1/4", "3/4"]]
        >>> list(IntervalChain("any", rows, rows).members(4))
        ['1/2 1/2, 1/4 3/4']
        """
        rows = [vertices(low, high) for low, high in zip(self.lower, self.upper)]
        count = prod(map(len, rows))
        picked = {place * count // most for place in range(most)} if count > most else range(count)
        members = {}
        for place in sorted(picked):
            matrix: list[Row] = []  # at a place of the product of rows
            for row in reversed(rows):
                place, own = divmod(place, len(row))
                matrix.insert(0, row[own])
            members[", ".join(" ".join(map(text_of, row)) for row in matrix)] = self.chain(matrix)
        return members

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless there is a row for every value of the alphabet."""
        if self.states != len(records.alphabet):
            raise ModelError(
                f"expected {len(records.alphabet)} rows, one per value, found {self.states}", "transition_lower"
            )

    def possible(self, record: int) -> list[int]:
        """Return the values that X_t has with positive probability under some chain of the class,
        one chain for all of them.

        It has every entry positive that can be. A stationary law is positive on the states that
        every state they lead to leads back to: no chain with one stationary law has others, since
        what is closed for that chain is closed for all.
        """
        if self.initial == "stationary":
            ways = [self._reached(state) for state in range(self.states)]
            return [x for x in range(self.states) if all(x in ways[y] for y in ways[x])]
        if isinstance(self.initial, str):
            start = set(range(self.states))
        else:
            start = {state for state, value in enumerate(self.initial) if value}
        seen = [start]
        while len(seen) < record:
            following = {y for x in seen[-1] for y, most in enumerate(self.upper[x]) if most}
            if following in seen:
                first = seen.index(following)
                return sorted(seen[first + (record - 1 - first) % (len(seen) - first)])
            seen.append(following)
        return sorted(seen[record - 1])

    def _reached(self, state: int) -> set[int]:
        """Return the states that some chain comes to from a state, itself among them."""
        reached, left = {state}, [state]
        while left:
            for y, most in enumerate(self.upper[left.pop()]):
                if most and y not in reached:
                    reached.add(y)
                    left.append(y)
        return reached


def inner(lower: Row, upper: Row) -> Row:
    """Return a row inside its polytope: positive wherever one can be."""
    rest, room = 1 - sum(lower), sum(b - a for a, b in zip(lower, upper))
    return tuple(a + (rest * (b - a) / room if room else 0) for a, b in zip(lower, upper))


def vertices(lower: Row, upper: Row) -> list[Row]:
    """Return the vertices of {l <= p <= u, sum(p) = 1}: all entries but one at a bound."""
    corners: dict[Row, None] = {}
    for free in range(len(lower)):
        others = [{low, high} for index, (low, high) in enumerate(zip(lower, upper)) if index != free]
        for chosen in product(*(sorted(bounds) for bounds in others)):
            rest = 1 - sum(chosen, Fraction(0))
            if lower[free] <= rest <= upper[free]:
                corners[(*chosen[:free], rest, *chosen[free:])] = None
    return list(corners)


def tight(lower: Sequence[Fraction], upper: Sequence[Fraction]) -> tuple[Row, Row]:
    """Return the bounds that the rows of {l <= p <= u, sum(p) = 1} attain, for a polytope that
    is not empty.
    """
    least, most = sum(lower, Fraction(0)), sum(upper, Fraction(0))
    below = tuple(max(low, 1 - (most - high)) for low, high in zip(lower, upper))
    return below, tuple(min(high, 1 - (least - low)) for low, high in zip(lower, upper))


def _tightened(index: int, lower: Row, upper: Row) -> tuple[Row, Row]:
    for column, (low, high) in enumerate(zip(lower, upper)):
        for name, value in (("lower", low), ("upper", high)):
            if not 0 <= value <= 1:
                raise ModelError(
                    f"expected a bound from 0 to 1, found {brief(value)}", f"transition_{name}[{index}][{column}]"
                )
        if low > high:
            raise ModelError(
                f"expected at most the upper bound {brief(high)}, found {brief(low)}",
                f"transition_lower[{index}][{column}]",
            )
    if (least := sum(lower, Fraction(0))) > 1:
        raise ModelError(
            f"no row within the bounds sums to 1: lower bounds sum to {brief(least)}, expected at most 1",
            f"transition_lower[{index}]",
        )
    if (most := sum(upper, Fraction(0))) < 1:
        raise ModelError(
            f"no row within the bounds sums to 1: upper bounds sum to {brief(most)}, expected at least 1",
            f"transition_upper[{index}]",
        )
    return tight(lower, upper)


# Markov chains that change with time: a transition matrix of its own for every step.
#
#     P(x_1 .. x_n) = initial[x_1] * transitions[1][x_1][x_2] * ... * transitions[n - 1][x_(n-1)][x_n]
#
# Every record has one parent, the one before it: what is known of Bayesian networks holds for them.


@dataclass(frozen=True)
class ChangingChain:
    """A Markov chain over n records with n - 1 transition matrices.

    Args: initial: law of X_1. transitions: P_2 .. P_n, the rows of P_t being the laws of X_t given
    each value of X_(t-1). normalize: divide every row by its sum, exactly.

    >>> day, night = [["1/2", "1/2"], ["1/4", "3/4"]], [["1", "0"], ["0", "1"]]
    >>> chain = ChangingChain(["1/2", "1/2"], [day, night])
    >>> chain.law(("000", "001", "010", "011", "100", "101", "110", "111"), Records(3, ("0", "1")))
    Law(weights=(2, 0, 0, 2, 1, 0, 0, 3), total=8)

    Raises `ModelError` where a number is none; `network` and `law` where rows do not fit records.
    """

    initial: Row
    transitions: tuple[tuple[Row, ...], ...]
    normalized: bool = field(default=False, compare=False)

    def __init__(
        self, initial: Sequence[object], transitions: Sequence[Sequence[Sequence[object]]], normalize: bool = False
    ) -> None:
        initial = check_type(initial, Sequence[object], "initial")
        transitions = check_type(transitions, Sequence[Sequence[Sequence[object]]], "transitions")
        steps = (matrix_of(transition, f"transitions[{k}]", normalize) for k, transition in enumerate(transitions))
        hold(self, initial=numbers_of(initial, "initial", normalize), transitions=tuple(steps), normalized=normalize)

    def network(self, records: Records) -> BayesianNetwork:
        """Return the chain as a Bayesian network. Raises `ModelError` unless there is a matrix for
        every record but the first, and every row is a law on the alphabet.
        """
        size, count = len(records.alphabet), records.count
        if len(self.transitions) != count - 1:
            raise ModelError(
                f"expected {count - 1} matrices, one for every record but the first, found {len(self.transitions)}",
                "transitions",
            )
        law_of_record(self.initial, records, "initial")
        for place, rows in enumerate(self.transitions):
            where = f"transitions[{place}]"
            if len(rows) != size:
                raise ModelError(f"expected {size} rows, one per value, found {len(rows)}", where)
            for index, row in enumerate(rows):
                law_of_record(row, records, f"{where}[{index}]")
        parents = {t: [t - 1] if t > 1 else [] for t in range(1, count + 1)}
        steps = enumerate(self.transitions, 2)
        tables = {t: dict(zip(records.alphabet, rows)) for t, rows in steps}
        return BayesianNetwork(parents, {1: {"": self.initial}, **tables})

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law on all databases. Raises `ModelError` unless it fits the records."""
        space = expect_records(records, "markov")
        return self.network(space).law(databases, space)

    def __repr__(self) -> str:
        steps = [[list(map(text_of, row)) for row in rows] for rows in self.transitions]
        return f"ChangingChain({list(map(text_of, self.initial))}, {steps})"


# The class of all reversible Markov chains whose stationary law and eigengap have known bounds.
#
#     Theta = { P reversible, k values : pi(x) >= pi_min for all x, |lambda| <= 1 - eigengap }
#
# for every eigenvalue lambda of P but one that is 1; chains start from their stationary law pi. Every chain of two
# values is reversible, and is known by p = pi(1) and its other eigenvalue c:
#
#     P(0, 1) = p (1 - c),   P(1, 0) = (1 - p) (1 - c).


@dataclass(frozen=True, init=False)
class GapChains:
    """All reversible chains of `states` values with pi(x) >= pi_min and eigenvalues of size at most
    1 - eigengap, from their stationary laws.

    >>> chains = GapChains(2, "1/20", "1/10")
    >>> chains.memory, chains.of_law(["1/4", "3/4"]).transition[0]
    (Fraction(9, 10), (Fraction(37, 40), Fraction(3, 40)))

    Raises `ModelError` unless some chain is like that: 0 < pi_min <= 1/k and 0 < eigengap <= 1.
    """

    states: int
    pi_min: Fraction
    eigengap: Fraction

    def __init__(self, states: int, pi_min: str | int | Fraction, eigengap: str | int | Fraction) -> None:
        states = check_type(states, int, "states")
        pi_min = check_type(pi_min, str | int | Fraction, "pi_min")
        eigengap = check_type(eigengap, str | int | Fraction, "eigengap")
        least, gap = exact(pi_min), exact(eigengap)
        if states < 2:
            raise ModelError(f"expected at least 2 values, found {states}", "alphabet")
        if not 0 < least <= Fraction(1, states):
            raise ModelError(
                f"expected a number above 0 and at most 1/{states}, as probabilities of {states} "
                f"values sum to 1, found {brief(least)}",
                "markov.pi_min",
            )
        if not 0 < gap <= 1:
            raise ModelError(
                f"expected a number above 0 and at most 1, found {brief(gap)}: no eigenvalue is larger than 1",
                "markov.eigengap",
            )
        hold(self, states=states, pi_min=least, eigengap=gap)

    @property
    def initial(self) -> str:
        """How chains start."""
        return "stationary"

    @property
    def single(self) -> bool:
        """Whether the class is one matrix: never."""
        return False

    @property
    def memory(self) -> Fraction:
        """The size of an eigenvalue at most."""
        return 1 - self.eigengap

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Raise `ModelError`: a class of chains is no single law."""
        raise unlisted("a class by pi_min and eigengap")

    def of_law(self, law: Sequence[str | Fraction]) -> MarkovChain:
        """Return the chain c I + (1 - c) 1 pi', whose eigenvalues are 1 and c, the largest."""
        c, row = self.memory, [exact(p) for p in law]
        rows = [[(1 - c) * p + c * (x == y) for y, p in enumerate(row)] for x in range(len(row))]
        return MarkovChain("stationary", rows)

    def members(self, most: int = 0) -> dict[str, MarkovChain]:
        """Return some chains of the class by what they are: of the largest memory, with one value
        that is as likely as can be, or all alike.
        """
        rest = 1 - (self.states - 1) * self.pi_min
        laws = [[rest if x == y else self.pi_min for y in range(self.states)] for x in range(self.states)]
        laws.append([Fraction(1, self.states)] * self.states)
        return {" ".join(map(text_of, law)): self.of_law(law) for law in laws}

    def middle(self) -> dict[str, MarkovChain]:
        """Return no chain: there is none with all that the others have."""
        return {}

    def supports(self) -> dict[str, MarkovChain]:
        """Return no chain: all stationary laws are positive."""
        return {}

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless there are as many values."""
        if self.states != len(records.alphabet):
            raise ModelError(f"expected {len(records.alphabet)} values, found {self.states}")

    def possible(self, record: int) -> list[int]:
        """Return the values that X_t has with positive probability: all."""
        return list(range(self.states))

    def holds(self, chain: MarkovChain) -> bool:
        """Whether a chain of two values is in the class.

        >>> GapChains(2, "1/4", "1/2").holds(MarkovChain("stationary", [["1/2", "1/2"]] * 2))
        True
        """
        (_, a), (b, _) = chain.transition
        bounds = self.pi_min * (a + b) <= min(a, b)
        return bool(a + b) and bounds and abs(1 - a - b) <= self.memory


ChainClass = IntervalChain | GapChains


def unlisted(what: str, doors: str = "audit and compose") -> ModelError:
    """Return the error of what takes boxes of chains, and no class like this."""
    return ModelError(
        f"not supported here: {what} works with {doors}, which bound it; a framework of some "
        "of its members works with every command"
    )
