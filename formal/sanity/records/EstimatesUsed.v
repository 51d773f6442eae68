(** The estimate of influence by an eigenvalue, used on a chain of bits, and a near miss refuted. *)
From Coq Require Import Reals Lra Lia.
From Pufferproof Require Import Sums TwoStates Estimates.
Open Scope R_scope.

(** a = 1/4 and b = 1/2: the eigengap is 15/16, the smaller probability 1/3. *)
Lemma chain_gap : gap (1/4) (1/2) = 15/16 /\ rarer (1/4) (1/2) = 1/3.
Proof. unfold gap, rarer, lam. split; field. Qed.

Lemma small_power : exp (- (gap (1/4) (1/2) * INR 4 / 2)) < 1/3.
Proof.
  destruct chain_gap as [-> _].
  assert (large : 3 < exp (15/16 * 4 / 2)).
  { replace (15/16 * 4 / 2) with (15/16 + 15/16) by field. rewrite exp_plus.
    pose proof (below_exp (15/16)).
    pose proof (Rmult_le_compat (1 + 15/16) _ (1 + 15/16) _ ltac:(lra) ltac:(lra) H H). lra. }
  simpl (INR 4). replace (1 + 1 + 1 + 1) with 4 by ring. rewrite exp_Ropp.
  replace (1/3) with (/ 3) by field. apply Rinv_lt_contravar; lra.
Qed.

Example eigenvalue_estimate_used b z :
  let x := exp (- (15/16 * 4 / 2)) in
  power (1/4) (1/2) 4 b z <= (1/3 + x) / (1/3 - x) * power (1/4) (1/2) 4 (negb b) z.
Proof.
  pose proof (eigenvalue_estimate (1/4) (1/2) ltac:(lra) ltac:(lra) ltac:(lra) 4 b z ltac:(lia))
    as estimate. cbv zeta in estimate.
  pose proof small_power as small. destruct chain_gap as [E F]. rewrite E, F in *.
  replace (INR 4) with 4 in * by (simpl; ring). now apply estimate.
Qed.

(** Without the half in the exponent it fails: a = b = 1/10 at distance 10. *)
Lemma four_fifths : lam (1/10) (1/10) ^ 10 = 1048576 / 9765625.
Proof.
  replace (lam (1/10) (1/10)) with (4/5) by (unfold lam; lra).
  change 10%nat with (2 * 5)%nat. rewrite pow_mult. replace ((4/5) ^ 2) with (16/25) by lra.
  replace ((16/25) ^ 5) with (16/25 * (16/25 * (16/25 * (16/25 * (16/25))))) by ring. lra.
Qed.

Lemma steep_power : exp (- (36/10)) <= 1/19.
Proof.
  pose proof (below_exp (45/100)) as one. set (e := exp (45/100)) in *.
  assert (two : 21/10 <= e * e) by nra.
  assert (four : 441/100 <= e * e * (e * e)) by nra.
  assert (eight : 19 <= e * e * (e * e) * (e * e * (e * e))) by nra.
  assert (E : exp (36/10) = e * e * (e * e) * (e * e * (e * e))).
  { unfold e. rewrite <- !exp_plus. f_equal. lra. }
  rewrite exp_Ropp, E. replace (1/19) with (/ 19) by lra.
  apply Rinv_le_contravar; lra.
Qed.

Example the_exponent_is_halved :
  let y := exp (- (gap (1/10) (1/10) * 10)) in
  ~ power (1/10) (1/10) 10 true true <=
    (1/2 + y) / (1/2 - y) * power (1/10) (1/10) 10 false true.
Proof.
  intros y promise. assert (y0 : 0 < y) by apply exp_pos.
  assert (y1 : y <= 1/19).
  { unfold y. replace (gap (1/10) (1/10) * 10) with (36/10) by (unfold gap, lam; lra).
    apply steep_power. }
  clearbody y. destruct (power_closed (1/10) (1/10) 10) as [A [B _]].
  rewrite four_fifths in A, B.
  set (p := power (1/10) (1/10) 10 true true) in *.
  set (r := power (1/10) (1/10) 10 false true) in *. clearbody p r.
  apply (Rmult_le_compat_r (1/2 - y)) in promise; [|lra].
  replace ((1/2 + y) / (1/2 - y) * r * (1/2 - y)) with ((1/2 + y) * r) in promise by (field; lra).
  assert (p = 1/2 * (1 + 1048576 / 9765625)) as -> by lra.
  assert (r = 1/2 * (1 - 1048576 / 9765625)) as -> by lra. lra.
Qed.
