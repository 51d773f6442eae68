(** Farkas' lemma, by induction on the rows: whoever breaks the inequality without the first row
    eliminates that row from the others. *)
From Coq Require Import Reals Lra List Classical.
From Pufferproof Require Import Sums Compactness Spectrum.
Import ListNotations.
Open Scope R_scope.

Section Farkas.
Context {A : Type} `{Finite A}.
Implicit Types (a b c r u v : A -> R) (rows : list (A -> R)) (weights : list R).

Definition value_at r u := Σ x, r x * u x.
(** What rows add up to with weights. *)
Definition combination weights rows : A -> R :=
  fun x => sum (combine weights rows) (fun row => fst row * snd row x).

Lemma value_plus_left r c k u :
  value_at (fun x => r x + k * c x) u = value_at r u + k * value_at c u.
Proof. unfold value_at. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros; ring. Qed.

Lemma value_plus_right r u k v :
  value_at r (fun x => u x + k * v x) = value_at r u + k * value_at r v.
Proof. unfold value_at. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros; ring. Qed.

Lemma value_self b : value_at b (fun x => 0 + -1 * b x) >= 0 -> forall x, b x = 0.
Proof.
  unfold value_at. intros le x.
  assert (sq : forall y, In y all -> 0 <= b y * b y) by (intros; apply Rle_0_sqr).
  pose proof (sum_member all (fun y => b y * b y) x sq (all_here x)) as one.
  assert (E : (Σ x, b x * (0 + -1 * b x)) = -1 * (Σ x, b x * b x)).
  { rewrite <- sum_scale. apply sum_ext. intros; ring. }
  apply Rsqr_0_uniq. unfold Rsqr in *. specialize (sq x (all_here x)). simpl in one. lra.
Qed.

Lemma without_signs n : forall rows b, length rows = n ->
  (forall u, (forall r, In r rows -> 0 <= value_at r u) -> 0 <= value_at b u) ->
  exists weights, length weights = n /\ (forall w, In w weights -> 0 <= w) /\
    forall x, b x = combination weights rows x.
Proof.
  induction n as [|n IH]; intros [|a rows] b len implied; try discriminate.
  - exists []. repeat split; [intros w []|]. apply value_self. apply Rle_ge, implied. intros r [].
  - injection len as len.
    destruct (classic (forall u, (forall r, In r rows -> 0 <= value_at r u) -> 0 <= value_at b u))
      as [fewer|broken].
    { destruct (IH rows b len fewer) as [weights [lw [pos E]]]. exists (0 :: weights).
      split; [now simpl; rewrite lw|]. split; [intros w [<-|i]; [lra|auto]|].
      intros x. rewrite E. unfold combination. simpl. ring. }
    apply not_all_ex_not in broken as [y broken]. apply imply_to_and in broken as [ok below].
    apply Rnot_le_lt in below.
    assert (neg : value_at a y < 0).
    { apply Rnot_le_lt. intros no. assert (0 <= value_at b y); [|lra]. apply implied.
      intros r [<-|i]; auto. }
    set (less r := fun x => r x + - (value_at r y / value_at a y) * a x).
    destruct (IH (map less rows) (less b)) as [weights [lw [pos E]]].
    { now rewrite map_length. }
    { intros u le. set (v := fun x => u x + - (value_at a u / value_at a y) * y x).
      assert (same : forall r, value_at (less r) u = value_at r v).
      { intros r. unfold less, v. rewrite value_plus_left, value_plus_right. field. lra. }
      rewrite same. apply implied. intros r [<-|i].
      - unfold v. rewrite value_plus_right. apply Req_le. field. lra.
      - rewrite <- same. apply le. now apply in_map. }
    set (total := sum (combine weights rows) (fun row => fst row * value_at (snd row) y)).
    assert (total0 : 0 <= total).
    { apply sum_nonneg. intros [w r] i. apply Rmult_le_pos.
      - apply in_combine_l in i. now apply pos.
      - apply in_combine_r in i. now apply ok. }
    exists ((value_at b y - total) / value_at a y :: weights).
    split; [now simpl; rewrite lw|]. split.
    { intros w [<-|i]; [|auto]. replace ((value_at b y - total) / value_at a y) with
        ((total - value_at b y) * / - value_at a y) by (field; lra).
      apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. lra. }
    intros x. specialize (E x). unfold less at 1 in E.
    assert (parts : combination weights (map less rows) x =
      combination weights rows x - total / value_at a y * a x).
    { unfold combination, total. clear -neg. revert rows.
      induction weights as [|w weights IH]; intros [|r rows]; simpl; try (field; lra).
      rewrite IH. unfold less. field. lra. }
    rewrite parts in E. unfold combination in *. simpl.
    replace (b x) with (b x + - (value_at b y / value_at a y) * a x +
      value_at b y / value_at a y * a x) by ring.
    rewrite E. field. lra.
Qed.

Lemma unknowns_last units : forall rows weights, (forall r x, In r units -> 0 <= r x) ->
  length weights = length (units ++ rows) -> (forall w, In w weights -> 0 <= w) ->
  exists some, length some = length rows /\ (forall w, In w some -> 0 <= w) /\
    forall x, combination some rows x <= combination weights (units ++ rows) x.
Proof.
  induction units as [|unit units IH]; simpl; intros rows weights units0 len pos.
  - exists weights. repeat split; auto. intros; lra.
  - destruct weights as [|w weights]; [discriminate|]. injection len as len.
    destruct (IH rows weights) as [some [ls [ps le]]]; auto.
    { intros v i. apply pos. now right. }
    exists some. repeat split; auto. intros x. specialize (le x). unfold combination in *. simpl.
    pose proof (Rmult_le_pos w (unit x) (pos w (or_introl eq_refl))
      (units0 unit x (or_introl eq_refl))). lra.
Qed.

(** Farkas' lemma: an inequality that holds wherever the unknowns and the rows are not negative is
    a combination of the rows with weights that are not negative, and of unknowns: no coefficient
    is below that of the combination.
    Differs: textbook. *)
Theorem farkas rows c :
  (forall u, (forall x, 0 <= u x) -> (forall r, In r rows -> 0 <= value_at r u) ->
    0 <= value_at c u) ->
  exists weights, length weights = length rows /\ (forall w, In w weights -> 0 <= w) /\
    forall x, combination weights rows x <= c x.
Proof.
  intros implied.
  destruct (without_signs _ (map point all ++ rows) c eq_refl) as [weights [len [pos E]]].
  { intros u le. apply implied.
    - intros x. rewrite <- (sum_point all x u all_once (all_here x)).
      replace (Σ y, u y * point x y) with (value_at (point x) u) by (apply sum_ext; intros; ring).
      apply le, in_app_iff. left. apply in_map, all_here.
    - intros r i. apply le, in_app_iff. now right. }
  destruct (unknowns_last (map point all) rows weights) as [some [ls [ps le]]]; auto.
  { intros r x i. apply in_map_iff in i as [y [<- _]]. unfold point. destruct (decision _); lra. }
  exists some. repeat split; auto. intros x. rewrite E. apply le.
Qed.
End Farkas.
