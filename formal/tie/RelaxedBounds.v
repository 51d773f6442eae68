(** How one side of a 3R mechanism and its bounds are decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Means TwoStates RedactionLeakage Stationary SidesOfRecord.
From Pufferproof Require Import BothSides SideLevels MediumRecords RelaxedBound.
From Tied Require Import Decide Entries Sequences Records Stationary Sides.
Import ListNotations.
Open Scope R_scope.

(** Means by their steps. *)
Definition qstep (a b : Q) x (f : bool -> Q) : Q :=
  Qred (Qred (qflip a b x true * f true) + Qred (qflip a b x false * f false)).
Fixpoint qbefore (a b : Q) (f : nat -> bool -> Q) n k z x : Q := match n with
  | O => qflip a b x z
  | S n => qstep a b x (fun y => Qred (f (S k) y * qbefore a b f n (S k) z y)) end.
Fixpoint qmean (a b : Q) (f : nat -> bool -> Q) n k x : Q := match n with
  | O => 1%Q
  | S n => qstep a b x (fun y => Qred (f (S k) y * qmean a b f n (S k) y)) end.
#[export] Instance r_before a b p q f g n k z x : rational a p -> rational b q ->
  (forall k x, rational (f k x) (g k x)) ->
  rational (mean_before a b f n k z x) (qbefore p q g n k z x) | 0.
Proof.
  intros ea eb ef. revert k x. induction n as [|n IH]; intros k x; cbn [qbefore].
  - rewrite mean_before_0. now apply r_flip.
  - rewrite mean_before_next. apply r_plus; (apply r_mult; [now apply r_flip|apply r_mult]); auto.
Qed.
#[export] Instance r_mean_weight a b p q f g n k x : rational a p -> rational b q ->
  (forall k x, rational (f k x) (g k x)) ->
  rational (mean_weight a b f n k x) (qmean p q g n k x) | 0.
Proof.
  intros ea eb ef. revert k x. induction n as [|n IH]; intros k x; cbn [qmean].
  - rewrite mean_weight_0. apply r_1.
  - rewrite mean_weight_next. apply r_plus; (apply r_mult; [now apply r_flip|apply r_mult]); auto.
Qed.

#[export] Hint Extern 2 (rational (if_medium _ _ _ _ _) _) => unfold if_medium :
  typeclass_instances.
#[export] Hint Extern 2 (rational (medium_weight _ _ _ _ _ _) _) => unfold medium_weight :
  typeclass_instances.
#[export] Hint Extern 2 (rational (three_chances _ _ _ _ _ _) _) => unfold three_chances :
  typeclass_instances.
#[export] Hint Extern 2 (rational (side_budget _ _ _ _) _) => unfold side_budget :
  typeclass_instances.
#[export] Hint Extern 2 (rational (side_chances _ _ _ _) _) => unfold side_chances :
  typeclass_instances.
#[export] Hint Extern 2 (rational (medium_chance _ _ _ _ _) _) => unfold medium_chance :
  typeclass_instances.
#[export] Hint Extern 2 (rational (product_to _ _ _ _ _) _) => unfold product_to :
  typeclass_instances.
#[export] Hint Extern 2 (rational (medium_before _ _ _ _ _ _ _ _ _) _) => unfold medium_before :
  typeclass_instances.
#[export] Hint Extern 2 (rational (medium_mean _ _ _ _ _ _ _ _) _) => unfold medium_mean :
  typeclass_instances.
#[export] Hint Extern 2 (rational (medium_product _ _ _ _ _ _ _) _) => unfold medium_product :
  typeclass_instances.
#[export] Hint Extern 2 (rational (delta_of _ _ _ _ _) _) => unfold delta_of :
  typeclass_instances.
#[export] Hint Extern 2 (rational (delta_at _ _ _ _ _ _ _) _) =>
  unfold delta_at; cbv zeta : typeclass_instances.
#[export] Hint Extern 2 (rational (relaxed_bound _ _ _ _ _ _ _ _) _) =>
  unfold relaxed_bound, relaxed_of : typeclass_instances.

(** Products over subsets. *)
Definition qmin (p q : Q) : Q := if Qle_bool p q then p else q.
Lemma r_smaller x y p q : rational x p -> rational y q -> rational (Rmin x y) (qmin p q).
Proof.
  unfold rational, qmin; intros -> ->. destruct (Qle_bool p q) eqn:e.
  - apply Rmin_left, Qle_Rle. now apply Qle_bool_iff.
  - apply Rmin_right. destruct (Rle_dec (Q2R q) (Q2R p)) as [l|l]; [easy|].
    apply Rnot_le_lt, Rlt_le, Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
Fixpoint qsubsets (l : list Q) : list Q := match l with [] => [1%Q]
  | u :: l => map (fun v => Qred (u * v)) (qsubsets l) ++ qsubsets l end.
Lemma subsets_rational (l : list nat) f g : (forall k, rational (f k) (g k)) ->
  Forall2 rational (subset_products (map f l)) (qsubsets (map g l)).
Proof.
  intros e. induction l as [|k l IH]; cbn [map subset_products qsubsets].
  - constructor; [apply r_1|constructor].
  - apply Forall2_app; [|exact IH]. induction IH; cbn [map]; constructor; auto.
    now apply r_mult.
Qed.
Lemma r_fold (f : R -> R -> R) g l m : (forall x y p q, rational x p -> rational y q ->
  rational (f x y) (g p q)) -> Forall2 rational l m ->
  rational (fold_right f 1 l) (fold_right g 1%Q m).
Proof.
  intros e each. induction each; cbn [fold_right]; [apply r_1|]. now apply e.
Qed.
#[export] Instance r_least a b El Er q p t f :
  (forall k, rational (medium_chance a b (side_budget El Er p t) (side_chances q p t) k) (f k)) ->
  rational (least_product a b El Er q p t)
    (fold_right qmin 1%Q (qsubsets (map f (seq 1 (distance_to p t))))) | 0.
Proof. intros e. apply r_fold; [apply r_smaller|now apply subsets_rational]. Qed.
#[export] Instance r_largest_product a b El Er q p t f :
  (forall k, rational (medium_chance a b (side_budget El Er p t) (side_chances q p t) k) (f k)) ->
  rational (largest_product a b El Er q p t)
    (fold_right qmax 1%Q (qsubsets (map f (seq 1 (distance_to p t))))) | 0.
Proof. intros e. apply r_fold; [apply r_larger|now apply subsets_rational]. Qed.

Fixpoint qfirst (B : Q) (u v : nat -> Q) k m : Q := match m with O => 1%Q
  | S m => if Qle_bool (u k) B then if Qle_bool (v k) B then v k else u k
           else qfirst B u v (S k) m end.
#[export] Instance r_first a b El Er n p t B u v : rational (side_budget El Er p t) B ->
  (forall k, rational (TwoStates.i0 a b k) (u k)) ->
  (forall k, rational (TwoStates.i1 a b k) (v k)) ->
  rational (first_influence a b El Er n p t) (qfirst B u v 1 (size_of_side n p t)) | 0.
Proof.
  intros eB eu ev. unfold first_influence. generalize 1%nat as k.
  induction (size_of_side n p t) as [|m IH]; intros k; cbn [first_from qfirst]; [apply r_1|].
  apply r_if_less; auto. now apply r_if_less.
Qed.

#[export] Hint Extern 0 (decided (usable _) _) => unfold usable : typeclass_instances.
#[export] Instance d_unredacted (r : nat -> R) N c : stable r N ->
  (forall k, decided (r k = 1) (c k)) -> decided (unredacted r) (forallb c (seq 0 (S N))) | 0.
Proof. intros s each. now apply (d_in_time r (fun f => f = 1)). Qed.
(** The conditions, from influences, chances and means. *)
Definition qregion (B : Q) (u v : nat -> Q) k (large medium small : Q) : Q :=
  if Qle_bool (u k) B then if Qle_bool (v k) B then small else medium else large.
Definition qconditions (r a b B : Q) (u v q : nat -> Q) c : bool :=
  let w k (x : bool) := qregion B u v k 1 (if x then 1%Q else q k) 1 in
  forallb (fun D => negb (Qle_bool (u D) B && negb (Qle_bool (v D) B)) ||
    forallb (fun x : bool => (negb (Nat.ltb D c) || forallb (fun z : bool =>
        negb (negb (Qle_bool 1 (qregion B u v (S D) 1 (if z then 1%Q else q (S D)) 0))) ||
        Qle_bool (qbefore a b w D 0 z x) (Qred (r * qbefore a b w D 0 z (negb x)))) all) &&
      (negb (Nat.eqb D c) || Qle_bool (qmean a b w D 0 x) (Qred (r * qmean a b w D 0 (negb x)))))
      all) (seq 1 (S c - 1)).
#[export] Instance d_conditions R0 a b El Er q n p t r a' b' B u v f : rational R0 r ->
  rational a a' -> rational b b' -> rational (side_budget El Er p t) B ->
  (forall k, rational (TwoStates.i0 a b k) (u k)) ->
  (forall k, rational (TwoStates.i1 a b k) (v k)) ->
  (forall k, rational (side_chances q p t k) (f k)) ->
  decided (side_conditions R0 a b El Er q n p t)
    (qconditions r a' b' B u v f (size_of_side n p t)) | 0.
Proof.
  intros er ea eb eB eu ev ef. unfold side_conditions, conditions.
  assert (region : forall k (l m s : R) (l' m' s' : Q), rational l l' -> rational m m' ->
    rational s s' -> rational (if Rlt_dec (side_budget El Er p t) (TwoStates.i0 a b k) then l
      else if Rlt_dec (side_budget El Er p t) (TwoStates.i1 a b k) then m else s)
      (qregion B u v k l' m' s'))
    by (intros; apply r_if_less; auto; now apply r_if_less).
  assert (at_0 : forall k (x : bool), rational (if x then 1 else side_chances q p t k)
    (if x then 1%Q else f k)) by (intros k []; auto using r_1).
  assert (weights : forall k x, rational (medium_weight a b (side_budget El Er p t)
    (side_chances q p t) k x) (qregion B u v k 1 (if x then 1%Q else f k) 1))
    by (intros; apply region; auto using r_1).
  apply d_between. intros D. apply d_imp.
  { apply d_and; [apply d_le|apply d_lt]; auto. }
  apply d_all. intros x. apply d_and; (apply d_imp; [first [apply d_nat_lt|apply d_nat_eq]|]).
  - apply d_all. intros z. apply d_imp.
    + apply d_lt; [|apply r_1]. apply region; auto using r_0, r_1.
    + apply d_le; [now apply r_before|apply r_mult; [easy|now apply r_before]].
  - apply d_le; [now apply r_mean_weight|apply r_mult; [easy|now apply r_mean_weight]].
Qed.
