(** How segments of tables, what one record of a chain tells of another and values of records in a
    range are decided: tables have their places in the order of all of them. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Parallel.
From Pufferproof Require Import ParallelChains SequentialChains TableQuilts ParallelSegments.
From Pufferproof Require Import QuiltsOfTables.
From Tied Require Import Decide Entries Chains.
Import ListNotations.
Open Scope R_scope.

Section Tables.
Context {m n : nat}.
Notation A := (fin (S m)).
Notation T := (vec A n).
Definition set_read (l : list nat) : T -> bool := fun x => existsb (Nat.eqb (place x)) l.
Definition table_read {w} (l : list (list Q)) : T -> fin w -> R :=
  fun x y => Q2R (entry (nth (place x) l []) (rank y)).
#[export] Instance r_table_read {w} l x (y : fin w) :
  rational (table_read l x y) (entry (nth (place x) l []) (rank y)).
Proof. easy. Qed.

Definition same_list (a b : list A) : bool := if list_eq_dec (d A) a b then true else false.
Lemma same_is a b : same_list a b = true <-> a = b.
Proof. unfold same_list. now destruct (list_eq_dec (d A) a b). Qed.

(** What a set or a mechanism depends on. *)
#[export] Instance d_looks_at (sees : T -> list A) (s : T -> bool) : decided (looks_at sees s)
  (forallb (fun x => forallb (fun y => negb (same_list (sees x) (sees y)) || eqb (s x) (s y)) all)
    all) | 0.
Proof.
  unfold decided, looks_at. rewrite forallb_forall. split.
  - intros h x y e. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). apply same_is in e. rewrite e in h. now apply eqb_prop.
  - intros h x _. apply forallb_forall; intros y _. destruct (same_list (sees x) (sees y)) eqn:e;
      [|easy]. simpl. apply same_is in e. rewrite (h x y e). apply eqb_reflx.
Qed.
#[export] Instance d_reads (sees : T -> list A) {w} (M : T -> fin w -> R) c :
  (forall x y z, decided (M x z = M y z) (c x y z)) -> decided (looks_at sees M)
  (forallb (fun x => forallb (fun y => negb (same_list (sees x) (sees y)) ||
    forallb (c x y) all) all) all) | 0.
Proof.
  intros each. unfold decided, looks_at. rewrite forallb_forall. split.
  - intros h x y e. apply functional_extensionality. intros z. specialize (h x (all_here x)).
    rewrite forallb_forall in h. specialize (h y (all_here y)). apply same_is in e.
    rewrite e in h. simpl in h. rewrite forallb_forall in h. apply each, h, all_here.
  - intros h x _. apply forallb_forall; intros y _. destruct (same_list (sees x) (sees y)) eqn:e;
      [|easy]. simpl. apply same_is in e. apply forallb_forall; intros z _. apply each.
    now rewrite (h x y e).
Qed.

(** The values of all records in a range are secret. *)
Lemma d_values_in ratio {W} `{Finite W} (M : T -> W -> R) (l : list raw_chain) first last b :
  (forall r i x y z, decided (0 < P (law_of_chain (chain_read r) n) (record_is (d A) i x) ->
    0 < P (law_of_chain (chain_read r) n) (record_is (d A) i y) ->
    Pw (law_of_chain (chain_read r) n) M (record_is (d A) i x) z *
      P (law_of_chain (chain_read r) n) (record_is (d A) i y) <=
    ratio * P (law_of_chain (chain_read r) n) (record_is (d A) i x) *
      Pw (law_of_chain (chain_read r) n) M (record_is (d A) i y) z) (b r i x y z)) ->
  decided (pufferfish ratio M (two_values_in (d A) n first last) (laws_of (class_read l) n))
    (forallb (fun r => forallb (fun i => forallb (fun x => forallb (fun y => forallb (b r i x y)
      all) all) all) (filter (fun i => Nat.leb i last && Nat.leb first i) (seq 0 n))) l).
Proof.
  intros each. unfold decided. split.
  - intros h p s t z [c [i ->]] [k [x [y [range [-> ->]]]]] Ps Pt.
    apply in_map_iff in i as [r [<- i]].
    destruct (Nat.lt_ge_cases k n) as [here|far]; [|now apply (beyond_impossible _ k x far) in Ps].
    rewrite forallb_forall in h. specialize (h r i). rewrite forallb_forall in h.
    assert (In k (filter (fun i => Nat.leb i last && Nat.leb first i) (seq 0 n))) as there.
    { apply filter_In. split; [apply in_seq; lia|]. rewrite andb_true_iff, !Nat.leb_le. lia. }
    specialize (h k there). rewrite forallb_forall in h. specialize (h x (all_here x)).
    rewrite forallb_forall in h. specialize (h y (all_here y)). rewrite forallb_forall in h.
    specialize (h z (all_here z)). now apply (each r k x y z).
  - intros h. apply forallb_forall; intros r i. apply forallb_forall; intros k ik.
    apply filter_In in ik as [_ range]. rewrite andb_true_iff, !Nat.leb_le in range.
    apply forallb_forall; intros x _. apply forallb_forall; intros y _. apply forallb_forall;
      intros z _. apply each. intros Ps Pt. apply h; auto.
    + exists (chain_read r). split; [now apply in_map|easy].
    + exists k, x, y. split; [lia|easy].
Qed.

(** What one record tells of another one, under each chain of a class. *)
Lemma d_told_at_most (l : list raw_chain) k j F b :
  (forall r v u q, decided (0 < P (law_of_chain (chain_read r) n) (value (decide_option (d A))
      (record k) v) ->
    0 < P (law_of_chain (chain_read r) n) (value (decide_option (d A)) (record k) u) ->
    p_quilt (decide_option (d A)) (record j) (law_of_chain (chain_read r) n)
      (value (decide_option (d A)) (record k) v) q *
      P (law_of_chain (chain_read r) n) (value (decide_option (d A)) (record k) u) <=
    F * P (law_of_chain (chain_read r) n) (value (decide_option (d A)) (record k) v) *
      p_quilt (decide_option (d A)) (record j) (law_of_chain (chain_read r) n)
      (value (decide_option (d A)) (record k) u) q) (b r v u q)) ->
  decided (forall p : T -> R, laws_of (class_read l) n p -> told_at_most (d A) p k j F)
    (forallb (fun r => forallb (fun v => forallb (fun u => forallb (b r v u) all) all) all) l).
Proof.
  intros each. unfold decided. rewrite forallb_forall. split.
  - intros h p [c [i ->]] v u Pv Pu q. apply in_map_iff in i as [r [<- i]]. specialize (h r i).
    rewrite forallb_forall in h. specialize (h v (all_here v)). rewrite forallb_forall in h.
    specialize (h u (all_here u)). rewrite forallb_forall in h. apply (each r v u q); auto.
    apply h, all_here.
  - intros h r i. apply forallb_forall; intros v _. apply forallb_forall; intros u _.
    apply forallb_forall; intros q _. apply each. intros Pv Pu. apply h; auto.
    exists (chain_read r). split; [now apply in_map|easy].
Qed.
End Tables.
#[export] Hint Extern 0 (decided (pufferfish _ _ (two_values_in _ _ _ _) _) _) =>
  eapply d_values_in : typeclass_instances.
#[export] Hint Extern 0 (decided (forall p, laws_of _ _ p -> told_at_most _ p _ _ _) _) =>
  eapply d_told_at_most : typeclass_instances.
#[export] Hint Extern 2 (rational (P _ (meet _ _)) _) => unfold P, meet : typeclass_instances.


(** The larger and the smaller of two levels. *)
#[export] Instance l_max x y p q : level x p -> level y q ->
  level (Rmax x y) (if Qle_bool p q then q else p).
Proof.
  intros lx ly. pose proof (d_level_le x y p q lx ly) as le. unfold decided in le.
  destruct (Qle_bool p q); [rewrite Rmax_right; [easy|now apply le]|].
  rewrite Rmax_left; [easy|]. apply Rnot_lt_le. intros less.
  assert (false = true) by (apply le; lra). discriminate.
Qed.
#[export] Instance l_min x y p q : level x p -> level y q ->
  level (Rmin x y) (if Qle_bool p q then p else q).
Proof.
  intros lx ly. pose proof (d_level_le x y p q lx ly) as le. unfold decided in le.
  destruct (Qle_bool p q); [rewrite Rmin_left; [easy|now apply le]|].
  rewrite Rmin_right; [easy|]. apply Rnot_lt_le. intros less.
  assert (false = true) by (apply le; lra). discriminate.
Qed.

#[export] Instance r_loose_law m (r : list Q * list (list (list Q))) n v :
  rational (law_of_chain (loose_chain (m := m) r) n v) (match list_of v with [] => 1%Q
  | x :: l => Qred (entry (fst r) (rank x) * qsteps (fun k x y => entry (nth (rank x)
      (nth k (snd r) (last (snd r) [])) []) (rank y)) 0 x l) end).
Proof. unfold law_of_chain, sequence_law. apply r_chain; intros; apply r_q. Qed.

#[export] Instance d_either {D W} `{Finite D} ratio (M : D -> W -> R) a a' priors b c :
  decided (pufferfish ratio M a priors) b -> decided (pufferfish ratio M a' priors) c ->
  decided (pufferfish ratio M (either a a') priors) (b && c) | 0.
Proof.
  unfold decided. rewrite andb_true_iff. intros -> ->. split.
  - intros [h k] p s t w Hp [st|st]; [now apply h|now apply k].
  - intros h. split; intros p s t w Hp st; apply h; auto; [now left|now right].
Qed.
