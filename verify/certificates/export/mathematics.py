"""Certificates of pure mathematics and of linear programs, as statements about real numbers, and
enclosures of e^q or log r, with hints that Coq judges as those of levels in nats.

Variables are v0, v1, .. in the order of the certificate. A proof gives the terms of the certificate
their signs, and linear arithmetic over monomials adds them up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.certificates.export.layout import ExportedTheorem, signed
from pufferproof.verify.certificates.export.levels import coq_power

ALGEBRA_KINDS = ("polynomial-inequality", "farkas", "lp-optimum")
MOST = 200  # variables, rows or terms that Coq is asked to add up
EXPONENTIAL_KINDS = ("exp-enclosure",)
MODULES = ("Exponentials",)
BITS = (64, 160, 400, 1000)  # bits after the point
PARTS = {"lower": "at_least", "upper": "at_most"}
THEOREMS = {("lower",): "above", ("upper",): "below", ("lower", "upper"): "between"}
MOST_BITS = 4096  # bits of a numerator or denominator


def algebra_theorem(certificate: JsonObject) -> ExportedTheorem:
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
    known = [polynomial(assumption["polynomial"]) for assumption in given]
    premises = [f"{p} {assumption['relation']} 0" for p, assumption in zip(known, given)]
    goal = "False"
    if claim["conclusion"] is not None:
        goal = polynomial(claim["conclusion"]["polynomial"])
        goal += f" {claim['conclusion']['relation']} 0"
    proof = [introduced(count, len(given))]
    proof += [sign_of(i, term, given, known) for i, term in enumerate(claim["proof"])]
    return quantified(count, [*premises, goal]), [*proof, "lra."]


def sign_of(i: int, term: JsonObject, given: Sequence[JsonObject], known: Sequence[str]) -> str:
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

    def combined(row: JsonObject) -> str:
        return linear([row.get(name, 0) for name in names])

    rows = [
        f"{combined(row['coefficients'])} {row['relation']} {number(Fraction(row['bound']))}" for row in claim["rows"]
    ]
    goal, value = combined(claim["objective"]), number(Fraction(claim["value"]))
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


def polynomial(parts: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a sum of monomials."""
    written = []
    for coefficient, exponents in parts:
        powers = [f"v{j}^{e}" for j, e in enumerate(map(int, exponents)) if e > 0]
        written.append(" * ".join([number(Fraction(coefficient)), *powers]))
    return " + ".join(written) or "0"


def linear(row: Sequence[str | int]) -> str:
    parts = [(j, Fraction(c)) for j, c in enumerate(row)]
    return " + ".join(f"{number(c)} * v{j}" for j, c in parts if c != 0) or "0"


@dataclass(frozen=True)
class Looked:
    """As much of an exponent as is needed, halvings, and bits."""

    part: Fraction = Fraction(0)
    halvings: int = 0
    bits: int = 1

    def coq(self) -> str:
        n, d = self.part.as_integer_ratio()
        return f"(Looked {n} {d} {self.halvings} {self.bits})"


def exponential_theorem(certificate: JsonObject) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    claim = certificate["claim"]
    log = "log_of" in claim
    value, word = Fraction(claim["log_of" if log else "exponent"]), "log" if log else "exp"
    sides = tuple(side for side in ("lower", "upper") if claim[side] is not None)
    limits = [Fraction(claim[side]) for side in sides]
    if any(max(map(int.bit_length, x.as_integer_ratio())) > MOST_BITS for x in [value, *limits]):
        raise CertificateError(f"numbers of over {MOST_BITS} bits are not exported in bounds of e^q")
    about, *ends = (f"{signed(x.numerator)} {x.denominator}" for x in [value, *limits])
    said = [f"{word}_{PARTS[side]} {about} {end}" for side, end in zip(sides, ends)]
    hints = []
    for side, limit in zip(sides, limits):
        exponent, bound = (limit, value) if log else (value, limit)
        hints.append(looked(exponent, bound, above=log != (side == "lower")).coq())
    term = " ".join([f"{word}_{THEOREMS[sides]}_of", about, *ends, *hints])
    return ExportedTheorem(MODULES, [], " /\\ ".join(said), term)


def looked(exponent: Fraction, bound: Fraction, above: bool) -> Looked:
    """Return how Coq finds that e^exponent is at least the bound, or at most it.

    Raises `CertificateError` if none of the precisions that are tried serves.
    """
    if bound <= 0 or exponent == 0:
        return Looked()
    up = exponent > 0
    number = bound if up else 1 / bound
    n, d = abs(exponent).as_integer_ratio()
    # more of an exponent than the logarithm of the number is not needed
    part = min(abs(exponent), Fraction(number.numerator.bit_length() + 1))
    whole = 2 * int(part) + 2
    for precision in BITS:
        halvings = precision + 2 * whole.bit_length()
        bits = precision + halvings + whole
        if above == up:  # Coq finds that e^exponent is at least the number
            serves = number * (1 << bits) <= coq_power(part, halvings, bits, below=True)
        elif part < abs(exponent) or n >= d << halvings:
            serves = False
        else:
            serves = coq_power(abs(exponent), halvings, bits, below=False) <= number * (1 << bits)
        if serves:
            return Looked(part, halvings, bits)
    raise CertificateError("e^q or log r is too close to a bound to be exported")
