(** How searches for quilts of a chain are decided on tables of rationals: a score by what noise
    leaves for the influence, as in Tables.v. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts Parallel
  ParallelChains SequentialChains RecordTables
  TableQuilts QuiltsOfTables Gap GapQuilts Searches.
From Tied Require Import Decide Entries Chains Tables Powers Spectra.
Import ListNotations.
Open Scope R_scope.

(** Quilts by the number of the record, from 1 on. *)
Definition find_read (l : list (nat * nat)) (i : nat) : nat * nat :=
  nth (i - 1) l (1%nat, 1%nat).

Section Scores.
Context {m n : nat}.
Notation reads := (release_read (m := m) (n := n)).

Lemma score_hides q k e : (1 <= k)%nat ->
  e < at_level (reads q) /\ INR k / (at_level (reads q) - e) <= with_noise (reads q) <->
  exp e <= Q2R (left_for q k).
Proof.
  intros k1. rewrite <- (hides_is (m := m) (n := n)). unfold hides.
  pose proof (scale_pos (m := m) (n := n) q) as b0.
  set (b := with_noise (reads q)) in *. set (eps := at_level (reads q)) in *.
  assert (k0 : 0 < INR k) by (apply lt_0_INR; lia). split.
  - intros [less sc]. split; [easy|]. assert (INR k / b <= eps - e); [|lra].
    apply (Rmult_le_reg_r b); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    apply (Rmult_le_compat_r (eps - e)) in sc; [|lra]. unfold Rdiv in sc.
    rewrite Rmult_assoc, Rinv_l in sc by lra. lra.
  - intros [_ room]. assert (pos : 0 < INR k / b) by now apply Rdiv_lt_0_compat.
    split; [lra|]. apply (Rmult_le_reg_r (eps - e)); [lra|].
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (le : INR k / b <= eps - e) by lra. apply (Rmult_le_compat_r b) in le; [|lra].
    unfold Rdiv in le. rewrite Rmult_assoc, Rinv_l in le by lra. lra.
Qed.

Definition qtold (p q : Q) k lo hi i : Q := Qred (match lo with O => 1%Q
  | S _ => Qred (qover p (qpow q (S i - lo)) * qover p (qpow q (S i - lo))) end *
  (if Nat.ltb hi k then qover p (qpow q (hi - i)) else 1%Q)).
Definition on_chain k i a b : bool := Nat.leb 1 i && Nat.leb i k && Nat.leb 1 a && Nat.leb a i &&
  Nat.leb 1 b && Nat.leb (i + b) (S k).
Lemma on_chain_is k i a b : on_chain k i a b = true <->
  (1 <= i <= k /\ 1 <= a <= i /\ 1 <= b /\ i + b <= S k)%nat.
Proof. unfold on_chain. rewrite !andb_true_iff, !Nat.leb_le. tauto. Qed.
Definition qfar p q k lo hi i : bool := (Nat.eqb lo 0 || negb (Qle_bool p (qpow q (S i - lo)))) &&
  (Nat.leb k hi || negb (Qle_bool p (qpow q (hi - i)))).
Definition qscored p q k (run : raw_release) i a b : bool :=
  on_chain k i a b && qfar p q k (i - a) (i + b - 1) (i - 1) &&
  Qle_bool (positive (qtold p q k (i - a) (i + b - 1) (i - 1))) (left_for run (a + b - 1)).
#[export] Instance d_scored low r p q k run i a b : rational low p -> rational r q ->
  decided (scored low r k (at_level (reads run)) (with_noise (reads run)) i a b)
    (qscored p q k run i a b) | 0.
Proof.
  intros rl rr. unfold decided, qscored, scored.
  pose proof (d_far low r p q k (i - a) (i + b - 1) (i - 1) rl rr) as far_.
  unfold decided in far_. fold (qfar p q k (i - a) (i + b - 1) (i - 1)) in far_.
  rewrite !andb_true_iff, far_, on_chain_is.
  assert (told : level (bound_of low r k i a b)
    (positive (qtold p q k (i - a) (i + b - 1) (i - 1))))
    by (apply l_ln; now apply r_told).
  pose proof (r_exp _ _ told) as E. unfold rational in E.
  assert (room : (1 <= a + b - 1)%nat ->
    Qle_bool (positive (qtold p q k (i - a) (i + b - 1) (i - 1))) (left_for run (a + b - 1)) = true
    <-> bound_of low r k i a b < at_level (reads run) /\
      INR (a + b - 1) / (at_level (reads run) - bound_of low r k i a b) <=
        with_noise (reads run)).
  { intros k1. rewrite (score_hides run (a + b - 1) _ k1), E, Qle_bool_iff.
    split; [apply Qle_Rle|apply Rle_Qle]. }
  split.
  - intros [[ok apart] le]. assert (k1 : (1 <= a + b - 1)%nat) by lia. apply (room k1) in le.
    tauto.
  - intros [ok [apart le]]. assert (k1 : (1 <= a + b - 1)%nat) by lia. apply (room k1) in le.
    tauto.
Qed.

(** One law. *)
Lemma d_one_law {W} `{Finite W} ratio (M : vec (fin (S m)) n -> W -> R) first K b :
  let p := law_of_chain (first, fun _ => K) n in
  (forall i x y w, decided (0 < P p (record_is (d (fin (S m))) i x) ->
    0 < P p (record_is (d (fin (S m))) i y) ->
    Pw p M (record_is (d (fin (S m))) i x) w * P p (record_is (d (fin (S m))) i y) <=
    ratio * P p (record_is (d (fin (S m))) i x) * Pw p M (record_is (d (fin (S m))) i y) w)
    (b i x y w)) ->
  decided (pufferfish ratio M (two_values (d (fin (S m))) n) (law_from first K n))
    (forallb (fun i => forallb (fun x => forallb (fun y => forallb (b i x y) all) all) all)
      (seq 0 n)).
Proof.
  intros p each. unfold decided. split.
  - intros h q s t w <- [k [x [y [-> ->]]]] Ps Pt.
    destruct (Nat.lt_ge_cases k n) as [here|far_];
      [|now apply (beyond_impossible _ k x far_) in Ps].
    rewrite forallb_forall in h. specialize (h k). rewrite in_seq, forallb_forall in h.
    specialize (h ltac:(lia) x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). rewrite forallb_forall in h.
    specialize (h w (all_here w)). now apply (each k x y w).
  - intros h. apply forallb_forall; intros k _. apply forallb_forall; intros x _.
    apply forallb_forall; intros y _. apply forallb_forall; intros w _.
    apply each. intros Ps Pt. apply h; auto; [reflexivity|]. now exists k, x, y.
Qed.
End Scores.
#[export] Hint Extern 0 (decided (pufferfish _ _ (two_values _ _) (law_from _ _ _)) _) =>
  first [apply d_noise | apply d_one_law; intros] : typeclass_instances.
#[export] Hint Extern 2 (decided (every_score _ _ _ _ _ _) _) => unfold every_score, score_found :
  typeclass_instances.
#[export] Hint Extern 2 (decided (fast_scores _ _ _ _ _ _) _) => unfold fast_scores, score_found :
  typeclass_instances.
