(** That a matrix game has a value within bounds is decided at generators of two cones; linear
    programs over logarithms of powers of 2 are decided by eliminating outputs. *)
From Coq Require Import Reals QArith Qreals Lra List Bool FunctionalExtensionality ZArith.
From Pufferproof Require Import Sums Pufferfish Chain Worst Rays Values Necessary Programs.
From Tied Require Import Decide Entries Pairs Vertices Weighed.
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

(** A power of 2, or 0. *)
Definition shown (c : Z * Z) : R := if (0 <? fst c)%Z then exp (two (snd c)) else 0.

Section Programs.
Context {n : nat} {W : Type} `{Finite W}.
Context (z : fin n -> W -> Z * Z) (k : Z) (s t : @secret (fin n)).
Let M x w := shown (z x w).

Definition outputs_of (x : fin n) := filter (fun w => (0 <? fst (z x w))%Z) all.
Definition weighs x := negb (none_weigh (fun (_ : unit) x w => z x w) k
  (fun l => if t l then 1%Q else 0%Q) x).
Definition all_weigh := forallb (fun x => negb (s x) || weighs x) all.
Definition none_or_weigh := forallb (fun x => negb (s x) || match outputs_of x with
  [] => true | _ => weighs x end) all.
Definition all_shown := forallb (fun x => forallb (fun w => (0 <? fst (z x w))%Z) all) all.

Lemma shown_nonneg : likelihood M.
Proof. intros x w. unfold M, shown. destruct Z.ltb; [left; apply exp_pos|lra]. Qed.

Lemma shown_positive x w : 0 < M x w <-> (0 <? fst (z x w))%Z = true.
Proof. unfold M, shown. destruct Z.ltb; split; try easy; [|lra]. intros _. apply exp_pos. Qed.

Lemma weighs_exactly x : weighs x = true <-> exists beta, weighed_by (two k) M t x beta.
Proof.
  set (zs := fun (_ : unit) x w => z x w).
  assert (Q1 : forall l, rational (inside (fun _ => 1) t l) (if t l then 1%Q else 0%Q)).
  { intros l. unfold inside. destruct (t l); [apply r_1|apply r_0]. }
  pose proof (d_weighed (fin_dec n) zs k (fun _ => 1) t _ Q1 x) as d. unfold decided in d.
  transitivity (negb (none_weigh zs k (fun l => if t l then 1%Q else 0%Q) x) = true); [easy|].
  rewrite d. split; intros [beta wb]; exists beta.
  - apply (weighed_up zs k (fun _ => 1) t x beta) in wb. exact wb.
  - apply (weighed_up zs k (fun _ => 1) t x beta). exact wb.
Qed.

Lemma weighs_below x : weighs x = true <->
  exists y, y <= two k /\ dual_feasible M t x y.
Proof.
  rewrite weighs_exactly. split.
  - intros [beta wb]. exists (two k). split; [lra|]. now apply (weighed_dual _ _ _ _ beta).
  - intros [y [le dual]]. apply (dual_more M t x y (two k)) in dual; [|easy].
    assert (some : some_database t).
    { destruct dual as [beta [[b0 b1] [here _]]].
      destruct (sum_pos_exists all beta) as [l [_ up]]; [lra|]. exists l. auto. }
    destruct (above_or_weighed (fin_dec n) (two k) M t x shown_nonneg some) as [up|]; [|easy].
    now destruct (never_above M t x (two k) dual).
Qed.

Lemma weighs_above x : match outputs_of x with [] => true | _ => weighs x end = true <->
  ~ above (two k) M t x.
Proof.
  assert (found : forall w, In w (outputs_of x) <-> 0 < M x w).
  { intros w. unfold outputs_of. rewrite filter_In, shown_positive. intuition. apply all_here. }
  destruct (outputs_of x) as [|w l].
  - split; [|easy]. intros _ [alpha [[a0 a1] [gx _]]].
    destruct (sum_pos_exists all alpha) as [w [_ up]]; [lra|]. now apply (found w), gx.
  - rewrite weighs_below. split.
    + intros [y [le dual]]. apply (never_above M t x (two k)). now apply (dual_more M t x y).
    + intros none. destruct (Classical_Prop.classic (some_database t)) as [some|no].
      * exists (two k). split; [lra|].
        destruct (above_or_weighed (fin_dec n) (two k) M t x shown_nonneg some) as [|[b wb]];
          [easy|now apply (weighed_dual _ _ _ _ b)].
      * destruct none. exists (Spectrum.point w). split; [split|split].
        -- intros v. unfold Spectrum.point. destruct Compactness.decision; lra.
        -- rewrite <- (Spectrum.sum_point all w (fun _ => 1) all_once (all_here w)).
           apply sum_ext; intros; ring.
        -- intros v. unfold Spectrum.point. destruct Compactness.decision as [->|]; [|lra].
           intros _. apply found. now left.
        -- intros v tv. destruct no. now exists v.
Qed.

Lemma d_close : decided (means_close (two k) M s t) none_or_weigh.
Proof.
  unfold decided, none_or_weigh. rewrite forallb_forall, close_unless_above. split.
  - intros each x sx. apply weighs_above. specialize (each x (all_here x)). now rewrite sx in each.
  - intros each x _. destruct (s x) eqn:sx; [|easy]. now apply weighs_above, each.
Qed.

Lemma d_programs : decided (programs_below (two k) M s t) none_or_weigh.
Proof. pose proof d_close as d. unfold decided in *. now rewrite d, close_iff_below. Qed.

Lemma d_duals : decided (duals_below (two k) M s t) all_weigh.
Proof.
  unfold decided, all_weigh. rewrite forallb_forall. split.
  - intros each x sx. apply weighs_below. specialize (each x (all_here x)). now rewrite sx in each.
  - intros each x _. destruct (s x) eqn:sx; [|easy]. now apply weighs_below, each.
Qed.

Lemma d_optima (w0 : W) : decided (optima_below (two k) M s t) (all_shown && all_weigh).
Proof.
  pose proof d_duals as d. unfold decided in *. rewrite andb_true_iff.
  assert (up : all_shown = true <-> forall l w, 0 < M l w).
  { unfold all_shown. rewrite forallb_forall. split.
    - intros each l w. specialize (each l (all_here l)). rewrite forallb_forall in each.
      apply shown_positive, each, all_here.
    - intros pos l _. apply forallb_forall. intros w _. now apply shown_positive. }
  rewrite up, d. split.
  - intros [pos each]. apply (optima_exactly w0); [easy|]. apply close_unless_above. intros x sx.
    destruct (each x sx) as [y [le dual]]. apply never_above. now apply (dual_more M t x y).
  - intros [pos each]. split; [easy|]. intros x sx. destruct (each x sx) as [V [le [_ [dual _]]]].
    now exists V.
Qed.

Lemma d_some : decided (some_database t) (existsb t all).
Proof.
  unfold decided, some_database. rewrite existsb_exists. split.
  - intros [l [_ tl]]. now exists l.
  - intros [l tl]. exists l. split; [apply all_here|easy].
Qed.
End Programs.
#[export] Hint Extern 0 (decided (means_close _ _ _ _) _) => eapply d_close : typeclass_instances.
#[export] Hint Extern 0 (decided (programs_below _ _ _ _) _) => eapply d_programs :
  typeclass_instances.
#[export] Hint Extern 0 (decided (duals_below _ _ _ _) _) => eapply d_duals : typeclass_instances.
#[export] Hint Extern 0 (decided (optima_below _ _ _ _) _) => eapply (d_optima _ _ _ _ None) :
  typeclass_instances.
#[export] Hint Extern 0 (decided (some_database _) _) => eapply d_some : typeclass_instances.
