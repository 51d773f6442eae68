(** The histogram of two bits moves by 1 where one of them changes: half of that is too little, and
    with both it moves by more. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain RecordTables Histograms.
Open Scope R_scope.

Definition bits (a b : bool) : vec bool 2 := (a, (b, tt)).
Lemma first_bit : differ_once (bits true true) (bits false true).
Proof. exists O. intros [|k] ne; [congruence|easy]. Qed.

Example one_bit :
  distance_l1 (frequencies bool_dec (bits true true)) (frequencies bool_dec (bits false true)) <= 1.
Proof.
  replace 1 with (2 / INR 2) by (simpl; lra). apply (histogram_lipschitz bool_dec), first_bit.
Qed.

(** Near miss: 1/T. *)
Example not_half :
  ~ distance_l1 (frequencies bool_dec (bits true true)) (frequencies bool_dec (bits false true)) <=
    1 / INR 2.
Proof.
  unfold distance_l1, frequencies, Rabs. simpl. repeat destruct Rcase_abs; lra.
Qed.

(** Near miss: both bits change. *)
Example not_both :
  ~ distance_l1 (frequencies bool_dec (bits true true)) (frequencies bool_dec (bits false false)) <=
    2 / INR 2.
Proof.
  unfold distance_l1, frequencies, Rabs. simpl. repeat destruct Rcase_abs; lra.
Qed.
