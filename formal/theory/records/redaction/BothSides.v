(** Local redaction of a stationary chain of bits: the largest ratios of what is shown on the sides
    of a record, and what they come to together (redaction.joint-of-sides). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts Recursion InnerBit Redaction.
From Pufferproof Require Import TwoStates RedactionLeakage Influences RedactionUtility Local.
From Pufferproof Require Import Stationary DataIndependent SidesOfRecord InfluenceCurves.
Import ListNotations.
Open Scope R_scope.

(** The largest of some numbers, at least 0. *)
Definition largest {A} (l : list A) (f : A -> R) : R :=
  fold_right (fun y m => Rmax (f y) m) 0 l.
(** P(Y = y | X_p = z), the largest ratio of it and the other value's over all outputs, where x/0
    is 0, and e^Lk(X_p -> Y). *)
Definition given_record al be n p r z y : R :=
  Pw (stationary_chain al be n) (redacted_bits r n) (record_is p z) y /
  P (stationary_chain al be n) (record_is p z).
Definition largest_ratio al be n p r z : R :=
  largest all (fun y => given_record al be n p r z y / given_record al be n p r (negb z) y).
Definition leakage_of_record al be n p r : R :=
  Rmax (largest_ratio al be n p r false) (largest_ratio al be n p r true).
(** Record p is always replaced. *)
Definition always_replaced p (r : nat -> bool -> R) := forall x, r p x = 1.

Section Largest.
Context {A : Type} (l : list A).

Lemma largest_nonneg f : 0 <= largest l f.
Proof. induction l; simpl; [lra|]. eapply Rle_trans; [exact IHl0|apply Rmax_r]. Qed.

Lemma largest_above f y : In y l -> f y <= largest l f.
Proof.
  induction l; simpl; [easy|]. intros [->|i]; [apply Rmax_l|].
  eapply Rle_trans; [now apply IHl0|apply Rmax_r].
Qed.

Lemma largest_below f m : 0 <= m -> (forall y, In y l -> f y <= m) -> largest l f <= m.
Proof.
  intros m0. induction l; simpl; intros each; [easy|].
  apply Rmax_lub; [apply each; now left|apply IHl0; intros; apply each; now right].
Qed.

(** The largest ratio is the least factor, where nothing is divided by 0 but 0. *)
Lemma ratio_is_least u v m y0 : In y0 l -> 0 < u y0 -> (forall y, In y l -> 0 <= v y) ->
  (forall y, In y l -> v y = 0 -> u y = 0) ->
  largest l (fun y => u y / v y) <= m <-> forall y, In y l -> u y <= m * v y.
Proof.
  intros i0 u0 v0 zero. split.
  - intros le y i. pose proof (largest_above (fun y => u y / v y) y i) as at_. simpl in at_.
    destruct (v0 y i) as [pos|e].
    + apply (Rmult_le_compat_r (v y)) in at_; [|lra].
      replace (u y / v y * v y) with (u y) in at_ by (field; lra).
      apply (Rmult_le_compat_r (v y)) in le; lra.
    + rewrite <- e, zero by auto. lra.
  - intros each. assert (m0 : 0 <= m).
    { pose proof (each y0 i0). pose proof (v0 y0 i0). nra. }
    apply largest_below; [easy|]. intros y i. destruct (v0 y i) as [pos|e].
    + apply (Rmult_le_reg_r (v y)); [easy|].
      replace (u y / v y * v y) with (u y) by (field; lra). now apply each.
    + rewrite <- e. unfold Rdiv. rewrite Rinv_0, Rmult_0_r. easy.
Qed.

Lemma equal_sums u v : (forall y, In y l -> u y <= v y) -> sum l u = sum l v ->
  forall y, In y l -> v y <= u y.
Proof.
  intros le e y i.
  pose proof (sum_member l (fun z => v z - u z) y) as one. simpl in one.
  rewrite (sum_ext l (fun z => v z - u z) (fun z => v z + -1 * u z)) in one by (intros; ring).
  rewrite sum_plus, sum_scale in one.
  assert (forall z, In z l -> 0 <= v z - u z) by (intros z iz; specialize (le z iz); lra).
  specialize (one H i). lra.
Qed.
End Largest.

(** Largest products of numbers of which none is below 1. *)
Section Numbers.
Context (x y z w : R).
Hypotheses (x1 : 1 <= x) (y1 : 1 <= y) (z1 : 1 <= z) (w1 : 1 <= w).

Lemma max_bounds : Rmax x y <= Rmax (x * z) (y * w) /\ Rmax z w <= Rmax (x * z) (y * w) /\
  Rmax (x * z) (y * w) <= Rmax x y * Rmax z w.
Proof.
  pose proof (Rmax_l (x * z) (y * w)). pose proof (Rmax_r (x * z) (y * w)).
  assert (more : forall s t, 1 <= s -> 1 <= t -> s <= s * t /\ t <= s * t).
  { intros s t s1 t1. split.
    - rewrite <- (Rmult_1_r s) at 1. apply Rmult_le_compat_l; lra.
    - rewrite <- (Rmult_1_l t) at 1. apply Rmult_le_compat_r; lra. }
  destruct (more x z x1 z1), (more y w y1 w1). repeat split; try (apply Rmax_lub; lra).
  apply Rmax_lub; apply Rmult_le_compat; (lra || apply Rmax_l || apply Rmax_r).
Qed.

Lemma equal_factors s t a b : 1 <= s <= a -> 1 <= t <= b -> s * t = a * b -> s = a /\ t = b.
Proof.
  intros [s1 [lt|e]] [t1 tb] eq_.
  - assert (s * t < a * t) by (apply Rmult_lt_compat_r; lra).
    assert (a * t <= a * b) by (apply Rmult_le_compat_l; lra). lra.
  - split; [easy|]. subst. apply (Rmult_eq_reg_l a); lra.
Qed.

Lemma max_equal : Rmax (x * z) (y * w) = Rmax x y * Rmax z w <->
  (x = Rmax x y /\ z = Rmax z w) \/ (y = Rmax x y /\ w = Rmax z w).
Proof.
  destruct max_bounds as [_ [_ le]]. split.
  - pose proof (Rmax_l x y). pose proof (Rmax_r x y). pose proof (Rmax_l z w).
    pose proof (Rmax_r z w). unfold Rmax at 1. destruct Rle_dec; intros e; [right|left];
      apply equal_factors; (lra || easy).
  - intros [[e f]|[e f]]; apply Rle_antisym; auto; rewrite <- e, <- f.
    + apply Rmax_l.
    + apply Rmax_r.
Qed.

Lemma max_half : (x = 1 -> y = 1) -> (y = 1 -> x = 1) -> (z = 1 -> w = 1) -> (w = 1 -> z = 1) ->
  Rmax x y * Rmax z w < Rmax (x * z) (y * w) * Rmax (x * z) (y * w) \/
  (Rmax x y = 1 /\ Rmax z w = 1).
Proof.
  intros xy yx zw wz. destruct max_bounds as [leA [leB leJ]].
  set (J := Rmax (x * z) (y * w)) in *. set (a := Rmax x y) in *. set (b := Rmax z w) in *.
  assert (a1 : 1 <= a) by (apply Rle_trans with x; [easy|apply Rmax_l]).
  assert (b1 : 1 <= b) by (apply Rle_trans with z; [easy|apply Rmax_l]).
  destruct (Req_dec a 1) as [ea|na], (Req_dec b 1) as [eb|nb]; [now right|left..].
  - assert (b * 1 < b * b) by (apply Rmult_lt_compat_l; lra).
    assert (b * b <= J * J) by (apply Rmult_le_compat; lra). rewrite ea. lra.
  - assert (a * 1 < a * a) by (apply Rmult_lt_compat_l; lra).
    assert (a * a <= J * J) by (apply Rmult_le_compat; lra). rewrite eb. lra.
  - assert (above : forall s t, 1 <= s -> 1 <= t -> (s = 1 -> t = 1) -> Rmax s t <> 1 -> 1 < s).
    { intros s t [l|e] _ st ne; [easy|]. exfalso. apply ne. rewrite <- e, (st (eq_sym e)).
      unfold Rmax. now destruct Rle_dec. }
    assert (1 < x) by now apply (above x y). assert (1 < z) by now apply (above z w).
    assert (1 < y) by (apply (above y x); auto; now rewrite Rmax_comm).
    assert (1 < w) by (apply (above w z); auto; now rewrite Rmax_comm).
    assert (xz : x * z <= J) by apply Rmax_l. assert (yw : y * w <= J) by apply Rmax_r.
    assert (p1 : forall s t, 1 < s -> 1 < t -> 1 < s * t).
    { intros s t s1 t1. apply Rlt_trans with (1 * t); [lra|]. apply Rmult_lt_compat_r; lra. }
    assert (cross : (x * z) * (y * w) <= J * J).
    { pose proof (p1 x z). pose proof (p1 y w). apply Rmult_le_compat; lra. }
    assert (J1 : 1 < J) by (pose proof (p1 x z); lra).
    assert (square : J * 1 < J * J) by (apply Rmult_lt_compat_l; lra).
    assert (turned : (x * z) * (y * w) = (x * w) * (y * z)) by ring.
    assert (less : x * w < (x * w) * (y * z) /\ y * z < (x * w) * (y * z)).
    { pose proof (p1 x w ltac:(lra) ltac:(lra)). pose proof (p1 y z ltac:(lra) ltac:(lra)). split.
      - rewrite <- (Rmult_1_r (x * w)) at 1. apply Rmult_lt_compat_l; lra.
      - rewrite <- (Rmult_1_l (y * z)) at 1. apply Rmult_lt_compat_r; lra. }
    unfold a, b, Rmax. destruct Rle_dec, Rle_dec; lra.
Qed.
End Numbers.

Lemma local_total {A} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}) r n :
  forall k (x : vec A n), (Σ y, local_from dA r k x y) = 1.
Proof.
  induction n as [|n IH]; intros k x; [unfold all; simpl; lra|].
  etransitivity; [apply (@Sum_pairs (option A) (vec (option A) n) _ _
    (fun z => shown_as dA r k (fst x) (fst z) * local_from dA r (S k) (snd x) (snd z)))|].
  cbn [fst snd]. rewrite (sum_ext all _ (fun y => shown_as dA r k (fst x) y * 1)).
  - refine (eq_trans (one_record dA r k (fst x) None) _). ring.
  - intros y _. rewrite sum_scale, IH. ring.
Qed.

Section Sides.
Context (al be : R).
Hypotheses (al0 : 0 < al) (be0 : 0 < be) (al1 : al < 1) (be1 : be < 1).
Notation T := (constant_steps al be).
Notation ratio := (largest_ratio al be).

Lemma flip_positive x y : 0 < flip al be x y.
Proof. destruct x, y; simpl; lra. Qed.

Lemma shows_step r k n b o y : shows T r k (S n) b (o :: y) =
  flip al be b true * (symbol r (S k) true o * shows T r (S k) n true y) +
  flip al be b false * (symbol r (S k) false o * shows T r (S k) n false y).
Proof. unfold shows. rewrite mean_next. simpl. now rewrite !mean_scale. Qed.

Lemma symbol_nonneg r k x o : chances r -> 0 <= symbol r k x o.
Proof.
  intros r01. destruct (r01 k x). destruct o as [z|]; simpl; [destruct eqb|]; lra.
Qed.

(** Whatever a side shows is possible for both values of the record, or for none. *)
Lemma same_outputs r k n b y : chances r -> shows T r k n b y = 0 -> forall x,
  shows T r k n x y = 0.
Proof.
  intros r01 zero x. destruct n as [|n]; [unfold shows, mean in *; exact zero|].
  destruct y as [|o y].
  - unfold shows, mean. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|].
    intros v _. simpl. ring.
  - rewrite shows_step in *.
    assert (part : forall z, 0 <= symbol r (S k) z o * shows T r (S k) n z y).
    { intros z. apply Rmult_le_pos; [now apply symbol_nonneg|].
      now apply (shows_nonnegative al be al0 be0 al1 be1). }
    pose proof (part true). pose proof (part false).
    pose proof (flip_positive b true). pose proof (flip_positive b false).
    set (g := symbol r (S k) true o * shows T r (S k) n true y) in *.
    set (h := symbol r (S k) false o * shows T r (S k) n false y) in *.
    assert (g = 0) as -> by nra. assert (h = 0) as -> by nra. ring.
Qed.

Lemma all_replaced n k b x y : shows T (fun _ _ => 1) k n b y = shows T (fun _ _ => 1) k n x y.
Proof.
  assert (E : exists c, forall v : vec bool n, redact (fun _ _ => 1) k v y = c).
  { exists (if forallb (fun o => match o with None => true | Some _ => false end) y
      then if Nat.eqb (length y) n then 1 else 0 else 0).
    revert k y; induction n as [|n IH]; intros k [|o y] v; try easy; simpl.
    - now destruct o, forallb.
    - rewrite IH. destruct o as [z|]; simpl; [destruct eqb; ring|]. ring. }
  destruct E as [c E]. unfold shows, mean.
  assert (F : forall z, (Σ v : vec bool n, steps T k z (list_of v) *
    redact (fun _ _ => 1) k v y) = c).
  { intros z. rewrite (sum_ext all _ (fun v : vec bool n => c * steps T k z (list_of v))).
    - rewrite sum_scale, (steps_total T (flip_laws al be al0 be0 al1 be1)). ring.
    - intros v _. rewrite E. ring. }
  now rewrite !F.
Qed.

Section Record.
Context (p c : nat).
Notation n := (p + S c)%nat.
Notation left_ r z yl := (shows T (to_left r p) 0 p z (rev yl)).
Notation right_ r z yr := (shows T (to_right r p) 0 c z yr).

Lemma given_at r z y yl o yr : list_of y = yl ++ o :: yr -> length yl = p ->
  given_record al be n p r z y = at_output al be r p c yl o yr z.
Proof.
  intros e len. unfold given_record, redacted_bits.
  rewrite (told_on_lists al be al0 be0 r p c y yl o yr z e len).
  rewrite (P_record al be al0 be0 al1 be1).
  pose proof (stationary_pos al be al0 be0 z). field. lra.
Qed.

Lemma split_output (y : vec (option bool) n) : exists yl o yr, list_of y = yl ++ o :: yr /\
  length yl = p /\ length yr = c.
Proof.
  pose proof (list_length y) as ly. pose proof (firstn_skipn p (list_of y)) as e.
  pose proof (skipn_length p (list_of y)) as ls.
  destruct (skipn p (list_of y)) as [|o yr]; simpl in ls; [lia|].
  exists (firstn p (list_of y)), o, yr. rewrite firstn_length. repeat split; auto; lia.
Qed.

Lemma sides_nonneg r z yl yr : chances r -> 0 <= left_ r z yl /\ 0 <= right_ r z yr.
Proof.
  intros r01. split; apply (shows_nonnegative al be al0 be0 al1 be1); intros k x; apply r01.
Qed.

Lemma at_replaced r yl o yr z : always_replaced p r -> at_output al be r p c yl o yr z =
  match o with None => left_ r z yl * right_ r z yr | Some _ => 0 end.
Proof.
  intros hidden. unfold at_output. destruct o as [x|]; simpl; rewrite hidden; [|ring].
  destruct bool_dec; ring.
Qed.

(** The largest ratio of all outputs is the least factor of what both sides show. *)
Lemma ratio_of_sides r z m : chances r -> always_replaced p r ->
  ratio n p r z <= m <-> forall yl yr, length yl = p -> length yr = c ->
    left_ r z yl * right_ r z yr <= m * (left_ r (negb z) yl * right_ r (negb z) yr).
Proof.
  intros r01 hidden.
  assert (rl : chances (to_left r p)) by (intros k x; apply r01).
  assert (rr : chances (to_right r p)) by (intros k x; apply r01).
  destruct (some_possible al be al0 be0 al1 be1 _ p rl 0%nat z) as [yl [ll pl]].
  destruct (some_possible al be al0 be0 al1 be1 _ c rr 0%nat z) as [yr [lr pr]].
  destruct (of_list (p + S c) (rev yl ++ None :: yr)) as [y0 e0].
  { rewrite app_length, rev_length. simpl. lia. }
  assert (at0 : forall b, given_record al be n p r b y0 =
    shows T (to_left r p) 0 p b yl * shows T (to_right r p) 0 c b yr).
  { intros b. rewrite (given_at r b y0 _ _ _ e0) by now rewrite rev_length.
    rewrite at_replaced by easy. now rewrite rev_involutive. }
  unfold largest_ratio.
  rewrite (ratio_is_least all (given_record al be n p r z)
    (given_record al be n p r (negb z)) m y0).
  - split.
    + intros each xl xr exl exr. destruct (of_list (p + S c) (xl ++ None :: xr)) as [y e].
      { rewrite app_length. simpl. lia. }
      specialize (each y (all_here y)).
      rewrite !(given_at r _ y xl None xr e exl), !at_replaced in each by easy. exact each.
    + intros each y _. destruct (split_output y) as [xl [o [xr [e [exl exr]]]]].
      rewrite !(given_at r _ y xl o xr e exl), !at_replaced by easy.
      destruct o; [lra|now apply each].
  - apply all_here.
  - rewrite at0. now apply Rmult_lt_0_compat.
  - intros y _. destruct (split_output y) as [xl [o [xr [e [exl exr]]]]].
    rewrite (given_at r _ y xl o xr e exl), at_replaced by easy.
    destruct (sides_nonneg r (negb z) xl xr r01). destruct o; [lra|now apply Rmult_le_pos].
  - intros y _. destruct (split_output y) as [xl [o [xr [e [exl exr]]]]].
    rewrite !(given_at r _ y xl o xr e exl), !at_replaced by easy. destruct o; [easy|].
    intros zero. apply Rmult_integral in zero as [zero|zero].
    + rewrite (same_outputs _ _ _ _ _ rl zero z). ring.
    + rewrite (same_outputs _ _ _ _ _ rr zero z). ring.
Qed.

Lemma up_to_chances r : chances r -> chances (up_to p r) /\ chances (from_on p r).
Proof.
  intros r01. split; intros k x; unfold up_to, from_on; destruct Nat.leb; try apply r01; lra.
Qed.

Lemma up_to_replaced r : always_replaced p r ->
  always_replaced p (up_to p r) /\ always_replaced p (from_on p r).
Proof. intros h. split; intros x; unfold up_to, from_on; rewrite Nat.leb_refl; apply h. Qed.

Lemma same_left r z yl : left_ (up_to p r) z yl = left_ r z yl.
Proof.
  apply shows_ext. intros j x. unfold to_left, up_to.
  now replace (Nat.leb (p - S j) p) with true by (symmetry; apply Nat.leb_le; lia).
Qed.
Lemma same_right r z yr : right_ (from_on p r) z yr = right_ r z yr.
Proof.
  apply shows_ext. intros j x. unfold to_right, from_on.
  now replace (Nat.leb p (p + S j)) with true by (symmetry; apply Nat.leb_le; lia).
Qed.
Lemma no_right r z yr : right_ (up_to p r) z yr = shows T (fun _ _ => 1) 0 c z yr.
Proof.
  apply shows_ext. intros j x. unfold to_right, up_to.
  now replace (Nat.leb (p + S j) p) with false by (symmetry; apply Nat.leb_gt; lia).
Qed.
Lemma no_left r z yl : left_ (from_on p r) z yl = shows T (fun _ _ => 1) 0 p z (rev yl).
Proof.
  destruct p as [|p']; [unfold shows, mean; simpl; ring|]. apply shows_ext. intros j x.
  unfold to_left, from_on.
  now replace (Nat.leb (S p') (S p' - S j)) with false by (symmetry; apply Nat.leb_gt; lia).
Qed.

Lemma one_factor x y w m : 0 <= w -> x <= m * y -> x * w <= m * (y * w).
Proof. intros w0 le. apply (Rmult_le_compat_r w) in le; lra. Qed.

Lemma ratio_of_left r z m : chances r -> always_replaced p r ->
  ratio n p (up_to p r) z <= m <->
  forall yl, length yl = p -> left_ r z yl <= m * left_ r (negb z) yl.
Proof.
  intros r01 hidden. destruct (up_to_chances r r01) as [u01 _].
  destruct (up_to_replaced r hidden) as [uh _]. rewrite ratio_of_sides by easy. split.
  - intros each yl ll. specialize (each yl (list_of (nothing c)) ll (list_length _)).
    rewrite !same_left, !no_right, !shows_nothing in each by easy. lra.
  - intros each yl yr ll lr. rewrite !same_left, !no_right.
    rewrite (all_replaced c 0 z (negb z)). apply one_factor; [|now apply each].
    apply (shows_nonnegative al be al0 be0 al1 be1). intros k x. lra.
Qed.

Lemma ratio_of_right r z m : chances r -> always_replaced p r ->
  ratio n p (from_on p r) z <= m <->
  forall yr, length yr = c -> right_ r z yr <= m * right_ r (negb z) yr.
Proof.
  intros r01 hidden. destruct (up_to_chances r r01) as [_ u01].
  destruct (up_to_replaced r hidden) as [_ uh]. rewrite ratio_of_sides by easy. split.
  - intros each yr lr. specialize (each (rev (list_of (nothing p))) yr
      ltac:(now rewrite rev_length, list_length) lr).
    rewrite !same_right, !no_left, !rev_involutive, !shows_nothing in each by easy. lra.
  - intros each yl yr ll lr. rewrite !same_right, !no_left.
    rewrite (all_replaced p 0 z (negb z)), !(Rmult_comm (shows _ _ _ p _ _)).
    apply one_factor; [|now apply each].
    apply (shows_nonnegative al be al0 be0 al1 be1). intros k x. lra.
Qed.
End Record.

Lemma given_total n p r z : (p < n)%nat -> (Σ y, given_record al be n p r z y) = 1.
Proof.
  intros pn. unfold given_record, Rdiv.
  rewrite (sum_ext all _ (fun y => / P (stationary_chain al be n) (record_is p z) *
    Pw (stationary_chain al be n) (redacted_bits r n) (record_is p z) y)) by (intros; ring).
  rewrite sum_scale. unfold Pw. rewrite sum_swap.
  rewrite (sum_ext all _ (inside (stationary_chain al be n) (record_is p z))).
  - apply Rinv_l. change (P (stationary_chain al be n) (record_is p z) <> 0).
    destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
    replace n with (p + S c)%nat by lia. rewrite (P_record al be al0 be0 al1 be1).
    apply Rgt_not_eq, (stationary_pos al be al0 be0).
  - intros x _. rewrite sum_scale. unfold redacted_bits, local. rewrite local_total. ring.
Qed.

Lemma ratio_bounds n p r z y : (p < n)%nat -> chances r -> always_replaced p r ->
  given_record al be n p r z y <= ratio n p r z * given_record al be n p r (negb z) y.
Proof.
  intros pn r01 hidden. destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  revert y. replace n with (p + S c)%nat by lia. intros y.
  destruct (split_output p c y) as [xl [o [xr [e [exl exr]]]]].
  rewrite !(given_at p c r _ y xl o xr e exl), !at_replaced by easy. destruct o; [lra|].
  revert xl xr e exl exr. pose proof (proj1 (ratio_of_sides p c r z _ r01 hidden) (Rle_refl _)).
  intros. now apply H.
Qed.

Lemma ratio_above_one n p r z : (p < n)%nat -> chances r -> always_replaced p r ->
  1 <= ratio n p r z.
Proof.
  intros pn r01 hidden. rewrite <- (given_total n p r z pn).
  apply Rle_trans with (Σ y, ratio n p r z * given_record al be n p r (negb z) y).
  - apply sum_le. intros y _. now apply ratio_bounds.
  - rewrite sum_scale, given_total by easy. lra.
Qed.

(** If no output is likelier given one value, none is given the other. *)
Lemma both_one n p r z : (p < n)%nat -> chances r -> always_replaced p r ->
  ratio n p r z = 1 -> ratio n p r (negb z) = 1.
Proof.
  intros pn r01 hidden one. apply Rle_antisym; [|now apply ratio_above_one].
  apply largest_below; [lra|]. intros y _.
  assert (le : forall y, In y all -> given_record al be n p r z y <=
    given_record al be n p r (negb z) y).
  { intros x _. pose proof (ratio_bounds n p r z x pn r01 hidden). rewrite one in H. lra. }
  assert (e : sum all (given_record al be n p r z) = sum all (given_record al be n p r (negb z)))
    by (rewrite !given_total by easy; easy).
  pose proof (equal_sums all _ _ le e y (all_here y)) as ge. specialize (le y (all_here y)).
  rewrite negb_involutive. set (u := given_record al be n p r z y) in *.
  assert (given_record al be n p r (negb z) y = u) as -> by lra.
  destruct (Req_dec u 0) as [->|ne]; [unfold Rdiv; rewrite Rmult_0_l; lra|].
  right. field. easy.
Qed.

(** Both sides of a record: largest ratios multiply. *)
Lemma ratios_multiply n p r z : (p < n)%nat -> chances r -> always_replaced p r ->
  ratio n p r z = ratio n p (up_to p r) z * ratio n p (from_on p r) z.
Proof.
  intros pn r01 hidden. destruct (up_to_chances p r r01) as [l01 o01].
  destruct (up_to_replaced p r hidden) as [lh oh].
  pose proof (ratio_above_one n p _ z pn l01 lh) as one_l.
  pose proof (ratio_above_one n p _ z pn o01 oh) as one_r.
  destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  replace n with (p + S c)%nat in * by lia. clear en pn.
  pose proof (proj1 (ratio_of_left p c r z _ r01 hidden) (Rle_refl _)) as left_.
  pose proof (proj1 (ratio_of_right p c r z _ r01 hidden) (Rle_refl _)) as right_.
  pose proof (proj1 (ratio_of_sides p c r z _ r01 hidden) (Rle_refl _)) as whole.
  set (L := ratio _ p (up_to p r) z) in *. set (Rr := ratio _ p (from_on p r) z) in *.
  set (J := ratio _ p r z) in *. apply Rle_antisym.
  - apply (ratio_of_sides p c r z _ r01 hidden). intros yl yr ll lr.
    destruct (sides_nonneg p c r z yl yr r01) as [x0 y0].
    pose proof (Rmult_le_compat _ _ _ _ x0 y0 (left_ yl ll) (right_ yr lr)). lra.
  - apply (Rmult_le_reg_r (/ Rr)); [apply Rinv_0_lt_compat; lra|].
    rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra.
    apply (ratio_of_left p c r z _ r01 hidden). intros yl ll.
    apply (Rmult_le_reg_l Rr); [lra|].
    replace (Rr * (J * / Rr * _)) with (J * shows T (to_left r p) 0 p (negb z) (rev yl))
      by (field; lra).
    destruct (sides_nonneg p c r z yl [] r01) as [[pos|<-] _].
    2: { destruct (sides_nonneg p c r (negb z) yl [] r01) as [x0 _].
      assert (0 <= J * shows T (to_left r p) 0 p (negb z) (rev yl)); [|lra].
      apply Rmult_le_pos; [|easy]. apply largest_nonneg. }
    set (x := shows T (to_left r p) 0 p z (rev yl)) in *.
    set (x' := shows T (to_left r p) 0 p (negb z) (rev yl)) in *.
    apply (Rmult_le_reg_r (/ x)); [now apply Rinv_0_lt_compat|].
    rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra.
    apply (ratio_of_right p c r z _ r01 hidden). intros yr lr.
    apply (Rmult_le_reg_l x); [easy|]. pose proof (whole yl yr ll lr) as w. fold x x' in w.
    replace (x * (J * x' * / x * shows T (to_right r p) 0 c (negb z) yr)) with
      (J * (x' * shows T (to_right r p) 0 c (negb z) yr)) by (field; lra). exact w.
Qed.

Notation leakage := (leakage_of_record al be).

(** e^Lk is the least ratio that the redaction keeps (massny2025, definition 1). *)
Lemma leakage_is_least n p r R0 : (p < n)%nat -> chances r -> always_replaced p r ->
  leaks_at_most R0 al be n p r <-> leakage n p r <= R0.
Proof.
  intros pn r01 hidden. unfold leaks_at_most, redacted_bits, leakage_of_record.
  destruct (Nat.le_exists_sub (S p) n pn) as [c [en _]].
  replace n with (p + S c)%nat by lia. rewrite (promise_at_outputs al be al0 be0 al1 be1).
  assert (E : forall b, ratio (p + S c) p r b <= R0 <-> forall yl o yr, length yl = p ->
    length yr = c ->
    at_output al be r p c yl o yr b <= R0 * at_output al be r p c yl o yr (negb b)).
  { intros b. rewrite (ratio_of_sides p c r b R0 r01 hidden). split.
    - intros each yl o yr ll lr. rewrite !at_replaced by easy. destruct o; [lra|auto].
    - intros each yl yr ll lr. specialize (each yl None yr ll lr).
      rewrite !at_replaced in each by easy. exact each. }
  split.
  - intros each. apply Rmax_lub; apply E; auto.
  - intros le b. assert (ratio (p + S c) p r b <= R0).
    { apply Rle_trans with (2 := le). destruct b; [apply Rmax_r|apply Rmax_l]. }
    now apply E.
Qed.

(** The leakage of both sides together (redaction.joint-of-sides): exactly.
    Differs: ratios instead of levels. *)
Theorem joint_leakage n p r : (p < n)%nat -> chances r -> always_replaced p r ->
  leakage n p r = Rmax (ratio n p (up_to p r) false * ratio n p (from_on p r) false)
    (ratio n p (up_to p r) true * ratio n p (from_on p r) true).
Proof.
  intros pn r01 hidden. unfold leakage_of_record.
  now rewrite (ratios_multiply n p r false), (ratios_multiply n p r true).
Qed.

Section Joint.
Context (n p : nat) (r : nat -> bool -> R).
Hypotheses (pn : (p < n)%nat) (r01 : chances r) (hidden : always_replaced p r).
Notation A z := (ratio n p (up_to p r) z).
Notation B z := (ratio n p (from_on p r) z).

Lemma sides_above_one z : 1 <= A z /\ 1 <= B z.
Proof.
  destruct (up_to_chances p r r01), (up_to_replaced p r hidden).
  split; now apply ratio_above_one.
Qed.

(** It is no less than what either side leaks, and no more than what they leak together.
    Differs: ratios instead of levels. *)
Theorem joint_bounds : leakage n p (up_to p r) <= leakage n p r /\
  leakage n p (from_on p r) <= leakage n p r /\
  leakage n p r <= leakage n p (up_to p r) * leakage n p (from_on p r).
Proof.
  rewrite (joint_leakage n p r) by easy. unfold leakage_of_record.
  destruct (sides_above_one false), (sides_above_one true). now apply max_bounds.
Qed.

(** What sides leak adds up exactly if the same value is the likelier one on both.
    Differs: ratios instead of levels. *)
Theorem joint_equality : leakage n p r = leakage n p (up_to p r) * leakage n p (from_on p r) <->
  (A false = leakage n p (up_to p r) /\ B false = leakage n p (from_on p r)) \/
  (A true = leakage n p (up_to p r) /\ B true = leakage n p (from_on p r)).
Proof.
  rewrite (joint_leakage n p r) by easy. unfold leakage_of_record.
  destruct (sides_above_one false), (sides_above_one true). now apply max_equal.
Qed.

(** It is more than half of the sum, unless nothing is leaked.
    Differs: ratios instead of levels. *)
Theorem joint_half :
  leakage n p (up_to p r) * leakage n p (from_on p r) < leakage n p r * leakage n p r \/
  (leakage n p (up_to p r) = 1 /\ leakage n p (from_on p r) = 1).
Proof.
  rewrite (joint_leakage n p r) by easy. unfold leakage_of_record.
  destruct (sides_above_one false), (sides_above_one true).
  destruct (up_to_chances p r r01) as [l01 o01], (up_to_replaced p r hidden) as [lh oh].
  apply max_half; auto; intros one;
    first [now apply (both_one n p _ false)|now apply (both_one n p _ true)].
Qed.
End Joint.
End Sides.
