"""The command `fit --gaussian`: likelihoods against scipy, what is written, and bad input."""

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from tests.reports.console.schemas import expect_valid

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.normal import NormalFit, Secrets

SECRETS = Secrets((Fraction(0), Fraction(1)), private=(1,))


def drawn(seed, count, length, rho):
    """Series of an AR(1), rounded to thousandths."""
    random = np.random.default_rng(seed)
    series = []
    for _ in range(count):
        x = [random.normal()]
        for _ in range(length - 1):
            x.append(rho * x[-1] + np.sqrt(1 - rho * rho) * random.normal())
        series.append([Fraction(round(1000 * (2 + 3 * y)), 1000) for y in x])
    return series


def likelihood(series, mean, rho, variance):
    """By the joint density of each series, with the matrix written out."""
    total = 0.0
    for each in series:
        places = np.arange(len(each))
        matrix = variance * rho ** np.abs(places[:, None] - places)
        total += multivariate_normal(np.full(len(each), mean), matrix).logpdf(np.array(each, dtype=float))
    return total


@pytest.mark.parametrize(
    ("seed", "count", "length", "rho"),
    [(1, 1, 40, 0.8), (2, 3, 12, -0.6), (3, 5, 4, 0.0), (4, 1, 4, 0.9), (5, 2, 30, 0.99)],
)
def test_the_autoregression_has_the_largest_likelihood(seed, count, length, rho):
    series = drawn(seed, count, length, rho)
    law = NormalFit(series, "ar1", SECRETS).prior
    found = float(law.mean_of(1)), float(law.coefficient), float(law.variance)
    best = likelihood(series, *found)
    again = minimize(
        lambda p: -likelihood(series, p[0], np.tanh(p[1]), np.exp(p[2])),
        [found[0] + 0.1, np.arctanh(found[1]) * 0.9, np.log(found[2]) + 0.1],
        method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-10, "maxiter": 4000},
    )
    assert best >= -again.fun - 1e-7
    assert best == pytest.approx(-again.fun, abs=1e-5)


def test_the_slope_of_the_likelihood_changes_its_sign_at_the_coefficient():
    from pufferproof.models.files.recorded.normal import _Sums

    for seed in range(12):
        series = drawn(seed, 1 + seed % 3, 3 + seed, (seed - 6) / 7)
        sums, rho = _Sums.of(series), NormalFit(series, "ar1", SECRETS).prior.coefficient
        step = Fraction(1, 10**8)
        assert sums.slope(rho - step) > 0 > sums.slope(rho + step)


def test_a_covariance_is_the_mean_of_products():
    series = drawn(7, 9, 3, 0.5)
    law = NormalFit(series, "covariance", Secrets((Fraction(0), Fraction(1)))).prior
    data = np.array(series, dtype=float)
    assert np.array(law.mean, dtype=float) == pytest.approx(data.mean(axis=0))
    expected = np.cov(data.T, bias=True)
    assert np.array(law.covariance, dtype=float) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("series", "kind", "said"),
    [
        ([[1, 1, 1, 1]], "ar1", "expected readings that vary, found 1 alone"),
        ([[5]], "ar1", "expected 3 or more readings, found 1"),
        ([[1, 2]], "ar1", "expected 3 or more readings, found 2"),
        ([[1], [2], [3]], "ar1", "expected a series of 2 or more readings"),
        ([[1, 1, 1], [2, 2]], "ar1", "no maximum: every series is constant"),
        ([[1, 2, 1, 2]], "ar1", "no maximum: readings alternate"),
        ([[1, 2, 3]], "covariance", "expected 2 or more series"),
        ([[1, 2], [1, 2, 3]], "covariance", "expected series of one length, found 2, 3"),
        ([[1, 2], [1, 3]], "covariance", "found 1 as reading 1 of every series"),
        ([[1, 2, 10**200]], "ar1", "at most 100 digits"),
    ],
)
def test_what_has_no_likelihood_to_speak_of_is_refused(series, kind, said):
    with pytest.raises(ModelError, match=said):
        NormalFit([[*map(Fraction, each)] for each in series], kind, SECRETS)


ROWS = ["3", "2.5", "4", "5", "4", "2", "1", "2", "3", "3.5"]


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["load", *ROWS]) + "\n", encoding="utf-8")
    return str(path)


def test_the_command_writes_what_audit_reads(run, data, tmp_path):
    out = str(tmp_path / "f.json")
    asked = ("fit", data, "--column", "load", "--gaussian", "ar1", "--out", out, "--replace")
    code, text, _ = run(*asked, "--private", "2", "--at", "1", "--at", "3", "--json")
    answer = json.loads(text)
    expect_valid(answer, "fit")
    assert (code, answer["readings"], answer["series"], answer["private"]) == (0, 10, 1, [2])
    assert answer["secrets"] == ["x2=1", "x2=3"]
    assert 0.3 < float(Fraction(answer["law"]["ar1"]["coefficient"])) < 0.8
    assert set(answer["standard_errors"]) == {"mean", "coefficient", "variance"}
    mean = tmp_path / "m.json"
    mean.write_text(
        json.dumps({"format": "pufferproof-mechanism/1", "query": "mean", "noise": {"laplace": {"scale": "1"}}}),
        encoding="utf-8",
    )
    assert run("audit", out, str(mean), "--epsilon", "2")[0] == 0
    code, text, _ = run(*asked, "--length", "1000", "--private", "7", "--between", "0,1",
                        "--between", "2,3")  # fmt: skip
    assert code == 0
    assert "1000 records, 1 record private" in text
    assert run("audit", out, str(mean))[0] == 0


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        (["1", "", "2"], (), 'line 3: column "load": expected a value'),
        (["1", "nan", "2"], (), "which is missing"),
        (["1", "inf", "2"], (), 'line 3: column "load": expected a'),
        (["1", "wet", "2"], (), 'line 3: column "load": expected a'),
        (["7", "7", "7"], (), "--gaussian: expected readings that vary, found 7 alone"),
        (["7"], (), "--gaussian: expected 3 or more readings, found 1"),
        (ROWS, ("--order", "2"), "--order: needs chains, not --gaussian"),
        (ROWS, ("--at", "x"), "--at: expected"),
        (ROWS, ("--between", "1"), "--between: expected two numbers"),
        (ROWS, ("--between", "1,2", "--at", "1"), "--at: expected --at several times"),
        (ROWS, ("--at", "1"), "--at: pairs: expected at least one pair"),
        (ROWS, ("--private", "11", "--at", "1", "--at", "2"), "a record from 1 to 10, found 11"),
        (ROWS, ("--length", "0", "--at", "1", "--at", "2"), "--length: expected 1 to"),
    ],
)
def test_bad_input_is_one_line(run, tmp_path, rows, options, said):
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["load,n", *(f"{row},1" for row in rows)]) + "\n", encoding="utf-8")
    secrets = options or ("--at", "1", "--at", "2")
    asked = ("fit", str(path), "--column", "load", "--gaussian", "ar1")
    code, out, err = run(*asked, "--out", str(tmp_path / "f.json"), *secrets)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "f.json").exists()


def test_options_of_numbers_need_it(run, data, tmp_path):
    code, _, err = run("fit", data, "--column", "load", "--out", str(tmp_path / "f"), "--at", "1")
    assert (code, "--at: needs --gaussian" in err) == (2, True)
