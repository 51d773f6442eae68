"""Statements about real numbers: bounds of e^q and log r, polynomials, linear programs."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from .taken_apart import ExportedFile, Json, expect, pair


def enclosure(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of bounds of e^q or log r."""
    claim = certificate["claim"]
    ((key, value),) = claim.items() - [(side, claim[side]) for side in ("lower", "upper")]
    word = {"exponent": "exp", "log_of": "log"}[key]
    bounds = [("at_least", claim["lower"]), ("at_most", claim["upper"])]
    said = [
        f"{word}_{side} {pair(Fraction(value))} {pair(Fraction(bound))}" for side, bound in bounds if bound is not None
    ]
    return [], " /\\ ".join(said)


def inequality(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of a polynomial inequality."""
    claim = certificate["claim"]
    parts = [*claim["assumptions"], claim["conclusion"]]
    said = [
        "False" if part is None else f"{polynomial(part['polynomial'])} {relation(part['relation'])} 0"
        for part in parts
    ]
    return [], for_all(len(claim["variables"]), said)


def farkas(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of a consequence of linear inequalities."""
    claim = certificate["claim"]
    rows, end = [*claim["rows"]], claim["conclusion"]
    if end is not None:
        rows.append([end["row"], end["bound"], end["relation"]])
    said = [row_said(enumerate(row), sign, bound) for row, bound, sign in rows]
    return [], for_all(len(claim["variables"]), said + ["False"] * (end is None))


def optimum(file: ExportedFile, certificate: Json) -> tuple[list[str], str]:
    """Return the statement of the optimum of a linear program."""
    claim = certificate["claim"]
    place = {name: j for j, name in enumerate(claim["variables"])}

    def numbered(row: dict[str, object]) -> list[tuple[int, object]]:
        return sorted((place[name], c) for name, c in row.items())

    limits = [f"v{j} >= 0" for name, j in place.items() if name not in claim["free"]]
    limits += [row_said(numbered(row["coefficients"]), row["relation"], row["bound"]) for row in claim["rows"]]
    best, value = numbered(claim["objective"]), claim["value"]
    reached = " /\\ ".join([*limits, row_said(best, "=", value)])
    above = for_all(len(place), [*limits, row_said(best, "<=", value)])
    names = " ".join(f"v{j}" for j in place.values())
    return [], f"(exists {names} : R, {reached}) /\\ ({above})"


def for_all(count: int, said: list[str]) -> str:
    names = " ".join(f"v{j}" for j in range(count))
    return f"forall {names} : R, " * (count > 0) + " -> ".join(said)


def relation(given: str) -> str:
    expect(given in ("<=", "<", "=", ">=", ">"), "relation")
    return given


def row_said(row: Iterable[tuple[int, Any]], sign: str, bound: Json) -> str:
    parts = [f"{real(c)} * v{j}" for j, c in row if Fraction(c) != 0]
    return f"{' + '.join(parts) or '0'} {relation(sign)} {real(bound)}"


def polynomial(parts: Json) -> str:
    shown = ([real(c), *(f"v{j}^{e}" for j, e in enumerate(exponents) if int(e) > 0)] for c, exponents in parts)
    return " + ".join(" * ".join(part) for part in shown) or "0"


def real(given: Json) -> str:
    x = Fraction(given)
    above = f"({x.numerator})" if x < 0 else f"{x.numerator}"
    return above if x.denominator == 1 else f"{above} / {x.denominator}"
