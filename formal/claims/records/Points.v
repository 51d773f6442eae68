(** Theorems whose types are statement objects: several releases with points of the curve. *)
From Coq Require Import Reals Lra.
From Pufferproof Require Points ChosenReleases.
From Said Require records.Points.

Theorem composed : Said.records.Points.composed.
Proof.
  intros I D V K W F G H J dI dD dV X Ms b delta a eps pairs priors k L M0 one dp every curve paid.
  apply (Pufferproof.composition.joint.Points.composed dI dV dD X Ms b delta a eps pairs priors
    L M0); auto.
  exact (fun j => Pufferproof.composition.joint.Points.at_least_1 (delta j) (one j)).
Qed.

Theorem sufficient : Said.records.Points.sufficient.
Proof.
  intros I D V K W F G H J dI dD dV X Ms b delta a eps pairs priors L M0 one dp every curve paid.
  apply (Pufferproof.composition.joint.Points.sufficient dI dV dD X Ms b delta a eps pairs
    priors L M0); auto.
  exact (fun j => Pufferproof.composition.joint.Points.at_least_1 (delta j) (one j)).
Qed.

Theorem chosen : Said.records.Points.chosen.
Proof.
  intros I D V K W F G H J dI dD dV X Ms b delta a pairs priors L one each every curve.
  apply (Pufferproof.composition.joint.ChosenReleases.chosen_at_point dI dV dD X Ms delta b a
    pairs priors L); auto.
  exact (fun j => Pufferproof.composition.joint.Points.at_least_1 (delta j) (one j)).
Qed.
