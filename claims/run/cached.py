"""Running claims: those that are stored are checked again (`replay.py`) and marked as cached, the
others are examined, so that an edit re-proves only what it changed.
"""

from collections.abc import Callable, Sequence

from pufferproof.claims.language.statements import USUAL, Effort
from pufferproof.claims.registry import Claim
from pufferproof.claims.run.cache import Cache
from pufferproof.claims.run.replay import checked_again
from pufferproof.claims.run.results import Result, as_result
from pufferproof.claims.run.workers import How, examined
from pufferproof.models.interface.sweeps.opening import Sharing

EVERYWHERE = Sharing()
KEPT = ("name", "scope_given", "steps", "obstacle", "trial", "only_tried", "linked")


def run_claims(
    claims: Sequence[Claim],
    *,
    extra: Sequence[str] = (),
    trust_code: bool = False,
    sharing: Sharing = EVERYWHERE,
    timeout: float,
    use_cache: bool = True,
    typeset: bool = True,
    effort: Effort = USUAL,
    done: Callable[[Result], None] = lambda result: None,
    warn: Callable[[str], None] = lambda line: None,
) -> list[Result]:
    """Examine claims, several at a time, and return their results in the order given; of claims in
    `extra` files, where `trust_code` says whether Python in them may run, as it was loaded here.

    `done` is called with every result as it comes; what was done when a KeyboardInterrupt arrives
    has been passed to it. A claim whose process dies or raises is OPEN, with the error shown.
    `warn` is called, at most once, if results could not be kept for the next run. What is cached
    is of the usual effort on statements; another one examines claims anew. Without `typeset` the
    formulas of what is not to be cached are text alone, with no MathML for pages.
    """
    results: dict[str, Result] = {}
    stored = Cache(timeout, claims) if use_cache and effort == USUAL else None
    for claim in claims:
        check = None if stored is None else _recalled(stored, claim, timeout)
        if check is not None:
            results[claim.id] = check
            done(check)
    pending = {claim.id: claim for claim in claims if claim.id not in results}
    how = How(timeout, effort, tuple(extra), trust_code, typeset or stored is not None)
    for result in examined(list(pending.values()), how, sharing):
        results[result["id"]] = result
        if stored is not None:
            claim = pending[result["id"]]
            if _is_of(result, claim):
                _keep(stored, claim, result)
        done(result)
    if stored is not None:
        stored.keep_shared()
        if stored.warning is not None:
            warn(stored.warning)
    return [results[claim.id] for claim in claims]


def _recalled(stored: Cache, claim: Claim, timeout: float) -> Result | None:
    """Return a stored result, its certificates and counterexamples checked again; None if there is
    none.
    """
    entry = stored.read(claim)
    if entry is None:
        return None
    try:
        check = checked_again(claim, entry, timeout)
        return as_result(check, float(entry["seconds"])) | {"cached": True}
    except (Exception, SystemExit):
        # whatever does not come out as it was stored is examined again, where errors are shown
        return None


def _keep(stored: Cache, claim: Claim, result: Result) -> None:
    """Store what engines said, unless it depends on more than its inputs."""
    if lasting(result):
        arguments = {
            key: [{part: each[part] for part in KEPT} for each in result[key]] for key in ("readings", "near_misses")
        }
        stored.write(claim, arguments | {"seconds": result["seconds"]})


def _is_of(result: Result, claim: Claim) -> bool:
    """Whether a result is of what this claim says: a file may say something else in a worker."""
    made = {each["statement"] for each in result["readings"]} - {None}
    return claim.own or made <= {*claim.words}


def lasting(result: Result) -> bool:
    """Whether a result depends on nothing but its inputs: there was no error, no engine ran out
    of time, and no statement while it was tried.
    """
    trials = [each["trial"] for each in result["readings"] if each.get("trial") is not None]
    return (
        result["error"] is None
        and all(each["finished"] for each in trials)
        and not any("timeout" in step["detail"] for step in _steps(result))
    )


def _steps(result: Result) -> list[Result]:
    arguments = [*result["readings"], *result["near_misses"]]
    return [step for each in arguments for step in each["steps"]]
