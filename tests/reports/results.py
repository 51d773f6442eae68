"""Results of claims made up for the tests of the report: every verdict, every kind of trust,
and labels that attack a page.
"""

from fractions import Fraction

import sympy

from pufferproof.claims.language.proof import Proof
from pufferproof.claims.registry import Check, Claim
from pufferproof.claims.run import as_result
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table
from pufferproof.verify.proof.argument import Step

ATTACK = "<script>document.title='run'</script>"


def step(name, kind="inequality", ok=True, trust=("Z3", "CVC5"), formula="", **more):
    more = {"judge": "formula" if kind == "counterexample" else ""} | more
    return Step(name, kind, more.pop("sentence", f"The sentence of {name}."), formula, ok, trust, 0.02, **more)


def exhausted(name):
    """Return a step that was evaluated at every instance: a reading of it alone is CHECKED."""
    return step(name, "exhaust", trust=("EXACT",), checked=49, detail="49 instances")


def result(identifier, *readings, near=(), **more):
    """Return a result with readings and near misses given as (name, steps); a proof without any
    gets one that is false.
    """
    more = {"where": "Lemma 1", "statement": "A statement.", "kind": "lemma", "assumes": (), "repair": None} | more
    check = Check(Claim(identifier, function=lambda check: None, unsaid={"": "of a test"}, **more))
    whole = check.claim.formula
    check.readings = [argument(name, steps, "all finite sizes", whole) for name, steps in readings]
    if not near and any(each.verdict.value in ("PROVED", "CHECKED") for each in check.readings):
        near = [("a near miss", [step("too strong", ok=False, trust=("Z3",), refuted=True)])]
    check.near_misses = [argument(name, steps, "near miss") for name, steps in near]
    return as_result(check, 0.25)


def argument(name, steps, scope, whole=None):
    return Proof(name, scope, whole=whole, steps=list(steps))


def implication():
    a, b, c, d = sympy.symbols("a b c d")
    assumed = sympy.And(b > 0, d > 0, a / b <= c / d)
    return sympy.Implies(assumed, (a + c) / (b + d) < c / d, evaluate=False)


def instance():
    """Return a framework and a mechanism that tells its two secrets apart by the ratio 3, and
    what was claimed.
    """
    framework = Framework(
        databases=["00", ATTACK],
        secrets={"zero": ["00"], "one": [ATTACK]},
        pairs=[("zero", "one")],
        priors={"uniform": Table({"00": Fraction(1, 2), ATTACK: Fraction(1, 2)})},
    )
    channel = Channel.of({"00": {"y": "3/4", "n": "1/4"}, ATTACK: {"y": "1/4", "n": "3/4"}})
    rows = {"P": [Fraction(3, 4), Fraction(1, 4)], "Q": [Fraction(1, 4), Fraction(3, 4)], "R": 2, "delta": 0}
    return {"framework": framework, "mechanism": channel, "epsilon": "log(2)", "n": 2, **rows}


def certificate():
    """Return the certificate of "x <= 1 implies 2 x <= 3"."""
    rows = {"variables": ["x"], "rows": [[[1], 1, "<="]], "multipliers": [2]}
    conclusion = {"row": [2], "bound": 3, "relation": "<="}
    return {"format": "pufferproof-certificate/1", "kind": "farkas", "claim": rows | {"conclusion": conclusion}}


def every_kind():
    """Return one result for every verdict and kind of trust."""
    refute = step(
        "two databases", "counterexample", trust=("EXACT",), evidence=instance(), sentence="The ratio is 3 > 2"
    )
    x = sympy.Symbol("x")
    query = "(set-logic QF_NRA)\n(assert (< 1 0))\n(check-sat)\n"
    failing = step(
        "m", ok=False, trust=("Z3",), formula=implication(), query=query, evidence={"a": Fraction(1)}, refuted=True
    )
    proved = (
        "as printed",
        [
            step(
                "mediant",
                formula=implication(),
                query=query,
                detail="z3: unsat, cvc5: unsat",
                certificate=certificate(),
            )
        ],
    )
    square = sympy.Eq(x * (x + 1), x**2 + x, evaluate=False)
    return [
        result("lemma.solvers", proved, near=[("strict", [failing])], formula=implication()),
        result(
            "lemma.kernel",
            ("as printed", [step("k", trust=("KERNEL",), formula=2 * x <= 3, certificate=certificate())]),
            formula=2 * x <= 3,
        ),
        result(
            "lemma.exact", ("as printed", [step("i", "identity", trust=("EXACT",), formula=square)]), formula=square
        ),
        result("paper.checked", ("as printed", [exhausted("e")])),
        result(
            "paper.refuted",
            ("as printed", [refute]),
            ("mended", [exhausted("m")]),
            repair="lemma.solvers",
            where="Theorem 2",
        ),
        result("paper.x-question", ("as printed", [refute]), where="beside Theorem 2"),
        result("paper.open", ("as printed", [failing])),
        result("paper.definition", ("as printed", [step("d", "definition", trust=())])),
        result("paper.broken") | {"error": "SolverError: the solvers disagree", "verdict": "OPEN"},
        attack(),
    ]


def attack():
    """Return a claim whose id, labels, formula and evidence all try to be markup."""
    forged = step(
        ATTACK, formula=ATTACK, sentence=ATTACK, detail=ATTACK, query=ATTACK, trust=(ATTACK, f"COQ({ATTACK})")
    )
    proof = step("two", "counterexample", trust=("EXACT",), sentence=ATTACK, evidence={ATTACK: {ATTACK: [ATTACK]}})
    made = result(
        f"../{ATTACK}", (ATTACK, [forged, proof]), statement=ATTACK, where=ATTACK, assumes=(ATTACK,), repair=ATTACK
    )
    made["readings"][0]["steps"][0]["formula"]["mathml"] = f"<mi>{ATTACK}</mi>"
    return made


def many(count):
    """Return that many results, copies of the others under ids of their own."""
    kinds = every_kind()
    return [kinds[number % len(kinds)] | {"id": f"paper{number % 5}.claim{number}"} for number in range(count)]
