(** How queries of a segment, and quilts inside it that score, are decided on tables of
    rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel
  SequentialChains
  TableQuilts Gap GapQuilts GapMechanism GapSegments.
From Tied Require Import Decide Entries Chains Segments Powers Spectra Mechanisms.
Import ListNotations.
Open Scope R_scope.

#[export] Instance d_query_reads {m n} (sees : vec (fin (S m)) n -> list (fin (S m))) q :
  decided (looks_at sees (asked (release_read (m := m) (n := n) q)))
    (forallb (fun x => forallb (fun y => negb (same_list (sees x) (sees y)) ||
      Z.eqb (numerator q x) (numerator q y)) all) all) | 0.
Proof.
  unfold decided, looks_at. rewrite forallb_forall. unfold asked, release_read; cbn [fst].
  pose proof (parts_pos q) as pos. split.
  - intros h x y e. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). apply same_is in e. rewrite e in h.
    apply Z.eqb_eq in h. now rewrite h.
  - intros h x _. apply forallb_forall; intros y _. destruct (same_list (sees x) (sees y)) eqn:e;
      [|easy]. simpl. apply same_is in e. apply Z.eqb_eq, eq_IZR. specialize (h x y e).
    apply (Rmult_eq_reg_r (/ IZR (Z.pos (parts q)))); [exact h|]. apply Rinv_neq_0_compat. lra.
Qed.
#[export] Instance d_segment_score {m n} low r p k q first last : rational low p -> rational r k ->
  decided (segment_score low r n (at_level (release_read (m := m) (n := n) q))
      (with_noise (release_read (m := m) (n := n) q)) first last)
    (existsb (fun j => existsb (fun lo => existsb (qfits (n := n) p k q j lo)
      (seq (S j) (Nat.min last (n - 1) - j))) (seq (S first) (j - first))) (seq 0 (S last))) | 0.
Proof.
  intros rl rr. unfold decided, segment_score. rewrite existsb_exists. split.
  - intros [j [_ h]]. apply existsb_exists in h as [lo [il h]].
    apply existsb_exists in h as [hi [ih h]]. apply in_seq in il. apply in_seq in ih.
    exists j, lo, hi. split; [lia|]. apply (quilt_fits_is low r p k rl rr); [lia|easy].
  - intros [j [lo [hi [here h]]]]. exists j. split; [apply in_seq; lia|].
    apply existsb_exists. exists lo. split; [apply in_seq; lia|].
    apply existsb_exists. exists hi. split; [apply in_seq; lia|].
    apply (quilt_fits_is (m := m) low r p k rl rr); [lia|easy].
Qed.
