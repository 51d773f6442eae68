(** A mechanism with four outputs that keeps a level in one run and tells the secret in three on
    average, under many priors (bai2026, section 4, example 3). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain Determined Revealed Decoys.
Import ListNotations.
Open Scope R_scope.

Section Four.
Context {D : Type} `{Finite D} (s U : @secret D).
Notation t := (otherwise s).
Definition within (u v : @secret D) : @secret D := fun x => u x && v x.

(** Outputs 1a2a, 1a2b, 1b2a and 1b2b are pairs, with true for a: with s the first place says
    whether x is in U, without s the second one, and the other place is a fair coin. *)
Definition four (x : D) (w : bool * bool) : R :=
  if eqb (if s x then fst w else snd w) (U x) then 1/2 else 0.
(** P(U | s) is from LT to UT and P(U | not s) from LF to UF, for all priors that allow both. *)
Definition fractions (priors : (D -> R) -> Prop) LT UT LF UF := forall p, priors p -> 0 < P p s ->
  0 < P p t -> (LT * P p s <= P p (within s U) /\ P p (within s U) <= UT * P p s) /\
    (LF * P p t <= P p (within t U) /\ P p (within t U) <= UF * P p t).
(** The eight ratios of the print, and their inverses, are at most R: multiplied out. *)
Definition either r a b := a <= r * b /\ b <= r * a.
Definition eight r LT UT LF UF :=
  either r UT LF /\ either r LT UF /\ either r (1 - UT) UF /\ either r (1 - LT) LF /\
  either r LT (1 - LF) /\ either r UT (1 - UF) /\ either r (1 - UT) (1 - LF) /\
  either r (1 - LT) (1 - UF).
Definition printed r LT UT LF UF :=
  UT <= r * LF /\ LT <= r * UF /\ 1 - UT <= r * UF /\ 1 - LT <= r * LF /\
  LT <= r * (1 - LF) /\ UT <= r * (1 - UF) /\ 1 - UT <= r * (1 - LF) /\ 1 - LT <= r * (1 - UF).
Definition corner (priors : (D -> R) -> Prop) a b := exists p, priors p /\ 0 < P p s /\ 0 < P p t /\
  P p (within s U) = a * P p s /\ P p (within t U) = b * P p t.
(** Each of the four choices of bounds is the pair of probabilities of some prior. *)
Definition corners (priors : (D -> R) -> Prop) LT UT LF UF :=
  corner priors LT LF /\ corner priors LT UF /\ corner priors UT LF /\ corner priors UT UF.
(** The ratio of an output given s and given not s is in the printed interval: multiplied out. *)
Definition in_interval p w a b c d :=
  a * (P p s * Pw p four t w) <= b * (P p t * Pw p four s w) /\
  d * (P p t * Pw p four s w) <= c * (P p s * Pw p four t w).
Definition four_intervals (priors : (D -> R) -> Prop) LT UT LF UF := forall p, priors p ->
  0 < P p s -> 0 < P p t ->
  in_interval p (true, true) LT UF UT LF /\ in_interval p (false, true) (1 - UT) UF (1 - LT) LF /\
  in_interval p (true, false) LT (1 - LF) UT (1 - UF) /\
  in_interval p (false, false) (1 - UT) (1 - LF) (1 - LT) (1 - UF).
Definition both_ways (u v : @secret D) :=
  In (u, v) (map (fun st => (fst st, snd st)) [(s, t); (t, s)]).
Definition one_way (u v : @secret D) := In (u, v) (map (fun st => (fst st, snd st)) [(s, t)]).

Lemma rest p u : P p u = P p (within u U) + P p (within u (otherwise U)).
Proof.
  unfold P. rewrite <- sum_plus. apply sum_ext; intros x _. unfold inside, within, otherwise.
  destruct (u x), (U x); simpl; ring.
Qed.

Definition side (i : bool) := if i then U else otherwise U.
Lemma given_s p i j : Pw p four s (i, j) = / 2 * P p (within s (side i)).
Proof.
  unfold Pw, P. rewrite <- sum_scale. apply sum_ext; intros x _.
  unfold four, inside, within, side, otherwise; cbn [fst snd].
  destruct (s x), i, (U x); simpl; lra.
Qed.
Lemma given_t p i j : Pw p four t (i, j) = / 2 * P p (within t (side j)).
Proof.
  unfold Pw, P. rewrite <- sum_scale. apply sum_ext; intros x _.
  unfold four, inside, within, side, otherwise; cbn [fst snd].
  destruct (s x), j, (U x); simpl; lra.
Qed.

Lemma one_at_least r LT UT LF UF : printed r LT UT LF UF -> 1 <= r.
Proof. unfold printed. intros all_eight. decompose [and] all_eight. lra. Qed.

Lemma product_at_most r a b x y k l : 0 <= r -> 0 < k -> 0 < l -> x <= a * k -> b * l <= y ->
  a <= r * b -> / 2 * x * l <= r * k * (/ 2 * y).
Proof.
  intros r0 k0 l0 up low le. apply Rle_trans with (/ 2 * (k * l) * a).
  - replace (/ 2 * x * l) with (/ 2 * l * x) by ring.
    replace (/ 2 * (k * l) * a) with (/ 2 * l * (a * k)) by ring.
    apply Rmult_le_compat_l; lra.
  - apply Rle_trans with (/ 2 * (k * l) * (r * b)).
    + apply Rmult_le_compat_l; [|easy]. assert (0 < k * l) by now apply Rmult_lt_0_compat. lra.
    + replace (/ 2 * (k * l) * (r * b)) with (r * k * / 2 * (b * l)) by ring.
      replace (r * k * (/ 2 * y)) with (r * k * / 2 * y) by ring.
      apply Rmult_le_compat_l; [|easy]. assert (0 <= r * k) by (apply Rmult_le_pos; lra). lra.
Qed.

(** The printed level, in the order of the print (bai2026.ex3-eps).
    Differs: ratios are multiplied out; databases are finite. *)
Theorem four_keeps_one_order r LT UT LF UF priors : fractions priors LT UT LF UF ->
  printed r LT UT LF UF -> pufferfish r four one_way priors.
Proof.
  intros frac most p u v [i j] Hp [uv|[]] Ps Pt. injection uv as <- <-.
  pose proof (one_at_least r LT UT LF UF most) as r1.
  destruct (frac p Hp Ps Pt) as [[lowT upT] [lowF upF]].
  unfold printed in most. decompose [and] most. rewrite given_s, given_t.
  pose proof (rest p s) as cs. pose proof (rest p t) as ct. destruct i, j; cbn [side].
  - apply (product_at_most r UT LF); lra.
  - apply (product_at_most r UT (1 - UF)); lra.
  - apply (product_at_most r (1 - LT) LF); lra.
  - apply (product_at_most r (1 - LT) (1 - UF)); lra.
Qed.

(** The level with the bars outside the logarithms, in both orders (bai2026.ex3-eps-repaired).
    Differs: as [four_keeps_one_order]. *)
Theorem four_keeps r LT UT LF UF priors : fractions priors LT UT LF UF ->
  eight r LT UT LF UF -> pufferfish r four both_ways priors.
Proof.
  unfold eight, either. intros frac most p u v [i j] Hp uv Ps Pt.
  assert (one : 1 <= r) by (decompose [and] most; lra).
  decompose [and] most. destruct uv as [uv|[uv|[]]]; injection uv as <- <-.
  - destruct (frac p Hp Ps Pt) as [[lowT upT] [lowF upF]].
    rewrite given_s, given_t. pose proof (rest p s) as cs. pose proof (rest p t) as ct.
    destruct i, j; cbn [side].
    + apply (product_at_most r UT LF); lra.
    + apply (product_at_most r UT (1 - UF)); lra.
    + apply (product_at_most r (1 - LT) LF); lra.
    + apply (product_at_most r (1 - LT) (1 - UF)); lra.
  - destruct (frac p Hp Pt Ps) as [[lowT upT] [lowF upF]].
    rewrite given_s, given_t. pose proof (rest p s) as cs. pose proof (rest p t) as ct.
    destruct i, j; cbn [side].
    + apply (product_at_most r UF LT); lra.
    + apply (product_at_most r (1 - LF) LT); lra.
    + apply (product_at_most r UF (1 - UT)); lra.
    + apply (product_at_most r (1 - LF) (1 - UT)); lra.
Qed.

Lemma at_corner r priors a b : pufferfish r four both_ways priors -> corner priors a b ->
  either r a b /\ either r a (1 - b) /\ either r (1 - a) b /\ either r (1 - a) (1 - b).
Proof.
  intros keep [p [Hp [Ps [Pt [ea eb]]]]].
  assert (st : forall w, Pw p four s w * P p t <= r * P p s * Pw p four t w)
    by (intros w; apply keep; unfold both_ways; simpl; auto).
  assert (ts : forall w, Pw p four t w * P p s <= r * P p t * Pw p four s w)
    by (intros w; apply keep; unfold both_ways; simpl; auto).
  assert (pos : 0 < P p s * P p t) by now apply Rmult_lt_0_compat.
  assert (cut : forall x y, / 2 * (x * P p s) * P p t <= r * P p s * (/ 2 * (y * P p t)) ->
    x <= r * y).
  { intros x y le. apply (Rmult_le_reg_r (/ 2 * (P p s * P p t))); lra. }
  assert (cut' : forall x y, / 2 * (y * P p t) * P p s <= r * P p t * (/ 2 * (x * P p s)) ->
    y <= r * x).
  { intros x y le. apply (Rmult_le_reg_r (/ 2 * (P p s * P p t))); lra. }
  assert (oa : P p (within s (otherwise U)) = (1 - a) * P p s) by (pose proof (rest p s); lra).
  assert (ob : P p (within t (otherwise U)) = (1 - b) * P p t) by (pose proof (rest p t); lra).
  pose proof (st (true, true)) as s1. pose proof (st (true, false)) as s2.
  pose proof (st (false, true)) as s3. pose proof (st (false, false)) as s4.
  pose proof (ts (true, true)) as t1. pose proof (ts (true, false)) as t2.
  pose proof (ts (false, true)) as t3. pose proof (ts (false, false)) as t4.
  rewrite given_s, given_t in s1, s2, s3, s4, t1, t2, t3, t4. cbn [side] in *.
  rewrite ?ea, ?eb, ?oa, ?ob in *. unfold either.
  repeat split; (now apply cut) || now apply cut'.
Qed.

(** No smaller level is kept if all corners are attained (bai2026.ex3-eps-repaired).
    Differs: as [four_keeps_one_order]. *)
Theorem four_attained r LT UT LF UF priors : corners priors LT UT LF UF ->
  pufferfish r four both_ways priors -> eight r LT UT LF UF.
Proof.
  intros [ll [lu [ul uu]]] keep.
  destruct (at_corner r priors LT LF keep ll) as [_ [l2 [l3 _]]].
  destruct (at_corner r priors LT UF keep lu) as [m1 [_ [_ m4]]].
  destruct (at_corner r priors UT LF keep ul) as [n1 [_ [_ n4]]].
  destruct (at_corner r priors UT UF keep uu) as [_ [o2 [o3 _]]].
  exact (conj n1 (conj m1 (conj o3 (conj l3 (conj l2 (conj o2 (conj n4 m4))))))).  
Qed.

(** The intervals of the ratios of outputs (bai2026.ex3-ratios).
    Differs: as [four_keeps_one_order]; bounds may be 0 and 1. *)
Theorem four_ratios LT UT LF UF priors : fractions priors LT UT LF UF ->
  0 <= LT -> UT <= 1 -> 0 <= LF -> UF <= 1 -> four_intervals priors LT UT LF UF.
Proof.
  intros frac LT0 UT1 LF0 UF1 p Hp Ps Pt. destruct (frac p Hp Ps Pt) as [[lowT upT] [lowF upF]].
  pose proof (rest p s) as cs. pose proof (rest p t) as ct.
  assert (two : forall a b k l x y, 0 <= b -> 0 <= a -> 0 < k -> 0 < l -> a * k <= x ->
    y <= b * l -> a * (k * (/ 2 * y)) <= b * (l * (/ 2 * x))).
  { intros a b k l x y b0 a0 k0 l0 low up.
    apply Rle_trans with (a * k * / 2 * (b * l)).
    - replace (a * (k * (/ 2 * y))) with (a * k * / 2 * y) by ring.
      apply Rmult_le_compat_l; [|easy]. assert (0 <= a * k) by (apply Rmult_le_pos; lra). lra.
    - replace (b * (l * (/ 2 * x))) with (b * l * / 2 * x) by ring.
      replace (a * k * / 2 * (b * l)) with (b * l * / 2 * (a * k)) by ring.
      apply Rmult_le_compat_l; [|easy]. assert (0 <= b * l) by (apply Rmult_le_pos; lra). lra. }
  assert (kl : 0 < P p s * P p t) by now apply Rmult_lt_0_compat.
  assert (LT1 : LT <= UT) by (apply (Rmult_le_reg_r (P p s)); lra).
  assert (LF1 : LF <= UF) by (apply (Rmult_le_reg_r (P p t)); lra).
  repeat split; rewrite given_s, given_t; cbn [side];
    first [apply two; lra|idtac].
Qed.

(** All four kinds of databases are possible, and x is. *)
Definition four_kinds p x := law p /\ 0 < p x /\ 0 < P p (within s U) /\
  0 < P p (within s (otherwise U)) /\ 0 < P p (within t U) /\ 0 < P p (within t (otherwise U)).
Definition like (x y : D) : bool := eqb (s y) (s x).
(** On average whether s is true of x is told by E runs. *)
Definition four_runs p x E := four_kinds p x /\ expected_runs p four (like x) x E.

Lemma pos_member p u : law p -> 0 < P p u -> exists y, u y = true /\ 0 < p y.
Proof.
  intros L pos. apply sum_pos_exists in pos as [y [_ py]]. exists y. unfold inside in py.
  destruct (u y); [easy|lra].
Qed.

Lemma four_positive x i j : 0 < four x (i, j) <-> (if s x then i else j) = U x.
Proof.
  unfold four; cbn [fst snd].
  destruct (s x), i, j, (U x); simpl; split; intros; try easy; lra.
Qed.

Lemma four_rows x : law (four x).
Proof.
  split.
  - intros [i j]. unfold four. destruct (eqb _ _); lra.
  - unfold four. cbn. destruct (s x), (U x); simpl; lra.
Qed.

Definition out_dec : forall v w : bool * bool, {v = w} + {v <> w}.
Proof. decide equality; apply bool_dec. Defined.

(** Two different outputs tell the secret, after 3 runs on average (bai2026.ex3-runs).
    Differs: databases are finite; the expectation is the sum of the probabilities that more than k
    runs are needed. *)
Theorem four_tells p x : four_kinds p x -> four_runs p x 3.
Proof.
  intros kinds. split; [exact kinds|]. destruct kinds as [L [px [sU [sV [tU tV]]]]].
  assert (shares : forall w, share four out_dec (fun v => v) x w = four x w).
  { intros w. unfold share. transitivity (Σ v, if out_dec w v then four x w else 0);
      [|apply sum_one]. apply sum_ext. intros v _.
    destruct (out_dec v w), (out_dec w v); congruence. }
  replace 3 with (1 + Σ w, share four out_dec (fun v => v) x w /
    (1 - share four out_dec (fun v => v) x w)).
  2: { rewrite (sum_ext _ _ (fun w => four x w / (1 - four x w)))
         by (intros w _; now rewrite shares).
       unfold four. cbn. destruct (s x), (U x); simpl; lra. }
  (* Another database of the other secret that gives w too. *)
  assert (other : forall w, 0 < four x w -> exists y, 0 < p y /\ s y <> s x /\ 0 < four y w).
  { intros [i j] _. destruct (s x).
    - destruct j; [destruct (pos_member p _ L tU) as [y [uy py]]|
        destruct (pos_member p _ L tV) as [y [uy py]]]; exists y; unfold within, otherwise in uy;
        apply andb_true_iff in uy as [ty Uy]; apply negb_true_iff in ty;
        rewrite four_positive, ty; repeat split; try easy; try congruence.
      now destruct (U y).
    - destruct i; [destruct (pos_member p _ L sU) as [y [uy py]]|
        destruct (pos_member p _ L sV) as [y [uy py]]]; exists y; unfold within, otherwise in uy;
        apply andb_true_iff in uy as [ty Uy];
        rewrite four_positive, ty; repeat split; try easy; try congruence.
      now destruct (U y). }
  apply (two_kinds_tell p four out_dec).
  - apply four_rows.
  - apply not_true_iff_false. rewrite told_is. intros all_told.
    destruct (other (U x, U x)) as [y [py [ne _]]]; [apply four_positive; now destruct (s x)|].
    specialize (all_told y py (fun w i => match i with end)). unfold like in all_told.
    now apply eqb_prop in all_told.
  - intros w ws can.
    pose proof (chance_positive four x (w :: ws) (four_rows x) can) as each. clear can.
    rewrite <- not_true_iff_false, told_is. split.
    + intros hidden v i. destruct (out_dec v w) as [|ne]; [easy|]. exfalso. apply hidden.
      intros y py fits. unfold like.
      destruct (bool_dec (s y) (s x)) as [->|differ]; [apply eqb_reflx|]. exfalso.
      pose proof (each w (or_introl eq_refl)) as pw. pose proof (each v (or_intror i)) as pv.
      pose proof (fits w (or_introl eq_refl)) as fw. pose proof (fits v (or_intror i)) as fv.
      destruct w as [a b], v as [c d]. rewrite four_positive in pw, pv, fw, fv.
      destruct (s x), (s y); try now destruct differ; try easy.
      all: destruct ne; congruence.
    + intros same all_told. destruct (other w (each w (or_introl eq_refl))) as [y [py [ne fy]]].
      assert (E : like x y = true).
      { apply all_told; [easy|]. intros v [<-|i]; [easy|]. now rewrite (same v i). }
      unfold like in E. now apply eqb_prop in E.
  - intros w. rewrite shares. unfold four. destruct (eqb _ _); lra.
Qed.
End Four.
