"""Labels that are written to harm whoever reads them go through every renderer as texts: nothing in
a page, a picture, a table, a Markdown file, a terminal or a file for Coq runs, moves or ends there.
"""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from unicodedata import category

import pytest

HOSTILE = {
    "markup": "<script>alert(1)</script>",
    "attribute": "\"'><img src=x onerror=alert(1)>",
    "end of data": "]]></svg><!-- --></style></script><b onclick=alert(1)>",
    "formula": "=cmd|' /C calc'!A0",
    "other formulas": "@SUM(1)+-=\t=1",
    "colours": "a\x1b[31mred\x1b]0;title\x07\x1b[2J",
    "directions": "a\u202eevil\u2066\u2069\u200f",
    "link": "[x](javascript:alert(1))![y](http://example.org/z.png)",
    "table": "a | b\\| `c` *d* _e_ # f",
    "end of a comment": '*) Admitted. Axiom x : False. (* " (*',
    "template": "{{ 7*7 }} {% raw %} ${7*7} %s %n {0.__class__}",
    "formula of TeX": "$\\write18{x}\\input{/etc/passwd}$",
    "quotes": "'; DROP TABLE x; -- \\\" ` \\",
    "rich": "[bold red]x[/][link=http://example.org]y[/link]",
    "a path": "../../../etc/passwd",
}


LABELS = [*HOSTILE.values()]
GROUPS = [[*LABELS[k:], *LABELS][:7] for k in range(0, len(LABELS), 5)]


def files(labels):
    """A framework and a mechanism in which everything has a name like that."""
    a, b, s, t, p, u, v = labels
    framework = {
        "format": "pufferproof-framework/1",
        "databases": [a, b],
        "secrets": {s: [a], t: [b]},
        "pairs": [[s, t]],
        "priors": {p: {"table": {a: "1/2", b: "1/2"}}},
    }
    channel = {a: ["3/4", "1/4"], b: ["1/4", "3/4"]}
    mechanism = {"format": "pufferproof-mechanism/1", "outputs": [u, v], "channel": channel}
    return framework, mechanism


@pytest.fixture(params=GROUPS, ids=["first", "second", "third"])
def hostile(save, request):
    framework, mechanism = files(request.param)
    save("f.json", framework)
    save("m.json", mechanism)
    return request.param


def expect_plain(text):
    """Nothing moves the cursor, colours, or turns the direction."""
    odd = {sign for sign in text if category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert odd <= {"\n"}


COMMANDS = (
    ["audit", "f.json", "m.json", "--epsilon", "log(2)", "--table"],
    ["compose", "f.json", "m.json", "--runs", "2"],
    ["reveal", "f.json", "m.json"],
    ["worst", "f.json", "--budget", "log(2)", "--budget", "log(3)"],
    ["conditions", "f.json", "m.json"],
)


def test_a_terminal_shows_them_and_does_nothing_else(hostile, run):
    for command in COMMANDS:
        code, out, err = run(*command)
        assert code in (0, 1), (command, err)
        assert "Traceback" not in err
        assert "internal error" not in err
        expect_plain(out + err)


def test_json_has_them_as_they_are(hostile, run):
    code, out, err = run("audit", "f.json", "m.json", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["witness"]["output"] in hostile
    expect_plain(out)


def test_no_cell_of_a_table_is_a_formula(hostile, run, tmp_path):
    assert run("audit", "f.json", "m.json", "--csv", "t.csv")[0] == 0
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert {len(row) for row in rows} == {len(rows[0])}
    cells = [cell for row in rows for cell in row]
    assert {cell.removeprefix("'") for cell in cells} >= {*hostile[4:]}
    for cell in cells:
        assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r") or re.fullmatch(r"-?[\d./]+", cell)


class Page(HTMLParser):
    """What a page would run or load."""

    def __init__(self, text):
        super().__init__()
        self.live, self.data = [], io.StringIO()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            loads = name in ("src", "href", "action") and not (value or "").startswith(
                ("#", "data:", "audits/", "files/")
            )
            if name.startswith("on") or (loads and re.match(r"(?i)\s*(javascript|http)", value)):
                self.live.append((tag, name, value))

    def handle_data(self, data):
        self.data.write(data)


def test_a_report_has_them_as_texts(run, tmp_path):
    home = tmp_path / "examples" / "odd"
    home.mkdir(parents=True)
    example = f"title = {json.dumps(GROUPS[0][0])}\n"
    for k, labels in enumerate(GROUPS):
        for name, document in zip("fm", files(labels)):
            (home / f"{name}{k}.json").write_text(json.dumps(document), encoding="utf-8")
        example += (
            f'[[audit]]\nframework = "f{k}.json"\nmechanism = "m{k}.json"\n'
            f'shows = {json.dumps(labels[-1])}\nepsilon = "log(2)"\n'
        )
    (home / "example.toml").write_text(example, encoding="utf-8")
    code, _, err = run("report", str(home.parent), "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    pages = [*(tmp_path / "out").rglob("*.html")]
    assert pages
    for path in pages:
        page = Page(path.read_text(encoding="utf-8"))
        assert page.live == []
    for path in (tmp_path / "out").rglob("*.svg"):
        expect_dead(path.read_text(encoding="utf-8"))
    for path in (tmp_path / "out").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?<!\\)<(script|img|b |/svg)", text)
        assert not re.search(r"(?<!\\)\]\((javascript|http)", text)


def expect_dead(drawn):
    """A picture is XML, and has nothing in it that runs or is loaded."""
    for element in ElementTree.fromstring(drawn).iter():
        assert element.tag.rpartition("}")[2] not in ("script", "image", "a", "foreignObject", "img")
        assert not [name for name in element.attrib if name.startswith("on")]


def test_a_picture_has_them_as_texts(hostile, run, tmp_path):
    assert run("audit", "f.json", "m.json", "--plot", "o.svg")[0] == 0
    expect_dead((tmp_path / "o.svg").read_text(encoding="utf-8"))


def without_comments(text):
    """A file for Coq without its comments, which nest, and have strings of their own."""
    depth, inside, left = 0, False, []
    for token in re.findall(r'\(\*|\*\)|"|[^"(*]+|.', text, re.DOTALL):
        if token == '"':
            inside = not inside
        elif not inside and token == "(*":
            depth += 1
        elif not inside and token == "*)":
            depth -= 1
            assert depth >= 0
            continue
        if depth == 0:
            left.append(token)
    assert (depth, inside) == (0, False)
    return "".join(left)


def test_a_file_for_coq_has_them_in_no_command(hostile, run, tmp_path):
    assert run("audit", "f.json", "m.json", "--epsilon", "log(3)", "--certificate", "c.json")[0] == 0
    code, out, err = run("check", "c.json", "f.json", "m.json")
    assert code == 0, err
    expect_plain(out)
    expect_plain(run("check", "c.json", "--explain")[1])
    code, out, err = run("export", "c.json", "--coq", "c.v")
    assert code == 0, err
    commands = without_comments((tmp_path / "c.v").read_text(encoding="utf-8"))
    outside = re.sub(r'"[^"]*"', "", commands)
    assert "Axiom" not in outside
    assert "Admitted" not in outside
    assert "alert" not in outside
