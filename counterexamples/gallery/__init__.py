"""Minimal counterexamples to the composition of Pufferfish mechanisms, as files with
certificates; see README.md.
"""
