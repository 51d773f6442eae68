"""The constructors that write the examples: `build` first; one file per room, and the long ones."""
