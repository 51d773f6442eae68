(** How many independent runs of a mechanism it takes until their outputs tell the database, or all
    that is asked about it. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Quilt Chain.
Import ListNotations.
Open Scope R_scope.

Definition positive (r : R) : bool := if Rlt_dec 0 r then true else false.
Lemma positive_is r : positive r = true <-> 0 < r.
Proof. unfold positive. now destruct (Rlt_dec 0 r). Qed.

Section Revealed.
Context {D W : Type} `{Finite D} `{Finite W} (p : D -> R) (M : D -> W -> R).

(** All databases that are possible and can give these outputs meet the goal. *)
Definition told (goal : D -> bool) (ws : list W) : bool :=
  forallb (fun y => negb (positive (p y) && forallb (fun w => positive (M y w)) ws) || goal y) all.
Fixpoint chance (x : D) (ws : list W) : R := match ws with [] => 1
  | w :: ws => M x w * chance x ws end.
(** The probability that so many runs on x do not tell it. *)
Definition hidden_after (goal : D -> bool) x k :=
  Σ v : vec W k, if told goal (list_of v) then 0 else chance x (list_of v).
(** The expected number of runs on x until it is told, the sum of these over all k = 0, 1, .., is
    E. *)
Definition expected_runs (goal : D -> bool) x E := infinite_sum (hidden_after goal x) E.

Lemma told_is goal ws : told goal ws = true <->
  forall y, 0 < p y -> (forall w, In w ws -> 0 < M y w) -> goal y = true.
Proof.
  unfold told. rewrite forallb_forall. split.
  - intros each y py fits. specialize (each y (all_here y)).
    apply positive_is in py. rewrite py in each.
    assert (forallb (fun w => positive (M y w)) ws = true) as E.
    { apply forallb_forall. intros w i. now apply positive_is, fits. }
    now rewrite E in each.
  - intros each y _. destruct (goal y) eqn:g; [apply orb_true_r|]. rewrite orb_false_r.
    apply negb_true_iff, not_true_iff_false. intros both. apply andb_true_iff in both as [py fits].
    rewrite forallb_forall in fits. rewrite (each y) in g; [easy|now apply positive_is|].
    intros w i. now apply positive_is, fits.
Qed.

(** Kinds of outputs: runs tell all exactly if two of them are of different kinds. *)
Section Kinds.
Context {C : Type} `{Finite C} (dec : forall a b : C, {a = b} + {a <> b}) (kind : W -> C).
Context (goal : D -> bool) (x : D).
Definition share c := Σ w, if dec (kind w) c then M x w else 0.
Hypothesis rows : law (M x).
Hypothesis nothing_told : told goal [] = false.
Hypothesis two_kinds : forall w ws, chance x (w :: ws) <> 0 ->
  told goal (w :: ws) = false <-> forall v, In v ws -> kind v = kind w.

Lemma share_nonneg c : 0 <= share c.
Proof.
  apply sum_nonneg. intros w _. destruct rows as [pos _].
  destruct (dec (kind w) c); [apply pos|lra].
Qed.

Lemma shares_total : (Σ c, share c) = 1.
Proof.
  unfold share. rewrite sum_swap. destruct rows as [_ <-]. apply sum_ext. intros w _.
  apply (sum_one dec (kind w) (M x w)).
Qed.

Lemma share_power c k : (Σ v : vec W k,
  fold_right (fun w r => (if dec (kind w) c then M x w else 0) * r) 1 (list_of v)) = share c ^ k.
Proof.
  induction k as [|k IH]; [simpl; ring|].
  rewrite (Sum_vec k (fold_right (fun w r => (if dec (kind w) c then M x w else 0) * r) 1)).
  cbn [pow fold_right]. rewrite <- IH. unfold share. rewrite sum_product.
  apply sum_ext; intros w _. now rewrite sum_scale.
Qed.

Lemma of_one_kind c ws :
  fold_right (fun w r => (if dec (kind w) c then M x w else 0) * r) 1 ws =
  if forallb (fun w => if dec (kind w) c then true else false) ws then chance x ws else 0.
Proof.
  induction ws as [|w ws IH]; [easy|]. cbn [fold_right forallb chance]. rewrite IH.
  destruct (dec (kind w) c); cbn [andb]; [|ring]. now destruct (forallb _ ws); [|ring].
Qed.

Lemma hidden_law k : hidden_after goal x k = match k with O => 1
  | S _ => Σ c, share c ^ k end.
Proof.
  destruct k as [|k]; [unfold hidden_after; simpl; rewrite nothing_told; ring|].
  transitivity (Σ c, Σ v : vec W (S k),
    fold_right (fun w r => (if dec (kind w) c then M x w else 0) * r) 1 (list_of v));
    [|apply sum_ext; intros c _; apply share_power].
  rewrite sum_swap. apply sum_ext. intros v _. cbn [list_of].
  destruct v as [w v]. cbn [fst snd]. set (ws := list_of v).
  rewrite (sum_ext _ _ (fun c => if dec (kind w) c then if forallb (fun u =>
    if dec (kind u) (kind w) then true else false) ws then chance x (w :: ws) else 0 else 0)).
  - rewrite (sum_one dec (kind w)). destruct (Req_dec (chance x (w :: ws)) 0) as [zero|ne].
    { rewrite zero. now destruct (told goal (w :: ws)), (forallb _ ws). }
    specialize (two_kinds w ws ne). destruct (told goal (w :: ws)) eqn:T.
    + destruct (forallb _ ws) eqn:F; [|easy]. rewrite forallb_forall in F.
      assert (true = false) as no; [|discriminate]. apply two_kinds. intros u i. specialize (F u i).
      now destruct (dec (kind u) (kind w)).
    + assert (F : forallb (fun u => if dec (kind u) (kind w) then true else false) ws = true).
      { apply forallb_forall. intros u i. rewrite (proj1 two_kinds eq_refl u i).
        now destruct (dec (kind w) (kind w)). }
      now rewrite F.
  - intros c _. rewrite of_one_kind. cbn [forallb]. destruct (dec (kind w) c) as [<-|]; easy.
Qed.

Lemma geometric q : 0 <= q < 1 -> infinite_sum (fun k => match k with O => 0 | S _ => q ^ k end)
  (q / (1 - q)).
Proof.
  intros [q0 q1]. replace (q / (1 - q)) with (/ (1 - q) - 1) by (field; lra).
  assert (G : infinite_sum (fun k => 1 * q ^ k) (/ (1 - q))).
  { apply GP_infinite. rewrite Rabs_right by lra. lra. }
  intros e e0. destruct (G e e0) as [N near]. exists N. intros n le. specialize (near n le).
  replace (sum_f_R0 (fun k => match k with O => 0 | S _ => q ^ k end) n) with
    (sum_f_R0 (fun k => 1 * q ^ k) n - 1); [unfold R_dist in *; now replace (sum_f_R0
      (fun k => 1 * q ^ k) n - 1 - (/ (1 - q) - 1)) with
      (sum_f_R0 (fun k => 1 * q ^ k) n - / (1 - q)) by ring|].
  clear. induction n as [|n IH]; cbn [sum_f_R0]; [simpl; ring|]. rewrite <- IH. ring.
Qed.

Lemma series_plus f g a b : infinite_sum f a -> infinite_sum g b ->
  infinite_sum (fun k => f k + g k) (a + b).
Proof.
  intros F G e e0. destruct (F (e / 2) ltac:(lra)) as [N near].
  destruct (G (e / 2) ltac:(lra)) as [N' near']. exists (N + N')%nat. intros n le.
  specialize (near n ltac:(lia)). specialize (near' n ltac:(lia)).
  rewrite plus_sum. unfold R_dist in *.
  replace (sum_f_R0 f n + sum_f_R0 g n - (a + b)) with
    (sum_f_R0 f n - a + (sum_f_R0 g n - b)) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma series_sum {A} (l : list A) (f : A -> nat -> R) a : (forall c, infinite_sum (f c) (a c)) ->
  infinite_sum (fun k => sum l (fun c => f c k)) (sum l a).
Proof.
  intros each. induction l as [|c l IH]; cbn [sum].
  - intros e e0. exists O. intros n _. unfold R_dist.
    replace (sum_f_R0 (fun _ => 0) n) with 0; [rewrite Rminus_0_r, Rabs_R0; easy|].
    clear. induction n as [|n IH]; cbn [sum_f_R0]; [easy|]. rewrite <- IH. ring.
  - now apply series_plus.
Qed.

Lemma series_ext f g a : (forall k, f k = g k) -> infinite_sum f a -> infinite_sum g a.
Proof.
  intros same F e e0. destruct (F e e0) as [N near]. exists N. intros n le.
  replace (sum_f_R0 g n) with (sum_f_R0 f n); [now apply near|].
  clear -same. induction n as [|n IH]; cbn [sum_f_R0]; congruence.
Qed.

Lemma first_term : infinite_sum (fun k => match k with O => 1 | S _ => 0 end) 1.
Proof.
  intros e e0. exists O. intros n _. unfold R_dist.
  replace (sum_f_R0 _ n) with 1; [rewrite Rminus_diag_eq, Rabs_R0; easy|].
  clear. induction n as [|n IH]; cbn [sum_f_R0]; [easy|]. rewrite <- IH. ring.
Qed.

(** Two kinds of results (bai2026.x-two-kinds; bai2026, section 4, examples 1 to 3): where runs tell
    all exactly if two of them are of different kinds, it takes 1 + sum_c q_c / (1 - q_c) runs on
    average.
    Differs: the expectation is the sum of the probabilities that more than k runs are needed. *)
Theorem two_kinds_tell : (forall c, share c < 1) ->
  expected_runs goal x (1 + Σ c, share c / (1 - share c)).
Proof.
  intros less. unfold expected_runs.
  apply (series_ext (fun k => match k with O => 1 | S _ => 0 end +
    Σ c, match k with O => 0 | S _ => share c ^ k end)).
  - intros k. rewrite hidden_law. destruct k as [|k]; [rewrite sum_0; ring|ring].
  - apply series_plus; [apply first_term|].
    apply (series_sum all (fun c k => match k with O => 0 | S _ => share c ^ k end)).
    intros c. apply geometric. split; [apply share_nonneg|apply less].
Qed.
End Kinds.
End Revealed.

Lemma runs_unique {D W} `{Finite D} `{Finite W} (p : D -> R) (M : D -> W -> R) goal x E F :
  expected_runs p M goal x E -> expected_runs p M goal x F -> E = F.
Proof. apply uniqueness_sum. Qed.
