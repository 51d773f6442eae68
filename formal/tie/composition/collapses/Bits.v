(** How statements about fair bits are decided: the expected number of runs by its closed form. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain Determined Revealed Decoys FairBits.
From Tied Require Import Decide Entries Examples.
Import ListNotations.
Open Scope R_scope.
#[export] Existing Instances Chain.finite_unit Chain.finite_vec.

(** The place of a table of bits in the order of all. *)
Fixpoint number {n} : vec bool n -> nat := match n with O => fun _ => O
  | S n => fun v => ((if fst v then 2 ^ n else 0) + number (snd v))%nat end.
Definition law_of_bits {n} (l : list Q) : vec bool n -> R := fun x => Q2R (entry l (number x)).
#[export] Instance r_law_of_bits {n} l (x : vec bool n) :
  rational (law_of_bits l x) (entry l (number x)).
Proof. easy. Qed.
#[export] Instance r_half_inverse : rational (/ 2) (1#2).
Proof. unfold rational, Q2R; simpl; lra. Qed.

#[export] Hint Extern 0 (decided (fair _) _) => unfold fair : typeclass_instances.
#[export] Hint Extern 2 (rational (fair_coin _ _) _) => unfold fair_coin : typeclass_instances.

Definition qfair_coin {n} (x : vec bool n) (w : vec bool (pred n) + bool) : Q := match w with
  | inl y => if vec_dec bool_dec (pred n) y (differences x) then (1#2) else 0%Q
  | inr c => if bool_dec c (published_parity x) then (1#2) else 0%Q end.
Lemma r_fair_coin n (x : vec bool n) w : rational (fair_coin x w) (qfair_coin x w).
Proof. destruct w; apply r_dec; apply r_half_inverse || apply r_0. Qed.

Definition qbit {n} (q : vec bool n -> Q) i a x : Q := if bit i a x then q x else 0%Q.
#[export] Instance d_bits_hide {n} (p : vec bool n -> R) q : (forall x, rational (p x) (q x)) ->
  decided (bits_hide p) (forallb (fun i => forallb (fun a => forallb (fun w =>
    Qeq_bool (qsum all (fun x => Qred (qbit q i a x * qfair_coin x w)))
      (Qred (qsum all (qbit q i a) * qsum all (fun x => Qred (q x * qfair_coin x w)))))
    all) all) (seq 0 n)) | 0.
Proof.
  intros e. unfold decided. rewrite forallb_forall. unfold bits_hide.
  assert (inner : forall i, decided (forall a, tells_nothing p fair_coin (bit i a))
    (forallb (fun a => forallb (fun w =>
      Qeq_bool (qsum all (fun x => Qred (qbit q i a x * qfair_coin x w)))
        (Qred (qsum all (qbit q i a) * qsum all (fun x => Qred (q x * qfair_coin x w)))))
      all) all)).
  { intros i. apply d_all. intros a. apply d_all. intros w.
    assert (b : forall x, rational (inside p (bit i a) x) (qbit q i a x))
      by (intros x; apply r_if; [apply e|apply r_0]).
    apply d_eq; [|apply r_mult]; apply r_sum; intros x; try apply b;
      apply r_mult; apply b || apply e || apply r_fair_coin. }
  split.
  - intros each i less. apply inner, each, in_seq. lia.
  - intros hide i i_in. apply inner, hide. apply in_seq in i_in. lia.
Qed.

#[export] Instance d_bits_runs {n} (p : vec bool n -> R) x E b e :
  decided (fair p) b -> rational E e ->
  decided (bits_runs p x E) (Nat.ltb 2 n && (b && Qeq_bool e 3)) | 0.
Proof.
  intros db ee. pose proof (d_eq _ _ _ _ ee r_three) as same. unfold decided in *.
  rewrite !andb_true_iff, db, same, Nat.ltb_lt. split.
  - intros [many [even ->]]. now apply fair_bits_tell.
  - intros [many [even runs]]. repeat split; [easy..|].
    destruct (fair_bits_tell p many even x) as [_ [_ three]].
    now apply (runs_unique _ _ _ _ _ _ runs).
Qed.
