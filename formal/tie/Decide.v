(** Statements about finite tables of rational numbers are decided by computation. The boolean, and
    that it is the truth value of the very statement, are found by type classes from the
    statement. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Means.
Import ListNotations.
Open Scope R_scope.

Class rational (r : R) (q : Q) : Prop := is_q : r = Q2R q.
Class decided (P : Prop) (b : bool) : Prop := truth : b = true <-> P.

Lemma red q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
#[export] Instance r_q q : rational (Q2R q) q. Proof. easy. Qed.
#[export] Instance r_0 : rational 0 0%Q. Proof. unfold rational, Q2R; simpl; lra. Qed.
#[export] Instance r_1 : rational 1 1%Q. Proof. unfold rational, Q2R; simpl; lra. Qed.
#[export] Instance r_plus x y p q : rational x p -> rational y q -> rational (x + y) (Qred (p +
  q)).
Proof. unfold rational; intros -> ->. now rewrite red, Q2R_plus. Qed.
#[export] Instance r_mult x y p q : rational x p -> rational y q -> rational (x * y) (Qred (p *
  q)).
Proof. unfold rational; intros -> ->. now rewrite red, Q2R_mult. Qed.
#[export] Instance r_minus x y p q : rational x p -> rational y q -> rational (x - y) (Qred (p -
  q)).
Proof. unfold rational; intros -> ->. now rewrite red, Q2R_minus. Qed.
(** As in Coq's reals, 1/0 is 0. *)
#[export] Instance r_inv x q : rational x q -> rational (/ x) (Qred (/ q)).
Proof.
  unfold rational. intros ->. rewrite red. destruct (Qeq_dec q 0) as [e|n].
  - assert (i : (/ q == 0)%Q) by (rewrite e; easy).
    rewrite (Qeq_eqR _ _ e), (Qeq_eqR _ _ i), RMicromega.Q2R_0. apply Rinv_0.
  - now rewrite Q2R_inv.
Qed.
#[export] Instance r_div x y p q : rational x p -> rational y q -> rational (x / y) (Qred (p *
  Qred (/ q))).
Proof. intros e f. unfold Rdiv. apply r_mult; [easy|now apply r_inv]. Qed.
#[export] Instance r_if (b : bool) x y p q : rational x p -> rational y q -> rational (if b then x
  else y) (if b then p else q).
Proof. now destruct b. Qed.
#[export] Instance r_dec {A B : Prop} (b : {A} + {B}) x y p q : rational x p -> rational y q ->
  rational (if b then x else y) (if b then p else q).
Proof. now destruct b. Qed.
Definition qsum {A} (l : list A) (g : A -> Q) := fold_right (fun x s => Qred (g x + s)) 0%Q l.
Definition qprod {A} (l : list A) (g : A -> Q) := fold_right (fun x s => Qred (g x * s)) 1%Q l.
#[export] Instance r_sum {A} (l : list A) f g : (forall x, rational (f x) (g x)) -> rational (sum
  l f) (qsum l g).
Proof.
  unfold rational, qsum; intros e; induction l as [|a l IH]; cbn [sum fold_right]; [unfold Q2R;
    simpl; lra|].
  rewrite red, Q2R_plus, <- e. congruence.
Qed.
#[export] Instance r_prod {A} (l : list A) f g : (forall x, rational (f x) (g x)) -> rational
  (prod l f) (qprod l g).
Proof.
  unfold rational, qprod; intros e; induction l as [|a l IH]; cbn [prod fold_right]; [unfold Q2R;
    simpl; lra|].
  rewrite red, Q2R_mult, <- e. congruence.
Qed.
#[export] Instance d_le x y p q : rational x p -> rational y q -> decided (x <= y) (Qle_bool p q).
Proof. unfold rational, decided; intros -> ->. rewrite Qle_bool_iff. split; [apply Qle_Rle|apply
  Rle_Qle]. Qed.
#[export] Instance d_lt x y p q : rational x p -> rational y q -> decided (x < y) (negb (Qle_bool
  q p)).
Proof.
  unfold rational, decided; intros -> ->. rewrite negb_true_iff, <- not_true_iff_false,
    Qle_bool_iff.
  split; [intros h; apply Rnot_le_lt; intros k; apply h; now apply Rle_Qle|intros h k; apply
    Qle_Rle in k; lra].
Qed.
#[export] Instance d_eq x y p q : rational x p -> rational y q -> decided (x = y :> R) (Qeq_bool p
  q).
Proof. unfold rational, decided; intros -> ->. rewrite Qeq_bool_iff. split; [apply Qeq_eqR|apply
  eqR_Qeq]. Qed.
#[export] Instance d_bool (b c : bool) : decided (b = c) (eqb b c). Proof. apply eqb_true_iff.
  Qed.
#[export] Instance d_and P Q b c : decided P b -> decided Q c -> decided (P /\ Q) (b && c).
Proof. unfold decided. rewrite andb_true_iff. tauto. Qed.
#[export] Instance d_or P Q b c : decided P b -> decided Q c -> decided (P \/ Q) (b || c).
Proof. unfold decided. rewrite orb_true_iff. tauto. Qed.
#[export] Instance d_imp (P Q : Prop) b c : decided P b -> decided Q c -> decided (P -> Q) (negb b
  || c) | 5.
Proof. unfold decided. destruct b, c; simpl; intuition discriminate. Qed.
#[export] Instance d_iff P Q b c : decided P b -> decided Q c -> decided (P <-> Q) (eqb b c) | 1.
Proof. unfold decided. destruct b, c; simpl; intuition discriminate. Qed.
#[export] Instance d_nat_lt m n : decided (m < n)%nat (Nat.ltb m n).
Proof. unfold decided. apply Nat.ltb_lt. Qed.
#[export] Instance d_nat_eq (m n : nat) : decided (m = n) (Nat.eqb m n) | 0.
Proof. unfold decided. apply Nat.eqb_eq. Qed.
(** A hypothesis that something is positive; it is no member of a finite set. *)
#[export] Instance d_if_positive x q (P : Prop) b : rational x q -> decided P b ->
  decided (0 < x -> P) (negb (negb (Qle_bool q 0)) || b) | 0.
Proof. intros e d. apply d_imp; [|exact d]. exact (d_lt 0 x 0%Q q r_0 e). Qed.
(** For all members of a finite type, or of a list. *)
#[export] Instance d_all {A} `{Finite A} (P : A -> Prop) b : (forall x, decided (P x) (b x)) ->
  decided (forall x, P x) (forallb b all) | 4.
Proof.
  intros d. unfold decided. rewrite forallb_forall. split; intros h x.
  - now apply d, h, all_here.
  - intros _. now apply d.
Qed.
#[export] Instance d_in_map {A B} (g : A -> B) (l : list A) (P : B -> Prop) b : (forall x, decided
  (P (g x)) (b x)) ->
  decided (forall x, In x (map g l) -> P x) (forallb b l) | 1.
Proof.
  intros d. unfold decided. rewrite forallb_forall. split.
  - intros h x i. apply in_map_iff in i as [y [<- i]]. now apply d, h.
  - intros h x i. apply d, h. now apply in_map.
Qed.
#[export] Instance d_two {A B} (a b : A) (c d : B) (P : A -> B -> Prop) x y : decided (P a c) x ->
  decided (P b d) y ->
  decided (forall u v, In (u, v) [(a, c); (b, d)] -> P u v) (x && y) | 1.
Proof.
  unfold decided. rewrite andb_true_iff. intros e1 e2. rewrite e1, e2. split.
  - intros [p q] ? ? [e|[e|[]]]; injection e as <- <-; auto.
  - intros h. split; apply h; simpl; auto.
Qed.
Lemma d_law {A} `{Finite A} (p : A -> R) b : decided ((forall x, 0 <= p x) /\ sum all p = 1) b ->
  decided (law p) b.
Proof. easy. Qed.
(** The promise: the quantifiers are put in the order of their ranges. *)
Lemma d_promise {D W} `{Finite D} `{Finite W} ratio (M : D -> W -> R) (pairs : @secret D ->
  @secret D -> Prop) (priors : (D -> R) -> Prop) b :
  decided (forall p, priors p -> forall s t, pairs s t -> forall w, 0 < P p s -> 0 < P p t ->
    Pw p M s w * P p t <= ratio * P p s * Pw p M t w) b -> decided (pufferfish ratio M pairs
      priors) b.
Proof. unfold decided, pufferfish. intros ->. split; intros h; intros; apply h; auto. Qed.

(** Databases and outputs: numbers below n. *)
Fixpoint fin n : Type := match n with O => Empty_set | S n => option (fin n) end.
#[export] Instance finite_fin n : Finite (fin n).
Proof.
  induction n as [|n IH]; [exists []; [constructor|intros []]|]. exists (None :: map Some all).
  - abstract (constructor; [rewrite in_map_iff; intros [? [? ?]]; discriminate|]; apply
    FinFun.Injective_map_NoDup; [|apply all_once];
    intros x y e; congruence).
  - abstract (intros [x|]; simpl; auto; right; apply in_map, all_here).
Defined.
Fixpoint rank {n} : fin n -> nat := match n with O => fun _ => O | S n => fun x => match x with
  None => O | Some y => S (rank y) end end.
Definition entry (l : list Q) i := nth i l 0%Q.
Definition law_of {n} (l : list Q) : fin n -> R := fun x => Q2R (entry l (rank x)).
Definition rows_of {n m} (l : list (list Q)) : fin n -> fin m -> R := fun x w => Q2R (entry (nth
  (rank x) l []) (rank w)).
Definition set_of {n} (l : list nat) : fin n -> bool := fun x => existsb (Nat.eqb (rank x)) l.
