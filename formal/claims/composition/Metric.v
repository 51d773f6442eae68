(** Theorems whose types are statement objects: levels of metric privacy. *)
From Pufferproof Require Metric.
From Said Require Metric.

Theorem power_closed : Said.composition.Metric.power_closed.
Proof.
  intros D F N d Rs mu nu L.
  exact (Pufferproof.composition.worst.Metric.power_closed N d Rs mu nu L).
Qed.
