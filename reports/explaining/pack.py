"""Evidence to hand on: a zip with certificates, the files they speak of, the kernel, and a page.

Who gets it needs Python alone: `python3 -I -S check.py` checks every certificate, with the files.
The same input gives the same bytes. Nothing is written that the kernel inside does not accept.
"""

import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import CertificateError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.files.writing import indented
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.reports.console.outputs import expect_empty, make_folder, write_outputs
from pufferproof.reports.console.words import three_nats
from pufferproof.reports.explaining.kinds import MORE, Said, said
from pufferproof.verify import kernel
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from jinja2 import Environment

_KERNEL = Path(kernel.__file__).parent
_STAMP = (1980, 1, 1, 0, 0, 0)
_SECONDS = 600
_README = (
    "1. Open index.html: what was found, in words.\n"
    "2. Run python3 -I -S check.py here (Python 3.11 or later, nothing else): it prints "
    '"accepted" for every certificate.\n'
    "3. What you then trust: Python, the folder kernel (CERTIFICATES.md has its rules), and that "
    "the files describe your system.\n"
)
_CHECK = '''"""Check every certificate of this folder: python3 -I -S check.py (Python 3.11)."""
import json, os, sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import kernel

failed = False
with open(os.path.join(here, "checks.json"), encoding="utf-8") as file:
    checks = json.load(file)
for certificate, inputs in checks["certificates"]:
    paths = [os.path.join(here, name) for name in (certificate, *inputs)]
    try:
        found = kernel.check(paths[0], paths[1] if inputs else None, paths[2:], checks["work"])
        print(f"{certificate}: accepted: {found.statement}; input files {found.inputs}")
    except Exception as refusal:
        failed = True
        print(f"{certificate}: NOT ACCEPTED: {refusal}")
sys.exit(failed)
'''


@dataclass(frozen=True)
class Evidence:
    """What goes into a zip: certificates, that which carries the verdict first; the framework and
    mechanisms as they were read, by their names in the zip; and what the page says.
    """

    certificates: Sequence[JsonObject]
    framework: tuple[str, bytes]
    mechanisms: Sequence[tuple[str, bytes]]
    leakage: Leakage
    verdict: str = ""
    lines: Sequence[str] = ()
    digits: Sequence[str] = ()  # the numbers of these lines with all digits
    unread: Sequence[str] = ()
    plots: Sequence[tuple[str, bytes, str]] = ()  # name, file, and what it shows
    title: str = "What this release tells"
    others: Mapping[str, bytes] = field(default_factory=dict)
    runs: int = 1  # of every mechanism, each with an entry of its own in the certificates
    test: str = ""  # that keeps the promise, for pytest
    doubts: Sequence[str] = ()  # about the model that was fitted to data

    @property
    def inputs(self) -> list[str]:
        """The names of the files that the kernel compares, none if it does not read them."""
        released = [name for name, _ in self.mechanisms for _ in range(self.runs)]
        names = [self.framework[0], *released]
        return [] if self.unread else names


def named_inputs(framework: str, mechanisms: Sequence[str]) -> list[str]:
    """Return the names in a zip of a framework and mechanisms, with the suffixes that they have."""
    several = len(mechanisms) > 1
    return [
        f"framework{_suffix(framework)}",
        *(
            f"mechanism-{number}{_suffix(path)}" if several else f"mechanism{_suffix(path)}"
            for number, path in enumerate(mechanisms, 1)
        ),
    ]


def _suffix(path: str) -> str:
    return Path(path).suffix.lower() or ".json"


def zipped(evidence: Evidence) -> bytes:
    """Return the zip. Raises `CertificateError` unless the kernel inside accepts every
    certificate.
    """
    files = packed(evidence)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _STAMP)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            pack.writestr(info, files[name])
    return out.getvalue()


def write_evidence(
    evidence: Evidence,
    folder: str | None,
    path: str | None,
    inputs: Sequence[str | None],
    beside: Mapping[str, bytes] | None = None,
) -> None:
    """Write evidence into a folder, and as a zip, whichever is named, with files beside it; all or
    none.
    """
    expect_empty(folder)
    others = dict(beside or {})
    files = {} if path is None else {path: zipped(evidence)}
    if folder is not None:
        files |= {str(Path(folder, name)): content for name, content in packed(evidence).items()}
        for each in sorted({str(Path(name).parent) for name in files if name != path}):
            make_folder(each)
    write_outputs(files | others, path, *others, inputs=inputs)


def packed(evidence: Evidence) -> dict[str, bytes]:
    """Return the files of the zip. Raises `CertificateError` as `zipped` does."""
    files = _files(evidence)
    _expect_accepted(files)
    return files


def _files(evidence: Evidence) -> dict[str, bytes]:
    files = {f"kernel/{name}": content for name, content in _kernel().items()}
    names = [
        "certificate.json" if k == 1 else f"certificate-{k}.json"
        for k in range(1, len(evidence.certificates) + 1)
    ]
    documents = dict(zip(names, evidence.certificates))
    files |= {name: (indented(each) + "\n").encode() for name, each in documents.items()}
    files |= dict([evidence.framework, *evidence.mechanisms]) | dict(evidence.others)
    checks = {
        "certificates": [[name, evidence.inputs] for name in names],
        "work": 100 * kernel.MAX_WORK,
    }
    files["checks.json"] = (json.dumps(checks, indent=1) + "\n").encode()
    files |= {"README.txt": _README.encode(), "check.py": _CHECK.encode()}
    files |= {name: content for name, content, _ in evidence.plots}
    page, text = _told(evidence, documents)
    return files | {"index.html": page.encode(), "explain.txt": text.encode()}


def _kernel() -> dict[str, bytes]:
    """Return the files of the kernel, by their places in it."""
    return {
        path.relative_to(_KERNEL).as_posix(): path.read_bytes()
        for path in sorted(_KERNEL.rglob("*"))
        if path.suffix in (".py", ".md")
    }


def _told(evidence: Evidence, documents: Mapping[str, JsonObject]) -> tuple[str, str]:
    """Return the page, and the same in plain text."""
    words = {name: said(document) for name, document in documents.items()}
    proved = [
        {"name": name, "proved": each.proved, "means": each.means} for name, each in words.items()
    ]
    every, left = _assumed(evidence, words.values()), _unproved(documents, words.values())
    sides = {each["kind"].endswith("witness") for each in documents.values()}
    proved_of = {frozenset([True]): "below", frozenset([False]): "above"}
    odds = odds_text(evidence.leakage, proved_of.get(frozenset(sides), "both"))
    nats = f"The leakage is {three_nats(evidence.leakage)}."
    digits = [*filter(None, [digits_line(evidence.leakage)]), *evidence.digits]
    known = {
        "title": evidence.title,
        "verdict": evidence.verdict,
        "doubts": list(evidence.doubts),
        "odds": odds,
        "nats": nats,
        "digits": digits,
        "lines": list(evidence.lines),
        "plots": [{"name": name, "finding": finding} for name, _, finding in evidence.plots],
        "proved": proved,
        "assumed": every,
        "unproved": left,
        "test": evidence.test,
        "matched": not evidence.unread,
        "inputs": _few(evidence.inputs),
        "command": " ".join(["python3 -I -S kernel certificate.json", *_few(evidence.inputs)]),
    }
    page = _environment().get_template("evidence.html.j2").render(known)
    doubts = [f"Doubt: {each}." for each in evidence.doubts]
    text = [evidence.title, evidence.verdict, *doubts, odds, nats, *evidence.lines, *digits]
    text += [f"Proved ({each['name']}): {each['proved']}; {each['means']}." for each in proved]
    text += [f"Not proved: {each}" for each in left]
    text += [f"Assumed: {each}" for each in every]
    return page, "\n".join(filter(None, text)) + "\n"


def _assumed(evidence: Evidence, words: Iterable[Said]) -> list[str]:
    """Return what certificates assume, and which forms the kernel did not compare."""
    unread = [
        f"that {each} says what the certificate has written out: the kernel does not read it, and "
        "checked the certificate alone"
        for each in evidence.unread
    ]
    doubtful = [f"that the fitted chain is right, against this: {each}" for each in evidence.doubts]
    return _sentences([*doubtful, *(each.assumed for each in words), *unread])


def _unproved(documents: Mapping[str, JsonObject], words: Iterable[Said]) -> list[str]:
    """Return what no certificate proves: how much more than a level is leaked is none of that where
    another one bounds it.
    """
    bounded = any(each["kind"].endswith("leakage-at-most") for each in documents.values())
    return _sentences(each.open for each in words if not (bounded and each.open == MORE))


def _sentences(said: Iterable[str]) -> list[str]:
    """Return what is said, once each, as ends of sentences."""
    return [f"{each}." for each in dict.fromkeys(said) if each]


def _few(names: list[str]) -> list[str]:
    """Return names, the first and the last of many."""
    return names if len(names) < 6 else [*names[:3], "..", names[-1]]


def odds_text(leakage: Leakage, proved: str = "both") -> str:
    """Say by which factor an output changes the odds of a secret at most, `proved` "above"; by
    which one some output does, "below"; or both. Three digits of bounds are rounded away from what
    is claimed.

    >>> odds_text(Leakage(Fraction(2), Fraction(2)))
    'Some output changes the odds of a secret 2 times, and none by a larger factor.'
    >>> odds_text(Leakage(Fraction(702, 31), Fraction(702, 31)))
    'Some output changes the odds of a secret about 22.6 times, and none by a larger factor.'
    >>> odds_text(Leakage(Fraction(1), Fraction(4, 3)), "above")
    'No output changes the odds of a secret by a factor of more than 1.34.'
    """
    least, most = _digits(leakage.lower, ROUND_FLOOR), _digits(leakage.upper, ROUND_CEILING)
    if least is None:
        return "Some output changes the odds of a secret without bound."
    if most is not None and (proved == "above" or leakage.lower == 1):
        return f"No output changes the odds of a secret by a factor of more than {most}."
    some = "Some output changes the odds of a secret"
    if proved == "both" and leakage.lower == leakage.upper:
        about = "" if least == most else "about "
        near = _digits(leakage.lower, ROUND_HALF_EVEN)
        return f"{some} {about}{near} times, and none by a larger factor."
    more = "" if most is None or proved == "below" else f", and none more than {most} times"
    return f"{some} at least {least} times{more}."


def _digits(number: Fraction | None, rounding: str) -> str | None:
    """Return three digits of a number, rounded in one direction."""
    if number is None:
        return None
    with localcontext(prec=3, rounding=rounding):
        found = Decimal(number.numerator) / Decimal(number.denominator)
    return f"{found.normalize():f}" if found < 10**9 else f"{found:.2E}"


def digits_line(leakage: Leakage) -> str:
    """Say all digits that are known of a leakage and of the factor, none of an infinite one.

    >>> digits_line(Leakage(Fraction(2), Fraction(2)))
    'The factor is 2, the leakage from 0.69314718055994530 to 0.69314718055994531 nats.'
    """
    ends = leakage.enclosure()
    if ends.lower == "inf":
        return ""
    exact = leakage.ratio is not None and not (text := brief(leakage.ratio)).startswith("~")
    factor = f"The factor is {text}, the leakage" if exact else "The leakage is"
    most = "on" if ends.upper == "inf" else f"to {ends.upper} nats"
    known = f"{ends.lower} nats" if ends.lower == ends.upper else f"from {ends.lower} {most}"
    return f"{factor} {known}."


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("pufferproof.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _expect_accepted(files: Mapping[str, bytes]) -> None:
    """Run `check.py` of the zip on a bare interpreter, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        command = [sys.executable, "-I", "-S", "check.py"]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    if done.returncode:
        last = (done.stdout.strip() or done.stderr.strip()).splitlines()[-1:]
        raise CertificateError(f"the kernel in the zip did not accept it: {''.join(last)}")


def read_inputs(framework: str, mechanisms: Sequence[str]) -> list[tuple[str, bytes]]:
    """Return files as they were read, by their names in a zip."""
    paths = [framework, *mechanisms]
    names = named_inputs(framework, mechanisms)
    return [(name, bytes_of(path, MAX_BYTES)) for name, path in zip(names, paths)]
