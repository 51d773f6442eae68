"""What recorded data say against the model that is fitted to them. Read `comparison` first, then `family`.

`family` has all tests of a chain, those of recordings that end and of groups that copy each other among them: `order`
asks whether more of the past matters, and whether the chain is the same at all times; `comparison` whether one chain
serves all groups. `readings` tests an AR(1), `clock` whether rows are in the order of time, in equal steps.
"""
