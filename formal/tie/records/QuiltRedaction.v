(** How the Markov quilt mechanism, its bounds, what 3R mechanisms show, and the condition for
    convexity are decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish TwoStates RedactionLeakage Influences.
From Pufferproof Require Import RedactionUtility DataIndependent QuiltRedaction ThreeRegions.
From Pufferproof Require Import Convexity.
From Tied Require Import Decide Entries Sequences Records Stationary.
From Tied Require Histograms.
Import ListNotations.
Open Scope R_scope.

Lemma less_decided x y p q : rational x p -> rational y q ->
  (if Rlt_dec x y then true else false) = negb (Qle_bool q p).
Proof.
  unfold rational; intros -> ->. destruct (Qle_bool q p) eqn:e, Rlt_dec as [l|l]; try easy.
  - apply Qle_bool_iff, Qle_Rle in e. lra.
  - apply Rnot_lt_le, Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
Definition qsided (r x y : Q) De Dh p : bool :=
  Nat.eqb p 0 || negb (Qle_bool (Qred (x * y)) r) || Nat.ltb (S p + De) (2 * Dh).
Lemma sided a b R0 De Dh n p r x y : rational R0 r -> rational (i1 a b p) x ->
  rational (i1 a b (n - p)) y -> one_sided_quilt a b R0 De Dh n p = qsided r x y De Dh p.
Proof.
  intros er ex ey. unfold one_sided_quilt, qsided.
  now rewrite (less_decided _ _ r (Qred (x * y)) er (r_mult _ _ _ _ ex ey)).
Qed.

#[export] Instance r_quilt a b R0 De Dh n p k r x y : rational R0 r -> rational (i1 a b p) x ->
  rational (i1 a b (n - p)) y -> rational (quilt_chances a b R0 De Dh n p k)
    (let s := qsided r x y De Dh p in
     if Nat.leb (p - (if s then p else Dh)) k &&
        Nat.leb k (p + (if s then Nat.min De (n - S p) else Dh)) then 1%Q else 0%Q) | 0.
Proof.
  intros er ex ey. unfold quilt_chances, window, quilt_left, quilt_right.
  rewrite (sided a b R0 De Dh n p r x y er ex ey). apply r_if; [apply r_1|apply r_0].
Qed.
#[export] Instance r_by_cases one two a b R0 De Dh n p r x y : rational R0 r ->
  rational (i1 a b p) x -> rational (i1 a b (n - S p)) y ->
  rational (by_cases_bound one two a b R0 De Dh n p)
    (if Nat.eqb (n - S p) 0 || negb (Qle_bool y r) then 0%Q
     else if Nat.eqb p 0 || negb (Qle_bool (Qred (x * y)) r)
     then Qred (1 - Qred (inject_Z (Z.of_nat (De + p + one)) * Qred (/ inject_Z (Z.of_nat n))))
     else Qred (1 - Qred (inject_Z (Z.of_nat (Nat.min (De + p) (2 * Dh - 1) + two)) *
       Qred (/ inject_Z (Z.of_nat n))))) | 0.
Proof.
  intros er ex ey. unfold by_cases_bound.
  rewrite (less_decided _ _ r y er ey), (less_decided _ _ r (Qred (x * y)) er (r_mult _ _ _ _ ex
    ey)).
  repeat apply r_if; [apply r_0| |]; (apply r_minus; [apply r_1|apply r_div; apply r_count]).
Qed.
#[export] Hint Extern 2 (rational (quilt_bound _ _ _ _ _ _ _) _) => unfold quilt_bound :
  typeclass_instances.
#[export] Hint Extern 2 (rational (printed_bound _ _ _ _ _ _ _) _) => unfold printed_bound :
  typeclass_instances.
#[export] Hint Extern 2 (decided (up_to_two _ _ _) _) => unfold up_to_two : typeclass_instances.

(** What 3R mechanisms show: all radii are tried. *)

(** A number for each side: the influence of the next record, or 1. *)
Definition qnext (m : nat) (f : nat -> Q) D : Q := if Nat.ltb D m then f (S D) else 1%Q.
Definition some_radius n p (f : nat -> Q) (x : Q) (keeps : Q -> Q -> bool) : bool :=
  existsb (fun Dl => existsb (fun Dr => keeps (qnext p f Dl) (qnext (n - S p) f Dr) &&
    Qle_bool x (Qred (1 - Qred (inject_Z (Z.of_nat (Dl + Dr + 1)) *
      Qred (/ inject_Z (Z.of_nat n))))))
    (seq 0 (n - p))) (seq 0 (S p)).
Definition qordered (a b : Q) : bool :=
  negb (Qle_bool a 0) && (Qle_bool a b && negb (Qle_bool 1 b)).

Lemma next_rational a b m f D : (forall D, rational (i1 a b D) (f D)) ->
  rational (of_side a b (next_to m D)) (qnext m f D).
Proof. intros e. unfold next_to, qnext. destruct Nat.ltb; simpl; [apply e|apply r_1]. Qed.

Lemma d_some_radius a b n p x f y (P : R -> R -> Prop) c : (p < n)%nat ->
  (forall D, rational (i1 a b D) (f D)) -> rational x y ->
  (forall u v q r, rational u q -> rational v r -> decided (P u v) (c q r)) ->
  decided (exists Dl Dr, (Dl <= p)%nat /\ (p + Dr < n)%nat /\
      P (of_side a b (next_to p Dl)) (of_side a b (next_to (n - S p) Dr)) /\
      x <= rest_of_radius n Dl Dr) (some_radius n p f y c).
Proof.
  intros pn ef ex ec.
  assert (each : forall Dl Dr, decided (P (of_side a b (next_to p Dl))
      (of_side a b (next_to (n - S p) Dr)) /\ x <= rest_of_radius n Dl Dr)
    (c (qnext p f Dl) (qnext (n - S p) f Dr) && Qle_bool y
      (Qred (1 - Qred (inject_Z (Z.of_nat (Dl + Dr + 1)) * Qred (/ inject_Z (Z.of_nat n))))))).
  { intros Dl Dr. apply d_and; [apply ec; now apply next_rational|]. apply d_le; [easy|].
    unfold rest_of_radius. apply r_minus; [apply r_1|]. apply r_div; apply r_count. }
  unfold decided, some_radius. rewrite existsb_exists. split.
  - intros [Dl [il h]]. apply existsb_exists in h as [Dr [ir h]]. apply in_seq in il, ir.
    apply each in h. exists Dl, Dr. repeat split; try lia; tauto.
  - intros [Dl [Dr [dl [dr h]]]]. exists Dl. split; [apply in_seq; lia|].
    apply existsb_exists. exists Dr. split; [apply in_seq; lia|]. now apply each.
Qed.

Lemma d_ordered a b p q : rational a p -> rational b q ->
  decided (0 < a /\ a <= b /\ b < 1) (qordered p q).
Proof.
  intros ea eb. unfold qordered. repeat apply d_and; [apply d_lt|apply d_le|apply d_lt];
    auto using r_0, r_1.
Qed.

Lemma d_of_kind a b n p qa qb (S : Prop) (E : Prop) c : rational a qa -> rational b qb ->
  (S -> (0 < a /\ a <= b /\ b < 1) /\ (p < n)%nat) ->
  ((0 < a /\ a <= b /\ b < 1) -> (p < n)%nat -> (S <-> E) /\ decided E c) ->
  decided S (qordered qa qb && (Nat.ltb p n && c)).
Proof.
  unfold decided. intros ea eb kind same. pose proof (d_ordered a b qa qb ea eb) as o.
  unfold decided in o. rewrite !andb_true_iff, o, Nat.ltb_lt. split.
  - intros [ord [pn yes]]. destruct (same ord pn) as [<- is_]. now apply is_.
  - intros s. destruct (kind s) as [ord pn]. destruct (same ord pn) as [e is_].
    repeat split; try apply ord; auto. now apply is_, e.
Qed.

#[export] Instance d_some_three_r a b R0 n p x qa qb r y f : rational a qa -> rational b qb ->
  rational R0 r -> (forall D, rational (i1 a b D) (f D)) -> rational x y ->
  decided (some_three_r a b R0 n p x) (qordered qa qb && (Nat.ltb p n &&
    some_radius n p f y (fun u v => Qle_bool (Qred (u * v)) r))) | 0.
Proof.
  intros ea eb er ef ex. eapply d_of_kind; eauto; [intros [o [pn _]]; now split|].
  intros [a0 [ab b1]] pn. split; [now apply some_three_r_by_radius|].
  apply (d_some_radius a b n p x f y (fun u v => u * v <= R0)); auto.
  intros u v q q' eu ev. apply d_le; [now apply r_mult|easy].
Qed.

#[export] Instance d_some_positive_three_r a b R0 n p x qa qb r y f : rational a qa ->
  rational b qb -> rational R0 r -> (forall D, rational (i1 a b D) (f D)) -> rational x y ->
  decided (some_positive_three_r a b R0 n p x) (qordered qa qb && (Nat.ltb p n &&
    some_radius n p f y (fun u v => Qle_bool (Qred (u * v)) r &&
      (negb (Qle_bool r u) && negb (Qle_bool r v))))) | 0.
Proof.
  intros ea eb er ef ex. eapply d_of_kind; eauto; [intros [o [pn _]]; now split|].
  intros [a0 [ab b1]] pn. split; [now apply some_positive_three_r_by_radius|].
  apply (d_some_radius a b n p x f y (fun u v => u * v <= R0 /\ u < R0 /\ v < R0)); auto.
  intros u v q q' eu ev.
  repeat apply d_and; [apply d_le; [now apply r_mult|easy]|now apply d_lt|now apply d_lt].
Qed.

(** ** Convexity of influences *)

#[export] Instance d_same_sign x y p q : rational x p -> rational y q -> decided (same_sign x y)
  (eqb (negb (Qle_bool 0 p)) (negb (Qle_bool 0 q)) &&
   eqb (negb (Qle_bool p 0)) (negb (Qle_bool q 0))) | 0.
Proof. intros ex ey. apply d_and; apply d_iff; apply d_lt; auto using r_0. Qed.
Definition qbend (x y z : Q) : Q := Qred (Qred (x * z) - Qred (y * y)).
#[export] Instance r_bend f D x y z : rational (f D) x -> rational (f (S D)) y ->
  rational (f (S (S D))) z -> rational (bend f D) (qbend x y z) | 0.
Proof. intros ex ey ez. unfold bend, qbend. apply r_minus; now apply r_mult. Qed.
Definition qcondition (c m u : Q) : Q :=
  (1 - m) * (1 - m) * (1 + m * m * (c * c - c + 1) * (u * u)) - m * u * Histograms.qabs (c - 1) *
  ((1 + 1) * (m * m - m + 1) - m * m * m * (c * c + 1) * (u * u)).
#[export] Instance r_condition a b D x y l p q : rational (lam a b) l -> rational x p ->
  rational y q -> rational (condition_at a b D x y)
    (Qred (qcondition (Qred (p * Qred (/ q))) (Histograms.qabs l)
      (Qred (qpow (Histograms.qabs l) D)))) | 0.
Proof.
  intros el ex ey. apply Histograms.r_abs in el. pose proof (r_pow _ _ D el) as u.
  pose proof (r_div _ _ _ _ ex ey) as c. unfold condition_at, condition, qcondition.
  assert (mult : forall x y p q, rational x p -> rational y q -> rational (x * y) (p * q))
    by (unfold rational; intros; subst; now rewrite Q2R_mult).
  assert (plus : forall x y p q, rational x p -> rational y q -> rational (x + y) (p + q))
    by (unfold rational; intros; subst; now rewrite Q2R_plus).
  assert (minus : forall x y p q, rational x p -> rational y q -> rational (x - y) (p - q))
    by (unfold rational; intros; subst; now rewrite Q2R_minus).
  pose proof (Histograms.r_abs _ _ (minus _ _ _ _ c r_1)) as c1.
  assert (u' : rational (Rabs (lam a b) ^ D) (Qred (qpow (Histograms.qabs l) D)))
    by (unfold rational in *; now rewrite red).
  unfold rational at 1. rewrite red.
  repeat first [assumption|apply r_1|apply minus|apply plus|apply mult].
Qed.
