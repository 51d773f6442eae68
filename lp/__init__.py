"""Optimisation: what linear and convex programs decide about composition and about the best mechanisms.

Where to start, and what stands behind it:

- programs solved exactly: `exact_lp`, which `float_lp` only makes proposals to;
- the columns that a budget allows: `cones`; their rays (`rays`, `ppl_child`, `ray_products`), symmetries (`symmetry`,
  `automorphisms`) and zero patterns (`separation`, `supports`, `critical`);
- the worst joint leakage of any mechanisms: `worst_composition`, by way of `worst_at_ratios`: closed forms
  (`one_pair`, `record_bound`, `record_dp`), rays, or certified bounds (`worst_bounds`, `alternating`, `relaxation`,
  `branching`, `identities`);
- the worst partner of one mechanism: `partner`;
- the rate of one mechanism and the necessary condition for composition: `nfc`, on `games`, `at_level`, `sharpen`,
  `weights`, `log_sums`;
- conditions that compose: `conditions`, on `couplings`, `coupling_level`;
- the best mechanism: `optimal` and `composable`, on `channel_program`, `losses`, `means`;
- 3R designs: the `redaction_` files; certificates of all these: `certificates`, `optimum_certificates`.
"""

if __name__ != "pufferproof.lp":
    raise ImportError('import it as "pufferproof.lp": a bare "lp" would make a second copy of every class')
