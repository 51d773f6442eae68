(** Group privacy along paths of neighbours. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

(** Group privacy along paths inside U, for any relation of neighbours
    (general.group-privacy-paths). *)
Section Group.
Context {D W : Type} (M : D -> W -> R) (U : D -> Prop) (neighbour : D -> D -> Prop) (e : R).
Hypothesis dp : forall x y w, U x -> U y -> neighbour x y -> M x w <= exp e * M y w.

Inductive path : nat -> D -> D -> Prop :=
| stay x : U x -> path 0 x x
| step k x y z : U x -> neighbour x y -> path k y z -> path (S k) x z.

(** Group privacy (general.group-privacy-paths): the level is k times that of neighbours, along k
    steps inside U.
    Differs: paths of neighbours take the place of a Hamming distance; density form. *)
Theorem group_privacy k x y w : path k x y -> M x w <= exp (INR k * e) * M y w.
Proof.
  induction 1 as [x Ux|k x y z Ux n p IH].
  - simpl; rewrite Rmult_0_l, exp_0; lra.
  - assert (Uy : U y) by (destruct p; auto).
    specialize (dp x y w Ux Uy n). rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, Rplus_comm,
      exp_plus.
    pose proof (exp_pos e). nra.
Qed.
End Group.
