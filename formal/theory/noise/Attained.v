(** Where the largest ratio of likelihoods is, of queries with Laplace noise of their own. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Breakpoints.
Import ListNotations.
Open Scope R_scope.

(** Queries F_k, each with a positive scale b_k: the density of all outputs, with independent
    Laplace
    noise. *)
Definition scaled {D} (F : list ((D -> R) * posreal)) : list ((D -> R) * R) :=
  map (fun fb => (fst fb, pos (snd fb))) F.
Definition released {D} (F : list ((D -> R) * posreal)) : D -> list R -> R := noisy (scaled F).

Lemma scaled_pos {D} (F : list ((D -> R) * posreal)) f b : In (f, b) (scaled F) -> 0 < b.
Proof. intros i. apply in_map_iff in i as [[g c] [e _]]. injection e as _ <-. apply cond_pos. Qed.

Lemma noisy_positive {D} (F : list ((D -> R) * R)) x ws : (forall f b, In (f, b) F -> 0 < b) ->
  0 <= noisy F x ws /\ (length ws = length F -> 0 < noisy F x ws).
Proof.
  revert ws. induction F as [|[f b] F IH]; intros [|w ws] pos; cbn [noisy length];
    try (split; [lra|intros; (discriminate || lra)]).
  assert (b0 : 0 < b) by (apply (pos f); now left).
  assert (l : 0 < laplace b (f x) w).
  { unfold laplace, Rdiv. apply Rmult_lt_0_compat; [apply exp_pos|].
    apply Rinv_0_lt_compat. lra. }
  destruct (IH ws) as [n m]; [intros g c i; apply (pos g); now right|].
  split; [apply Rmult_le_pos; lra|]. intros e. injection e as e.
  apply Rmult_lt_0_compat; auto.
Qed.

(** Outputs whose coordinates are values at some of the databases. *)
Fixpoint corners {D} (l : list D) (F : list ((D -> R) * R)) : list (list R) :=
  match F with [] => [[]]
  | (f, _) :: F => map (fun yw => f (fst yw) :: snd yw) (list_prod l (corners l F)) end.

Lemma corner_is {D} (l : list D) F w : In w (corners l F) <->
  Forall2 (fun fb r => exists y, In y l /\ r = fst fb y) F w.
Proof.
  revert w. induction F as [|[f b] F IH]; intros w; cbn [corners].
  - split; [intros [<-|[]]; constructor|intros h; inversion h; now left].
  - rewrite in_map_iff. split.
    + intros [[y v] [<- i]]. apply in_prod_iff in i as [iy iv]. constructor; [now exists y|].
      now apply IH.
    + intros h. inversion h as [|? r ? v [y [iy ->]] rest]; subst. exists (y, v). split; [easy|].
      apply in_prod; [easy|]. now apply IH.
Qed.

Lemma mixture_at_corners {D} (l : list D) F (c : D -> R) : (forall f b, In (f, b) F -> 0 < b) ->
  (forall w, In w (corners l F) -> sum l (fun x => c x * noisy F x w) <= 0) ->
  forall w, sum l (fun x => c x * noisy F x w) <= 0.
Proof.
  assert (none : forall d, sum l (fun x => d x * 0) <= 0).
  { intros d. right. transitivity (sum l (fun _ => 0)); [|apply sum_0].
    apply sum_ext; intros; ring. }
  revert c; induction F as [|[f b] F IH]; intros c pos low [|w ws]; cbn [noisy]; auto.
  - apply (low []). now left.
  - assert (b0 : 0 < b) by (apply (pos f); now left).
    assert (E : forall v, sum l (fun x => c x * (laplace b (f x) v * noisy F x ws)) =
      sum l (fun x => c x * noisy F x ws * laplace b (f x) v))
      by (intros; apply sum_ext; intros; ring).
    rewrite E. apply mixture_at_centres; [easy|]. intros y iy. rewrite <- E.
    rewrite (sum_ext l _ (fun x => c x * laplace b (f x) (f y) * noisy F x ws))
      by (intros; ring).
    apply IH; [intros g e i; apply (pos g); now right|]. intros v iv.
    rewrite (sum_ext l _ (fun x => c x * noisy ((f, b) :: F) x (f y :: v)))
      by (intros; cbn [noisy]; ring).
    apply low. cbn [corners]. apply in_map_iff. exists (y, v). split; [easy|]. now apply in_prod.
Qed.

Lemma largest_of {A} (l : list A) (g : A -> R) a : In a l ->
  exists x, In x l /\ forall y, In y l -> g y <= g x.
Proof.
  revert a. induction l as [|b [|c l] IH]; intros a; [easy| |].
  - intros _. exists b. split; [now left|]. intros y [<-|[]]. lra.
  - intros _. destruct (IH c (or_introl eq_refl)) as [x [ix top]].
    destruct (Rle_lt_dec (g b) (g x)) as [le|less]; [exists x|exists b]; (split; [now (left +
      right)|]).
    + intros y [<-|i]; auto.
    + intros y [<-|i]; [lra|]. specialize (top y i). lra.
Qed.

Section Attained.
Context {D : Type} `{Finite D}.
Variables (p : D -> R) (s t : @secret D) (F : list ((D -> R) * posreal)).

(** Each coordinate of w is a value that its query takes at a database in s or t that is possible.
    *)
Definition of_values (w : list R) := Forall2 (fun fb r => exists y,
  0 < p y /\ (s y = true \/ t y = true) /\ r = fst fb y) F w.
(** P(w | s) / P(w | t) is largest at such an output, multiplied out. *)
Definition attained := exists w, of_values w /\ forall v,
  Pw p (released F) s v * Pw p (released F) t w <= Pw p (released F) s w * Pw p (released F) t v.

Definition matters y := if Rlt_dec 0 (p y) then s y || t y else false.

Lemma values_corners w : of_values w <-> In w (corners (filter matters all) (scaled F)).
Proof.
  rewrite corner_is. unfold of_values, scaled. revert w.
  assert (in_is : forall y, In y (filter matters all) <-> 0 < p y /\ (s y = true \/ t y = true)).
  { intros y. rewrite filter_In. unfold matters. destruct (Rlt_dec 0 (p y)); [rewrite
    orb_true_iff|];
      split; intros h; repeat split; try apply all_here; (tauto || easy). }
  induction F as [|[f b] G IH]; intros w; cbn [map].
  - split; intros h; inversion h; constructor.
  - split; intros h; inversion h as [|? r ? v [y e] rest]; subst; (constructor; [|now apply IH]);
      cbn [fst] in *; exists y; rewrite in_is in *; tauto.
Qed.

(** The largest ratio of likelihoods (noise.attained): queries with Laplace noise have it at an
    output
    each coordinate of which is a value of its query, at a database that is possible given s or t.
    Differs: databases are finite, so that queries have finitely many values; density form; weights
    need not sum to 1. *)
Theorem largest_at_values : (forall x, 0 <= p x) -> 0 < P p t -> attained.
Proof.
  intros p0 Pt. set (l := filter matters all).
  assert (restrict : forall r (M : D -> list R -> R) v, r = s \/ r = t ->
    Pw p M r v = sum l (fun x => inside p r x * M x v)).
  { intros r M v which. unfold Pw, l. clear Pt l. induction (@all D H) as [|a m IH]; [easy|].
    simpl. rewrite IH. destruct (matters a) eqn:E; [easy|].
    replace (inside p r a) with 0; [simpl; ring|]. unfold inside, matters in *.
    destruct (Rlt_dec 0 (p a)).
    - apply orb_false_iff in E as [es et]. destruct which as [-> | ->]; now rewrite ?es, ?et.
    - specialize (p0 a). destruct (r a); lra. }
  assert (size : forall w, In w (corners l (scaled F)) -> length w = length (scaled F)).
  { intros w i. apply corner_is in i. induction i; simpl; congruence. }
  assert (pos : forall w, In w (corners l (scaled F)) -> 0 < Pw p (released F) t w).
  { intros w i. destruct (sum_pos_exists _ _ Pt) as [y [iy py]].
    apply Rlt_le_trans with (inside p t y * released F y w).
    - apply Rmult_lt_0_compat; [easy|]. apply noisy_positive; [apply scaled_pos|now apply size].
    - apply (sum_member all (fun x => inside p t x * released F x w)); [|apply all_here].
      intros x _. apply Rmult_le_pos.
      + unfold inside. destruct (t x); [apply p0|lra].
      + apply noisy_positive, scaled_pos. }
  assert (some : exists w, In w (corners l (scaled F))).
  { destruct (sum_pos_exists _ _ Pt) as [y [iy py]].
    assert (il : In y l).
    { apply filter_In. split; [easy|]. unfold matters, inside in *. destruct (t y); [|lra].
      destruct (Rlt_dec 0 (p y)); [apply orb_true_r|easy]. }
    exists (map (fun fb => fst fb y) (scaled F)). apply corner_is.
    clear - il. induction (scaled F); cbn [map]; constructor; [exists y; now split|easy]. }
  destruct some as [w0 i0].
  destruct (largest_of _ (fun w => Pw p (released F) s w / Pw p (released F) t w) w0 i0)
    as [w [iw top]].
  exists w. split; [now apply values_corners|]. intros v.
  set (S := Pw p (released F) s w). set (T := Pw p (released F) t w).
  assert (le : sum l (fun x => (T * inside p s x - S * inside p t x) * noisy (scaled F) x v) <= 0).
  { apply mixture_at_corners; [apply scaled_pos|]. clear v. intros v iv.
    specialize (top v iv). cbn beta in top. fold S T in top.
    pose proof (pos v iv) as d0. assert (T0 : 0 < T) by apply (pos w iw).
    assert (le : Pw p (released F) s v * T <= S * Pw p (released F) t v).
    { apply (Rmult_le_compat_r (T * Pw p (released F) t v)) in top.
      2: { left. now apply Rmult_lt_0_compat. }
      replace (Pw p (released F) s v * T)
        with (Pw p (released F) s v / Pw p (released F) t v * (T * Pw p (released F) t v))
        by (field; lra).
      replace (S * Pw p (released F) t v) with (S / T * (T * Pw p (released F) t v))
        by (field; lra).
      exact top. }
    rewrite !restrict in le by auto. unfold released in le.
    rewrite (sum_ext l _ (fun x => T * (inside p s x * noisy (scaled F) x v) +
      - S * (inside p t x * noisy (scaled F) x v))) by (intros; ring).
    rewrite sum_plus, !sum_scale. lra. }
  rewrite (sum_ext l _ (fun x => T * (inside p s x * noisy (scaled F) x v) +
    - S * (inside p t x * noisy (scaled F) x v))) in le by (intros; ring).
  rewrite sum_plus, !sum_scale in le. rewrite (restrict s), (restrict t) by auto.
  unfold released. lra.
Qed.

(** At given outputs it is compared by finitely many, those of values of the queries. *)
Lemma attained_on_grid : attained <-> exists w, In w (corners (filter matters all) (scaled F)) /\
  forall v, In v (grid (scaled F)) ->
    Pw p (released F) s v * Pw p (released F) t w <= Pw p (released F) s w * Pw p (released F) t v.
Proof.
  unfold attained. split; intros [w [i top]]; exists w; rewrite values_corners in *;
    (split; [easy|]); [auto|]. intros v.
  set (S := Pw p (released F) s w) in *. set (T := Pw p (released F) t w) in *.
  assert (E : forall v, (Σ x, (T * inside p s x - S * inside p t x) * noisy (scaled F) x v) =
    Pw p (released F) s v * T - S * Pw p (released F) t v).
  { intros u. rewrite (sum_ext all _ (fun x => T * (inside p s x * noisy (scaled F) x u) +
      - S * (inside p t x * noisy (scaled F) x u))) by (intros; ring).
    rewrite sum_plus, !sum_scale. unfold Pw, released. ring. }
  pose proof (mixture_on_grid (scaled F) (fun x => T * inside p s x - S * inside p t x)
    (scaled_pos F)) as low.
  specialize (low (fun u i => eq_ind_r (fun z => z <= 0) (Rle_minus _ _ (top u i)) (E u)) v).
  rewrite E in low. lra.
Qed.
End Attained.
