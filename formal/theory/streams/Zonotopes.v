(** The region of two rows as the set of all choices, a zonotope (streaming_cw, Section 1.1). *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Regions.
Import ListNotations.
Open Scope R_scope.

Definition share (t : R) := 0 <= t <= 1.

Lemma mixtures_mix (points : R * R -> Prop) t a b c d : share t -> mixture_of points a b ->
  mixture_of points c d -> mixture_of points (t * a + (1 - t) * c) (t * b + (1 - t) * d).
Proof.
  intros [t0 t1] [l [good [one [<- <-]]]] [m [good' [one' [<- <-]]]].
  pose (by_share s := fun wz : R * (R * R) => (s * fst wz, snd wz)).
  assert (scaled : forall s l (f : R * R -> R), sum (map (by_share s) l)
    (fun wz => fst wz * f (snd wz)) = s * sum l (fun wz => fst wz * f (snd wz))).
  { intros s k f. rewrite sum_map, <- sum_scale. apply sum_ext; intros; simpl; ring. }
  exists (map (by_share t) l ++ map (by_share (1 - t)) m). repeat split.
  - apply in_app_iff in H as [i|i]; apply in_map_iff in i as [[v u] [e i]]; injection e as <- <-;
      apply Rmult_le_pos; try lra; [now apply (good v u)|now apply (good' v u)].
  - apply in_app_iff in H as [i|i]; apply in_map_iff in i as [[v u] [e i]]; injection e as <- <-;
      [now apply (good v u)|now apply (good' v u)].
  - rewrite sum_app, !sum_map. unfold by_share; simpl. rewrite !sum_scale, one, one'. ring.
  - now rewrite sum_app, !(scaled _ _ fst).
  - now rewrite sum_app, !(scaled _ _ snd).
Qed.

Section Rows.
Context {W : Type} `{Finite W}.
Implicit Types (P Q alpha beta : W -> R).

(** (a, b) is (P . alpha, Q . beta) for entries in [0, 1] with alpha + beta = 1. *)
Definition choice P Q a b := exists alpha beta,
  (forall y, share (alpha y) /\ share (beta y) /\ alpha y + beta y = 1) /\
  (Σ y, P y * alpha y) = a /\ (Σ y, Q y * beta y) = b.

Lemma choice_alone P Q a b : choice P Q a b <-> exists alpha, (forall y, share (alpha y)) /\
  (Σ y, P y * alpha y) = a /\ (Σ y, Q y * (1 - alpha y)) = b.
Proof.
  split.
  - intros [alpha [beta [ok [<- <-]]]]. exists alpha. repeat split; try apply ok.
    apply sum_ext; intros y _. destruct (ok y) as [_ [_ e]]. rewrite <- e. ring.
  - intros [alpha [ok [<- <-]]]. exists alpha, (fun y => 1 - alpha y). repeat split;
      destruct (ok y); lra.
Qed.

Lemma sums_mix t f (u v : W -> R) : (Σ y, f y * (t * u y + (1 - t) * v y)) =
  t * (Σ y, f y * u y) + (1 - t) * (Σ y, f y * v y).
Proof. rewrite <- !sum_scale, <- sum_plus. apply sum_ext; intros; ring. Qed.

Lemma choices_mix P Q t a b c d : share t -> choice P Q a b -> choice P Q c d ->
  choice P Q (t * a + (1 - t) * c) (t * b + (1 - t) * d).
Proof.
  rewrite !choice_alone. intros [t0 t1] [u [ou [<- <-]]] [v [ov [<- <-]]].
  exists (fun y => t * u y + (1 - t) * v y). repeat split.
  - destruct (ou y), (ov y). nra.
  - destruct (ou y), (ov y). nra.
  - apply sums_mix.
  - rewrite <- sums_mix. apply sum_ext; intros; ring.
Qed.

(** By induction on the values of alpha that are neither 0 nor 1: outcomes with one value move to
    1 or to 0 together. *)
Lemma choices_are_mixtures (points : R * R -> Prop) P Q :
  (forall T, points (weight_in P T, weight_in Q (others T))) -> forall values alpha,
  (forall y, share (alpha y)) -> (forall y, alpha y = 0 \/ alpha y = 1 \/ In (alpha y) values) ->
  mixture_of points (Σ y, P y * alpha y) (Σ y, Q y * (1 - alpha y)).
Proof.
  intros sets. induction values as [|v values IH]; intros alpha ok among.
  - apply mixture_one. pose (T y := if Req_EM_T (alpha y) 1 then true else false).
    replace (Σ y, P y * alpha y) with (weight_in P T).
    2:{ apply sum_ext; intros y _. unfold T. destruct Req_EM_T as [->|n]; [ring|].
        destruct (among y) as [->|[]]; [ring|easy|easy]. }
    replace (Σ y, Q y * (1 - alpha y)) with (weight_in Q (others T)); [apply sets|].
    apply sum_ext; intros y _. unfold others, T. destruct Req_EM_T as [->|n]; simpl; [ring|].
    destruct (among y) as [->|[]]; [ring|easy|easy].
  - pose (moved c y := if Req_EM_T (alpha y) v then c else alpha y).
    assert (each : forall c, c = 0 \/ c = 1 ->
      mixture_of points (Σ y, P y * moved c y) (Σ y, Q y * (1 - moved c y))).
    { intros c c01. apply IH; intros y; unfold moved; destruct Req_EM_T as [e|n]; auto.
      - unfold share. destruct c01; subst; lra.
      - tauto.
      - destruct (among y) as [|[|[|]]]; auto. now symmetry in H0. }
    destruct (Rle_dec 0 v) as [v0|n], (Rle_dec v 1) as [v1|n'].
    2-4: apply IH; [easy|]; intros y; destruct (among y) as [|[|[e|]]]; auto;
      destruct (ok y); rewrite <- e in *; lra.
    assert (back : forall y, alpha y = v * moved 1 y + (1 - v) * moved 0 y).
    { intros y. unfold moved. destruct Req_EM_T as [->|]; ring. }
    replace (Σ y, P y * alpha y) with
      (v * (Σ y, P y * moved 1 y) + (1 - v) * Σ y, P y * moved 0 y).
    2:{ rewrite <- sums_mix. apply sum_ext; intros y _. now rewrite (back y). }
    replace (Σ y, Q y * (1 - alpha y)) with
      (v * (Σ y, Q y * (1 - moved 1 y)) + (1 - v) * Σ y, Q y * (1 - moved 0 y)).
    2:{ rewrite <- sums_mix. apply sum_ext; intros y _. rewrite (back y). ring. }
    apply mixtures_mix; [now split| |]; auto.
Qed.
End Rows.

Section Tables.
Context {D W : Type} `{Finite W} (M : D -> W -> R).

(** streaming_cw.zonotope-form: the region is the set of all choices.
    Differs: databases may be any type; outputs are finite; rows need not be laws. *)
Theorem zonotope_form x y a b : region M x y a b <-> choice (M x) (M y) a b.
Proof.
  split.
  - intros [l [good [one [<- <-]]]].
    enough (E : forall l, (forall w z, In (w, z) l -> 0 <= w /\ generating M x y z) ->
      exists alpha, (forall w, 0 <= alpha w <= sum l fst) /\
      (Σ w, M x w * alpha w) = sum l (fun wz => fst wz * fst (snd wz)) /\
      (Σ w, M y w * (sum l fst - alpha w)) = sum l (fun wz => fst wz * snd (snd wz))).
    { destruct (E l good) as [alpha [ok [ea eb]]]. rewrite one in *. apply choice_alone.
      now exists alpha. }
    clear. induction l as [|[v z] l IH]; intros good.
    + exists (fun _ => 0). simpl. repeat split; try lra;
        (transitivity (sum (@all W _) (fun _ => 0)); [|apply sum_0]); apply sum_ext; intros; ring.
    + destruct IH as [alpha [ok [ea eb]]]; [intros; apply good; now right|].
      destruct (good v z (or_introl eq_refl)) as [v0 [T ->]].
      exists (fun w => (if T w then v else 0) + alpha w). simpl. rewrite <- ea, <- eb.
      repeat split; try (destruct (ok w), (T w); lra);
        unfold weight_in, others; rewrite <- sum_scale, <- sum_plus; apply sum_ext; intros w _;
        destruct (T w); simpl; ring.
  - rewrite choice_alone. intros [alpha [ok [<- <-]]].
    apply (choices_are_mixtures (generating M x y) (M x) (M y)) with (values := map alpha all).
    + intros T. now exists T.
    + easy.
    + intros w. right; right. apply in_map, all_here.
Qed.
End Tables.
