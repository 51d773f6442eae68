(** Theorems whose types are statement objects: cones of columns, and bounds of a pair. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Import Sums.
From Pufferproof Require Bounds.
From Said Require Bounds.

Theorem mediant : Said.composition.Bounds.mediant.
Proof. intros I F w a b c. exact (Pufferproof.composition.worst.Bounds.mediant w a b c). Qed.

Theorem mediant_below : Said.composition.Bounds.mediant_below.
Proof. intros I F w a b c. exact (Pufferproof.composition.worst.Bounds.mediant_below w a b c). Qed.

Theorem promise_by_columns : Said.composition.Bounds.promise_by_columns.
Proof.
  intros D W F G ratio M pairs priors.
  exact (Pufferproof.composition.worst.Bounds.columns_in_cone ratio M pairs priors).
Qed.

Theorem joint_columns : Said.composition.Bounds.joint_columns.
Proof.
  intros C E D F G H p q f g U V J one two both x. rewrite one, two, both.
  exact (Pufferproof.composition.worst.Bounds.joint_columns p q f g x).
Qed.

Theorem scaled_column : Said.composition.Bounds.scaled_column.
Proof.
  intros I D F G A u r mu nu t.
  exact (Pufferproof.composition.worst.Bounds.scaled_column A u r mu nu t).
Qed.

Theorem relaxation : Said.composition.Bounds.relaxation.
Proof.
  intros I J D F G H A B mu nu u v W.
  exact (Pufferproof.composition.worst.Bounds.relaxation A B mu nu u v W).
Qed.

Theorem identities : Said.composition.Bounds.identities.
Proof.
  intros I D F G L mu nu S B C u v.
  exact (Pufferproof.composition.worst.Bounds.identities L mu nu S B C u v).
Qed.

Theorem only_couplings : Said.composition.Bounds.only_couplings.
Proof.
  intros D E F G mu nu beta. exact (Pufferproof.composition.worst.Bounds.only_couplings mu nu beta).
Qed.
