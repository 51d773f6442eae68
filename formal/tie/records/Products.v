(** All product distributions are decided by differential privacy, which they are. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain RecordTables ProductPriors ProductClasses.
From Tied Require Import Decide Entries Sequences Records Accounts.
From Tied Require Chains.
Import ListNotations.
Open Scope R_scope.

(** Probabilities and a ratio from 1 on: numbers below are read as 0 and as 1. *)
Definition from_0 (q : Q) : Q := if Qle_bool 0 q then q else 0%Q.
Definition from_1 (q : Q) : Q := if Qle_bool 1 q then q else 1%Q.
Definition chances_at {m n w} (l : list (list Q)) (x : vec (fin m) n) (y : fin w) : R :=
  Q2R (from_0 (entry (nth (place x) l []) (rank y))).

Lemma from_0_pos q : 0 <= Q2R (from_0 q).
Proof.
  unfold from_0. destruct (Qle_bool 0 q) eqn:e; [|rewrite RMicromega.Q2R_0; lra].
  rewrite <- RMicromega.Q2R_0. now apply Qle_Rle, Qle_bool_iff.
Qed.
Lemma from_1_pos q : 1 <= Q2R (from_1 q).
Proof.
  unfold from_1. rewrite <- one_q at 1. destruct (Qle_bool 1 q) eqn:e; [|lra].
  now apply Qle_Rle, Qle_bool_iff.
Qed.

Section Products.
Context {m n w : nat}.
Notation T := (vec (fin (S m)) n).
Notation M l := (@chances_at (S m) n w l).

Definition dp_tables (r : Q) l : bool := forallb (fun j => forallb (fun x => forallb (fun y =>
  negb (Chains.agree_but_for j x y) || forallb (fun z => Qle_bool
    (from_0 (entry (nth (place x) l []) (rank z)))
    (Qred (r * from_0 (entry (nth (place y) l []) (rank z))))) (@all (fin w) _))
    (@all T _)) (@all T _)) (seq 0 (S n)).

Lemma beyond j (x y : T) : (n <= j)%nat -> but_for j x y -> but_for n x y.
Proof.
  intros far but k ne. destruct (Nat.eq_dec k j) as [->|nj]; [|now apply but].
  assert (none : forall v : T, nth_error (list_of v) j = None).
  { intros v. apply nth_error_None. now rewrite list_length. }
  now rewrite !none.
Qed.

Lemma d_dp r l : decided (dp_for_records (Q2R r) (M l)) (dp_tables r l).
Proof.
  assert (one : forall x y z, decided (M l x z <= Q2R r * M l y z) (Qle_bool
    (from_0 (entry (nth (place x) l []) (rank z)))
    (Qred (r * from_0 (entry (nth (place y) l []) (rank z)))))).
  { intros x y z. unfold chances_at. apply d_le; [easy|]. now apply r_mult. }
  unfold decided, dp_tables, dp_for_records in *. rewrite forallb_forall. split.
  - intros each j x y z but.
    assert (some : exists i, In i (seq 0 (S n)) /\ but_for i x y).
    { destruct (Nat.le_gt_cases n j) as [far|near].
      - exists n. split; [apply in_seq; lia|now apply (beyond j)].
      - exists j. split; [apply in_seq; lia|easy]. }
    destruct some as [i [ii diff]]. specialize (each i ii). rewrite forallb_forall in each.
    specialize (each x (all_here x)). rewrite forallb_forall in each.
    specialize (each y (all_here y)). apply (proj2 (Chains.agree_is i x y)) in diff.
    rewrite diff in each. simpl in each. rewrite forallb_forall in each. apply one, each, all_here.
  - intros dp j _. apply forallb_forall; intros x _. apply forallb_forall; intros y _.
    destruct (Chains.agree_but_for j x y) eqn:diff; [|easy]. simpl.
    apply forallb_forall; intros z _. apply one. apply (dp j), Chains.agree_is, diff.
Qed.

Lemma d_as_dp (Q : Prop) r l :
  (1 <= Q2R (from_1 r) -> likelihood (M l) -> Q <-> dp_for_records (Q2R (from_1 r)) (M l)) ->
  decided Q (dp_tables (from_1 r) l).
Proof.
  intros same. pose proof (d_dp (from_1 r) l) as d. unfold decided in *. rewrite d. symmetry.
  apply same; [apply from_1_pos|]. intros x z. apply from_0_pos.
Qed.
End Products.
#[export] Hint Extern 0 (decided (dp_for_records _ _) _) => apply d_dp : typeclass_instances.
#[export] Hint Extern 0 (decided (pufferfish _ _ (values_of_records _) product_laws) _) =>
  eapply d_as_dp, product_is_dp : typeclass_instances.
#[export] Hint Extern 0 (decided (pufferfish _ _ (values_of_records _) full_products) _) =>
  eapply d_as_dp, full_support_is_dp : typeclass_instances.
#[export] Hint Extern 0 (decided (pufferfish _ _ (against_others _) product_laws) _) =>
  eapply d_as_dp, against_others_is_dp : typeclass_instances.
