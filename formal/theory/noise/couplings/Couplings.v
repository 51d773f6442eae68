(** When two laws of a query have a coupling that moves no value by more than d: exactly if no
    distribution function is above the other one, moved by d. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace ValueLaws Attained Slower.
Import ListNotations.
Open Scope R_scope.

Definition heavy (l : list (R * R)) (r : R) := sum l (fun z => snd z * hits (fst z) r).
Definition below (l : list (R * R)) u := sum l (fun z => if Rle_dec (fst z) u then snd z else 0).
Definition whole (l : list (R * R)) := sum l snd.
Fixpoint rising (l : list (R * R)) := match l with [] => True
  | z :: l => (forall y, In y l -> fst z <= fst y) /\ rising l end.
Definition good (l : list (R * R)) := rising l /\ forall z, In z l -> 0 <= snd z.
Definition near d l m := forall u, below l u <= below m (u + d) /\ below m u <= below l (u + d).

Lemma good_tail z l : good (z :: l) -> good l.
Proof. intros [[_ r] p]. split; [easy|]. intros y i. apply p. now right. Qed.
Lemma good_less x a b l : good ((x, a) :: l) -> 0 <= b -> good ((x, b) :: l).
Proof. intros [r p] b0. split; [easy|]. intros z [<-|i]; [easy|]. apply p. now right. Qed.
Lemma below_pos l u : good l -> 0 <= below l u.
Proof.
  intros [_ p]. apply sum_nonneg. intros z i. destruct (Rle_dec (fst z) u); [now apply p|lra].
Qed.
Lemma below_none l u : (forall z, In z l -> u < fst z) -> below l u = 0.
Proof.
  intros none. unfold below. transitivity (sum l (fun _ => 0)); [|apply sum_0].
  apply sum_ext. intros z i. specialize (none z i).
  destruct (Rle_dec (fst z) u); lra.
Qed.
Lemma below_cons x a l u : below ((x, a) :: l) u = (if Rle_dec x u then a else 0) + below l u.
Proof. easy. Qed.
Lemma heavy_cons x a l r : heavy ((x, a) :: l) r = a * hits x r + heavy l r.
Proof. easy. Qed.
Lemma near_sym d l m : near d l m -> near d m l.
Proof. intros h u. now split; apply h. Qed.

Definition coupling d (l m : list (R * R)) := exists c : list moved,
  (forall z, In z c -> 0 <= weight z /\ Rabs (here z - there z) <= d) /\
  (forall r, sum c (fun z => weight z * hits (here z) r) = heavy l r) /\
  (forall r, sum c (fun z => weight z * hits (there z) r) = heavy m r).

Lemma nothing_left l : good l -> whole l = 0 -> forall r, heavy l r = 0.
Proof.
  intros [_ p] total r. unfold heavy. transitivity (sum l (fun _ => 0)); [|apply sum_0].
  apply sum_ext. intros z i.
  assert (snd z = 0); [|nra]. pose proof (p z i) as p0.
  pose proof (sum_member l snd z p i). unfold whole in total. lra.
Qed.

(** The atoms that come first are near each other. *)
Lemma first_near d x a l y b m : good ((x, a) :: l) -> good ((y, b) :: m) -> 0 < a ->
  near d ((x, a) :: l) ((y, b) :: m) -> y <= x + d.
Proof.
  intros gl gm a0 h. destruct (Rle_lt_dec y (x + d)) as [|far]; [easy|]. exfalso.
  destruct (h x) as [le _]. rewrite below_cons in le. destruct (Rle_dec x x); [|lra].
  rewrite (below_none ((y, b) :: m)) in le.
  - pose proof (below_pos l x (good_tail _ _ gl)). lra.
  - destruct gm as [[first _] _]. intros z [<-|i]; [easy|]. specialize (first z i). simpl in *. lra.
Qed.

(** What is left is near each other. *)
Lemma rest_near d x a l y b m w : good ((x, a) :: l) -> good ((y, b) :: m) ->
  0 <= w <= a -> w <= b -> y <= x + d -> x <= y + d ->
  near d ((x, a) :: l) ((y, b) :: m) -> near d ((x, a - w) :: l) ((y, b - w) :: m).
Proof.
  intros gl gm wa wb yx xy h u. destruct (h u) as [h1 h2]. rewrite !below_cons in *.
  assert (l0 : 0 <= below l (u + d)) by (apply below_pos, (good_tail _ _ gl)).
  assert (m0 : 0 <= below m (u + d)) by (apply below_pos, (good_tail _ _ gm)).
  assert (none_l : u < x -> below l u = 0).
  { intros less. apply below_none. intros z i. destruct gl as [[first _] _].
    specialize (first z i). simpl in first. lra. }
  assert (none_m : u < y -> below m u = 0).
  { intros less. apply below_none. intros z i. destruct gm as [[first _] _].
    specialize (first z i). simpl in first. lra. }
  split; repeat destruct Rle_dec; try lra;
    (rewrite none_l in * by lra) || (rewrite none_m in * by lra); lra.
Qed.

Lemma move_first d x a l y b m w : 0 <= w -> Rabs (x - y) <= d ->
  coupling d ((x, a - w) :: l) ((y, b - w) :: m) -> coupling d ((x, a) :: l) ((y, b) :: m).
Proof.
  intros w0 close [c [near_ [left_ right_]]]. exists ({| here := x; there := y; weight := w |} ::
    c).
  split; [|split].
  - intros z [<-|i]; [now split|auto].
  - intros r. cbn [sum here weight]. rewrite left_, !heavy_cons. ring.
  - intros r. cbn [sum there weight]. rewrite right_, !heavy_cons. ring.
Qed.

Lemma without_first d x l m : coupling d l m -> coupling d ((x, 0) :: l) m.
Proof.
  intros [c [near_ [left_ right_]]]. exists c. split; [easy|]. split; [|easy].
  intros r. rewrite left_, heavy_cons. ring.
Qed.

Lemma turned d l m : coupling d l m -> coupling d m l.
Proof.
  intros [c [near_ [left_ right_]]].
  exists (map (fun z => {| here := there z; there := here z; weight := weight z |}) c).
  split; [|split].
  - intros z i. apply in_map_iff in i as [y [<- i]]. destruct (near_ y i). simpl.
    split; [easy|]. now rewrite Rabs_minus_sym.
  - intros r. rewrite sum_map. apply right_.
  - intros r. rewrite sum_map. apply left_.
Qed.

Lemma near_without d x l m : near d ((x, 0) :: l) m -> near d l m.
Proof.
  intros h u. destruct (h u) as [h1 h2]. rewrite !below_cons in *.
  split; repeat destruct Rle_dec; lra.
Qed.

Lemma no_mass d l m : good l -> good m -> whole l = 0 -> whole m = 0 -> coupling d l m.
Proof.
  intros gl gm l0 m0. exists []. split; [easy|].
  split; intros r; symmetry; now apply nothing_left.
Qed.

Lemma coupled_by n : forall d l m, (length l + length m <= n)%nat -> good l -> good m ->
  whole l = whole m -> near d l m -> coupling d l m.
Proof.
  induction n as [|n IH]; intros d l m len gl gm total h.
  { destruct l, m; cbn [length] in len; try lia. now apply no_mass. }
  destruct l as [|[x a] l]; [now apply no_mass|].
  destruct m as [|[y b] m]; [now apply no_mass|]. cbn [length] in len.
  assert (a0 : 0 <= a) by (apply (proj2 gl (x, a)); now left).
  assert (b0 : 0 <= b) by (apply (proj2 gm (y, b)); now left).
  unfold whole in total. cbn [sum snd] in total. fold (whole l) (whole m) in total.
  assert (drop_l : a = 0 -> coupling d ((x, a) :: l) ((y, b) :: m)).
  { intros ->. apply without_first. apply IH; [cbn [length]; lia|apply (good_tail _ _ gl)|easy| |].
    - unfold whole. cbn [sum snd]. fold (whole l) (whole m). lra.
    - now apply (near_without d x). }
  assert (drop_m : b = 0 -> coupling d ((x, a) :: l) ((y, b) :: m)).
  { intros ->. apply turned, without_first, turned.
    apply IH; [cbn [length]; lia|easy|apply (good_tail _ _ gm)| |].
    - unfold whole. cbn [sum snd]. fold (whole l) (whole m). lra.
    - apply near_sym, (near_without d y), near_sym, h. }
  destruct (Req_dec a 0) as [|an]; [auto|]. destruct (Req_dec b 0) as [|bn]; [auto|].
  assert (yx : y <= x + d) by (apply (first_near d x a l y b m); (easy || lra)).
  assert (xy : x <= y + d) by (apply (first_near d y b m x a l); (easy || lra || now apply
    near_sym)).
  assert (close : Rabs (x - y) <= d) by (apply Rabs_le; lra).
  destruct (Rle_lt_dec a b) as [ab|ba].
  - apply (move_first d x a l y b m a); [easy|easy|].
    pose proof (rest_near d x a l y b m a gl gm ltac:(lra) ab yx xy h) as left_.
    rewrite Rminus_diag_eq in * by easy. apply without_first. apply near_without in left_.
    apply IH; [cbn [length]; lia|apply (good_tail _ _ gl)|apply (good_less y b); (easy || lra)|
      |easy].
    unfold whole. cbn [sum snd]. fold (whole l) (whole m). lra.
  - apply (move_first d x a l y b m b); [easy|easy|].
    pose proof (rest_near d x a l y b m b gl gm ltac:(lra) ltac:(lra) yx xy h) as left_.
    rewrite (Rminus_diag_eq b b) in * by easy. apply turned, without_first, turned.
    apply near_sym, near_without, near_sym in left_.
    apply IH; [cbn [length]; lia|apply (good_less x a); (easy || lra)|apply (good_tail _ _ gm)|
      |easy].
    unfold whole. cbn [sum snd]. fold (whole l) (whole m). lra.
Qed.

(** And where there is a coupling, no distribution function is above the other one, moved by d. *)
Lemma below_of_moves (c : list moved) (z : moved -> R) (l : list (R * R)) u :
  (forall r, sum c (fun m => weight m * hits (z m) r) = heavy l r) ->
  below l u = sum c (fun m => if Rle_dec (z m) u then weight m else 0).
Proof.
  intros margin. set (g r := if Rle_dec r u then 1 else 0).
  transitivity (sum l (fun y => snd y * g (fst y))).
  { apply sum_ext. intros y _. unfold g. destruct (Rle_dec (fst y) u); ring. }
  rewrite (same_law l c fst snd z weight g).
  - apply sum_ext. intros m _. unfold g. destruct (Rle_dec (z m) u); ring.
  - intros r. now rewrite margin.
Qed.

Lemma near_of_coupling d l m : coupling d l m -> near d l m.
Proof.
  assert (one : forall l m, coupling d l m -> forall u, below l u <= below m (u + d)).
  { clear. intros l m [c [close [left_ right_]]] u.
    rewrite (below_of_moves c here l u left_), (below_of_moves c there m _ right_).
    apply sum_le. intros z i. destruct (close z i) as [w0 h]. apply both_signs in h.
    repeat destruct Rle_dec; lra. }
  intros h u. split; [now apply one|]. apply one. now apply turned.
Qed.

Section Laws.
Context {D : Type} `{Finite D}.
Variables (p : D -> R) (s t : @secret D) (f : D -> R) (d : R).

Definition up_to (r : @secret D) u := Σ x, inside p r x * (if Rle_dec (f x) u then 1 else 0).

Lemma ascending_rising (vs : list R) (g : R -> R) : ascending vs -> rising (map (fun r => (r, g
  r)) vs).
Proof.
  induction vs as [|v vs IH]; [easy|]. intros up. cbn [map rising]. split.
  - intros z i. apply in_map_iff in i as [r [<- i]]. simpl. left. now apply (ascending_first v vs).
  - apply IH. destruct vs; [easy|apply up].
Qed.

Lemma ascending_once (vs : list R) : ascending vs -> NoDup vs.
Proof.
  induction vs as [|v vs IH]; [constructor|]. intros up. constructor.
  - intros i. pose proof (ascending_first v vs v up i). lra.
  - apply IH. destruct vs; [easy|apply up].
Qed.

Lemma hits_sym u r : hits u r = hits r u.
Proof. unfold hits. repeat destruct Req_EM_T; congruence. Qed.

Lemma no_value (r : @secret D) v : (forall x, f x <> v) -> mass p r f v = 0.
Proof.
  intros none. unfold mass. transitivity (Σ x : D, 0); [|apply sum_0]. apply sum_ext. intros x _.
  unfold hits. destruct (Req_EM_T (f x) v) as [e|]; [now destruct (none x)|ring].
Qed.

Section Values.
Variable vs : list R.
Hypothesis up : ascending vs.
Hypothesis each : forall u, In u vs <-> In u (map f all).
Notation atoms r k := (map (fun v => (v, k * mass p r f v)) vs).

Lemma value_in x : In (f x) vs.
Proof. apply each. apply in_map, all_here. Qed.

Lemma heavy_atoms r k v : heavy (atoms r k) v = k * mass p r f v.
Proof.
  unfold heavy. rewrite sum_map. cbn [fst snd].
  destruct (in_dec Req_EM_T v vs) as [i|out].
  - rewrite (sum_ext vs _ (fun u => k * mass p r f u * hits v u)) by (intros; now rewrite hits_sym).
    now apply (hit_once vs v (fun u => k * mass p r f u) (ascending_once vs up)).
  - rewrite no_value.
    + rewrite Rmult_0_r. transitivity (sum vs (fun _ => 0)); [|apply sum_0].
      apply sum_ext. intros u i. unfold hits. destruct (Req_EM_T u v) as [->|];
        [contradiction|ring].
    + intros x <-. apply out, value_in.
Qed.

Lemma below_atoms r k u : below (atoms r k) u = k * up_to r u.
Proof.
  unfold below, up_to. rewrite sum_map. cbn [fst snd].
  rewrite (sum_by_value all f (inside p r) vs (fun v => if Rle_dec v u then 1 else 0)
    (ascending_once vs up)) by (intros; apply value_in).
  rewrite <- sum_scale. apply sum_ext. intros v _. unfold mass. destruct (Rle_dec v u); ring.
Qed.

Lemma whole_atoms r k : whole (atoms r k) = k * P p r.
Proof.
  unfold whole. rewrite sum_map. cbn [snd]. rewrite sum_scale. f_equal.
  unfold P. transitivity (Σ x, inside p r x * 1); [|apply sum_ext; intros; ring].
  rewrite (sum_by_value all f (inside p r) vs (fun _ => 1) (ascending_once vs up))
    by (intros; apply value_in).
  apply sum_ext. intros v _. unfold mass. ring.
Qed.

Lemma within_coupling : within p s t f d <-> coupling d (atoms s (P p t)) (atoms t (P p s)).
Proof.
  unfold within, coupling. split; intros [c [near_ [left_ right_]]]; exists c; (split; [easy|]);
    (split; intros r; [specialize (left_ r)|specialize (right_ r)]); rewrite heavy_atoms in *; lra.
Qed.

(** Distribution functions change at values alone. *)
Lemma last_value u : (forall x, u < f x) \/ exists y, f y <= u /\ forall x, f x <= u <-> f x <= f y.
Proof.
  destruct (Breakpoints.last_up_to (map f all) u) as [none|[lo [il [le all_]]]].
  - left. intros x. apply none, in_map, all_here.
  - right. apply in_map_iff in il as [y [<- _]]. exists y. split; [easy|]. intros x.
    specialize (all_ (f x) (in_map f all x (all_here x))). lra.
Qed.
End Values.

(** There is a coupling within d exactly if no mass is below 0 and, at every value, no distribution
    function is above the other one, moved by d. *)
Lemma within_by_values : within p s t f d <->
  (forall y, 0 <= P p t * mass p s f (f y) /\ 0 <= P p s * mass p t f (f y)) /\
  forall y, P p t * up_to s (f y) <= P p s * up_to t (f y + d) /\
    P p s * up_to t (f y) <= P p t * up_to s (f y + d).
Proof.
  destruct (sorted (map f all)) as [vs [up each]]. rewrite (within_coupling vs up each). split.
  - intros c. split.
    + destruct c as [c [near_ [left_ right_]]]. intros y. specialize (left_ (f y)).
      specialize (right_ (f y)). rewrite heavy_atoms in * by easy. rewrite <- left_, <- right_.
      split; apply sum_nonneg; intros z i; (apply Rmult_le_pos; [now apply near_|]);
        unfold hits; destruct Req_EM_T; lra.
    + intros y. pose proof (near_of_coupling _ _ _ c (f y)) as h. now rewrite !below_atoms in h.
  - intros [pos h].
    assert (good_ : forall r k, (forall y, 0 <= k * mass p r f (f y)) ->
      good (map (fun v => (v, k * mass p r f v)) vs)).
    { intros r k p0. split; [now apply (ascending_rising vs (fun v => k * mass p r f v))|].
      intros z i. apply in_map_iff in i as [v [<- i]]. apply each, in_map_iff in i as [y [<- _]].
      apply p0. }
    pose proof (good_ s (P p t) (fun y => proj1 (pos y))) as gs.
    pose proof (good_ t (P p s) (fun y => proj2 (pos y))) as gt.
    eapply coupled_by; [apply le_n|easy|easy| |].
    + rewrite !whole_atoms by easy. ring.
    + intros u. destruct (last_value u) as [none|[y [yu same]]].
      * rewrite (below_none _ u), (below_none _ u).
        -- split; now apply below_pos.
        -- intros z i. apply in_map_iff in i as [v [<- i]]. apply each, in_map_iff in i as [y [<-
          _]].
           apply none.
        -- intros z i. apply in_map_iff in i as [v [<- i]]. apply each, in_map_iff in i as [y [<-
          _]].
           apply none.
      * assert (at_y : forall r, up_to r u = up_to r (f y)).
        { intros r. apply sum_ext. intros x _. f_equal. specialize (same x).
          repeat destruct Rle_dec; (easy || tauto). }
        assert (more : forall l, good l -> below l (f y + d) <= below l (u + d)).
        { intros l [_ p0]. apply sum_le. intros z i. specialize (p0 z i).
          repeat destruct Rle_dec; lra. }
        specialize (h y). pose proof (more _ gs) as ms. pose proof (more _ gt) as mt.
        rewrite !below_atoms, !at_y in * by easy. lra.
Qed.
End Laws.

(** For every prior and pair the distance W_infinity of the laws of f is at most d. *)
Definition distance_at_most {D} `{Finite D} (f : D -> R) d (pairs : secret -> secret -> Prop)
  (priors : (D -> R) -> Prop) :=
  forall p s t, priors p -> pairs s t -> 0 < P p s -> 0 < P p t -> within p s t f d.

(** The Wasserstein mechanism (wang2016, theorem 3.2): a query with noise of any scale b keeps d /
    b if
    d is at least W_infinity of its laws given the two secrets, for every prior and pair. So with
      the
    scale d / epsilon it keeps epsilon.
    Differs: databases are finite, so that these laws are; a coupling that attains d is meant by W;
    density form. *)
Theorem wasserstein_scale {D} `{Finite D} (f : D -> R) d (b : posreal) pairs priors :
  distance_at_most f d pairs priors -> pufferfish (exp (d / b)) (released [(f, b)]) pairs priors.
Proof.
  intros close p s t w Hp Hst Ps Pt. destruct (close p s t Hp Hst Ps Pt) as [c [near_ [left_
    right_]]].
  assert (b0 : 0 < b) by apply cond_pos.
  assert (none : forall r v, (forall x, released [(f, b)] x v = 0) ->
    Pw p (released [(f, b)]) r v = 0).
  { intros r v z. transitivity (Σ x : D, 0); [|apply sum_0]. apply sum_ext. intros x _.
    rewrite z. ring. }
  destruct w as [|w [|v ws]].
  1, 3: rewrite !none by (intros; unfold released; cbn; ring); lra.
  assert (E : forall r, Pw p (released [(f, b)]) r [w] = Σ x, inside p r x * laplace b (f x) w).
  { intros r. apply sum_ext. intros x _. unfold released. cbn. ring. }
  rewrite !E. set (g u := laplace b u w).
  pose proof (mean_of_values p s f (P p t) c here g) as S.
  pose proof (mean_of_values p t f (P p s) c there g) as T. unfold g in S at 2, T at 2.
  rewrite (Rmult_comm _ (P p t)), Rmult_assoc, <- S, <- T; [|easy|intros; rewrite left_; ring].
  rewrite <- sum_scale. apply sum_le; intros m i. destruct (near_ m i) as [w0 close_].
  pose proof (laplace_near b d _ _ w b0 close_) as N.
  apply (Rmult_le_compat_l _ _ _ w0) in N. unfold g. lra.
Qed.
