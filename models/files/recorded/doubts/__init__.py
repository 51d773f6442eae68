"""What recorded data say against the model that is fitted to them. Read `comparison` first.

`order` asks whether more of the past matters, `saying` whether one chain serves all groups, `times`
whether rows are in the order of time, in equal steps. `order` and `saying` draw the data that
p-values of sparse counts need.
"""
