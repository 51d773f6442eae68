(** Matrix games have a value, which weights of columns attain. *)
From Coq Require Import Reals Lra List Classical.
From Pufferproof Require Import Sums Pufferfish Farkas Worst Rays.
Import ListNotations.
Open Scope R_scope.

Section Games.
Context {W Y : Type} `{Finite W} `{Finite Y}.
Implicit Types (g : W -> Y -> R) (alpha : W -> R) (beta : Y -> R).

(** Weights of columns keep every row at most V. *)
Definition columns_keep g V := exists beta, law beta /\ forall w, (Σ y, beta y * g w y) <= V.
(** Weights of rows keep every column above V. *)
Definition rows_exceed g V := exists alpha, law alpha /\ forall y, V < Σ w, alpha w * g w y.
Definition is_value g V := columns_keep g V /\ forall V', V' < V -> rows_exceed g V'.
Definition value_between g A B := exists V, A <= V <= B /\ is_value g V.

Lemma never_both g V : columns_keep g V -> rows_exceed g V -> False.
Proof.
  intros [beta [[b0 b1] keep]] [alpha [[a0 a1] exceed]].
  assert (by_rows : (Σ w, alpha w * Σ y, beta y * g w y) <= V).
  { apply Rle_trans with (Σ w, V * alpha w); [|rewrite sum_scale, a1; lra].
    apply sum_le; intros w _. rewrite (Rmult_comm V). now apply Rmult_le_compat_l. }
  assert (same : (Σ w, alpha w * Σ y, beta y * g w y) = Σ y, beta y * Σ w, alpha w * g w y).
  { rewrite (sum_ext all _ (fun w => Σ y, beta y * (alpha w * g w y))).
    - rewrite sum_swap. apply sum_ext; intros y _. now rewrite sum_scale.
    - intros w _. rewrite <- sum_scale. apply sum_ext; intros; ring. }
  rewrite same in by_rows.
  destruct (sum_pos_exists all beta) as [y [iy pos]]; [lra|].
  set (d := fun z => beta z * ((Σ w, alpha w * g w z) + - V)).
  assert (d0 : forall z, 0 <= d z).
  { intros z. apply Rmult_le_pos; [auto|]. specialize (exceed z). lra. }
  pose proof (sum_member all d y (fun z _ => d0 z) iy) as one.
  assert (total : sum all d = (Σ y, beta y * Σ w, alpha w * g w y) + - V).
  { unfold d. rewrite (sum_ext all _ (fun z => beta z * (Σ w, alpha w * g w z) + - V * beta z))
      by (intros; ring). rewrite sum_plus, (sum_scale (- V) all beta), b1. ring. }
  specialize (exceed y). assert (0 < d y) by (unfold d; apply Rmult_lt_0_compat; lra). lra.
Qed.

(** Weights of columns keep every row at most V, or weights of rows exceed it in every column. *)
Lemma keep_or_exceed g V (y0 : Y) : columns_keep g V \/ rows_exceed g V.
Proof.
  destruct (classic (columns_keep g V)) as [keep|no]; [now left|right].
  destruct (farkas (map (fun w y => V - g w y) all) (fun _ : Y => -1)) as [ws [len [pos le]]].
  { intros u u0 each. apply Rnot_lt_le. intros neg. apply no. set (s := sum all u).
    assert (low : value_at (fun _ => -1) u = - s).
    { unfold value_at, s. rewrite (sum_scale (-1) all u). ring. }
    assert (s0 : 0 < s) by lra.
    exists (fun y => / s * u y). split; [split|].
    - intros y. apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|auto].
    - rewrite (sum_scale (/ s) all u). fold s. field. lra.
    - intros w. specialize (each (fun y => V - g w y)).
      assert (0 <= value_at (fun y => V - g w y) u) as ok.
      { apply each. apply in_map_iff. exists w. split; [easy|apply all_here]. }
      assert (E : value_at (fun y => V - g w y) u = V * s - Σ y, u y * g w y).
      { unfold value_at, s.
        rewrite (sum_ext all _ (fun y => V * u y + -1 * (u y * g w y))) by (intros; ring).
        rewrite sum_plus, (sum_scale V all u), sum_scale. ring. }
      rewrite (sum_ext all _ (fun y => / s * (u y * g w y))) by (intros; ring).
      rewrite sum_scale. apply (Rmult_le_reg_l s); [easy|].
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra. }
  rewrite map_length in len.
  assert (share : exists lam : W -> R, (forall w, 0 <= lam w) /\
    forall y, combination ws (map (fun w y => V - g w y) all) y = Σ w, lam w * (V - g w y)).
  { clear -len pos. unfold combination. generalize (@all_once W _). revert ws len pos.
    generalize (@all W _). induction l as [|w l IH]; intros [|a ws] len pos once;
      try discriminate.
    - exists (fun _ => 0). split; [intros; lra|easy].
    - inversion once as [|w' l' out once']; subst. injection len as len.
      destruct (IH ws len (fun b i => pos b (or_intror i)) once') as [lam [l0 E]].
      exists (fun v => if Compactness.decision (v = w) then a else lam v). split.
      + intros v. destruct Compactness.decision; [apply pos; now left|auto].
      + intros y. simpl. destruct Compactness.decision; [|congruence]. f_equal.
        rewrite (E y). apply sum_ext; intros v i.
        destruct Compactness.decision as [->|]; [contradiction|easy]. }
  destruct share as [lam [l0 E]]. set (s := sum all lam).
  assert (parts : forall y, (Σ w, lam w * (V - g w y)) = V * s - Σ w, lam w * g w y).
  { intros y. unfold s.
    rewrite (sum_ext all _ (fun w => V * lam w + -1 * (lam w * g w y))) by (intros; ring).
    rewrite sum_plus, (sum_scale V all lam), sum_scale. ring. }
  assert (below : forall y, V * s + 1 <= Σ w, lam w * g w y).
  { intros y. specialize (le y). rewrite E, parts in le. lra. }
  assert (s0 : 0 < s).
  { destruct (sum_nonneg all lam (fun w _ => l0 w)) as [lt|zero]; [easy|]. exfalso.
    assert (none : (Σ w, lam w * g w y0) = 0).
    { rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros w i.
      pose proof (sum_member all lam w (fun v _ => l0 v) i). specialize (l0 w).
      replace (lam w) with 0 by lra. ring. }
    specialize (below y0). rewrite none in below. unfold s in below.
    rewrite <- zero in below. lra. }
  exists (fun w => / s * lam w). split; [split|].
  - intros w. apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|auto].
  - rewrite (sum_scale (/ s) all lam). fold s. field. lra.
  - intros y. rewrite (sum_ext all _ (fun w => / s * (lam w * g w y))) by (intros; ring).
    rewrite sum_scale. apply (Rmult_lt_reg_l s); [easy|]. specialize (below y).
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra.
Qed.

Lemma exceed_more g V : rows_exceed g V -> exists e, 0 < e /\ rows_exceed g (V + e).
Proof.
  intros [alpha [La exceed]].
  assert (gap : exists e, 0 < e /\ forall y, In y all -> V + e < Σ w, alpha w * g w y).
  { induction (@all Y _) as [|y l [e [e0 IH]]]; [exists 1; split; [lra|intros y []]|].
    specialize (exceed y). set (h := (Σ w, alpha w * g w y)) in *.
    pose proof (Rmin_l e ((h - V) / 2)). pose proof (Rmin_r e ((h - V) / 2)).
    exists (Rmin e ((h - V) / 2)). split; [apply Rmin_glb_lt; lra|].
    intros z [<-|i]; [fold h; lra|]. specialize (IH z i). lra. }
  destruct gap as [e [e0 gap]]. exists e. split; [easy|]. exists alpha. split; [easy|].
  intros y. apply gap, all_here.
Qed.

(** Von Neumann: a game of at least one row and one column has a value, between the least and the
    largest entry (worst.game-value): weights of columns keep it, and weights of rows exceed every
    number below it.
    Differs: textbook. *)
Theorem game_value g A B (w0 : W) (y0 : Y) : (forall w y, A <= g w y) -> (forall w y, g w y <= B) ->
  value_between g A B.
Proof.
  intros low high.
  assert (most : forall V, rows_exceed g V -> V < B).
  { intros V [alpha [[a0 a1] exceed]]. apply Rlt_le_trans with (1 := exceed y0).
    rewrite <- (Rmult_1_r B), <- a1, <- sum_scale. apply sum_le; intros w _.
    rewrite (Rmult_comm B). now apply Rmult_le_compat_l. }
  assert (least : forall V, V < A -> rows_exceed g V).
  { intros V lt. destruct (keep_or_exceed g V y0) as [[beta [[b0 b1] keep]]|]; [|easy].
    exfalso. specialize (keep w0).
    assert (A <= Σ y, beta y * g w0 y); [|lra].
    rewrite <- (Rmult_1_r A), <- b1, <- sum_scale. apply sum_le; intros y _.
    rewrite (Rmult_comm A). now apply Rmult_le_compat_l. }
  destruct (completeness (rows_exceed g)) as [V [upper lub]].
  { exists B. intros V e. left. now apply most. }
  { exists (A - 1). apply least. lra. }
  exists V. split; [split|split].
  - apply Rnot_lt_le. intros lt.
    assert (more : rows_exceed g ((V + A) / 2)) by (apply least; lra).
    specialize (upper _ more). lra.
  - apply lub. intros U e. left. now apply most.
  - destruct (keep_or_exceed g V y0) as [keep|exceed]; [easy|].
    destruct (exceed_more g V exceed) as [e [e0 more]]. specialize (upper _ more). lra.
  - intros V' lt. apply NNPP. intros no. assert (V <= V'); [|lra]. apply lub.
    intros U [alpha [La up]].
    apply Rnot_lt_le. intros U'. apply no. exists alpha. split; [easy|].
    intros y. specialize (up y). lra.
Qed.
End Games.

Section Decided.
Context {W Y : Type} `{Finite W} `{Finite Y}.
Implicit Types (g : W -> Y -> R).

Lemma some_entries g : exists A B, (forall w y, A <= g w y) /\ forall w y, g w y <= B.
Proof.
  assert (most : forall h : W -> Y -> R, forall w y, h w y <= Σ v, Σ z, Rabs (h v z)).
  { intros h w y. apply Rle_trans with (1 := Rle_abs _).
    apply Rle_trans with (Σ z, Rabs (h w z)).
    - apply (sum_member all (fun z => Rabs (h w z))); [intros; apply Rabs_pos|apply all_here].
    - apply (sum_member all (fun v => Σ z, Rabs (h v z))); [|apply all_here].
      intros; apply sum_nonneg; intros; apply Rabs_pos. }
  exists (- Σ v, Σ z, Rabs (- g v z)), (Σ v, Σ z, Rabs (g v z)). split; [|apply most].
  intros w y. pose proof (most (fun v z => - g v z) w y). simpl in *. lra.
Qed.

(** The value is between two numbers if columns can keep the one and rows can reach the other. *)
Lemma value_between_decided g A B (w0 : W) (y0 : Y) : value_between g A B <->
  columns_keep g B /\ columns_keep (fun y w => - g w y) (- A).
Proof.
  assert (turn : forall (b : Y -> R) w, (Σ y, b y * - g w y) = - Σ y, b y * g w y).
  { intros b w. rewrite (sum_ext all _ (fun y => -1 * (b y * g w y))) by (intros; ring).
    rewrite sum_scale. ring. }
  assert (turn' : forall (a : W -> R) y, (Σ w, a w * - g w y) = - Σ w, a w * g w y).
  { intros a y. rewrite (sum_ext all _ (fun w => -1 * (a w * g w y))) by (intros; ring).
    rewrite sum_scale. ring. }
  split.
  - intros [V [[low high] [[beta [Lb keep]] exceed]]]. split.
    + exists beta. split; [easy|]. intros w. specialize (keep w). lra.
    + destruct (keep_or_exceed (fun y w => - g w y) (- A) w0) as [|over]; [easy|].
      destruct (exceed_more _ _ over) as [e [e0 [b [Lb' more]]]]. exfalso.
      apply (never_both g (A - e)); [|apply exceed; lra]. exists b. split; [easy|].
      intros w. specialize (more w). cbv beta in more. rewrite turn in more. lra.
  - intros [keep [alpha [La reach]]]. destruct (some_entries g) as [A0 [B0 [lo hi]]].
    destruct (game_value g A0 B0 w0 y0 lo hi) as [V [_ value]]. exists V.
    split; [|easy]. destruct value as [[beta kept] exceed]. split; apply Rnot_lt_le; intros lt.
    + apply (never_both g V); [now exists beta|]. exists alpha. split; [easy|].
      intros y. specialize (reach y). cbv beta in reach. rewrite turn' in reach. lra.
    + apply (never_both g B); [easy|]. now apply exceed.
Qed.

Lemma keep_in_cone g V : columns_keep g V <->
  exists u, within (map (fun w y => g w y - V) all) u /\ exists y, 0 < u y.
Proof.
  assert (at_ : forall u w, inner (fun y => g w y - V) u = (Σ y, u y * g w y) - V * sum all u).
  { intros u w. unfold inner.
    rewrite (sum_ext all _ (fun y => u y * g w y + - V * u y)) by (intros; ring).
    rewrite sum_plus, (sum_scale (- V) all u). ring. }
  split.
  - intros [beta [[b0 b1] keep]]. exists beta. split; [split; [easy|]|].
    + intros a i. apply in_map_iff in i as [w [<- _]]. rewrite at_, b1. specialize (keep w). lra.
    + destruct (sum_pos_exists all beta) as [y [_ pos]]; [lra|now exists y].
  - intros [u [[u0 each] [y pos]]]. set (s := sum all u).
    assert (s0 : 0 < s).
    { apply Rlt_le_trans with (1 := pos). apply sum_member; [auto|apply all_here]. }
    exists (fun z => / s * u z). split; [split|].
    + intros z. apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|auto].
    + rewrite (sum_scale (/ s) all u). fold s. field. lra.
    + intros w. rewrite (sum_ext all _ (fun z => / s * (u z * g w z))) by (intros; ring).
      rewrite sum_scale. apply (Rmult_le_reg_l s); [easy|].
      assert (inner (fun z => g w z - V) u <= 0) as le.
      { apply each, in_map_iff. exists w. split; [easy|apply all_here]. }
      rewrite at_ in le. fold s in le. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra.
Qed.

Lemma keep_at_generators dec g V : columns_keep g V <-> exists u,
  In u (generators dec (map (fun w y => g w y - V) all)) /\ exists y, 0 < u y.
Proof.
  rewrite keep_in_cone. split.
  - intros [u [inside_ [y pos]]].
    destruct (proj2 (generated dec _) u inside_) as [c [c0 E]]. rewrite E in pos.
    destruct (sum_pos_exists c _ pos) as [[k r] [i p]]. simpl in p. destruct (c0 k r i) as [k0 ir].
    exists r. split; [easy|]. exists y. apply Rnot_le_lt. intros neg.
    pose proof (proj1 (proj1 (generated dec _) r ir) y). replace (r y) with 0 in p by lra. lra.
  - intros [u [i [y pos]]]. exists u. split; [now apply (generated dec)|now exists y].
Qed.
End Decided.
