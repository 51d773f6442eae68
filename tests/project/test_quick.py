"""`make quick` finds the tests that a change touches."""

from tests.project.quick import imported, module, touching

TEXTS = {
    "tests/lp/cones/test_rays.py": "from pufferproof.lp.cones.rays import extreme_rays",
    "tests/lp/cones/test_deltas.py": "from pufferproof.lp.cones import deltas",
    "tests/verify/test_audit.py": "from pufferproof import audit",
    "tests/claims/helper.py": "from pufferproof.verify.audit import Audit",
    "tests/reports/test_page.py": "from tests.claims import helper",
    "tests/models/test_level.py": "import pufferproof.models.numbers.level",
}


def test_those_that_import_what_changed_come_before_those_of_its_room():
    assert touching(["lp/cones/rays.py"], TEXTS) == [
        "tests/lp/cones/test_rays.py",
        "tests/lp/cones/test_deltas.py",
    ]


def test_public_names_lead_to_their_homes_and_helpers_to_what_imports_them():
    found = ["tests/verify/test_audit.py", "tests/reports/test_page.py"]
    assert touching(["verify/audit.py"], TEXTS) == found
    assert touching(["tests/claims/helper.py"], TEXTS) == found[1:]


def test_a_test_that_changed_is_one_and_other_files_have_none():
    assert touching(["tests/models/test_level.py"], TEXTS) == ["tests/models/test_level.py"]
    assert touching(["benchmarks/table.py"], TEXTS) == []
    assert module("src/pufferproof/__init__.py") == "pufferproof"
    assert "pufferproof.verify.audit" in imported("from pufferproof import audit")
