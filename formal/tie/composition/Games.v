(** That a matrix game has a value within bounds is decided at generators of two cones. *)
From Coq Require Import Reals QArith Qreals Lra List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Worst Rays Values.
From Tied Require Import Decide Entries Pairs Vertices.
Import ListNotations.
Open Scope R_scope.

Section Games.
Context {n m : nat}.

Definition keeps_ (g : fin n -> fin m -> Q) V := existsb
  (fun u => existsb (fun x : fin m => Vertices.positive u x) all)
  (generators_ (n := m) (map (fun w => tabled (fun y => Qred (g w y - V))) all)).

Lemma d_keeps_ (g : fin n -> fin m -> R) gq V Vq : (forall w y, rational (g w y) (gq w y)) ->
  rational V Vq -> decided (columns_keep g V) (keeps_ gq Vq).
Proof.
  intros eg eV. unfold decided, keeps_. rewrite (keep_at_generators (fin_dec m)).
  assert (E : map (fun w y => g w y - V) all =
    map law_of (map (fun w => tabled (fun y => Qred (gq w y - Vq))) (all : list (fin n)))).
  { rewrite map_map. apply map_ext. intros w. rewrite law_tabled.
    apply functional_extensionality. intros y. unfold rational in *.
    now rewrite red, Q2R_minus, <- eg, <- eV. }
  rewrite E, generators_tables, existsb_exists. split.
  - intros [u [i some]]. apply existsb_exists in some as [y [_ pos]].
    exists (law_of u). split; [now apply in_map|]. exists y. now apply positive_at.
  - intros [u [i [y pos]]]. apply in_map_iff in i as [q [<- i]]. exists q. split; [easy|].
    apply existsb_exists. exists y. split; [apply all_here|now apply positive_at].
Qed.
End Games.

#[export] Instance d_value_between n m (g : fin (S n) -> fin (S m) -> R) gq A Aq B Bq :
  (forall w y, rational (g w y) (gq w y)) -> rational A Aq -> rational B Bq ->
  decided (value_between g A B)
    (keeps_ gq Bq && keeps_ (fun y w => Qred (- gq w y)) (Qred (- Aq))) | 0.
Proof.
  intros eg eA eB. unfold decided. rewrite andb_true_iff, (value_between_decided g A B None None).
  assert (neg : forall r q, rational r q -> rational (- r) (Qred (- q))).
  { unfold rational. intros r q ->. now rewrite red, Q2R_opp. }
  pose proof (d_keeps_ g gq B Bq eg eB) as one.
  pose proof (d_keeps_ (fun y w => - g w y) (fun y w => Qred (- gq w y)) (- A) (Qred (- Aq))
    (fun y w => neg _ _ (eg w y)) (neg _ _ eA)) as two.
  unfold decided in *. now rewrite one, two.
Qed.
