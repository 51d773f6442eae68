(** worst.dichotomy for any number of releases: the largest joint ratio of one pair of secrets under
    one law, in both orders or in one. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Means Dichotomy Determined Metric.
Import ListNotations.
Open Scope R_scope.

Section Releases.
Context {D : Type} `{Finite D}.
Implicit Types (p : D -> R) (s t u v : @secret D) (Rs : list R).
Implicit Types pairs : @secret D -> @secret D -> Prop.

(** N is the joint release of independent mechanisms of the ratios Rs, one of each, with finitely
    many outputs. *)
Inductive together pairs p : list R -> forall W : Type, (D -> W -> R) -> Prop :=
  | no_release : together pairs p [] unit (fun _ _ => 1)
  | one_more A Rs (V W : Type) (F : Finite V) (M : D -> V -> R) (N : D -> W -> R) :
      kernel M -> pufferfish A M pairs (eq p) -> together pairs p Rs W N ->
      together pairs p (A :: Rs) (V * W) (both M N).

Definition at_least_one Rs := forall A, In A Rs -> 1 <= A.
(** L is the largest ratio of their joint releases. *)
Definition largest_ratio pairs p Rs L :=
  (forall W N, together pairs p Rs W N -> pufferfish L N pairs (eq p)) /\
  exists W N, together pairs p Rs W N /\ forall r, pufferfish r N pairs (eq p) -> L <= r.
(** Some of their joint releases keep no ratio. *)
Definition no_ratio pairs p Rs := exists W N,
  together pairs p Rs W N /\ forall r, ~ pufferfish r N pairs (eq p).

Definition largest p s t Rs L :=
  one_pair p s t /\ at_least_one Rs /\ largest_ratio (both_orders s t) p Rs L.
Definition unbounded p s t Rs :=
  one_pair p s t /\ at_least_one Rs /\ no_ratio (both_orders s t) p Rs.
(** Of s against t alone. *)
Definition largest_one_way p s t Rs L :=
  one_pair p s t /\ at_least_one Rs /\ largest_ratio (one_order s t) p Rs L.
Definition unbounded_one_way p s t Rs :=
  one_pair p s t /\ at_least_one Rs /\ no_ratio (one_order s t) p Rs.

(** The least probability of a possible database given u. *)
Definition lightest p u := fold_right Rmin 1 (map (fun x => inside p u x / P p u) (possible p u)).
(** What K releases of s against t come to, if t has one possible database. *)
Definition one_way_ratio p s Rs := product_of Rs / lightest p s ^ pred (length Rs).
Definition several Rs := (1 < length Rs)%nat.
End Releases.

Section OnePair.
Context {D : Type} `{Finite D} (dec : forall x y : D, {x = y} + {x <> y}).
Implicit Types (p : D -> R) (s t u v : @secret D) (Rs : list R).
Implicit Types pairs : @secret D -> @secret D -> Prop.

Lemma rest_at_least A Rs : at_least_one (A :: Rs) -> 1 <= A /\ at_least_one Rs.
Proof. intros r1. split; [apply r1; now left|intros B i; apply r1; now right]. Qed.

Lemma fold_min_below l x : In x l -> fold_right Rmin 1 l <= x.
Proof.
  induction l as [|y l IH]; simpl; intros []; [subst; apply Rmin_l|].
  eapply Rle_trans; [apply Rmin_r|auto].
Qed.

Lemma fold_min_attained l : fold_right Rmin 1 l = 1 \/ In (fold_right Rmin 1 l) l.
Proof.
  induction l as [|y l IH]; simpl; [now left|]. unfold Rmin. destruct Rle_dec; [tauto|].
  destruct IH; tauto.
Qed.

Lemma inside_below p u x : law p -> inside p u x <= P p u.
Proof.
  intros L. apply (sum_member all (inside p u)); [intros; now apply inside_nonneg|apply all_here].
Qed.

Lemma lightest_below p u x : 0 < P p u -> 0 < inside p u x ->
  lightest p u * P p u <= inside p u x.
Proof.
  intros Pu px. apply (Rmult_le_reg_r (/ P p u)); [now apply Rinv_0_lt_compat|].
  rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. apply fold_min_below.
  apply in_map_iff. exists x. split; [easy|now apply possible_in].
Qed.

Lemma lightest_attained p u : law p -> 0 < P p u ->
  exists x, 0 < inside p u x /\ inside p u x = lightest p u * P p u.
Proof.
  intros L Pu. destruct (sum_pos_exists all (inside p u) Pu) as [x [_ px]].
  destruct (fold_min_attained (map (fun x => inside p u x / P p u) (possible p u))) as [e|i].
  - exists x. split; [easy|]. pose proof (lightest_below p u x Pu px) as le.
    unfold lightest in *. rewrite e in *. pose proof (inside_below p u x L). lra.
  - apply in_map_iff in i as [y [e i]]. exists y. apply possible_in in i. split; [easy|].
    unfold lightest. rewrite <- e. field. lra.
Qed.

Lemma lightest_pos p u : law p -> 0 < P p u -> 0 < lightest p u.
Proof.
  intros L Pu. destruct (lightest_attained p u L Pu) as [x [px e]].
  apply (Rmult_lt_reg_r (P p u)); lra.
Qed.

Lemma lightest_single p u : law p -> 0 < P p u -> single p u -> lightest p u = 1.
Proof.
  intros L Pu one. destruct (single_only p u one) as [x [_ only]].
  destruct (lightest_attained p u L Pu) as [y [py e]].
  assert (E : P p u = inside p u y).
  { rewrite (only y py). unfold P. rewrite (sum_ext all _ (fun z => inside p u z *
      (if dec z x then 1 else 0))); [apply pick|].
    intros z _. destruct (dec z x) as [->|ne]; [ring|].
    destruct (inside_nonneg p u z L) as [pos|<-]; [|ring]. destruct ne. now apply only. }
  apply (Rmult_eq_reg_r (P p u)); lra.
Qed.

Lemma nothing_told p u (w : unit) : Pw p (fun _ _ => 1) u w = P p u.
Proof. apply sum_ext; intros; ring. Qed.

(** If v is possible on one database only, K releases keep the product of their ratios over the
    lightest database's probability to the power of K - 1. *)
Lemma prior_releases pairs p u v b : law p -> 0 < P p u -> 0 < P p v -> pairs u v ->
  only_on p v b -> forall Rs W N, together pairs p Rs W N -> at_least_one Rs ->
  likelihood N /\ forall x w, 0 < inside p u x ->
    lightest p u ^ length Rs * N x w <= product_of Rs * N b w.
Proof.
  intros L Pu Pv uv vb Rs W N joint. pose proof (lightest_pos p u L Pu) as m0.
  induction joint as [|A Rs V W F M N kM promise joint IH]; intros r1.
  - split; [intros x w; lra|]. intros x w _. unfold product_of; simpl. lra.
  - destruct (rest_at_least A Rs r1) as [A1 r1']. destruct (IH r1') as [N0 le].
    assert (M0 : likelihood M) by (intros x; apply kM).
    split; [intros x w; now apply Rmult_le_pos|]. intros x [c w] px. unfold both; cbn [fst snd].
    specialize (promise p u v c eq_refl uv Pu Pv). rewrite (told_by_one p L M v b c vb) in promise.
    assert (one : inside p u x * M x c <= A * P p u * M b c).
    { apply Rle_trans with (Pw p M u c).
      - apply (sum_member all (fun z => inside p u z * M z c)); [|apply all_here].
        intros z _. apply Rmult_le_pos; [now apply inside_nonneg|apply M0].
      - apply (Rmult_le_reg_r (P p v)); [easy|]. lra. }
    assert (first : lightest p u * M x c <= A * M b c).
    { apply (Rmult_le_reg_r (P p u)); [easy|].
      pose proof (lightest_below p u x Pu px) as low.
      apply (Rmult_le_compat_r (M x c)) in low; [lra|apply M0]. }
    specialize (le x w px). unfold product_of in *. simpl.
    replace (lightest p u * lightest p u ^ length Rs * (M x c * N x w)) with
      (lightest p u * M x c * (lightest p u ^ length Rs * N x w)) by ring.
    replace (A * prod Rs (fun ratio => ratio) * (M b c * N b w)) with
      (A * M b c * (prod Rs (fun ratio => ratio) * N b w)) by ring.
    apply Rmult_le_compat; auto; repeat apply Rmult_le_pos; auto; try lra.
    apply pow_le. lra.
Qed.

Lemma kept_one_way pairs p u v b Rs : law p -> 0 < P p u -> 0 < P p v -> pairs u v ->
  only_on p v b -> at_least_one Rs -> forall W N, together pairs p Rs W N ->
  forall w, Pw p N u w * P p v <= one_way_ratio p u Rs * P p u * Pw p N v w.
Proof.
  intros L Pu Pv uv vb r1 W N joint w. pose proof (lightest_pos p u L Pu) as m0.
  rewrite (told_by_one p L N v b w vb).
  assert (part : Pw p N u w <= one_way_ratio p u Rs * P p u * N b w).
  2: { apply (Rmult_le_compat_r (P p v)) in part; lra. }
  unfold one_way_ratio. revert w. destruct joint as [|A Rs V W F M N kM promise joint].
  - intros w. rewrite nothing_told. unfold product_of; simpl. right. field.
  - intros [c w]. destruct (rest_at_least A Rs r1) as [A1 r1'].
    destruct (prior_releases pairs p u v b L Pu Pv uv vb Rs W N joint r1') as [N0 le].
    assert (M0 : likelihood M) by (intros x; apply kM).
    specialize (promise p u v c eq_refl uv Pu Pv). rewrite (told_by_one p L M v b c vb) in promise.
    set (m := lightest p u ^ length Rs) in *. assert (mk : 0 < m) by (apply pow_lt; lra).
    assert (rest : Pw p (both M N) u (c, w) <= product_of Rs / m * N b w * Pw p M u c).
    { unfold Pw, both; cbn [fst snd]. rewrite <- sum_scale. apply sum_le. intros x _.
      destruct (inside_nonneg p u x L) as [px|<-]; [|lra].
      specialize (le x w px). apply (Rmult_le_reg_l m); [easy|].
      replace (m * (product_of Rs / m * N b w * (inside p u x * M x c))) with
        (inside p u x * M x c * (product_of Rs * N b w)) by (field; lra).
      replace (m * (inside p u x * (M x c * N x w))) with
        (inside p u x * M x c * (m * N x w)) by ring.
      apply Rmult_le_compat_l; [|easy]. apply Rmult_le_pos; [lra|apply M0]. }
    apply Rle_trans with (1 := rest).
    assert (first : Pw p M u c <= A * P p u * M b c).
    { apply (Rmult_le_reg_r (P p v)); [easy|]. lra. }
    assert (q : 0 <= product_of Rs / m * N b w).
    { apply Rmult_le_pos; [|apply N0]. apply Rmult_le_pos.
      - pose proof (product_1 Rs r1'). lra.
      - left. now apply Rinv_0_lt_compat. }
    apply (Rmult_le_compat_l _ _ _ q) in first. apply Rle_trans with (1 := first).
    right. unfold both; cbn [fst snd length pred]. fold m. unfold product_of; simpl. field. lra.
Qed.

(** One release, or none, keeps its own ratio. *)
Lemma kept_by_few pairs p Rs : ~ several Rs -> forall W N,
  together pairs p Rs W N -> pufferfish (product_of Rs) N pairs (eq p).
Proof.
  intros few W N joint q u v w <- uv Pu Pv. revert few w.
  destruct joint as [|A Rs V W F M N kM promise joint]; intros few w.
  - right. rewrite !nothing_told. unfold product_of; simpl. ring.
  - destruct joint as [|B Rs V' W F' M' N kM' promise' joint].
    2: { exfalso. apply few. unfold several. simpl. lia. }
    destruct w as [c []]. specialize (promise p u v c eq_refl uv Pu Pv).
    unfold product_of; simpl. rewrite Rmult_1_r.
    assert (E : forall z, Pw p (both M (fun (_ : D) (_ : unit) => 1)) z (c, tt) = Pw p M z c).
    { intros z. apply sum_ext. intros x _. unfold both; simpl. ring. }
    now rewrite !E.
Qed.

(** It tells whether s is true, at the ratio A. *)
Definition says (s : @secret D) A z (w : bool) := if s z then if w then A / (A + 1) else 1 / (A + 1)
  else if w then 1 / (A + 1) else A / (A + 1).

Lemma says_kernel s A : 1 <= A -> kernel (says s A).
Proof.
  intros A1 z. assert (0 < / (A + 1)) by (apply Rinv_0_lt_compat; lra).
  split; [intros w|]; unfold says; [|cbn -[IZR]]; destruct (s z); try destruct w;
    unfold Rdiv; try (apply Rmult_le_pos; lra); field; lra.
Qed.

Lemma says_told p s t A w : apart s t ->
  Pw p (says s A) s w = (if w then A / (A + 1) else 1 / (A + 1)) * P p s /\
  Pw p (says s A) t w = (if w then 1 / (A + 1) else A / (A + 1)) * P p t.
Proof.
  intros ap. unfold Pw, P. rewrite <- !sum_scale.
  split; apply sum_ext; intros x _; unfold inside, says; specialize (ap x);
    destruct (s x), (t x); try ring. now discriminate ap.
Qed.

Lemma says_promise p s t A : apart s t -> 1 <= A ->
  pufferfish A (says s A) (both_orders s t) (eq p).
Proof.
  intros ap A1 q u v w <- uv Pu Pv. destruct (says_told p s t A w ap) as [es et].
  pose proof (Rmult_lt_0_compat _ _ Pu Pv) as pos.
  assert (i : 0 < / (A + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (small : forall c d, c <= A * d -> c * (P p u * P p v) <= A * d * (P p u * P p v)).
  { intros c d le. apply Rmult_le_compat_r; lra. }
  pose proof (Rmult_le_pos (A - 1) (/ (A + 1))) as low.
  pose proof (Rmult_le_pos (A * (A - 1)) (/ (A + 1))) as high.
  assert (0 <= A * (A - 1)) by (apply Rmult_le_pos; lra).
  assert (le1 : A / (A + 1) <= A * (1 / (A + 1))) by (unfold Rdiv; lra).
  assert (le2 : 1 / (A + 1) <= A * (A / (A + 1))) by (unfold Rdiv; lra).
  apply small in le1. apply small in le2.
  destruct uv as [[-> ->]|[-> ->]]; rewrite es, et; destruct w; lra.
Qed.

(** Mechanisms that say so tell the product of their ratios. *)
Lemma product_told pairs p s t Rs : (forall u v, pairs u v -> both_orders s t u v) ->
  pairs s t -> one_pair p s t -> at_least_one Rs ->
  exists W N, together pairs p Rs W N /\
    forall r, pufferfish r N pairs (eq p) -> product_of Rs <= r.
Proof.
  intros within st [L [ap [Ps Pt]]] r1.
  assert (some : exists W (N : D -> W -> R) w c, together pairs p Rs W N /\ 0 < c /\
    forall x, N x w = c * if s x then product_of Rs else 1).
  { induction Rs as [|A Rs IH].
    - exists unit, (fun _ _ => 1), tt, 1. split; [constructor|]. split; [lra|].
      intros x. unfold product_of; simpl. destruct (s x); ring.
    - destruct (rest_at_least A Rs r1) as [A1 r1'].
      destruct (IH r1') as [W [N [w [c [joint [c0 E]]]]]].
      exists (bool * W)%type, (both (says s A) N), (true, w), (1 / (A + 1) * c). split; [|split].
      + apply (one_more pairs p A Rs bool W _ (says s A) N); auto; [now apply says_kernel|].
        intros q u v b e uv. now apply (says_promise p s t A ap A1), within.
      + apply Rmult_lt_0_compat; [|easy]. unfold Rdiv. rewrite Rmult_1_l.
        apply Rinv_0_lt_compat. lra.
      + intros x. unfold both; cbn [fst snd]. rewrite E. unfold says, product_of; simpl.
        destruct (s x); field; lra. }
  destruct some as [W [N [w [c [joint [c0 E]]]]]]. exists W, N. split; [easy|].
  intros r promise. specialize (promise p s t w eq_refl st Ps Pt).
  assert (told : Pw p N s w = c * product_of Rs * P p s /\ Pw p N t w = c * P p t).
  { unfold Pw, P. rewrite <- !sum_scale. split; apply sum_ext; intros x _; rewrite E;
      unfold inside; specialize (ap x); destruct (s x), (t x); try ring. now discriminate ap. }
  destruct told as [es et]. rewrite es, et in promise.
  pose proof (Rmult_lt_0_compat _ _ Ps Pt) as pos.
  apply (Rmult_le_reg_r (c * (P p s * P p t))); [now apply Rmult_lt_0_compat|]. lra.
Qed.

(** Two mechanisms that leak nothing and keep no ratio together, and others that leak nothing. *)
Lemma silent pairs p Rs : at_least_one Rs -> law p ->
  exists W (N : D -> W -> R) w, together pairs p Rs W N /\ forall x, N x w = 1.
Proof.
  intros r1 L. induction Rs as [|A Rs IH].
  { exists unit, (fun _ _ => 1), tt. split; [constructor|easy]. }
  destruct (rest_at_least A Rs r1) as [A1 r1']. destruct (IH r1') as [W [N [w [joint E]]]].
  exists (bool * W)%type, (both (fun _ (b : bool) => if b then 1 else 0) N), (true, w). split.
  - apply (one_more pairs p A Rs bool W _ (fun _ (b : bool) => if b then 1 else 0) N); [..|easy].
    + intros x. split; [intros []; lra|cbn -[IZR]; ring].
    + intros q u v b <- _ Pu Pv.
      assert (F : forall z, Pw p (fun _ (b : bool) => if b then 1 else 0) z b =
        (if b then 1 else 0) * P p z).
      { intros z. unfold Pw, P. rewrite <- sum_scale. apply sum_ext; intros; ring. }
      rewrite !F. pose proof (Rmult_lt_0_compat _ _ Pu Pv) as pos.
      apply (Rmult_le_compat_r _ _ _ (Rlt_le _ _ pos)) in A1. destruct b; lra.
  - intros x. unfold both; cbn [fst snd]. rewrite E. ring.
Qed.

Lemma level_one_keeps {W} pairs p (M : D -> W -> R) A : law p -> likelihood M -> 1 <= A ->
  pufferfish 1 M pairs (eq p) -> pufferfish A M pairs (eq p).
Proof.
  intros L M0 A1 keep q u v w <- uv Pu Pv. specialize (keep p u v w eq_refl uv Pu Pv).
  assert (0 <= P p u * Pw p M v w) by (apply Rmult_le_pos; [lra|now apply Pw_nonneg]). nra.
Qed.

Lemma collapse_together pairs p Rs (M N : D -> bool -> R) :
  law p -> at_least_one Rs -> several Rs ->
  kernel M -> kernel N -> pufferfish 1 M pairs (eq p) -> pufferfish 1 N pairs (eq p) ->
  (forall r, ~ pufferfish r (both M N) pairs (eq p)) -> no_ratio pairs p Rs.
Proof.
  intros L r1 many kM kN keepM keepN none. destruct Rs as [|A [|B Rs]];
    [unfold several in many; simpl in many; lia..|].
  destruct (rest_at_least _ _ r1) as [A1 r1']. destruct (rest_at_least _ _ r1') as [B1 r1''].
  destruct (silent pairs p Rs r1'' L) as [W [K [k [joint E]]]].
  exists (bool * (bool * W))%type, (both M (both N K)). split.
  - apply (one_more pairs p A (B :: Rs) bool _ _ M (both N K)); auto.
    { apply level_one_keeps; auto. intros x; apply kM. }
    apply (one_more pairs p B Rs bool W _ N K); auto. apply level_one_keeps; auto.
    intros x; apply kN.
  - intros r promise. apply (none r). intros q u v [m n] <- uv Pu Pv.
    specialize (promise p u v (m, (n, k)) eq_refl uv Pu Pv).
    assert (F : forall z, Pw p (both M (both N K)) z (m, (n, k)) = Pw p (both M N) z (m, n)).
    { intros z. apply sum_ext. intros x _. unfold both; cbn [fst snd]. rewrite E. ring. }
    now rewrite !F in promise.
Qed.

Lemma not_both pairs p Rs L : largest_ratio pairs p Rs L -> ~ no_ratio pairs p Rs.
Proof. intros [most _] [W [N [joint none]]]. now apply (none L), most. Qed.

Lemma largest_unique pairs p Rs L L' :
  largest_ratio pairs p Rs L -> largest_ratio pairs p Rs L' -> L = L'.
Proof.
  intros [most [W [N [joint least]]]] [most' [W' [N' [joint' least']]]].
  apply Rle_antisym; [apply least, most'|apply least', most]; easy.
Qed.

Lemma few_or_single Rs (a : Prop) : {a} + {~ a} -> ~ (several Rs /\ ~ a) -> several Rs -> a.
Proof. intros [y|n] no many; [easy|]. now destruct no. Qed.

Definition single_dec p u : {single p u} + {~ single p u} := Nat.eq_dec _ 1.

Lemma each_dec p s t : {single p s /\ single p t} + {~ (single p s /\ single p t)}.
Proof. destruct (single_dec p s), (single_dec p t); tauto. Qed.

(** Both orders. *)
Lemma largest_of_both p s t Rs : one_pair p s t -> at_least_one Rs ->
  (several Rs -> single p s /\ single p t) ->
  largest_ratio (both_orders s t) p Rs (product_of Rs).
Proof.
  intros pair r1 each. pose proof pair as [L [ap [Ps Pt]]]. split.
  - intros W N joint. destruct (le_lt_dec (length Rs) 1) as [few|many].
    { apply (kept_by_few (both_orders s t) p Rs); [unfold several; lia|easy]. }
    destruct (each many) as [os ot].
    destruct (single_only p s os) as [x [_ ox]], (single_only p t ot) as [y [_ oy]].
    assert (one : forall u, 0 < P p u -> single p u -> one_way_ratio p u Rs = product_of Rs).
    { intros u Pu ou. unfold one_way_ratio. rewrite (lightest_single p u L Pu ou), pow1. field. }
    intros q u v w <- uv Pu Pv. destruct uv as [[-> ->]|[-> ->]].
    + rewrite <- (one s Ps os). apply (kept_one_way (both_orders s t) p s t y Rs); auto. now left.
    + rewrite <- (one t Pt ot). apply (kept_one_way (both_orders s t) p t s x Rs); auto. now right.
  - apply (product_told (both_orders s t) p s t Rs); auto. now left.
Qed.

Lemma none_of_both p s t Rs : one_pair p s t -> at_least_one Rs -> several Rs ->
  ~ (single p s /\ single p t) -> no_ratio (both_orders s t) p Rs.
Proof.
  intros pair r1 many no.
  destruct (two_columns_collapse dec p s t pair no) as [M [N [kM [kN [keepM [keepN none]]]]]].
  apply (collapse_together _ p Rs M N); auto. apply pair.
Qed.

(** The largest joint ratio of K releases, K = 0, 1, 2, ..., is the product of theirs exactly if K
    is at most 1 or each secret has one possible database (worst.dichotomy).
    Differs: one prior and one pair of disjoint secrets, both orders; ratios instead of levels;
    databases and outputs are finite. *)
Theorem largest_exactly p s t Rs L : one_pair p s t -> at_least_one Rs ->
  largest p s t Rs L <-> (several Rs -> single p s /\ single p t) /\ L = product_of Rs.
Proof.
  intros pair r1. split.
  - intros [_ [_ found]].
    assert (each : several Rs -> single p s /\ single p t).
    { apply few_or_single; [apply each_dec|]. intros [many no].
      now apply (not_both _ _ _ _ found), none_of_both. }
    split; [easy|]. apply (largest_unique (both_orders s t) p Rs); [easy|].
    now apply largest_of_both.
  - intros [each ->]. repeat (split; [easy|]). now apply largest_of_both.
Qed.

(** It is infinite exactly in all other cases (worst.dichotomy).
    Differs: as [largest_exactly]. *)
Theorem unbounded_exactly p s t Rs : one_pair p s t -> at_least_one Rs ->
  unbounded p s t Rs <-> several Rs /\ ~ (single p s /\ single p t).
Proof.
  intros pair r1. split.
  - intros [_ [_ none]]. assert (no : ~ (several Rs -> single p s /\ single p t)).
    { intros each. now apply (not_both _ _ _ _ (largest_of_both p s t Rs pair r1 each)). }
    destruct (le_lt_dec (length Rs) 1) as [few|many]; [|tauto].
    destruct no. unfold several. lia.
  - intros [many no]. repeat (split; [easy|]). now apply none_of_both.
Qed.

(** It shows the database x, and of y as much as the ratio A allows. *)
Definition shows_one x y m A (z : D) (w : bool) :=
  let shown := if dec z x then 1 else if dec z y then m / A else 0 in
  if w then shown else 1 - shown.

Lemma shows_one_kernel x y m A : 0 <= m <= 1 -> 1 <= A -> kernel (shows_one x y m A).
Proof.
  intros [m0 m1] A1 z.
  assert (0 <= m / A <= 1).
  { assert (0 < / A) by (apply Rinv_0_lt_compat; lra). split; [apply Rmult_le_pos; lra|].
    apply (Rmult_le_reg_r A); [lra|]. replace (m / A * A) with m by (field; lra). lra. }
  split; [intros []|cbn -[IZR]]; unfold shows_one; destruct (dec z x), (dec z y); lra.
Qed.

Section OneWay.
Context (p : D -> R) (s t : @secret D) (x y : D).
Context (L : law p) (ap : apart s t) (Ps : 0 < P p s) (Pt : 0 < P p t).
Context (sx : s x = true) (ty : t y = true) (oy : only_on p t y).
Context (ex : inside p s x = lightest p s * P p s).
Notation m := (lightest p s).

Lemma m_within : 0 < m <= 1.
Proof.
  split; [now apply lightest_pos|]. apply (Rmult_le_reg_r (P p s)); [easy|].
  pose proof (inside_below p s x L). lra.
Qed.

Lemma x_is_not_y : y <> x.
Proof. intros e. subst. rewrite (ap x sx) in ty. discriminate. Qed.

Lemma shows_one_promise A : 1 <= A ->
  pufferfish A (shows_one x y m A) (one_order s t) (eq p).
Proof.
  intros A1 q u v w <- [-> ->] _ _. pose proof m_within as [m0 m1].
  rewrite (told_by_one p L _ t y w oy).
  assert (E : Pw p (shows_one x y m A) s true = m * P p s).
  { unfold Pw. rewrite (sum_ext all _ (fun z => inside p s z * (if dec z x then 1 else 0))).
    - rewrite pick. exact ex.
    - intros z _. unfold shows_one. destruct (dec z x); [easy|].
      destruct (dec z y) as [->|]; [|easy].
      unfold inside. destruct (s y) eqn:sy; [|ring]. rewrite (ap y sy) in ty. discriminate. }
  assert (F : Pw p (shows_one x y m A) s false = P p s - m * P p s).
  { rewrite <- E. assert (Pw p (shows_one x y m A) s false + Pw p (shows_one x y m A) s true =
      P p s); [|lra]. unfold Pw. rewrite <- sum_plus. apply sum_ext. intros z _.
    unfold shows_one. ring. }
  assert (G : shows_one x y m A y true = m / A).
  { unfold shows_one. destruct (dec y x); [now destruct x_is_not_y|]. now destruct (dec y y). }
  destruct w.
  - rewrite E, G. right. field. lra.
  - replace (shows_one x y m A y false) with (1 - m / A) by (rewrite <- G; reflexivity).
    rewrite F. replace (A * P p s * (P p t * (1 - m / A))) with (P p s * P p t * (A - m))
      by (field; lra).
    pose proof (Rmult_lt_0_compat _ _ Ps Pt) as pos.
    replace ((P p s - m * P p s) * P p t) with (P p s * P p t * (1 - m)) by ring.
    apply Rmult_le_compat_l; lra.
Qed.

Lemma lightest_told A Rs : at_least_one (A :: Rs) ->
  exists W N, together (one_order s t) p (A :: Rs) W N /\
    forall r, pufferfish r N (one_order s t) (eq p) -> one_way_ratio p s (A :: Rs) <= r.
Proof.
  intros r1. pose proof m_within as [m0 m1].
  assert (some : forall Rs, at_least_one Rs -> exists W (N : D -> W -> R) w,
    together (one_order s t) p Rs W N /\ likelihood N /\ N x w = 1 /\
    N y w = m ^ length Rs / product_of Rs).
  { clear r1. intros Bs. induction Bs as [|B Bs IH]; intros r1.
    - exists unit, (fun _ _ => 1), tt. split; [constructor|]. split; [intros z w; lra|].
      split; [easy|]. unfold product_of; simpl. field.
    - destruct (rest_at_least B Bs r1) as [B1 r1'].
      destruct (IH r1') as [W [N [w [joint [N0 [Ex Ey]]]]]].
      pose proof (shows_one_kernel x y m B (conj (Rlt_le _ _ m0) m1) B1) as ker.
      exists (bool * W)%type, (both (shows_one x y m B) N), (true, w). split; [|split; [|split]].
      + apply (one_more _ p B Bs bool W _ (shows_one x y m B) N); auto. now apply shows_one_promise.
      + intros z c. apply Rmult_le_pos; [apply ker|apply N0].
      + unfold both; cbn [fst snd]. rewrite Ex. unfold shows_one. destruct (dec x x); [ring|easy].
      + unfold both; cbn [fst snd]. rewrite Ey. unfold shows_one.
        destruct (dec y x); [now destruct x_is_not_y|]. destruct (dec y y); [|easy].
        pose proof (product_1 Bs r1'). unfold product_of in *. simpl. field. lra. }
  destruct (some (A :: Rs) r1) as [W [N [w [joint [N0 [Ex Ey]]]]]].
  exists W, N. split; [easy|]. intros r promise.
  specialize (promise p s t w eq_refl (conj eq_refl eq_refl) Ps Pt).
  rewrite (told_by_one p L N t y w oy), Ey in promise.
  assert (least : m * P p s <= Pw p N s w).
  { rewrite <- ex, <- (Rmult_1_r (inside p s x)), <- Ex.
    apply (sum_member all (fun z => inside p s z * N z w)); [|apply all_here].
    intros z _. apply Rmult_le_pos; [now apply inside_nonneg|apply N0]. }
  pose proof (product_1 (A :: Rs) r1) as P1. unfold one_way_ratio. cbn [length pred] in *.
  assert (mk : 0 < m ^ length Rs) by (apply pow_lt; lra). simpl (m ^ S _) in promise.
  set (k := m ^ length Rs) in *. set (Q := product_of (A :: Rs)) in *.
  apply (Rmult_le_compat_r (P p t)) in least; [|lra].
  pose proof (Rmult_lt_0_compat _ _ Ps Pt) as pos.
  apply (Rmult_le_reg_r (m * k / Q * (P p s * P p t))).
  { repeat apply Rmult_lt_0_compat; try lra. apply Rinv_0_lt_compat. lra. }
  replace (Q / k * (m * k / Q * (P p s * P p t))) with (m * P p s * P p t) by (field; lra).
  lra.
Qed.
End OneWay.

Lemma largest_of_one p s t Rs : one_pair p s t -> at_least_one Rs ->
  (several Rs -> single p t) -> largest_ratio (one_order s t) p Rs (one_way_ratio p s Rs).
Proof.
  intros pair r1 one. pose proof pair as [L [ap [Ps Pt]]].
  destruct (le_lt_dec (length Rs) 1) as [few|many].
  - assert (E : one_way_ratio p s Rs = product_of Rs).
    { unfold one_way_ratio. replace (pred (length Rs)) with 0%nat by lia. simpl. field. }
    rewrite E. split.
    + apply kept_by_few. unfold several. lia.
    + apply (product_told (one_order s t) p s t Rs); auto; [|easy]. intros u v o. now left.
  - destruct (single_only p t (one many)) as [y [ty oy]]. split.
    + intros W N joint q u v w <- [-> ->] _ _.
      apply (kept_one_way (one_order s t) p s t y Rs); auto. easy.
    + destruct (lightest_attained p s L Ps) as [x [px ex]]. destruct Rs as [|A Rs].
      { simpl in many. lia. }
      apply (lightest_told p s t x y L ap Ps Pt); auto.
      unfold inside in px. destruct (s x); [easy|lra].
Qed.

Lemma none_of_one p s t Rs : one_pair p s t -> at_least_one Rs -> several Rs -> ~ single p t ->
  no_ratio (one_order s t) p Rs.
Proof.
  intros pair r1 many no. pose proof pair as [L [ap [Ps Pt]]].
  destruct (several_databases p t Pt no) as [y [z [ne [ty [tz [py pz]]]]]].
  destruct (sum_pos_exists all (inside p s) Ps) as [x [_ px]].
  assert (at_x : s x = true /\ 0 < p x).
  { unfold inside in px. destruct (s x); [easy|lra]. }
  destruct at_x as [sx p0].
  destruct (two_databases_collapse dec p s t L ap x y z) as [M [N [kM [kN [keepM [keepN none]]]]]];
    auto.
  apply (collapse_together _ p Rs M N); auto; now apply one_of_both.
Qed.

(** In one order, K releases of s against t come to the product of their ratios over the
    probability of the lightest database given s to the power of K - 1, exactly if K is at most 1 or
    t has one possible database (worst.dichotomy).
    Differs: as [largest_exactly], in one order. *)
Theorem largest_one_way_exactly p s t Rs L : one_pair p s t -> at_least_one Rs ->
  largest_one_way p s t Rs L <-> (several Rs -> single p t) /\ L = one_way_ratio p s Rs.
Proof.
  intros pair r1. split.
  - intros [_ [_ found]].
    assert (one : several Rs -> single p t).
    { apply few_or_single; [apply single_dec|]. intros [many no].
      now apply (not_both _ _ _ _ found), none_of_one. }
    split; [easy|]. apply (largest_unique (one_order s t) p Rs); [easy|].
    now apply largest_of_one.
  - intros [one ->]. repeat (split; [easy|]). now apply largest_of_one.
Qed.

(** It is infinite exactly in all other cases (worst.dichotomy).
    Differs: as [largest_one_way_exactly]. *)
Theorem unbounded_one_way_exactly p s t Rs : one_pair p s t -> at_least_one Rs ->
  unbounded_one_way p s t Rs <-> several Rs /\ ~ single p t.
Proof.
  intros pair r1. split.
  - intros [_ [_ none]]. assert (no : ~ (several Rs -> single p t)).
    { intros one. now apply (not_both _ _ _ _ (largest_of_one p s t Rs pair r1 one)). }
    destruct (le_lt_dec (length Rs) 1) as [few|many]; [|tauto].
    destruct no. unfold several. lia.
  - intros [many no]. repeat (split; [easy|]). now apply none_of_one.
Qed.
End OnePair.
