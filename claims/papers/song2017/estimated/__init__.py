"""The Markov quilt mechanism with the estimates of a gap."""
