(** How tables of records and local redaction are decided on tables of rationals: a table of records
    has its place in the order of all of them. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts Local.
From Tied Require Import Decide Entries Sequences.
Import ListNotations.
Open Scope R_scope.

#[export] Existing Instances Chain.finite_unit Chain.finite_vec ChainQuilts.finite_option.
(** Equality of values, in the place of the letter of a statement. *)
Definition dA {n} : forall x y : fin n, {x = y} + {x <> y}.
Proof. induction n as [|n IH]; [intros []|]. decide equality. Defined.
Definition place {n m} (x : vec (fin n) m) : nat := code (list_of x).
Definition law_of_tables {n m} (l : list Q) : vec (fin n) m -> R :=
  fun x => Q2R (entry l (place x)).
Definition set_of_tables {n m} (l : list nat) : vec (fin n) m -> bool :=
  fun x => existsb (Nat.eqb (place x)) l.
#[export] Instance r_law_of_tables {n m} l (x : vec (fin n) m) :
  rational (law_of_tables l x) (entry l (place x)).
Proof. easy. Qed.

Definition qshown {A} (d : forall x y : A, {x = y} + {x <> y}) (r : nat -> A -> Q) k x y : Q :=
  match y with None => r k x | Some z => if d x z then Qred (1 - r k x) else 0%Q end.
Fixpoint qlocal {A} d (r : nat -> A -> Q) k {n} : vec A n -> vec (option A) n -> Q := match n with
  | O => fun _ _ => 1%Q
  | S n => fun x y => Qred (qshown d r k (fst x) (fst y) * qlocal d r (S k) (snd x) (snd y)) end.
Lemma one_less x p : rational x p -> rational (1 - x) (Qred (1 - p)).
Proof. unfold rational; intros ->. rewrite red, Q2R_minus, one_q. easy. Qed.
#[export] Instance r_local {A} (d : forall x y : A, {x = y} + {x <> y}) r q n (x : vec A n) y :
  (forall k a, rational (r k a) (q k a)) -> rational (local d r x y) (qlocal d q 0 x y).
Proof.
  intros e. unfold local. generalize 0%nat. revert x y.
  induction n as [|n IH]; intros x y k; simpl; [apply r_1|]. apply r_mult; [|apply IH].
  unfold shown_as, qshown. destruct (fst y) as [z|]; [|apply e].
  destruct (d (fst x) z); [now apply one_less|apply r_0].
Qed.
Fixpoint qhas {A} (d : forall x y : A, {x = y} + {x <> y}) {n} : vec (option A) n -> vec A n -> Q :=
  match n with
  | O => fun _ _ => 1%Q
  | S n => fun w x => if (match fst w with None => true | Some z => if d (fst x) z then true else
      false end) then qhas d (snd w) (snd x) else 0%Q end.
#[export] Instance r_has {A} (d : forall x y : A, {x = y} + {x <> y}) n (w : vec (option A) n) x :
  rational (has d w x) (qhas d w x).
Proof.
  unfold rational. induction n as [|n IH]; simpl; [apply r_1|]. rewrite IH.
  destruct (fst w) as [z|]; [destruct (d (fst x) z)|]; try ring.
  rewrite (r_0 : 0 = Q2R 0). unfold Q2R; simpl; ring.
Qed.
Fixpoint qreleased {A} (r : nat -> A -> Q) k {n} : vec (option A) n -> Q := match n with
  | O => fun _ => 1%Q
  | S n => fun w => Qred ((match fst w with None => 1 | Some z => Qred (1 - r k z) end) *
      qreleased r (S k) (snd w)) end.
#[export] Instance r_released {A} r q n (w : vec (option A) n) :
  (forall k (a : A), rational (r k a) (q k a)) ->
  rational (released r w) (qreleased q 0 w).
Proof.
  intros e. unfold released. generalize 0%nat. revert w.
  induction n as [|n IH]; intros w k; simpl; [apply r_1|]. apply r_mult; [|apply IH].
  destruct (fst w) as [z|]; [now apply one_less|apply r_1].
Qed.
