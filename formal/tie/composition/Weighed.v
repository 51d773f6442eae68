(** That weights exist is decided by eliminating numbers of runs, where entries are powers of 2 and
    0, with a sign: their logarithms are integers. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool ZArith.
From Pufferproof Require Import Sums Alternatives Pufferfish Laws Means Necessary Weights.
From Tied Require Import Decide Entries Pairs.
Import ListNotations.
Open Scope R_scope.

(** (1, k) for 2^k, (-1, k) for -2^k, (0, k) for 0. *)
Definition two (k : Z) : R := IZR k * ln 2.
Definition coded (c : Z * Z) : R := IZR (Z.sgn (fst c)) * exp (two (snd c)).
Definition coded_rows {n m} (l : list (list (Z * Z))) : fin n -> fin m -> R :=
  fun x w => coded (nth (rank w) (nth (rank x) l []) (0, 0)%Z).

Section Elimination.
Context {O : Type}.
Definition nextz (i : O) (rows : list (O -> Z)) : list (O -> Z) :=
  filter (fun r => negb (0 <? r i)%Z) rows ++
  map (fun pn j => (- snd pn i * fst pn j + fst pn i * snd pn j)%Z)
    (list_prod (filter (fun r => 0 <? r i)%Z rows) (filter (fun r => r i <? 0)%Z rows)).
(** Whether positive numbers make all rows positive. *)
Fixpoint apartz (l : list O) (rows : list (O -> Z)) : bool := match l with
  | [] => match rows with [] => true | _ => false end
  | i :: l => apartz l (nextz i rows) end.

Definition scaled (r : O -> R) (z : O -> Z) := exists c, 0 < c /\ forall i, r i = c * IZR (z i).

Lemma scaled_positive i r z : scaled r z -> Alternatives.positive i r = (0 <? z i)%Z.
Proof.
  intros [c [c0 E]]. unfold Alternatives.positive. rewrite E.
  destruct (Z.ltb_spec 0 (z i)) as [p|p].
  - apply IZR_lt in p. destruct Rlt_dec as [|no]; [easy|]. destruct no.
    now apply Rmult_lt_0_compat.
  - apply IZR_le in p. destruct Rlt_dec as [no|]; [|easy]. exfalso. nra.
Qed.

Lemma scaled_negative i r z : scaled r z -> Alternatives.negative i r = (z i <? 0)%Z.
Proof.
  intros [c [c0 E]]. unfold Alternatives.negative. rewrite E.
  destruct (Z.ltb_spec (z i) 0) as [p|p].
  - apply IZR_lt in p. destruct Rlt_dec as [|no]; [easy|]. destruct no. nra.
  - apply IZR_le in p. destruct Rlt_dec as [no|]; [|easy]. exfalso. nra.
Qed.

Lemma filter_both {A B} (rel : A -> B -> Prop) f g l m : (forall a b, rel a b -> f a = g b) ->
  Forall2 rel l m -> Forall2 rel (filter f l) (filter g m).
Proof.
  intros same. induction 1 as [|a b l m ab _ IH]; simpl; [constructor|].
  rewrite (same a b ab). destruct (g b); [now constructor|easy].
Qed.

Lemma next_scaled i rows zs : Forall2 scaled rows zs -> Forall2 scaled (next i rows) (nextz i zs).
Proof.
  intros each. unfold next, nextz. apply Forall2_app.
  - apply (filter_both scaled); [|easy]. intros r z e. now rewrite (scaled_positive i r z e).
  - pose proof (filter_both scaled _ _ _ _ (scaled_positive i) each) as up.
    pose proof (filter_both scaled _ _ _ _ (scaled_negative i) each) as down.
    revert up. generalize (filter (Alternatives.positive i) rows) (filter (fun r => 0 <? r i)%Z zs).
    induction 1 as [|r z l m [c [c0 E]] _ IH]; [constructor|].
    cbn [list_prod]. rewrite !map_app. apply Forall2_app; [|exact IH].
    rewrite !map_map. clear -down c0 E. induction down as [|s y l m [d [d0 F]] _ IH];
      [constructor|]. cbn [map]. constructor; [|exact IH].
    exists (c * d). split; [now apply Rmult_lt_0_compat|]. intros j. unfold eliminated.
    cbn [fst snd].
    rewrite !E, !F, plus_IZR, !mult_IZR, opp_IZR. ring.
Qed.

Lemma apartz_right l rows zs : Forall2 scaled rows zs ->
  if apartz l zs then exists x, length x = length l /\ (forall a, In a x -> 0 < a) /\
      forall r, In r rows -> 0 < dot l r x
  else exists u, cone rows u /\ forall i, In i l -> u i <= 0.
Proof.
  revert rows zs. induction l as [|i l IH]; intros rows zs each; cbn [apartz].
  - destruct each as [|r z rows zs rz each].
    + exists []. repeat split; intros ? [].
    + exists r. split; [now constructor; left|intros ? []].
  - specialize (IH _ _ (next_scaled i rows zs each)). destruct (apartz l (nextz i zs)).
    + destruct IH as [x [len [pos solved]]]. destruct (solved_next i l rows x solved) as [a [a0 s]].
      exists (a :: x). split; [simpl; now rewrite len|]. split; [|exact s].
      intros b [<-|ib]; auto.
    + destruct IH as [u [cu low]]. apply next_cone in cu as [cu zi]. exists u. split; [easy|].
      intros j [<-|ij]; auto.
Qed.
End Elimination.

(** The decision for one database. *)
Section Decided.
Context {D I W : Type} `{Finite D} `{Finite I} `{Finite W}.
Context (dec : forall x y : D, {x = y} + {x <> y}).
Context (z : I -> D -> W -> Z * Z) (k : Z) (p : D -> R) (t : @secret D) (g : D -> Q).
Hypothesis pt : forall l, rational (inside p t l) (g l).

Definition isup i x w : bool := (0 <? fst (z i x w))%Z.
Definition seenz x := filter (fun o => isup (fst o) x (snd o)) all.
Definition leftz x := filter (fun l => negb (Qle_bool (g l) 0) &&
  forallb (fun o => isup (fst o) l (snd o)) (seenz x)) all.
Definition gapz x l (o : I * W) : Z :=
  (snd (z (fst o) x (snd o)) - k - snd (z (fst o) l (snd o)))%Z.
Definition none_weigh x := apartz (seenz x) (map (gapz x) (leftz x)).

(** Entries below 0 count as 0. *)
Definition up i x w : R := if isup i x w then exp (two (snd (z i x w))) else 0.

Lemma up_positive i x w : 0 < up i x w <-> isup i x w = true.
Proof. unfold up. destruct isup; [|split; [lra|easy]]. split; [easy|]. intros _. apply exp_pos. Qed.

Lemma coded_up i x w : (isup i x w = true -> coded (z i x w) = up i x w) /\
  (isup i x w = false -> coded (z i x w) <= 0).
Proof.
  unfold up, isup, coded. destruct (z i x w) as [a c]. cbn [fst snd]. split; intros e; rewrite ?e.
  - apply Z.ltb_lt in e. rewrite Z.sgn_pos by easy. lra.
  - apply Z.ltb_ge in e. pose proof (exp_pos (two c)).
    assert (IZR (Z.sgn a) <= 0) by (apply IZR_le; lia). nra.
Qed.

Lemma pw_up i x w b : pw (coded (z i x w)) b = pw (up i x w) b.
Proof.
  destruct (coded_up i x w) as [yes no]. destruct (isup i x w) eqn:e; [now rewrite yes|].
  specialize (no eq_refl). unfold pw, up. rewrite e. destruct Req_EM_T; [easy|].
  destruct (Rlt_dec 0 (coded _)), (Rlt_dec 0 0); try easy; lra.
Qed.

Lemma weighed_up x beta : weighed p t (fun i x w => coded (z i x w)) (two k) x beta <->
  weighed p t up (two k) x beta.
Proof.
  assert (same : forall i w, geo beta (fun l => coded (z i l w)) = geo beta (fun l => up i l w)).
  { intros i w. apply prod_ext. intros l _. apply pw_up. }
  assert (nn : forall i w, 0 <= exp (two k) * geo beta (fun l => up i l w)).
  { intros i w. apply Rmult_le_pos; [left; apply exp_pos|]. apply prod_nonneg. intros.
    apply pw_nonneg. }
  unfold weighed. split; intros [Lb [here each]]; (split; [easy|]; split; [easy|]); intros i w;
    specialize (each i w); destruct (coded_up i x w) as [yes no]; rewrite same in *;
    destruct (isup i x w) eqn:e.
  - now rewrite <- yes.
  - unfold up at 1. rewrite e. apply nn.
  - now rewrite yes.
  - specialize (no eq_refl). specialize (nn i w). lra.
Qed.

Lemma seen_is x : seen up x = seenz x.
Proof.
  apply filter_ext. intros [i w]. unfold likelihood_of. cbn [fst snd].
  pose proof (up_positive i x w). destruct Rlt_dec, (isup i x w); try easy; intuition discriminate.
Qed.

Lemma left_is x : left_over p t up x = leftz x.
Proof.
  apply filter_ext. intros l. f_equal.
  - pose proof (d_lt 0 (inside p t l) 0%Q (g l) r_0 (pt l)) as d. unfold decided in d.
    destruct (Rlt_dec 0 (inside p t l)), (negb (Qle_bool (g l) 0)); intuition discriminate.
  - unfold always. rewrite seen_is. induction (seenz x) as [|[i w] os IH]; [easy|]. cbn [forallb].
    rewrite IH. f_equal. unfold likelihood_of. cbn [fst snd].
    pose proof (up_positive i l w). destruct Rlt_dec, (isup i l w); intuition discriminate.
Qed.

Lemma d_weighed x : decided (exists beta, law beta /\ (forall l, 0 < beta l -> 0 < inside p t l) /\
  forall i w, coded (z i x w) <= exp (two k) * geo beta (fun l => coded (z i l w)))
  (negb (none_weigh x)).
Proof.
  assert (L : forall i, likelihood (up i)).
  { intros i y w. unfold up. destruct isup; [left; apply exp_pos|lra]. }
  assert (ln2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (up_ : forall beta, weighed p t (fun i x w => coded (z i x w)) (two k) x beta <->
    weighed p t up (two k) x beta) by apply weighed_up.
  enough (E : (exists beta, weighed p t up (two k) x beta) <-> none_weigh x = false).
  { unfold decided. rewrite negb_true_iff, <- E. split; intros [b wb]; exists b; now apply up_. }
  set (row_of := fun l o => if (isup (fst o) x (snd o) && isup (fst o) l (snd o))%bool
    then gap up (two k) x l o else ln 2 * IZR (gapz x l o)).
  set (gaps := map row_of (leftz x)).
  assert (each : Forall2 scaled gaps (map (gapz x) (leftz x))).
  { unfold gaps, row_of. induction (leftz x) as [|l m IH]; simpl; constructor; [|exact IH].
    exists (ln 2). split; [easy|]. intros [i w]. cbn [fst snd].
    destruct (isup i x w) eqn:a, (isup i l w) eqn:b; cbn [andb]; try easy.
    unfold gap, likelihood_of, up, gapz. cbn [fst snd]. rewrite a, b, !ln_exp, !minus_IZR.
    unfold two. ring. }
  assert (ok : forall l o, In l (leftz x) -> In o (seenz x) ->
    (isup (fst o) x (snd o) && isup (fst o) l (snd o))%bool = true).
  { intros l o il io. apply filter_In in il as [_ il]. apply andb_true_iff in il as [_ il].
    rewrite forallb_forall in il. specialize (il o io). apply filter_In in io as [_ io].
    now rewrite io, il. }
  assert (same : forall os (f f' : I * W -> R) y, (forall o, In o os -> f o = f' o) ->
    dot os f y = dot os f' y).
  { induction os as [|o os IH]; intros f f' [|a y] e; simpl; auto.
    rewrite (e o (or_introl eq_refl)), (IH f f'); auto. intros q i. apply e. now right. }
  pose proof (apartz_right (seenz x) gaps _ each) as right_.
  fold (none_weigh x) in right_. rewrite (weights_or_apart dec p t up (two k) x L).
  rewrite seen_is, left_is. destruct (none_weigh x).
  - split; [|easy]. intros none. destruct none. destruct right_ as [y [len [pos apart]]].
    exists y. split; [easy|]. split; [easy|]. intros l il.
    rewrite (same _ _ (row_of l)).
    + apply apart. now apply (in_map row_of).
    + intros o io. unfold row_of. now rewrite (ok l o il io).
  - split; [easy|]. intros _ [y [_ [pos apart]]]. destruct right_ as [u [cu low]].
    assert (up_y : 0 < dot (seenz x) u y).
    { clear low. induction cu as [r ir|u v _ IHu _ IHv|c u c0 _ IHu].
      - unfold gaps in ir. apply in_map_iff in ir as [l [<- il]].
        rewrite (same _ _ (gap up (two k) x l)); [now apply apart|].
        intros o io. unfold row_of. now rewrite (ok l o il io).
      - rewrite dot_add. lra.
      - rewrite dot_scale. now apply Rmult_lt_0_compat. }
    pose proof (dot_low (seenz x) u y low pos). lra.
Qed.
End Decided.

#[export] Instance d_coded c : decided (0 <= coded c) (0 <=? fst c)%Z | 0.
Proof.
  unfold decided, coded. rewrite Z.leb_le. pose proof (exp_pos (two (snd c))). split; intros le.
  - apply Rmult_le_pos; [|lra]. apply IZR_le. now apply Z.sgn_nonneg.
  - apply Z.sgn_nonneg, le_IZR. apply Rnot_lt_le. intros neg. nra.
Qed.

Section Frameworks.
Context {n : nat} {I W A B : Type} `{Finite I} `{Finite W}.
Context (z : I -> fin n -> W -> Z * Z) (k : Z) (a b : B -> @secret (fin n)) (f : A -> fin n -> R).
Context (lq : list B) (lp : list A) (i j : A -> B -> bool) (u v : A -> B -> fin n -> Q).
Hypotheses (first : forall x y, decided (0 < P (f x) (a y)) (i x y))
  (second : forall x y, decided (0 < P (f x) (b y)) (j x y))
  (of_a : forall x y d, rational (inside (f x) (a y) d) (u x y d))
  (of_b : forall x y d, rational (inside (f x) (b y) d) (v x y d)).

Definition all_weighed := forallb (fun x => forallb (fun y => negb (i x y && j x y) ||
  forallb (fun d => Qle_bool (u x y d) 0 || negb (none_weigh z k (v x y) d)) all) lq) lp.

Lemma d_has_weights : decided (has_weights (two k) (fun c d w => coded (z c d w))
  (fun s t => In (s, t) (map (fun y => (a y, b y)) lq)) (fun p => In p (map f lp))) all_weighed.
Proof.
  assert (one : forall x y d, decided (0 < inside (f x) (a y) d) (negb (Qle_bool (u x y d) 0))).
  { intros x y d. apply (d_lt _ _ _ _ r_0 (of_a x y d)). }
  assert (two_ : forall x y d, decided _ _) by (intros x y d;
    exact (d_weighed (@fin_dec n) z k (f x) (b y) (v x y) (of_b x y) d)).
  unfold decided, all_weighed in *. rewrite forallb_forall. split.
  - intros each p s t ip ist Ps Pt d pd. apply in_map_iff in ip as [x [<- ix]].
    apply in_map_iff in ist as [y [q iy]]. injection q as <- <-. specialize (each x ix).
    rewrite forallb_forall in each. specialize (each y iy).
    apply first in Ps. apply second in Pt. rewrite Ps, Pt in each. simpl in each.
    rewrite forallb_forall in each. specialize (each d (all_here d)). apply two_.
    apply one in pd. now destruct (Qle_bool (u x y d) 0).
  - intros each x ix. apply forallb_forall. intros y iy. apply orb_true_iff.
    destruct (i x y && j x y)%bool eqn:both; [right|now left]. apply andb_true_iff in both as [F G].
    apply forallb_forall. intros d _. apply orb_true_iff.
    destruct (Qle_bool (u x y d) 0) eqn:e; [now left|right]. apply two_.
    apply (each (f x) (a y) (b y)); try (now apply first || now apply second);
      [apply in_map_iff; eauto..|]. apply one. now rewrite e.
Qed.

Context (c e : bool).
Hypotheses (signs : decided (forall o, likelihood (fun d w => coded (z o d w))) c)
  (laws : decided (laws_only (fun p => In p (map f lp))) e).

Lemma d_composing : decided (composing (two k) (fun c d w => coded (z c d w))
  (fun s t => In (s, t) (map (fun y => (a y, b y)) lq)) (fun p => In p (map f lp)))
  (c && (e && all_weighed)).
Proof.
  pose proof d_has_weights as some. unfold decided in *. rewrite !andb_true_iff, signs, laws, some.
  split.
  - intros [M0 [L each]]. now apply (weights_exactly (@fin_dec n)).
  - intros found. pose proof found as [M0 [L _]]. repeat (split; [easy|]).
    now apply (weights_exactly (@fin_dec n)).
Qed.
End Frameworks.
#[export] Hint Extern 0 (decided (has_weights _ _ _ _) _) => eapply d_has_weights :
  typeclass_instances.
#[export] Hint Extern 0 (decided (composing _ _ _ _) _) => eapply d_composing :
  typeclass_instances.
