"""Formulas over the reals as SMT-LIB 2, decided by Z3 and cross-checked by cvc5, each in a process
that can be killed.

Limits count what Z3 computes, and cvc5 in linear arithmetic. cvc5 does not count what it does with
products: a clock of the processor stops it. That is a "timeout", and no such result is kept.

Formulas are Boolean combinations of sympy relations of polynomials and quotients. One printer makes
the text that both solvers read. "unknown", a limit and a crash are no verdict. Division by zero is
left unconstrained, as SMT-LIB has it: "unsat" then holds whatever it means; a model is only
believed once the formula has been evaluated exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from pufferproof.models.errors import SolverError, extras
from pufferproof.verify.proof.solvers import SolverProcess

if TYPE_CHECKING:
    from sympy import Basic

_Z3 = SolverProcess(
    "import z3",
    """
units, _, text = text.partition("\\n")
solver = z3.Solver(ctx=z3.Context())
solver.set("rlimit", int(units))
solver.from_string(text)
answer = solver.check()
why = solver.reason_unknown() if answer == z3.unknown else ""
spent = "resource" in why or why == "canceled"  # by the count: there is no other limit
print("limit" if spent else answer)
if answer == z3.sat:
    model = solver.model()
    for name in model.decls():
        value = model[name]
        rational = z3.is_rational_value(value)
        ratio = f"{value.numerator_as_long()}/{value.denominator_as_long()}" if rational else ""
        print(name.name(), ratio or "irrational")
""",
)
_CVC5 = SolverProcess(
    "import cvc5",
    """
terms = cvc5.TermManager()
solver = cvc5.Solver(terms)
parser = cvc5.InputParser(solver, cvc5.SymbolManager(terms))
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    said = command.invoke(solver, symbols)
    if said.strip():
        print(said.strip())
""",
)
_PROCESSES = {"z3": _Z3, "cvc5": _CVC5}
_UNITS = {"z3": 5_000_000, "cvc5": 1_000_000}  # of its own count, that a solver does in a second
_SLOW = 10  # times as long may take what is counted, before a clock stops it
_STOPPED = {
    "limit": "stopped by its limit, which counts work",
    "timeout": "timeout, by a clock of the processor",
}
_COVERINGS = "(set-option :nl-ext none)\n"
_COVERINGS_SECONDS = 0.3  # then cvc5 starts over as it comes, with all the time there is


@dataclass(frozen=True)
class Answer:
    """What one solver said: "unsat", "sat", "unknown", "limit" (it did all the work that it may),
    "timeout" (a clock stopped it) or "error"; `model` has the rational values of a sat.
    """

    solver: str
    status: str
    model: tuple[tuple[str, Fraction | None], ...] = ()

    @property
    def words(self) -> str:
        """The status, and what stopped the solver."""
        return _STOPPED.get(self.status, self.status)


def smtlib(assumptions: "Sequence[Basic]", conclusion: object) -> str:
    """Return the query that is unsatisfiable iff the assumptions imply the conclusion for all
    reals.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> print(smtlib([x >= 1], x**2 >= x))
    (set-logic QF_NRA)
    (declare-fun x () Real)
    (assert (>= x 1))
    (assert (not (>= (* x x) x)))
    (check-sat)
    <BLANKLINE>
    """
    symbols = sorted(
        {symbol.name for formula in [*assumptions, conclusion] for symbol in formula.free_symbols}
    )
    for name in symbols:
        if not (name.isidentifier() and name.isascii()):
            said = f'expected variables that are identifiers of ASCII letters, found "{name}"'
            raise SolverError(said)
    lines = ["(set-logic QF_NRA)", *(f"(declare-fun {name} () Real)" for name in symbols)]
    lines += [f"(assert {_text(formula)})" for formula in assumptions]
    lines += [f"(assert (not {_text(conclusion)}))", "(check-sat)"]
    return "\n".join(lines) + "\n"


@cache
def ask(solver: str, query: str, timeout: float) -> Answer:
    """Return what `decided` says, asked once."""
    return decided(solver, query, timeout)


def decided(solver: str, query: str, timeout: float, patience: float | None = None) -> Answer:
    """Run one solver ("z3" or "cvc5") on a query in a process of its own, for as much work as it
    does in about `timeout` seconds, by its own count. A clock stops it after 10 times as many
    seconds of the processor (10 at least), and cvc5 on products after `timeout`; or after
    `patience` seconds of somebody's choice (`SolverProcess.ask`).

    Without `patience`, cvc5 first decides by cylindrical coverings alone, which mostly takes a
    third of the time; where that tells nothing, it does what it does by default, and if a clock
    stops that, all coverings: whether the first of them came in time then changes nothing.
    """
    process, units = _PROCESSES[solver], max(1, int(timeout * _UNITS[solver]))
    long = _SLOW * max(timeout, 1.0)
    if solver == "z3":
        return _answer(solver, process.ask(f"{units}\n{query}", long, patience))
    if "(set-logic QF_LRA)" in query:
        counted = f"(set-option :rlimit {units})\n{query}"
        return _answer(solver, process.ask(counted, long, patience))
    if patience is not None:
        return _answer(solver, process.ask(query, timeout, patience))
    short = min(timeout, _COVERINGS_SECONDS)
    for options, seconds in ((_COVERINGS, short), ("", timeout), (_COVERINGS, timeout)):
        answer = _answer(solver, process.ask(options + query, seconds, patience))
        if answer.status in ("sat", "unsat") or (not options and answer.status != "timeout"):
            break
    return answer


def _answer(solver: str, said: str | None) -> Answer:
    """Read what a solver printed."""
    if said is None:
        return Answer(solver, "timeout")
    first, *lines = said.split("\n") if said.strip() else ["error"]
    status, _, why = first.partition(" ")  # cvc5 says why it is unknown
    if (status, why) == ("limit", "") or (status == "unknown" and "RESOURCEOUT" in why):
        return Answer(solver, "limit")
    if status not in ("sat", "unsat", "unknown"):
        return Answer(solver, "error")
    # not Z3's value of x / 0
    values = [line.split(" ") for line in lines if line and not line.startswith("/")]
    try:
        model = [(name, None if text == "irrational" else Fraction(text)) for name, text in values]
    except (ValueError, ZeroDivisionError):
        return Answer(solver, "error")
    return Answer(solver, status, tuple(model))


def _text(formula: "Basic") -> str:
    with extras:
        import sympy

    if formula is sympy.true or formula is sympy.false:
        return str(formula).lower()
    kind = type(formula).__name__
    if isinstance(formula, sympy.Ne):
        return f"(not (= {_text(formula.lhs)} {_text(formula.rhs)}))"
    if isinstance(formula, sympy.core.relational.Relational):
        return f"({formula.rel_op.replace('==', '=')} {_text(formula.lhs)} {_text(formula.rhs)})"
    if kind in ("And", "Or", "Not", "Implies", "Xor"):
        name = {"Implies": "=>"}.get(kind, kind.lower())
        return f"({name} {' '.join(_text(part) for part in formula.args)})"
    if kind == "Equivalent":
        return f"(= {' '.join(_text(part) for part in formula.args)})"
    return _term(formula)


def _term(term: "Basic") -> str:
    with extras:
        import sympy

    if term.is_Symbol:
        return str(term.name)
    if term.is_Rational:
        return _number(Fraction(int(term.p), int(term.q)))
    if term.is_Add or term.is_Mul:
        return f"({'+' if term.is_Add else '*'} {' '.join(_term(part) for part in term.args)})"
    if term.is_Pow and term.exp.is_Integer and term.exp != 0:
        power = int(term.exp)
        base = _term(term.base)
        product = base if abs(power) == 1 else f"(* {' '.join([base] * abs(power))})"
        return product if power > 0 else f"(/ 1 {product})"
    if isinstance(term, sympy.Max | sympy.Min):
        sign = ">=" if isinstance(term, sympy.Max) else "<="
        first, *others = (_term(part) for part in term.args)
        for other in others:
            first = f"(ite ({sign} {first} {other}) {first} {other})"
        return first
    if isinstance(term, sympy.Abs):
        inner = _term(term.args[0])
        return f"(ite (>= {inner} 0) {inner} (- {inner}))"
    raise SolverError(
        f"expected a polynomial or a quotient with rational coefficients, found {term}"
    )


def _number(value: Fraction) -> str:
    above = (
        str(abs(value.numerator))
        if value.denominator == 1
        else f"(/ {abs(value.numerator)} {value.denominator})"
    )
    return f"(- {above})" if value < 0 else above
