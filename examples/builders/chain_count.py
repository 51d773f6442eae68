"""Noisy counts along a sequence too long to list: active minutes, of which one is the secret.

1,000 records along a Markov chain; a count of all of them with Laplace noise, and a count of the
seven around the private one with geometric noise. What they leak, alone and together, is exact, by
dynamic programming; no sequence is listed.
"""

from collections.abc import Mapping
from typing import Any

from pufferproof.examples.builders.shapes import Audited, Example, Joint, record_secret
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records

LENGTH, PRIVATE, BESIDE = 1_000, 500, 3
TRANSITION = [["9/10", "1/10"], ["1/5", "4/5"]]
SEGMENT = (PRIVATE - BESIDE, PRIVATE + BESIDE)


def example() -> Example:
    """How much do noisy counts tell about one minute of 1,000?"""
    minutes = Records(LENGTH, ("0", "1"))
    chain = MarkovChain("stationary", TRANSITION)
    return Example(
        name="chain-count",
        title="Noisy counts of 1,000 minutes",
        summary="a count of 1,000 minutes with Laplace noise of scale 10 and one of the seven "
        "minutes around the private one: together they leak more than the sum of what they leak "
        "alone",
        frameworks={"framework.json": record_secret(minutes, PRIVATE, {"activity": chain})},
        mechanisms={
            "mechanism.json": _count(minutes, Noise.laplace(10)),
            "mechanism-near.json": _count(minutes, Noise.geometric("4/5"), SEGMENT),
        },
        audits=[
            Audited(
                "framework.json",
                "mechanism.json",
                "noise of scale 10 hides one minute within a tenth of a nat if minutes are "
                "independent; here neighbouring minutes follow it, and an output multiplies "
                "the odds by up to {about}",
                epsilon="0.1",
            ),
            Audited(
                "framework.json",
                "mechanism-near.json",
                "the count of the seven minutes around it multiplies the odds by up to "
                "{about}, and one changed minute alone by 5/4",
                epsilon="1",
            ),
        ],
        joint=[
            Joint(
                "framework.json",
                ("mechanism.json", "mechanism-near.json"),
                "the two counts overlap and together multiply the odds by up to {about}",
            )
        ],
        documents=_documents(),
    )


def _count(minutes: Records, noise: Noise, segment: tuple[int, int] | None = None) -> RecordQuery:
    return RecordQuery("sum", noise, minutes, segment)


def _documents() -> Mapping[str, Mapping[str, Any]]:
    secrets = {f"x{PRIVATE}={value}": {"record": PRIVATE, "value": value} for value in "01"}
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": LENGTH, "alphabet": ["0", "1"]},
        "secrets": secrets,
        "pairs": [list(secrets)],
        "priors": {"activity": {"markov": {"initial": "stationary", "transition": TRANSITION}}},
    }
    release = {"format": "pufferproof-mechanism/1", "query": "sum"}
    near = {**release, "segment": list(SEGMENT), "noise": {"geometric": {"ratio": "4/5"}}}
    return {
        "framework.json": framework,
        "mechanism.json": {**release, "noise": {"laplace": {"scale": "10"}}},
        "mechanism-near.json": near,
    }
