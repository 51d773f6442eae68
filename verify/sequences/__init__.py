"""What local mechanisms on long sequences leak: `audit` first, then `leakage`."""
