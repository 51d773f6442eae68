"""Privacy losses of many steps that each draw a sample and add noise: between proved bounds.

Read `laws` (the two laws of one step), then `grid` (they are put on a grid of losses and
multiplied) and `account` (delta at a level, and the level at a delta).
"""
