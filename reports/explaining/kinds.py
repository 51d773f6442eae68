"""What a certificate of every kind proves, in words: a sentence, what it means, what it assumes,
and what it does not prove.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, brief, in_quotes
from pufferproof.reports.console.words import counted, level_nats
from pufferproof.verify.kernel import KINDS
from pufferproof.verify.kernel.reading import Accepted

Claim = JsonObject
_WORLD = "that the framework is the right model of the world"
_MODEL = f"{_WORLD}, and that the mechanism is what really runs"
_WITHIN = (
    f"{_WORLD}, and that each probability of what really runs is within the bounds that are "
    "written out, which the kernel takes as given"
)
BOUNDED = ("bounded-leakage-at-most", "joint-bounded-leakage-at-most", "bounded-delta-at-most")
_FORMULA = "what the letters stand for, which is stated where the formula is used"
MORE = "how much more it leaks"
_SHOWN = 4
_LONG = 12  # characters of a number that is written out
_SHORT = 40  # characters of a fraction that may be written as a decimal


@dataclass(frozen=True)
class Said:
    """What is proved, what that means, what is assumed, and what is not proved; empty where there
    is nothing.
    """

    proved: str
    means: str
    assumed: str = _MODEL
    open: str = ""

    @property
    def unsaid(self) -> str:
        """What is not proved, and what is assumed."""
        parts = [self.open and f"not proved: {self.open}", self.assumed and f"assumed: {self.assumed}"]
        return "; ".join(filter(None, parts))


def said(document: JsonObject) -> Said:
    """Say what an accepted certificate proves."""
    return SENTENCES[document["kind"]](document["claim"], document)


def level(value: JsonObject | str) -> str:
    """Say a level: `log(3)`, `2 nats`, or that there is none."""
    if value == "inf":
        return "every level"
    if isinstance(value, str):
        return level_nats(value)
    return f"log({value['log']})" if "log" in value else level_nats(_decimal(value["nats"]))


def factor(value: JsonObject) -> str:
    """Say e^level."""
    return f"{value['log']}" if "log" in value else f"e^({_decimal(value['nats'])})"


def _decimal(text: str) -> str:
    """Write a number without a fraction bar, if it has so many decimals only.

    >>> _decimal("114509/50000"), _decimal("1/3")
    ('2.29018', '1/3')
    """
    if not isinstance(text, str) or len(text) > _SHORT:
        return text
    number = exact(text)
    shown = f"{number.numerator / Decimal(number.denominator):f}"
    return shown if exact(shown) == number else text


def listed(names: Sequence[str], shown: int = _SHOWN) -> str:
    """List names, the first few of many."""
    quoted = ", ".join(map(in_quotes, names[:shown]))
    return quoted if len(names) <= shown else f"{quoted} and {len(names) - shown} more"


def _every(document: JsonObject) -> str:
    priors = document["framework"]["priors"]
    mixed = " and every mixture of them" if document["framework"]["closure"] == "convex" else ""
    return f"under every prior ({listed(list(priors))}{mixed})"


def _bounded(claim: Claim, document: JsonObject) -> Said:
    together = _together(claim)
    attained = claim.get("attained") is not None
    least = "this is the least such level" if attained else "a smaller level may hold as well"
    return Said(
        f"{together} leaks {'exactly' if attained else 'at most'} {level(claim['level'])}",
        f"{_every(document)}, no output is more than {factor(claim['level'])} times as likely "
        f"under one secret of a pair as under the other; {least}",
        _assumed(document),
    )


def _assumed(document: JsonObject) -> str:
    """Say what a certificate about mechanisms, or about bounds of their laws, assumes."""
    return _WITHIN if document["kind"] in BOUNDED else _MODEL


def _exceeded(claim: Claim, document: JsonObject) -> Said:
    outputs = claim["outputs"] if "outputs" in claim else [claim["output"]]
    above, below = map(in_quotes, claim["pair"])
    where, exceeds = f"{_under(claim['prior'])}, {listed(outputs)}", claim["exceeds"]
    if exceeds == "inf":
        return Said(
            f"{_together(claim)} leaks without bound", f"{where} is possible under {above} and impossible under {below}"
        )
    return Said(
        f"{_together(claim)} leaks more than {level(exceeds)}",
        f"{where} is more than {factor(exceeds)} times as likely under {above} as under {below}",
        open=MORE,
    )


def _together(claim: Claim) -> str:
    releases = claim.get("releases")
    if releases is None:
        return "the mechanism"
    return f"the joint release of mechanisms {', '.join(str(release + 1) for release in releases)}"


def _under(prior: str | JsonObject | Sequence[str]) -> str:
    if isinstance(prior, str):
        return f"under the prior {in_quotes(prior)}"
    if isinstance(prior, Mapping):
        return f"under a mixture of the priors {listed(list(prior['mixture']))}"
    return f"under the priors {listed(prior)}"


def _delta(claim: Claim, document: JsonObject) -> Said:
    return Said(
        f"the mechanism keeps ({level(claim['level'])}, delta) for delta = {claim['delta']}",
        f"{_every(document)}, the probability of any set of outputs under one secret of a pair is "
        f"at most {factor(claim['level'])} times that under the other, plus delta",
        _assumed(document),
    )


def _delta_exceeded(claim: Claim, document: JsonObject) -> Said:
    above, below = map(in_quotes, claim["pair"])
    return Said(
        f"the mechanism does not keep ({level(claim['level'])}, delta) for delta = {claim['delta']}",
        f"{_under(claim['prior'])}, the outputs {listed(claim['outputs'])} together break it, {above} against {below}",
        open="which delta it keeps",
    )


def _composes(claim: Claim, document: JsonObject) -> Said:
    return Said(
        f"the condition for composition (NfC) holds at {_levels(claim)}",
        "however often the mechanisms are run with fresh randomness, what the runs leak together "
        "is at most the sum of their levels plus one constant that does not depend on their number",
        open="how large the constant is",
    )


def _does_not_compose(claim: Claim, document: JsonObject) -> Said:
    return Said(
        f"the condition for composition (NfC) fails at {_levels(claim)}",
        f"{_under(claim['prior'])}, at the database {in_quotes(claim['database'])}: with enough "
        "runs, the joint leakage exceeds the sum of the levels by any amount",
        open="how many runs that takes",
    )


def _levels(claim: Claim) -> str:
    return ", ".join(map(level, claim["levels"]))


def _rate(claim: Claim, document: JsonObject) -> Said:
    lower, upper = claim["lower"], claim["upper"]
    if lower == "inf":
        proved = "the composition rate of the mechanism is infinite"
    elif lower == upper:
        proved = f"the composition rate of the mechanism is exactly {level(lower)} per run"
    else:
        proved = (
            f"the composition rate of the mechanism is from {level(lower)} to "
            f"{'infinity' if upper in ('inf', None) else level(upper)} per run"
        )
    return Said(
        proved,
        "the rate is what one further run with fresh randomness adds to the joint leakage in the long run",
        open="what the first few runs add",
    )


def _optimum(claim: Claim, document: JsonObject) -> Said:
    size = f"{len(claim['variables'])} variables and {len(claim['rows'])} rows"
    return Said(
        f"the maximum of a linear program of {size} is {claim['value']}",
        "one point reaches this value, and multipliers of the rows show that no point exceeds it",
        assumed="",
        open="what the variables stand for, which the command that wrote the certificate states",
    )


def _worst(claim: Claim, document: JsonObject) -> Said:
    first, second = (
        level(budget) + ("" if alone is None else f" (and {level(alone)} for every record)")
        for budget, alone in zip(claim["budgets"], claim["per_record"])
    )
    how = "exactly" if claim["attained"] is not None else "at most"
    return Said(
        f"two mechanisms within {first} and {second} leak together {how} {level(claim['level'])} at the worst",
        f"{_every(document)}, whatever the two are; also when the second sees what the first released",
        assumed=_WORLD,
        open="anything about three releases",
    )


def _polynomial(claim: Claim, document: JsonObject) -> Said:
    names = ", ".join(claim["variables"]) or "no variable"
    assumed = len(claim["assumptions"])
    under = f" under {counted(assumed, 'assumption')}" if assumed else ""
    what = "they contradict each other" if claim["conclusion"] is None else "an inequality holds"
    return Said(
        f"for all real {names}:{under} {what} (written out below)",
        "the difference is a sum of products of what is assumed with squares, which the kernel multiplied out",
        assumed="",
        open=_FORMULA,
    )


def _farkas(claim: Claim, document: JsonObject) -> Said:
    names = ", ".join(claim["variables"])
    what = "contradict each other" if claim["conclusion"] is None else "imply another"
    return Said(
        f"for all real {names}: {len(claim['rows'])} linear relations {what} (written out below)",
        "multiplied by the numbers in the certificate and added, the relations give exactly this",
        assumed="",
        open=_FORMULA,
    )


def _enclosure(claim: Claim, document: JsonObject) -> Said:
    what = f"e^({claim['exponent']})" if "exponent" in claim else f"log({claim['log_of']})"
    ends = [(claim["lower"], "at least"), (claim["upper"], "at most")]
    bounds = " and ".join(f"{words} {end}" for end, words in ends if end is not None)
    return Said(f"{what} is {bounds}", "a series was summed with every term rounded outward", assumed="", open=_FORMULA)


_RELATIONS = {"<=": "at most", "=": "exactly", ">=": "at least", ">": "more than"}


def _redaction(claim: Claim, document: JsonObject) -> Said:
    chain, infinite = document["chain"], claim["level"] == "inf"
    how = "without bound" if infinite else f"{_RELATIONS[claim['relation']]} {level(claim['level'])}"
    where = "" if claim["output"] is None else f" (at the output {in_quotes(claim['output'])})"
    means = "some output multiplies the odds of the private record by that factor or more"
    if infinite:
        means = "some output is possible for only one value of the private record"
    elif claim["relation"] in ("<=", "="):
        means = "no output multiplies the odds of the private record by a larger factor"
    return Said(
        f"the redaction leaks {how} about record {document['private']} of {chain['length']}{where}",
        f"the records are a chain of 0s and 1s with P(1 after 0) = {chain['alpha']} and "
        f"P(0 after 1) = {chain['beta']}; {means}",
        "that the data follow this chain",
    )


def _designs(claim: Claim, document: JsonObject) -> Said:
    names = [design["name"] for design in claim["designs"]]
    best = [design["name"] for design in claim["designs"] if design["utility"]["upper"] is not None]
    what = f"; none of its class is better than {listed(best)}" if best else ""
    return Said(
        f"{counted(len(names), 'redaction design')} within {level(claim['level'])} about record "
        f"{document['private']} of {document['chain']['length']}: {listed(names)}{what}",
        "utility is the expected share of records that is shown; leakage and utility of each are written out below",
        "that the data follow this chain",
    )


_CHAIN = "that the data follow the model in the framework, and that the program adds exactly this "
_CHAIN += "noise; rounding of real numbers is not covered"


def _release(document: JsonObject) -> str:
    releases, records = document["mechanisms"], document["framework"]["records"]
    count = int(records["count"])
    parts = {tuple(map(int, release["segment"] or (1, count))) for release in releases}
    noise = {_noise_text(release["noise"]): None for release in releases}
    times = "" if len(releases) == 1 else f", released {len(releases)} times,"
    if len(parts) > 1:
        kinds = " and ".join({query_text(release["query"]): None for release in releases})
        first, last = min(parts)[0], max(parts)[1]
        what = f"the {kinds} of {len(parts)} segments of {_stretch(first, last)}"
    else:
        ((first, last),) = parts
        whole = (first, last) == (1, count)
        of = f"{count} records" if whole else _stretch(first, last)
        of = "record 1" if count == 1 else of
        what = f"the {query_text(releases[0]['query'])} of {of}"
    if "people" in document["framework"]:
        what += f" of each of {document['framework']['people']} people"
    shown = [*noise][:3]
    more = f" and {len(noise) - 3} more" if len(noise) > 3 else ""
    return f"{what} with {' and '.join(shown)}{more}{times}"


def _stretch(first: int, last: int) -> str:
    return f"record {first}" if first == last else f"records {first} to {last}"


def query_text(query: str | JsonObject) -> str:
    """Say what a query of records is: a name, or the count of a value."""
    return query if isinstance(query, str) else f"count of {in_quotes(query['count'])}"


def _noise_text(noise: JsonObject) -> str:
    ((kind, given),) = noise.items()
    ((parameter, value),) = given.items()
    short = value if len(str(value)) <= _LONG else brief(exact(value))
    return f"{kind.replace('_', ' ')} noise of {parameter} {short}"


def _noise_bounded(claim: Claim, document: JsonObject) -> Said:
    how = "all records"
    if claim["width"] is not None:
        near = int(claim["width"]) - 1
        how = f"{counted(near, 'record')} on either side, whatever the others are"
    return Said(
        f"{_release(document)} leaks at most {level(claim['level'])}",
        f"{_every(document)}, no output is more than {factor(claim['level'])} times as likely "
        f"under one secret of a pair as under the other; computed from the distribution of {how}",
        _CHAIN,
    )


def _noise_exceeded(claim: Claim, document: JsonObject) -> Said:
    above, below = map(in_quotes, claim["pair"])
    output = claim["output"]
    where = f"the output {output} is"
    if isinstance(output, list):
        where = f"the outputs {listed(list(map(str, output)))} are"
    return Said(
        f"{_release(document)} leaks more than {level(claim['exceeds'])}",
        f"{_under(claim['prior'])}, {where} more than "
        f"{factor(claim['exceeds'])} times as likely under {above} as under {below}",
        _CHAIN,
    )


def _class_bounded(claim: Claim, document: JsonObject) -> Said:
    cells, names = claim["cells"], listed(list(claim["cells"]))
    parts = counted(sum(tree.count(".") for tree in cells.values()), "cell")
    return Said(
        f"{_release(document)} leaks at most {level(claim['level'])}",
        f"under every chain of every class ({names}), no output is more than "
        f"{factor(claim['level'])} times as likely under one secret of a pair as under the other; "
        f"shown by {parts} that cover the classes",
        _CHAIN.replace("the model", "a chain of the classes"),
    )


def _class_exceeded(claim: Claim, document: JsonObject) -> Said:
    found = _noise_exceeded(claim, document)
    rows = ", ".join(" ".join(map(str, row)) for row in claim["member"]["transition"])
    first = claim["member"]["initial"]
    start = "its stationary law" if isinstance(first, str) else " ".join(map(str, first))
    where = f"under the chain {rows} from {start}, of the class {in_quotes(claim['prior'])}"
    means = found.means.replace(_under(claim["prior"]), where, 1)
    return replace(found, means=means)


def _noise_delta(claim: Claim, document: JsonObject) -> Said:
    return Said(
        f"{_release(document)} keeps ({level(claim['level'])}, delta) for delta = {claim['delta']}",
        f"{_every(document)}, the probability of any set of outputs under one secret of a pair is "
        f"at most {factor(claim['level'])} times that under the other, plus delta",
        _CHAIN,
    )


def _noise_delta_exceeded(claim: Claim, document: JsonObject) -> Said:
    above, below = map(in_quotes, claim["pair"])
    return Said(
        f"{_release(document)} does not keep ({level(claim['level'])}, delta) for delta = {claim['delta']}",
        f"{_under(claim['prior'])}, the probability of some set of outputs under {above} is more "
        f"than {factor(claim['level'])} times that under {below}, plus delta",
        _CHAIN,
        open="which delta it keeps",
    )


SENTENCES: dict[str, Callable[[Claim, JsonObject], Said]] = {
    "leakage-at-most": _bounded,
    "leakage-witness": _exceeded,
    "joint-leakage-at-most": _bounded,
    "joint-leakage-witness": _exceeded,
    "delta-at-most": _delta,
    "bounded-leakage-at-most": _bounded,
    "joint-bounded-leakage-at-most": _bounded,
    "bounded-delta-at-most": _delta,
    "delta-witness": _delta_exceeded,
    "nfc": _composes,
    "nfc-violation": _does_not_compose,
    "rate": _rate,
    "lp-optimum": _optimum,
    "worst-at-most": _worst,
    "polynomial-inequality": _polynomial,
    "farkas": _farkas,
    "exp-enclosure": _enclosure,
    "redaction-leakage": _redaction,
    "redaction-designs": _designs,
    "noise-leakage-at-most": _noise_bounded,
    "noise-leakage-witness": _noise_exceeded,
    "noise-class-at-most": _class_bounded,
    "noise-class-witness": _class_exceeded,
    "noise-delta-at-most": _noise_delta,
    "noise-delta-witness": _noise_delta_exceeded,
}


# What `check --explain` says of an accepted certificate, in words: what it proves, from what, and what it leaves out.

_LONGEST = 400
_COMMON = ("__init__.py", "__main__.py", "files.py", "reading.py")


def explained(document: JsonObject, accepted: Accepted) -> dict[str, str]:
    """Return what is said of an accepted certificate, by labels."""
    sentences = said(document)
    family = KINDS[accepted.kind].__module__.rpartition(".")[2]
    statement = accepted.statement
    short = statement if len(statement) <= _LONGEST else f"{statement[:_LONGEST]} ..."
    return {
        "proved": sentences.proved,
        "means": sentences.means,
        "about": about(document),
        "from": _source(document, accepted),
        "exactly": short,
        "believe": f"rule {accepted.kind} in verify/kernel/CERTIFICATES.md, and its program: "
        f"{', '.join(_COMMON)} and {family} (README has the list)",
        "unsaid": sentences.unsaid,
    }


def about(document: JsonObject) -> str:
    """Say what a certificate carries: the framework and mechanisms, a chain, or formulas."""
    if "framework" in document:
        framework = document["framework"]
        names, records = [*framework["secrets"]], framework.get("records")
        if records is None:
            space = counted(len(framework["databases"]), "database")
        else:
            space = f"{counted(int(records['count']), 'record')} with values {listed(records['alphabet'])}"
        priors = [*framework["priors"]]
        parts = [
            f"{space}, {counted(len(names), 'secret')} ({listed(names)}), "
            f"{counted(len(priors), 'prior')} ({listed(priors)})"
        ]
        for number, mechanism in enumerate(document["mechanisms"], 1):
            parts.append(f"mechanism {number} with {_form(mechanism)}")
        return "; ".join(parts)
    if "chain" in document:
        return f"a binary chain of {counted(document['chain']['length'], 'record')}, written out"
    return "formulas alone, without a framework"


def _form(mechanism: JsonObject) -> str:
    if "noise" in mechanism:
        return f"a noisy {query_text(mechanism['query'])}"
    bounded = "bounds of the probabilities of " * ("bounds" in mechanism)
    return bounded + counted(len(mechanism["outputs"]), "output")


def _source(document: JsonObject, accepted: Accepted) -> str:
    checked = f"{counted(accepted.checked, 'fact')}, each derived again by the kernel"
    if "inputs" not in document:
        return checked
    if accepted.inputs == "matched":
        return f"{checked}; the files given are those it was made from"
    return f"{checked}; the files it was made from were not given, so what it carries counts"
