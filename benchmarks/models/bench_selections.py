"""Private quantiles of OpenDP: read and audited, databases given as lists of records."""

import numpy as np
import pytest

import pufferproof as pp

dp = pytest.importorskip("opendp.prelude", exc_type=ImportError)
CASES = [(100, 50, "pure", "under 10 s"), (100, 50, "concentrated", "under 10 s"), (1_000, 1_000, "pure", "under 10 s")]


@pytest.mark.parametrize(("candidates", "records", "measure", "target"), CASES)
def test_private_quantile(benchmark, candidates, records, measure, target):
    dp.enable_features("contrib")
    rng = np.random.default_rng(0)
    drawn = rng.integers(candidates, size=records + 1).tolist()
    databases = {"a": drawn[:-1], "b": drawn[1:]}
    measures = {"pure": dp.max_divergence, "concentrated": dp.zero_concentrated_divergence}
    quantile = dp.m.make_private_quantile(
        dp.vector_domain(dp.atom_domain(T=int), size=records),
        dp.symmetric_distance(),
        measures[measure](),
        candidates=list(range(candidates)),
        alpha=0.5,
        scale=1.0,
    )
    framework = pp.Framework(["a", "b"], neighbours="substitute")

    def audited():
        return pp.audit(framework, pp.as_mechanism(quantile, databases), "2")

    found = benchmark.pedantic(audited, rounds=1)
    assert found.verdict.value == "SATISFIES"
    benchmark.extra_info |= {
        "what": f"private quantile ({measure}), {candidates:,} candidates, {records:,} records, read and audited",
        "target": target,
    }
