"""Audit the gallery, and print what each program claims and leaks."""

from pufferproof.examples.programs.gallery import table

if __name__ == "__main__":
    print(*table(), sep="\n")
