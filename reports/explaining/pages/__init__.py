"""The page of evidence, and the chart on it."""
