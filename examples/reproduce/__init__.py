"""Published figures, computed again: `python -m pufferproof.examples.reproduce wang2016.figure2`,
which is the command `pufferproof reproduce`.

Read `command` first. `curves`, `definitions`, `windows`, `redaction` and `top_k` hold a figure or a
table each, `populations` the people of `top_k`, `simulation` what is drawn and the figure of it,
`recorded` scales of noise on recorded data.
"""

if __name__ != "pufferproof.examples.reproduce":
    raise ImportError('import it as "pufferproof.examples.reproduce": a bare "reproduce" would make a second copy')
