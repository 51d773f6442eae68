(** Theorems whose types are statement objects: sets of outputs of streams. *)
From Pufferproof Require Shifts.
From Said Require Shifts.

Theorem levels_and_shifts : Said.streams.Shifts.levels_and_shifts.
Proof.
  intros Block W F G p B K0 K1 gamma delta eps n z laws.
  exact (Pufferproof.streams.Shifts.streaming_theorem4 p B laws K0 K1 gamma eps delta n z).
Qed.
