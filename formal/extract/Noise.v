(** A function that checks certificates of noise on a sum of the records of chains, and what its
    answer means: [SumsOfChains] has what is stated; the rest is proofs. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laplace Breakpoints Slower Geometric Chain Indices
  Tables Levels Released SumsOfChains NoisySums.
Import ListNotations.

(** That the leakage is at most a level; or above it at the output of so many steps, of a prior and
    two values of a record. *)
Inductive about := NoMoreThan (e : level)
  | MoreAt (e : level) (prior record value against steps : nat).
Definition means_of_noise m c : Prop := noise_well_formed m /\ some_pair_possible m /\ match c with
  | NoMoreThan e => noise_at_most m e
  | MoreAt e k i a b n => noise_above_at m e k i a b n end.

(** A fraction near e^level, and two near the decay, are hints. *)
Definition check_noise m c (r : bound) (d : decay_bounds) : bool := (0 <=? num r)%Z && match c with
  | NoMoreThan e => is_below e r && check_noise_within m d (num r) (den r) && speaks_of m
  | MoreAt e k i a b n => is_above e r && check_noise_above m d (num r) (den r) k i a b n end.
Open Scope R_scope.

Section Sound.
Context (m : model) (d : decay_bounds).
Hypotheses (good : good_model m = true) (within_ : decay_within m d = true).

Lemma model_parts : (forall w, In w (walks m) -> good_walk m w = true) /\
  (forall i a b, In (i, (a, b)) (pairs_at m) -> (i <= records m)%nat) /\
  (integers m = true -> query_unit m = 1%positive).
Proof.
  unfold good_model in good. rewrite !andb_true_iff, !forallb_forall in good.
  destruct good as [[ws ps] u]. split; [exact ws|]. split.
  - intros i a b H. apply ps in H. unfold good_pair in H. rewrite !andb_true_iff in H.
    destruct H as [[H _] _]. now apply Nat.leb_le in H.
  - intros H. rewrite H in u. now apply Pos.eqb_eq in u.
Qed.

Lemma noise_parts : noise_well_formed m.
Proof.
  destruct model_parts as [ws [_ u]]. split; [|split; [now apply (scale_pos m d)|exact u]].
  intros p [k [h ->]]. apply walk_is_law, ws. now apply nth_In.
Qed.

(** Geometric noise is Laplace noise at integers, up to a factor. *)
Lemma geometric_is_laplace b u z : 0 < b ->
  exists c, 0 < c /\ forall x, geometric b x z = c * laplace b (u x) (IZR z) \/ u x <> IZR x.
Proof.
  intros b0. exists ((1 - exp (- / b)) / (1 + exp (- / b)) * (2 * b)). split.
  - pose proof (geometric_constant b b0). apply Rmult_lt_0_compat; lra.
  - intros x. destruct (Req_dec (u x) (IZR x)) as [->|n]; [left|now right].
    rewrite geometric_decay by easy. unfold decay, laplace. pose proof (exp_pos (- / b)).
    replace (- / b * Rabs (IZR z - IZR x)) with (- Rabs (IZR z - IZR x) / b) by (field; lra).
    field. lra.
Qed.

Lemma query_of_integers v : integers m = true -> query m v = IZR (value_of m (count m v)).
Proof.
  intros H. destruct model_parts as [_ [_ u]]. unfold query. rewrite (u H). field.
Qed.

Lemma on_integers p z : integers m = true -> exists c, 0 < c /\ forall s,
  Pw p (with_geometric m) s z = c * Pw p (with_laplace m) s (IZR z).
Proof.
  intros H.
  destruct (geometric_is_laplace (scale_of m) IZR z (scale_pos m d within_)) as [c [c0 E]].
  exists c. split; [easy|]. intros s. unfold Pw. rewrite <- sum_scale. apply sum_ext. intros v _.
  unfold with_geometric, with_laplace. rewrite (query_of_integers v H).
  destruct (E (value_of m (count m v))) as [-> |n]; [ring|easy].
Qed.

Lemma promise_here r : pufferfish r (with_laplace m) (values_apart m) (walks_of m) ->
  noise_keeps m r.
Proof.
  intros promise. unfold noise_keeps. destruct (integers m) eqn:I; [|exact promise].
  intros p s t z Hp Hst Ps Pt. destruct (on_integers p z I) as [c [c0 E]]. rewrite !E.
  specialize (promise p s t (IZR z) Hp Hst Ps Pt).
  apply (Rmult_le_compat_l c) in promise; lra.
Qed.

Lemma within_sound num den : (0 <= num)%Z -> check_noise_within m d num den = true ->
  noise_keeps m (IZR num / IZR (Zpos den)).
Proof.
  intros num0 H. unfold check_noise_within in H. rewrite !andb_true_iff, forallb_forall in H.
  destruct H as [_ H]. destruct model_parts as [ws [ps _]].
  pose proof (scale_pos m d within_) as b0. apply promise_here.
  apply promise_at_values; [exact b0|].
  intros p s t y [k [hk ->]] [i [a [b [pair [-> ->]]]]] Ps Pt.
  set (w := nth k (walks m) _) in *. assert (iw : In w (walks m)) by now apply nth_In.
  assert (E : forall i a, Pw (law_of_walk m w) (fun x y => laplace (scale_of m) (query m x) (query m
    y)) (value_is m i a) y = / (2 * scale_of m) * told m w i a (count m y)).
  { intros j c. rewrite <- (scaled_told m d within_ w j c (count m y)). reflexivity. }
  rewrite !E. assert (k0 : 0 < / (2 * scale_of m)) by (apply Rinv_0_lt_compat; lra).
  assert (le : told m w i a (count m y) * P (law_of_walk m w) (value_is m i b) <=
    IZR num / IZR (Zpos den) * P (law_of_walk m w) (value_is m i a) * told m w i b (count m y)).
  { specialize (H w iw). rewrite forallb_forall in H.
    destruct pair as [pair|pair]; pose proof (H _ pair) as B; unfold both_ways in B; cbn [fst snd]
      in B; apply andb_prop in B as [one other];
      apply (one_way_sound m d within_ num den w i a b); auto; try (now apply (ps _ _ _ pair));
      apply count_top. }
  apply (Rmult_le_compat_l (/ (2 * scale_of m))) in le; lra.
Qed.

Lemma speaks_of_sound : speaks_of m = true -> some_pair_possible m.
Proof.
  intros H. destruct model_parts as [ws [ps _]].
  apply existsb_exists in H as [w [iw H]]. apply existsb_exists in H as [[i [a b]] [ip H]].
  cbn [fst snd] in H. rewrite andb_true_iff, !Z.ltb_lt in H. destruct H as [A B].
  apply IZR_lt in A, B. rewrite mass_sums in A, B by eauto.
  pose proof (unit_pos m w (ws w iw)) as u0.
  destruct (In_nth _ _ (Walk 0 [] 0 []) iw) as [k [hk E]].
  exists (law_of_walk m w), (value_is m i a), (value_is m i b). split; [exists k; now rewrite E|].
  split; [exists i, a, b; auto|].
  split; apply (Rmult_lt_reg_l (unit_of_law m w)); lra.
Qed.

Lemma above_sound_of e num den k i a b n : (0 <= num)%Z -> ratio e <= IZR num / IZR (Zpos den) ->
  check_noise_above m d num den k i a b n = true -> noise_above_at m e k i a b n.
Proof.
  intros num0 le H. unfold check_noise_above in H. cbv zeta in H. rewrite !andb_true_iff in H.
  destruct H as [[[[_ hk] hn] pair] [[[[A B] fa] fb] gap]].
  apply Nat.ltb_lt in hk. apply Nat.leb_le in hn. apply Z.ltb_lt in A, B, gap.
  destruct model_parts as [ws [ps _]]. unfold noise_above_at. cbv zeta.
  set (w := nth k (walks m) _) in *. assert (iw : In w (walks m)) by now apply nth_In.
  assert (named : In (i, (a, b)) (pairs_at m) \/ In (i, (b, a)) (pairs_at m)).
  { apply existsb_exists in pair as [[i' [a' b']] [ip e']]. cbn [fst snd] in e'.
    rewrite andb_true_iff, orb_true_iff, !andb_true_iff, !Nat.eqb_eq in e'.
    destruct e' as [-> [[-> ->]|[-> ->]]]; auto. }
  assert (hi : (i <= records m)%nat) by (destruct named; eauto).
  destruct (above_sound_at m d within_ num den w i a b n (ws w iw) hi num0 fa fb A B hn gap)
    as [Pa [Pb more]].
  split; [now exists k|]. split; [now exists i, a, b|]. split; [easy|]. split; [easy|].
  pose proof (scale_pos m d within_) as b0.
  assert (k0 : 0 < / (2 * scale_of m)) by (apply Rinv_0_lt_compat; lra).
  assert (told0 : 0 <= told m w i b n).
  { apply sum_nonneg. intros v _. apply Rmult_le_pos.
    - unfold inside. destruct (value_is m i b v); [|lra]. now apply walk_is_law, ws.
    - apply pow_le. left. apply exp_pos. }
  assert (L : ratio e * P (law_of_walk m w) (value_is m i a) * Pw (law_of_walk m w) (with_laplace m)
    (value_is m i b) (IZR (value_of m n) / IZR (Zpos (query_unit m))) < Pw (law_of_walk m w)
    (with_laplace m) (value_is m i a) (IZR (value_of m n) / IZR (Zpos (query_unit m))) *
    P (law_of_walk m w) (value_is m i b)).
  { rewrite !(scaled_told m d within_).
    apply Rle_lt_trans with (/ (2 * scale_of m) * (IZR num / IZR (Zpos den) *
      P (law_of_walk m w) (value_is m i a) * told m w i b n)).
    - replace (ratio e * P (law_of_walk m w) (value_is m i a) * (/ (2 * scale_of m) * told m w i b
        n)) with (/ (2 * scale_of m) * (ratio e * P (law_of_walk m w) (value_is m i a) * told m w i
        b n)) by ring.
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [easy|].
      apply Rmult_le_compat_r; lra.
    - apply Rlt_le_trans with (/ (2 * scale_of m) * (told m w i a n *
        P (law_of_walk m w) (value_is m i b))); [now apply Rmult_lt_compat_l|right; ring]. }
  destruct (integers m) eqn:I; [|exact L].
  destruct (on_integers (law_of_walk m w) (value_of m n) I) as [c [c0 E]].
  rewrite !E. assert (one_ : query_unit m = 1%positive) by now apply model_parts.
  rewrite one_ in L. replace (IZR (value_of m n) / IZR 1) with (IZR (value_of m n)) in L by field.
  apply (Rmult_lt_compat_l c) in L; lra.
Qed.
End Sound.

(** Whatever the hints are, a certificate of noise that passes means what it says.
    Differs: nothing. *)
Theorem checked_noise m c r d : check_noise m c r d = true -> means_of_noise m c.
Proof.
  unfold check_noise. intros H. apply andb_prop in H as [n0 H]. apply Z.leb_le in n0.
  destruct c as [e|e k i a b n].
  - rewrite !andb_true_iff in H. destruct H as [[low H] some].
    pose proof H as H'. unfold check_noise_within in H'. rewrite !andb_true_iff in H'.
    destruct H' as [[good within_] _]. split; [now apply (noise_parts m d)|].
    split; [now apply speaks_of_sound|]. apply below_sound in low.
    pose proof (within_sound m d good within_ _ _ n0 H) as K. unfold means_of_noise, noise_at_most.
    revert K. unfold noise_keeps.
    destruct (integers m); intros K p s t z Hp Hst Ps Pt; specialize (K p s t z Hp Hst Ps Pt);
      (apply Rle_trans with (1 := K); apply Rmult_le_compat_r;
        [|apply Rmult_le_compat_r; lra]);
      (apply sum_nonneg; intros v _; apply Rmult_le_pos;
        [unfold inside; destruct (t v); [|lra];
          apply (proj1 (noise_parts m d good within_) p Hp)|]).
    + pose proof (scale_pos m d within_) as b0. unfold with_geometric.
      rewrite geometric_decay by easy. apply Rmult_le_pos.
      * left. now apply geometric_constant.
      * left. apply exp_pos.
    + apply laplace_nonneg. now apply (scale_pos m d).
  - rewrite andb_true_iff in H. destruct H as [high H]. apply above_sound in high.
    pose proof H as H'. unfold check_noise_above in H'. cbv zeta in H'.
    rewrite !andb_true_iff in H'.
    destruct H' as [[[[[good within_] _] _] _] _]. split; [now apply (noise_parts m d)|].
    pose proof (above_sound_of m d good within_ e _ _ k i a b n n0 high H) as A.
    split; [|exact A]. unfold noise_above_at in A. cbv zeta in A.
    destruct A as [A1 [A2 [A3 [A4 _]]]]. eexists _, _, _. eauto.
Qed.
