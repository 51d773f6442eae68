"""`compose` of mechanisms that draw a fresh sample in every run: files, answers and refusals."""

from tests.reports.test_cli import files, run  # noqa: F401 - fixtures

RECORDS = {"count": 100, "alphabet": ["0", "1"]}
SPACE = {"format": "pufferproof-framework/1", "records": RECORDS}
ADDED = SPACE | {"neighbours": {"relation": "add-remove"}}
REPLACED = SPACE | {"neighbours": {"relation": "substitute", "changes": 1}}
SUM = {
    "format": "pufferproof-mechanism/1",
    "query": "sum",
    "noise": {"gaussian": {"sigma": "1"}},
    "sample": {"poisson": "1/10"},
}
