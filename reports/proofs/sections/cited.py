"""Citations in prose as links: ids of claims to where they stand, and keys of papers to papers."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from markupsafe import Markup

from pufferproof.reports.proofs.papers.bibliography import papers
from pufferproof.reports.proofs.papers.typesetting import typeset

_NAME = re.compile(r"(?<![\w./:@-])[A-Za-z]\w*(?:\.\w+(?:-\w+)*)?(?![\w-])")
Linked = Callable[[str], str | None]


def citations(text: str) -> Iterator[re.Match[str]]:
    """Yield what may be the id of a claim or the key of a paper."""
    return _NAME.finditer(text)


def setting_of(linked: Mapping[str, str], symbols: Mapping[str, str]) -> dict[str, object]:
    """Return what templates of pages of documents write prose with."""
    written = partial(typeset, symbols=symbols)
    linking = partial(cited, written=written, linked=linked.get)
    return {"typeset": written, "cited": linking, "linked": linked.get}


def cited(text: str, written: Callable[[str], Markup], linked: Linked) -> Markup:
    """Return prose for a page, with a link at each claim and each paper that it names.

    >>> print(cited("By own.lemma, a <b>", Markup.escape, {"own.lemma": "#own.lemma"}.get))
    By <a href="#own.lemma">own.lemma</a>, a &lt;b&gt;
    """
    shown, last = Markup(""), 0
    for match in citations(text):
        if address := linked(match[0]) or _paper(match[0]):
            link = Markup('<a href="{}">{}</a>').format(address, match[0])
            shown += written(text[last : match.start()]) + link
            last = match.end()
    return shown + written(text[last:])


def _paper(name: str) -> str:
    """Return the address of a paper of the bibliography, "" if it is none."""
    paper = papers().get(name)
    return "" if paper is None else paper.address
