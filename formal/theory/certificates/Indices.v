(** The numbers below n as a finite type, and sums over them as sums along lists. *)
From Coq Require Import Reals Lra Lia List ZArith Bool Eqdep_dec.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition index (n : nat) := {i : nat | Nat.ltb i n = true}.
Definition number {n} (x : index n) : nat := proj1_sig x.

Lemma number_lt n (x : index n) : (number x < n)%nat.
Proof. destruct x as [i h]; simpl; now apply Nat.ltb_lt. Qed.

Definition indices n : list (index n) :=
  flat_map (fun i => match bool_dec (Nat.ltb i n) true with
    | left h => [exist _ i h] | right _ => [] end) (seq 0 n).

Lemma index_eq n (x y : index n) : number x = number y -> x = y.
Proof. destruct x as [i h], y as [j k]; simpl; intros ->. f_equal. apply UIP_dec, bool_dec. Qed.

Lemma map_number n : map number (indices n) = seq 0 n.
Proof.
  unfold indices. assert (ok : forall i, In i (seq 0 n) -> Nat.ltb i n = true).
  { intros i H; apply in_seq in H; apply Nat.ltb_lt; lia. }
  induction (seq 0 n) as [|i l IH]; [easy|]. cbn [flat_map]. rewrite map_app.
  change (i :: l) with ([i] ++ l). f_equal; [|apply IH; intros; apply ok; simpl; auto].
  destruct bool_dec as [h|h]; [easy|]. destruct h; apply ok; simpl; auto.
Qed.

#[export] Instance finite_index n : Finite (index n).
Proof.
  exists (indices n).
  - apply (NoDup_map_inv number). rewrite map_number. apply seq_NoDup.
  - intros x. assert (In (number x) (map number (indices n))) as H.
    { rewrite map_number. apply in_seq. pose proof (number_lt n x); lia. }
    apply in_map_iff in H as [y [E i]]. now rewrite <- (index_eq _ _ _ E).
Defined.

Lemma Sum_index n (f : nat -> R) : (Σ x : index n, f (number x)) = sum (seq 0 n) f.
Proof. rewrite <- map_number, sum_map. reflexivity. Qed.

Lemma sum_seq_S (f : nat -> R) n : sum (seq 0 (S n)) f = f O + sum (seq 0 n) (fun i => f (S i)).
Proof. simpl. rewrite <- seq_shift, sum_map. reflexivity. Qed.
