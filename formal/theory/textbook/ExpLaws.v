(** What linked arguments use of the exponential function. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

(** The exponential grows, and turns sums into products.
    Differs: no paper states it; linked arguments use it. *)
Theorem grows (x y z : R) : x <= y + z -> exp x <= exp y * exp z.
Proof.
  intros le. rewrite <- exp_plus.
  destruct le as [less|same]; [left; now apply exp_increasing|rewrite same; apply Rle_refl].
Qed.

(** It turns sums into products.
    Differs: no paper states it; linked arguments use it. *)
Theorem adds (x y z : R) : x = y + z -> exp x = exp y * exp z.
Proof. intros ->. apply exp_plus. Qed.

(** It is positive.
    Differs: no paper states it; linked arguments use it. *)
Theorem positive (x : R) : exp x > 0.
Proof. apply exp_pos. Qed.

(** It lies above its tangent at 0.
    Differs: no paper states it; linked arguments use it. *)
Theorem tangent (x : R) : exp x >= 1 + x.
Proof. apply Rle_ge, exp_ineq1_le. Qed.
