"""Reading BIF files: exact tables, defaults, comments, one alphabet for all records, and errors
that name the line.
"""

from fractions import Fraction

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.networks.formats import bif_text, read_bif
from pufferproof.models.priors.records import Records

SPRINKLER = """
network sprinkler { property "made by hand" ; }
// a comment
variable rain { type discrete [ 2 ] { yes, no }; }
variable sky { type discrete [ 3 ] { blue, grey, dark }; property position = (1, 2); }
variable wet { type discrete [ 2 ] { yes, no }; }
probability ( rain ) { table 0.2, 0.8; }
probability ( sky | rain ) { /* every
row */ (yes) 0.125, 0.375, 0.5; default 1/2, 0.25, 2.5e-1; }
probability ( wet | rain, sky ) {
  table 0.9, 0.8, 0.7, 0.3, 0.2, 0.1, 0.1, 0.2, 0.3, 0.7, 0.8, 0.9; }
"""


def test_a_file_is_read_exactly():
    found = read_bif(SPRINKLER)
    assert found.values == {"rain": ("yes", "no"), "sky": ("blue", "grey", "dark"), "wet": ("yes", "no")}
    assert found.parents == {"rain": (), "sky": ("rain",), "wet": ("rain", "sky")}
    assert found.rows["sky"] == {
        ("yes",): (Fraction(1, 8), Fraction(3, 8), Fraction(1, 2)),
        ("no",): (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
    }
    assert found.rows["wet"]["yes", "grey"] == (Fraction(4, 5), Fraction(1, 5))
    assert found.rows["wet"]["no", "blue"] == (Fraction(3, 10), Fraction(7, 10))


def test_points_may_lack_digits_on_one_side_as_in_javabayes():
    point = SPRINKLER.replace("table 0.2, 0.8;", "table .2 8.e-1;").replace("0.125,", ".125,")
    assert read_bif(point) == read_bif(SPRINKLER)
    for odd in (".", "-.", "1..", "..5", ".5.", "+.5", ".e1", "0x.8", ".5/2"):
        with pytest.raises(ModelError, match=r'line \d+: expected a number such as "3/4"'):
            read_bif(SPRINKLER.replace("table 0.2, 0.8;", f"table {odd}, 0.8;"))


def test_an_alphabet_without_a_value_is_refused():
    with pytest.raises(
        ModelError, match=r'records\.alphabet: expected an alphabet with value "blue" of variable "sky"'
    ):
        read_bif(SPRINKLER).network(Records(3, ("yes", "no")))


A = "variable a { type discrete [ 2 ] { y, n }; }\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected at least one variable, found none"),
        (A, 'variable "a" has no probability block'),
        (A + A, 'line 2: variable "a" occurs twice'),
        ("variable a { type discrete [ 3 ] { y, n }; }", "line 1: expected 3 different values"),
        ("variable a { }", 'line 1: expected "type discrete" of variable "a", found none'),
        (A + "probability ( b ) { table 1, 0; }", 'line 2: expected a variable declared before, found "b"'),
        (A + "probability ( a ) { table 1; }", "line 2: expected 2 x 1 probabilities"),
        (A + "probability ( a ) { table 1, x; }", "line 2: "),
        (A + "probability ( a ) { }", r'line 2: variable "a" has no row for \[\]'),
        (A + "probability ( a | a ) { (y) 1, 0; (y) 1, 0; }", r"line 2: the row of \['y'\] occurs twice"),
        (A + "probability ( a | a ) { (z) 1, 0; }", r"line 2: expected values of \['a'\], found \['z'\]"),
        (
            A + "probability ( a ) { table 1, 0; ",
            "line 2: expected a row, table, default, property or }, found the end",
        ),
        ('{"nodes": []}', "line 1: .* found '{', which begins no BIF, XMLBIF, .*: save the network"),
        ("variable a { type continuous; }", 'found "continuous" .normal numbers are a "gaussian"'),
        (A + "\nsurprise", "line 3: expected network, variable or probability, found 'surprise'$"),
        ('variable "a', "line 1: expected a token"),
        (A + "probability ( a ) { table 1, 0; table 0, 1; }", r"line 2: the row of \[\] occurs twice, once in a table"),
        (A + "probability ( a | a ) { (y) 1, 0; table 1, 0, 0, 1; }", r"line 2: the row of \['y'\] occurs twice"),
        (A + "probability ( a | a ) { table 1, 0, 0, 1; (n) 1, 0; }", r"line 2: the row of \['n'\] occurs twice"),
        (A + "probability ( a | a ) { default 1, 0; default 1, 0; }", "line 2: default occurs twice"),
        (
            A + "probability ( a ) { tabel 1, 0; }",
            "line 2: expected a row, table, default, property or }, found 'tabel'",
        ),
        (A[:-2] + "type discrete [ 2 ] { y, n }; }", "line 1: expected property or }, found 'type'"),
        ("variable a { type discrete [ two ] { y, n }; }", "line 1: expected the number of values, found 'two'"),
        (A + "/* a comment ", "line 2: expected a comment that ends, found none"),
    ],
)
def test_bad_files_name_the_line(text, message):
    with pytest.raises(ModelError, match=message):
        read_bif(text)


def test_a_cycle_is_refused_when_the_network_is_made():
    found = read_bif(A + "probability ( a | a ) { (y) 1, 0; (n) 0, 1; }")
    with pytest.raises(ModelError, match="without cycles, found 1 -> 1"):
        found.network(Records(1, ("y", "n")))


def test_work_is_bounded_by_the_size_of_tables_not_by_what_a_file_promises():
    many = "".join(f"variable v{i} {{ type discrete [ 2 ] {{ y, n }}; }}\n" for i in range(60))
    parents = ", ".join(f"v{i}" for i in range(59))
    with pytest.raises(ModelError, match=f"expected at most 1000000 probabilities in all, found {2**60}"):
        read_bif(f"{many}probability ( v59 | {parents} ) {{ default 1, 0; }}")
    few = ", ".join(f"v{i}" for i in range(17))
    blocks = "".join(f"probability ( v{i} | {few} ) {{ default 1, 0; }}\n" for i in range(20, 30))
    with pytest.raises(ModelError, match="in all, found 1048576"):
        read_bif(many + blocks)
    with pytest.raises(ModelError, match="expected a comment that ends"):
        read_bif("/* " * 400_000)  # each of them is looked at once


def test_what_is_no_network_is_refused_by_its_line():
    for content in (b"", b"networks { }", b"<html>", b"BAYES", b"<?xml version='1.0'?><a/>"):
        with pytest.raises(ModelError, match=r"line 1: expected|at least one variable"):
            read_bif(bif_text(content))
    with pytest.raises(ModelError, match="expected UTF-8 text: invalid start byte at position 0"):
        bif_text(b"\xff")
