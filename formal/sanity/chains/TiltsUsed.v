(** How far two values of a bit can be apart if the next bit repeats it: the walk is exact. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Chain Tilts.
Open Scope R_scope.

Definition stays (_ : nat) (x y : bool) : R := if eqb x y then 1 else 0.
Definition two (_ : nat) (_ : bool) : R := 2.

Example walk_used (u : vec bool 1 -> R) : tilted two 0 1 u ->
  mean stays 0 1 u true <= 4 * mean stays 0 1 u false.
Proof.
  intros t. assert (ends : walk_end stays two 0 1 (fun x => if x then 1 else -4) <= 0).
  { unfold walk_end, walked, factor, arrived, stays, two; simpl.
    repeat destruct Rlt_dec; lra. }
  pose proof (walk_bounds stays two (fun _ x y => ltac:(unfold stays; destruct eqb; lra))
    (fun _ _ => ltac:(unfold two; lra)) 0 1 _ u (inhabits true) t ends) as low.
  cbn [sum all finite_bool] in low. lra.
Qed.

(** The factor 3 is not enough for the column that is 2 at 1 and 1/2 at 0. *)
Definition apart (l : vec bool 1) : R := if fst l then 2 else 1 / 2.
Example three_is_not_enough :
  tilted two 0 1 apart /\ ~ mean stays 0 1 apart true <= 3 * mean stays 0 1 apart false.
Proof.
  split.
  - split; [intros [] [] l|intros []]; unfold two, apart; simpl; lra.
  - unfold mean, stays, apart; simpl. lra.
Qed.

(** It is the product by the signs of the walk from 1 and -4. *)
Example walk_reached_used :
  let m (_ : nat) (x : bool) : R := if x then 2 else / 2 in
  (Σ x : bool, (if x then 1 else -4) * mean stays 0 1 (times_of m 0 1) x) =
  walk_end stays two 0 1 (fun x => if x then 1 else -4).
Proof.
  intros m. apply walk_reached. split; [|easy].
  intros []; unfold m, factor, arrived, stays, two; simpl; destruct Rlt_dec; lra.
Qed.

(** From the values 1 and 0 the walk ends at 0 for b = 4, and 3 is not enough for all products. *)
Definition same_bit : forall x y : bool, {x = y} + {x <> y} := bool_dec.
Lemma stays_nonneg : steps_nonneg stays.
Proof. intros k x y. unfold stays. destruct eqb; lra. Qed.
Example walk_is_exact_used : products_told stays two 1 true false 4.
Proof.
  apply (walk_is_exact same_bit stays two 1 true false 4 stays_nonneg).
  - intros k x. unfold two. lra.
  - unfold ends_low, walk_end, walked, factor, arrived, start, stays, two; simpl.
    repeat destruct Rlt_dec; lra.
Qed.
Example walk_at_three : ~ ends_low same_bit stays two 1 true false 3.
Proof.
  intros low. apply (walk_is_exact same_bit stays two 1 true false 3 stays_nonneg) in low.
  - specialize (low (fun _ x => x)). revert low.
    unfold told, times_of, chosen, mean, stays, two; simpl. lra.
  - intros k x. unfold two. lra.
Qed.

(** With a tilt below 1 the walk ends low although a product is told more. *)
Definition half_at_one (_ : nat) (x : bool) : R := if x then 1 / 2 else 1.
Example tilts_below_one : ends_low same_bit stays half_at_one 1 true false 1 /\
  ~ products_told stays half_at_one 1 true false 1.
Proof.
  split.
  - unfold ends_low, walk_end, walked, factor, arrived, start, stays, half_at_one; simpl.
    repeat destruct Rlt_dec; lra.
  - intros each. specialize (each (fun _ _ => false)). revert each.
    unfold told, times_of, chosen, mean, stays, half_at_one; simpl. lra.
Qed.
