"""Where promises end: collapse under a second release, mixtures of priors, secrets of
probability zero.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from pufferproof.examples.builders.mechanisms.randomized_response import randomized_response
from pufferproof.examples.builders.shapes import Audited, Example, Joint
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.collapse import bits_collapse, four_outputs_collapse, pair_collapse
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table

BAI = "Bai, He, Gu, Kifer and Maeng, Composition for Pufferfish Privacy, 2026, Section 4"


def examples() -> list[Example]:
    """Return the examples of this file, in order."""
    return [collapse_pair(), collapse_bits(), collapse_four_outputs(), mixture(), zero_probability()]


def collapse_pair() -> Example:
    """Published collapse, Example 1: a database hidden beside one drawn from the other secret."""
    people = {"ann": "1/8", "bob": "1/4", "cyd": "1/8", "dan": "1/3", "eve": "1/6"}
    framework = Framework(
        list(people),
        {"ill": ["ann", "bob", "cyd"], "well": ["dan", "eve"]},
        [("ill", "well")],
        {"known": Table(people)},
    )
    return Example(
        "collapse-pair",
        "Collapse: a database beside a decoy",
        "one release tells nothing about the secret, a second one can tell it for certain",
        {"framework.json": framework},
        {"mechanism.json": pair_collapse(framework)},
        [
            Audited(
                "framework.json",
                "mechanism.json",
                "the decoy makes the output independent of the secret, so nothing leaks",
                "0",
                "0",
                f"{BAI}, Example 1",
            )
        ],
        [
            Joint(
                "framework.json",
                ("mechanism.json",) * 2,
                "two different decoys leave only one database, so everything leaks",
            )
        ],
    )


def collapse_bits() -> Example:
    """Published collapse, Example 2: differences or a parity of fair bits, for odd and even n."""
    frameworks = {"framework.json": _fair_bits(3), "framework-4.json": _fair_bits(4)}
    return Example(
        "collapse-bits",
        "Collapse: differences or a parity of fair bits",
        "each release is independent of every bit, and two releases of different kinds give all bits",
        frameworks,
        {
            "mechanism.json": bits_collapse(frameworks["framework.json"]),
            "mechanism-4.json": bits_collapse(frameworks["framework-4.json"]),
        },
        [
            Audited(
                "framework.json",
                "mechanism.json",
                "with three bits the output is independent of every single bit, so nothing leaks",
                "0",
                "0",
                f"{BAI}, Example 2",
            ),
            Audited(
                "framework-4.json",
                "mechanism-4.json",
                "with four bits, where the parity leaves out the first bit, nothing leaks either",
                "0",
                "0",
                f"{BAI}, Example 2",
            ),
        ],
        [
            Joint(
                "framework.json",
                ("mechanism.json",) * 2,
                "differences and parity together determine every bit, so everything leaks",
            ),
            Joint("framework-4.json", ("mechanism-4.json",) * 2, "the same holds for four bits, so everything leaks"),
        ],
    )


def collapse_four_outputs() -> Example:
    """Published collapse, Example 3, with the printed intervals [.35, .65] and [.4, .6] at
    their ends.
    """
    labels = ["true core", "true rest", "false core", "false rest"]
    priors = {
        f"u={u} f={f}": Table(_cores(Fraction(u), Fraction(f))) for u, f in product(("7/20", "13/20"), ("2/5", "3/5"))
    }
    framework = Framework(labels, {"true": labels[:2], "false": labels[2:]}, [("true", "false")], priors)
    return Example(
        "collapse-four-outputs",
        "Collapse: four outputs, several priors",
        "a small leakage under four priors at once, and everything after two different outputs",
        {"framework.json": framework},
        {"mechanism.json": four_outputs_collapse(framework, {"true core"}, {"false core"})},
        [
            Audited(
                "framework.json",
                "mechanism.json",
                "the printed formula for the level is tight at the ends of the printed "
                "intervals, where an output multiplies the odds by up to {ratio}",
                "log(12/7)",
                "log(12/7)",
                f"{BAI}, Example 3",
            )
        ],
        [
            Joint(
                "framework.json",
                ("mechanism.json",) * 2,
                "two different outputs together are possible under one secret only, so everything leaks",
            )
        ],
    )


def mixture() -> Example:
    """Two adversaries who know the hospital learn nothing; one who does not know it learns."""
    labels = ["north ill", "north well", "south ill", "south well"]
    priors = {
        "north": Table({"north ill": "1/4", "north well": "3/4"}),
        "south": Table({"south ill": "3/4", "south well": "1/4"}),
    }
    secrets = {"ill": ["north ill", "south ill"], "well": ["north well", "south well"]}
    return Example(
        "mixture",
        "A mixture worse than its parts",
        "zero leakage for each of two priors does not carry over to their mixtures",
        {
            "framework.json": Framework(labels, secrets, [("ill", "well")], priors),
            "framework-mixtures.json": Framework(labels, secrets, [("ill", "well")], priors, "convex"),
        },
        {"mechanism.json": _hospital(labels, 4), "mechanism-3.json": _hospital(labels, 3)},
        [
            Audited(
                "framework.json",
                "mechanism.json",
                "those who know the hospital learn nothing from a noisy report of it, so "
                "nothing leaks under either prior",
                "0",
            ),
            Audited(
                "framework-mixtures.json",
                "mechanism.json",
                "those who do not know it learn about the illness: under a mixture of the "
                "priors an output multiplies the odds by up to {ratio}",
                "0",
            ),
            Audited(
                "framework-mixtures.json",
                "mechanism-3.json",
                "with more noise an output multiplies the odds by up to about {about}, and "
                "the worst mixture has irrational weights",
                "0",
            ),
        ],
    )


def zero_probability() -> Example:
    """A pair that no single prior can check, and one that only one prior can."""
    labels = ["strain A", "strain B", "no flu"]
    priors = {
        "summer": Table({"strain A": "1/10", "no flu": "9/10"}),
        "winter": Table({"strain B": "1/5", "no flu": "4/5"}),
    }
    secrets = {label: [label] for label in labels}
    pairs = [("strain A", "no flu"), ("strain B", "no flu"), ("strain A", "strain B")]
    lab = Channel.of(
        {"strain A": ["1/2", "0", "1/2"], "strain B": ["0", "1/2", "1/2"], "no flu": ["1/4", "1/4", "1/2"]},
        ["type A", "type B", "unclear"],
    )
    return Example(
        "zero-probability",
        "A secret of probability zero",
        "a prior that rules a secret out leaves its pairs unchecked; mixtures of the priors bring them back",
        {
            "framework.json": Framework(labels, secrets, pairs[:1], priors),
            "framework-strains.json": Framework(labels, secrets, [*pairs[:1], pairs[2]], priors),
            "framework-mixtures.json": Framework(labels, secrets, pairs[2:], priors, "convex"),
        },
        {"mechanism.json": randomized_response(labels, 3), "mechanism-lab.json": lab},
        [
            Audited(
                "framework.json",
                "mechanism.json",
                "nobody has strain A in winter, so that prior is left out ({excluded} exclusion) and summer decides",
                "log(3)",
            ),
            Audited(
                "framework-strains.json",
                "mechanism.json",
                "no prior allows both strains, so the audit never checks that pair ({excluded} exclusions) and says so",
                "log(3)",
            ),
            Audited(
                "framework-mixtures.json",
                "mechanism-lab.json",
                "a mixture of the seasons allows both strains, and the report of the lab "
                "separates them, so everything leaks",
            ),
        ],
    )


def _fair_bits(bits: int) -> Framework:
    records = Records(bits, ("0", "1"))
    secrets: dict[str, tuple[int, str] | Sequence[str]] = {
        f"x{record}={value}": (record, value) for record in range(1, bits + 1) for value in records.alphabet
    }
    pairs = [(f"x{record}=0", f"x{record}=1") for record in range(1, bits + 1)]
    return Framework.of_records(records, secrets, pairs, {"fair": Product([["1/2", "1/2"]] * bits)})


def _cores(true_core: Fraction, false_core: Fraction) -> dict[str, Fraction]:
    """Return the prior with P(U_T | true) and P(U_F | false) as given, both secrets being
    equally likely.
    """
    halves = (
        ("true core", true_core),
        ("true rest", 1 - true_core),
        ("false core", false_core),
        ("false rest", 1 - false_core),
    )
    return {label: share / 2 for label, share in halves}


def _hospital(labels: Sequence[str], ratio: int) -> Channel:
    """Return randomized response on the hospital, the first word of the label."""
    response = randomized_response(["north", "south"], ratio)
    return Channel.of(
        {
            label: {place: response.probability(label.split()[0], place) for place in response.outputs}
            for label in labels
        }
    )
