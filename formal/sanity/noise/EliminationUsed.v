(** One bit is eliminated, what is lost if the mean of a ray grows, and rays by their equations. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish ChainQuilts Elimination.
From Pufferproof.sanity Require Import Bits.
Import ListNotations.
Open Scope R_scope.

(** Functions of a bit one of whose values is at most twice the other. *)
Definition twice (a b : bool) : R := if Bool.eqb a b then 1 else 2.
Definition larger (y : bool) : R := if y then 2 else 1.
Lemma larger_in_cone : in_cone twice larger.
Proof. split; [intros []; unfold larger; lra|]. intros [] []; unfold twice, larger; simpl; lra. Qed.

Example elimination_used :
  (Σ y, fair y * larger y) <= 1 * 1 * Σ y, fair y * larger y.
Proof.
  apply (elimination twice); [intros y; unfold fair; lra| |intros y; lra|apply larger_in_cone|].
  - intros []; unfold larger; lra.
  - intros f _. lra.
Qed.

(** If y is true given u and false given v, the mean grows by 2. *)
Definition sure (x y : bool) : R := if Bool.eqb x y then 1 else 0.
Example elimination_needs_rays :
  ~ (Σ y, sure true y * larger y) <= 1 * 1 * Σ y, sure false y * larger y.
Proof. unfold sure, larger; cbn. lra. Qed.

(** Twice the other value is an extreme ray, equal values are none. *)
Example larger_is_a_ray : ray twice larger.
Proof.
  apply ray_connected. split; [apply larger_in_cone|]. split.
  - exists true. unfold larger. lra.
  - intros T same. assert (T true = T false).
    { apply same. unfold equation, larger, twice; simpl. lra. }
    intros [] []; congruence.
Qed.
Example equal_is_no_ray : ~ ray twice (fun _ => 1).
Proof.
  intros h. apply ray_connected in h as [_ [_ con]].
  assert (E : true = false); [|discriminate]. apply (con (fun y => y)).
  unfold equation, twice. intros [] []; simpl; intros; try easy; lra.
Qed.
Example rays_from_one_side_used : from_one_side twice larger.
Proof.
  apply rays_from_one_side; [|apply larger_is_a_ray].
  intros [] [] []; unfold twice; simpl; lra.
Qed.

(** Without the triangle inequality equations can lead on from value to value: here f(x) = f(y) and
    f(y) = f(z) connect three values, and y is on both sides. *)
Definition steps (a b : option bool) : R := match a, b with
  | None, Some false | Some false, Some true => 1
  | Some x, Some y => if Bool.eqb x y then 2 else 3
  | _, _ => 3 end.
Example one_side_needs_triangle : ray steps (fun _ => 1) /\ ~ from_one_side steps (fun _ => 1).
Proof.
  assert (e1 : equation steps (fun _ => 1) None (Some false)) by (unfold equation; simpl; lra).
  assert (e2 : equation steps (fun _ => 1) (Some false) (Some true))
    by (unfold equation; simpl; lra).
  split.
  - apply ray_connected. split; [|split].
    + split; [intros; lra|]. intros [[]|] [[]|]; simpl; lra.
    + exists None. lra.
    + intros T same. pose proof (same _ _ e1). pose proof (same _ _ e2).
      intros [[]|] [[]|]; congruence.
  - intros [S con].
    assert (none : forall a b, equation steps (fun _ => 1) a b ->
      a = None /\ b = Some false \/ a = Some false /\ b = Some true).
    { unfold equation. intros [[]|] [[]|]; simpl; intros; try (exfalso; lra); tauto. }
    destruct (S (Some false)) eqn:E.
    + assert (true = false); [|discriminate].
      apply (con (fun a => match a with None => true | _ => false end)) with (a := None)
        (b := Some true).
      intros a b [Sa [Sb eq]]. apply none in eq as [[-> ->]|[-> ->]]; congruence.
    + assert (true = false); [|discriminate].
      apply (con (fun a => match a with Some true => true | _ => false end)) with
        (a := Some true) (b := None).
      intros a b [Sa [Sb eq]]. apply none in eq as [[-> ->]|[-> ->]]; congruence.
Qed.
