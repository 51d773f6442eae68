(** Certificates of leakage decided with integers, for any mechanism that a table of rows describes;
    [Released] has the theorems that exported files use. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Integers.
Import ListNotations.
Open Scope Z_scope.

(** P(s), and P(w, s) for every output, up to a factor. *)
Definition view (rs : list (list Z)) (p : list Z) (s : list bool) : Z * list Z :=
  let k := keep s p in (total k, weighed k rs).

(** u a <= v b at every place. *)
Fixpoint all_le u v (a b : list Z) : bool := match a, b with
  | x :: a, y :: b => if u * x <=? v * y then all_le u v a b else false
  | [], _ => forallb (fun y => 0 <=? v * y) b
  | _, [] => forallb (fun x => u * x <=? 0) a end.

(** P(w, s) P(t) <= n/d P(s) P(w, t) for all outputs w, unless s or t is impossible. *)
Definition check_order n d (s t : Z * list Z) : bool :=
  if fst s <=? 0 then true else if fst t <=? 0 then true else
  all_le (fst t * Zpos d) (n * fst s) (snd s) (snd t).

Definition check_pairs (check : Z * list Z -> Z * list Z -> bool) f rs p : bool :=
  let views := map (view rs p) (secrets f) in
  forallb (fun ij =>
    let s := nth (fst ij) views (0, []) in let t := nth (snd ij) views (0, []) in
    if check s t then check t s else false) (pairs f).

Definition check_framework f : bool :=
  (0 <? prior_unit f) && forallb (law_of (prior_unit f) (size f)) (priors f).
Definition check_mechanism f m : bool :=
  (0 <? row_unit m) && Nat.eqb (length (rows m)) (size f) &&
  forallb (law_of (row_unit m) (outputs m)) (rows m).

Lemma all_le_at u v a b i : all_le u v a b = true -> u * at_place a i <= v * at_place b i.
Proof.
  revert b i; induction a as [|x a IH]; intros b i H.
  - rewrite at_nil. cbn [all_le] in H. rewrite forallb_forall in H. unfold at_place.
    destruct (nth_in_or_default i b 0) as [j|e]; [apply H in j; lia|lia].
  - destruct b as [|y b].
    + rewrite at_nil. change (forallb (fun x => u * x <=? 0) (x :: a) = true) in H.
      rewrite forallb_forall in H. unfold at_place.
      destruct (nth_in_or_default i (x :: a) 0) as [j|e]; [apply H in j; lia|lia].
    + cbn [all_le] in H. destruct (Z.leb_spec (u * x) (v * y)); [|easy].
      destruct i; [easy|exact (IH b i H)].
Qed.

Lemma check_pairs_at check f rs p i j : check_pairs check f rs p = true ->
  In (i, j) (pairs f) \/ In (j, i) (pairs f) ->
  check (view rs p (nth i (secrets f) [])) (view rs p (nth j (secrets f) [])) = true.
Proof.
  unfold check_pairs. cbv zeta. rewrite forallb_forall. intros H [I|I]; specialize (H _ I);
    cbn [fst snd] in H; change (0, []) with (view rs p []) in H; rewrite !map_nth in H;
    destruct (check _ _) eqn:E in H; easy.
Qed.

Lemma at_row_lists rs k : In (nth k rs []) rs \/ nth k rs [] = @nil Z.
Proof. destruct (nth_in_or_default k rs []); auto. Qed.
Open Scope R_scope.

Section Framework.
Context (f : framework) (ok : check_framework f = true).

Lemma unit_pos : 0 < IZR (prior_unit f).
Proof. apply andb_prop in ok as [h _]. apply IZR_lt. now apply Z.ltb_lt. Qed.

Lemma prior_ok l : (l < length (priors f))%nat ->
  law_of (prior_unit f) (size f) (nth l (priors f) []) = true.
Proof.
  apply andb_prop in ok as [_ h]. rewrite forallb_forall in h. intros; now apply h, nth_In.
Qed.

Lemma law_prior l : (l < length (priors f))%nat -> law (prior_of f l).
Proof.
  intros small. pose proof (prior_ok l small) as h. pose proof unit_pos as u. split.
  - intros x. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
    apply IZR_le. now apply law_of_parts in h.
  - unfold prior_of. rewrite (Sum_index (size f)
      (fun i => IZR (at_place (nth l (priors f) []) i) / IZR (prior_unit f))).
    rewrite (sum_ext _ _ (fun i => / IZR (prior_unit f) * IZR (at_place (nth l (priors f) []) i)))
      by (intros; unfold Rdiv; ring).
    rewrite sum_scale, (law_of_sum _ _ _ h). field; lra.
Qed.

Lemma law_mixture weight : law weight -> law (mixture_of f weight).
Proof.
  intros [pos tot]. split.
  - intros x. apply sum_nonneg; intros l _. apply Rmult_le_pos; [easy|].
    apply law_prior, number_lt.
  - unfold mixture_of. rewrite sum_swap. rewrite <- tot. apply sum_ext; intros l _.
    rewrite sum_scale. destruct (law_prior (number l) (number_lt _ l)) as [_ ->]. ring.
Qed.

Lemma laws_priors : laws_only (priors_of f).
Proof.
  intros p h. unfold priors_of in h. destruct (convex f).
  - destruct h as [weight [lw ->]]. now apply law_mixture.
  - destruct h as [l [small ->]]. now apply law_prior.
Qed.
End Framework.

Section Mechanism.
Context (f : framework) (m : mechanism) (ok : check_mechanism f m = true).

Lemma row_unit_pos : 0 < IZR (row_unit m).
Proof. apply andb_prop in ok as [h _]. apply andb_prop in h as [h _]. apply IZR_lt.
  now apply Z.ltb_lt. Qed.

Lemma kernel_channel : kernel (channel f m).
Proof.
  intros x. pose proof row_unit_pos as u. unfold check_mechanism in ok.
  rewrite !andb_true_iff, Nat.eqb_eq, forallb_forall in ok. destruct ok as [[_ len] all_].
  assert (h : law_of (row_unit m) (outputs m) (nth (number x) (rows m) []) = true).
  { apply all_, nth_In. rewrite len. apply number_lt. }
  split.
  - intros w. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
    apply IZR_le. now apply law_of_parts in h.
  - unfold channel. set (row := nth (number x) (rows m) []) in *.
    rewrite (Sum_index (outputs m) (fun i => IZR (at_place row i) / IZR (row_unit m))).
    rewrite (sum_ext _ _ (fun i => / IZR (row_unit m) * IZR (at_place row i)))
      by (intros; unfold Rdiv; ring).
    rewrite sum_scale, (law_of_sum _ _ _ h). field; lra.
Qed.
End Mechanism.

(** A table of rows describes M: at the place of w, it has K times the probability of w. *)
Section Described.
Context (f : framework) (framework_ok : check_framework f = true).
Context {W : Type} (M : index (size f) -> W -> R) (K : Z) (rs : list (list Z)) (place : W -> nat).
Context (K0 : 0 < IZR K) (M0 : likelihood M).
Hypothesis describes :
  forall x w, IZR (at_place (nth (number x) rs []) (place w)) = IZR K * M x w.

(** A prior as integers z over U. *)
Section Prior.
Context (U : Z) (z : list Z) (pr : index (size f) -> R).
Context (U0 : 0 < IZR U) (short : (length z <= size f)%nat).
Hypothesis reads : forall x, IZR (at_place z (number x)) = IZR U * pr x.

Let inside_at (i : nat) (x : index (size f)) :
  IZR (at_place (keep (nth i (secrets f) []) z) (number x)) =
  IZR U * inside pr (secret_of f i) x.
Proof.
  rewrite at_keep. unfold inside, secret_of. destruct nth; [apply reads|ring].
Qed.

Lemma view_P i : IZR (fst (view rs z (nth i (secrets f) []))) = IZR U * P pr (secret_of f i).
Proof.
  simpl. rewrite (total_sum _ (size f))
    by (pose proof (keep_length (nth i (secrets f) []) z); lia).
  rewrite <- Sum_index. unfold P. rewrite <- sum_scale. apply sum_ext; intros; apply inside_at.
Qed.

Lemma view_Pw i w : IZR (at_place (snd (view rs z (nth i (secrets f) []))) (place w)) =
  IZR U * IZR K * Pw pr M (secret_of f i) w.
Proof.
  simpl. rewrite (weighed_sum _ _ _ (size f))
    by (pose proof (keep_length (nth i (secrets f) []) z); lia).
  rewrite <- (Sum_index (size f) (fun k => IZR (at_place (keep (nth i (secrets f) []) z) k) *
    IZR (at_place (nth k rs []) (place w)))).
  unfold Pw. rewrite <- sum_scale. apply sum_ext; intros x _. rewrite inside_at, describes. ring.
Qed.

Lemma order_sound n d i j :
  check_order n d (view rs z (nth i (secrets f) [])) (view rs z (nth j (secrets f) [])) = true ->
  forall w, 0 < P pr (secret_of f i) -> 0 < P pr (secret_of f j) ->
  Pw pr M (secret_of f i) w * P pr (secret_of f j) <=
  IZR n / IZR (Zpos d) * P pr (secret_of f i) * Pw pr M (secret_of f j) w.
Proof.
  intros H w Ps Pt. unfold check_order in H.
  pose proof (view_P i) as pE. pose proof (view_P j) as qE.
  pose proof (view_Pw i w) as aE. pose proof (view_Pw j w) as bE.
  destruct (Z.leb_spec (fst (view rs z (nth i (secrets f) []))) 0) as [h|_].
  { apply IZR_le in h. rewrite pE in h. nra. }
  destruct (Z.leb_spec (fst (view rs z (nth j (secrets f) []))) 0) as [h|_].
  { apply IZR_le in h. rewrite qE in h. nra. }
  apply (all_le_at _ _ _ _ (place w)), IZR_le in H.
  rewrite !mult_IZR, pE, qE, aE, bE in H.
  assert (d0 : 0 < IZR (Zpos d)) by (apply IZR_lt; easy).
  apply (Rmult_le_reg_l (IZR U * IZR U * IZR K * IZR (Zpos d)));
    [repeat apply Rmult_lt_0_compat; easy|].
  set (a := Pw pr M (secret_of f i) w) in *. set (b := Pw pr M (secret_of f j) w) in *.
  set (p := P pr (secret_of f i)) in *. set (q := P pr (secret_of f j)) in *.
  replace (IZR U * IZR U * IZR K * IZR (Zpos d) * (IZR n / IZR (Zpos d) * p * b))
    with (IZR n * (IZR U * p) * (IZR U * IZR K * b)) by (field; lra).
  lra.
Qed.
End Prior.

Lemma listed_reads l : (l < length (priors f))%nat ->
  (length (nth l (priors f) []) <= size f)%nat /\
  forall x, IZR (at_place (nth l (priors f) []) (number x)) = IZR (prior_unit f) * prior_of f l x.
Proof.
  intros small. pose proof (prior_ok f framework_ok l small) as h.
  apply law_of_parts in h as [len _]. split; [lia|].
  intros x. unfold prior_of. pose proof (unit_pos f framework_ok). field; lra.
Qed.

Definition check_listed n d : bool :=
  negb (convex f) && forallb (check_pairs (check_order n d) f rs) (priors f).

Lemma listed_sound n d : check_listed n d = true -> within f M (IZR n / IZR (Zpos d)).
Proof.
  intros H p s t w hp hst Ps Pt. apply andb_prop in H as [c H]. rewrite forallb_forall in H.
  unfold priors_of in hp. destruct (convex f); [easy|]. destruct hp as [l [small ->]].
  destruct hst as [i [j [I [-> ->]]]]. specialize (H _ (nth_In _ [] small)).
  destruct (listed_reads l small) as [short reads].
  apply (order_sound (prior_unit f) (nth l (priors f) [])); auto; [now apply unit_pos|].
  exact (check_pairs_at _ _ _ _ _ _ H I).
Qed.

(** The promise is weaker at a larger ratio. *)
Lemma within_more r r' : r <= r' -> within f M r -> within f M r'.
Proof.
  intros le H p s t w hp hst Ps Pt. specialize (H p s t w hp hst Ps Pt).
  assert (b0 : 0 <= Pw p M t w).
  { apply sum_nonneg; intros x _. apply Rmult_le_pos; [|apply M0].
    unfold inside. destruct (t x); [|lra]. now apply (laws_priors f framework_ok p hp). }
  apply Rle_trans with (1 := H). repeat apply Rmult_le_compat_r; lra.
Qed.
End Described.
