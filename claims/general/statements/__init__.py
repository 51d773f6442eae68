"""The general laws as programs over small frameworks.

`privacy.py`: processing, mixtures of mechanisms, odds, zero leakage.
"""
