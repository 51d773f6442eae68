(** Conditions with weights survive post-processing: weighted geometric means are superadditive. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Means Runs.
Import ListNotations.
Open Scope R_scope.

Section Superadditive.
Context {A : Type} `{Finite A} (b : A -> R).
Hypothesis Lb : law b.

Lemma geo_ext u v : (forall x, u x = v x) -> geo b u = geo b v.
Proof. intros same. unfold geo. apply prod_ext; intros x _. now rewrite same. Qed.

Lemma geo_nonneg u : 0 <= geo b u.
Proof. apply prod_nonneg; intros; apply pw_nonneg. Qed.

Lemma geo_scale c u : 0 <= c -> (forall x, 0 <= u x) -> c * geo b u <= geo b (fun x => c * u x).
Proof.
  intros [pos|<-] u0; [|rewrite Rmult_0_l; apply geo_nonneg].
  rewrite (geo_mult b (fun _ => c) u) by (auto; intros; lra).
  right; f_equal. unfold geo. rewrite prod_exp by (right; easy).
  rewrite (sum_ext all _ (fun x => ln c * b x)) by (intros; ring).
  rewrite sum_scale. destruct Lb as [_ ->]. now rewrite Rmult_1_r, exp_ln.
Qed.

Lemma geo_add u v : (forall x, 0 <= u x) -> (forall x, 0 <= v x) ->
  geo b u + geo b v <= geo b (fun x => u x + v x).
Proof.
  intros u0 v0. set (m x := u x + v x).
  assert (m0 : forall x, 0 <= m x)
    by (intros x; unfold m; specialize (u0 x); specialize (v0 x); lra).
  assert (inv0 : forall x, 0 <= / m x).
  { intros x. destruct (m0 x) as [pos|<-]; [left; now apply Rinv_0_lt_compat|rewrite Rinv_0; lra]. }
  assert (part : forall f, (forall x, 0 <= f x <= m x) ->
    geo b f = geo b (fun x => f x * / m x) * geo b m).
  { intros f f0. rewrite <- geo_mult; auto; [|intros x; apply Rmult_le_pos; auto; apply f0].
    apply geo_ext; intros x. specialize (f0 x). destruct (m0 x) as [pos|zero]; [field; lra|].
    rewrite <- zero in *. replace (f x) with 0 by lra. ring. }
  rewrite (part u), (part v) by
    (intros x; unfold m; specialize (u0 x); specialize (v0 x); lra).
  rewrite <- Rmult_plus_distr_r. apply Rle_trans with (1 * geo b m); [|unfold m; lra].
  apply Rmult_le_compat_r; [apply geo_nonneg|].
  pose proof (am_gm b (fun x => u x * / m x) Lb) as U.
  pose proof (am_gm b (fun x => v x * / m x) Lb) as V.
  apply Rle_trans with ((Σ x, b x * (u x * / m x)) + (Σ x, b x * (v x * / m x))).
  - apply Rplus_le_compat; [apply U|apply V]; intros x; apply Rmult_le_pos; auto.
  - rewrite <- sum_plus. destruct Lb as [b0 <-]. apply sum_le; intros x _.
    rewrite <- Rmult_plus_distr_l, <- Rmult_plus_distr_r. fold (m x).
    rewrite <- (Rmult_1_r (b x)) at 2. apply Rmult_le_compat_l; auto.
    destruct (m0 x) as [pos|<-]; [rewrite Rinv_r; lra|lra].
Qed.

Lemma geo_sum {B} (l : list B) (k : B -> R) (u : B -> A -> R) :
  (forall w, 0 <= k w) -> (forall w x, 0 <= u w x) ->
  sum l (fun w => k w * geo b (u w)) <= geo b (fun x => sum l (fun w => k w * u w x)).
Proof.
  intros k0 u0. induction l as [|w l IH]; simpl; [apply geo_nonneg|].
  eapply Rle_trans; [|apply geo_add].
  - apply Rplus_le_compat; [now apply geo_scale|exact IH].
  - intros x. now apply Rmult_le_pos.
  - intros x. apply sum_nonneg; intros; now apply Rmult_le_pos.
Qed.
End Superadditive.

(** A set of conditions with any weights survives post-processing, against the second part of
    theorem 5.2 of bai2026 (bai2026.ppi-onlyif-repaired): with [constraints_multiply], such
    conditions compose and are kept. This is one of them, for one database x.
    Differs: the print says that weights with two entries that are not 0 do not survive, which is
    false; databases and outputs of M are finite; K need not sum to 1. *)
Theorem condition_survives {D W V} `{Finite D} `{Finite W} beta E (M : D -> W -> R)
  (K : W -> V -> R) x :
  likelihood M -> 0 <= E -> law beta -> (forall w v, 0 <= K w v) ->
  meets beta E M x -> meets beta E (process M K) x.
Proof.
  intros M0 E0 Lb K0 c v. unfold process.
  rewrite (sum_ext all _ (fun w => K w v * M x w)) by (intros; ring).
  apply Rle_trans with (E * Σ w, K w v * geo beta (fun l => M l w)).
  - rewrite <- sum_scale. apply sum_le; intros w _. specialize (c w). specialize (K0 w v).
    rewrite <- Rmult_assoc, (Rmult_comm E), Rmult_assoc. now apply Rmult_le_compat_l.
  - apply Rmult_le_compat_l; auto.
    eapply Rle_trans.
    { apply (geo_sum beta Lb all (fun w => K w v) (fun w l => M l w)); auto. }
    right. apply geo_ext; intros l. apply sum_ext; intros; ring.
Qed.

(** The same for all databases that are possible given s.
    Differs: as [condition_survives]. *)
Theorem constraint_survives {D W V} `{Finite D} `{Finite W} p (s : @secret D) beta E
  (M : D -> W -> R) (K : W -> V -> R) :
  likelihood M -> 0 <= E -> (forall x, law (beta x)) -> (forall w v, 0 <= K w v) ->
  constraint p s beta E M -> constraint p s beta E (process M K).
Proof.
  intros M0 E0 Lb K0 c x v px. apply condition_survives; auto. intros w. now apply c.
Qed.

(** One-hot weights pick one database. *)
Lemma one_hot_mean {A} (l : list A) (b : A -> R) : (forall x, b x = 0 \/ b x = 1) -> sum l b = 1 ->
  exists y, forall u, (forall x, 0 <= u x) -> prod l (fun x => pw (u x) (b x)) = u y.
Proof.
  intros hot.
  assert (none : forall k, sum k b = 0 -> forall u, prod k (fun x => pw (u x) (b x)) = 1).
  { induction k as [|a k IH]; simpl; intros zero u; [easy|].
    assert (0 <= sum k b) by (apply sum_nonneg; intros x _; destruct (hot x); lra).
    destruct (hot a) as [e|e]; [|lra]. rewrite IH by lra. unfold pw. rewrite e.
    destruct Req_EM_T; lra. }
  induction l as [|a l IH]; simpl; intros one; [lra|]. destruct (hot a) as [e|e].
  - destruct IH as [y pick]; [lra|]. exists y. intros u u0. rewrite pick by easy.
    unfold pw. rewrite e. destruct Req_EM_T; lra.
  - exists a. intros u u0. rewrite none by lra. unfold pw. rewrite e.
    destruct Req_EM_T; [lra|]. specialize (u0 a). destruct Rlt_dec; [|lra].
    replace (1 * ln (u a)) with (ln (u a)) by ring. rewrite exp_ln; lra.
Qed.

(** A set of conditions whose weights are one-hot survives post-processing: the first part of
    theorem 5.2 of bai2026 (bai2026.ppi-if).
    Differs: databases and outputs of M are finite; K need not sum to 1; conditions may be
    redundant; levels are any numbers. *)
Theorem one_hot_survives {I D W V} `{Finite D} `{Finite W} (x : I -> D) (beta : I -> D -> R)
  (E : I -> R) (M : D -> W -> R) (K : W -> V -> R) :
  likelihood M -> (forall i, law (beta i)) -> (forall i l, beta i l = 0 \/ beta i l = 1) ->
  (forall w v, 0 <= K w v) ->
  (forall i, meets (beta i) (E i) M (x i)) -> forall i, meets (beta i) (E i) (process M K) (x i).
Proof.
  intros M0 Lb hot K0 c i v. destruct (Lb i) as [_ one].
  destruct (one_hot_mean all (beta i) (hot i) one) as [y pick]. unfold geo.
  rewrite pick by (intros; apply sum_nonneg; intros; now apply Rmult_le_pos).
  unfold process. rewrite <- sum_scale. apply sum_le; intros w _. specialize (c i w).
  unfold geo in c. rewrite pick in c by (intros; apply M0).
  apply (Rmult_le_compat_r (K w v)) in c; [lra|apply K0].
Qed.

(** A coupling of the laws given s and given t whose conditions composes exactly also when outputs
    are processed, run by run (bai2026.x-coupling, against theorem 5.2).
    Differs: a repair of ours, which is not printed; ratios instead of levels; databases and
    outputs are finite. *)
Theorem coupling_processed {D W V} `{Finite D} `{Finite W} p (s t : @secret D) beta
  (Ms : list ((D -> W -> R) * R)) (Ks : list (W -> V -> R)) (vs : list V) :
  law p -> (forall x, law (beta x)) ->
  (forall M E, In (M, E) Ms -> likelihood M /\ 0 <= E) ->
  (forall K, In K Ks -> forall w v, 0 <= K w v) ->
  (forall M E, In (M, E) Ms -> constraint p s beta E M) ->
  (forall l, (Σ x, inside p s x * beta x l) * P p t = P p s * inside p t l) ->
  length Ks = length Ms ->
  let processed := map (fun MK => process (fst (fst MK)) (snd MK)) (combine Ms Ks) in
  Pw p (releases processed) s vs * P p t <=
  prod (map snd Ms) (fun E => E) * P p s * Pw p (releases processed) t vs.
Proof.
  intros Lp Lb M0 K0 each carry len processed.
  set (both_ := map (fun MK => (process (fst (fst MK)) (snd MK), snd (fst MK))) (combine Ms Ks)).
  assert (levels : map snd both_ = map snd Ms).
  { unfold both_. rewrite map_map. simpl. clear -len. revert Ks len.
    induction Ms as [|M Ms IH]; intros [|K Ks] len; try discriminate; simpl; [easy|].
    f_equal. apply IH. now injection len. }
  assert (names : map fst both_ = processed) by (unfold both_; now rewrite map_map).
  rewrite <- levels, <- names.
  assert (part : forall N E, In (N, E) both_ -> exists M K, In (M, E) Ms /\ In K Ks /\
    N = process M K).
  { intros N E i. apply in_map_iff in i as [[[M F] K] [e i]]. injection e as <- <-.
    exists M, K. split; [now apply in_combine_l in i|]. split; [now apply in_combine_r in i|easy]. }
  apply coupled_levels with (beta := beta); auto.
  - intros N E i. destruct (part N E i) as [M [K [iM [iK ->]]]]. destruct (M0 M E iM) as [pos E0].
    split; [|easy]. intros x v. apply sum_nonneg; intros w _.
    apply Rmult_le_pos; [apply pos|now apply K0].
  - intros N E i. destruct (part N E i) as [M [K [iM [iK ->]]]]. destruct (M0 M E iM) as [pos E0].
    apply constraint_survives; auto.
Qed.
