"""Boxes of transition matrices that hold the true one with a stated probability: of intervals that
hold whenever a recording ended (`lasting`), and of closer ones for recordings whose lengths were
fixed beforehand (`fixed`).
"""
