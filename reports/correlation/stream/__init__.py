"""Releases over a sliding window of a stream: the command, and what it says and draws."""
