"""Files for a reviewer to start from: one claim that is proved and one that is refuted.

`prove --new NAME` writes NAME.py; its words say what to change, and `prove --claims` examines it.
"""

import os
import re

from pufferproof.models.errors import ModelError
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import print_lines

_NAME = re.compile(r"[a-z][a-z0-9_]*")

TEMPLATE = '''\
"""Claims of a paper under review. Change the words and the formulas; the verdicts follow.

    pufferproof prove --claims NAME.py
    pufferproof prove --claims NAME.py --out report
"""

from fractions import Fraction

from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import Check, claim

# Shown with the claims. `place` is an arXiv number, a DOI or an address.
PAPER = {
    "title": "The title of the paper",
    "authors": ["Ann First", "Ben Second"],
    "year": "2027",
    "place": "",
}

# What the letters of statements mean, for readers.
NOTATION = {
    "R, S": "e^eps_1, e^eps_2, for the levels of two releases",
    "a, b": "the probabilities of a first output under two databases",
    "c, d": "the probabilities of a second output under them",
}


# The id begins with the name of the paper. This statement is one formula, so that an engine can
# decide all of it. Near misses are made from it: each hypothesis must be needed.
@claim(
    "NAME.thm1",
    where="Theorem 1, for two outputs",
    statement=formula("a*c <= R*S*b*d", given="0 <= a <= R*b, 0 <= c <= S*d"),
)
def theorem_1(check: Check) -> None:
    """With fresh randomness, probabilities multiply, and so do the bounds."""
    check.formula()


def larger(levels: list[Fraction]) -> bool:
    """Whether the joint ratio exceeds the larger bound: what the statement below denies."""
    return levels[0] * levels[1] > max(levels)


# A false claim needs one exact instance: what it is, a program that says the statement is false
# there, and the same as a formula in the numbers of the evidence.
@claim(
    "NAME.cor2",
    where="Corollary 2",
    statement="If two mechanisms keep eps_1 and eps_2 between two databases, their joint release "
    "keeps the larger of the two levels.",
    repair="NAME.thm1",
)
def corollary_2(check: Check) -> None:
    evidence = {"e_eps_1": Fraction(2), "e_eps_2": Fraction(3), "ratio": Fraction(6)}
    with check.reading("as printed") as proof:
        proof.counterexample(
            "two answers at random",
            "Randomised responses with e^eps_1 = 2 and e^eps_2 = 3: if both say yes, the ratio "
            "of the joint probabilities is 2 * 3",
            evidence,
            lambda: larger([evidence["e_eps_1"], evidence["e_eps_2"]]),
            "e_eps_1 * e_eps_2 = ratio and ratio > e_eps_1 and ratio > e_eps_2",
        )
'''


def write_template(name: str) -> None:
    """Write NAME.py, and say so. Raises `ModelError` unless the name is one of a module,
    and nothing is there.
    """
    if not _NAME.fullmatch(name):
        raise ModelError(f'expected a name such as "my2027", found "{name}"', "--new")
    path = f"{name}.py"
    if os.path.lexists(path):
        raise ModelError("exists already; choose another name", path)
    write_outputs({path: TEMPLATE.replace("NAME", name).encode()}, inputs=[])
    print_lines(
        f"claims    {path}: a true one, which is proved, and a false one, which is refuted",
        f"next      pufferproof prove --claims {path}",
    )
