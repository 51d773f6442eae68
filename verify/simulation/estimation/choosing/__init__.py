"""What is evaluated: `selection` chooses a pair and events by `cells` and by scores."""
