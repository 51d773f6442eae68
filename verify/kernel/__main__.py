"""The command: `python verify/kernel [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM...]`.

Exit codes: 0 accepted; 1 refused; 2 no answer: misuse (wrong usage, an unreadable file, a
certificate that is not JSON), more work or memory than there is, or an acceptance that cannot be
written. It needs nothing but the folder of this file, wherever that is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path

if not __package__:  # run as a folder: a package of that folder, whatever else is called kernel
    __package__, __spec__ = "kernel", None
    folder = Path(__file__).resolve().parent
    loader = SourceFileLoader("kernel", str(folder / "__init__.py"))
    spec = ModuleSpec("kernel", loader, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    sys.modules["kernel"] = package = module_from_spec(spec)
    loader.exec_module(package)

from . import NotJSON, Refused, TooLarge, algebra, check
from .reading import Accepted

USAGE = "usage: kernel [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM...]"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    words = [*(sys.argv[1:] if argv is None else argv)]
    verdict, accepted, reason = judged([*words])
    if accepted is None:
        say("stderr", f"{verdict}: {reason}")
    code = {"accepted": 0, "refused": 1}.get(verdict, 2)
    text = in_words(accepted)
    if "--json" in words:
        text = as_json(accepted, reason) if code < 2 else ""
    if text and not say("stdout", text):
        say("stderr", "no answer: it cannot be written to standard output")
        return 2
    return code


def judged(words: list[str]) -> tuple[str, Accepted | None, str | None]:
    """Return the verdict, what was proved, and the reason if nothing was."""
    try:
        work, (certificate, *files) = arguments(words)
        framework = files[0] if files else None
        return "accepted", check(certificate, framework, files[1:], work), None
    except MemoryError:
        return "no answer", None, "not enough memory"
    except TooLarge as error:
        return "no answer", None, str(error)
    except Refused as error:
        return "refused", None, str(error)
    except (OSError, NotJSON) as error:
        return "misuse", None, str(error)
    except Exception as error:  # one of the kernel's own: it accepts nothing
        return "misuse", None, repr(error)


def arguments(words: list[str]) -> tuple[int, list[str]]:
    """Return how much work is allowed, 0 for the default, and the paths."""
    work = None
    if "--work" in words[:-1]:
        work = words.pop(words.index("--work") + 1)
        words.remove("--work")
    paths = [word for word in words if word != "--json"]
    limited = work is None or re.fullmatch("[1-9][0-9]{0,30}", work)
    if not paths or any(path.startswith("-") for path in paths) or not limited:
        raise OSError(USAGE)
    return int(work or 0), paths


def in_words(accepted: Accepted | None) -> str:
    if accepted is None:
        return ""
    files = f"input files {accepted.inputs}"
    if accepted.kind in algebra.RULES:
        files = "no input files"
    return f"accepted: {accepted.statement}\n{accepted.checked} checked, {files}"


def as_json(accepted: Accepted | None, reason: str | None) -> str:
    nothing = {"kind": None, "statement": None, "checked": 0, "inputs": "not given"}
    outcome = nothing if accepted is None else vars(accepted)
    return json.dumps({"accepted": accepted is not None, **outcome, "reason": reason})


def say(stream: str, text: str) -> bool:
    """Write a line, and say whether it was written: the stream may be closed, or full."""
    try:
        getattr(sys, stream).write(text + "\n")
        getattr(sys, stream).flush()
    except (AttributeError, OSError, ValueError):
        setattr(sys, stream, None)  # or the interpreter would write it again at its end
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
