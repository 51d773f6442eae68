(** Theorems whose types are statement objects: the region of two rows as the set of choices. *)
From Pufferproof Require Zonotopes.
From Said Require Zonotopes.

Theorem zonotope_form : Said.streams.Zonotopes.zonotope_form.
Proof. exact @Pufferproof.streams.Zonotopes.zonotope_form. Qed.
