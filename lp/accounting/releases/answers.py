"""What releases over time leak together, in Python: of a plan, or of queries and their framework.

The answer is that of the command `release`.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from pufferproof.lp.accounting.releases.plan import NoiseObject, Plan, read_plan
from pufferproof.lp.accounting.releases.schedule import Schedule, schedule
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Calls
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, value_of
from pufferproof.models.mechanisms.library import REPEATED, LibraryMechanism
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import shown
from pufferproof.verify.audit import AnyFramework, framework_first

Released = RecordQuery | NoisyQueries | LibraryMechanism
_WANTED = "expected noisy queries of records, or what as_mechanism returns with windows"


@overload
def release(
    framework: str | Path | Plan,
    queries: LevelLike | None = None,
    *,
    trust_code: bool = False,
    accept_doubt: bool = False,
) -> Schedule: ...


@overload
def release(
    framework: AnyFramework | Fit,
    queries: Released | Sequence[Released] | Sequence[Sequence[RecordQuery]],
    budget: LevelLike | None = None,
    *,
    accept_doubt: bool = False,
) -> Schedule: ...


def release(
    framework: Any,
    queries: Any = None,
    budget: LevelLike | None = None,
    trust_code: bool = False,
    accept_doubt: bool = False,
) -> Schedule:
    """Compute what releases over time leak together: `release(plan, budget)` or
    `release(framework, queries, budget)`.

    The leakage is the smallest L, in nats, with P(y_1, .., y_k | s) <= e^L P(y_1, .., y_k | t) for
    the outputs of all windows, all ordered pairs of secrets, and all priors. The answer also has
    the pair about which the releases leak most, the verdict on a budget, the smallest factor on all
    noise scales that keeps the budget, and what the budget leaves.

    Args:
        framework: a framework of records, what `fit` returns, or the file of a plan.
        queries: with a framework, the noisy queries of windows: `RecordQuery` objects, or what
            `as_mechanism(object, records, "sum", windows=..)` returns. A list of such lists has a
            group for each, as a plan has a `[[release]]`.
        budget: the level that all releases together should keep, by default that of the plan.
        trust_code: permit the programs and objects of the plan, which runs their code.
        accept_doubt: beside recorded data, take the model's verdict although groups differ and some
            do not keep the budget. `who` of the answer names the group that leaks most.

    `as_json()` of the answer is what the command prints; `str()` says it in a line.

    >>> from pufferproof import Framework, MarkovChain, Noise, RecordQuery, Records
    >>> records = Records(4, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> noise = Noise.geometric("1/2")
    >>> halves = [RecordQuery("sum", noise, records, ends) for ends in ((1, 2), (3, 4))]
    >>> answer = release(framework, halves, "log(5)")
    >>> answer.verdict.value, str(answer.leakage)
    ('SATISFIES', 'log(658/145) ≈ 1.512471 nats')

    Raises `ModelError` unless the plan can be read, or the queries are of the framework's records.
    """
    if isinstance(framework, str | Path | Plan):
        if queries is not None and budget is not None:
            raise ModelError("a plan has its releases: leave these out", "queries")
        trusted = check_type(trust_code, bool, "trust_code")
        accepted = check_type(accept_doubt, bool, "accept_doubt")
        plan = framework
        if not isinstance(plan, Plan):
            plan = read_plan(plan, Calls(trusted)).value
        budget = queries if budget is None else budget
        if budget is not None:
            plan = replace(plan, budget=Level.coerce(budget, "budget"))
        return schedule(plan, accept_doubt=accepted)
    fit = framework if isinstance(framework, Fit) else None
    given = framework if fit is None else fit.framework
    space: Framework = check_type(framework_first(given, None)[0], Framework, "framework")
    space.expect_records()
    groups, objects = _groups(queries)
    for group in groups:
        for query in group:
            query.expect_of(space.records)
    if sum(map(len, groups)) > 1:
        for each in objects:
            if REPEATED in each.read.notes:
                raise ModelError(
                    f"{each.name}: its draws can be repeated, which is no fresh noise for every "
                    "release: leave out its seed",
                    "queries",
                )
    level = None if budget is None else Level.coerce(budget, "budget")
    plan = Plan(space, groups, level, objects=objects)
    if fit is not None:
        beside = tuple(fit.beside)
        plan = replace(plan, doubts=fit.doubts, assumed=beside, data=("the data", fit))
    return schedule(plan, accept_doubt=check_type(accept_doubt, bool, "accept_doubt"))


def _groups(queries: object) -> tuple[tuple[tuple[RecordQuery, ...], ...], tuple[NoiseObject, ...]]:
    """Return queries in groups, and the objects of libraries whose noise they have."""
    given = queries if isinstance(queries, list | tuple) else [queries]
    if not given:
        raise ModelError(f"{_WANTED}, found none", "queries")
    objects = [NoiseObject(each.source, each, {}) for each in given if isinstance(each, LibraryMechanism)]
    if all(isinstance(each, RecordQuery) for each in given):
        return (tuple(given),), ()
    return tuple(_group(each) for each in given), tuple(objects)


def _group(given: object) -> tuple[RecordQuery, ...]:
    form = value_of(given)
    if isinstance(form, NoisyQueries):
        form = form.queries
    group = tuple(form) if isinstance(form, list | tuple) else (form,)
    wrong = [each for each in group if not isinstance(each, RecordQuery)]
    if wrong or not group:
        raise ModelError(f"{_WANTED}, found {shown(wrong[0] if wrong else group)}", "queries")
    return group
