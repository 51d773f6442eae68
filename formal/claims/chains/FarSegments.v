(** Theorems whose types are statement objects: queries on two segments of chains with a gap. *)
From Pufferproof Require GapSegments.
From Said Require chains.FarSegments.

Theorem estimated_segments : Said.chains.FarSegments.estimated_segments.
Proof.
  intros A F dA n T1 T2 T3 T4 class low r a b gaps lipa lipb seea seeb apart sa sb.
  now apply (GapSegments.estimated_segments dA n class low r T1 T2 T3 T4).
Qed.
