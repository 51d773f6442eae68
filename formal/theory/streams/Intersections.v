(** The region of two rows as an intersection: the unit square between the lines of the recipe of
    slopes and shifts (streaming_cw, Section 1.1). *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Regions Slopes Zonotopes Compactness.
Import ListNotations.
Open Scope R_scope.

Section Rows.
Context {W : Type} `{Finite W}.
Implicit Types (P Q : W -> R).

(** The outcome with the least value of f among those with a property. *)
Lemma least_with (f : W -> R) (A : W -> Prop) : (exists y, A y) ->
  exists y, A y /\ forall z, A z -> f y <= f z.
Proof.
  intros [y0 a0]. enough (E : forall l : list W, exists y, A y /\ forall z, In z l -> A z ->
    f y <= f z) by (destruct (E all) as [y [ay least]]; exists y; split; auto using all_here).
  induction l as [|x l [y [ay least]]]; [now exists y0|].
  destruct (decision (A x /\ f x < f y)) as [[ax lt]|no].
  - exists x. split; [easy|]. intros z [<-|i] az; [lra|]. specialize (least z i az). lra.
  - exists y. split; [easy|]. intros z [<-|i] az; auto. destruct (Rle_lt_dec (f y) (f x)); tauto.
Qed.

(** f(r), the lower boundary in the direction (1, r). *)
Definition lower P Q r := Σ y, Rmin (P y) (r * Q y).
Definition above_lines P Q a b := forall y, 0 < P y -> 0 < Q y ->
  lower P Q (P y / Q y) <= a + P y / Q y * b.

Section Laws.
Context P Q (P0 : forall y, 0 <= P y) (Q0 : forall y, 0 <= Q y).
Context (P1 : (Σ y, P y) = 1) (Q1 : (Σ y, Q y) = 1).

(** The weight under P of the outcomes of a ratio of at most r, or below r. *)
Definition up_to r := Σ y, if Rle_dec (P y) (r * Q y) then P y else 0.
Definition below_ratio r := Σ y, if Rlt_dec (P y) (r * Q y) then P y else 0.

Lemma up_to_pos r a : 0 <= a < up_to r -> exists y, 0 < P y /\ 0 < Q y.
Proof.
  intros [a0 lt]. destruct (sum_pos_exists all
    (fun y => if Rle_dec (P y) (r * Q y) then P y else 0)) as [y [_ pos]].
  { change (0 < up_to r). lra. }
  exists y. destruct Rle_dec as [le|]; [|lra]. split; [easy|].
  destruct (Q0 y) as [|e]; [easy|]. rewrite <- e in le. lra.
Qed.

(** The threshold: a ratio that takes the weight of P past a. *)
Lemma threshold a s : 0 <= a < up_to s ->
  exists y, 0 < P y /\ 0 < Q y /\ below_ratio (P y / Q y) <= a < up_to (P y / Q y).
Proof.
  intros [a0 lt].
  assert (at_most : forall y, 0 < Q y -> P y = P y / Q y * Q y) by (intros; field; lra).
  assert (largest : forall r, a < up_to r -> exists y, 0 < Q y /\ P y <= r * Q y /\
    a < up_to (P y / Q y)).
  { intros r more. destruct (up_to_pos r a (conj a0 more)) as [y1 _].
    destruct (least_with (fun y => - (P y / Q y)) (fun y => 0 < Q y /\ P y <= r * Q y))
      as [y [[q le] least]].
    { destruct (sum_pos_exists all (fun y => if Rle_dec (P y) (r * Q y) then P y else 0))
        as [y [_ pos]]; [change (0 < up_to r); lra|].
      exists y. destruct Rle_dec as [le|]; [|lra]. split; [|easy].
      destruct (Q0 y) as [|e]; [easy|]. rewrite <- e in le. lra. }
    exists y. split; [easy|]. split; [easy|]. eapply Rlt_le_trans; [exact more|].
    apply sum_le; intros z _. pose proof (P0 z).
    destruct Rle_dec as [lz|]; [|destruct Rle_dec; lra].
    destruct Rle_dec as [|n]; [lra|]. destruct n. destruct (Q0 z) as [qz|e].
    - specialize (least z (conj qz lz)). rewrite (at_most z qz) at 1.
      apply Rmult_le_compat_r; lra.
    - rewrite <- e in *. lra. }
  destruct (least_with (fun y => P y / Q y) (fun y => 0 < Q y /\ a < up_to (P y / Q y)))
    as [y [[q more] least]].
  { destruct (largest s lt) as [y [q [_ m]]]. now exists y. }
  exists y. assert (r0 : 0 < P y / Q y).
  { destruct (sum_pos_exists all (fun z => if Rle_dec (P z) (P y / Q y * Q z) then P z else 0))
      as [z [_ pos]]; [change (0 < up_to (P y / Q y)); lra|].
    destruct Rle_dec as [le|]; [|lra]. pose proof (Q0 z). nra. }
  split; [pose proof (at_most y q); nra|]. repeat split; try easy.
  apply Rnot_lt_le. intros lower_more.
  destruct (least_with (fun z => - (P z / Q z)) (fun z => 0 < Q z /\ P z < P y / Q y * Q z))
    as [z [[qz lz] most]].
  { destruct (sum_pos_exists all (fun z => if Rlt_dec (P z) (P y / Q y * Q z) then P z else 0))
      as [z [_ pos]]; [change (0 < below_ratio (P y / Q y)); lra|].
    exists z. destruct Rlt_dec as [l|]; [|lra]. split; [|easy]. destruct (Q0 z) as [|e]; [easy|].
    rewrite <- e in l. lra. }
  assert (small : P z / Q z < P y / Q y).
  { apply (Rmult_lt_reg_r (Q z)); [easy|]. now rewrite <- at_most. }
  enough (P y / Q y <= P z / Q z) by lra. apply least. split; [easy|].
  eapply Rlt_le_trans; [exact lower_more|]. apply sum_le; intros w _. pose proof (P0 w).
  destruct Rlt_dec as [lw|]; [|destruct Rle_dec; lra]. destruct Rle_dec as [|n]; [lra|].
  destruct n. destruct (Q0 w) as [qw|e].
  - specialize (most w (conj qw lw)). rewrite (at_most w qw) at 1. apply Rmult_le_compat_r; lra.
  - rewrite <- e in *. lra.
Qed.

(** Above the lower lines there is a choice at the same a that lies no higher. *)
Lemma choice_below a b : square a b -> above_lines P Q a b -> exists c, c <= b /\ choice P Q a c.
Proof.
  intros [[a0 a1] [b0 b1]] lines.
  destruct (Rlt_le_dec a (Σ y, if Rlt_dec 0 (Q y) then P y else 0)) as [less|more].
  - destruct (least_with (fun y => - (P y / Q y)) (fun y => 0 < Q y)) as [k [qk most]].
    { destruct (sum_pos_exists all (fun y => if Rlt_dec 0 (Q y) then P y else 0)) as [y [_ pos]];
        [lra|]. exists y. destruct Rlt_dec; lra. }
    destruct (threshold a (P k / Q k)) as [y [py [qy [low high]]]].
    { split; [easy|]. eapply Rlt_le_trans; [exact less|]. apply sum_le; intros z _.
      pose proof (P0 z). destruct Rlt_dec as [qz|]; [|destruct Rle_dec; lra].
      destruct Rle_dec as [|n]; [lra|]. destruct n. specialize (most z qz).
      replace (P z) with (P z / Q z * Q z) at 1 by (field; lra). apply Rmult_le_compat_r; lra. }
    specialize (lines y py qy). set (r := P y / Q y) in *.
    assert (r0 : 0 < r) by now apply Rdiv_lt_0_compat.
    set (t := (a - below_ratio r) / (up_to r - below_ratio r)).
    assert (t01 : share t).
    { unfold t. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
      apply (Rmult_le_reg_r (up_to r - below_ratio r)); [lra|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    pose (alpha z := if Rlt_dec (P z) (r * Q z) then 1 else if Rle_dec (P z) (r * Q z) then t
      else 0).
    assert (here : (Σ z, P z * alpha z) = a).
    { replace a with (t * up_to r + (1 - t) * below_ratio r) by (unfold t; field; lra).
      unfold up_to, below_ratio. rewrite <- !sum_scale, <- sum_plus. apply sum_ext; intros z _.
      unfold alpha. destruct Rlt_dec, Rle_dec; lra. }
    exists (Σ z, Q z * (1 - alpha z)). split.
    + apply (Rmult_le_reg_l r); [easy|]. enough (E : a + r * (Σ z, Q z * (1 - alpha z)) =
        lower P Q r) by lra.
      rewrite <- here at 1. rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros z _.
      unfold alpha, Rmin. destruct Rlt_dec, Rle_dec; try lra.
      replace (P z) with (r * Q z) by lra. ring.
    + apply choice_alone. exists alpha. split; [|now split]. intros w.
      unfold share, alpha in *. destruct Rlt_dec; [lra|]. destruct Rle_dec; lra.
  - set (left := Σ y, if Rlt_dec 0 (Q y) then P y else 0) in *.
    assert (part : left + (Σ y, if Rlt_dec 0 (Q y) then 0 else P y) = 1).
    { unfold left. rewrite <- sum_plus, <- P1. apply sum_ext; intros y _. destruct Rlt_dec; ring. }
    set (rest := Σ y, if Rlt_dec 0 (Q y) then 0 else P y) in *.
    assert (some : exists t, share t /\ left + t * rest = a).
    { destruct (Req_dec rest 0) as [z|n]; [exists 1; unfold share; split; lra|].
      assert (0 <= rest) by (apply sum_nonneg; intros y _; destruct Rlt_dec; [lra|apply P0]).
      exists ((a - left) / rest). split; [|field; easy]. unfold share. split.
      - apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
      - apply (Rmult_le_reg_r rest); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    destruct some as [t [t01 e]]. exists 0. split; [easy|]. apply choice_alone.
    exists (fun y => if Rlt_dec 0 (Q y) then 1 else t). repeat split.
    + destruct Rlt_dec; [lra|apply t01].
    + destruct Rlt_dec; [lra|apply t01].
    + rewrite <- e. unfold left, rest. rewrite <- sum_scale, <- sum_plus.
      apply sum_ext; intros y _. destruct Rlt_dec; ring.
    + transitivity (sum (@all W _) (fun _ => 0)); [|apply sum_0]. apply sum_ext; intros y _.
      destruct Rlt_dec as [|n]; [ring|]. replace (Q y) with 0 by (specialize (Q0 y); lra). ring.
Qed.

Lemma sum_rest f alpha : (Σ y, f y) = 1 -> (Σ y, f y * (1 - alpha y)) = 1 - Σ y, f y * alpha y.
Proof.
  intros f1. change (sum all f = 1) in f1.
  rewrite (sum_ext all _ (fun y => f y + -1 * (f y * alpha y))) by (intros; ring).
  rewrite sum_plus, sum_scale, f1. ring.
Qed.

Lemma choice_reflected a b : choice P Q a b -> choice P Q (1 - a) (1 - b).
Proof.
  rewrite !choice_alone. intros [alpha [ok [<- <-]]]. exists (fun y => 1 - alpha y). repeat split.
  - destruct (ok y). lra.
  - destruct (ok y). lra.
  - now apply sum_rest.
  - rewrite !(sum_rest Q) by easy. ring.
Qed.

Lemma choice_between_lines a b : square a b -> above_lines P Q a b ->
  above_lines P Q (1 - a) (1 - b) -> choice P Q a b.
Proof.
  intros sq low high. destruct (choice_below a b sq low) as [c [cb lowest]].
  destruct (choice_below (1 - a) (1 - b)) as [d [db highest]]; [unfold square in *; lra|easy|].
  apply choice_reflected in highest. replace (1 - (1 - a)) with a in highest by ring.
  destruct (Req_dec c (1 - d)) as [e|n]; [replace b with c by lra; easy|].
  pose (t := (1 - d - b) / (1 - d - c)).
  assert (share t).
  { unfold t. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply (Rmult_le_reg_r (1 - d - c)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  replace a with (t * a + (1 - t) * a) by ring.
  replace b with (t * c + (1 - t) * (1 - d)) by (unfold t; field; lra).
  now apply choices_mix.
Qed.
End Laws.

(** Between the lines of the recipe in one order, and their reflections in (1/2, 1/2). *)
Definition between P Q a b := forall r d, slope r d P Q -> 1 - d <= a + r * b <= r + d.

Lemma lower_is_shift P Q r : (Σ y, P y) = 1 -> shift r (1 - lower P Q r) P Q.
Proof.
  intros P1. apply hockey_stick. unfold lower. rewrite <- P1.
  replace ((Σ y, P y) - Σ y, Rmin (P y) (r * Q y)) with
    ((Σ y, P y) + -1 * Σ y, Rmin (P y) (r * Q y)) by ring.
  rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros y _.
  unfold Rmax, Rmin. destruct Rle_dec, Rle_dec; lra.
Qed.

Lemma lower_exchanged P Q r : 0 < r -> lower P Q r = r * lower Q P (/ r).
Proof.
  intros r0. unfold lower. rewrite <- sum_scale. apply sum_ext; intros y _.
  set (u := / r * P y). replace (P y) with (r * u) by (unfold u; field; lra).
  unfold Rmin. destruct Rle_dec, Rle_dec; nra.
Qed.

(** The lines of the recipe of both orders are those of the likelihood ratios. *)
Lemma lines_of_ratios P Q a b : (Σ y, P y) = 1 -> (Σ y, Q y) = 1 ->
  between P Q a b -> between Q P b a -> above_lines P Q a b /\ above_lines P Q (1 - a) (1 - b).
Proof.
  intros P1 Q1 own other.
  enough (E : forall y, 0 < P y -> 0 < Q y -> lower P Q (P y / Q y) <= a + P y / Q y * b <=
    1 + P y / Q y - lower P Q (P y / Q y)).
  { split; intros y p q; specialize (E y p q); lra. }
  intros y p q. assert (r0 : 0 < P y / Q y) by now apply Rdiv_lt_0_compat.
  assert (e : P y = P y / Q y * Q y) by (field; lra). set (r := P y / Q y) in *.
  destruct (Rle_lt_dec 1 r) as [r1|r1].
  - assert (sl : slope r (1 - lower P Q r) P Q).
    { repeat split; [easy|now exists y|now apply lower_is_shift|now apply lower_is_shift]. }
    specialize (own _ _ sl). lra.
  - assert (i1 : / r * r = 1) by (field; lra).
    assert (sl : slope (/ r) (1 - lower Q P (/ r)) Q P).
    { repeat split; try now apply lower_is_shift.
      - rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
      - exists y. split; [easy|]. rewrite e, <- Rmult_assoc, i1. ring. }
    specialize (other _ _ sl). rewrite lower_exchanged by easy.
    replace a with (r * (/ r * a)) by (field; lra). nra.
Qed.

Lemma shift_between P Q r d T : (Σ y, P y) = 1 -> (Σ y, Q y) = 1 -> shift r d P Q ->
  1 - d <= weight_in P T + r * weight_in Q (others T) <= r + d.
Proof.
  intros P1 Q1 [keeps _]. pose proof (keeps T). specialize (keeps (others T)).
  pose proof (weight_split P T). pose proof (weight_split Q T). nra.
Qed.
End Rows.

Section Tables.
Context {D W : Type} `{Finite W} (M : D -> W -> R).
Context (rows : forall x, (Σ w, M x w) = 1) (likely : forall x w, 0 <= M x w).

(** streaming_cw.region-is-intersection-repaired: the region is what the lines of the recipe, in
    both orders, each in its own order, and their reflections leave of the unit square.
    Differs: databases may be any type; outputs are finite; slopes are ratios, e^epsilon_i. *)
Theorem region_is_intersection x y a b : region M x y a b <->
  square a b /\ between (M x) (M y) a b /\ between (M y) (M x) b a.
Proof.
  split.
  - intros r. split; [exact (region_in_square M rows likely x y a b r)|].
    assert (side : forall u v c, (forall T,
      c <= u * weight_in (M x) T + v * weight_in (M y) (others T)) -> c <= u * a + v * b).
    { intros u v c each. refine (half_plane _ _ _ _ _ _ _ r). intros z [T ->]. apply each. }
    split; intros s d [_ [_ sh]].
    + pose proof (fun T => shift_between _ _ s d T (rows x) (rows y) sh) as each.
      pose proof (side 1 s (1 - d) ltac:(intros T; specialize (each T); lra)).
      pose proof (side (-1) (- s) (- s - d) ltac:(intros T; specialize (each T); lra)). lra.
    + pose proof (fun T => shift_between _ _ s d (others T) (rows y) (rows x) sh) as each.
      pose proof (side s 1 (1 - d) ltac:(intros T; specialize (each T);
        rewrite others_twice in each; lra)).
      pose proof (side (- s) (-1) (- s - d) ltac:(intros T; specialize (each T);
        rewrite others_twice in each; lra)). lra.
  - intros [sq [own other]]. apply zonotope_form.
    destruct (lines_of_ratios (M x) (M y) a b) as [low high]; auto.
    now apply choice_between_lines.
Qed.
End Tables.

(** Two lists that are equal, of rows of perhaps different outputs. *)
Definition same_list {W V} `{Finite W} `{Finite V} (P Q : W -> R) (P' Q' : V -> R) :=
  forall r d, slope r d P Q <-> slope r d P' Q'.

Section Lists.
Context {D W E V : Type} `{Finite W} `{Finite V} (M : D -> W -> R) (N : E -> V -> R).
Context (rows : forall x, (Σ w, M x w) = 1) (likely : forall x w, 0 <= M x w).
Context (rows' : forall x, (Σ w, N x w) = 1) (likely' : forall x w, 0 <= N x w).
Context (x y : D) (u v : E).
Context (own : same_list (M x) (M y) (N u) (N v)) (other : same_list (M y) (M x) (N v) (N u)).

(** streaming_cw.slopes-complete-repaired: the two lists of slopes and shifts, kept apart,
    determine the region.
    Differs: as above; the mechanisms may have different databases and outputs. *)
Theorem lists_determine_regions a b : region M x y a b <-> region N u v a b.
Proof.
  rewrite !region_is_intersection by easy. unfold between, same_list in *.
  split; intros [sq [one two]]; repeat split; try apply sq; try apply one; try apply two;
    now try apply own; try apply other.
Qed.

(** The same, of the least delta with P(T) <= ratio Q(T) + delta for all sets T of outputs.
    Differs: as above; for any ratio. *)
Theorem lists_determine_shifts ratio delta :
  shift ratio delta (M x) (M y) <-> shift ratio delta (N u) (N v).
Proof.
  rewrite !shift_touches by easy. unfold touches.
  split; intros [above [a [b [r on]]]]; (split; [|exists a, b; split; [|easy]]);
    try (now apply lists_determine_regions); intros c d i; now apply above, lists_determine_regions.
Qed.
End Lists.
