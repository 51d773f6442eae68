"""Deciding an implication over the reals: by Z3 and cvc5 on one query, and by a certificate where
one is found.

What counts: the assumptions have a model, no denominator can vanish where they hold, and the
conclusion follows. A certificate counts only when the kernel accepted it; it discharges a
step on which Z3 has no answer, never one that Z3 refutes.
"""

import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, islice, takewhile
from typing import TYPE_CHECKING

from pufferproof.models.errors import CertificateError, SolverError, extras
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.proof.farkas import (
    ENTRIES,
    FORMAT,
    Polynomial,
    accepted,
    fraction,
    names_of,
    nonnegative_combination,
    standard_forms,
)
from pufferproof.verify.proof.formulas import Step, admit, denominators
from pufferproof.verify.proof.smt import Answer, Work, ask, smtlib

if TYPE_CHECKING:
    from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx
    from sympy import Basic


# Handelman ----------------------------------------------------------------------------------------
#
# Search for certificates that polynomial assumptions imply a polynomial relation (Handelman
# products, a few squares; an LP).
#
# Positive multiples of products of the assumptions, of the negated conclusion and of squares, and
# multiples of equations, are to add up to 0, though one of them is strictly positive. The LP only
# proposes which products take part; their coefficients are solved for exactly, and the kernel
# checks the certificate. Not finding one proves nothing: degrees are bounded, squares are those of
# monomials and of sums and differences of two monomials.
#
# Source: handelman1988, and the Positivstellensatz of Krivine and Stengle without its
# completeness.

MAX_VARIABLES, MAX_DEGREE, MAX_COLUMNS, MAX_MONOMIALS = 8, 6, 3000, 40
_TURNED = {">=": ">", ">": ">="}


@dataclass(frozen=True)
class _Term:
    """A product of assumptions times a square, or (with `free`) a multiple of an equation."""

    value: "fmpq_mpoly"
    powers: tuple[int, ...]
    square: "fmpq_mpoly | None" = None
    free: "fmpq_mpoly | None" = None


@dataclass
class _Assumptions:
    """Assumptions in a ring of polynomials, a negated conclusion last if there is one."""

    ring: "fmpq_mpoly_ctx"
    given: "list[tuple[fmpq_mpoly, str]]"
    work: Work

    @property
    def left(self) -> float:
        """Work that is left."""
        return self.work.left


def search_inequality(conclusion: object, assuming: "Sequence[Basic]" = (), seconds: float = 1.0) -> JsonObject | None:
    """Search for a polynomial-inequality certificate; None if there is none of small degree, or not
    in time.

    Let f_i >= 0, > 0 or = 0 be the assumptions and p the conclusion. Suppose it fails: then g = -p
    is > 0 (or >= 0 if p > 0 was to be shown), and the search looks for products of the f_i, of g
    and of squares. If g only occurs alone, the rest is p itself: then the certificate is that
    direct proof, and otherwise the contradiction.

    >>> import sympy
    >>> x, y = sympy.symbols("x y")
    >>> certificate = search_inequality(x * y + 1 > x + y, [x > 1, y > 1])
    >>> certificate["claim"]["proof"]
    [{'coefficient': '1', 'powers': [1, 1], 'square': None}]

    Args:
        conclusion: a sympy relation between polynomials with rational coefficients.
        assuming: such relations, and conjunctions of them.
        seconds: when to stop: as much work as takes about so long, whatever the machine.
    """
    with extras:
        import scipy.optimize  # noqa: F401
    from flint import Ordering, fmpq, fmpq_mpoly_ctx

    problem = _problem(conclusion, assuming)
    if problem is None:
        return None
    names, given, (goal, relation) = problem
    degrees = [sum(key) for polynomial, _ in (*given, (goal, relation)) for key in polynomial]
    if len(names) > MAX_VARIABLES or max(degrees, default=0) > MAX_DEGREE:
        return None
    ring = fmpq_mpoly_ctx.get(names or ["unused"], Ordering.degrevlex)

    def poly(polynomial: Polynomial) -> "fmpq_mpoly":
        return ring.from_dict({key or (0,): fmpq(n.numerator, n.denominator) for key, n in polynomial.items()})

    assumptions = [(poly(polynomial), sign) for polynomial, sign in given]
    negated = [] if relation == "=" else [(-poly(goal), _TURNED[relation])]
    search = _Assumptions(ring, [*assumptions, *negated], Work(seconds))
    least = max(max(degrees, default=0), 1)
    for degree in range(least, least + 3):
        combination = _equation(search, poly(goal), degree) if relation == "=" else _contradiction(search, degree)
        if combination is not None:
            return _certificate(names, given, (goal, relation), combination)
        if search.left <= 0:
            return None
    return None


Relation = tuple[Polynomial, str]


def _problem(conclusion: object, assuming: "Sequence[Basic]") -> tuple[list[str], list[Relation], Relation] | None:
    """Return variables, assumptions and conclusion as polynomials with signs, or None."""
    names = names_of([conclusion, *assuming])
    forms = [standard_forms(formula, names) for formula in (*assuming, conclusion)]
    if None in forms or len(forms[-1] or []) != 1:
        return None
    *given, goal = [entry for form in forms for entry in form or []]
    return names, given, goal


Combination = list[tuple[Fraction, _Term]]


def _equation(search: _Assumptions, goal: "fmpq_mpoly", degree: int) -> Combination | None:
    """Write the goal as a combination of multiples of the equations."""
    terms = list(_multiples(search, degree))
    if not terms:
        return None
    columns = [_entries(term.value) for term in terms]
    weights = nonnegative_combination(columns, _entries(goal), range(len(terms)), [0.0] * len(terms), search.work)
    return None if weights is None else [(c, term) for c, term in zip(weights, terms) if c != 0]


def _contradiction(search: _Assumptions, degree: int) -> Combination | None:
    """Add products to 0 with one strictly positive: first the negated conclusion alone."""
    goal = len(search.given) - 1
    alone = _Term(search.given[goal][0], tuple(int(i == goal) for i in range(goal + 1)))
    for products, squares in ((False, False), (False, True), (True, True)):
        indices = [i for i, (_, sign) in enumerate(search.given) if sign != "=" and (products or i != goal)]
        terms = [alone, *_multiples(search, degree)]
        several = _products(search, indices, degree)
        if not squares:
            several = takewhile(lambda term: term.square is None, several)
        terms += islice(several, MAX_COLUMNS)
        if search.left <= 0:
            return None
        columns = [_entries(term.value) for term in terms]
        free = {j for j, term in enumerate(terms) if term.free is not None}
        for column, term in zip(columns, terms):
            if _strict(term, search.given):
                column["strict"] = Fraction(1)
        costs = [0.0 if j in free else 1.0 + sum(term.powers) + 9.0 * term.powers[goal] for j, term in enumerate(terms)]
        weights = nonnegative_combination(columns, {"strict": Fraction(1)}, free, costs, search.work)
        if weights is not None:
            return [(c, term) for c, term in zip(weights, terms) if c != 0]
    return None


def _strict(term: _Term, given: "Sequence[tuple[fmpq_mpoly, str]]") -> bool:
    signs = {sign for (_, sign), power in zip(given, term.powers) if power > 0}
    return term.square is None and term.free is None and signs <= {">"}


def _products(search: _Assumptions, indices: Sequence[int], degree: int) -> Iterator[_Term]:
    """Yield products of the assumptions at these indices, with squares, up to a degree."""
    one, powers = search.ring.constant(1), (0,) * len(search.given)
    level, plain = [(one, powers, 0)], [_Term(one, powers)]
    while level and len(plain) <= MAX_COLUMNS and search.left > 0:
        following = []
        for value, exponents, first in level:
            for k in range(first, len(indices)):
                factor = search.given[indices[k]][0]
                if 0 < factor.total_degree() <= degree - value.total_degree():
                    more = tuple(e + (i == indices[k]) for i, e in enumerate(exponents))
                    following.append((value * factor, more, k))
                    search.work.spend(1 / ENTRIES)
                    if search.left <= 0:
                        return
        plain += [_Term(value, exponents) for value, exponents, _ in following]
        level = following
    yield from plain
    roots = _roots(search.ring, degree // 2)
    squares = [(root, root * root, 2 * root.total_degree()) for root in roots]
    for term in plain:
        room = degree - term.value.total_degree()
        for root, square, needed in squares:
            if needed <= room:
                if search.left <= 0:
                    return
                search.work.spend(1 / ENTRIES)
                yield _Term(term.value * square, term.powers, root)


def _roots(ring: "fmpq_mpoly_ctx", degree: int) -> "list[fmpq_mpoly]":
    """Return monomials, and sums and differences of two of them."""
    monomials = _monomials(ring, degree)
    return monomials[1:] + [root for one, two in combinations(monomials, 2) for root in (one - two, one + two)]


def _monomials(ring: "fmpq_mpoly_ctx", degree: int) -> "list[fmpq_mpoly]":
    """Return at most MAX_MONOMIALS monomials, those of small degree first."""
    out = level = [ring.constant(1)]
    for _ in range(degree):
        level = list({str(m * x): m * x for m in level for x in ring.gens()}.values())
        out = out + level
    return out[:MAX_MONOMIALS]


def _multiples(search: _Assumptions, degree: int) -> Iterator[_Term]:
    for i, (value, sign) in enumerate(search.given):
        if sign == "=" and not value.is_zero():
            for monomial in _monomials(search.ring, max(degree - value.total_degree(), 0)):
                powers = tuple(int(j == i) for j in range(len(search.given)))
                yield _Term(value * monomial, powers, None, monomial)


def _entries(value: "fmpq_mpoly") -> "dict[Hashable, fmpq | Fraction]":
    """Return the coefficients of a polynomial by exponents, all of them flint's."""
    return dict(value.terms())


def _column(value: "fmpq_mpoly") -> Polynomial:
    return {tuple(map(int, key)): fraction(n) for key, n in value.to_dict().items()}


def _certificate(
    names: list[str], given: list[tuple[Polynomial, str]], goal: tuple[Polynomial, str], combination: Combination
) -> JsonObject:
    """Write the direct proof if the negated conclusion occurs alone, else a contradiction."""
    count, contradiction = len(given), False
    if goal[1] != "=":
        uses = [(c, term) for c, term in combination if term.powers[count] > 0]
        alone = len(uses) == 1 and sum(uses[0][1].powers) == 1 and uses[0][1].square is None
        contradiction = not alone
        if alone:
            combination = [(c / uses[0][0], term) for c, term in combination if term is not uses[0][1]]
    proof = _proof(combination, count + contradiction, len(names))
    polynomial, relation = goal
    # the negated conclusion is the last assumption
    negated = [({key: -n for key, n in polynomial.items()}, _TURNED[relation])] if contradiction else []
    claim = {
        "variables": names,
        "assumptions": [_relation(*each) for each in (*given, *negated)],
        "conclusion": None if contradiction else _relation(*goal),
        "proof": proof,
    }
    return {"format": FORMAT, "kind": "polynomial-inequality", "claim": claim}


def _proof(combination: Combination, assumptions: int, variables: int) -> list[JsonObject]:
    """Write the products with coefficients, then a free multiplier for each."""
    proof: list[JsonObject] = []
    multipliers: dict[tuple[int, ...], fmpq_mpoly] = {}
    for c, term in combination:
        powers = term.powers[:assumptions]
        if term.free is not None:
            from flint import fmpq

            scaled = term.free * term.free.context().constant(fmpq(c.numerator, c.denominator))
            multipliers[powers] = multipliers.get(powers, 0) + scaled
        else:
            square = None if term.square is None else _polynomial(_column(term.square), variables)
            proof.append({"coefficient": text_of(c), "powers": list(powers), "square": square})
    for powers, multiplier in multipliers.items():
        written = _polynomial(_column(multiplier), variables)
        proof.append({"multiplier": written, "powers": list(powers)})
    return proof


def _relation(polynomial: Polynomial, sign: str) -> JsonObject:
    width = len(next(iter(polynomial), ()))
    return {"polynomial": _polynomial(polynomial, width), "relation": sign}


def _polynomial(polynomial: Polynomial, width: int) -> list[list[object]]:
    return [[text_of(n), list(key[:width])] for key, n in polynomial.items()]


# Implication --------------------------------------------------------------------------------------

search_once = cache(search_inequality)  # near misses of a claim ask for its other steps again

SEARCH_SECONDS = 1.0  # for a certificate that may not exist
CONFIRMING_SECONDS = 2.0  # for cvc5, where the kernel and Z3 have said that it follows


@dataclass(frozen=True)
class _Answers:
    """What engines say of one implication: of what follows, of a model, and of denominators."""

    first: Answer
    second: Answer
    model: Answer
    defined: Answer

    @property
    def refuted(self) -> bool:
        return "sat" in (self.first.status, self.defined.status)

    def follows(self, certificate: Mapping[str, object] | None) -> bool:
        """Whether the conclusion follows, something is meant, and nothing is divided by 0."""
        proved = self.first.status == "unsat" or certificate is not None
        return proved and self.model.status == "sat" and self.defined.status == "unsat"

    def text(self) -> str:
        text = f"z3: {self.first.words}, cvc5: {self.second.words}; assumptions {satisfiable(self.model)}"
        if self.defined.status == "unsat":
            return text
        doubt = f"(z3: {self.defined.words})"
        return f"{text}; a denominator is not shown to be other than 0 {doubt}"


def decide_implication(
    name: str,
    kind: str,
    sentence: str,
    conclusion: object,
    assuming: Sequence[object],
    timeout: float,
    patience: float = SEARCH_SECONDS,
) -> Step:
    """Decide an implication by both solvers; not discharged where a denominator may vanish or
    nothing is meant. A search may take `patience` seconds to find a certificate.
    """
    start = time.perf_counter()
    admit(conclusion, *assuming)
    divided = denominators(conclusion, *assuming)
    query = smtlib(assuming, conclusion)
    first, certificate = ask("z3", query, timeout), None
    if first.status != "sat" and not divided:
        seconds = min(patience, timeout)
        certificate = accepted_certificate(search_once(conclusion, tuple(assuming), seconds))
    second = _second(name, query, first, certificate, timeout)
    answers = _asked(first, second, divided, assuming, timeout)
    formula, trust = (implication(conclusion, assuming), _trust(conclusion, assuming, answers, certificate))
    ok, elapsed = answers.follows(certificate), time.perf_counter() - start
    step = Step(name, kind, sentence, formula, ok, trust, elapsed, answers.text(), 0, query)
    evidence = dict(answers.first.model) if answers.first.status == "sat" else None
    return replace(step, evidence=evidence, certificate=certificate, refuted=answers.refuted)


def _second(name: str, query: str, first: Answer, certificate: Mapping[str, object] | None, timeout: float) -> Answer:
    """Ask cvc5 whether what Z3 says is so: not for long where a certificate shows it."""
    if first.status != "unsat":
        return Answer("cvc5", "not asked")
    limit = timeout if certificate is None else min(timeout, CONFIRMING_SECONDS)
    second = ask("cvc5", query, limit)
    if second.status == "sat":
        raise SolverError(f'Z3 and cvc5 disagree on step "{name}"')
    if certificate is not None and second.status in ("timeout", "limit"):  # nothing depends on it
        return Answer("cvc5", f"no answer in {limit:g} s")
    return second


def _asked(
    first: Answer, second: Answer, divided: "Sequence[Basic]", assuming: "Sequence[Basic]", timeout: float
) -> _Answers:
    """Ask Z3 for a model and of denominators, beside what solvers say of the conclusion."""
    with extras:
        import sympy

    if first.status == "sat" and not divided:  # that is a model of the assumptions
        return _Answers(first, second, first, Answer("z3", "unsat"))
    model, defined = Answer("z3", "sat"), Answer("z3", "unsat")
    nonzero = [sympy.Ne(each, 0) for each in divided]
    if nonzero:
        defined = ask("z3", smtlib(assuming, sympy.And(*nonzero)), timeout)
    if assuming or nonzero:
        model = ask("z3", smtlib([*assuming, *nonzero], sympy.false), timeout)
    return _Answers(first, second, model, defined)


def _trust(
    conclusion: object, assuming: Sequence[object], answers: _Answers, certificate: Mapping[str, object] | None
) -> tuple[str, ...]:
    """Return whom to believe: a certificate needs no solver but for a model of assumptions."""
    with extras:
        import sympy

    if conclusion is sympy.true:
        return ("SYMPY",)
    engines = {
        "KERNEL": certificate is not None,
        "Z3": answers.first.status == "unsat" or certificate is None or len(assuming) > 0,
        "CVC5": answers.second.status == "unsat",
    }
    return tuple(engine for engine, used in engines.items() if used)


def implication(conclusion: object, assuming: Sequence[object] = ()) -> object:
    """Return the formula of a step: the conclusion, or that the assumptions imply it."""
    return _implied(conclusion, tuple(assuming)) if assuming else conclusion


@lru_cache(maxsize=1000)
def _implied(conclusion: object, assuming: tuple[object, ...]) -> "Basic":
    """Return an implication, made once: a reading, its near misses and steps ask for it again."""
    with extras:
        import sympy

    return sympy.Implies(sympy.And(*assuming), conclusion, evaluate=False)


def refusal(name: str, kind: str, sentence: str, conclusion: object, assuming: Sequence[object], reason: str) -> Step:
    """Return a step that is not discharged, whatever engines would say: it decides nothing."""
    admit(conclusion, *assuming)
    return Step(name, kind, sentence, implication(conclusion, assuming), False, (), 0.0, f"refused: {reason}")


def accepted_certificate(certificate: Mapping[str, object] | None) -> Mapping[str, object] | None:
    """Return the certificate if there is one and the kernel accepts it."""
    try:
        return None if certificate is None or not accepted(certificate).checked else certificate
    except CertificateError:
        return None


def satisfiable(model: Answer) -> str:
    if model.status != "sat":
        return f"not shown to be satisfiable ({model.solver}: {model.words})"
    values = ", ".join(f"{name} = {'irrational' if value is None else value}" for name, value in model.model)
    return f"hold at {values}" if values else "none"
