(** Theorems whose types are statement objects: slopes and shifts of two rows. *)
From Pufferproof Require Slopes.
From Said Require Slopes.

Theorem shift_touches : Said.streams.Slopes.shift_touches.
Proof.
  intros D W F M x y ratio delta rows.
  exact (Pufferproof.streams.Slopes.shift_touches M ratio delta x y rows).
Qed.

Theorem last_shift : Said.streams.Slopes.last_shift.
Proof.
  intros D W F M x y ratio likely.
  exact (Pufferproof.streams.Slopes.last_shift ratio (M x) (M y) (likely x) (likely y)).
Qed.

Theorem printed_shift : Said.streams.Slopes.printed_shift.
Proof.
  intros D W F M x y w ratio.
  exact (Pufferproof.streams.Slopes.printed_shift w ratio (M x) (M y)).
Qed.
