"""What a report rests on: certificates, and what the kernel answers about each as a separate
process.

The kernel runs on a bare interpreter (`python -B -I -S`),
reads the certificate from the report and the framework and mechanisms from their files, and
compares them. Within `kernel_at_hand` each of these processes is a fork of one that has loaded the
kernel and done nothing else: to start the interpreter takes longer than most checks.

Where it does not read the form of a file again, it checks the certificate alone, and the evidence
says so. A statement without a certificate rule keeps the trust EXACT and says why.
"""

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pufferproof.models.errors import CertificateError
from pufferproof.models.files.reading import MAX_BYTES, bytes_inside
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.reproving import Batch, asked_of_coq
from pufferproof.reports.page.examples import Example
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import WORK

KERNEL = Path(kernel.__file__).parent
_BARE = ("-B", "-I", "-S")  # no packages, no environment, and no compiled files left in the report


# A process per line that it reads: the words after the kernel's name, and the folder to be in.
_FORKS = """
import json, os, runpy, sys, tempfile
from importlib.util import module_from_spec, spec_from_file_location

folder = sys.argv[1]
init = os.path.join(folder, "__init__.py")
if os.path.exists(init):  # __main__.py runs it again, and finds the modules that it has loaded
    spec = spec_from_file_location("kernel", init, submodule_search_locations=[folder])
    sys.modules["kernel"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["kernel"])
for line in sys.stdin:
    words, place = json.loads(line)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            nothing = os.open(os.devnull, os.O_RDONLY)
            for number, file in enumerate((nothing, out.fileno(), err.fileno())):
                os.dup2(file, number)
            sys.argv = [folder, *words]
            os.chdir(place)
            runpy.run_path(folder, run_name="__main__")
            sys.exit()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read().decode(errors="replace"))
    print(json.dumps([code, *said]), flush=True)
"""
_AT_HAND: ContextVar["subprocess.Popen[str] | None"] = ContextVar("kernel", default=None)


@contextmanager
def kernel_at_hand() -> Iterator[None]:
    """Have a bare interpreter with the kernel loaded, which forks for every certificate, while the
    body runs.
    """
    command = [sys.executable, *_BARE, "-c", _FORKS, str(KERNEL.resolve())]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, text=True) as process:
        token = _AT_HAND.set(process)
        try:
            yield
        finally:
            _AT_HAND.reset(token)
            process.kill()
            with suppress(BrokenPipeError):
                process.stdin.close()  # type: ignore[union-attr]


@dataclass(frozen=True)
class PageEvidence:
    """A certificate in the report and the kernel's answer, or why there is no certificate.

    `certificate` is its path in the report. `said` is what the kernel proved, or its reason to
    refuse, or the reason why there is no certificate. `unread` names the forms because of which the
    certificate was not compared with its files. `commands` reproduce the statement and the check
    from the report's folder. `asked` is where Coq's answer will be, or why it was not asked.
    """

    certificate: str | None
    accepted: bool
    said: str
    checked: int
    commands: tuple[str, ...]
    unread: tuple[str, ...] = ()
    asked: Batch | str | None = None

    @property
    def coq(self) -> str | None:
        """What Coq said, waited for, or None if it was not asked."""
        return self.asked.said() if isinstance(self.asked, Batch) else self.asked

    @property
    def refused(self) -> bool:
        """Whether there is a certificate and the kernel did not accept it."""
        return self.certificate is not None and not self.accepted

    @property
    def alone(self) -> str:
        """Say what was not compared, in a sentence; nothing if all was."""
        if not self.unread:
            return ""
        forms = " and ".join(self.unread)
        return (
            f"The kernel does not read {forms}, so it checked only the certificate, which writes "
            "everything out. It did not check that the certificate matches the files"
        )

    def as_json(self) -> JsonObject:
        """Return certificate, the kernel's answer (None without a certificate), what it did not
        read, and the commands.
        """
        answer = {"accepted": self.accepted, "said": self.said, "checked": self.checked}
        return {
            "certificate": self.certificate,
            "no_certificate": self.said if self.certificate is None else None,
            "kernel": None if self.certificate is None else answer,
            "unread": list(self.unread),
            "commands": list(self.commands),
            **({} if self.coq is None else {"coq": self.coq}),
        }


def evidenced(
    certify: Callable[[], dict[str, object]],
    path: str,
    inputs: Sequence[str],
    command: Sequence[str],
    out: Path,
    unread: Sequence[str] = (),
) -> PageEvidence:
    """Write the certificate of a statement into the report at `path`, and ask the kernel about it
    and its input files.

    Args:
        certify: returns the certificate; what it says when it raises `CertificateError` is why
            there is none.
        inputs: files in the report that the certificate must speak of.
        command: reproduces the statement from the report's folder.
        unread: the forms in these files that are not read again.
    """
    try:
        document = certify()
    except CertificateError as error:
        return PageEvidence(None, False, str(error), 0, (shlex.join(command),))
    write_atomically(out / path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    return checked(path, inputs, out, [shlex.join(command)], unread)


def checked(
    path: str, inputs: Sequence[str], out: Path, commands: Sequence[str] = (), unread: Sequence[str] = ()
) -> PageEvidence:
    """Ask the kernel about a certificate that is in the report: with its files, or alone if
    some form in them is unread.
    """
    files = [] if unread else inputs
    for options in ([], ["--work", str(WORK)]):  # the second for a certificate that takes longer
        answer = ask_kernel(path, files, out, options)
        check = ["python3", *_BARE, "kernel", *options, path, *files]
        if answer["accepted"] or "--work" not in answer["said"]:
            break
    asked = asked_of_coq(out / path) if answer["accepted"] else None
    commands = (*commands, shlex.join(check))
    return PageEvidence(path, **answer, commands=commands, unread=tuple(unread), asked=asked)


def copy_kernel(out: Path) -> None:
    """Copy the kernel into a report, where it checks the certificates alone."""
    for path in KERNEL.rglob("*"):  # `copytree` goes on where a disk is full, and says no reason
        if path.is_file() and "__pycache__" not in path.parts:
            copy = out / "kernel" / path.relative_to(KERNEL)
            copy.parent.mkdir(exist_ok=True, parents=True)
            shutil.copyfile(path, copy)


def ask_kernel(certificate: str, inputs: Sequence[str], folder: Path, options: Sequence[str] = ()) -> JsonObject:
    """Run the kernel as a process of its own in `folder` and return its answer; a crash is an
    answer that refuses.

    With input files the certificate must match them.
    """
    code, out, err = _ended(["--json", *options, certificate, *inputs], folder)
    try:
        answer = json.loads(out)
        compared = answer["inputs"] == "matched" if inputs else True
        accepted = code == 0 and answer["accepted"] is True and compared
        return {
            "accepted": accepted,
            "said": str(answer["statement" if accepted else "reason"]),
            "checked": answer["checked"],
        }
    except (ValueError, KeyError, TypeError):
        last = err.strip().splitlines()[-1:]
        return {"accepted": False, "said": f"ended with code {code}: {' '.join(last)}", "checked": 0}


def _ended(words: Sequence[str], folder: Path) -> tuple[int, str, str]:
    """Run the kernel as a process of its own: its exit code and what it wrote."""
    process = _AT_HAND.get()
    if process is not None and process.stdin is not None and process.stdout is not None:
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps([list(words), str(folder.resolve())]) + "\n")
            process.stdin.flush()
            if line := process.stdout.readline():
                code, said, told = json.loads(line)
                return int(code), said, told
        _AT_HAND.set(None)  # it has ended: one process after the other is started
    command = [sys.executable, *_BARE, str(KERNEL.resolve()), *words]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    out, err = (each.decode(errors="replace") for each in (done.stdout, done.stderr))
    return done.returncode, out, err


def copied_inputs(
    example: Example, files: Sequence[str], out: Path, named: Mapping[str, bytes] | None = None
) -> list[str]:
    """Copy the files of an example into the report, and those that its framework names; return
    the paths of the former.
    """
    paths = [f"inputs/{example.name}/{file}" for file in files]
    contents = dict(zip(paths, (bytes_inside(example.folder, file, MAX_BYTES) for file in files)))
    for path, data in (contents | dict(zip(named_inputs(paths[0], named or {}), (named or {}).values()))).items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(data)
    return paths


def named_inputs(framework: str, named: Iterable[str]) -> list[str]:
    """Return the paths in the report of the files that a framework there names."""
    return [(PurePosixPath(framework).parent / name).as_posix() for name in named]
