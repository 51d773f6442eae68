"""Assertions for test suites: a mechanism keeps a level, releases compose, levels per record
translate. What fails shows its witness as a small table.

Each raises `AssertionError` unless the answer is that it holds: what is undecided fails as well.
Many mechanisms are audited in one call.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from pufferproof.lp.accounting.releases.least import least_of
from pufferproof.lp.accounting.releases.schedule import Schedule, release
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, PufferproofError, extras
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.steps import in_order
from pufferproof.models.listing import counted
from pufferproof.models.noise.records import Query
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import at_most, brief, shown
from pufferproof.verify.audit import (
    AnyFramework,
    AnyMechanism,
    Audit,
    NormalFramework,
    NormalQuery,
    audit,
    framework_first,
)
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.ratio import prior_text, probabilities
from pufferproof.verify.noise.normal.audit import PointAudit, PointComposition

# Audits of many mechanisms in one call: each as `audit` decides it, an error in the place of the one that has it.

_ITEM = "expected (framework, mechanism) or (framework, mechanism, level)"


def audit_many(
    questions: Iterable[object], epsilon: LevelLike | None = None, jobs: int | None = None
) -> Iterator[Audit | PufferproofError]:
    """Audit mechanisms, one answer for each question, in their order.

    Args:
        questions: pairs (framework, mechanism), or triples with a level of their own. They are
            taken as answers are asked for, some thousands ahead if they are slow, so that there may
            be any number.
        epsilon: the level of questions that have none, as `audit` takes it.
        jobs: how many processes share audits that are slow (a millisecond and more each); by
            default as many as there are processors, on Linux. Quick ones are done in this one.

    Every answer is what `audit` returns, or the `PufferproofError` that it raises: the others are
    answered all the same.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> other = Channel.of({"a": ["1/2", "1/2"]}, ["u", "v"])
    >>> for answer in audit_many([(framework, coin), (framework, other)], "log(3)"):
    ...     print(answer)
    SATISFIES log(3); leakage log(3) ≈ 1.098612 nats, at output 'u' for 's' against 't',
    prior 'theta'
    channel: no row for database "b", which has positive probability

    Raises `ModelError` unless `epsilon` is a level and `jobs` is positive.
    """
    questions = check_type(questions, Iterable[object], "questions")
    jobs = check_type(jobs, int | None, "jobs")
    if jobs is not None and jobs < 1:
        raise ModelError(f"expected at least 1, found {jobs}", "jobs")
    level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
    return in_order(partial(_answer, level=level), questions, jobs)


def _answer(question: object, level: Level | None) -> Audit | PufferproofError:
    """Return one audit, or the error that it raises."""
    if not isinstance(question, tuple | list) or len(question) not in (2, 3):
        return ModelError(f"{_ITEM}, found {shown(question)}", "questions")
    framework, mechanism, *own = question
    try:
        return audit(framework, mechanism, own[0] if own and own[0] is not None else level)
    except PufferproofError as error:
        return error


_LISTED = 8  # releases that are shown one by one


def assert_pufferfish(
    framework: AnyFramework | NormalFramework,
    mechanism: AnyMechanism | NormalQuery | Sequence[Query] | Sequence[NormalQuery],
    epsilon: LevelLike,
) -> None:
    """Raise `AssertionError`, with the witness, unless the mechanism is epsilon-Pufferfish (for
    test suites).

    Takes what `audit` takes.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> assert_pufferfish(framework, coin, "log(3)")
    >>> assert_pufferfish(framework, coin, "log(2)")
    Traceback (most recent call last):
    AssertionError: VIOLATES log(2): leakage log(3) ≈ 1.098612 nats
    <BLANKLINE>
      prior    output  given  probability
      'theta'  'u'     's'    3/4
                       't'    1/4
    """
    __tracebackhide__ = True
    asked: Any = framework
    answer: Audit | PointAudit = audit(asked, mechanism, Level.coerce(epsilon, "epsilon"))
    if answer.kept is not Decision.HOLDS:
        kept = Decision.UNDECIDED if answer.kept is None else answer.kept
        head = f"{Verdict.of(kept).value} {answer.level}: leakage {answer.leakage}"
        least = least_of(answer) if isinstance(answer, Audit) else None
        keeps = "" if least is None else f"\n\n{_factor_text(least)} to keep it"
        raise AssertionError(f"{head}\n\n{_witness_table(answer, answer.witness.output)}{keeps}")


def assert_release(
    framework: object,
    queries: object = None,
    budget: LevelLike | None = None,
    trust_code: bool = False,
    accept_doubt: bool = False,
) -> None:
    """Raise `AssertionError` unless all releases together keep a budget: `assert_release(plan,
    budget)` or `assert_release(framework, queries, budget)`.

    The message has the verdict, the joint leakage in nats, the pair of secrets and the prior of the
    witness, and the smallest factor on all noise scales that keeps the budget, if it is known.
    An UNDECIDED answer raises `AssertionError`, too. Doubts about a chain that was fitted to data
    are warnings (`UserWarning`).

    Args:
        framework: the file of a plan, a `Plan`, or a framework of records.
        queries: with a framework, the noisy queries of all windows, as in `release`.
        budget: the level that all releases together should keep, such as "log(3)" or 1 (nat); by
            default the budget of the plan.
        trust_code: permit the programs and objects of the plan, which runs their code.
        accept_doubt: take the model's verdict although groups of the data differ and some do not
            keep the budget.

    Raises `ModelError` if there is no budget, or the releases cannot be read.

    >>> assert_release("no such plan.toml")
    Traceback (most recent call last):
    pufferproof.models.errors.ModelError: no such plan.toml: cannot be read: No such file or
    directory
    """
    __tracebackhide__ = True
    asked: Any = release
    result: Schedule = asked(framework, queries, budget, trust_code, accept_doubt)
    if result.plan.budget is None:
        raise ModelError("expected a budget, found none", "budget")
    for doubt in result.plan.doubts:
        warnings.warn(f"{framework}: {doubt}", stacklevel=2)
    if result.verdict is Verdict.SATISFIES:
        return
    if result.contrary:
        if result.who is None or result.who.least is None:
            least_for_all = ""
        else:
            least_for_all = (
                f"\n\n{_factor_text(result.who.least)} to keep the budget for all {len(result.who.leakages)}"
            )
        raise AssertionError(f"{result}{least_for_all}")
    witness = result.joint.witness
    rows = [[*map(repr, witness.pair), prior_text(witness.prior).removeprefix("prior ")]]
    kept = Decision.UNDECIDED if result.joint.kept is None else result.joint.kept
    head = f"{Verdict.of(kept).value} {result.plan.budget}: "
    count = len(result.plan.releases)
    leak = "leaks" if count == 1 else "leak"
    head += f"{counted(count, 'release')} {leak} {result.joint.leakage} together"
    least = ""
    if result.least is not None:
        least = f"\n\n{_factor_text(result.least)} to keep the budget"
    raise AssertionError(f"{head}\n\n{_table(['likelier', 'than', 'prior'], rows)}{least}")


def _factor_text(factor: Enclosure) -> str:
    return f"multiply all scales by {at_most(factor.upper, 9)}"


def assert_composes(
    framework: AnyFramework | NormalFramework,
    mechanisms: Sequence[AnyMechanism] | Sequence[NormalQuery],
    epsilon: LevelLike | None = None,
    runs: int = 1,
) -> None:
    """Raise `AssertionError` unless independent releases of mechanisms leak at most epsilon
    together, or without epsilon, at most the sum of their separate leakages.

    The joint leakage is the smallest L, in nats, with P(y_1, .., y_k | s) <= e^L P(y_1, .., y_k |
    t) for all outputs, ordered pairs of secrets, and priors. The database is drawn once, and the
    noise of every release is fresh. The message has the leakage of each release and of all
    together, and the outputs that reach it. An UNDECIDED answer raises `AssertionError`, too.

    Args:
        framework: secrets, pairs and priors.
        mechanisms: mechanisms on the databases of the framework, one for each release.
        epsilon: the level of all releases together, such as "log(3)" or 1 (nat).
        runs: how many times each mechanism is released.

    Raises `ModelError` if the framework and the mechanisms do not fit, as `compose` does.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["00", "01", "10", "11"],
    ...     {"s": ["00", "11"], "t": ["01", "10"]},
    ...     [("s", "t")],
    ...     {"theta": Table(dict.fromkeys(["00", "01", "10", "11"], "1/4"))},
    ... )
    >>> bits = [Channel.of({x: {x[i]: 1} for x in framework.databases}) for i in (0, 1)]
    >>> assert_composes(framework, bits)
    Traceback (most recent call last):
    AssertionError: VIOLATES the sum of the single leakages: joint leakage infinite
    <BLANKLINE>
      release   leakage
      1         0
      2         0
      together  infinite
    <BLANKLINE>
      prior    outputs   given  probability
      'theta'  '0', '0'  's'    1/2
                         't'    0
    """
    __tracebackhide__ = True
    asked: Any = framework_first(framework, None)[0]
    found: Any = compose(asked, mechanisms, runs)
    together: Composition | PointComposition = found
    if epsilon is None:
        kept, level = together.additive, "the sum of the single leakages"
    else:
        known = Level.coerce(epsilon, "epsilon")
        kept, level = together.keeps(known), str(known)
    if kept is not Decision.HOLDS:
        head = f"{Verdict.of(kept).value} {level}: joint leakage {together.joint.leakage}"
        more = f" and {len(together.outputs) - _LISTED} more" if len(together.outputs) > _LISTED else ""
        outputs = ", ".join(map(shown, together.outputs[:_LISTED])) + more
        witness = _witness_table(together.joint, outputs, "outputs")
        times = f", {together.runs} times" if together.runs > 1 else ""
        alone = [str(each.leakage) for each in together.single]
        rows = [[f"{place}{times}", text] for place, text in enumerate(alone[:_LISTED], 1)]
        if len(together.single) > _LISTED:
            rows.append([f"{len(together.single) - _LISTED} more", ""])
        single_table = _table(["release", "leakage"], [*rows, ["together", str(together.joint.leakage)]])
        raise AssertionError(f"{head}\n\n{single_table}\n\n{witness}")


def assert_translates(framework: AnyFramework, levels: Sequence[LevelLike], epsilon: LevelLike, runs: int = 1) -> None:
    """Raise `AssertionError` unless all mechanisms whose releases have these levels for every
    record, each `runs` times, leak at most epsilon together under the framework.

    Takes what `translate` takes.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(Records(3, ("0", "1")), secrets, "disjoint", {"theta": chain})
    >>> assert_translates(framework, ["log(2)"], "log(4)")
    >>> assert_translates(framework, ["log(2)"], "log(2)")
    Traceback (most recent call last):
    AssertionError: VIOLATES log(2): worst case of the levels log(98/25) ≈ 1.366092 nats
    <BLANKLINE>
      prior    likelier  than    attained by
      'theta'  'x2=0'    'x2=1'  a count
    """
    __tracebackhide__ = True
    level = Level.coerce(epsilon, "epsilon")
    stated: Framework = framework_first(framework, None)[0]
    with extras:
        from pufferproof.lp.translation.translate import translate

    worst = translate(stated, levels, runs)
    kept = Decision.at_most(worst.compare(level))
    if kept is not Decision.HOLDS:
        head = f"{Verdict.of(kept).value} {level}: worst case of the levels {worst.leakage}"
        how = "not known" if worst.attained is None else f"a {worst.attained}"
        row = [repr(worst.prior), *map(repr, worst.pair), how]
        table = _table(["prior", "likelier", "than", "attained by"], [row])
        raise AssertionError(f"{head}\n\n{table}")


def _witness_table(answer: Audit | PointAudit, output: str, named: str = "output") -> str:
    """Show where a leakage is reached: with both probabilities where outputs are listed."""
    witness, prior = answer.witness, prior_text(answer.witness.prior).removeprefix("prior ")
    text = output if named == "outputs" else shown(output)
    above, below = map(repr, witness.pair)
    if isinstance(answer, PointAudit) or not isinstance(answer.mechanism, Channel):
        return _table(["prior", named, "likelier given", "than"], [[prior, text, above, below]])
    left, right = map(brief, probabilities(answer.framework, answer.channel, witness))
    rows = [[prior, text, above, left], ["", "", below, right]]
    return _table(["prior", named, "given", "probability"], rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a table as text: two spaces before each row and between columns."""
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    return "\n".join(
        ("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths))).rstrip() for row in (header, *rows)
    )
