"""Record the answers to drawn questions anew, and say what became worse: `python -m tests.same`."""
