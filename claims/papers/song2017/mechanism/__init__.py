"""The Markov quilt mechanism and its fast version. Read `statement` first, then `approximate`."""
