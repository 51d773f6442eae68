"""How much work a file may make: one counter for all readers of recorded data.

    cost of what is read <= 40,000,000 + 50 (bytes of the file)

A byte that is unpacked costs 2/5, a gzip member 20, a cell 2; an element of a workbook 24 if it is
of a plain cell, 80 in the shared strings, and else 200: about the tenths of a microsecond that each
takes. So a small file ends within seconds, and a large one in proportion to its bytes, whatever it
says of itself.
"""

from dataclasses import dataclass

from pufferproof.models.errors import ModelError

MAX_TABLE = 1_000_000_000  # bytes of a file, and of what it is unpacked to
_BASE, _PER_BYTE = 40_000_000, 50
_FIFTHS = 5  # costs are counted in fifths
BYTE, MEMBER, CELL = 2, 100, 10
PLAIN_ELEMENT, STRING_ELEMENT, OTHER_ELEMENT = 120, 400, 1000


@dataclass
class Work:
    """The work that is left of what a file of `size` bytes may make."""

    size: int
    unpacked: int = 0
    spent: int = 0

    def take(self, cost: int, what: str) -> None:
        """Count work. Raises `ModelError` if it is too much for the file."""
        self.spent += cost
        if self.spent > _FIFTHS * (_BASE + _PER_BYTE * self.size):
            raise ModelError(
                f"expected less work from a file of {self.size} bytes, found too many {what}: save "
                "the table as CSV that is not compressed"
            )

    def unpack(self, size: int) -> None:
        """Count bytes that are unpacked. Raises `ModelError` if they are too many."""
        self.unpacked += size
        if self.unpacked > MAX_TABLE:
            raise ModelError(f"expected at most {MAX_TABLE} bytes once unpacked, found more")
        self.take(BYTE * size, "bytes once unpacked")
