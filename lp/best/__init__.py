"""The best mechanism for a loss within a level: `mechanism` first; `composable` asks for one that composes."""
