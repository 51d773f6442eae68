(** The promise. Everything a reader must agree with is on this page;
    [Laws] and the rest are proofs. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums.
Open Scope R_scope.

Section Definitions.
Context {D : Type} `{Finite D}.              (* databases: a finite type *)
Context {W : Type}.                          (* outputs: any type, finite where summed *)

Definition secret := D -> bool.
Definition law {A} `{Finite A} (p : A -> R) := (forall x, 0 <= p x) /\ sum all p = 1.

(** M x w is the probability of the output w on the database x, or its density. *)
Definition likelihood (M : D -> W -> R) := forall x w, 0 <= M x w.
Definition kernel `{Finite W} (M : D -> W -> R) := forall x, law (M x).

Definition inside (p : D -> R) (s : secret) x := if s x then p x else 0.
Definition P (p : D -> R) (s : secret) := Σ x, inside p s x.
Definition Pw (p : D -> R) (M : D -> W -> R) (s : secret) w := Σ x, inside p s x * M x w.

(** P(w | s) <= R P(w | t), multiplied out; ratio stands for e^epsilon. *)
Definition pufferfish (ratio : R) (M : D -> W -> R) (pairs : secret -> secret -> Prop)
  (priors : (D -> R) -> Prop) :=
  forall p s t w, priors p -> pairs s t -> 0 < P p s -> 0 < P p t ->
    Pw p M s w * P p t <= ratio * P p s * Pw p M t w.

Definition laws_only (priors : (D -> R) -> Prop) := forall p, priors p -> law p.
End Definitions.

(** M, then K on its output. *)
Definition process {D V W} `{Finite W} (M : D -> W -> R) (K : W -> V -> R) (x : D) (v : V) :=
  Σ w, M x w * K w v.
(** Two releases with independent randomness. *)
Definition both {D V W} (M : D -> W -> R) (N : D -> V -> R) (x : D) (wv : W * V) :=
  M x (fst wv) * N x (snd wv).
(** A coin that does not look at the database, and is published. *)
Definition mixed {C D W} (c : C -> R) (M : C -> D -> W -> R) (x : D) (iw : C * W) :=
  c (fst iw) * M (fst iw) x (snd iw).
