"""Whether a certificate of an optimum is true: programs are solved, worst cases enumerated."""

from typing import Any

from tests.brute.rays import worst
from tests.kernel.changes import Change

from pufferproof import Framework, Records, Table
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.numbers.grammar import exact


def holds(change: Change) -> bool:
    program = change.certificate["kind"] == "lp-optimum"
    return true_program(change.certificate["claim"]) if program else true_bound(change.certificate)


def true_program(claim: Any) -> bool:
    """Solve the program of a claim, and compare."""
    place = {name: j for j, name in enumerate(claim["variables"])}
    rows = [
        Row({place[k]: exact(c) for k, c in row["coefficients"].items()}, row["relation"], exact(row["bound"]))
        for row in claim["rows"]
    ]
    objective = {place[k]: exact(c) for k, c in claim["objective"].items()}
    program = Program(objective, rows, len(place), {place[name] for name in claim["free"]})
    return solve_exact(program).value == exact(claim["value"])


def true_bound(certificate: Any) -> bool:
    """Compute the worst ratio of a claim from all extreme rays, and compare."""
    space, claim = certificate["framework"], certificate["claim"]
    priors = {name: Table(law) for name, law in space["priors"].items()}
    if claim["records"] is None:
        framework = Framework(space["databases"], space["secrets"], [("s", "t")], priors)
    else:
        records = Records(claim["records"]["count"], tuple(claim["records"]["alphabet"]))
        framework = Framework.of_records(records, space["secrets"], [("s", "t")], priors)
    columns = Columns(framework)
    levels = [None if level is None else exact(level["log"]) for level in claim["per_record"]]
    cones = [columns.cone(exact(budget["log"]), level) for budget, level in zip(claim["budgets"], levels)]
    ratio, bound = worst(columns, cones), exact(claim["level"]["log"])
    return ratio is not None and (ratio <= bound if claim["attained"] is None else ratio == bound)
