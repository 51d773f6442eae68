"""The commands about correlated records: `influence`, `calibrate`, `translate`, `fit`."""
