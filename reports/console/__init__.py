"""What every command shares: `options`, progress, streams, plots, and the words of answers."""
