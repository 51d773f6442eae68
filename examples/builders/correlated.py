"""Correlated sequences: correct differentially private mechanisms that leak more than their
level.
"""

import json
from fractions import Fraction
from pathlib import Path

from pufferproof.examples.builders import chain_count
from pufferproof.examples.builders.mechanisms.geometric import range_restricted_geometric
from pufferproof.examples.builders.mechanisms.randomized_response import record_randomized_response
from pufferproof.examples.builders.shapes import Audited, Example, Joint, every_sequence_secret, record_secret
from pufferproof.models.framework import Framework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product

WEATHER_COUNTS = Path(__file__).parents[1] / "correlated" / "seattle-weather" / "counts.json"
WARNER = "Warner, Randomized response, JASA 60, 1965"
GUPTE = "Gupte and Sundararajan, Universally optimal privacy mechanisms for minimax agents, PODS 2010"


def examples() -> list[Example]:
    """Return the examples of this file, in order."""
    return [smart_meter(), weather(), chain_count.example()]


def smart_meter() -> Example:
    """Is somebody at home? Four half-hours of a meter, sticky in time."""
    hours = Records(4, ("0", "1"))
    chain = MarkovChain("stationary", [["4/5", "1/5"], ["1/10", "9/10"]])
    evening = Framework.of_records(
        hours, {"away": ["0000"], "at home": ["1111"]}, [("away", "at home")], {"meter": chain}
    )
    return Example(
        "smart-meter",
        "Smart meter: is somebody at home?",
        "a meter that is noisy enough half-hour by half-hour still tells who was at home, because presence lasts",
        {
            "framework.json": record_secret(hours, 2, {"meter": chain}),
            "framework-independent.json": record_secret(hours, 2, {"independent": Product([["1/3", "2/3"]] * 4)}),
            "framework-evening.json": evening,
            "framework-dp.json": every_sequence_secret(hours),
        },
        {
            "mechanism-response.json": record_randomized_response(hours, 3),
            "mechanism-count.json": range_restricted_geometric({x: x.count("1") for x in hours.labels()}, 2, 0, 4),
        },
        [
            Audited(
                "framework-dp.json",
                "mechanism-response.json",
                "as differential privacy, randomized response on every half-hour is tight",
                "log(3)",
                "log(3)",
                WARNER,
            ),
            Audited(
                "framework-dp.json",
                "mechanism-count.json",
                "the noisy number of half-hours at home is tight as well",
                "log(2)",
                "log(2)",
                GUPTE,
            ),
            Audited(
                "framework-independent.json",
                "mechanism-response.json",
                "if half-hours were independent, four reports would multiply the odds of "
                "one by at most {ratio}, the level",
                "log(3)",
            ),
            Audited(
                "framework.json",
                "mechanism-response.json",
                "people stay home for hours, so neighbouring half-hours reveal it too: the "
                "reports multiply the odds by up to about {about} instead of 3",
                "log(3)",
            ),
            Audited(
                "framework.json",
                "mechanism-count.json",
                "the noisy count leaks more than its level too: it multiplies the odds by "
                "up to about {about} instead of 2",
                "log(2)",
            ),
            Audited(
                "framework-evening.json",
                "mechanism-response.json",
                "being away or at home all evening is a secret about four records at once, "
                "and the reports multiply its odds by up to {ratio}",
                "log(3)",
            ),
        ],
        [
            Joint(
                "framework.json",
                ("mechanism-response.json", "mechanism-response.json"),
                "two responses per half-hour multiply the odds by up to about {about}",
            ),
            Joint(
                "framework.json",
                ("mechanism-response.json", "mechanism-count.json"),
                "the responses and the count together multiply the odds by up to about {about}",
            ),
        ],
    )


def weather() -> Example:
    """Wet and dry days in Seattle: a chain estimated from daily records."""
    days = Records(5, ("d", "w"))
    counts = json.loads(WEATHER_COUNTS.read_text(encoding="utf-8"))["transitions"]
    year, winter, summer = (
        estimated_chain(counts[period]) for period in ("all year", "October-March", "April-September")
    )
    return Example(
        "seattle-weather",
        "Wet and dry days in Seattle",
        "a chain estimated from four years of daily records: how much a noisy diary of five days tells about the third",
        {
            "framework.json": record_secret(days, 3, {"all year": year}),
            "framework-seasons.json": record_secret(days, 3, {"October-March": winter, "April-September": summer}),
            "framework-dp.json": every_sequence_secret(days),
        },
        {
            "mechanism-response.json": record_randomized_response(days, 3),
            "mechanism-count.json": range_restricted_geometric({x: x.count("w") for x in days.labels()}, 2, 0, 5),
        },
        [
            Audited(
                "framework-dp.json",
                "mechanism-response.json",
                "as differential privacy, randomized response on every day is tight",
                "log(3)",
                "log(3)",
                WARNER,
            ),
            Audited(
                "framework-dp.json",
                "mechanism-count.json",
                "the noisy number of wet days is tight as well",
                "log(2)",
                "log(2)",
                GUPTE,
            ),
            Audited(
                "framework.json",
                "mechanism-response.json",
                "rain lasts, so five reports multiply the odds of the third day by up to about {about} instead of 3",
                "log(3)",
            ),
            Audited(
                "framework.json",
                "mechanism-count.json",
                "the noisy number of wet days multiplies the odds by up to about {about} instead of 2",
                "log(2)",
            ),
            Audited(
                "framework-seasons.json",
                "mechanism-response.json",
                "seasons are part of the correlation, so there is less to learn for those "
                "who know the season: the odds are multiplied by up to about {about}",
                "log(3)",
            ),
        ],
        [
            Joint(
                "framework.json",
                ("mechanism-response.json", "mechanism-count.json"),
                "the diary and the count together multiply the odds by up to about {about}",
            )
        ],
    )


def estimated_chain(counts: dict[str, dict[str, int]]) -> MarkovChain:
    """Return the stationary chain whose transition probabilities are relative frequencies."""
    rows = [[Fraction(row[to], sum(row.values())) for to in ("dry", "wet")] for row in (counts["dry"], counts["wet"])]
    return MarkovChain("stationary", rows)
