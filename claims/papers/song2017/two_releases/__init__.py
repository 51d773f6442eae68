"""Two releases that compose worse than they should, in closed form. Read `statement` first."""
