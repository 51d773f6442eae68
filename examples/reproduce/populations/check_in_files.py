"""Files of check-ins as they are published: lines of cells between tabs, without headers.

    dataset_TIST2015_Checkins.txt   user, venue, UTC time (Tue Apr 03 18:00:06 +0000 2012), offset
    dataset_TIST2015_POIs.txt       venue, latitude, longitude, category, country
    dataset_TSMC2014_NYC.txt        user, venue, category's id, category, latitude, longitude,
    dataset_TSMC2014_TKY.txt        offset, UTC time

The first is some 33 million lines: they are read one at a time, and a check-in is kept in 11 bytes.
Names are UTF-8, or Latin-1 where they are not.
"""

from array import array
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHECK_INS, VENUES = "dataset_TIST2015_Checkins.txt", "dataset_TIST2015_POIs.txt"
CITIES = "dataset_TSMC2014_*.txt"
_CHECK_IN = ("user", "venue", "UTC time", "offset")
_VENUE = ("venue", "latitude", "longitude", "category", "country")
_VISIT = ("user", "venue", "category id", "category", "latitude", "longitude", "offset", "UTC time")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EPOCH = date(1970, 1, 1).toordinal()
_MARK = b"\xef\xbb\xbf"  # what some programs write before UTF-8
Labels = Callable[[str], int]


class CheckIns:
    """Check-ins in the order of the files: who, when in seconds since 1970, which label, which
    group; and how many people.
    """

    def __init__(self) -> None:
        self.users, self.seconds = array("i"), array("i")
        self.labels, self.places = array("B"), array("H")
        self.groups: dict[str, int] = {}
        self.people = 0
        self._numbers: dict[bytes, int] = {}
        self._days: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self.users)

    def group(self, name: str) -> int:
        """Return the number of a country or city."""
        return self.groups.setdefault(name, len(self.groups))

    def begin(self) -> None:
        """Take the numbers of users to come for those of other people."""
        self._numbers.clear()

    def add(self, user: bytes, time: bytes, label: int, group: int) -> None:
        """Take a check-in. Raises `ModelError` naming the column."""
        if user not in self._numbers:
            if not (user.isdigit() and len(user) < 16):
                raise ModelError(f'expected a number in column "user", found {shown(text(user))}')
            self._numbers[user] = self.people
            self.people += 1
        self.seconds.append(self._second(time))
        self.users.append(self._numbers[user])
        self.labels.append(label)
        self.places.append(group)

    def _second(self, time: bytes) -> int:
        """Read a time such as Tue Apr 03 18:00:06 +0000 2012."""
        try:
            day = time[:10] + time[-11:]  # Tue Apr 03 +0000 2012
            if day not in self._days:
                self._days[day] = _day(day)
            hours, minutes, seconds = map(int, time[10:-11].split(b":"))
            if not (0 <= hours < 24 and 0 <= minutes < 60 and 0 <= seconds <= 60):
                raise ValueError
        except ValueError:
            raise ModelError(
                f'expected a time like "Tue Apr 03 18:00:06 +0000 2012" in column "UTC time", found {shown(text(time))}'
            ) from None
        return ((self._days[day] * 24 + hours) * 60 + minutes) * 60 + seconds

    def columns(self) -> "list[NDArray[np.integer]]":
        """Return groups, users, seconds and labels as arrays, sorted in this order."""
        import numpy as np

        found = [
            np.frombuffer(each, dtype=each.typecode) for each in (self.places, self.users, self.seconds, self.labels)
        ]
        order = np.lexsort((found[2], found[1], found[0]))
        return [each[order] for each in found]


def _day(text: bytes) -> int:
    """Return the days since 1970 of a day such as Tue Apr 03 +0000 2012."""
    _, month, number, zone, year = text.decode("ascii").split()
    if zone != "+0000" or not 1970 <= int(year) < 2038:
        raise ValueError
    return date(int(year), _MONTHS.index(month) + 1, int(number)).toordinal() - _EPOCH


def check_ins_of_countries(folder: Path, label: Labels) -> CheckIns:
    """Read the check-ins of the world, a group per country, and what category each venue has.

    Raises `ModelError` naming file, line and column where something is absent or different.
    """
    found = CheckIns()
    kinds: dict[tuple[int, int], tuple[int, int]] = {}
    venues: dict[bytes, tuple[int, int]] = {}
    for _, (venue, _, _, category, country) in _rows(folder / VENUES, _VENUE):
        kind = label(text(category)), found.group(text(country))
        venues[venue] = kinds.setdefault(kind, kind)
    path = folder / CHECK_INS
    for line, (user, venue, time, _) in _rows(path, _CHECK_IN):
        if venue not in venues:
            where = f"{path}: line {line}"
            raise ModelError(f"expected a venue of {VENUES}, found {shown(text(venue))}", where)
        try:
            found.add(user, time, *venues[venue])
        except ModelError as error:
            raise error.within(f"{path}: line {line}") from None
    return found


def check_ins_of_cities(paths: list[Path], label: Labels) -> CheckIns:
    """Read the check-ins of some cities, a group and a file per city.

    Raises `ModelError` naming file, line and column where something is different.
    """
    found = CheckIns()
    for path in paths:
        group = found.group(path.stem.rpartition("_")[2])
        found.begin()
        for line, (user, _, _, category, _, _, _, time) in _rows(path, _VISIT):
            try:
                found.add(user, time, label(text(category)), group)
            except ModelError as error:
                raise error.within(f"{path}: line {line}") from None
    return found


def text(cell: bytes) -> str:
    """Read a cell as UTF-8, or as Latin-1 where it is not.

    >>> text(b"Caf\\xe9"), text(b"Caf\\xc3\\xa9")
    ('Café', 'Café')
    """
    try:
        return cell.decode("utf-8")
    except UnicodeDecodeError:
        return cell.decode("latin-1")


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield lines with their numbers; empty ones are left out."""
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                cells = line.removeprefix(_MARK).rstrip(b"\r\n").split(b"\t")
                if len(cells) == len(columns):
                    yield number, cells
                elif cells != [b""]:
                    raise ModelError(_missing(columns, len(cells)), f"{path}: line {number}")
    except OSError as error:
        raise ModelError(
            f"cannot be read ({error.strerror}): expected tab-separated {', '.join(columns)}", str(path)
        ) from None


def _missing(columns: tuple[str, ...], found: int) -> str:
    said = f"expected {len(columns)} columns separated by tabs ({', '.join(columns)})"
    absent = ", ".join(f'"{name}"' for name in columns[found:])
    return f"{said}, found {found}" + (f": {absent} missing" if absent else "")
