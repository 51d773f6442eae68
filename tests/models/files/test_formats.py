"""Networks in the formats of other tools: all say the same network, or are refused by name."""

import gzip
from fractions import Fraction
from pathlib import Path

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.networks.formats import network_in

BIF = b"""variable rain { type discrete [ 2 ] { yes, no }; }
variable sky { type discrete [ 3 ] { blue, grey, dark }; }
variable wet { type discrete [ 2 ] { yes, no }; }
probability ( rain | sky ) { (blue) 0.1, 0.9; (grey) 0.3, 0.7; (dark) 0.8, 0.2; }
probability ( sky ) { table 0.5, 0.3, 0.2; }
probability ( wet | sky, rain ) { (blue, yes) 0.9, 0.1; (blue, no) 0.0, 1.0; (grey, yes) 0.8, 0.2;
  (grey, no) 0.05, 0.95; (dark, yes) 1, 0; (dark, no) 0.25, 0.75; }"""
WET = "0.9 0.1 0.0 1.0 0.8 0.2 0.05 0.95 1 0 0.25 0.75"
XMLBIF = f"""<?xml version="1.0"?><!-- by hand --><!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> ]>
<BIF VERSION="0.3"><NETWORK><NAME>town</NAME>
<VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>sky</NAME><OUTCOME>blue</OUTCOME><OUTCOME>grey</OUTCOME>
<OUTCOME>dark</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>wet</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
<DEFINITION><FOR>rain</FOR><GIVEN>sky</GIVEN><TABLE>0.1 0.9 <!-- grey -->0.3 0.7
0.8 0.2</TABLE></DEFINITION>
<DEFINITION><FOR>sky</FOR><TABLE>0.5 0.3 0.2</TABLE></DEFINITION>
<DEFINITION><FOR>wet</FOR><GIVEN>sky</GIVEN><GIVEN>rain</GIVEN><TABLE>{WET}</TABLE></DEFINITION>
</NETWORK></BIF>"""
XDSL = f"""<?xml version="1.0" encoding="UTF-8"?>
<smile version="1.0" id="town"><nodes>
<cpt id="rain"><state id="yes"/><state id="no"/><parents>sky</parents>
<probabilities>0.1 0.9 0.3 0.7 0.8 0.2</probabilities></cpt>
<cpt id="sky"><state id="blue"/><state id="grey"/><state id="dark"/>
<probabilities>0.5 0.3 0.2</probabilities></cpt>
<cpt id="wet"><state id="yes"/><state id="no"/><parents>sky rain</parents>
<probabilities>{WET}</probabilities></cpt>
</nodes><extensions/></smile>"""
NET = """% Hugin
net { node_size = (80 40); }
node rain { states = ("yes" "no"); label = "Rain"; position = (1 2); }
discrete node sky { states = ("blue" "grey" "dark"); }
node wet { states = ("yes" "no"); }
potential (rain | sky) { data = (( 0.1 0.9 ) % blue
 (0.3 0.7)(0.8 0.2)); }
potential (sky) { data = (0.5 0.3 0.2); }
potential (wet | sky rain) {
 data = (((0.9 0.1)(0.0 1.0))((0.8 0.2)(0.05 0.95))((1 0)(0.25 0.75))); }
"""
UAI = f"""BAYES 3 2 3 2 3
2 1 0
1 1
3 1 0 2
6 0.1 0.9 0.3 0.7 0.8 0.2
3 0.5 0.3 0.2
12 {WET}
"""


@pytest.mark.parametrize("text", [XMLBIF, XDSL, NET])
def test_all_formats_say_the_same_network(text):
    assert network_in(text.encode()) == network_in(BIF)
    assert network_in(gzip.compress(text.encode())) == network_in(BIF)


def test_a_uai_file_has_the_same_tables_without_names():
    known, read = network_in(BIF), network_in(UAI.encode())
    assert list(read.values) == ["var_0", "var_1", "var_2"]
    for name, table in zip(known.rows.values(), (read.rows[f"var_{k}"] for k in range(3))):
        assert list(name.values()) == list(table.values())


def test_a_uai_file_in_another_order_is_refused_even_where_rows_sum_to_1():
    square = "BAYES 2 3 3 2 1 0 2 0 1 3 1/3 1/3 1/3 9 1/2 1/3 1/6 1/6 1/2 1/3 1/3 1/6 1/2"
    with pytest.raises(ModelError, match="own value slowest as well, as pgmpy writes them"):
        network_in(square.encode())
    equal = "BAYES 2 3 3 2 1 0 2 0 1 3 1/3 1/3 1/3 9 1/2 1/3 1/6 1/3 1/3 1/3 1/6 1/3 1/2"
    assert network_in(equal.encode()).rows["var_1"]["2",] == (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))


def test_networks_of_pgmpy_are_read_back_from_what_it_writes(tmp_path):
    written = pytest.importorskip("pgmpy.readwrite")
    import pgmpy

    folder = Path(pgmpy.__file__).parent / "utils" / "example_models"
    packed = (folder / "asia.bif.gz").read_bytes()
    known = network_in(packed)
    model = written.BIFReader(string=gzip.decompress(packed).decode()).get_model()
    for form in ("XMLBIF", "XDSL", "NET"):
        path = tmp_path / form
        getattr(written, f"{form}Writer")(model).write(str(path))
        read = network_in(path.read_bytes())
        assert read.values == known.values
        for name in known.values:
            for key, row in known.rows[name].items():
                given = dict(zip(known.parents[name], key))
                assert read.rows[name][tuple(given[p] for p in read.parents[name])] == row
    written.UAIWriter(model).write(str(tmp_path / "UAI"))
    with pytest.raises(ModelError, match="own value slowest, as pgmpy writes them"):
        network_in((tmp_path / "UAI").read_bytes())


@pytest.mark.parametrize("start", ["<!-- a -->", "\n<!-- a --> <!-- b\n<smile -->\n"])
def test_comments_may_stand_before_a_network(start):
    for text, tag in ((XDSL, "<smile"), (XMLBIF, "<BIF")):
        assert network_in(text.replace(tag, start + tag, 1).encode()) == network_in(BIF)


OF_AGRUM = {
    "XDSL": (
        XDSL.replace("<smile", "<!-- This network was created by pyAgrum 3.3.1 -->\n<smile"),
        XDSL.replace("<extensions/>", '<extensions><genie app="aGrUM 2.0.1"/></extensions>'),
    ),
    "UAI": (UAI.replace("1 1\n", "1 1   # sky\n").replace("0 2\n", "0 2   # wet\n"),),
}


@pytest.mark.parametrize("kind", OF_AGRUM)
def test_files_of_agrum_are_read_where_the_order_of_parents_says_the_same(kind):
    """Its writers let the values of the first parent run fastest."""
    for text in OF_AGRUM[kind]:
        with pytest.raises(ModelError, match=f"is {kind} of aGrUM, .*: save the network as BIF"):
            network_in(text.encode())
        alike = text.replace(WET, "0.9 0.1 " * 6)
        assert len(network_in(alike.encode()).values) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (XMLBIF.replace("<FOR>sky</FOR>", "<FOR>ski</FOR>"), 'variable "ski": expected a variable'),
        (XMLBIF.replace("0.5 0.3 0.2", "0.5 0.5"), '"sky": expected 3 probabilities, found 2'),
        (XMLBIF.replace("0.5 0.3", "half 0.3"), 'variable "sky": expected a number'),
        (XMLBIF.replace('"nature"', '"utility"', 1), "rain.*found a utility"),
        (XMLBIF.replace("<OUTCOME>no", "<OUTCOME>yes", 1), "different values of variable"),
        (XMLBIF.replace("<!ELEMENT", "<!ENTITY a 'b'><!ELEMENT"), "without entities of its own"),
        (XMLBIF[:-20], "expected XMLBIF: "),
        (XMLBIF.replace("<NAME>sky</NAME>", "<NAME>rain</NAME>"), 'variable "rain": occurs twice'),
        (XDSL.replace("</nodes>", '<noisymax id="a"/></nodes>'),
         'node "a": expected nodes with a table of probabilities .*found <noisymax>'),
        (XDSL.replace("<parents>sky</parents>", "<parents>sky sky</parents>"), "different parents"),
        (NET.replace("discrete node", "utility node"), "found utility node"),
        (NET.replace("potential (sky)", "potential (sky rain)"), "a potential of one variable"),
        (NET.replace("data = (0.5 0.3 0.2)", "model_data = (0.5)"), 'expected a table in "data"'),
        (NET.replace("data = (0.5 0.3 0.2)", "data = (1 0 0); data = (0 1 0)"), 'one "data"'),
        (NET[:-20], "found the end of the file"),
        (XDSL.replace("</nodes>", '</nodes><dynamic numslices="5"/>'), "found a dynamic one"),
        (XDSL.replace('id="sky"', 'id="sky" dynamic="plate"'), "found a dynamic one"),
        ("MARKOV 1 2 1 1 0 2 1 1", "found a Markov network"),
        ("BAYES 1 2 1 1 0 2 1", "expected a number such as"),
        ("BAYES 1 2 1 1 0 2 1 0 5", "expected the end of the file"),
        ("BAYES 1 2 1 1 1 2 1 0", 'expected a variable of the file, found "var_1"'),
        ("BAYES 2 2 2 1 1 0 2 1 0", 'variable "var_1": has no table'),
        ("BAYES 1 99999999 1 1 0 2 1 0", "expected at most 1000000 values"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text, message):
    with pytest.raises(ModelError, match=message):
        network_in(text.encode())


def test_archives_are_whole_small_and_of_one_file():
    packed = gzip.compress(BIF)
    for content, message in (
        (packed[:-9], "cut off"),
        (packed + packed, "more behind it"),
        (packed[:5] + b"xx" + packed[7:40], "damaged|cut off"),
        (gzip.compress(b" " * 9_000_000), "at most 8000000 bytes in the gzip archive"),
    ):
        with pytest.raises(ModelError, match=message):
            network_in(content)
    assert network_in(packed).rows["sky"] == {(): (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))}
