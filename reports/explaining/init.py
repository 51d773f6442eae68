"""The command `init`: a framework and a mechanism to start from, with a comment at every line that
one would change.
"""

import os
from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.reports.console.outputs import write_outputs

FRAMEWORK = """\
# A framework: what must stay secret, from whom. Change it line by line; `pufferproof audit` names
# whatever it cannot read, and `pufferproof schema framework` prints every key.
# Numbers are exact: "0.25" and "1/4" are the same, and rows must sum to exactly 1.
format = "pufferproof-framework/1"

# Which secrets nobody may tell apart from the release, in either direction.
pairs = [["well on day 3", "ill on day 3"]]

# What may be secret. Each has a name of your own, and is a value of one record, counted from 1.
# Here: was the person well ("0") or ill ("1") on the third day?
[secrets]
"well on day 3" = { record = 3, value = "0" }
"ill on day 3" = { record = 3, value = "1" }

# The data: five records (days), each with one of these values.
[records]
count = 5
alphabet = ["0", "1"]

# What somebody who attacks may believe about the data before seeing the release. Give each belief
# a name; the promise must hold under every one of them.
# Illness lasts: after a day well comes a day well with probability 9/10, after a day ill a day
# ill with probability 4/5. "stationary" is the long-run law of this chain.
[priors.spells.markov]
initial = "stationary"
transition = [["9/10", "1/10"], ["1/5", "4/5"]]

# The same share of ill days, but one day says nothing of the next. Compare the two: what leaks
# more under "spells" leaks through the neighbouring days.
[priors.independent]
product = [["2/3", "1/3"], ["2/3", "1/3"], ["2/3", "1/3"], ["2/3", "1/3"], ["2/3", "1/3"]]
"""

MECHANISM = """\
# A mechanism: what is released, with which probabilities.
format = "pufferproof-mechanism/1"

# Every day is reported truthfully with probability 3/4, and else the other way round. One matrix
# per record, with a row per value of the record and an entry per output. Alone, a day is hidden
# at the level log(3): 3/4 is three times 1/4.
outputs = ["0", "1"]
local = [
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
]

# Other forms: a table of all outputs ("channel"), noise on a query ("query"), redaction
# ("redaction"). `pufferproof schema mechanism` prints every key.
"""


def init(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="where to write them; made if it is missing")
    ] = ".",
) -> None:
    """Write a framework and a mechanism to start from, with comments that say what to change."""
    framework, mechanism = str(Path(folder, "framework.toml")), str(Path(folder, "mechanism.toml"))
    for path in (framework, mechanism):
        if os.path.lexists(path):
            raise ModelError("is there already, and init replaces nothing", path)
    files = {framework: FRAMEWORK.encode(), mechanism: MECHANISM.encode()}
    write_outputs(files, inputs=[], folder=folder)
    print(f"framework {framework}: what must stay secret, from whom")
    print(f"mechanism {mechanism}: what is released")
    print(f'next      pufferproof audit {framework} {mechanism} --epsilon "log(3)"')
