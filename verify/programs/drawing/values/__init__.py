"""Values that become known when a program looks at them: discrete draws, integers, and truths."""
