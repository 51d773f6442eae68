"""The function `fit`: from recorded data, in Python or a file, to the chain of `fit.py`."""

from collections.abc import Sequence

from pufferproof.models.files.recorded.chains.options import Options
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.sources.asked import Asked
from pufferproof.models.files.recorded.sources.classes import Classes
from pufferproof.models.files.recorded.sources.gathering import Missing
from pufferproof.models.files.recorded.table import recorded_of
from pufferproof.models.interface.kinds import check_type


def fit(
    data: object,
    column: str | None = None,
    group: object = None,
    order: int = 1,
    smoothing: object = 0,
    confidence: object = None,
    initial: str | None = None,
    states: Sequence[str] | None = None,
    length: int | None = None,
    private: int | Sequence[int] | None = None,
    people: int = 1,
    time: object = None,
    absorbing: Sequence[object] = (),
    missing: Missing = "refuse",
    classes: object = None,
    separator: str | None = None,
    decimal: str = ".",
    stopping: str | None = None,
    kinds: str | int = "pooled",
    sheet: str | None = None,
    never: Sequence[Sequence[object]] = (),
    na: Sequence[str] | None = None,
    thin: str | None = None,
) -> Fit:
    """Fit a Markov chain to recorded data, by counting, exactly.

    Args:
        data: a Series, an array or a list of values in order; or a table of pandas, polars or
            pyarrow, or the path of a file (CSV, Excel, Parquet, .ts, also gzipped), and then the
            `column`, which may be left out if there is only one.
        group: a group for every value, or the name of a column: every group is a sequence.
        order: how many last values decide about the next one.
        smoothing: added to every count.
        confidence: such as "95%": `box` then has the matrices that are not ruled out.
        initial: the first record is "stationary" (default) or "counted"; in a box "any" (default)
            or "stationary".
        states: the values that can occur, in order; those that do if left out.
        length: of the framework's sequences; that of the longest sequence if left out.
        private: the records whose values are secrets, from 1; all if left out.
        people: how many independent people the framework has, each with this chain: those whose
            records are released, not the groups that were recorded.
        time: a time for every value, or the name of a column: times must go forward in equal steps.
            The times of a pandas index are read too.
        absorbing: values that nothing else follows, such as a death; the first record is then
            counted, if `initial` is left out.
        missing: "split" makes recordings of their own of what stands before and after missing
            values and gaps in the times, "refuse" (default) raises.
        classes: how many classes of about equal size numbers are put into, or the limits between
            classes, such as "0.5,2".
        separator: between the cells of text; left out it is what the header has.
        decimal: the mark before decimals in text, "." or ",".
        stopping: "fixed" (default) if the length of every recording was fixed without looking at
            its values; "any" widens the box so that it holds whenever a recording ended.
        kinds: "pooled", one chain for all groups; "each", a prior for each; a number, one for each
            of so many kinds, sorted by likelihood; "box", the smallest box around all.
        sheet: of an Excel workbook; left out it is the only one with cells.
        never: pairs of values of which the second never follows the first.
        na: the texts that mean missing beside empty cells; left out they are NA, N/A, NaN, NaT and
            null.
        thin: with `kinds` "each" or "box", what to do with groups in which nothing follows some
            value: "pooled" (default), so that the chain of all groups, or rows of others in the
            box, stand for them; or "out", which leaves them out. A doubt names them.

    >>> found = fit(["dry", "dry", "wet", "dry", "wet", "wet", "dry", "dry"], length=3)
    >>> found.prior
    MarkovChain('stationary', [['1/2', '1/2'], ['2/3', '1/3']])
    >>> found.framework
    Framework(8 databases, 6 secrets, 3 pairs, 1 prior)

    Raises `ModelError` where a value is missing, there are fewer than 2 different ones, or, without
    a confidence, nothing follows one of them and nothing is smoothed.
    """
    column = check_type(column, str | None, "column")
    order = check_type(order, int, "order")
    initial = check_type(initial, str | None, "initial")
    states = check_type(states, Sequence[str] | None, "states")
    length = check_type(length, int | None, "length")
    private = check_type(private, int | Sequence[int] | None, "private")
    people = check_type(people, int, "people")
    absorbing = check_type(absorbing, Sequence[object], "absorbing")
    never = check_type(never, Sequence[Sequence[object]], "never")
    na = check_type(na, Sequence[str] | None, "na")
    separator = check_type(separator, str | None, "separator")
    stopping = check_type(stopping, str | None, "stopping")
    sheet = check_type(sheet, str | None, "sheet")
    kinds = check_type(kinds, str | int, "kinds")
    options = Options.of(
        order,
        smoothing,
        confidence,
        initial,
        length,
        private,
        people,
        absorbing=absorbing,
        stopping=stopping,
        kinds=kinds,
        never=never,
        thin=check_type(thin, str | None, "thin"),
    )
    made = None if classes is None else Classes.of(classes, decimal)
    texts = {"separator": separator, "decimal": decimal, "missing": missing, "sheet": sheet}
    asked = Asked.of(column, states=states, classes=made, na=na, **texts)
    return Fit(recorded_of(data, asked, group, time), options)
