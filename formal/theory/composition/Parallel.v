(** Parallel composition: Alice releases something of her segment of a chain, Bob of his, and the
    secrets of both must stay hidden. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts.
Import ListNotations.
Open Scope R_scope.

Section Separated.
Context {D Z : Type} `{Finite D} `{Finite Z} (dz : forall y z : Z, {y = z} + {y <> z}).

(** A function of the database that only looks at what [sees] shows. *)
Definition looks_at {V U} (sees : D -> V) (phi : D -> U) :=
  forall x y, sees x = sees y -> phi x = phi y.
(** The mean of phi where z has the value v, times the probability of that. *)
Definition mean_at (p : D -> R) (z : D -> Z) v (phi : D -> R) := Σ x, p x * phi x * at_ dz z v x.
(** What Alice sees and what Bob sees are independent given z. *)
Definition separates {V U} (p : D -> R) (z : D -> Z) (alice : D -> V) (bob : D -> U) :=
  forall v phi psi, looks_at alice phi -> looks_at bob psi ->
    mean_at p z v (fun x => phi x * psi x) * mean_at p z v (fun _ => 1) =
    mean_at p z v phi * mean_at p z v psi.

Definition value (z : D -> Z) v : @secret D := fun x => if dz (z x) v then true else false.

Lemma P_value p z v : P p (value z v) = mean_at p z v (fun _ => 1).
Proof.
  unfold P, mean_at, inside, value, at_. apply sum_ext; intros x _. destruct (dz (z x) v); ring.
Qed.

Lemma Pw_value {W} p z v (N : D -> W -> R) w :
  Pw p N (value z v) w = mean_at p z v (fun x => N x w).
Proof.
  unfold Pw, mean_at, inside, value, at_. apply sum_ext; intros x _. destruct (dz (z x) v); ring.
Qed.

Lemma sum_means p z phi : (Σ x, p x * phi x) = Σ v, mean_at p z v phi.
Proof. apply (sum_fibres dz z (fun x => p x * phi x)). Qed.

Lemma mean_nonneg p z v phi : law p -> (forall x, 0 <= phi x) -> 0 <= mean_at p z v phi.
Proof.
  intros [p0 _] phi0. apply sum_nonneg; intros x _. unfold at_.
  destruct (dz (z x) v); repeat apply Rmult_le_pos; auto; lra.
Qed.

(** Nothing has a mean where z cannot be. *)
Lemma mean_impossible p z v phi : law p -> mean_at p z v (fun _ => 1) = 0 -> mean_at p z v phi = 0.
Proof.
  intros [p0 _] none. unfold mean_at.
  transitivity (sum (@all D _) (fun _ => 0)); [|apply sum_0]. apply sum_ext; intros x i.
  assert (px : p x * 1 * at_ dz z v x <= 0).
  { rewrite <- none. apply (sum_member all (fun y => p y * 1 * at_ dz z v y)); [|easy].
    intros y _. unfold at_. destruct (dz (z y) v); repeat apply Rmult_le_pos; auto; lra. }
  revert px. unfold at_. destruct (dz (z x) v); [|intros; ring].
  specialize (p0 x). intros px. assert (p x = 0) as -> by lra. ring.
Qed.

(** Averages of k with two different weights are as close as k is, if each level of k is. *)
Lemma averages (A B k : Z -> R) K :
  (forall v, 0 <= A v) -> (forall v, 0 <= B v) ->
  (forall v u, 0 < A v -> 0 < B u -> k v <= K * k u) ->
  (Σ v, A v * k v) * (Σ u, B u) <= K * ((Σ v, A v) * (Σ u, B u * k u)).
Proof.
  intros A0 B0 close. rewrite !sum_product, <- sum_scale. apply sum_le; intros v _.
  rewrite <- sum_scale. apply sum_le; intros u _.
  destruct (A0 v) as [a|<-]; [|lra]. destruct (B0 u) as [b|<-]; [|lra].
  specialize (close v u a b). pose proof (Rmult_lt_0_compat _ _ a b). nra.
Qed.

Context {V U W W' : Type} (alice : D -> V) (bob : D -> U) (z : D -> Z).
Context (p : D -> R) (M : D -> W -> R) (N : D -> W' -> R).
Hypotheses (Lp : law p) (M0 : likelihood M) (N0 : likelihood N).
Hypotheses (Ma : looks_at alice M) (Nb : looks_at bob N).

(** Bob's likelihood where z has a value. *)
Definition likelihood_at w' v := mean_at p z v (fun x => N x w') / mean_at p z v (fun _ => 1).

Lemma mean_of_both phi w' v : separates p z alice bob -> looks_at alice phi ->
  mean_at p z v (fun x => phi x * N x w') = mean_at p z v phi * likelihood_at w' v.
Proof.
  intros sep about. unfold likelihood_at.
  assert (c0 : 0 <= mean_at p z v (fun _ => 1)) by (apply mean_nonneg; auto; intros; lra).
  destruct c0 as [c|c].
  - specialize (sep v phi (fun x => N x w') about). unfold Rdiv. rewrite <- Rmult_assoc, <- sep.
    + field. lra.
    + intros x y E. now rewrite (Nb x y E).
  - symmetry in c. rewrite !(mean_impossible p z v _ Lp c). unfold Rdiv. ring.
Qed.

(** Alice's secrets (song2017, theorem III.1, for one pair of secrets): Bob adds at most what he
    tells about z, which separates him from her.
    Differs: one prior; z separates them as a hypothesis; what Bob tells about z is given. *)
Theorem separated_release s t R0 K w w' :
  separates p z alice bob -> looks_at alice s -> looks_at alice t -> 0 < P p s -> 0 < P p t ->
  0 <= R0 -> 0 <= K ->
  Pw p M s w * P p t <= R0 * P p s * Pw p M t w ->
  (forall v u, 0 < P p (value z v) -> 0 < P p (value z u) ->
     Pw p N (value z v) w' * P p (value z u) <= K * P p (value z v) * Pw p N (value z u) w') ->
  Pw p (both M N) s (w, w') * P p t <= R0 * K * P p s * Pw p (both M N) t (w, w').
Proof.
  intros sep As At Ps Pt R00 K0 promise told.
  set (own (u : @secret D) x := (if u x then 1 else 0) * M x w).
  assert (own_about : forall u, looks_at alice u -> looks_at alice (own u)).
  { intros u Au x y E. unfold own. now rewrite (Au x y E), (Ma x y E). }
  assert (own0 : forall u x, 0 <= own u x).
  { intros u x. unfold own. specialize (M0 x w). destruct (u x); lra. }
  set (A u v := mean_at p z v (own u)). set (k := likelihood_at w').
  assert (A0 : forall u v, 0 <= A u v) by (intros; apply mean_nonneg; auto).
  assert (alone : forall u, Pw p M u w = Σ v, A u v).
  { intros u. unfold A. rewrite <- (sum_means p z (own u)). apply sum_ext; intros x _.
    unfold inside, own. destruct (u x); ring. }
  assert (together : forall u, looks_at alice u -> Pw p (both M N) u (w, w') = Σ v, A u v * k v).
  { intros u Au.
    transitivity (Σ x, p x * (own u x * N x w')).
    - apply sum_ext; intros x _. unfold inside, own, both; simpl. destruct (u x); ring.
    - rewrite (sum_means p z (fun x => own u x * N x w')). apply sum_ext; intros v _.
      now apply mean_of_both; auto. }
  assert (close : forall v u, 0 < A s v -> 0 < A t u -> k v <= K * k u).
  { assert (possible : forall r v, 0 < A r v -> 0 < P p (value z v)).
    { intros r v pos. rewrite P_value.
      destruct (mean_nonneg p z v (fun _ => 1) Lp) as [c|c]; [intros; lra|easy|].
      exfalso. unfold A in pos. rewrite (mean_impossible p z v (own r) Lp (eq_sym c)) in pos. lra. }
    intros v u pv pu. specialize (told v u (possible s v pv) (possible t u pu)).
    pose proof (possible s v pv) as cv. pose proof (possible t u pu) as cu.
    rewrite !P_value, !Pw_value in *. unfold k, likelihood_at.
    apply (Rmult_le_reg_r (mean_at p z v (fun _ => 1) * mean_at p z u (fun _ => 1)));
      [now apply Rmult_lt_0_compat|].
    field_simplify; [|lra|lra]. lra. }
  rewrite (together s As), (together t At). rewrite (alone s), (alone t) in promise.
  pose proof (averages (A s) (A t) k K (A0 s) (A0 t) close) as average.
  assert (At0 : 0 <= Σ u, A t u) by (apply sum_nonneg; auto).
  assert (k0 : forall v, 0 <= k v).
  { intros v. unfold k, likelihood_at. apply Rmult_le_pos; [now apply mean_nonneg; auto|].
    destruct (mean_nonneg p z v (fun _ => 1) Lp) as [c|<-]; [intros; lra| |rewrite Rinv_0; lra].
    left. now apply Rinv_0_lt_compat. }
  assert (Jt0 : 0 <= Σ v, A t v * k v) by (apply sum_nonneg; intros; now apply Rmult_le_pos).
  destruct At0 as [At0|none].
  - apply (Rmult_le_reg_r (Σ u, A t u)); [easy|].
    apply Rle_trans with (K * ((Σ v, A s v) * (Σ u, A t u * k u)) * P p t).
    + replace ((Σ v, A s v * k v) * P p t * (Σ u, A t u))
        with ((Σ v, A s v * k v) * (Σ u, A t u) * P p t) by ring.
      apply Rmult_le_compat_r; lra.
    + replace (K * ((Σ v, A s v) * (Σ u, A t u * k u)) * P p t)
        with (K * (Σ u, A t u * k u) * ((Σ v, A s v) * P p t)) by ring.
      apply Rle_trans with (K * (Σ u, A t u * k u) * (R0 * P p s * (Σ u, A t u))); [|right; ring].
      apply Rmult_le_compat_l; [now apply Rmult_le_pos|easy].
  - rewrite <- none, Rmult_0_r in promise.
    assert (As0 : forall v, A s v = 0).
    { intros v. pose proof (sum_member all (fun v => A s v) v (fun y _ => A0 s y) (all_here v)).
    specialize (A0 s v).
      assert ((Σ v, A s v) <= 0) by (apply (Rmult_le_reg_r (P p t)); lra). lra. }
    rewrite (sum_ext all _ (fun _ => 0)) by (intros; rewrite As0; ring). rewrite sum_0, Rmult_0_l.
    repeat apply Rmult_le_pos; lra.
Qed.
End Separated.

(** What N tells about z, if y separates z from what N looks at: at most what y tells of z, and at
    most what N tells of y. *)
Section Told.
Context {D Z Y U W : Type} `{Finite D} `{Finite Z} `{Finite Y}.
Context (dz : forall x y : Z, {x = y} + {x <> y}) (dy : forall x y : Y, {x = y} + {x <> y}).
Context (z : D -> Z) (y : D -> Y) (bob : D -> U) (p : D -> R) (N : D -> W -> R).
Hypotheses (Lp : law p) (N0 : likelihood N) (Nb : looks_at bob N).
Hypothesis sep : separates dy p y bob z.

(** z has one value, y another one. *)
Definition share v a := mean_at dy p y a (fun x => at_ dz z v x).

Lemma share_nonneg v a : 0 <= share v a.
Proof. apply mean_nonneg; auto. intros x. unfold at_. destruct (dz (z x) v); lra. Qed.

Lemma share_total v : P p (value dz z v) = Σ a, share v a.
Proof.
  rewrite P_value. unfold mean_at at 1, share. rewrite <- (sum_means dy p y).
  apply sum_ext; intros x _. ring.
Qed.

Lemma share_told v w : Pw p N (value dz z v) w = Σ a, share v a * likelihood_at dy y p N w a.
Proof.
  rewrite Pw_value. unfold mean_at at 1.
  transitivity (Σ x, p x * (N x w * at_ dz z v x)); [apply sum_ext; intros; ring|].
  rewrite (sum_means dy p y (fun x => N x w * at_ dz z v x)). apply sum_ext; intros a _.
  unfold share, likelihood_at.
  assert (c0 : 0 <= mean_at dy p y a (fun _ => 1)) by (apply mean_nonneg; auto; intros; lra).
  destruct c0 as [c|c].
  - assert (E := sep a (fun x => N x w) (fun x => at_ dz z v x)). cbv beta in E.
    apply (Rmult_eq_reg_r (mean_at dy p y a (fun _ => 1))); [|lra].
    rewrite E; [field; lra| |].
    + intros x x' same. now rewrite (Nb x x' same).
    + intros x x' same. unfold at_. now rewrite same.
  - symmetry in c. rewrite !(mean_impossible dy p y a _ Lp c). unfold Rdiv. ring.
Qed.

Lemma share_possible v a : 0 < share v a -> 0 < P p (value dy y a).
Proof.
  intros pos. rewrite P_value.
  destruct (mean_nonneg dy p y a (fun _ => 1) Lp) as [c|c]; [intros; lra|easy|].
  exfalso. unfold share in pos. rewrite (mean_impossible dy p y a _ Lp (eq_sym c)) in pos. lra.
Qed.

Lemma likelihood_nonneg w a : 0 <= likelihood_at dy y p N w a.
Proof.
  unfold likelihood_at. apply Rmult_le_pos; [now apply mean_nonneg; auto|].
  destruct (mean_nonneg dy p y a (fun _ => 1) Lp) as [c|<-]; [intros; lra| |rewrite Rinv_0; lra].
  left. now apply Rinv_0_lt_compat.
Qed.

(** By the level of N between values of y. *)
Lemma told_by_level S v u w : 0 <= S ->
  (forall a b, 0 < P p (value dy y a) -> 0 < P p (value dy y b) ->
     Pw p N (value dy y a) w * P p (value dy y b) <= S * P p (value dy y a) * Pw p N (value dy y b)
       w) ->
  Pw p N (value dz z v) w * P p (value dz z u) <= S * P p (value dz z v) * Pw p N (value dz z u) w.
Proof.
  intros S0 promise. rewrite !share_told, !share_total, Rmult_assoc.
  apply (averages (share v) (share u) (likelihood_at dy y p N w) S (share_nonneg v)
    (share_nonneg u)).
  intros a b pa pb. pose proof (share_possible v a pa) as ca.
  pose proof (share_possible u b pb) as cb.
  specialize (promise a b ca cb). rewrite !P_value, !Pw_value in *. unfold likelihood_at.
  apply (Rmult_le_reg_r (mean_at dy p y a (fun _ => 1) * mean_at dy p y b (fun _ => 1)));
    [now apply Rmult_lt_0_compat|].
  field_simplify; [|lra|lra]. lra.
Qed.

(** By the influence of z on y. *)
Lemma told_by_influence F v u w :
  influence_at_most dy y F p (value dz z v) (value dz z u) ->
  Pw p N (value dz z v) w * P p (value dz z u) <= F * P p (value dz z v) * Pw p N (value dz z u) w.
Proof.
  intros infl. rewrite !share_told, Rmult_comm, <- !sum_scale. apply sum_le; intros a _.
  specialize (infl a).
  assert (E : forall r, p_quilt dy y p (value dz z r) a = share r a).
  { intros r. unfold p_quilt, Pz, share, mean_at. apply sum_ext; intros x _.
    unfold inside, value, at_. destruct (dz (z x) r); ring. }
  rewrite !E in infl. pose proof (likelihood_nonneg w a).
  apply Rle_trans with (likelihood_at dy y p N w a * (share v a * P p (value dz z u)));
    [right; ring|].
  apply Rle_trans with (likelihood_at dy y p N w a * (F * P p (value dz z v) * share u a));
    [now apply Rmult_le_compat_l|right; ring].
Qed.
End Told.

(** What two people release of one chain, in either order of the outputs. *)
Lemma both_swapped {D W V} `{Finite D} p (M : D -> W -> R) (N : D -> V -> R) s w v :
  Pw p (both N M) s (v, w) = Pw p (both M N) s (w, v).
Proof. apply sum_ext; intros x _. unfold both; simpl; ring. Qed.

Section Segments.
Context {D Z Y V U W W' : Type} `{Finite D} `{Finite Z} `{Finite Y}.
Context (dz : forall x y : Z, {x = y} + {x <> y}) (dy : forall x y : Y, {x = y} + {x <> y}).
(** alice ends with z, bob begins with y *)
Context (alice : D -> V) (z : D -> Z) (y : D -> Y) (bob : D -> U).
Context (M : D -> W -> R) (N : D -> W' -> R).

(** Both orders of two values of a record. *)
Definition values {X} (dx : forall x y : X, {x = y} + {x <> y}) (r : D -> X) (s t : @secret D) :=
  exists v u, s = value dx r v /\ t = value dx r u.
Definition either (a b : @secret D -> @secret D -> Prop) s t := a s t \/ b s t.
Definition influence_between {X X'} (dx : forall x y : X, {x = y} + {x <> y})
    (dx' : forall x y : X', {x = y} + {x <> y}) p (r : D -> X) (q : D -> X') F :=
  forall v u, 0 < P p (value dx r v) -> 0 < P p (value dx r u) ->
    influence_at_most dx' q F p (value dx r v) (value dx r u).

(** Parallel composition (song2017, theorem III.1, repaired): Alice keeps R1 for her secrets, among
    them the value of her last record z, Bob R2 for his, among them the value of his first record y;
    then both together keep the larger of R1 min(R2, F) and R2 min(R1, G),
      with F for the influence of
    z on y and G for that of y on z.
    Differs: F and G stand where the proof has them, in print they are exchanged, which is false;
    the chain is given by its conditional independences; ratios instead of levels. *)
Theorem parallel R1 R2 F G (pairs_a pairs_b : @secret D -> @secret D -> Prop)
    (priors : (D -> R) -> Prop) :
  laws_only priors -> likelihood M -> likelihood N -> looks_at alice M -> looks_at bob N ->
  0 <= R1 -> 0 <= R2 -> 0 <= F -> 0 <= G ->
  (forall s t, pairs_a s t -> looks_at alice s /\ looks_at alice t) ->
  (forall s t, pairs_b s t -> looks_at bob s /\ looks_at bob t) ->
  (forall p, priors p ->
     separates dz p z alice bob /\ separates dy p y bob alice /\
     separates dy p y bob z /\ separates dz p z alice y /\
     influence_between dz dy p z y F /\ influence_between dy dz p y z G) ->
  pufferfish R1 M (either pairs_a (values dz z)) priors ->
  pufferfish R2 N (either pairs_b (values dy y)) priors ->
  pufferfish (Rmax (R1 * Rmin R2 F) (R2 * Rmin R1 G)) (both M N) (either pairs_a pairs_b) priors.
Proof.
  intros L M0 N0 Ma Nb R10 R20 F0 G0 about_a about_b markov promise_a promise_b p s t [w w'] Hp.
  destruct (markov p Hp) as [az [by_ [yz [zy [infl_f infl_g]]]]]. pose proof (L p Hp) as Lp.
  assert (one : 0 <= Rmin R2 F) by now apply Rmin_glb.
  assert (other : 0 <= Rmin R1 G) by now apply Rmin_glb.
  intros [Hst|Hst] Ps Pt.
  - destruct (about_a s t Hst) as [As At].
    apply Rle_trans with (R1 * Rmin R2 F * P p s * Pw p (both M N) t (w, w')).
    + apply (separated_release dz alice bob z p M N Lp M0 N0 Ma Nb s t R1 (Rmin R2 F)); auto.
      * apply promise_a; auto. now left.
      * intros v u pv pu. unfold Rmin. destruct Rle_dec as [le|gt].
        -- apply (told_by_level dz dy z y bob p N Lp Nb yz R2 v u w' R20).
           intros a b pa pb. apply promise_b; auto. right. now exists a, b.
        -- apply (told_by_influence dz dy z y bob p N Lp N0 Nb yz). now apply infl_f.
    + apply Rmult_le_compat_r; [apply Pw_nonneg; auto; intros x [v v']; now apply Rmult_le_pos|].
      apply Rmult_le_compat_r; [lra|]. apply Rmax_l.
  - destruct (about_b s t Hst) as [Bs Bt].
    apply Rle_trans with (R2 * Rmin R1 G * P p s * Pw p (both M N) t (w, w')).
    + rewrite <- (both_swapped p M N s), <- (both_swapped p M N t).
      apply (separated_release dy bob alice y p N M Lp N0 M0 Nb Ma s t R2 (Rmin R1 G)); auto.
      * apply promise_b; auto. now left.
      * intros v u pv pu. unfold Rmin. destruct Rle_dec as [le|gt].
        -- apply (told_by_level dy dz y z alice p M Lp Ma zy R1 v u w R10).
           intros a b pa pb. apply promise_a; auto. right. now exists a, b.
        -- apply (told_by_influence dy dz y z alice p M Lp M0 Ma zy). now apply infl_g.
    + apply Rmult_le_compat_r; [apply Pw_nonneg; auto; intros x [v v']; now apply Rmult_le_pos|].
      apply Rmult_le_compat_r; [lra|]. apply Rmax_r.
Qed.
End Segments.
