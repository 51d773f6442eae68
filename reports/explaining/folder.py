"""Check a folder of evidence: every certificate in it, with the files that it was made from.

    python3 -I -S check.py [--json] [--work N]      (Python 3.11 or later, and nothing else)
    python3 -I check.py --draw [SEED]               (with NumPy: runs the code that is packed)

The folder must be as `checks.json` lists it: every file with its SHA-256, and no other file. Exit
codes: 0 if all certificates are accepted and compared with the files, 1 if something is refused, 2
if there is no answer, 3 if the kernel does not read a form of the files: then all certificates are
accepted, but perhaps they are not about these files. The sender of a folder can change this program
and the kernel beside it. `pufferproof check` of the zip uses a kernel of its own.
"""

import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

LIST, PROGRAM, KERNEL, CACHE = "checks.json", "check.py", "kernel", "__pycache__"
DRAW, DRAWS = "draw.py", "draws.json"  # what repeats draws of programs, and what is known of them
KEYS = {"certificates": list, "files": str, "unread": str}  # of the list, and what names have there
NOT_COMPARED = 3  # an exit code
MOST_FILES = 110_000  # a plan has at most 100,000 releases
# Forms in files that the kernel does not read again: it takes them as the certificate has them.
UNREAD = {"bayes_net", "contacts", "gaussian", "hidden_markov", "local", "names", "normalize"}
UNREAD |= {"of", "redaction", "show", "transitions"}  # of a chain that changes with time
UNREAD |= {"clamp", "noise", "round", "threshold"}  # noise: of its own for every database
READ = {"table", "product", "markov"}  # priors: it reads no other ones, also of later versions
Known = dict[str, Any]
NOTHING: Known = {"certificates": [], "compared": [], "unread": {}, "others": [], "kernel": None}
NOTHING |= {"programs": []}


class Refused(Exception):  # noqa: N818
    """The folder is not what it says; the text is the reason."""


def answer(folder: str, kernel: ModuleType, work: int = 0) -> Known:
    """Return what a kernel says of a folder: `code` is the exit code, `reason` why it is not 0.

    Args:
        work: the bit operations that the kernel may take for a certificate, 0 for its default.
    """
    known: Known = NOTHING | {"certificates": []}
    try:
        hashes = hashes_in(folder, kernel.longest(work or kernel.MAX_WORK))
        known["kernel"] = hash_of_kernel(hashes)
        certificates, unread = listed(folder, hashes, kernel, work)
        programs = [*programs_in(folder, hashes)]
    except (Refused, OSError, ValueError) as refusal:
        return known | {"code": 1, "reason": str(refusal)}
    inputs = inputs_in(hashes)
    rest = {name for name in hashes if not name.startswith(f"{KERNEL}/")}
    rest -= {*certificates, *inputs, LIST, PROGRAM, "README.txt", DRAW, DRAWS, *programs}
    known |= {"unread": unread, "others": sorted(rest), "programs": programs}
    for name, files in certificates.items():
        paths = [os.path.join(folder, each) for each in (name, *files)]
        made_from = [digest_of(kernel, folder, each, hashes) for each in files] if unread else None
        known["certificates"].append({"name": name} | judged(kernel, work, paths, made_from))
    matched = any(each["inputs"] == "matched" for each in known["certificates"])
    known["compared"] = inputs if matched else []
    worst = max(known["certificates"], key=lambda certificate: int(certificate["code"]))
    if worst["code"]:
        return known | {"code": worst["code"], "reason": f"{worst['name']}: {worst['reason']}"}
    if unread:
        forms = ", ".join(f'"{form}" of {name}' for name, form in unread.items())
        reason = f"no file was compared, because the kernel does not read {forms}"
        return known | {"code": NOT_COMPARED, "reason": reason}
    return known | {"code": 0, "reason": None}


def judged(kernel: ModuleType, work: int, paths: Sequence[str], made_from: Sequence[str] | None) -> Known:
    """Return what a kernel says of a certificate and its files: it compares them, unless it does
    not read their forms. Then the certificate must be `made_from` files with these hashes.
    """
    known: Known = {"kind": None, "statement": None, "checked": 0, "inputs": "not given"}
    try:
        if made_from is not None:
            found = kernel.check(paths[0], None, (), work)
            # refuse an accepted certificate that names other files
            path = paths[0]
            with open(path, "rb") as file:
                inputs = parsed(file.read())["inputs"]
            several = inputs.get("mechanisms", [inputs.get("mechanism")])
            if [inputs["framework"], *several] != [*made_from]:
                raise Refused("was made from files other than those that lie here")
        else:
            found = kernel.check(paths[0], paths[1], paths[2:], work)
            if found.inputs != "matched":
                raise Refused("the kernel did not compare the input files")
    except (kernel.TooLarge, MemoryError) as refusal:
        return known | {"code": 2, "reason": str(refusal) or "not enough memory"}
    except (Refused, kernel.Refused, kernel.NotJSON, OSError) as refusal:
        inside = os.path.dirname(paths[0]) + os.sep  # said by their names in the folder
        return known | {"code": 1, "reason": str(refusal).replace(inside, "")}
    except Exception as error:  # one of the kernel's own: it accepts nothing
        return known | {"code": 2, "reason": repr(error)}
    said = {key: getattr(found, key) for key in known}
    return said | {"code": 0, "reason": None}


def hashes_in(folder: str, longest: int) -> dict[str, str]:
    """Return the SHA-256 of every file by its name. Refuses all that is no regular file."""
    found: dict[str, str] = {}
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each != CACHE)
        for name in sorted([*folders, *names]):
            path = os.path.join(root, name)
            place, state = os.path.relpath(path, folder).replace(os.sep, "/"), os.lstat(path)
            if stat.S_ISDIR(state.st_mode):
                continue
            if not stat.S_ISREG(state.st_mode):
                raise Refused(f"{place}: expected a file, found a link, a pipe or a device")
            if state.st_size > longest:
                raise Refused(f"{place}: has over {longest} bytes; --work allows more")
            if len(found) == MOST_FILES:
                raise Refused(f"expected at most {MOST_FILES} files")
            with open(path, "rb") as file:
                found[place] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def hash_of_kernel(hashes: dict[str, str]) -> str:
    """Return the SHA-256 of the lines that `sha256sum` prints of the kernel's files."""
    inside = sorted(name for name in hashes if name.startswith(f"{KERNEL}/"))
    lines = "".join(f"{hashes[name]}  {name}\n" for name in inside)
    return "sha256:" + hashlib.sha256(lines.encode("utf-8", "replace")).hexdigest()


def certificates_in(names: Iterable[str]) -> list[str]:
    """Return the certificates in a folder, the one that carries the verdict first."""
    found = [each for each in names if each.startswith("certificate") and each.endswith(".json")]
    return sorted(found, key=lambda name: (len(name), name))


def inputs_in(names: Iterable[str]) -> list[str]:
    """Return the framework in a folder, and the mechanisms in their order."""
    found = [each for each in names if each.startswith(("framework.", "mechanism.", "mechanism-"))]
    return sorted(found, key=lambda name: (name[0], len(name), name))


def listed(
    folder: str, hashes: dict[str, str], kernel: ModuleType, work: int = 0
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the files of every certificate, and the forms that the kernel does not read again.

    Refuses a list that is not what lies in the folder.
    """
    if LIST not in hashes:
        raise Refused(f"{LIST} is missing: nothing says which files belong to the evidence")
    with open(os.path.join(folder, LIST), "rb") as file:
        document = parsed(file.read())
    if "work" in document:
        raise Refused(f"{LIST}: names the work that is allowed, which only --work does")
    if {*document} != {*KEYS}:
        raise Refused(f"{LIST}: expected the keys {', '.join(KEYS)}")
    certificates, files, unread = (texts(document[key], kind) for key, kind in KEYS.items())
    if not certificates:
        raise Refused(f"{LIST}: lists no certificate, so nothing is checked")
    expect_the_same([name for name in hashes if name != LIST], files, "file")
    expect_the_same(certificates_in(hashes), certificates, "certificate")
    for name, known in files.items():
        if known != f"sha256:{hashes[name]}":
            raise Refused(f"{name} was changed: its SHA-256 is not the one in {LIST}")
    inputs = inputs_in(hashes)
    if not inputs:
        raise Refused("the framework and the mechanisms of the certificates are missing")
    for name, compared in certificates.items():
        expect_the_same(inputs, compared, f"file to compare with {name}")
    compared_now = set[str]()
    for name, form in unread.items():
        if form not in UNREAD and (kind_of(name) != "framework" or form in READ):
            raise Refused(f'{LIST}: the kernel reads "{form}", or does not know it')
        kernel.WORK.begin(work)
        known = document_in(kernel, folder, name, hashes[name]) if name in inputs else {}
        if not has_form(name, known, form):
            raise Refused(f'{LIST}: there is no "{form}" in {name}')
        if reads(known, form):
            compared_now.add(name)
    return certificates, {name: unread[name] for name in unread if name not in compared_now}


def programs_in(folder: str, hashes: dict[str, str]) -> Known:
    """Return the files of programs whose draws can be repeated. Refuses others than lie there."""
    if DRAWS not in hashes:
        return {}
    with open(os.path.join(folder, DRAWS), "rb") as file:
        files = texts(parsed(file.read(), DRAWS).get("files"), str)
    for name, known in files.items():
        if name not in hashes or known != f"sha256:{hashes[name]}":
            raise Refused(f"{name} is not the file that {DRAWS} names")
    return files


def drawn(folder: str, known: Known, seed: int | None, quiet: bool) -> Known:
    """Return an answer after draws of the packed programs were repeated, which runs their code."""
    found: Known = {"agree": None, "lines": ["draws NOT REPEATED: no program is packed"]}
    if known["programs"]:
        if not quiet:
            print(plain(f"this runs code of the sender: {few([DRAW, *known['programs']])}"))
            sys.stdout.flush()
        try:
            with open(os.path.join(folder, DRAWS), "rb") as file:
                document = parsed(file.read(), DRAWS)
            module = loaded(DRAW, os.path.join(folder, DRAW))
            found = module.repeated(folder, document, seed)
        except ImportError as error:
            why = f"{error}; draws need NumPy: run {PROGRAM} without -S, where it is installed"
            found["lines"] = [f"draws NOT REPEATED: {why}"]
        except Exception as error:
            found["lines"] = [f"draws NOT REPEATED: {type(error).__name__}: {error}"]
    if found["agree"] is True:
        return known | {"draws": found}
    code = 1 if found["agree"] is False else NOT_COMPARED
    return known | {"draws": found, "code": code, "reason": found["lines"][-1]}


def loaded(name: str, path: str) -> ModuleType:
    """Load a program of the folder. Raises `ImportError` if one of its modules is missing."""
    spec = spec_from_file_location(name.removesuffix(".py"), path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} is no module")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def has_form(name: str, known: Known, form: str) -> bool:
    """Whether a framework has a prior of a form, or a mechanism is of it: a name that secrets,
    priors or outputs have too says nothing.
    """
    kind = kind_of(name)
    if kind == "mechanism" and form == "noise":
        query, noise = known.get("query"), known.get(form)
        return isinstance(query, dict) and isinstance(noise, dict) and {*noise} <= {*query}
    if kind == "mechanism" and form == "of":
        query = known.get("query")
        return isinstance(query, dict) and isinstance(query.get("count"), str) and "of" in query
    if kind == "mechanism":
        return bool(known.get(form)) or (form == "threshold" and known.get(form) is not None)
    records = known.get("records")
    if form == "names":
        return isinstance(records, dict) and bool(records.get("names") or records.get("from"))
    priors = known.get("priors")
    found = [*priors.values()] if isinstance(priors, dict) else []
    if form == "transitions":
        found = [prior.get("markov") for prior in found if isinstance(prior, dict)]
    return any(isinstance(prior, dict) and prior.get(form) for prior in found)


def reads(known: Known, form: str) -> bool:
    """Whether the kernel reads a form, which older kernels did not: channels of records in their
    order, and redaction.
    """
    return form == "redaction" or (form == "local" and isinstance(known.get(form), list))


def kind_of(name: str) -> str:
    return "framework" if name.startswith("framework.") else "mechanism"


def document_in(kernel: ModuleType, folder: str, name: str, digest: str) -> Known:
    """Return what an input file holds, nothing if the kernel does not read it."""
    try:
        path = os.path.join(folder, name)
        known = kernel.files.input_file(path, f"sha256:{digest}", kind_of(name))
        return dict(known.of(dict))
    except (kernel.Refused, kernel.TooLarge):
        return {}


def digest_of(kernel: ModuleType, folder: str, name: str, hashes: dict[str, str]) -> str:
    """Return what a certificate says of a file: its SHA-256, or that of the lines that hold its own
    and those of the files which it names, if it names some that lie beside it.
    """
    own, others = hashes[name], []
    if kind_of(name) == "framework":
        known = document_in(kernel, folder, name, own)
        named = [os.path.normpath(each).replace(os.sep, "/") for each in named_in(known)]
        flat = [each if each in hashes else os.path.basename(each) for each in named]
        others = [hashes[each] for each in flat if each in hashes]
    lines = "".join(f"{each}\n" for each in (own, *others))
    return f"sha256:{hashlib.sha256(lines.encode()).hexdigest() if others else own}"


def named_in(framework: Known) -> list[str]:
    """Return the files of networks and contacts that a framework names, in its order."""
    priors, records = framework.get("priors"), framework.get("records")
    found: list[Any] = []
    for prior in priors.values() if isinstance(priors, dict) else ():
        for form, key in (("bayes_net", "bif"), ("contacts", "edges")):
            body = prior.get(form) if isinstance(prior, dict) else None
            found.append(body.get(key) if isinstance(body, dict) else None)
    found.append(records.get("from") if isinstance(records, dict) else None)
    return list(dict.fromkeys(each for each in found if isinstance(each, str)))


def parsed(data: bytes, name: str = LIST) -> Known:
    """Return a JSON object. Refuses one in which a key occurs twice."""

    def unique(pairs: list[tuple[str, Any]]) -> Known:
        if len({key for key, _ in pairs}) < len(pairs):
            raise Refused(f"{name}: a key occurs twice")
        return dict(pairs)

    try:
        document = json.loads(data.decode(), object_pairs_hook=unique)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise Refused(f"{name}: expected a JSON object in UTF-8")
    return document


def texts(value: object, kind: type) -> Known:
    """Return an object whose values are texts, or lists of texts."""
    if isinstance(value, dict) and all(isinstance(each, kind) for each in value.values()):
        parts = [each if isinstance(each, list) else [each] for each in value.values()]
        if all(isinstance(part, str) for each in parts for part in each):
            return value
    raise Refused(f"{LIST}: expected names of files")


def expect_the_same(there: Iterable[str], said: Iterable[str], what: str) -> None:
    """Refuse unless the same names are there and in the list; one may be listed twice."""
    for name in sorted({*said} - {*there}):
        raise Refused(f"{name} is missing: {LIST} lists it as a {what}")
    for name in sorted({*there} - {*said}):
        raise Refused(f"{name} is extra: {LIST} does not list it as a {what}")


def in_words(known: Known) -> list[str]:
    """Return the answer in lines, without a character that a terminal would obey: one line of a
    folder that is refused before any certificate is checked.
    """
    if not known["certificates"]:
        return [plain(f"NOT ACCEPTED: {known['reason']}")]
    lines = []
    for each in known["certificates"]:
        files = "input files NOT COMPARED" if known["unread"] else f"input files {each['inputs']}"
        said = f"accepted: {each['statement']}; {files}"
        said = f"NOT ACCEPTED: {each['reason']}" if each["code"] else said
        lines.append(f"{each['name']}: {said}")
    for name, form in known["unread"].items():
        lines.append(f'not compared: {name}: the kernel does not read its "{form}"')
    accepted = sum(not certificate["code"] for certificate in known["certificates"])
    lines.append(f"{accepted} of {len(known['certificates'])} certificates accepted")
    lines.append(f"compared with the certificates: {few(known['compared']) or 'nothing'}")
    if known["unread"]:
        lines.append("UNDECIDED whether the certificates are about these files: audit them yourself")
    lines += known["draws"]["lines"] if "draws" in known else []
    if known["programs"] and "draws" not in known:
        names = few(known["programs"])
        lines.append(f"programs, not run: {names} (python3 -I {PROGRAM} --draw repeats draws)")
    if known["others"]:
        lines.append(f"not part of the proof: {', '.join(known['others'])}")
    lines.append(f"kernel {known['kernel']}")
    return [plain(line) for line in lines]


def few(names: Sequence[str]) -> str:
    """List names, the first and the last of many."""
    some = names if len(names) < 8 else [*names[:3], "..", names[-1]]
    more = f" ({len(names)} files)" if len(some) < len(names) else ""
    return ", ".join(some) + more


def plain(text: str) -> str:
    """Return a text with escapes for every character that is not printed."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def kernel_in(folder: str) -> ModuleType:
    """Load the kernel beside this program, and no other file of the folder instead of a module of
    Python. Raises `ImportError` with what its files raise.
    """
    place = os.path.join(folder, KERNEL)
    spec = spec_from_file_location(KERNEL, os.path.join(place, "__init__.py"), submodule_search_locations=[place])
    if spec is None or spec.loader is None:
        raise ImportError("it is no package")
    sys.modules[KERNEL] = module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ImportError(f"{type(error).__name__}: {error}") from error
    return module


def drawing(words: list[str]) -> tuple[bool, int | None, list[str]]:
    """Return whether draws are repeated, the seed if one is given, and the other words."""
    if "--draw" not in words:
        return False, None, words
    place = words.index("--draw")
    seed = words[place + 1 : place + 2]
    digits = bool(seed) and seed[0].isascii() and seed[0].isdigit()
    rest = words[:place] + words[place + 1 + digits :]
    return True, int(seed[0][:30]) if digits else None, rest


def main(words: Sequence[str]) -> int:
    """Check the folder of this program, print the answer, and return the exit code."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.dont_write_bytecode, sys.pycache_prefix = True, os.devnull  # sources alone are run
    work, rest = 0, [word for word in words if word != "--json"]
    draws, seed, rest = drawing(rest)
    if rest[:1] == ["--work"] and len(rest) == 2 and rest[1].isascii() and rest[1].isdigit():
        work, rest = int(rest[1][:30]), []
    if rest:
        print("usage: check.py [--json] [--draw [SEED]] [--work N]", file=sys.stderr)
        return 2
    try:
        known = answer(here, kernel_in(here), work)
    except ImportError as error:
        print(plain(f"NOT ACCEPTED: the folder {KERNEL} cannot be loaded: {error}"))
        return 1
    if draws and known["code"] in (0, NOT_COMPARED):
        known = drawn(here, known, seed, "--json" in words)
    print(json.dumps(known, indent=1) if "--json" in words else "\n".join(in_words(known)))
    return int(known["code"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
