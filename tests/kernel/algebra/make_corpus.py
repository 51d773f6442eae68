"""Write the corpus of pure mathematics: certificates that are accepted, and for every side
condition one that is refused.

`python -m tests.kernel.algebra.make_corpus` rewrites `accept/` and `reject/`. A reject file is
named after the side condition of CERTIFICATES.md that it breaks; README.md says how one is added.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.kernel.corpus import Json, edited, write_corpus

HERE = Path(__file__).parent
Polynomial = list[list[Any]]


def certificate(kind: str, claim: Json) -> Json:
    return deepcopy({"format": "pufferproof-certificate/1", "kind": kind, "claim": claim})


def relation(polynomial: Polynomial, sign: str = ">=") -> Json:
    return {"polynomial": polynomial, "relation": sign}


def term(coefficient: Any, powers: list[int], square: Polynomial | None = None) -> Json:
    return {"coefficient": coefficient, "powers": powers, "square": square}


def times(multiplier: Polynomial, powers: list[int]) -> Json:
    return {"multiplier": multiplier, "powers": powers}


def inequality(
    variables: str, assumptions: list[Json], conclusion: Json | None, proof: list[Json]
) -> Json:
    claim = {
        "variables": [*variables],
        "assumptions": assumptions,
        "conclusion": conclusion,
        "proof": proof,
    }
    return certificate("polynomial-inequality", claim)


def farkas(
    variables: str, rows: list[list[Any]], conclusion: list[Any] | None, multipliers: list[Any]
) -> Json:
    stated = None if conclusion is None else dict(zip(("row", "bound", "relation"), conclusion))
    claim = {
        "variables": [*variables],
        "rows": rows,
        "conclusion": stated,
        "multipliers": multipliers,
    }
    return certificate("farkas", claim)


def exp(exponent: Any, lower: Any = None, upper: Any = None) -> Json:
    return certificate("exp-enclosure", {"exponent": exponent, "lower": lower, "upper": upper})


def log(number: Any, lower: Any = None, upper: Any = None) -> Json:
    return certificate("exp-enclosure", {"log_of": number, "lower": lower, "upper": upper})


X, Y = [[1, [1, 0]]], [[1, [0, 1]]]
DIFFERENCE = [[1, [1, 0]], [-1, [0, 1]]]
GAP = [[1, [2, 0]], [-2, [1, 1]], [1, [0, 2]]]  # (x - y)^2
MEANS = inequality("xy", [], relation(GAP), [term(1, [], DIFFERENCE)])
# x > 0 and y >= 0 imply x^2 + 3/2 x y + x > 0
STRICT = inequality(
    "xy",
    [relation(X, ">"), relation(Y)],
    relation([[1, [2, 0]], ["3/2", [1, 1]], [1, [1, 0]]], ">"),
    [term(1, [2, 0]), term("3/2", [1, 1]), term(1, [1, 0])],
)
ABOVE_ONE = [[1, [1]], [-1, [0]]]  # x - 1
# x = y implies x^2 - y^2 = 0, and >= 0
EQUAL = inequality(
    "xy", [relation(DIFFERENCE, "=")], relation([[1, [2, 0]], [-1, [0, 2]]], "="), []
)
EQUAL["claim"]["proof"] = [times([[1, [1, 0]], [1, [0, 1]]], [1])]
# x + y <= 3 from x <= 1 and y < 2; the last row takes part with either sign
ROWS: list[list[Any]] = [[[1, 0], 1, "<="], [[0, 1], 2, "<"], [[1, -1], "1/2", "="]]
SUM = farkas("xy", ROWS[:2], [[1, 1], 3, "<="], [1, 1])
LOG_3 = "1.09861228866810969139524523692"


def accepted() -> dict[str, Json]:
    return {
        "square": MEANS,
        "no-variables": inequality("", [], relation([["1/3", []]], ">"), [term("1/3", [])]),
        "positive-constant": inequality(
            "x", [], relation([[1, [2]], [2, [0]]], ">"), [term(1, [], [[1, [1]]]), term(2, [])]
        ),
        "strict-product": STRICT,
        "square-of-strict": inequality(
            "x", [relation([[1, [1]]], ">")], relation([[1, [2]]], ">"), [term(1, [2])]
        ),
        "weaker-than-strict": edited(STRICT, "claim.conclusion.relation", ">="),
        "assumption-not-used": edited(
            inequality(
                "x",
                [relation([[1, [1]]]), relation([[7, [2]]])],
                relation([[2, [1]]]),
                [term(2, [1, 0])],
            ),
            "claim.assumptions.1.relation",
            "=",
        ),
        "odd-power-of-equation": inequality(
            "x",
            [relation(ABOVE_ONE, "=")],
            relation([[-1, [1]], [1, [0]]]),
            [times([[-1, [0]]], [1])],
        ),
        "equation": EQUAL,
        "equation-as-inequality": edited(EQUAL, "claim.conclusion.relation", ">="),
        "equation-with-positive-term": inequality(
            "x",
            [relation(ABOVE_ONE, "=")],
            relation([[2, [1]], [-1, [0]]], ">"),
            [times([[2, [0]]], [1]), term(1, [0])],
        ),
        "coefficient-and-equation": inequality(
            "x",
            [relation(ABOVE_ONE, "=")],
            relation([[1, [2]], [-2, [1]], [1, [0]]]),
            [term(1, [2])],
        ),
        "contradiction": inequality(
            "x",
            [relation(ABOVE_ONE), relation([[-1, [1]]], ">")],
            None,
            [term(1, [1, 0]), term(1, [0, 1]), term(1, [0, 0])],
        ),
        "zero-coefficients": inequality(
            "x", [], relation([[0, [5]], [1, [2]]]), [term("1.0e0", [], [[-1, [1]], [0, [0]]])]
        ),
        "hundredth-power": inequality(
            "x", [relation([[1, [1]]])], relation([[1, [100]]]), [term(1, [100])]
        ),
        "many-parts": inequality(
            "x",
            [],
            relation([[1, [2 * k]] for k in range(21)]),
            [term(1, [], [[1, [k]]]) for k in range(21)],
        ),
        "twenty-parts": inequality(
            "x",
            [],
            relation([[1, [2 * k]] for k in range(20)]),
            [term(1, [], [[1, [k]]]) for k in range(20)],
        ),
        "farkas": SUM,
        "farkas-strict": edited(SUM, "claim.conclusion.relation", "<"),
        "farkas-larger-bound": farkas("xy", ROWS[:1], [[2, 0], 3, "<"], [2]),
        "farkas-equation": farkas("xy", ROWS, [[0, 1], "1/2", "<="], [1, 0, -1]),
        "farkas-equation-positive": farkas("xy", ROWS, [[1, 0], "5/2", "<"], [0, 1, 1]),
        "farkas-infeasible": farkas("x", [[[1], 1, "<="], [[-1], -2, "<="]], None, [1, 1]),
        "farkas-infeasible-strict": farkas(
            "x", [[[1], 1, "<"], [[-1], -1, "<="]], None, ["1/2", 0.5]
        ),
        "farkas-no-variables": farkas("", [[[], -1, "="]], None, [3]),
        "exp": exp(1, "2.718281828459045", "2.7182818284590453"),
        "exp-upper": exp("1/2", None, "1.65"),
        "exp-lower": exp("0.5", "1.64", None),
        "exp-of-zero": exp(0, 1, "1"),
        "exp-of-zero-between": exp(0, "1/2", "3/2"),
        "exp-negative": exp(-1, "0.36787944117144", "0.36787944117145"),
        "exp-negative-bound": exp(-3, "-1", 1),
        "exp-zero-bound": exp("1e9999", 0, None),
        "exp-huge": exp("1e9999", "1e9999", None),
        "exp-large": exp(20, "485165195.4", "485165195.41"),
        "exp-small": exp("1e-30", f"1.{'0' * 29}1", f"1.{'0' * 29}2"),
        "exp-three-just-below": exp(LOG_3[:-1], None, 3),
        "log": log(3, LOG_3[:-1] + "1", LOG_3[:-1] + "3"),
        "log-of-one": log(1, 0, 0),
        "log-below-one": log("1/2", "-0.69314718056", "-0.69314718055"),
        "log-huge": log("1e9999", "23023", "1e9999"),
        "log-one-sided": log("2", None, 1),
        "log-of-long-number": log("1e155", 356, None),
    }


def refused() -> dict[str, tuple[Any, str]]:
    one, strict = "claim.conclusion", "no term is strictly positive"
    vanish, differ, large = (
        "not every term vanishes",
        "does not add up to the conclusion",
        "too large by",
    )
    text = json.dumps(MEANS)
    return {
        "AC1-claim-missing": (edited(MEANS, "claim", ...), 'certificate": expected the keys'),
        "AC1-key-too-much": (edited(MEANS, "note", "?"), 'certificate": expected the keys'),
        "AC1-of-a-claim": (edited(MEANS, "claim.assumptions", ...), 'claim": expected the keys'),
        "AC1-of-a-term": (
            edited(MEANS, "claim.proof.0.multiplier", X),
            'proof[0]": expected the keys',
        ),
        "AC1-of-a-relation": (
            edited(MEANS, "claim.conclusion.relation", ...),
            'conclusion": expected the keys',
        ),
        "AC1-of-an-enclosure": (
            edited(exp(1, 2, 3), "claim.log_of", 2),
            'claim": expected the keys',
        ),
        "AC1-list": ([MEANS], 'expected "dict"'),
        "AC2-format": (
            edited(MEANS, "format", "pufferproof-certificate/2"),
            'certificate": unknown format',
        ),
        "AC3-kind": (edited(MEANS, "kind", "polynomial-equality"), 'kind": expected one of'),
        "AC3-kind-of-another-rule": (
            edited(MEANS, "kind", "leakage-at-most"),
            'certificate": expected the keys',
        ),
        "AC4-key-twice": (text.replace('"kind"', '"kind": "farkas", "kind"'), "a key occurs twice"),
        "AC5-number-true": (edited(MEANS, "claim.proof.0.coefficient", True), "expected a number"),
        "AC5-number-nan": (
            text.replace('"coefficient": 1', '"coefficient": NaN'),
            "expected a number",
        ),
        "AC5-number-plus": (edited(MEANS, "claim.proof.0.coefficient", "+1"), "expected a number"),
        "AC5-number-spaces": (
            edited(MEANS, "claim.proof.0.coefficient", "1 "),
            "expected a number",
        ),
        "AC5-denominator-zero": (
            edited(MEANS, "claim.proof.0.coefficient", "1/0"),
            "expected a number",
        ),
        "AC5-exponent-five-digits": (
            edited(exp(1, 2, 3), "claim.upper", "1e10000"),
            "expected a number",
        ),
        "AC5-whole-number-as-text": (
            edited(MEANS, "claim.conclusion.polynomial.0.1.0", "2"),
            'expected "Numeral"',
        ),
        "AC5-whole-number-negative": (
            edited(MEANS, "claim.conclusion.polynomial.0.1.0", -2),
            "1 to 9 digits",
        ),
        "AC5-whole-number-long": (
            edited(MEANS, "claim.conclusion.polynomial.0.1.0", 10**9),
            "1 to 9 digits",
        ),
        "AC6-list-as-object": (edited(MEANS, "claim.assumptions", {}), 'expected "list"'),
        "AC6-object-as-list": (edited(MEANS, "claim.conclusion", []), 'expected "dict"'),
        "AC6-entry-of-three": (
            edited(MEANS, "claim.conclusion.polynomial.0", [1, [2, 0], 0]),
            "expected 2 entries",
        ),
        "AC7-variable-twice": (edited(MEANS, "claim.variables", ["x", "x"]), "different names"),
        "AC7-variable-empty": (edited(MEANS, "claim.variables", ["x", ""]), "different names"),
        "AC7-variable-two-lines": (
            edited(MEANS, "claim.variables", ["x", "y\n"]),
            "different names",
        ),
        "AC7-variable-number": (edited(MEANS, "claim.variables", ["x", 1]), 'expected "str"'),
        "AC8-no-term": (inequality("x", [], relation([]), []), "nothing was checked"),
        "AC8-no-row": (farkas("x", [], [[0], 0, "<="], []), "nothing was checked"),
        "AC8-rows-times-zero": (
            farkas("xy", ROWS, [[0, 0], 1, "<="], [0, 0, 0]),
            "nothing was checked",
        ),
        "AC8-no-bound": (exp(1), "nothing was checked"),
        "AP1-monomial-twice": (
            edited(MEANS, f"{one}.polynomial.2.1", [2, 0]),
            "a monomial occurs twice",
        ),
        "AP1-exponents-too-few": (
            edited(MEANS, f"{one}.polynomial.0.1", [2]),
            "expected 2 entries",
        ),
        "AP1-exponents-too-many": (
            edited(MEANS, f"{one}.polynomial.0.1", [2, 0, 0]),
            "expected 2 entries",
        ),
        "AP2-relation-unknown": (
            edited(MEANS, f"{one}.relation", "<="),
            'relation": expected one of',
        ),
        "AP2-relation-of-an-assumption": (
            edited(STRICT, "claim.assumptions.0.relation", "<"),
            "expected one of",
        ),
        "AP3-powers-too-few": (edited(STRICT, "claim.proof.0.powers", [2]), "expected 2 entries"),
        "AP3-powers-too-many": (
            edited(STRICT, "claim.proof.0.powers", [2, 0, 0]),
            "expected 2 entries",
        ),
        "AP3-power-negative": (edited(STRICT, "claim.proof.0.powers", [2, -1]), "1 to 9 digits"),
        "AP4-coefficient-negative": (
            inequality("x", [relation([[1, [1]]])], relation([[-1, [1]]]), [term(-1, [1])]),
            "the coefficient is not positive",
        ),
        "AP4-coefficient-zero": (
            edited(MEANS, "claim.proof", [term(1, [], DIFFERENCE), term(0, [])]),
            "the coefficient is not positive",
        ),
        "AP4-coefficient-zero-for-strict": (
            inequality("x", [], relation([], ">"), [term(0, [])]),
            "the coefficient is not positive",
        ),
        "AP4-coefficient-negative-of-equation": (
            inequality(
                "x", [relation(ABOVE_ONE, "=")], relation([[-1, [1]], [1, [0]]]), [term(-1, [1])]
            ),
            "the coefficient is not positive",
        ),
        "AP5-multiplier-of-inequality": (
            inequality(
                "x", [relation([[1, [1]]])], relation([[-1, [1]]]), [times([[-1, [0]]], [1])]
            ),
            "a multiplier needs",
        ),
        "AP5-multiplier-of-equation-not-used": (
            inequality(
                "x",
                [relation([[1, [1]]]), relation(ABOVE_ONE, "=")],
                relation([[-1, [1]]]),
                [times([[-1, [0]]], [1, 0])],
            ),
            "a multiplier needs",
        ),
        "AP5-multiplier-alone": (
            inequality("x", [], relation([[1, [1]]]), [times([[1, [1]]], [])]),
            "a multiplier needs",
        ),
        "AP6-strict-square": (edited(MEANS, f"{one}.relation", ">"), strict),
        "AP6-strict-square-times-positive": (
            inequality(
                "x",
                [relation([[1, [1]]], ">")],
                relation([[1, [3]]], ">"),
                [term(1, [1], [[1, [1]]])],
            ),
            strict,
        ),
        "AP6-strict-from-not-strict": (
            edited(STRICT, "claim.assumptions.0.relation", ">="),
            strict,
        ),
        "AP6-strict-mixed-product": (
            inequality(
                "xy",
                [relation(X, ">"), relation(Y)],
                relation([[1, [1, 1]]], ">"),
                [term(1, [1, 1])],
            ),
            strict,
        ),
        "AP6-strict-from-equation": (edited(EQUAL, f"{one}.relation", ">"), strict),
        "AP6-contradiction-not-strict": (
            inequality(
                "x",
                [relation([[1, [1]]]), relation([[-1, [1]]])],
                None,
                [term(1, [1, 0]), term(1, [0, 1])],
            ),
            strict,
        ),
        "AP6-contradiction-of-nothing": (inequality("x", [], None, []), strict),
        "AP7-equation-from-inequality": (edited(MEANS, f"{one}.relation", "="), vanish),
        "AP7-equation-with-positive-term": (
            inequality(
                "x",
                [relation(ABOVE_ONE, "=")],
                relation([[1, [1]]], "="),
                [times([[1, [0]]], [1]), term(1, [0])],
            ),
            vanish,
        ),
        "AP8-other-coefficient": (
            edited(MEANS, f"{one}.polynomial.1.0", "-2000001/1000000"),
            differ,
        ),
        "AP8-other-monomial": (edited(MEANS, f"{one}.polynomial.1.1", [1, 2]), differ),
        "AP8-term-missing": (edited(STRICT, "claim.proof.1", ...), differ),
        "AP8-conclusion-smaller": (
            inequality("x", [], relation([[1, [2]], [-1, [0]]]), [term(1, [], [[1, [1]]])]),
            differ,
        ),
        "AP8-conclusion-larger": (
            inequality("x", [], relation([[1, [2]], [1, [0]]]), [term(1, [], [[1, [1]]])]),
            differ,
        ),
        "AP8-square-twice": (edited(MEANS, "claim.proof", [term(1, [], DIFFERENCE)] * 2), differ),
        "AP8-contradiction": (
            inequality(
                "x",
                [relation(ABOVE_ONE), relation([[-1, [1]]], ">")],
                None,
                [term(1, [1, 0]), term(1, [0, 1])],
            ),
            differ,
        ),
        "AF1-row-too-short": (edited(SUM, "claim.rows.0.0", [1]), "expected 2 entries"),
        "AF1-row-too-long": (edited(SUM, "claim.rows.0.0", [1, 0, 0]), "expected 2 entries"),
        "AF1-conclusion-too-short": (edited(SUM, f"{one}.row", [1]), "expected 2 entries"),
        "AF2-relation-unknown": (edited(SUM, "claim.rows.0.2", ">="), "expected one of"),
        "AF2-relation-of-the-conclusion": (edited(SUM, f"{one}.relation", ">="), "expected one of"),
        "AF2-equation-concluded": (edited(SUM, f"{one}.relation", "="), "no rule"),
        "AF3-multipliers-too-few": (edited(SUM, "claim.multipliers", [1]), "expected 2 entries"),
        "AF3-multipliers-too-many": (
            edited(SUM, "claim.multipliers", [1, 1, 0]),
            "expected 2 entries",
        ),
        "AF4-multiplier-negative": (
            farkas("xy", ROWS, [[-1, 0], -1, "<="], [-1, 0, 0]),
            "are negative",
        ),
        "AF4-multiplier-negative-of-strict": (
            farkas("xy", ROWS, [[0, -1], -2, "<="], [0, -1, 0]),
            "are negative",
        ),
        "AF5-other-coefficient": (edited(SUM, f"{one}.row.1", "999999/1000000"), "do not add up"),
        "AF5-not-zero": (farkas("x", [[[1], -1, "<="]], None, [1]), "do not add up"),
        "AF6-smaller-bound": (edited(SUM, f"{one}.bound", "2999999/1000000"), large),
        "AF6-strict-from-not-strict": (farkas("xy", ROWS, [[1, 0], 1, "<"], [1, 0, 0]), large),
        "AF6-strict-row-not-used": (farkas("xy", ROWS, [[1, 0], 1, "<"], [1, 0, 0]), large),
        "AF6-strict-from-equation": (farkas("xy", ROWS, [[1, -1], "1/2", "<"], [0, 0, 1]), large),
        "AF6-feasible": (farkas("x", [[[1], 1, "<="], [[-1], -1, "<="]], None, [1, 1]), large),
        "AF6-feasible-with-room": (
            farkas("x", [[[1], 1, "<"], [[-1], 0, "<="]], None, [1, 1]),
            large,
        ),
        "AE1-log-of-zero": (log(0, None, 0), "only a positive number"),
        "AE1-log-of-negative": (log(-1, None, 0), "only a positive number"),
        "AE2-lower-above": (exp(1, "2.718281828459046", 3), "it is false that"),
        "AE2-lower-above-thirty-digits": (log(3, LOG_3[:-1] + "3", 2), "it is false that"),
        "AE2-lower-above-of-zero": (exp(0, "1000001/1000000", 2), "it is false that"),
        "AE2-lower-above-negative": (exp(-1, "0.367879441171443", 1), "it is false that"),
        "AE2-lower-above-tiny": (exp("-1e9999", "1e-9999", 1), "it is false that"),
        "AE2-lower-above-log-of-one": (log(1, "1/1000000", 1), "it is false that"),
        "AE3-upper-below": (exp(1, 2, "2.718281828459045"), "it is false that"),
        "AE3-upper-below-of-zero": (exp(0, None, "999999/1000000"), "it is false that"),
        "AE3-upper-zero": (exp(-3, None, 0), "it is false that"),
        "AE3-upper-negative": (exp(-3, None, -1), "it is false that"),
        "AE3-upper-below-huge": (exp("1e9999", None, "1e9999"), "it is false that"),
        "AE3-upper-below-log": (log("1/2", -1, "-0.69314718056"), "it is false that"),
        "AE3-upper-below-log-of-one": (log(1, None, "-1e-9"), "it is false that"),
    }


def main() -> None:
    write_corpus(HERE, accepted(), refused())


if __name__ == "__main__":
    main()
