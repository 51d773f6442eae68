"""No change in the kernel goes unnoticed by the corpora of all families."""

import pytest
from tests.kernel.bench import FAMILIES, FILES
from tests.kernel.cases import cases
from tests.kernel.equivalent import EQUIVALENT
from tests.kernel.mutants import Judge, judges_of, survivors


@pytest.fixture(scope="module")
def all_judges(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Judge]]:
    return {family: judges_of(cases(family, tmp_path_factory.mktemp(family))) for family in FAMILIES}


@pytest.mark.parametrize("file", FILES)
def test_every_mutant_of_the_kernel_is_noticed(file: str, all_judges: dict[str, list[Judge]]) -> None:
    judges = [each for family in FILES[file] for each in all_judges[family]]
    total, unnoticed = survivors(file, judges)
    print(f"{file}: {total} mutants, {len(unnoticed)} equivalent")
    assert total >= 3
    assert sorted(unnoticed) == sorted(line for line, _ in EQUIVALENT.get(file, [])), unnoticed
