"""What local mechanisms on long sequences leak: `leakage` first, then `sides`."""
