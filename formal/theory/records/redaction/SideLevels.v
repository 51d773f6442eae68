(** Local redaction of a stationary chain of bits: the first record of a side that can be shown has
    the extreme ratio of that side (redaction.side-levels). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts Recursion InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Influences RedactionUtility Local.
From Pufferproof Require Import Stationary DataIndependent SidesOfRecord InfluenceCurves BothSides.
Import ListNotations.
Open Scope R_scope.

(** Records of the side of record t, and record p. *)
Definition side_of p t (r : nat -> bool -> R) := if Nat.ltb p t then from_on p r else up_to p r.
(** Record t is the first one of its side that is not always replaced, and can show v. *)
Definition first_shown p t (r : nat -> bool -> R) v := p <> t /\
  (forall k, (k < p + t)%nat -> (p < k < t)%nat \/ (t < k < p)%nat -> always_replaced k r) /\
  r t v < 1.
Definition influence_at al be (v : bool) D := if v then i1 al be D else i0 al be D.
(** Some number s > 0 is at least x, and R/s is at least y. *)
Definition divides x y R0 := exists s, 0 < s /\ x <= s /\ y <= R0 / s.

Section Levels.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation T := (constant_steps al be).
Notation power := (TwoStates.power al be).
Notation lam := (lam al be).
Notation ratio := (largest_ratio al be).

(** Where all nearer records are always replaced, an output is seen through record D. *)
Lemma seen_through r D : chances r -> forall n k y, (D <= n)%nat ->
  (forall j x, (1 <= j < D)%nat -> r (k + j)%nat x = 1) ->
  exists f : bool -> R, (forall x, 0 <= f x) /\
    forall b, shows T r k n b y = power D b true * f true + power D b false * f false.
Proof.
  intros r01. induction D as [|D IH]; intros n k y le nearer.
  { exists (fun x => shows T r k n x y). split.
    - intros x. now apply (shows_nonnegative al be al0 be0 al1 be1).
    - intros b. cbn [TwoStates.power]. destruct b; cbn [Bool.eqb]; ring. }
  destruct n as [|n]; [lia|].
  destruct y as [|o y].
  - exists (fun _ => 0). split; [intros; lra|]. intros b.
    unfold shows, mean. rewrite (sum_ext all _ (fun _ => 0)), sum_0; [cbn beta; ring|].
    intros v _. simpl. ring.
  - destruct (IH n (S k) y ltac:(lia)) as [f [f0 E]].
    { intros j x i. rewrite <- (nearer (S j) x) by lia. f_equal. lia. }
    destruct D as [|D].
    + exists (fun x => symbol r (S k) x o * f x). split.
      { intros x. apply Rmult_le_pos; [now apply symbol_nonneg|easy]. }
      intros b. rewrite (shows_step al be), !E. simpl. ring.
    + assert (one : forall x, r (S k) x = 1).
      { intros x. rewrite <- (nearer 1%nat x) by lia. f_equal. lia. }
      exists (fun x => match o with None => f x | Some _ => 0 end). split.
      { intros x. destruct o; [lra|easy]. }
      intros b. rewrite (shows_step al be), !E. change (power (S (S D)) b true) with
        (flip al be b true * power (S D) true true + flip al be b false * power (S D) false true).
      change (power (S (S D)) b false) with
        (flip al be b true * power (S D) true false + flip al be b false * power (S D) false false).
      destruct o as [z|]; unfold symbol; rewrite !one; [destruct z; simpl eqb; cbn iota|]; ring.
Qed.

(** Some output shows record D, if it can be shown, and nothing nearer. *)
Lemma shown_at r v D : chances r -> forall k n, (1 <= D <= n)%nat -> r (k + D)%nat v < 1 ->
  (forall j x, (1 <= j < D)%nat -> r (k + j)%nat x = 1) ->
  exists y rest, length y = n /\ 0 < rest /\ forall b, shows T r k n b y = power D b v * rest.
Proof.
  intros r01. induction D as [|D IH]; intros k n [low high] here nearer; [lia|].
  destruct n as [|n]; [lia|]. destruct D as [|D].
  - rewrite Nat.add_1_r in here.
    destruct (some_possible al be al0 be0 al1 be1 r n r01 (S k) v) as [y [len pos]].
    exists (Some v :: y), ((1 - r (S k) v) * shows T r (S k) n v y).
    split; [simpl; lia|]. split; [apply Rmult_lt_0_compat; lra|].
    intros b. rewrite (shows_step al be). destruct v; simpl; ring.
  - assert (one : forall x, r (S k) x = 1).
    { intros x. rewrite <- (nearer 1%nat x) by lia. f_equal. lia. }
    destruct (IH (S k) n) as [y [rest [len [r0 E]]]].
    + lia.
    + replace (S k + S D)%nat with (k + S (S D))%nat by lia. exact here.
    + intros j x i. rewrite <- (nearer (S j) x) by lia. f_equal. lia.
    + exists (None :: y), rest. split; [simpl; lia|]. split; [easy|]. intros b.
      rewrite (shows_step al be), !E. unfold symbol. rewrite !one.
      change (power (S (S D)) b v) with
        (flip al be b true * power (S D) true v + flip al be b false * power (S D) false v). ring.
Qed.

Lemma power_positive D a b : (1 <= D)%nat -> 0 < power D a b.
Proof.
  intros d1. destruct (power_closed al be D) as [E1 [E2 [E3 E4]]].
  destruct (positive_sums al be al0 be0 al1 be1 D d1) as [P1 [P2 P3]].
  assert (0 < al * (1 - lam ^ D)) by (apply Rmult_lt_0_compat; lra).
  assert (0 < be * (1 - lam ^ D)) by (apply Rmult_lt_0_compat; lra).
  apply (Rmult_lt_reg_r (al + be)); [lra|]. rewrite Rmult_0_l.
  destruct a, b; rewrite ?E1, ?E2, ?E3, ?E4; lra.
Qed.

(** The value v at distance D is likelier if the record is v, or if it is not, by the sign of lam^D,
    and e^i_v(D) times as likely. *)
Definition towards v D := if Rle_dec 0 (lam ^ D) then v else negb v.

Lemma value_ratio v D : (1 <= D)%nat -> 1 <= influence_at al be v D /\
  power D (towards v D) v = influence_at al be v D * power D (negb (towards v D)) v.
Proof.
  intros d1. destruct (power_closed al be D) as [E1 [E2 [E3 E4]]].
  set (c := if v then be / al else al / be).
  assert (of_ : c = be / al \/ c = al / be) by (unfold c; destruct v; auto).
  destruct (above_ al be al0 be0 al1 be1 c D of_ d1) as [c0 [u1 pos]].
  assert (E : influence_at al be v D = curve c (lam ^ D))
    by (unfold influence_at, c; now destruct v).
  rewrite E. unfold towards. set (u := lam ^ D) in *.
  assert (s0 : 0 < al + be) by lra.
  assert (same : power D v v * (1 - u) = (1 + c * u) * power D (negb v) v).
  { apply (Rmult_eq_reg_r (al + be)); [|lra]. unfold c.
    replace (power D v v * (1 - u) * (al + be)) with (power D v v * (al + be) * (1 - u)) by ring.
    rewrite (Rmult_assoc (1 + _)). destruct v; simpl negb; rewrite ?E1, ?E2, ?E3, ?E4; field; lra. }
  assert (q : forall a b, 0 < b -> b <= a -> 1 <= a / b).
  { intros a b b0 le. apply (Rmult_le_reg_r b); [easy|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l; lra. }
  destruct (Rle_dec 0 u) as [up|down].
  - rewrite (curve_up be be0 be1) by (auto; lra). split.
    + apply q; [lra|]. assert (0 <= c * u) by (apply Rmult_le_pos; lra). lra.
    + apply (Rmult_eq_reg_r (1 - u)); [|lra]. rewrite same. field. lra.
  - rewrite (curve_down al al0 al1) by (auto; lra). rewrite negb_involutive. split.
    + apply q; [easy|]. assert (0 <= c * - u) by (apply Rmult_le_pos; lra). lra.
    + apply (Rmult_eq_reg_r (1 + c * u)); [|lra]. rewrite Rmult_comm, <- same. field. lra.
Qed.

(** Of one side: the largest ratio is that of the first value that can be shown. *)
Lemma side_bound r n v D y : chances r -> (1 <= D <= n)%nat ->
  (forall j x, (1 <= j < D)%nat -> r j x = 1) ->
  shows T r 0 n (towards v D) y <=
  influence_at al be v D * shows T r 0 n (negb (towards v D)) y.
Proof.
  intros r01 [d1 dn] nearer. destruct (seen_through r D r01 n 0%nat y dn nearer) as [f [f0 E]].
  rewrite !E. destruct (value_ratio v D d1) as [m1 at_v].
  set (z := towards v D) in *. set (m := influence_at al be v D) in *.
  assert (part : forall x, power D z x <= m * power D (negb z) x).
  { assert (p0 : 0 <= power D (negb z) v /\ 0 <= power D (negb z) (negb v)).
    { split; now apply Rlt_le, power_positive. }
    assert (tot : forall b, power D b v + power D b (negb v) = 1).
    { intros b. destruct (power_closed al be D) as [E1 [E2 [E3 E4]]].
      apply (Rmult_eq_reg_r (al + be)); [|lra].
      rewrite Rmult_plus_distr_r. destruct b, v; simpl negb; rewrite ?E1, ?E2, ?E3, ?E4; ring. }
    pose proof (tot z). pose proof (tot (negb z)).
    assert (power D (negb z) v <= m * power D (negb z) v).
    { rewrite <- (Rmult_1_l (power D (negb z) v)) at 1. apply Rmult_le_compat_r; lra. }
    assert (power D (negb z) (negb v) <= m * power D (negb z) (negb v)).
    { rewrite <- (Rmult_1_l (power D (negb z) (negb v))) at 1. apply Rmult_le_compat_r; lra. }
    intros x. destruct (bool_dec x v) as [->|ne]; [lra|].
    assert (x = negb v) as -> by (destruct x, v; easy). lra. }
  pose proof (Rmult_le_compat_r _ _ _ (f0 true) (part true)).
  pose proof (Rmult_le_compat_r _ _ _ (f0 false) (part false)). lra.
Qed.

Lemma side_reaches r n v D m : chances r -> (1 <= D <= n)%nat -> r D v < 1 ->
  (forall j x, (1 <= j < D)%nat -> r j x = 1) ->
  (forall y, length y = n ->
    shows T r 0 n (towards v D) y <= m * shows T r 0 n (negb (towards v D)) y) ->
  influence_at al be v D <= m.
Proof.
  intros r01 dn free nearer each. destruct (value_ratio v D (proj1 dn)) as [m1 at_v].
  destruct (shown_at r v D r01 0%nat n dn free nearer) as [y [rest [len [rest0 E]]]].
  specialize (each y len). rewrite !E, at_v in each.
  assert (pos : 0 < power D (negb (towards v D)) v) by (apply power_positive; lia).
  set (w := power D (negb (towards v D)) v) in *.
  assert (0 < w * rest) by now apply Rmult_lt_0_compat.
  apply (Rmult_le_reg_r (w * rest)); lra.
Qed.

(** One extreme ratio of a side (redaction.side-levels): it is e^i_v(d) of the first record that is
    not always replaced, in the direction of its value, whatever is shown beyond it.
    Differs: ratios instead of levels; the chances beyond the first record are any. *)
Theorem first_is_extreme n p t r v : (p < n)%nat -> (t < n)%nat -> chances r ->
  always_replaced p r -> first_shown p t r v ->
  ratio n p (side_of p t r) (towards v (distance_to p t)) =
  influence_at al be v (distance_to p t).
Proof.
  intros pn tn r01 hidden [ne [nearer free]].
  destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  replace n with (p + S c)%nat in * by lia. clear en pn.
  set (D := distance_to p t). unfold distance_to in D. unfold side_of.
  destruct (value_ratio v D ltac:(lia)) as [m1 _]. set (z := towards v D).
  destruct (Nat.ltb p t) eqn:e.
  - apply Nat.ltb_lt in e. assert (d : (p + D = t)%nat) by lia.
    assert (rr : chances (to_right r p)) by (intros k x; apply r01).
    assert (near_ : forall j x, (1 <= j < D)%nat -> to_right r p j x = 1).
    { intros j x i. apply nearer; lia. }
    apply Rle_antisym.
    + apply (ratio_of_right al be al0 be0 al1 be1 p c r z _ r01 hidden). intros yr _.
      apply side_bound; auto. lia.
    + apply (side_reaches (to_right r p) c v D); auto; [lia|unfold to_right; now rewrite d|].
      apply (ratio_of_right al be al0 be0 al1 be1 p c r z _ r01 hidden). apply Rle_refl.
  - apply Nat.ltb_ge in e. assert (d : (p - D = t)%nat) by lia.
    assert (rr : chances (to_left r p)) by (intros k x; apply r01).
    assert (near_ : forall j x, (1 <= j < D)%nat -> to_left r p j x = 1).
    { intros j x i. apply nearer; lia. }
    apply Rle_antisym.
    + apply (ratio_of_left al be al0 be0 al1 be1 p c r z _ r01 hidden). intros yl _.
      apply side_bound; auto. lia.
    + apply (side_reaches (to_left r p) p v D); auto; [lia|unfold to_left; now rewrite d|].
      intros y len. rewrite <- (rev_involutive y).
      apply (ratio_of_left al be al0 be0 al1 be1 p c r z _ r01 hidden); [apply Rle_refl|].
      now rewrite rev_length.
Qed.

Lemma divides_product x y R0 : 1 <= x -> 1 <= y -> divides x y R0 <-> x * y <= R0.
Proof.
  intros x1 y1. split.
  - intros [s [s0 [xs ys]]]. apply (Rmult_le_compat_r s) in ys; [|lra].
    replace (R0 / s * s) with R0 in ys by (field; lra).
    assert (x * y <= s * y) by (apply Rmult_le_compat_r; lra). lra.
  - intros le. exists x. repeat split; try lra. apply (Rmult_le_reg_r x); [lra|].
    replace (R0 / x * x) with R0 by (field; lra). lra.
Qed.

(** Both sides show the value 0 first, and lam > 0 (redaction.side-levels): e^eps is kept exactly if
    the influences of both values come to it, and some number divides it for the other ratios.
    Differs: ratios instead of levels; the first records may show 1 too. *)
Theorem both_levels n p t t' r R0 : 0 < lam -> (t < p < t')%nat -> (t' < n)%nat -> chances r ->
  always_replaced p r -> first_shown p t r false -> first_shown p t' r false ->
  leaks_at_most R0 al be n p r <->
  i0 al be (distance_to p t) * i0 al be (distance_to p t') <= R0 /\
  divides (ratio n p (side_of p t r) true) (ratio n p (side_of p t' r) true) R0.
Proof.
  intros l0 tp tn r01 hidden one two.
  pose proof (first_is_extreme n p t r false ltac:(lia) ltac:(lia) r01 hidden one) as L.
  pose proof (first_is_extreme n p t' r false ltac:(lia) ltac:(lia) r01 hidden two) as Rr.
  unfold towards, influence_at in L, Rr.
  destruct Rle_dec as [_|no] in L; [|destruct no; apply pow_le; lra].
  destruct Rle_dec as [_|no] in Rr; [|destruct no; apply pow_le; lra].
  rewrite (leakage_is_least al be al0 be0 al1 be1 n p r R0) by (easy || lia).
  rewrite (joint_leakage al be al0 be0 al1 be1 n p r) by (easy || lia).
  destruct (sides_above_one al be al0 be0 al1 be1 n p r ltac:(lia) r01 hidden true) as [x1 y1].
  unfold side_of in *.
  replace (Nat.ltb p t) with false in * by (symmetry; apply Nat.ltb_ge; lia).
  replace (Nat.ltb p t') with true in * by (symmetry; apply Nat.ltb_lt; lia).
  rewrite divides_product, <- L, <- Rr by easy. split.
  - intros le. split; eapply Rle_trans; try exact le; [apply Rmax_l|apply Rmax_r].
  - intros [a b]. now apply Rmax_lub.
Qed.
End Levels.
