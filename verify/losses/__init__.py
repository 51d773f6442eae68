"""Privacy losses of many steps that each draw a sample and add noise: between proved bounds.

Read `laws` (the two laws of one step), then `account` (they are put on a grid of losses and multiplied: delta at a
level, and the level at a delta).
"""
