"""Distributions of SciPy: every sick day is reported with probability 3/4, and well days never; and
discrete Laplace noise on the count.
"""

from pufferproof.examples.libraries.days import diary, told
from pufferproof.models.errors import extras
from pufferproof.models.mechanisms.adapters.entry import as_mechanism
from pufferproof.verify.audit import Audit, audit

DAYS, DAY = 5, 3


def answers() -> dict[str, Audit]:
    """Audit the number of reports, a binomial law for every diary, and the noisy count."""
    with extras:
        from scipy import stats

    framework = diary(DAYS, DAY)
    records = framework.expect_records()
    reports = {days: stats.binom(days.count("1"), 0.75) for days in records.labels()}
    noise = as_mechanism(stats.dlaplace(1.0), records, query="sum")
    return {
        "the number of reports": audit(framework, as_mechanism(reports)),
        "the noisy count": audit(framework, noise, "1"),
    }


if __name__ == "__main__":
    print(told("SciPy", answers()))
