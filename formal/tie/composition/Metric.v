(** Levels of metric privacy: bounds are decided at generators of one cone. *)
From Coq Require Import Reals QArith Qreals Lra List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Means Worst Rays Metric.
From Tied Require Import Decide Entries Pairs Vertices.
Import ListNotations.
Open Scope R_scope.

#[export] Instance r_product_of l : rational (product_of (map Q2R l)) (qprod l (fun q => q)).
Proof. unfold product_of. now apply r_prod_map. Qed.
#[export] Instance d_nonempty (l : list Q) :
  decided (map Q2R l <> []) (match l with [] => false | _ => true end) | 0.
Proof. unfold decided. destruct l; simpl; split; easy. Qed.

Section Metric.
Context {n : nat} (ps : list (fin n * fin n)) (d : fin n -> fin n -> nat).
Definition near (x y : fin n) := In (x, y) ps.
Definition is_ (x y : fin n) := if fin_dec n x y then true else false.

Lemma is_it x y : is_ x y = true <-> x = y.
Proof. unfold is_. destruct fin_dec; split; easy. Qed.

Definition symmetric_ := forallb (fun p =>
  existsb (fun q => is_ (fst q) (snd p) && is_ (snd q) (fst p)) ps &&
  Nat.eqb (d (snd p) (fst p)) (d (fst p) (snd p))) ps.

Lemma d_symmetric : decided (symmetric_distance near d) symmetric_.
Proof.
  unfold decided, symmetric_, symmetric_distance, near. rewrite forallb_forall. split.
  - intros h x y i. specialize (h (x, y) i). cbn [fst snd] in h.
    apply andb_true_iff in h as [e s]. apply Nat.eqb_eq in s. split; [|easy].
    apply existsb_exists in e as [[a b] [j k]]. apply andb_true_iff in k as [k1 k2].
    apply is_it in k1, k2. cbn [fst snd] in *. now subst.
  - intros h [x y] i. cbn [fst snd]. destruct (h x y i) as [j s].
    apply andb_true_iff. split; [|now apply Nat.eqb_eq].
    apply existsb_exists. exists (y, x). split; [easy|]. cbn [fst snd].
    apply andb_true_iff. split; now apply is_it.
Qed.

Definition one_ (x z : fin n) : Q := if fin_dec n z x then 1%Q else 0%Q.
Definition rows_ P := map (fun p => tabled (fun z =>
  Qred (one_ (fst p) z - qpow P (d (fst p) (snd p)) * one_ (snd p) z))) ps.

Lemma at_one x (u : fin n -> R) : (Σ z, Q2R (one_ x z) * u z) = u x.
Proof.
  unfold one_. generalize (@all_once (fin n) _) (@all_here (fin n) _ x).
  generalize (@all (fin n) _).
  induction 1 as [|a l na nl IH]; simpl; [easy|]. intros [->|j].
  - destruct (fin_dec n x x) as [_|no]; [|easy]. rewrite (sum_ext l _ (fun _ => 0)), sum_0.
    + unfold Q2R; simpl; lra.
    + intros y iy. destruct (fin_dec n y x); [subst; contradiction|unfold Q2R; simpl; lra].
  - destruct (fin_dec n a x) as [->|]; [contradiction|]. rewrite IH by easy.
    unfold Q2R; simpl; lra.
Qed.

Lemma close_within P (u : fin n -> R) :
  close_columns near d (Q2R P) u <-> within (map law_of (rows_ P)) u.
Proof.
  assert (row : forall p : fin n * fin n,
    inner (fun z => Q2R (Qred (one_ (fst p) z - qpow P (d (fst p) (snd p)) * one_ (snd p) z))) u =
    u (fst p) - Q2R P ^ d (fst p) (snd p) * u (snd p)).
  { intros p. unfold inner.
    rewrite (sum_ext all _ (fun z => Q2R (one_ (fst p) z) * u z +
      - Q2R P ^ d (fst p) (snd p) * (Q2R (one_ (snd p) z) * u z))).
    - rewrite sum_plus, sum_scale, !at_one. ring.
    - intros z _. rewrite red, Q2R_minus, Q2R_mult, qpow_r. ring. }
  unfold within, close_columns, rows_, near. split; intros [u0 each]; split; auto.
  - intros a i. rewrite map_map in i. apply in_map_iff in i as [[x y] [<- i]].
    rewrite law_tabled, row. specialize (each x y i). cbn [fst snd]. lra.
  - intros x y i.
    specialize (each (law_of (tabled (fun z => Qred (one_ x z - qpow P (d x y) * one_ y z))))).
    rewrite law_tabled in each. specialize (row (x, y)). cbn [fst snd] in row. rewrite row in each.
    assert (u x - Q2R P ^ d x y * u y <= 0); [|lra]. apply each.
    rewrite map_map. apply in_map_iff. exists (x, y). split; [now rewrite law_tabled|easy].
Qed.

Definition bounded_columns_ P mu nu L := forallb (fun g => Qle_bool (dot (n := n) mu g)
  (L * dot (n := n) nu g)) (generators_ (n := n) (rows_ P)).

Lemma d_columns_bounded P mu nu L :
  decided (columns_bounded near d (Q2R P) (law_of mu) (law_of nu) (Q2R L))
    (bounded_columns_ P mu nu L).
Proof.
  unfold decided, bounded_columns_. rewrite forallb_forall.
  assert (each : forall g, inner (law_of mu : fin n -> R) (law_of g) <=
    Q2R L * inner (law_of nu : fin n -> R) (law_of g) <->
    Qle_bool (dot (n := n) mu g) (L * dot (n := n) nu g) = true).
  { intros g. rewrite !inner_dot, <- Q2R_mult, Qle_bool_iff. split; [apply Rle_Qle|apply Qle_Rle]. }
  assert (same : columns_bounded near d (Q2R P) (law_of mu) (law_of nu) (Q2R L) <->
    forall g, In g (generators (fin_dec n) (map law_of (rows_ P))) ->
    inner (law_of mu) g <= Q2R L * inner (law_of nu) g).
  { rewrite <- generators_bound. unfold columns_bounded. split; intros h u k; apply h;
      now apply close_within. }
  rewrite same, generators_tables. split.
  - intros h g i. apply in_map_iff in i as [q [<- i]]. now apply each, h.
  - intros h q i. apply each, h. now apply in_map.
Qed.

Definition levels_ (Rs : list Q) := forallb (fun r => Qle_bool 1 r) Rs.
Lemma d_mechanisms Rs mu nu L :
  decided (mechanisms_bounded near d (map Q2R Rs) (law_of mu) (law_of nu) (Q2R L))
    (symmetric_ && ((match Rs with [] => false | _ => true end) && (levels_ Rs &&
      bounded_columns_ (qprod Rs (fun q => q)) mu nu L))).
Proof.
  pose proof d_symmetric as ds. pose proof (d_nonempty Rs) as dn.
  pose proof (d_columns_bounded (qprod Rs (fun q => q)) mu nu L) as dc.
  rewrite <- (r_product_of Rs) in dc.
  assert (dl : levels_ Rs = true <-> forall ratio, In ratio (map Q2R Rs) -> 1 <= ratio).
  { pose proof (d_in_map Q2R Rs (fun r => 1 <= r) (fun r => Qle_bool 1 r)
      (fun r => d_le 1 (Q2R r) 1 r r_1 eq_refl)) as h. exact h. }
  unfold decided in *. rewrite !andb_true_iff, ds, dn, dl, dc. split.
  - intros [sym [some [r1 bound]]]. now apply power_closed.
  - intros bound. pose proof bound as [sym [some [r1 _]]]. repeat (split; [easy|]).
    now apply power_closed.
Qed.
End Metric.

#[export] Hint Extern 0 (decided (symmetric_distance _ _) _) => apply d_symmetric :
  typeclass_instances.
#[export] Hint Extern 0 (decided (columns_bounded _ _ (Q2R _) _ _ _) _) =>
  apply d_columns_bounded : typeclass_instances.
#[export] Hint Extern 0 (decided (mechanisms_bounded _ _ _ _ _ _) _) =>
  apply d_mechanisms : typeclass_instances.
