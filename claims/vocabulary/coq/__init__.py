"""What Coq says of statements that are objects: the propositions written for it, the ties of the
vocabulary, and when a reading is PROVED. `python -m pufferproof.claims.vocabulary.coq FOLDER` asks
Coq for all of it.
"""
