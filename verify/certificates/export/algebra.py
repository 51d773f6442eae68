"""Certificates of pure mathematics and of linear programs, as statements about real numbers.

Variables are v0, v1, .. in the order of the certificate. A proof gives the terms of the certificate
their signs, and linear arithmetic over monomials adds them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject

from .layout import ExportedTheorem

KINDS = ("polynomial-inequality", "farkas", "lp-optimum")
MOST = 200  # variables, rows or terms that Coq is asked to add up


def theorem(certificate: JsonObject) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    claim, kind = certificate["claim"], certificate["kind"]
    parts = (claim["variables"], claim.get("rows", []), claim.get("proof", []))
    if max(map(len, parts)) > MOST:
        raise CertificateError(f"over {MOST} variables, rows or terms are not exported")
    made = {"polynomial-inequality": inequality, "farkas": farkas, "lp-optimum": optimum}
    statement, proof = made[kind](claim)
    return ExportedTheorem([], [], statement, "", proof)


def inequality(claim: JsonObject) -> tuple[str, list[str]]:
    count, given = len(claim["variables"]), claim["assumptions"]
    known = [polynomial(each["polynomial"]) for each in given]
    premises = [f"{p} {each['relation']} 0" for p, each in zip(known, given)]
    goal = "False"
    if claim["conclusion"] is not None:
        goal = polynomial(claim["conclusion"]["polynomial"])
        goal += f" {claim['conclusion']['relation']} 0"
    proof = [introduced(count, len(given))]
    proof += [signed(i, term, given, known) for i, term in enumerate(claim["proof"])]
    return quantified(count, [*premises, goal]), [*proof, "lra."]


def signed(i: int, term: JsonObject, given: Sequence[Any], known: Sequence[str]) -> str:
    """Return the step that says which sign a term has."""
    used = [(k, int(power)) for k, power in enumerate(term["powers"]) if int(power) > 0]
    factors = [f"({known[k]})^{power}" for k, power in used]
    if "multiplier" in term:
        k = next(k for k, _ in used if given[k]["relation"] == "=")
        text = " * ".join([f"({polynomial(term['multiplier'])})", *factors])
        return f"assert (T{i} : {text} = 0) by (rewrite ?h{k}; ring)."
    strict = term["square"] is None and all(given[k]["relation"] == ">" for k, _ in used)
    steps = [f"apply {'pow_lt' if strict else 'pow_le'}; lra"] * len(used)
    if term["square"] is not None:
        factors.append(f"({polynomial(term['square'])})^2")
        steps.append("apply pow2_ge_0")
    text, step = number(Fraction(term["coefficient"])), "lra"
    for factor, last in zip(factors, steps):
        text = f"({text}) * {factor}"
        step = f"apply {'Rmult_lt_0_compat' if strict else 'Rmult_le_pos'}; [{step}|{last}]"
    return f"assert (T{i} : 0 {'<' if strict else '<='} {text}) by ({step})."


def farkas(claim: JsonObject) -> tuple[str, list[str]]:
    count, rows = len(claim["variables"]), claim["rows"]
    premises = [f"{linear(row)} {sign} {number(Fraction(bound))}" for row, bound, sign in rows]
    goal, end = "False", claim["conclusion"]
    if end is not None:
        goal = f"{linear(end['row'])} {end['relation']} {number(Fraction(end['bound']))}"
    return quantified(count, [*premises, goal]), [introduced(count, len(rows)), "lra."]


def optimum(claim: JsonObject) -> tuple[str, list[str]]:
    names, free = claim["variables"], {*claim["free"]}
    signs = [f"v{j} >= 0" for j, name in enumerate(names) if name not in free]
    rows = [
        f"{combined(row['coefficients'], names)} {row['relation']} {number(Fraction(row['bound']))}"
        for row in claim["rows"]
    ]
    goal, value = combined(claim["objective"], names), number(Fraction(claim["value"]))
    variables = " ".join(f"v{j}" for j in range(len(names)))
    holds = " /\\ ".join([*signs, *rows, f"{goal} = {value}"])
    above = quantified(len(names), [*signs, *rows, f"{goal} <= {value}"])
    primal = [number(Fraction(claim["primal"].get(name, 0))) for name in names]
    exists = "; ".join(f"exists ({x})" for x in primal)
    return (
        f"(exists {variables} : R, {holds}) /\\ ({above})",
        ["split.", f"- {exists}; repeat split; lra.", "- intros; lra."],
    )


def quantified(count: int, parts: Sequence[str]) -> str:
    variables = " ".join(f"v{j}" for j in range(count))
    return (f"forall {variables} : R, " if count else "") + " -> ".join(parts)


def introduced(variables: int, premises: int) -> str:
    names = [f"v{j}" for j in range(variables)] + [f"h{j}" for j in range(premises)]
    return f"intros{''.join(f' {name}' for name in names)}."


def number(x: Fraction) -> str:
    """Return a number as a fraction of integers."""
    n = str(x.numerator) if x >= 0 else f"({x.numerator})"
    return n if x.denominator == 1 else f"{n} / {x.denominator}"


def polynomial(parts: Sequence[Any]) -> str:
    """Return a sum of monomials."""
    written = []
    for coefficient, exponents in parts:
        powers = [f"v{j}^{e}" for j, e in enumerate(map(int, exponents)) if e > 0]
        written.append(" * ".join([number(Fraction(coefficient)), *powers]))
    return " + ".join(written) or "0"


def linear(row: Sequence[Any]) -> str:
    parts = [(j, Fraction(c)) for j, c in enumerate(row)]
    return " + ".join(f"{number(c)} * v{j}" for j, c in parts if c != 0) or "0"


def combined(row: dict[str, object], names: Sequence[str]) -> str:
    return linear([row.get(name, 0) for name in names])
