"""What Coq computes of every entry of the vocabulary, beside Python.

For a probe, Coq derives from an entry's own definition a boolean with a proof that it decides the
term, and computes it at the instances at which Python evaluates the term. They must agree at each,
both truth values must occur, and the same comparison must notice a drift: another value of the
entry, planted in Python alone.
"""

import hashlib
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock

from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary import render
from pufferproof.claims.vocabulary.probe import INSTANCES, SEED, Probe
from pufferproof.claims.vocabulary.probes import of_all_areas
from pufferproof.claims.vocabulary.terms import NAMED, TYPE, Sort, Term
from pufferproof.models.errors import SolverError
from pufferproof.verify.certificates.formal import NotChecked, building
from pufferproof.verify.certificates.formal.record import Tie
from pufferproof.verify.certificates.formal.sources import module, roots

FEWEST = 50
"""How often each truth value must occur at least."""
THEORY = re.compile(r"\b([A-Z]\w+)\.[a-z]")
NUMBER = re.compile(r"\b\d+%nat|\(-?\d+\)%Z|\b\d+%positive|\(-?\d+#\d+\)")
LITERAL = re.compile(r"\b(?:true|false)\b")
BODY = "Open Scope R_scope."
LAZY = "andb orb negb implb eqb forallb existsb"
"""What is unfolded in a boolean, as Coq computes both sides of a conjunction that is not."""
REQUIRED = re.compile(r"^From (Pufferproof|Tied) Require (?:Import )?(.+)\.$", re.MULTILINE)


DIGESTS = dict[str, str]()
"""The digests that were computed, by the names of probes; a worker gets those of its run."""


def digest(name: str) -> str:
    """Return the SHA-256 of the instances of a probe and of what Python says at each."""
    if name not in DIGESTS:
        probe = probes()[name]
        DIGESTS[name] = digest_of(probe, probe.instances())
    return DIGESTS[name]


def digest_of(probe: Probe, drawn: Sequence[tuple[Instance, bool]]) -> str:
    """Return the SHA-256 of the instances of a probe that were drawn."""
    fields = _fields(probe)
    written = [f"{_written(fields, at)} {truth}" for at, truth in drawn]
    return hashlib.sha256("\n".join([_text(probe, []), *written]).encode()).hexdigest()


@cache
def probes() -> Mapping[str, Probe]:
    """Return the probes of all areas by name. Raises `SolverError` if a name occurs twice."""
    listed = of_all_areas()
    found = {each.name: each for each in listed}
    if len(found) < len(listed):
        raise SolverError("two probes of the vocabulary have the same name")
    return found


def tied(place: Path, at_once: int = 2) -> list[Tie]:
    """Have Coq decide every probe in a folder of compiled sources, but for those that it decided
    before, of the same sources.

    Raises `NotChecked` if a probe does not compile, differs from Python, is nearly always true or
    false, or does not notice a drift.
    """
    known, writing, used = building.kept_answers(place), Lock(), dict[str, str]()
    files = {module(place, file): key for file, key in building.keys_of(place).items()}

    def some(together: Sequence[Probe]) -> list[Tie]:
        drawn = [probe.instances() for probe in together]
        at = [[instance for instance, _ in each] for each in drawn]
        keys = [_key(_text_at(probe, each), files) for probe, each in zip(together, at)]
        new = [k for k, key in enumerate(keys) if key not in known.probes]
        if new:
            said = decided(place, [(together[k], at[k]) for k in new])
            with writing:  # a run that is killed loses none
                for k, truths in zip(new, said, strict=True):
                    known.probes[keys[k]] = "".join(TRUE if each else "0" for each in truths)
                known.keep()
        used.update((key, known.probes[key]) for key in keys)
        return [
            _tied(probe, each, [truth == TRUE for truth in used[key]])
            for probe, each, key in zip(together, drawn, keys)
        ]

    with ThreadPoolExecutor(at_once) as beside:
        groups = beside.map(some, _together(probes().values()))
        ties = {tie.name: tie for group in groups for tie in group}
    known.probes = used
    known.keep()
    return [ties[name] for name in probes()]


TRUE, TOGETHER = "1", 8
"""How Coq's yes is kept; how many probes a file has, as each loads again what it requires."""


def _together(some: Iterable[Probe]) -> list[Sequence[Probe]]:
    """Return probes that use the same files, in groups."""
    groups = defaultdict[str, list[Probe]](list)
    for each in some:
        groups[each.using].append(each)
    return [group[at : at + TOGETHER] for group in groups.values() for at in range(0, len(group), TOGETHER)]


def _key(text: str, files: Mapping[str, str]) -> str:
    """Return the digest of the file of a probe with all sources that it names."""
    used = {
        name: key
        for root, names in REQUIRED.findall(text)
        for word in names.split()
        for name, key in files.items()
        if name.startswith(f"{root}.") and name.endswith(f".{word}")
    }
    return hashlib.sha256("\n".join([*sorted(used.values()), text]).encode()).hexdigest()


def _tied(probe: Probe, drawn: Sequence[tuple[Instance, bool]], said: Sequence[bool]) -> Tie:
    truths = [truth for _, truth in drawn]
    differ = sum(a != b for a, b in zip(said, truths)) if len(said) == len(truths) else len(drawn)
    if differ:
        raise NotChecked(f"the entry tied by {probe.name!r}: Coq and Python differ at {differ}")
    if min(sum(truths), len(truths) - sum(truths)) < FEWEST:
        raise NotChecked(f"the probe {probe.name!r} is true at {sum(truths)} of {len(truths)}")
    noticed = {entry: probe.noticed(entry, drawn) for entry in probe.drifts}
    if blind := [entry for entry, count in noticed.items() if not count]:
        raise NotChecked(f"the probe {probe.name!r} does not notice a drift of {blind[0]!r}")
    return Tie(probe.name, noticed, len(drawn), sum(truths), SEED, digest_of(probe, drawn))


def decided(place: Path, asked: Sequence[tuple[Probe, Sequence[Instance]]]) -> list[list[bool]]:
    """Return what Coq says of probes at instances, of each in its order, from one file.

    Raises `NotChecked` if one does not compile.
    """
    texts = [_text_at(probe, drawn) for probe, drawn in asked]
    own = hashlib.sha256("".join(texts).encode()).hexdigest()[:16]
    file = place / f"probe_{own}.v"
    file.write_text(_file(texts), encoding="utf-8")
    paths = [word for root in roots(place) for word in ("-Q", *root)]
    done = subprocess.run(
        ["coqc", "-q", "-w", "none", *paths, file.name],
        cwd=place, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode and len(asked) > 1:  # each alone, to say which
        return [truths for each in asked for truths in decided(place, [each])]
    answers = [LITERAL.findall(each) for each in done.stdout.split(": list bool")[:-1]]
    if done.returncode or len(answers) != len(asked):
        raise NotChecked(f"the probe {asked[0][0].name!r}: {' '.join(done.stderr.split())[:600]}")
    return [[word == "true" for word in words] for words in answers]


def _file(texts: Sequence[str]) -> str:
    """Return a file with the text of each probe in a module of its own."""
    headers = [text[: text.index(BODY)].splitlines() for text in texts]
    bodies = [f"Module P{at}.\n{text[text.index(BODY) :]}End P{at}.\n" for at, text in enumerate(texts)]
    return "\n".join([*dict.fromkeys(line for lines in zip(*headers, strict=True) for line in lines), *bodies])


def modules(texts: Iterable[str]) -> list[str]:
    """Return the modules of the theory that texts for Coq name, in order of the alphabet."""
    return sorted({name for text in texts for name in THEORY.findall(text)} - {"List", "Nat"})


def _fields(probe: Probe) -> list[tuple[str, Sort]]:
    """Return the letters of an instance with their sorts, finite sets first."""
    letters = render.letters_of(probe.stated).values()
    found = {each.name: each.sort for each in letters if each.sort and each.kind != TYPE}
    needed = {word for sort in found.values() for word in re.findall(r"[\w']+", sort.coq)}
    found = dict(sorted(found.items(), key=lambda named: named[0] not in needed))
    lengths = {"n": _LENGTH} if "n" in needed and "n" not in found else {}
    return [*((name, _SIZE) for name in probe.sets.split()), *lengths.items(), *found.items()]


_SIZE = Sort("Type", "", "nat", "fin (S {})", lambda size: f"{size - 1}%nat")
_LENGTH = Sort("nat", "", "nat", "{}", lambda number: f"{number}%nat")


def _written(fields: Sequence[tuple[str, Sort]], at: Instance) -> str:
    """Return an instance as a record of Coq."""
    shown = [sort.show(at[name]) for name, sort in fields]
    return "I " + " ".join(each if each.startswith(("[", "(")) else f"({each})" for each in shown)


def _text_at(probe: Probe, drawn: Sequence[Instance]) -> str:
    fields = _fields(probe)
    return _text(probe, [_written(fields, at) for at in drawn])


def _text(probe: Probe, instances: Sequence[str]) -> str:
    """Return the file in which Coq decides a probe at instances."""
    fields = _fields(probe)
    sets = {name: f"(fin (S (n{name} it)))" for name in probe.sets.split()}
    body = render.coq(_renamed(probe.stated, sets, {name for name, _ in fields}))
    letters = [(name, sort) for name, sort in fields if name not in sets]
    texts = [body, *(_typed(sort, sets, fields) for _, sort in letters)]
    lines = [
        "From Coq Require Import Reals QArith Qreals List Bool.",
        f"From Pufferproof Require {' '.join(['Sums', *modules(texts)])}.",
        "From Pufferproof Require Import Sums.",
        f"From Tied Require Import {' '.join(['Decide Entries', *probe.using.split()])}.",
        "Import ListNotations.",
        BODY,
        "Record inst := I { "
        + "; ".join(f"n{name} : nat" if name in sets else f"r_{name} : {sort.raw}" for name, sort in fields)
        + " }.",
        *(
            f"Definition {name}' it : {_typed(sort, sets, fields)} := {sort.read.format(f'(r_{name} it)')}."
            for name, sort in letters
        ),
        f"Definition C it : Prop := {body}.",
        "Definition t it : {b | decided (C it) b}. Proof. eexists. unfold "
        + ", ".join(["C", *(f"{name}'" for name, _ in letters), "law_of, rows_of"])
        + "; rewrite ?map_map; typeclasses eauto. Defined.",
        f"Definition b := Eval cbv beta iota delta [t proj1_sig {LAZY}] in fun i => proj1_sig (t i).",
        # where booleans are compared these are unfolded, not the numbers in them
        f"Strategy expand [b t proj1_sig proj2_sig decided {LAZY}].",
        "Definition right i : b i = true <-> C i := proj2_sig (t i).",
        "Open Scope Q_scope.",
        *_numbers_once("Definition l : list inst := [\n " + ";\n ".join(instances) + "]."),
        "Eval vm_compute in map b l.",
    ]
    return "\n".join(lines) + "\n"


def _numbers_once(text: str) -> list[str]:
    """Return a definition after names of its numbers, as Coq takes long to read a number."""
    names = dict[str, str]()
    named = NUMBER.sub(lambda found: names.setdefault(found[0], f"c{len(names)}"), text)
    return [*(f"Definition {name} := {number}." for number, name in names.items()), named]


def _typed(sort: Sort, sets: Mapping[str, str], fields: Sequence[tuple[str, Sort]]) -> str:
    """Return the type of a letter at an instance."""
    own = {name: f"({name}' it)" for name, each in fields if each.coq == "nat"}
    return re.sub(r"[\w'.]+", lambda word: {**own, **sets}.get(word[0], word[0]), sort.in_coq)


def _renamed(term: Term, sets: Mapping[str, str], letters: set[str]) -> Term:
    """Return a term whose letters are those of an instance."""
    if term.entry is None and not term.binds:
        sort = term.sort
        if sort is not None:
            sort = replace(sort, coq=_typed(sort, sets, []))
        own = f"({term.name}' it)" if term.name in letters else term.name
        name = sets.get(term.name, own)
        return replace(term, name=name, sort=sort)
    return replace(term, arguments=tuple(_renamed(each, sets, letters) for each in term.arguments))


def entries_tied(ties: Iterable[Tie]) -> dict[str, Tie]:
    """Return the ties of entries by name, of those that say what Python says now."""
    known = probes()
    return {
        entry: tie
        for tie in ties
        if tie.name in known and tie.instances >= INSTANCES and tie.seed == SEED
        if FEWEST <= tie.true <= tie.instances - FEWEST
        for entry, count in tie.noticed.items()
        if count > 0 and entry in NAMED and entry in known[tie.name].drifts
    }
