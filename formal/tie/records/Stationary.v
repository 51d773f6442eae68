(** How redaction of a stationary chain of bits is decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts Redaction TwoStates.
From Pufferproof Require Import RedactionLeakage Influences RedactionUtility Local Stationary.
From Pufferproof Require Import DataIndependent SidesOfRecord InfluenceCurves.
From Tied Require Import Decide Entries Sequences Records.
Import ListNotations.
Open Scope R_scope.

(** Chances by the value of a bit. *)
Definition of_bits (l : list Q) (x : bool) : R := Q2R (entry l (if x then 1 else 0)%nat).
#[export] Instance r_of_bits l x : rational (of_bits l x) (entry l (if x then 1 else 0)%nat).
Proof. easy. Qed.

Definition qmax (p q : Q) : Q := if Qle_bool p q then q else p.
#[export] Instance r_larger x y p q : rational x p -> rational y q ->
  rational (Rmax x y) (qmax p q) | 0.
Proof.
  unfold rational, qmax; intros -> ->. destruct (Qle_bool p q) eqn:e.
  - apply Rmax_right, Qle_Rle. now apply Qle_bool_iff.
  - apply Rmax_left. destruct (Rle_dec (Q2R q) (Q2R p)) as [l|l]; [easy|].
    apply Rnot_le_lt, Rlt_le, Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
#[export] Instance r_if_less x y p q u v u' v' : rational x p -> rational y q -> rational u u' ->
  rational v v' -> rational (if Rlt_dec x y then u else v) (if Qle_bool q p then v' else u') | 0.
Proof.
  unfold rational; intros -> -> -> ->. destruct (Qle_bool q p) eqn:e.
  - apply Qle_bool_iff, Qle_Rle in e. destruct Rlt_dec; [lra|easy].
  - destruct Rlt_dec as [l|l]; [easy|]. apply Rnot_lt_le, Rle_Qle, Qle_bool_iff in l. congruence.
Qed.
#[export] Instance r_count n : rational (INR n) (inject_Z (Z.of_nat n)).
Proof.
  unfold rational, inject_Z, Q2R. cbn [Qnum Qden]. rewrite <- INR_IZR_INZ. field.
Qed.
#[export] Instance r_natural n x y p q : rational x p -> rational y q ->
  rational (if Nat.leb 1 n then x else y) (if Nat.leb 1 n then p else q) | 0.
Proof. now destruct Nat.leb. Qed.

Definition qflip (a b : Q) (x y : bool) : Q :=
  if x then if y then Qred (1 - b) else b else if y then a else Qred (1 - a).
#[export] Instance r_flip a b p q x y : rational a p -> rational b q ->
  rational (flip a b x y) (qflip p q x y).
Proof. intros ea eb. unfold flip, qflip. destruct x, y; auto; now apply one_less. Qed.
#[export] Hint Extern 2 (rational (constant_steps _ _ _ _ _) _) => unfold constant_steps :
  typeclass_instances.
Fixpoint qpower (a b : Q) D x z : Q := match D with
  | O => if eqb x z then 1%Q else 0%Q
  | S D => Qred (Qred (qflip a b x true * qpower a b D true z) +
      Qred (qflip a b x false * qpower a b D false z)) end.
#[export] Instance r_chain_power a b p q D x z : rational a p -> rational b q ->
  rational (TwoStates.power a b D x z) (qpower p q D x z).
Proof.
  intros ea eb. revert x z. induction D as [|D IH]; intros x z; cbn [TwoStates.power qpower].
  - destruct (eqb x z); [apply r_1|apply r_0].
  - apply r_plus; (apply r_mult; [now apply r_flip|apply IH]).
Qed.
#[export] Hint Extern 2 (rational (TwoStates.i0 _ _ _) _) => unfold TwoStates.i0 :
  typeclass_instances.
#[export] Hint Extern 2 (rational (TwoStates.i1 _ _ _) _) => unfold TwoStates.i1 :
  typeclass_instances.
Definition qlarger (p : Q) : Q := qmax p (Qred (/ p)).
#[export] Instance r_larger_of x p : rational x p -> rational (larger x) (qlarger p).
Proof. intros e. apply r_larger; [easy|now apply r_inv]. Qed.
Definition qquotient (c u : Q) : Q := Qred (Qred (1 + Qred (c * u)) * Qred (/ Qred (1 - u))).
#[export] Instance r_of_c a b c D p l : rational c p -> rational (lam a b) l ->
  rational (of_c a b c D) (qquotient p (qpow l D)).
Proof.
  intros ec el. unfold of_c, qquotient. pose proof (r_pow _ _ D el) as u.
  apply r_div; [apply r_plus; [apply r_1|now apply r_mult]|apply r_minus; [apply r_1|easy]].
Qed.
#[export] Hint Extern 2 (rational (lam _ _) _) => unfold lam : typeclass_instances.
#[export] Hint Extern 2 (rational (stationary _ _ _) _) => unfold stationary : typeclass_instances.
#[export] Hint Extern 2 (rational (stationary_chain _ _ _ _) _) => unfold stationary_chain :
  typeclass_instances.
#[export] Hint Extern 2 (rational (influence_on _ _ _ _ _) _) => unfold influence_on :
  typeclass_instances.
#[export] Hint Extern 2 (rational (record_given _ _ _ _ _ _) _) => unfold record_given :
  typeclass_instances.
#[export] Hint Extern 2 (rational (two_records _ _ _ _ _ _) _) => unfold two_records :
  typeclass_instances.
#[export] Hint Extern 2 (rational (redacted_bits _ _ _ _) _) => unfold redacted_bits :
  typeclass_instances.
#[export] Hint Extern 2 (rational (dim _ _ _) _) => unfold dim : typeclass_instances.
#[export] Hint Extern 2 (rational (up_to _ _ _ _) _) => unfold up_to : typeclass_instances.
#[export] Hint Extern 2 (rational (from_on _ _ _ _) _) => unfold from_on : typeclass_instances.
#[export] Hint Extern 2 (rational (three_r _ _ _ _ _ _ _ _) _) => unfold three_r :
  typeclass_instances.
#[export] Hint Extern 2 (rational (budget_at _ _ _ _) _) => unfold budget_at : typeclass_instances.
#[export] Hint Extern 2 (rational (shown_share _ _ _ _) _) => unfold shown_share :
  typeclass_instances.
#[export] Hint Extern 2 (rational (dim_share _ _) _) => unfold dim_share : typeclass_instances.
#[export] Hint Extern 2 (rational (three_r_share _ _ _ _ _ _ _) _) => unfold three_r_share :
  typeclass_instances.

(** The promise about one record. *)
#[export] Hint Extern 0 (decided (leaks_at_most _ _ _ _ _ _) _) => unfold leaks_at_most :
  typeclass_instances.
#[export] Instance d_one_record {W} `{Finite W} n p R0 (M : vec bool n -> W -> R) law_ r q w :
  rational R0 r -> (forall b, rational (P law_ (record_is p b)) (q b)) ->
  (forall b y, rational (Pw law_ M (record_is p b) y) (w b y)) ->
  decided (pufferfish R0 M (either_value p) (eq law_))
    (forallb (fun b => forallb (fun y => negb (negb (Qle_bool (q b) 0)) ||
      (negb (negb (Qle_bool (q (negb b)) 0)) || Qle_bool (Qred (w b y * q (negb b)))
        (Qred (Qred (r * q b) * w (negb b) y)))) all) all) | 0.
Proof.
  intros er eq_ ew.
  assert (each : forall b y, decided (0 < P law_ (record_is p b) ->
    0 < P law_ (record_is p (negb b)) -> Pw law_ M (record_is p b) y * P law_ (record_is p (negb b))
    <= R0 * P law_ (record_is p b) * Pw law_ M (record_is p (negb b)) y)
    (negb (negb (Qle_bool (q b) 0)) || (negb (negb (Qle_bool (q (negb b)) 0)) ||
      Qle_bool (Qred (w b y * q (negb b))) (Qred (Qred (r * q b) * w (negb b) y))))).
  { intros b y. apply d_imp; [apply d_lt; [apply r_0|apply eq_]|].
    apply d_imp; [apply d_lt; [apply r_0|apply eq_]|].
    apply d_le; [apply r_mult; [apply ew|apply eq_]|].
    apply r_mult; [apply r_mult; [exact er|apply eq_]|apply ew]. }
  unfold decided. rewrite forallb_forall. split.
  - intros all_b pr s t y <- [b [-> ->]]. specialize (all_b b (all_here b)).
    rewrite forallb_forall in all_b. apply each, all_b, all_here.
  - intros promise b _. apply forallb_forall; intros y _. apply each. intros Ps Pt.
    apply promise; auto. now exists b.
Qed.

Lemma d_in_time {A} (r : nat -> A) (P : A -> Prop) N c : stable r N ->
  (forall k, decided (P (r k)) (c k)) ->
  decided (forall k, P (r k)) (forallb c (seq 0 (S N))).
Proof.
  intros s each. unfold decided. rewrite forallb_forall. split.
  - intros h k. destruct (Nat.le_gt_cases k N) as [le|gt].
    + apply each, h, in_seq. lia.
    + rewrite (s k) by lia. apply each, h, in_seq. lia.
  - intros h k _. apply each, h.
Qed.
#[export] Instance d_chances (r : nat -> bool -> R) N c : stable r N ->
  (forall k x, decided (0 <= r k x <= 1) (c k x)) ->
  decided (chances r) (forallb (fun k => forallb (c k) all) (seq 0 (S N))) | 0.
Proof.
  intros s each. apply (d_in_time r (fun f => forall x, 0 <= f x <= 1)); [easy|].
  intros k. now apply d_all.
Qed.
#[export] Instance d_shares (r : nat -> R) N c : stable r N ->
  (forall k, decided (0 <= r k <= 1) (c k)) ->
  decided (shares r) (forallb c (seq 0 (S N))) | 0.
Proof. intros s each. now apply (d_in_time r (fun f => 0 <= f <= 1)). Qed.
#[export] Instance d_usable (r : nat -> R) N c : stable r N ->
  (forall k, decided (0 < r k <= 1) (c k)) ->
  decided (forall k, 0 < r k <= 1) (forallb c (seq 0 (S N))) | 0.
Proof. intros s each. now apply (d_in_time r (fun f => 0 < f <= 1)). Qed.

Lemma d_between lo hi (P : nat -> Prop) c : (forall k, decided (P k) (c k)) ->
  decided (forall k, (lo <= k <= hi)%nat -> P k) (forallb c (seq lo (S hi - lo))).
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros h k i. apply each, h, in_seq. lia.
  - intros h k i. apply in_seq in i. apply each, h. lia.
Qed.
#[export] Instance d_nat_le m n : decided (m <= n)%nat (Nat.leb m n).
Proof. unfold decided. apply Nat.leb_le. Qed.
#[export] Instance d_radius rho n p Dl Dr c a b : (forall k, decided (rho k = 1) (c k)) ->
  decided (rho (p - S Dl)%nat < 1) a -> decided (rho (p + S Dr)%nat < 1) b ->
  decided (radius rho n p Dl Dr)
    (Nat.leb Dl p && (Nat.ltb (p + Dr) n && (forallb c (seq (p - Dl) (S (p + Dr) - (p - Dl))) &&
      ((negb (Nat.ltb Dl p) || a) && (negb (Nat.ltb (p + S Dr) n) || b))))) | 0.
Proof.
  intros e ea eb. unfold radius. repeat apply d_and.
  - apply d_nat_le.
  - apply d_nat_lt.
  - now apply d_between.
  - apply d_imp; [apply d_nat_lt|easy].
  - apply d_imp; [apply d_nat_lt|easy].
Qed.
#[export] Hint Extern 2 (decided (falls _ _) _) => unfold falls : typeclass_instances.
#[export] Hint Extern 2 (decided (convex _ _) _) => unfold convex : typeclass_instances.
#[export] Hint Extern 2 (decided (convex_by_two _ _) _) => unfold convex_by_two :
  typeclass_instances.
#[export] Hint Extern 2 (decided (even_or_one_sided _ _ _) _) => unfold even_or_one_sided :
  typeclass_instances.
#[export] Instance d_first (f : nat -> R) R0 D c a : decided (f D <= R0) a ->
  (forall k, decided (R0 < f k) (c k)) ->
  decided (first_at_most f R0 D) (Nat.leb 1 D && (a && forallb c (seq 1 (D - 1)))) | 0.
Proof.
  intros ea ec. unfold first_at_most. repeat apply d_and; [apply d_nat_le|easy|].
  unfold decided. rewrite forallb_forall. split.
  - intros h k i. apply ec, h, in_seq. lia.
  - intros h k i. apply in_seq in i. apply ec, h. lia.
Qed.

#[export] Instance r_of_radius a b n p Dl Dr x y : rational (TwoStates.i1 a b (S Dl)) x ->
  rational (TwoStates.i1 a b (S Dr)) y ->
  rational (of_radius a b n p Dl Dr) (Qred ((if Nat.ltb Dl p then x else 1%Q) *
    (if Nat.ltb Dr (n - S p) then y else 1%Q))) | 0.
Proof.
  intros ex ey. unfold of_radius, next_to. apply r_mult.
  - destruct (Nat.ltb Dl p); [easy|apply r_1].
  - destruct (Nat.ltb Dr (n - S p)); [easy|apply r_1].
Qed.
#[export] Instance r_leakage_of_radius a b n p Dl Dr x y x0 y0 l :
  rational (TwoStates.i1 a b (S Dl)) x -> rational (TwoStates.i1 a b (S Dr)) y ->
  rational (TwoStates.i0 a b (S Dl)) x0 -> rational (TwoStates.i0 a b (S Dr)) y0 ->
  rational (lam a b) l ->
  rational (leakage_of_radius a b n p Dl Dr)
    (if Nat.ltb Dl p
     then if Nat.ltb Dr (n - S p)
       then if Qle_bool 0 l then Qred (x * y)
         else if Nat.odd (S Dl + S Dr)
           then qmax (Qred (x * y0)) (Qred (x0 * y))
           else Qred (x * y)
       else x
     else if Nat.ltb Dr (n - S p) then y else 1%Q) | 0.
Proof.
  intros ex ey ex0 ey0 el. unfold leakage_of_radius, next_to.
  destruct (Nat.ltb Dl p), (Nat.ltb Dr (n - S p)); cbn [leakage_of]; try easy; [|apply r_1].
  apply r_if_less; auto; [apply r_0| |now apply r_mult].
  destruct (Nat.odd (S Dl + S Dr)); [|now apply r_mult].
  apply r_larger; now apply r_mult.
Qed.
#[export] Instance r_one_sided De p n : rational (one_sided_bound De p n)
  (Qred (1 - Qred (inject_Z (Z.of_nat (De + p)) * Qred (/ inject_Z (Z.of_nat n))))) | 0.
Proof.
  unfold one_sided_bound. apply r_minus; [apply r_1|]. apply r_div; apply r_count.
Qed.
#[export] Instance r_two_sided c De Dh p n : rational (two_sided_bound c De Dh p n)
  (Qred (1 - Qred (inject_Z (Z.of_nat (Nat.min (De + p) (2 * Dh - c))) *
    Qred (/ inject_Z (Z.of_nat n))))) | 0.
Proof.
  unfold two_sided_bound. apply r_minus; [apply r_1|]. apply r_div; apply r_count.
Qed.
#[export] Hint Extern 2 (decided (below_both _ _ _ _ _) _) => unfold below_both :
  typeclass_instances.
