(** How what sides of a record tell is decided on tables of rationals. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Chain ChainQuilts Redaction TwoStates.
From Pufferproof Require Import Local Stationary SidesOfRecord BothSides SideLevels.
From Tied Require Import Decide Entries Sequences Records Stationary.
Import ListNotations.
Open Scope R_scope.

Definition qlargest {A} (l : list A) (f : A -> Q) : Q :=
  fold_right (fun y m => qmax (f y) m) 0%Q l.
#[export] Instance r_largest {A} (l : list A) f g : (forall y, rational (f y) (g y)) ->
  rational (largest l f) (qlargest l g).
Proof.
  intros e. induction l as [|y l IH]; cbn [largest qlargest fold_right]; [apply r_0|].
  apply r_larger; [apply e|exact IH].
Qed.
#[export] Hint Extern 2 (rational (given_record _ _ _ _ _ _ _) _) => unfold given_record :
  typeclass_instances.
#[export] Hint Extern 2 (rational (largest_ratio _ _ _ _ _ _) _) => unfold largest_ratio :
  typeclass_instances.
#[export] Hint Extern 2 (rational (leakage_of_record _ _ _ _ _) _) => unfold leakage_of_record :
  typeclass_instances.
#[export] Hint Extern 2 (rational (influence_at _ _ _ _) _) => unfold influence_at :
  typeclass_instances.
#[export] Instance r_side p t r q k x : (forall k x, rational (r k x) (q k x)) ->
  rational (side_of p t r k x) (if Nat.ltb p t
    then if Nat.leb p k then q k x else 1%Q else if Nat.leb k p then q k x else 1%Q) | 0.
Proof.
  intros e. unfold side_of, from_on, up_to.
  destruct (Nat.ltb p t), (Nat.leb p k), (Nat.leb k p); (apply e || apply r_1).
Qed.
(** The likelier value, before it is compared. *)
#[export] Instance r_towards a b v D l (f : bool -> R) g h : rational (lam a b) l ->
  rational (f v) g -> rational (f (negb v)) h ->
  rational (f (towards a b v D)) (if Qle_bool 0 (qpow l D) then g else h).
Proof.
  intros el eg eh. unfold towards. pose proof (r_pow _ _ D el) as u. unfold rational in u.
  rewrite u. destruct (Qle_bool 0 (qpow l D)) eqn:e.
  - apply Qle_bool_iff, Qle_Rle in e. rewrite RMicromega.Q2R_0 in e. now destruct Rle_dec.
  - destruct Rle_dec as [le|]; [|easy]. rewrite <- RMicromega.Q2R_0 in le.
    apply Rle_Qle, Qle_bool_iff in le. congruence.
Qed.
#[export] Hint Extern 0 (rational (influence_at _ _ (towards _ _ _ _) _) _) =>
  eapply (r_towards _ _ _ _ _ (fun z_ => influence_at _ _ z_ _)) : typeclass_instances.
#[export] Hint Extern 0 (rational (largest_ratio _ _ _ _ _ (towards _ _ _ _)) _) =>
  eapply (r_towards _ _ _ _ _ (fun z_ => largest_ratio _ _ _ _ _ z_)) : typeclass_instances.

#[export] Instance d_replaced p r q : (forall k x, rational (r k x) (q k x)) ->
  decided (always_replaced p r) (forallb (fun x => Qeq_bool (q p x) 1) all).
Proof. intros e. apply d_all. intros x. apply d_eq; [apply e|apply r_1]. Qed.
#[export] Instance d_first_shown p t r q v : (forall k x, rational (r k x) (q k x)) ->
  decided (first_shown p t r v) (negb (Nat.eqb p t) && (forallb (fun k =>
    negb (Nat.ltb p k && Nat.ltb k t || Nat.ltb t k && Nat.ltb k p) ||
    forallb (fun x => Qeq_bool (q k x) 1) all) (seq 0 (p + t)) &&
    negb (Qle_bool 1 (q t v)))).
Proof.
  intros e. unfold first_shown. apply d_and; [|apply d_and].
  - unfold decided. rewrite negb_true_iff. apply Nat.eqb_neq.
  - unfold decided. rewrite forallb_forall. split.
    + intros each k kt between. specialize (each k ltac:(apply in_seq; lia)).
      apply (d_replaced k r q e). apply orb_true_iff in each as [no|yes]; [|easy].
      exfalso. apply negb_true_iff, orb_false_iff in no as [one two].
      rewrite andb_false_iff, !Nat.ltb_ge in one, two. lia.
    + intros each k i. apply in_seq in i. apply orb_true_iff.
      destruct (Nat.ltb p k && Nat.ltb k t || Nat.ltb t k && Nat.ltb k p) eqn:b; [right|now left].
      apply (d_replaced k r q e), each; [lia|].
      apply orb_true_iff in b as [b|b]; rewrite andb_true_iff, !Nat.ltb_lt in b; lia.
  - apply d_lt; [apply e|apply r_1].
Qed.
#[export] Instance d_divides x y R0 p q s : rational x p -> rational y q -> rational R0 s ->
  decided (divides x y R0) (negb (Qle_bool 0 q) || (Qeq_bool q 0 && Qle_bool 0 s) ||
    (negb (Qle_bool q 0) && (negb (Qle_bool s 0) && Qle_bool (Qred (p * q)) s))).
Proof.
  intros ex ey er.
  assert (whole : divides x y R0 <->
    (y < 0 \/ (y = 0 /\ 0 <= R0)) \/ (0 < y /\ (0 < R0 /\ x * y <= R0))).
  { split.
    - intros [u [u0 [xu yu]]]. apply (Rmult_le_compat_r u) in yu; [|lra].
      replace (R0 / u * u) with R0 in yu by (field; lra).
      destruct (Rtotal_order y 0) as [l|[e|g]]; [auto|left; right; subst; lra|right].
      assert (0 < y * u) by now apply Rmult_lt_0_compat.
      assert (x * y <= u * y) by (apply Rmult_le_compat_r; lra). repeat split; lra.
    - intros [[l|[e r0]]|[y0 [r0 le]]].
      + exists (Rmax (Rmax x 1) (R0 / y)).
        pose proof (Rmax_l (Rmax x 1) (R0 / y)). pose proof (Rmax_r (Rmax x 1) (R0 / y)).
        pose proof (Rmax_l x 1). pose proof (Rmax_r x 1).
        set (u := Rmax (Rmax x 1) (R0 / y)) in *. repeat split; try lra.
        apply (Rmult_le_reg_r u); [lra|].
        replace (R0 / u * u) with (R0 / y * y) by (field; lra).
        assert (- (u * y) >= - (R0 / y * y)); [|lra].
        replace (- (u * y)) with (u * - y) by ring.
        replace (- (R0 / y * y)) with (R0 / y * - y) by ring.
        apply Rle_ge, Rmult_le_compat_r; lra.
      + exists (Rmax x 1). pose proof (Rmax_l x 1). pose proof (Rmax_r x 1).
        repeat split; try lra. subst y. apply Rmult_le_pos; [easy|].
        apply Rlt_le, Rinv_0_lt_compat. lra.
      + assert (0 < R0 / y) by now apply Rdiv_lt_0_compat.
        exists (R0 / y). repeat split; auto.
        * apply (Rmult_le_reg_r y); [easy|]. replace (R0 / y * y) with R0 by (field; lra). lra.
        * right. field. lra. }
  unfold decided. rewrite whole. repeat apply d_or; repeat apply d_and;
    first [apply d_lt|apply d_eq|apply d_le]; auto using r_0. now apply r_mult.
Qed.
