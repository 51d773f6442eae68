"""Docstrings as the site shows them: sessions become blocks of code, and brackets that follow one
another, as in P[x][y], are no links.
"""

import re
from typing import Any

import griffe

_SESSION = re.compile(r"^( *)>>> .*(?:\n(?!\s*$).*)*", flags=re.MULTILINE)


class Sessions(griffe.Extension):
    """Rewrites every docstring before it is parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = rewritten(obj.docstring.value)


def rewritten(text: str) -> str:
    """Fence the sessions of a docstring, and escape brackets that look like links elsewhere.

    >>> print(rewritten("The entry P[x][y].\\n\\n>>> 1 + 1\\n2"))
    The entry P[x]\\[y].
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    parts, end = [], 0
    for match in _SESSION.finditer(text):
        parts += [text[end : match.start()].replace("][", "]\\["), _fenced(match)]
        end = match.end()
    return "".join([*parts, text[end:].replace("][", "]\\[")])


def _fenced(match: re.Match[str]) -> str:
    indent = match[1]
    return f"{indent}```pycon\n{match[0]}\n{indent}```"
