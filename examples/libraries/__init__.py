"""One audit of a mechanism or a prior of each library that is read, under correlated data.

`with_opendp` first. Each file runs alone, where its library is installed:
`python -m pufferproof.examples.libraries.with_opendp`. The others are alike: a framework with a
Markov chain from `days`, an object of the library, and what it leaks beside what it promises.
"""

if __name__ != "pufferproof.examples.libraries":
    raise ImportError('import it as "pufferproof.examples.libraries": a bare "libraries" would make a second copy')
