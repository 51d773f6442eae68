"""Classes of priors: where the worst prior of a class is, and which outputs leak most."""
