"""What Gaussian noise leaks that is clamped, hidden or of its own sigma for every database:
`normal`, and its delta, `normal_delta`.
"""
