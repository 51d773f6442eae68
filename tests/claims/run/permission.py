"""What the run of the tests tells `tests/claims/examination.py`, which not every run imports."""

FOLDER = "PUFFERPROOF_EXAMINED"
"""The variable that names the folder of this run."""

MARKED = False
"""Whether the test that runs is marked `claims`, as every test that examines claims of the package:
`make claims` runs it, `make test` does not.
"""
