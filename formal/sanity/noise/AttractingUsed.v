(** The outputs beyond all values leak most of bits that attract one another, not of others. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Chain Attracting.
From Pufferproof.sanity Require Import Bits.
Open Scope R_scope.

(** A bit that the next one repeats, or turns. *)
Definition repeats (_ : nat) (x y : bool) : R := if eqb x y then 1 else 0.
Definition turns (_ : nat) (x y : bool) : R := if eqb x y then 0 else 1.
Definition second (k : nat) (x : bool) : R := match k with O => 0 | _ => if x then 1 else 0 end.

Lemma second_rises : rising second.
Proof. intros [|k]; simpl; lra. Qed.
Lemma repeats_attracts : attracting fair repeats.
Proof.
  split; [apply fair_law|]. intros k. split.
  - intros x. split; [intros y; unfold repeats; destruct eqb; lra|].
    destruct x; unfold repeats; cbn; lra.
  - unfold repeats; simpl; lra.
Qed.
Example extremes_used w :
  density fair repeats second (1 / 2) 2 0 true w * mean_up fair repeats second (1 / 2) 2 0 false <=
  mean_up fair repeats second (1 / 2) 2 0 true * density fair repeats second (1 / 2) 2 0 false w.
Proof.
  refine (proj1 (extremes _ _ _ _ repeats_attracts second_rises _ _ 2 0 w)); lra.
Qed.

Lemma half_power x k : x = IZR k -> Rpower (1 / 2) x = powerRZ (1 / 2) k.
Proof. intros ->. symmetry. apply powerRZ_Rpower. lra. Qed.
(** Of bits that turn, the output 0 tells more of the first bit than the mean does. *)
Example extremes_need_attraction :
  ~ density fair turns second (1 / 2) 2 0 true 0 * mean_up fair turns second (1 / 2) 2 0 false <=
    mean_up fair turns second (1 / 2) 2 0 true * density fair turns second (1 / 2) 2 0 false 0.
Proof.
  unfold density, mean_up, weight_at, counted, turns, second, fair. simpl.
  rewrite !(half_power (Rabs (0 - (0 + (0 + 0)))) 0), !(half_power (Rabs (0 - (0 + (1 + 0)))) 1),
    !(half_power (- (0 + (0 + 0))) 0), !(half_power (- (0 + (1 + 0))) (-1)).
  2: lra. 2: lra.
  2: replace (0 - (0 + (1 + 0))) with (-1) by ring; rewrite Rabs_left; lra.
  2: replace (0 - (0 + (0 + 0))) with 0 by ring; apply Rabs_R0.
  simpl. lra.
Qed.
