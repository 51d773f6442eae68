"""Files: certificates, which are JSON, and the files they were made from: JSON, TOML or CSV."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import tomllib

from .reading import MAX_WORK, WORK, Json, Node, NotJSON, Numeral, Refused, TooLarge, require, spend

MAX_BYTES = 16_000_000  # of a file, if no more work is allowed than by default
PIECES = re.compile(  # of TOML: comments, strings of several lines, keys of up to 8 parts, words
    r"""\#[^\n]*+
      | "{3} (?:[^"\\]|\\.?|"(?!""))*+ (?:"{3,5}+|\Z)
      | '{3} (?:[^']|'(?!''))*+ (?:'{3,5}+|\Z)
      | (?P<key> (?:PART \.[ \t]*+){0,7}+ PART) (?P<long>\.)? (?P<ends>[]=])?
    """.replace("PART", r"""(?:"(?:[^"\\\n]|\\.?)*+"?+|'[^'\n]*+'?+|[\w-]++)[ \t]*+"""),
    re.ASCII | re.DOTALL | re.VERBOSE,
)


def longest(work: int) -> int:
    """Return how many bytes of a file are read where so much work is allowed."""
    return MAX_BYTES * max(1, work // MAX_WORK)


def contents(path: str) -> bytes:
    """Return the bytes of a file, read in pieces: there is never room for more than there is."""
    with open(path, "rb") as file:
        pieces = zip(range(1 + longest(WORK.limit) // 2**20), iter(lambda: file.read(2**20), b""))
        return b"".join(piece for _, piece in pieces)


def weigh(path: str, data: bytes, byte: int) -> None:
    """Count what it takes to read a file, and refuse one that is too long."""
    most, text = longest(WORK.limit), "{} has over {} bytes: no more are read with --work {}"
    require(len(data) <= most, text, path, most, WORK.limit, fault=TooLarge)
    spend(1, byte * len(data))
    spend(16 * sum(map(data.count, b"\n,[{")))  # as many as there are values


def weigh_keys(path: str, text: str) -> None:
    """Count what the keys of TOML take: a kB for each part, and the square of the parts of one."""
    for piece in PIECES.finditer(text):
        require(not piece["long"], "{}: a key of over 8 parts", path)
        if piece["ends"]:
            spend(128 * min(8, 1 + piece["key"].count(".")))


def certificate_in(path: str, data: bytes) -> Node:
    """Read a certificate. Raises `NotJSON` where it is no JSON."""
    weigh(path, data, 32)
    try:
        return document(json_in(data.decode()), "certificate", "certificate")
    except RecursionError as error:  # nested too deeply
        raise Refused(f"{json.dumps(path)} cannot be parsed: {error}") from error
    except ValueError as error:
        raise NotJSON(f"{json.dumps(path)} cannot be parsed as JSON in UTF-8: {error}") from error


def input_file(path: str, digest: str | None, form: str) -> Node:
    """Read a file that a certificate was made from: JSON, TOML or CSV, with the stated SHA-256."""
    suffix, code = path.rpartition(".")[2].lower(), re.fullmatch(r"[\w.]+:[\w.]+", path)
    read = suffix != "npy" and code is None
    require(read, "cannot re-read {}, only JSON, TOML and CSV", path)
    data = contents(path)
    weigh(path, data, 4096 if suffix == "toml" else 32)
    actual = f"sha256:{hashlib.sha256(data).hexdigest()}"
    require(actual == digest, "{} has {}, the certificate says {}", path, actual, digest)
    try:
        text = data.decode("utf-8-sig")
        if suffix == "toml":
            weigh_keys(path, text)
        value = {"csv": table_in, "toml": toml_in}.get(suffix, json_in)(text)
    except (ValueError, TypeError, csv.Error, RecursionError) as error:
        raise Refused(f"{json.dumps(path)} cannot be parsed: {error}") from error
    return document(value, form, f"{form} {path}")


def document(value: Json, form: str, where: str) -> Node:
    node = Node(value, where)
    known = node.of(dict).get("format") == f"pufferproof-{form}/1"
    require(known, "{}: unknown format", where)
    return node


def json_in(text: str) -> Json:
    """Parse a JSON text, whose numbers stay texts, and so does NaN, which nothing takes."""
    value: Json = json.loads(
        text, object_pairs_hook=unique, parse_int=Numeral, parse_float=Numeral, parse_constant=Numeral
    )
    return value


def toml_in(text: str) -> Json:
    return json_in(json.dumps(tomllib.loads(text, parse_float=str)))


def table_in(text: str) -> Json:
    lines = csv.reader((line + "\n" for line in text.split("\n")), strict=True)
    head, *rows = (row for row in lines if row)
    table = unique([(x, [*row]) for x, *row in rows])
    return {"format": "pufferproof-mechanism/1", "outputs": [*head[1:]], "channel": table}


def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    keys = [key for key, _ in pairs]
    require(len({*keys}) == len(keys), "a key occurs twice among {}", keys)
    return dict(pairs)
