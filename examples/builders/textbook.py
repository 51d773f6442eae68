"""Textbook differentially private mechanisms, correct and broken, each audited at the level its
publication claims.
"""

from fractions import Fraction
from itertools import product

from pufferproof.examples.builders.mechanisms.geometric import range_restricted_geometric, truncated_geometric
from pufferproof.examples.builders.mechanisms.laplace import discretised_laplace, renormalised_laplace
from pufferproof.examples.builders.mechanisms.noisy_max import noisy_max, noisy_max_value
from pufferproof.examples.builders.mechanisms.randomized_response import randomized_response, record_randomized_response
from pufferproof.examples.builders.mechanisms.sparse_vector import (
    chen,
    lee_clifton,
    roth_notes,
    sparse_vector,
    stoddard,
)
from pufferproof.examples.builders.mechanisms.tails import OneSided, TwoSided
from pufferproof.examples.builders.shapes import (
    Audited,
    Example,
    Joint,
    differ_by_one_everywhere,
    every_database_secret,
    every_sequence_secret,
    record_secret,
    table_of,
)
from pufferproof.examples.programs.noisy_max import flip_coins
from pufferproof.models.mechanisms.exponential import exponential_mechanism
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table

WARNER = "Warner, Randomized response, JASA 60, 1965"
KAIROUZ = "Kairouz, Oh and Viswanath, Extremal mechanisms for local differential privacy, JMLR 17, 2016"
GHOSH = "Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms, STOC 2009"
GUPTE = "Gupte and Sundararajan, Universally optimal privacy mechanisms for minimax agents, PODS 2010"
MCSHERRY = "McSherry and Talwar, Mechanism design via differential privacy, FOCS 2007, Theorem 6"
DWORK = "Dwork, McSherry, Nissim and Smith, Calibrating noise to sensitivity in private data analysis, TCC 2006"
GEOMETRIC = "geometric instead of Laplace noise"
FOUNDATIONS = f"Dwork and Roth, The algorithmic foundations of differential privacy, 2014, Section 3.3 ({GEOMETRIC})"
MCKENNA = "McKenna and Sheldon, Permute-and-flip, NeurIPS 2020"
DETECTING = "Ding, Wang, Wang, Zhang and Kifer, Detecting violations of differential privacy, CCS 2018"
DING = f"Incorrect variant of {DETECTING} ({GEOMETRIC})"
DING_EXPONENTIAL = f"{DETECTING} (geometric instead of exponential noise)"
DING_VALUE = f"Incorrect variant of {DING_EXPONENTIAL}"
LYU = "Lyu, Su and Li, Understanding the sparse vector technique for differential privacy, PVLDB 10, 2017"


def examples() -> list[Example]:
    """Return the examples of this file, in order."""
    return [k_ary(), geometric(), exponential(), laplace(), noisy_maximum(), sparse()]


def k_ary() -> Example:
    """Randomized response on one value, and on three siblings' records."""
    siblings = Records(3, ("0", "1"))
    alike = Table({"000": "3/10", "111": "3/10", **dict.fromkeys(siblings.labels()[1:-1], "1/15")})
    twins = Table({"000": "1/2", "111": "1/2"})
    return Example(
        "randomized-response",
        "Randomized response",
        "k-ary randomized response is tight for one value; siblings whose records are alike lose "
        "up to three times the level",
        {
            "framework.toml": every_database_secret("abcd", lambda left, right: True),
            "framework-records.json": every_sequence_secret(siblings),
            "framework-siblings.json": record_secret(siblings, 1, {"alike": alike}),
            "framework-triplets.json": record_secret(siblings, 1, {"identical": twins}),
        },
        {
            "mechanism.csv": randomized_response("abcd", 3),
            "mechanism-records.json": record_randomized_response(siblings, 3),
        },
        [
            Audited(
                "framework.toml",
                "mechanism.csv",
                "4-ary randomized response leaks its level exactly",
                *_claim(3, KAIROUZ),
            ),
            Audited(
                "framework-records.json",
                "mechanism-records.json",
                "differential privacy lets one record change at a time, so three responses keep the level of one",
                *_claim(3, WARNER),
            ),
            Audited(
                "framework-siblings.json",
                "mechanism-records.json",
                "if siblings are often alike, the same responses leak log({ratio}) about the first",
                "log(3)",
            ),
            Audited(
                "framework-triplets.json",
                "mechanism-records.json",
                "if the three records are identical, they are asked three times and leak "
                "log({ratio}), three times the level",
                "log(3)",
            ),
        ],
        [
            Joint(
                "framework.toml",
                ("mechanism.csv",) * 2,
                "two responses on one value leak log({ratio}), the sum of their levels",
            )
        ],
    )


def geometric() -> Example:
    """Truncated geometric mechanism on a count, and on a household."""
    home = Records(4, ("0", "1"))
    mixed = {label: Fraction(1, 32) + (Fraction(1, 4) if label in ("0000", "1111") else 0) for label in home.labels()}
    count = {label: label.count("1") for label in home.labels()}
    both = {"half": Table(mixed)}
    return Example(
        "geometric",
        "Truncated geometric mechanism",
        "a noisy count is tight as differential privacy; a household that falls ill together loses up to four levels",
        {
            "framework.json": every_database_secret([str(k) for k in range(6)], lambda a, b: int(b) - int(a) == 1),
            "framework-records.json": every_sequence_secret(home),
            "framework-household.json": record_secret(home, 1, both),
            "framework-all-or-none.json": record_secret(home, 1, {"together": Table({"0000": "1/2", "1111": "1/2"})}),
        },
        {
            "mechanism.json": truncated_geometric(5, 2),
            "mechanism-household.json": range_restricted_geometric(count, 2, 0, 4),
        },
        [
            Audited(
                "framework.json", "mechanism.json", "the truncated geometric mechanism is tight", *_claim(2, GHOSH)
            ),
            Audited(
                "framework-records.json",
                "mechanism-household.json",
                "the noisy number of ill people, a query of sensitivity 1, is tight as well",
                *_claim(2, GUPTE),
            ),
            Audited(
                "framework-household.json",
                "mechanism-household.json",
                "if half of all households fall ill together, the count leaks log({ratio}) about one person",
                "log(2)",
            ),
            Audited(
                "framework-all-or-none.json",
                "mechanism-household.json",
                "if all four always fall ill together, it leaks log({ratio}), four times the level",
                "log(2)",
            ),
        ],
    )


def exponential() -> Example:
    """Exponential mechanism on the winner of a vote."""
    votes = Records(3, ("a", "b", "c"))
    scores = {label: {candidate: label.count(candidate) for candidate in "abc"} for label in votes.labels()}
    follow = MarkovChain(["1/3"] * 3, [["4/5", "1/10", "1/10"], ["1/10", "4/5", "1/10"], ["1/10", "1/10", "4/5"]])
    return Example(
        "exponential",
        "Exponential mechanism",
        "choosing a winner keeps well below the level of the theorem; voters who follow each other push it just above",
        {
            "framework.json": every_sequence_secret(votes),
            "framework-followers.json": record_secret(votes, 1, {"followers": follow}),
        },
        {"mechanism.json": exponential_mechanism(scores, 2)},
        [
            Audited(
                "framework.json",
                "mechanism.json",
                "one vote moves two scores and multiplies the odds by up to {ratio}; the theorem with 2 Delta allows 4",
                *_claim(4, MCSHERRY),
            ),
            Audited(
                "framework-followers.json",
                "mechanism.json",
                "if each voter follows the one before with probability 4/5, an output "
                "multiplies the odds of the first vote by up to {about}",
                "log(4)",
            ),
        ],
    )


def laplace() -> Example:
    """Laplace noise on a count, rounded, and clamped or redrawn."""
    counts = {str(value): value for value in range(5)}
    return Example(
        "laplace",
        "Laplace noise on a count: clamped or redrawn",
        "clamping to the range is post-processing and keeps the level; redrawing until the value is in range breaks it",
        {"framework.json": every_database_secret(list(counts), lambda left, right: int(right) - int(left) == 1)},
        {
            "mechanism-clamped.json": discretised_laplace(counts, 4, 0, 4),
            "mechanism-redrawn.json": renormalised_laplace(counts, 4, 0, 4),
        },
        [
            Audited(
                "framework.json",
                "mechanism-clamped.json",
                "rounded and clamped Laplace noise keeps its level exactly",
                *_claim(4, DWORK),
            ),
            Audited(
                "framework.json",
                "mechanism-redrawn.json",
                "redrawing divides each row by a mass that depends on the data, so the odds "
                "are multiplied by up to about {about} instead of 4",
                "log(4)",
            ),
        ],
    )


def noisy_maximum() -> Example:
    """Report noisy max on three yes/no counts."""
    answers = _answers(3)
    return Example(
        "noisy-max",
        "Report noisy max",
        "the index of the largest noisy answer keeps the level; the answer itself breaks it, with "
        "one-sided noise completely",
        {"framework.json": every_database_secret(list(answers), differ_by_one_everywhere)},
        {
            "mechanism-two-sided.json": noisy_max(answers, TwoSided(2)),
            "mechanism-one-sided.json": noisy_max(answers, OneSided(2)),
            "mechanism-permute-and-flip.json": table_of(flip_coins, list(answers)),
            "mechanism-value-two-sided.json": noisy_max_value(answers, TwoSided(2), 0, 3),
            "mechanism-value-one-sided.json": noisy_max_value(answers, OneSided(2), 0, 3),
        },
        [
            Audited("framework.json", f"mechanism-{name}.json", shows, *_claim(4, source))
            for name, shows, source in (
                (
                    "two-sided",
                    "with two-sided noise the index keeps the level and multiplies the odds by up to {ratio}",
                    FOUNDATIONS,
                ),
                ("one-sided", "with one-sided noise the index reaches the level", DING_EXPONENTIAL),
                (
                    "permute-and-flip",
                    "permute-and-flip keeps the level and multiplies the odds by up to {ratio}",
                    MCKENNA,
                ),
                (
                    "value-two-sided",
                    "the largest answer moves with all three answers, so their noises "
                    "multiply the odds by up to {ratio}",
                    DING,
                ),
                (
                    "value-one-sided",
                    "with one-sided noise a low maximum rules out databases, so everything leaks",
                    DING_VALUE,
                ),
            )
        ],
    )


def sparse() -> Example:
    """Sparse vector on four yes/no answers: the correct technique and four published mistakes
    at the same claimed level.
    """
    answers = _answers(4)
    split = (Fraction(256, 81), Fraction(3, 2))
    variants = (
        (
            "1",
            sparse_vector(answers, 1, 4, 2, 1),
            "Algorithm 1",
            "the correct technique with cutoff 1 multiplies the odds by up to {ratio}",
        ),
        (
            "1-cutoff-2",
            sparse_vector(answers, 1, *split, 2),
            "Algorithm 1",
            "the correct technique with cutoff 2 multiplies the odds by up to {ratio}",
        ),
        (
            "3-roth",
            roth_notes(answers, 1, 4, 1, 0, 1),
            "Algorithm 3 (Roth, lecture notes, 2011)",
            "a released answer bounds the threshold, so every answer - before it leaks in "
            "full and the odds are multiplied by up to {ratio}",
        ),
        (
            "4-lee-clifton",
            lee_clifton(answers, 1, 2, 2),
            "Algorithm 4 (Lee and Clifton, KDD 2014)",
            "the noise does not grow with the cutoff, so the odds are multiplied by up to "
            "about {about}; 16 was claimed",
        ),
        (
            "5-stoddard",
            stoddard(answers, 1, 4),
            "Algorithm 5 (Stoddard, Chen and Machanavajjhala, 2014)",
            "without noise on the queries one answer + after an answer - orders them, so everything leaks",
        ),
        (
            "6-chen",
            chen(answers, 1, 4),
            "Algorithm 6 (Chen, Xiao, Zhang and Xu, KDD 2015)",
            "without a cutoff every answer + costs, so the odds are multiplied by up to about {about}; 16 was claimed",
        ),
    )
    return Example(
        "sparse-vector",
        "Sparse vector technique",
        "at the same claimed level the correct technique keeps it and four published variants break it",
        {"framework.json": every_database_secret(list(answers), differ_by_one_everywhere)},
        {f"mechanism-{name}.json": channel for name, channel, _, _ in variants},
        [
            Audited("framework.json", f"mechanism-{name}.json", shows, *_claim(16, f"{LYU}, {place}, {GEOMETRIC}"))
            for name, _, place, shows in variants
        ],
    )


def _answers(queries: int) -> dict[str, tuple[int, ...]]:
    return {"".join(map(str, bits)): bits for bits in product((0, 1), repeat=queries)}


def _claim(ratio: int, source: str) -> tuple[str, str, str]:
    return f"log({ratio})", f"log({ratio})", source
