"""Scales of noise on recorded data, by every rule: the experiments of Song, Wang and Chaudhuri on
recordings that people can get. `sources` finds and reads the files, `tables` computes the scales,
`words` prints and draws them.
"""
