"""Releases over a sliding window of a stream: `passes` says what is released and how outputs come about, `leakage` what
they tell, `published` what the literature promises.
"""
