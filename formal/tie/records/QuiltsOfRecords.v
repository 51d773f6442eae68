(** How sets of records of a stationary chain of bits are decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain QuiltsOfRecords.
From Pufferproof Require Stationary.
From Tied Require Import Decide Entries Sequences Records Stationary.
Import ListNotations.
Open Scope R_scope.

#[export] Hint Extern 2 (rational (released_at _ _ _ _) _) => unfold released_at :
  typeclass_instances.
#[export] Hint Extern 0 (decided (influences_at_most _ _ _ _ _ _) _) =>
  unfold influences_at_most : typeclass_instances.
#[export] Hint Extern 0 (decided (quilt_of _ _ _ _ _ _) _) => unfold quilt_of :
  typeclass_instances.
#[export] Instance d_in_set (l : list nat) (P : nat -> Prop) c : (forall k, decided (P k) (c k)) ->
  decided (forall k, existsb (Nat.eqb k) l = true -> P k) (forallb c l) | 0.
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros h k i. apply existsb_exists in i as [j [i e]]. apply Nat.eqb_eq in e. subst j.
    now apply each, h.
  - intros h k i. apply each, h, existsb_exists. exists k. split; [easy|apply Nat.eqb_refl].
Qed.
