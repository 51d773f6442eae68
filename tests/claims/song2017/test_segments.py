"""Parallel composition of quilt mechanisms on far segments: verdicts, and the index arguments
on all small segments.
"""

from itertools import product


def borrowed(length):
    """All (T1, T2, T3, T4, j, a, b, i) with the quilt of X_j inside T1..T2 and the gap of
    condition (2).
    """
    for first, last, then in product(range(1, length), repeat=3):
        for end in range(then + 1, length + 1):
            if first < last < then and then - last >= max(last - first, end - then):
                for j in range(first, last + 1):
                    for a, b in product(range(1, j - first + 1), range(1, last - j + 1)):
                        yield from (
                            (first, last, then, end, j, a, b, i) for i in range(first, last + 1)
                        )


def test_borrowed_quilts_on_all_segments_of_up_to_ten_records():
    checked = 0
    for first, last, then, _, _, a, b, i in borrowed(10):
        left, right = i - a >= 1, i + b <= last
        assert left or right
        assert i + b < then
        if not left:
            assert i + b - 1 <= a + b - 1
        if i - a < first:
            assert right
            assert i + b - first <= a + b - 1
        checked += 1
    assert checked > 100


def test_a_gap_one_shorter_leaves_the_other_segment_beyond_borrowed_quilts_or_on_them():
    """T3 - T2 = max(T2 - T1, T4 - T3) - 1: a quilt may end at T3, the first record of the other
    segment.
    """
    reached = set()
    for first, size, other in product((1, 2), (2, 3, 4), (2, 3, 4)):
        last = first + size
        then = last + max(size, other) - 1
        for j in range(first, last + 1):
            for a, b in product(range(1, j - first + 1), range(1, last - j + 1)):
                for i in range(first, last + 1):
                    assert i - a < 1 or i + b <= then
                    assert i - a >= 1 or (i + b <= last and i + b - 1 <= a + b - 1)
                    reached.add(then - (i + b))
    assert min(reached) == 0


def test_a_smaller_gap_lets_a_borrowed_quilt_reach_the_other_segment():
    first, last, a, b = 1, 4, 1, 2
    assert last - first == a + b
    i = last
    assert i + b >= last + 2  # T3 = 6, T3 - T2 = 2 < 3
