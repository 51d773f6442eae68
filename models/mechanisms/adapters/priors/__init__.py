"""Models of other libraries as priors: hidden chains of `hmmlearn`, networks of `pgmpy`."""
