(** The worst case of mechanisms chosen by earlier outputs is decided at generators too. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Worst Rays Vertices Adaptive.
From Tied Require Import Decide Entries Pairs Vertices.
Import ListNotations.
Open Scope R_scope.

#[export] Instance d_adaptively_bounded n (T : list (list Q * list Q)) Rs L a b :
  decided (pairs_of_laws (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T)) a ->
  decided (forall ratio, In ratio (map Q2R Rs) -> 1 <= ratio) b ->
  decided (adaptively_bounded (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T) (map Q2R Rs) (Q2R L))
    (a && (b && bounded_ (n := n) T Rs L)) | 0.
Proof.
  intros da db. pose proof (d_bounded_at_rays n T Rs L) as dr. unfold decided in *.
  rewrite !andb_true_iff, da, db, dr. split.
  - intros [laws [r1 at_rays]]. now apply adaptive_at_rays.
  - intros bound. pose proof bound as [laws [r1 _]]. repeat (split; [easy|]).
    now apply adaptive_at_rays.
Qed.
