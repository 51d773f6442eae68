"""Section 7.1 and appendix D.1, D.4: the sizes of the data, counted."""

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.bai2026.experiments.setting import sizes
from pufferproof.claims.papers.bai2026.experiments.setting.sizes import place_labels
from pufferproof.claims.registry import Check, claim

OTHER = "other"
PEOPLE = 119
"""The participants that are left to fit the chain to."""


@claim(
    "bai2026.data",
    where="Sections 7.1.1, 7.1.4, appendix D.1, D.4",
    statement="Foursquare: more than 400 raw labels of 77 countries are merged to 77 common ones "
    "and 'other', 78 in all, so that the transition matrix has 78 rows; of the first 500 days 400 "
    "are to fit and 100 to test. Capture24: 151 participants in 4 age groups, 8 held out from "
    "each; 11 labels, a matrix of 11 rows. Appendix D.4 lists '78 common labels'.",
    kind="data",
    repair="bai2026.data-repaired",
    unsaid="It counts labels, days and people of one printed list; the steps count them",
)
def data(check: Check) -> None:
    """Count the list of appendix D.4, and add up."""
    proved(check, "77 common labels and 'other'", "the list of appendix D.4", _counted, **MISSES)
    with check.reading("78 common labels", "the list of appendix D.4") as proof:
        common = [label for label in place_labels() if label != OTHER]
        proof.counterexample(
            "77",
            "Appendix D.4 announces 78 common labels and lists 77, and the rest as 'other': 78 is "
            "the number of states",
            {"labels": len(common), "with 'other'": len(place_labels())},
            lambda: len(common) == 77 and len(common) != sizes.PLACES,
            "labels != 78",
        )


@claim(
    "bai2026.data-repaired",
    where="Sections 7.1.1, 7.1.4, appendix D.1, D.4",
    statement="Appendix D.4 lists 428 raw labels, each once, merged to 77 labels and 'other': 78 "
    "states. 400 and 100 days are the first 500. Four age groups with 8 participants held out "
    "are 32 of 151, which leaves 119; their labels are 11.",
    kind="repair of bai2026.data",
    unsaid="It counts labels, days and people of one printed list; the steps count them",
)
def data_repaired(check: Check) -> None:
    """Count the list of appendix D.4, and add up."""
    proved(check, "77 common labels and 'other'", "the list of appendix D.4", _counted, **MISSES)


MISSES = {
    "without 'other'": Edit("states", family=[[each for each in place_labels() if each != OTHER]])
}


def _counted(proof: Proof) -> None:
    proof.exhaust(
        "states",
        "the heads of the list",
        [list(place_labels())],
        lambda labels: len(labels) == sizes.PLACES == len({*labels}) and sizes.PLACES == 77 + 1,
    )
    merged = [raw for raws in place_labels().values() for raw in raws]
    proof.exhaust(
        "raw labels",
        "more than 400, none under two heads; every head but 'other' is one of its own",
        [merged],
        lambda raws: len(raws) == len({*raws}) == 428 and _heads_are_raw(),
    )
    proof.exhaust(
        "days, participants, activities",
        "400 + 100 = 500; 4 x 8 = 32 and 119 of 151; 11 names",
        [(sizes.FIT_DAYS, sizes.ASKED_DAYS, sizes.PARTICIPANTS, sizes.HELD_OUT)],
        lambda drawn: (
            drawn == (400, 100, 151, 8)
            and drawn[2] - len(sizes.AGES) * drawn[3] == PEOPLE
            and len({*sizes.ACTIVITIES}) == 11
        ),
    )


def _heads_are_raw() -> bool:
    return all(head in raws for head, raws in place_labels().items() if head != OTHER)
