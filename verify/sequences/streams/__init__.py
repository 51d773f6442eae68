"""Releases over a sliding window of a stream: `blocks` says what is released, `passes` how outputs
come about, `leakage` what they tell, `published` what the literature promises.
"""
