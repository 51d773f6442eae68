(** The worst case of mechanisms within their levels is decided at generators of the cones, which
    are computed in rational numbers. *)
From Coq Require Import Reals QArith Qreals Lra List Bool FunctionalExtensionality.
From Pufferproof Require Import Sums Pufferfish Worst Rays Vertices.
From Tied Require Import Decide Entries Pairs.
Import ListNotations.
Open Scope R_scope.

Section Tables.
Context {n : nat}.
Definition column := list Q.
Definition dot (a u : column) : Q := qsum (all : list (fin n)) (fun x =>
  Qred (entry a (rank x) * entry u (rank x))).
Definition tabled (f : fin n -> Q) : column := map f all.

Lemma tabled_at f x : Q2R (entry (tabled f) (rank x)) = Q2R (f x).
Proof.
  unfold tabled, entry. f_equal. revert f x. induction n as [|k IH]; intros f x; [destruct x|].
  destruct x as [x|]; [|easy]. simpl. rewrite map_map. exact (IH (fun y => f (Some y)) x).
Qed.

Lemma law_tabled f : (law_of (tabled f) : fin n -> R) = fun x => Q2R (f x).
Proof. apply functional_extensionality. intros x. apply tabled_at. Qed.

Lemma inner_dot a u : inner (law_of a : fin n -> R) (law_of u) = Q2R (dot a u).
Proof.
  apply r_sum. intros x. unfold rational. now rewrite red, Q2R_mult.
Qed.

Definition meeting a (pn : column * column) : column :=
  let below := Qred (- dot a (snd pn)) in let above := dot a (fst pn) in
  tabled (fun x => Qred (below * entry (fst pn) (rank x) + above * entry (snd pn) (rank x))).
Definition low a g := Qle_bool (dot a g) 0.
Definition cut_ a G := filter (low a) G ++ map (meeting a)
  (list_prod (filter (fun g => negb (low a g)) G) (filter (low a) G)).

Lemma low_beyond a g : beyond (law_of a : fin n -> R) (law_of g) = negb (low a g).
Proof.
  unfold beyond, low. rewrite inner_dot. pose proof (d_lt 0 (Q2R (dot a g)) 0 (dot a g) r_0 eq_refl)
    as d. unfold decided in d. destruct (Rlt_dec 0 _) as [lt|ge].
  - symmetry. now apply d.
  - destruct (negb _); [|easy]. destruct ge. now apply d.
Qed.

Lemma filter_map {A B} (f : A -> B) p q l : (forall x, p (f x) = q x) ->
  filter p (map f l) = map f (filter q l).
Proof. intros E. induction l as [|x l IH]; simpl; [easy|]. rewrite E, IH. now destruct (q x). Qed.

Lemma prod_map {A B} (f : A -> B) l m :
  list_prod (map f l) (map f m) = map (fun p => (f (fst p), f (snd p))) (list_prod l m).
Proof.
  induction l as [|x l IH]; simpl; [easy|]. rewrite map_app, !map_map, IH. easy.
Qed.

Lemma meet_meeting a p q : meet (law_of a : fin n -> R) (law_of p, law_of q) =
  law_of (meeting a (p, q)).
Proof.
  unfold meeting. cbv zeta. rewrite law_tabled. apply functional_extensionality. intros x.
  unfold meet; cbn [fst snd]. rewrite !inner_dot, red, Q2R_plus, !Q2R_mult, red, Q2R_opp.
  reflexivity.
Qed.

Lemma cut_tables a G : cut (law_of a : fin n -> R) (map law_of G) = map law_of (cut_ a G).
Proof.
  unfold cut, cut_. rewrite map_app. f_equal.
  - apply filter_map. intros g. now rewrite low_beyond, negb_involutive.
  - rewrite (filter_map law_of _ (fun g => negb (low a g))), (filter_map law_of _ (low a)).
    + rewrite prod_map, !map_map. apply map_ext. intros [p q]. apply meet_meeting.
    + intros g. now rewrite low_beyond, negb_involutive.
    + intros g. now rewrite low_beyond.
Qed.

Definition units : list column :=
  map (fun y => tabled (fun x => if fin_dec n x y then 1%Q else 0%Q)) all.
Definition generators_ forms := fold_right cut_ units forms.

Lemma generators_tables forms :
  generators (fin_dec n) (map law_of forms) = map law_of (generators_ forms).
Proof.
  induction forms as [|a forms IH]; simpl.
  - unfold units. rewrite map_map. apply map_ext. intros y. rewrite law_tabled.
    apply functional_extensionality. intros x. unfold unit_ray.
    destruct fin_dec; unfold Q2R; simpl; lra.
  - rewrite IH. apply cut_tables.
Qed.

Definition laws := list (column * column).
Definition pairs_ (T : laws) :=
  map (fun z => (law_of (fst z) : fin n -> R, law_of (snd z) : fin n -> R)) T.
Definition forms_ (T : laws) r :=
  map (fun z => tabled (fun x => Qred (entry (fst z) (rank x) - r * entry (snd z) (rank x)))) T.
Definition occurring_ T r :=
  forms_ (if Qle_bool r 1 then T ++ map (fun z => (snd z, fst z)) T else T) r.

Lemma forms_tables T r : forms_of (pairs_ T) (Q2R r) = map law_of (forms_ T r).
Proof.
  unfold forms_of, pairs_, forms_. rewrite !map_map. apply map_ext. intros z. rewrite law_tabled.
  apply functional_extensionality. intros x. cbn [fst snd]. now rewrite red, Q2R_minus, Q2R_mult.
Qed.

Lemma occurring_tables T r : occurring (pairs_ T) (Q2R r) = map law_of (occurring_ T r).
Proof.
  unfold occurring, occurring_.
  assert (E : pairs_ T ++ map (fun mn => (snd mn, fst mn)) (pairs_ T) =
    pairs_ (T ++ map (fun z => (snd z, fst z)) T)).
  { unfold pairs_. now rewrite map_app, !map_map. }
  rewrite E. pose proof (d_lt 1 (Q2R r) 1 r r_1 eq_refl) as d. unfold decided in d.
  destruct (Rlt_dec 1 (Q2R r)) as [lt|ge], (Qle_bool r 1); try apply forms_tables; exfalso.
  - now apply d in lt.
  - now apply ge, d.
Qed.

Definition lists_ T Rs := map (fun r => generators_ (occurring_ T r)) Rs.

Lemma lists_tables T Rs : generator_lists (fin_dec n) (pairs_ T) (map Q2R Rs) =
  map (map law_of) (lists_ T Rs).
Proof.
  unfold generator_lists, lists_. rewrite !map_map. apply map_ext. intros r.
  now rewrite occurring_tables, generators_tables.
Qed.

Lemma tuples_map {A B} (f : A -> B) Gs : tuples (map (map f) Gs) = map (map f) (tuples Gs).
Proof.
  induction Gs as [|G Gs IH]; simpl; [easy|]. rewrite IH. generalize (tuples Gs). intros l.
  induction G as [|g G IH']; simpl; [easy|]. rewrite map_app, IH', !map_map. f_equal.
Qed.

Definition times_ (rs : list column) : column :=
  tabled (fun x => fold_right (fun r p => Qred (entry r (rank x) * p)) 1%Q rs).

Lemma times_tables rs : product (map law_of rs) = (law_of (times_ rs) : fin n -> R).
Proof.
  unfold times_. rewrite law_tabled. apply functional_extensionality. intros x.
  induction rs as [|r rs IH]; cbn [map product fold_right]; [unfold Q2R; simpl; lra|].
  rewrite red, Q2R_mult, <- IH. easy.
Qed.

Definition bounded_ T Rs L := forallb (fun rs => let u := times_ rs in
  forallb (fun z => Qle_bool (dot (fst z) u) (L * dot (snd z) u)) T) (tuples (lists_ T Rs)).

Lemma d_bounded T Rs L : decided (bounded_at_rays (pairs_ T) (map Q2R Rs) (Q2R L))
  (bounded_ T Rs L).
Proof.
  unfold decided, bounded_. rewrite (bounded_at_generators (fin_dec n)), lists_tables, tuples_map,
    forallb_forall.
  assert (each : forall rs z, inner (law_of (fst z) : fin n -> R) (product (map law_of rs)) <=
    Q2R L * inner (law_of (snd z) : fin n -> R) (product (map law_of rs)) <->
    Qle_bool (dot (fst z) (times_ rs)) (L * dot (snd z) (times_ rs)) = true).
  { intros rs z. rewrite times_tables, !inner_dot, <- Q2R_mult, Qle_bool_iff.
    split; [apply Rle_Qle|apply Qle_Rle]. }
  split.
  - intros h rs i mu nu im. apply in_map_iff in i as [qs [<- iq]].
    apply in_map_iff in im as [z [E iz]]. injection E as <- <-. specialize (h qs iq).
    rewrite forallb_forall in h. now apply each, h.
  - intros h rs i. apply forallb_forall. intros z iz. apply each, h.
    + now apply in_map.
    + apply in_map_iff. now exists z.
Qed.

Definition positive (u : column) (x : fin n) := negb (Qle_bool (entry u (rank x)) 0).
Definition splits_ (T : laws) rs := existsb (fun z =>
  existsb (fun x => positive (fst z) x && forallb (fun r => positive r x) rs) all &&
  forallb (fun x => negb (positive (snd z) x) || existsb (fun r => negb (positive r x)) rs) all) T.

Lemma positive_at u x : positive u x = true <-> 0 < (law_of u : fin n -> R) x.
Proof.
  pose proof (d_lt 0 (Q2R (entry u (rank x))) 0 _ r_0 eq_refl) as d. exact d.
Qed.

Lemma d_splits T rs : splits (pairs_ T) (map law_of rs) <-> splits_ T rs = true.
Proof.
  assert (all_ : forall x, (forall r, In r (map law_of rs) -> 0 < (r : fin n -> R) x) <->
    forallb (fun r => positive r x) rs = true).
  { intros x. rewrite forallb_forall. split.
    - intros h r i. apply positive_at, h. now apply in_map.
    - intros h r i. apply in_map_iff in i as [q [<- i]]. now apply positive_at, h. }
  unfold splits, splits_. rewrite existsb_exists. split.
  - intros [mu [nu [i [[x [mx pos]] miss]]]]. apply in_map_iff in i as [z [E i]].
    injection E as <- <-. exists z. split; [easy|]. rewrite andb_true_iff, existsb_exists,
      forallb_forall. split.
    + exists x. split; [apply all_here|]. rewrite andb_true_iff. split; [now apply positive_at|].
      now apply all_.
    + intros y _. cbv beta.
      match goal with |- negb ?p || _ = true => destruct p eqn:P; [|easy] end. simpl.
      apply positive_at in P. destruct (miss y P) as [r [ir no]].
      apply in_map_iff in ir as [q [<- iq]]. apply existsb_exists. exists q. split; [easy|].
      apply negb_true_iff, not_true_iff_false. intros p. now apply no, positive_at.
  - intros [z [i both_]]. rewrite andb_true_iff, existsb_exists, forallb_forall in both_.
    destruct both_ as [[x [_ two]] miss]. apply andb_true_iff in two as [mx pos].
    exists (law_of (fst z)), (law_of (snd z)). split; [apply in_map_iff; now exists z|]. split.
    + exists x. split; [now apply positive_at|]. now apply all_.
    + intros y ny. apply positive_at in ny. specialize (miss y (all_here y)). rewrite ny in miss.
      apply existsb_exists in miss as [q [iq no]]. exists (law_of q). split; [now apply in_map|].
      intros p. apply positive_at in p. rewrite p in no. discriminate.
Qed.

Lemma d_rays_split T Rs : decided (rays_split (pairs_ T) (map Q2R Rs))
  (existsb (splits_ T) (tuples (lists_ T Rs))).
Proof.
  unfold decided. rewrite (split_at_generators (fin_dec n)), lists_tables, tuples_map,
    existsb_exists. split.
  - intros [rs [i s]]. exists (map law_of rs). split; [now apply in_map|]. now apply d_splits.
  - intros [rs [i s]]. apply in_map_iff in i as [qs [<- i]]. exists qs. split; [easy|].
    now apply d_splits.
Qed.

Lemma d_allowed (T : laws) a : decided (pairs_of_laws (pairs_ T)) a -> forall Rs b,
  decided (forall ratio, In ratio (map Q2R Rs) -> 1 <= ratio) b ->
  (forall L, decided (bounded_by (pairs_ T) (map Q2R Rs) (Q2R L)) (a && (b && bounded_ T Rs L))) /\
  decided (without_bound (pairs_ T) (map Q2R Rs))
    (a && (b && existsb (splits_ T) (tuples (lists_ T Rs)))).
Proof.
  intros da Rs b db. pose proof (d_rays_split T Rs) as ds.
  pose proof (d_bounded T Rs) as most. unfold decided in *. split.
  - intros L. rewrite !andb_true_iff, da, db, (most L). split.
    + intros [laws [r1 at_rays]]. now apply attained_at_rays.
    + intros bound. pose proof bound as [laws [r1 _]]. repeat (split; [easy|]).
      now apply attained_at_rays.
  - rewrite !andb_true_iff, da, db, ds. split.
    + intros [laws [r1 at_rays]]. now apply infinite_at_rays.
    + intros none. pose proof none as [laws [r1 _]]. repeat (split; [easy|]).
      now apply infinite_at_rays.
Qed.
End Tables.

#[export] Hint Extern 0 (decided (pairs_of_laws _) _) => unfold pairs_of_laws : typeclass_instances.
#[export] Instance d_pairs_of_laws {A} n (f g : A -> fin n -> R) l b :
  (forall x, decided (law (f x) /\ law (g x)) (b x)) ->
  decided (pairs_of_laws (map (fun z => (f z, g z)) l)) (forallb b l) | 0.
Proof. intros d. exact (d_pairs_map (fun z => (f z, g z)) l _ b d). Qed.
#[export] Instance d_bounded_at_rays n (T : list (list Q * list Q)) Rs L :
  decided (bounded_at_rays (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T) (map Q2R Rs) (Q2R L))
    (bounded_ (n := n) T Rs L) | 0.
Proof. exact (d_bounded T Rs L). Qed.
#[export] Instance d_rays_split_ n (T : list (list Q * list Q)) Rs :
  decided (rays_split (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T) (map Q2R Rs))
    (existsb (splits_ (n := n) T) (tuples (lists_ (n := n) T Rs))) | 0.
Proof. exact (d_rays_split T Rs). Qed.
#[export] Instance d_bounded_by n (T : list (list Q * list Q)) Rs L a b :
  decided (pairs_of_laws (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T)) a ->
  decided (forall ratio, In ratio (map Q2R Rs) -> 1 <= ratio) b ->
  decided (bounded_by (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T) (map Q2R Rs) (Q2R L))
    (a && (b && bounded_ (n := n) T Rs L)) | 0.
Proof. intros da db. exact (proj1 (d_allowed T a da Rs b db) L). Qed.
#[export] Instance d_without_bound n (T : list (list Q * list Q)) Rs a b :
  decided (pairs_of_laws (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T)) a ->
  decided (forall ratio, In ratio (map Q2R Rs) -> 1 <= ratio) b ->
  decided (without_bound (map (fun z => ((fun x : fin n => Q2R (entry (fst z) (rank x))),
    (fun x : fin n => Q2R (entry (snd z) (rank x))))) T) (map Q2R Rs))
    (a && (b && existsb (splits_ (n := n) T) (tuples (lists_ (n := n) T Rs)))) | 0.
Proof. intros da db. exact (proj2 (d_allowed T a da Rs b db)). Qed.
