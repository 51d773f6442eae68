"""The databases that the witness of a program is about: its own draws are compared with its law
there before the verdict counts.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.verify.audit.answer import Audit

if TYPE_CHECKING:
    from pufferproof.verify.programs.law import Law, Mass


def compare_draws(audit: Audit, singles: Mapping[int, Audit] | None = None) -> None:
    """Compare the laws of the programs of an audit with their draws, on the first two databases and
    on those of the witness, that of a program alone if `singles` has one by its identity.

    Raises `ProgramError` if draws disagree.
    """
    for each in audit.programs:
        alone = audit if singles is None else singles.get(id(each))
        if alone is None or each.program.form == "each":  # of which each record has a law
            each.compare()
        else:
            each.compare(databases_of(alone, each.law))


def databases_of(audit: Audit, law: "Law") -> list[str]:
    """Return a database of each secret of the witness that makes its output likeliest; none where
    the law is of records, or the prior is one of a class.
    """
    priors = [name for name, _ in _parts(audit)]
    if any(name not in audit.framework.laws for name in priors):
        return []
    output = label_of(audit, law)
    weights = [given_secret(audit, secret) for secret in audit.witness.pair]
    return [likeliest_of(each, law, output) for each in weights if each.keys() <= law.masses.keys()]


def likeliest_of(weights: Mapping[str, Fraction], law: "Law", output: str) -> str:
    """Return the database that gives an output most of its probability."""
    return max(weights, key=lambda x: float(weights[x]) * approx(law.masses[x].get(output)))


def label_of(audit: Audit, law: "Law") -> str:
    """Return the label of the witness's output: of a number that is drawn without its place."""
    output = audit.witness.output
    if output in law.outputs:
        return output
    if law.noise is not None:  # all paths have one output
        return law.outputs[0]
    every = {path.output for paths in law.paths.values() for path in paths}
    return next((each for each in every if output.startswith(f"{each} at ")), output)


def given_secret(audit: Audit, secret: str) -> dict[str, Fraction]:
    """Return the law of the databases given a secret, under the prior, or the mixture of priors, of
    the witness.
    """
    found: dict[str, Fraction] = {}
    for name, share in _parts(audit):
        law = audit.framework.laws[name]
        for index in audit.framework.secrets[secret]:
            if weight := law.weights[index]:
                label = audit.framework.databases[index]
                found[label] = found.get(label, Fraction(0)) + share * Fraction(weight, law.total)
    total = sum(found.values())
    return {label: weight / total for label, weight in found.items()}


def _parts(audit: Audit) -> tuple[tuple[str, Fraction], ...]:
    prior = audit.witness.prior
    return prior if isinstance(prior, tuple) else ((str(prior), Fraction(1)),)


def approx(mass: "Mass | None") -> float:
    """Return a probability in floats."""
    return 0.0 if mass is None else float(mass.ball())
