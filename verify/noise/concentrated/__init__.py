"""The smallest rho of zero-concentrated privacy (`orders`) and the smallest mu of Gaussian
differential privacy (`trade_off`), each enclosed (`smallest`).
"""
