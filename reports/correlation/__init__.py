"""The commands about correlated records: `influence`, `calibrate`, `reproduce`."""
