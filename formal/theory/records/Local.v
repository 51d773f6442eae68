(** Local redaction of tables of records with any values: each record is shown or replaced by *, by
    itself, with a chance that may depend on its value. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts.
Import ListNotations.
Open Scope R_scope.

Section Local.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).
Implicit Types (r : nat -> A -> R).

(** Record k is replaced with probability r k x if its value is x; None stands for *. *)
Definition shown_as r k (x : A) (y : option A) : R :=
  match y with None => r k x | Some z => if dA x z then 1 - r k x else 0 end.
Fixpoint local_from r k {n} : vec A n -> vec (option A) n -> R := match n with
  | O => fun _ _ => 1
  | S n => fun x y => shown_as r k (fst x) (fst y) * local_from r (S k) (snd x) (snd y) end.
Definition local r {n} : vec A n -> vec (option A) n -> R := local_from r 0.

(** Some records with their values, None where a record is not among them: whether a table has these
    values, and the probability that all of them are shown where it has. *)
Fixpoint has {n} : vec (option A) n -> vec A n -> R := match n with
  | O => fun _ _ => 1
  | S n => fun w x => (match fst w with None => 1 | Some z => if dA (fst x) z then 1 else 0 end) *
      has (snd w) (snd x) end.
Fixpoint released_from r k {n} : vec (option A) n -> R := match n with
  | O => fun _ => 1
  | S n => fun w => (match fst w with None => 1 | Some z => 1 - r k z end) *
      released_from r (S k) (snd w) end.
Definition released r {n} : vec (option A) n -> R := released_from r 0.
(** Outputs that show these values. *)
Fixpoint agrees {n} : vec (option A) n -> vec (option A) n -> R := match n with
  | O => fun _ _ => 1
  | S n => fun w y => (match fst w with None => 1 | Some z => match fst y with None => 0 | Some u =>
      if dA u z then 1 else 0 end end) * agrees (snd w) (snd y) end.

Lemma agrees_nonneg n (w y : vec (option A) n) : 0 <= agrees w y.
Proof.
  induction n as [|n IH]; simpl; [lra|]. apply Rmult_le_pos; [|apply IH].
  destruct (fst w) as [z|]; [|lra]. destruct (fst y) as [u|]; [|lra]. destruct (dA u z); lra.
Qed.

Lemma sum_one (x : A) (f : A -> R) : (Σ z, if dA x z then f z else 0) = f x.
Proof.
  generalize (@all_once A _) (@all_here A _ x). generalize (@all A _).
  induction 1 as [|a l na nl IH]; simpl; [easy|]. intros [->|i].
  - destruct (dA x x); [|congruence]. rewrite (sum_ext l _ (fun _ => 0)), sum_0; [lra|].
    intros z iz. destruct (dA x z); [now subst|easy].
  - destruct (dA x a) as [->|]; [contradiction|]. rewrite IH by easy. lra.
Qed.

Lemma sum_option (f : option A -> R) : (Σ y, f y) = f None + Σ z, f (Some z).
Proof. unfold all at 1; simpl. now rewrite sum_map. Qed.

(** A record that is not asked for shows something; one that is asked for shows its value or not. *)
Lemma one_record r k x (w : option A) : (Σ y, shown_as r k x y * match w with None => 1 | Some z =>
    match y with None => 0 | Some u => if dA u z then 1 else 0 end end) =
  (match w with None => 1 | Some z => 1 - r k z end) *
  (match w with None => 1 | Some z => if dA x z then 1 else 0 end).
Proof.
  rewrite sum_option. simpl. destruct w as [z|].
  - rewrite (sum_ext all _ (fun u =>
      if dA x u then (1 - r k u) * (if dA u z then 1 else 0) else 0)).
    + rewrite (sum_one x (fun u => (1 - r k u) * (if dA u z then 1 else 0))).
      destruct (dA x z) as [->|]; ring.
    + intros u _. destruct (dA x u) as [->|]; ring.
  - rewrite (sum_ext all _ (fun u => if dA x u then 1 - r k u else 0)).
    + rewrite (sum_one x (fun u => 1 - r k u)). ring.
    + intros u _. destruct (dA x u) as [->|]; ring.
Qed.

Lemma shows_values r n (w : vec (option A) n) x :
  process (local r) (fun y _ => agrees w y) x tt = released r w * has w x.
Proof.
  unfold process, local, released. generalize 0%nat. revert w x.
  induction n as [|n IH]; intros w x k; simpl; [lra|].
  set (own := fun y => shown_as r k (fst x) y * match fst w with None => 1 | Some z =>
    match y with None => 0 | Some u => if dA u z then 1 else 0 end end).
  transitivity (Σ y : option A, Σ v : vec (option A) n,
    own y * (local_from r (S k) (snd x) v * agrees (snd w) v)).
  { etransitivity; [|apply (@Sum_pairs (option A) (vec (option A) n) _ _ (fun z =>
      own (fst z) * (local_from r (S k) (snd x) (snd z) * agrees (snd w) (snd z))))].
    apply sum_ext; intros [y v] _. unfold own. simpl. ring. }
  rewrite (sum_ext all _ (fun y => (released_from r (S k) (snd w) * has (snd w) (snd x)) * own y)).
  - rewrite sum_scale. unfold own. rewrite one_record. ring.
  - intros y _. rewrite <- IH, sum_scale. ring.
Qed.

(** Lemma 1 of massny2025: what a local redaction mechanism keeps, it keeps of the records that it
    may show: if all of some values are shown with positive probability, the probabilities of these
    values given two secrets are as close as those of outputs.
    Differs: records have any finite number of values, priors and pairs of secrets are any,
    instead of a bit of a chain; ratios instead of levels; chances are any numbers. *)
Theorem redaction_keeps_records r n ratio (w : vec (option A) n) pairs priors :
  pufferfish ratio (local r) pairs priors -> 0 < released r w ->
  pufferfish ratio (fun x (_ : unit) => has w x) pairs priors.
Proof.
  intros promise pos p s t [] Hp Hst Ps Pt.
  pose proof (post_processing ratio (local r) (fun y (_ : unit) => agrees w y) pairs priors
    (fun y _ => agrees_nonneg n w y) promise p s t tt Hp Hst Ps Pt) as kept.
  assert (E : forall u, Pw p (process (local r) (fun y (_ : unit) => agrees w y)) u tt =
    released r w * Pw p (fun x (_ : unit) => has w x) u tt).
  { intros u. unfold Pw. rewrite <- sum_scale. apply sum_ext; intros x _.
    rewrite shows_values. ring. }
  rewrite !E in kept. apply (Rmult_le_reg_l (released r w)); [easy|]. lra.
Qed.

(** The records of a set of places that a table has there. *)
Fixpoint part_from (Q : nat -> bool) k {n} : vec A n -> vec (option A) n := match n with
  | O => fun _ => tt
  | S n => fun x => (if Q k then Some (fst x) else None, part_from Q (S k) (snd x)) end.
Fixpoint fits_from (Q : nat -> bool) k {n} : vec (option A) n -> bool := match n with
  | O => fun _ => true
  | S n => fun w => (match fst w with None => negb (Q k) | Some _ => Q k end) &&
      fits_from Q (S k) (snd w) end.
(** The probability that the records of Q have the values w: 0 if w names other records. *)
Definition part (Q : nat -> bool) {n} (x : vec A n) (w : vec (option A) n) : R :=
  if fits_from Q 0 w then has w x else 0.

Lemma released_fits rho Q n k (w : vec (option A) n) : (forall j, Q j = true -> rho j < 1) ->
  fits_from Q k w = true -> 0 < released_from (fun j _ => rho j) k w.
Proof.
  intros less. revert k; induction n as [|n IH]; intros k; simpl; [lra|].
  intros fit. apply andb_true_iff in fit as [one rest].
  apply Rmult_lt_0_compat; [|now apply IH].
  destruct (fst w) as [z|]; [|lra]. specialize (less k one). lra.
Qed.

(** Corollary 3 of massny2025, the inequality: redaction that does not look at values keeps no less
    than the records that it does not always replace.
    Differs: as in Lemma 1; Q may be any set of such records, also with the private one. *)
Theorem redaction_keeps_released rho n ratio (Q : nat -> bool)
  (pairs : @secret (vec A n) -> @secret (vec A n) -> Prop) priors :
  (forall j, Q j = true -> rho j < 1) ->
  pufferfish ratio (local (fun j _ => rho j)) pairs priors ->
  pufferfish ratio (part Q) pairs priors.
Proof.
  intros less promise p s t w Hp Hst Ps Pt. destruct (fits_from Q 0 w) eqn:fit.
  - assert (E : forall u, Pw p (part Q) u w = Pw p (fun x (_ : unit) => has w x) u tt)
      by (intros u; apply sum_ext; intros x _; unfold part; now rewrite fit).
    rewrite !E. refine (redaction_keeps_records _ n ratio w pairs priors promise _ p s t tt Hp Hst
      Ps Pt). now apply (released_fits rho Q).
  - assert (E : forall u, Pw p (part Q) u w = 0).
    { intros u. unfold Pw. rewrite (sum_ext all _ (fun _ => 0)), sum_0; [easy|].
      intros x _. unfold part. rewrite fit. ring. }
    rewrite !E. lra.
Qed.
End Local.
