(** Conditions on single mechanisms bound joint releases up to a constant. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Laws Means.
Import ListNotations.
Open Scope R_scope.

Section Constants.
Context {D W : Type} `{Finite D} (p : D -> R) (s t : @secret D) (beta : D -> D -> R).
Hypotheses (Lp : law p) (Lb : forall x, law (beta x)).

Lemma mean_of_columns {V} E (M : D -> V -> R) w : likelihood M -> 0 <= E ->
  constraint p s beta E M ->
  Pw p M s w <= E * Σ l, M l w * Σ x, inside p s x * beta x l.
Proof.
  intros M0 E0 c.
  rewrite (sum_ext all _ (fun l => Σ x, M l w * (inside p s x * beta x l)))
    by (intros; now rewrite sum_scale).
  rewrite sum_swap, <- sum_scale. apply sum_le; intros x _.
  rewrite (sum_ext all _ (fun l => inside p s x * (beta x l * M l w))) by (intros; ring).
  rewrite sum_scale. destruct (inside_nonneg p s x Lp) as [px|<-]; [|lra].
  specialize (c x w px).
  pose proof (am_gm (beta x) (fun l => M l w) (Lb x) (fun l => M0 l w)) as G.
  replace (E * (inside p s x * Σ l, beta x l * M l w)) with
    (inside p s x * (E * Σ l, beta x l * M l w)) by ring.
  apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (1 := c). now apply Rmult_le_compat_l.
Qed.

(** Joint releases of mechanisms that meet NfC with weights beta leak at most the product of their
    levels times the largest quotient of what beta moves to a database and its law given t
    (worst.nfc-constant).
    Differs: databases are finite; ratios for levels. *)
Theorem constant_levels (Ms : list ((D -> W -> R) * R)) C ws :
  (forall M E, In (M, E) Ms -> likelihood M /\ 0 <= E) ->
  (forall M E, In (M, E) Ms -> constraint p s beta E M) ->
  (forall l, (Σ x, inside p s x * beta x l) * P p t <= C * P p s * inside p t l) ->
  Pw p (releases (map fst Ms)) s ws * P p t <=
  prod (map snd Ms) (fun E => E) * C * P p s * Pw p (releases (map fst Ms)) t ws.
Proof.
  intros M0 each carry.
  assert (J0 : likelihood (releases (map fst Ms))).
  { intros x l. apply releases_nonneg. intros M i. apply in_map_iff in i as [[N E] [<- i]].
    now apply (M0 N E). }
  assert (E0 : 0 <= prod (map snd Ms) (fun E => E)).
  { assert (pos : forall E, In E (map snd Ms) -> 0 <= E).
    { intros E i. apply in_map_iff in i as [[N F] [<- i]]. now apply (M0 N F). }
    revert pos. generalize (map snd Ms) as l. induction l as [|a l IH]; simpl; intros pos; [lra|].
    apply Rmult_le_pos; auto. }
  assert (joint : constraint p s beta (prod (map snd Ms) (fun E => E)) (releases (map fst Ms))).
  { apply constraints_multiply. intros M E i. destruct (M0 M E i). auto. }
  set (E := prod _ _) in *. set (J := releases _) in *.
  pose proof (mean_of_columns E J ws J0 E0 joint) as most.
  apply (Rmult_le_compat_r (P p t)) in most; [|now apply P_nonneg].
  apply Rle_trans with (1 := most). rewrite Rmult_assoc.
  replace (E * C * P p s * Pw p J t ws) with (E * (C * P p s * Pw p J t ws)) by ring.
  apply Rmult_le_compat_l; [easy|]. unfold Pw.
  rewrite Rmult_comm, <- !sum_scale. apply sum_le; intros l _.
  specialize (carry l). apply (Rmult_le_compat_l (J l ws)) in carry; [lra|apply J0].
Qed.
End Constants.
