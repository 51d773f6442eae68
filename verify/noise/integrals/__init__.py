"""What is an integral or a sum over outputs: `delta` at a level, and `renyi` divergences."""
