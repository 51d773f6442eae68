"""Certificates of what noise on a query of the records of Markov chains leaks, as the kernel checks
them.

The audit says what is claimed. What is searched here is how the kernel can see it: by the law of
all records or by windows, with how many bits, and at which output. See CERTIFICATES.md.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pufferproof.models.errors import CertificateError
from pufferproof.models.files.writing import indented, query_document
from pufferproof.models.framework import Framework
from pufferproof.models.listing import AllPairs
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify import kernel
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.noise_classes import class_bounds, class_json, class_members
from pufferproof.verify.certificates.noise_delta import delta_claims
from pufferproof.verify.certificates.writing import FORMAT, ONE_SIDED, Inputs, level_json
from pufferproof.verify.decision import Decision
from pufferproof.verify.noise.ratio.blocks.segments import segments_of
from pufferproof.verify.noise.ratio.bounds import NoiseBounds

BITS = (96, 256, 1024)
_WIDTHS = (64, 128, 256, 512, 1024)
_FEW = 600  # records whose whole law is tried before windows
_NARROW, _FEW_CELLS, _MOST_CELLS = (3, 4, 6, 8, 12, 16, 24), 10_000, 200_000  # of histograms

Claim = JsonObject


def noise_certificate(audit: Audit, inputs: Inputs) -> JsonObject:
    """Return the certificate of an audit of noise on a query, released once or several times.

    With a level: that it is kept, or the output at which it is exceeded. Without: the least upper
    bound of the leakage that is known.

    Args:
        inputs: the SHA-256 of the framework file, and of a mechanism file for every release.

    >>> from pufferproof import Framework, MarkovChain, Noise, Records, audit
    >>> records = Records(3, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> secrets = {"on": (2, "1"), "off": (2, "0")}
    >>> framework = Framework.of_records(records, secrets, [("on", "off")], {"week": chain})
    >>> count = RecordQuery("sum", Noise.geometric("1/2"), records)
    >>> noise_certificate(audit(framework, count), Inputs())["claim"]
    {'level': {'log': '72/25'}, 'width': None, 'bits': 96}
    >>> noise_certificate(audit(framework, count, epsilon=1), Inputs())["claim"]["output"]
    '3'

    Raises `CertificateError` with the reason where the kernel has no rule for the question, the
    level is not decided, or the kernel does not see what the audit found.
    """
    queries = _queries(audit)
    kind, claims = _claims(audit, queries)
    base = {
        "format": FORMAT,
        "kind": kind,
        "framework": _framework_json(audit.of or audit.framework),
        "mechanisms": [_release(query) for query in queries],
        "inputs": {"framework": inputs.framework, "mechanisms": list(inputs.mechanisms)},
    }
    reason = "there is nothing to claim"
    for claim in claims:
        try:
            kernel.check_bytes((indented(base | {"claim": claim}) + "\n").encode())
        except kernel.Refused as refusal:
            reason = str(refusal)
        else:
            return base | {"claim": claim}
    if audit.kept is Decision.HOLDS and audit.level is not None:
        _expect_apart(audit.leakage.enclosure(), audit.level.enclosure())
    hint = " (fewer secrets are less work)" if "too large" in str(reason) else ""
    raise CertificateError(f"the kernel does not see what the audit found: {reason}{hint}")


def _expect_apart(leakage: Enclosure, level: Enclosure) -> None:
    """Raise `CertificateError` if a leakage may be the level itself."""
    low, high = Fraction(level.lower), Fraction(level.upper)
    if Fraction(leakage.lower) <= high and low <= Fraction(leakage.upper):
        larger = f"{float(high) * (1 + 1e-9):.10g}"
        raise CertificateError(
            "the leakage equals the level to 15 digits. The kernel bounds numbers such as "
            "e^(1/2) from both sides, and never sees that two are equal: ask for a little more, "
            f"such as {larger}, or for no level"
        )


def expect_rule(framework: Framework, queries: Sequence[Any], limited: bool) -> None:
    """Raise `CertificateError` unless the kernel has a rule for noise on queries; `limited` says
    whether a delta is asked for.
    """
    reason = no_rule_for(framework, queries)
    if reason is None and any(getattr(query, "of", None) is not None for query in queries):
        reason = "the kernel has a rule for records that follow one another, found chosen ones"
    if reason is None and not limited and any(query.noise.decay is None for query in queries):
        reason = "the kernel has a rule for the delta of normal noise, whose leakage is infinite"
    asked = {query.asked for query in queries if isinstance(query, RecordQuery)}
    if reason is None and limited and len(asked) > 1:
        reason = "the kernel has a rule for the delta of one query, found several segments"
    if reason is None and limited and _counts(queries[0]) > 1:
        reason = "the kernel has a rule for the delta of one number, found a histogram of several"
    if reason is None and framework.one_sided:
        reason = ONE_SIDED
    if reason is not None:
        raise CertificateError(reason)


def no_rule_for(framework: Framework, queries: Sequence[Any]) -> str | None:
    """Return why the kernel has no rule for noise on queries, None if it has one."""
    framework = framework.alone
    reason = None if framework.classes else _other_priors(framework)
    if reason is not None:
        return reason
    if not all(isinstance(query, RecordQuery) for query in queries):
        return (
            "the kernel has a rule for noise on sums, means and histograms, found a table (as "
            "programs that add noise have one)"
        )
    if any(query.noise.kind == "discrete_gaussian" for query in queries):
        return "the kernel has a rule for other noise, found discrete Gaussian noise"
    first, chains = queries[0], framework.of_members() if framework.classes else framework
    if segments_of(chains, queries) is None and any(query.asked != first.asked for query in queries):
        return "the kernel has a rule for releases of one query, or of disjoint segments of records of two values"
    if any(query.noise.kind != first.noise.kind for query in queries):
        return "the kernel has a rule for releases with noise of one kind, found several"
    return None


def _other_priors(framework: Framework) -> str | None:
    if not framework.along_records:
        return "the kernel has a rule for noise on Markov chains, found other priors"
    for name, chain in framework.chains.items():
        if chain.rows is not None or chain.emission is not None:
            found = "independent records" if chain.rows is not None else "a hidden chain"
            return f"the kernel has a rule for noise on Markov chains, found {found}: prior '{name}'"
    return None


def _queries(audit: Audit) -> tuple[RecordQuery, ...]:
    """Return the queries of an audit. Raises `CertificateError` where there is no rule for it."""
    if not isinstance(audit.mechanism, NoisyQueries):
        raise CertificateError("expected queries with noise, found another mechanism")
    queries = audit.mechanism.queries
    expect_rule(audit.of or audit.framework, queries, audit.delta is not None)
    if audit.renyi is not None:
        raise CertificateError("the kernel has a rule for levels and deltas of noise, not orders")
    return tuple(query for query in queries if isinstance(query, RecordQuery))


def _claims(audit: Audit, queries: Sequence[RecordQuery]) -> tuple[str, Iterator[Claim]]:
    """Return the kind of a certificate, and the claims that may be accepted."""
    if audit.kept is Decision.UNDECIDED:
        raise CertificateError("the verdict is undecided: there is nothing to certify")
    if audit.delta is not None:
        return delta_claims(audit, queries)
    if audit.kept is Decision.FAILS and audit.level is not None:
        found = _witnesses(audit, queries, audit.level)
        if audit.of is not None:
            return "noise-class-witness", class_members(audit, audit.of, found)
        return "noise-leakage-witness", found
    if audit.of is not None:
        return "noise-class-at-most", class_bounds(audit, audit.of)
    return "noise-leakage-at-most", _bounds(audit, queries)


def _bounds(audit: Audit, queries: Sequence[RecordQuery]) -> Iterator[Claim]:
    """Yield upper bounds: of the level, or of the leakage as it is known."""
    ratio, upper = audit.leakage.ratio, {"nats": audit.leakage.enclosure().upper}
    levels = [upper] if ratio is None else [level_json(Level.log(ratio)), upper]
    if audit.level is not None:
        levels = [level_json(audit.level)]
    if any(query.asked != queries[0].asked for query in queries):
        yield from _each(levels[-1:], [None])
        return
    alone, count = queries[0].alone, queries[0].records.count
    axes = _counts(alone)
    few = _FEW if axes == 1 else _FEW_CELLS
    whole = [None] if (alone.size + 1) ** axes <= few else []
    yield from _each(levels, whole)
    if axes == 1:
        yield from _each(levels[-1:], [*_widths(audit, count), None])
    else:
        near = (width for width in _NARROW if (2 * width) ** axes <= _MOST_CELLS and width < count)
        yield from _each(levels[-1:], [*near])


def _counts(query: Any) -> int:
    """Return how many numbers of a query the kernel keeps apart: those of two values are one."""
    several = isinstance(query, RecordQuery) and query.dimension > 2
    return query.dimension if several else 1


def _each(levels: Sequence[dict[str, str]], widths: Sequence[int | None]) -> Iterator[Claim]:
    for level, width, bits in product(levels, widths, BITS):
        yield {"level": level, "width": width, "bits": bits}


def _widths(audit: Audit, count: int) -> list[int]:
    """Return widths of windows: those that bounded the leakage, if windows did, come first."""
    known = audit.largest.windows if isinstance(audit.largest, NoiseBounds) else ()
    found = [max(each.last - each.record, each.record - each.first) + 1 for each in known]
    first = [max(found)] if found else []
    return [*first, *(width for width in _WIDTHS if width < count)]


def _witnesses(audit: Audit, queries: Sequence[RecordQuery], level: Level) -> Iterator[Claim]:
    """Yield places at which a level may be exceeded: that of the audit, and the ends."""
    place = audit.witness.as_json()
    named = {"prior": place["prior"], "pair": list(audit.witness.pair)}
    for output in _outputs(audit, queries):
        for bits in BITS:
            yield named | {"output": output, "exceeds": level_json(level), "bits": bits}


def _outputs(audit: Audit, queries: Sequence[RecordQuery]) -> Iterator[Any]:
    """Yield outputs as the kernel has them: one number per query, or one per segment."""
    numbers = iter(Fraction(each) for each in audit.witness.output.split(","))
    vectors = [[next(numbers) for _ in range(query.dimension)] for query in queries]
    own = {query.asked[2]: vector[1 if query.query == "histogram" else 0] for query, vector in zip(queries, vectors)}
    if len(own) > 1:
        yield [text_of(own[ends]) for ends in sorted(own)]
        return
    query = queries[0]
    if _counts(query) > 1:
        places = product((0, query.size), repeat=query.dimension)
        corners = ([Fraction(each) for each in place] for place in places)
        yield from ([text_of(each) for each in output] for output in (vectors[0], *corners))
        return
    ends = [query.vector([end(query.digits[0]) * query.size])[-1] for end in (min, max)]
    for output in dict.fromkeys((*own.values(), *ends)):
        yield text_of(output)


def _framework_json(framework: Framework) -> dict[str, object]:
    records = framework.expect_records()
    secrets = {
        name: {"record": record, "value": records.alphabet[value]} for name, (record, value) in framework.places.items()
    }
    pairs = framework.pairs
    listed = "disjoint" if isinstance(pairs, AllPairs) else [list(pair) for pair in pairs]
    people = {"people": records.people} if records.people > 1 else {}
    return people | {
        "records": {"count": records.count, "alphabet": list(records.alphabet)},
        "secrets": secrets,
        "pairs": listed,
        "priors": _priors_json(framework.alone),
        "closure": framework.closure,
    }


def _priors_json(framework: Framework) -> dict[str, object]:
    if framework.classes:
        alphabet = framework.expect_records().alphabet
        return {name: class_json(prior, alphabet) for name, prior in framework.priors.items()}
    return {name: _chain_json(chain) for name, chain in framework.chains.items()}


def _chain_json(chain: Chain) -> dict[str, object]:
    rows = [[text_of(x) for x in row] for row in chain.step]
    return {"markov": {"initial": [text_of(x) for x in chain.start], "transition": rows}}


def _release(query: RecordQuery) -> JsonObject:
    document = query_document(query)
    segment = document.get("segment")
    return {"query": document["query"], "segment": segment, "noise": document["noise"]}
