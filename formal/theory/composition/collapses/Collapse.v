(** Pufferfish does not compose: one mechanism that leaks nothing in one run and everything in two.
    *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish.
Import ListNotations.
Open Scope R_scope.

Inductive db := ann | bob | cyd.
#[export] Instance finite_db : Finite db.
Proof.
  exists [ann; bob; cyd].
  - repeat constructor; simpl; intuition discriminate.
  - intros []; simpl; auto.
Defined.

Definition ill : @secret db := fun x => match x with ann => true | _ => false end.
Definition well : @secret db := fun x => match x with ann => false | _ => true end.
Definition theta (x : db) : R := match x with ann => 1/2 | _ => 1/4 end.
Definition pair s t := s = ill /\ t = well \/ s = well /\ t = ill.
Definition M (x : db) (w : bool) : R :=
  match x, w with ann, _ => 1/2 | bob, true => 1 | bob, false => 0 | cyd, true => 0 | cyd,
    false => 1 end.

(** Collapse (bai2026, section on composition): a framework with a mechanism that leaks nothing in
    one run and everything in two.
    Differs: an example of ours, the smallest: three databases, two outputs; ratio r is any real
    number. *)
Theorem collapse :
  law theta /\ kernel M /\
  pufferfish 1 M pair (eq theta) /\ forall r, ~ pufferfish r (both M M) pair (eq theta).
Proof.
  split; [|split; [|split]].
  - split; [intros []|]; cbn -[IZR Rdiv]; lra.
  - intros []; split; try (intros []); cbn -[IZR Rdiv]; lra.
  - intros p s t w <- [[-> ->]|[-> ->]] _ _; destruct w; cbn -[IZR Rdiv]; lra.
  - intros r promise. specialize (promise theta ill well (true, false) eq_refl
      (or_introl (conj eq_refl eq_refl))).
    unfold Pw, both in promise; cbn -[IZR Rdiv] in promise; lra.
Qed.
