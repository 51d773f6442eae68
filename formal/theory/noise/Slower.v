(** Noise whose density decays no faster than another one's leaks no more: at the values of a
    query it
    is a sum of the other densities about these values, with weights that are not negative. So
      several
    releases of one query leak as one, with less noise. *)
From Coq Require Import Reals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace ExpLaws Breakpoints Attained.
Import ListNotations.
Open Scope R_scope.

(** Ascending lists of numbers. *)
Fixpoint ascending (l : list R) : Prop := match l with
  | x :: ((y :: _) as m) => x < y /\ ascending m | _ => True end.

Lemma ascending_first x l y : ascending (x :: l) -> In y l -> x < y.
Proof.
  revert x. induction l as [|z l IH]; intros x up; [easy|]. destruct up as [xz up].
  intros [<-|i]; [easy|]. specialize (IH z up i). lra.
Qed.

Lemma inserted x l : ascending l -> exists m, ascending m /\ (forall u, In u m <-> x = u \/ In u
  l) /\
  forall y, ascending (y :: l) -> y < x -> ascending (y :: m).
Proof.
  induction l as [|z l IH]; intros up.
  { exists [x]. split; [easy|]. split; [simpl; tauto|]. now intros y _ yx. }
  destruct (Rlt_le_dec x z) as [less|le].
  - exists (x :: z :: l). split; [now split|]. split; [simpl; tauto|]. intros y [yz _] yx. now
    split.
  - destruct (Req_dec x z) as [->|ne].
    + exists (z :: l). split; [easy|]. split; [simpl; intros u; tauto|]. now intros y h _.
    + assert (ul : ascending l) by (destruct l; [easy|apply up]).
      destruct (IH ul) as [m [_ [same ext]]].
      exists (z :: m). assert (um : ascending (z :: m)) by (apply ext; [easy|lra]).
      split; [easy|]. split.
      * intros u. simpl. rewrite same. tauto.
      * intros y [yz _] _. now split.
Qed.

Lemma sorted (l : list R) : exists m, ascending m /\ forall u, In u m <-> In u l.
Proof.
  induction l as [|x l [m [up same]]]; [now exists []|].
  destruct (inserted x m up) as [n [un [here _]]]. exists n. split; [easy|].
  intros u. rewrite here, same. simpl. tauto.
Qed.

(** G rises by no more than rho, falls by no more, and its slopes fall. *)
Definition concave (G : R -> R) := forall x y z, x < y < z ->
  (G z - G y) * (y - x) <= (G y - G x) * (z - y).
Definition steep rho (G : R -> R) := forall x y, x < y -> Rabs (G y - G x) <= rho * (y - x).

Section Slower.
Variable rho : R.
Hypothesis rho0 : 0 < rho.
Definition decay u v := exp (- rho * Rabs (v - u)).

Lemma decay_sym u v : decay u v = decay v u.
Proof. unfold decay. now rewrite Rabs_minus_sym. Qed.
Lemma decay_same u : decay u u = 1.
Proof. unfold decay. rewrite Rminus_diag_eq, Rabs_R0, Rmult_0_r by easy. apply exp_0. Qed.
Lemma decay_up x y z : x <= y <= z -> decay x z = decay x y * decay y z.
Proof. intros h. unfold decay. rewrite <- exp_plus, !Rabs_right by lra. f_equal. ring. Qed.
Lemma decay_less x y : x < y -> 0 < decay x y < 1.
Proof.
  intros h. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing.
  rewrite Rabs_right by lra. assert (0 < rho * (y - x)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma both_signs b c : Rabs b <= c -> - c <= b <= c.
Proof. unfold Rabs. destruct Rcase_abs; lra. Qed.

(** e^(th z) is at most the mean of 1 and e^z. *)
Lemma below_chord th z : 0 <= th <= 1 -> exp (th * z) <= 1 - th + th * exp z.
Proof.
  intros [t0 t1]. set (m := th * z).
  pose proof (tangent (z - m)) as a. pose proof (tangent (- m)) as b.
  assert (E : exp z = exp m * exp (z - m)) by (rewrite <- exp_plus; f_equal; ring).
  assert (F : 1 = exp m * exp (- m)) by (rewrite <- exp_plus, Rplus_opp_r; now rewrite exp_0).
  pose proof (exp_pos m) as e0.
  assert (th * (exp m * exp (z - m)) >= th * (exp m * (1 + (z - m)))).
  { apply Rle_ge, Rmult_le_compat_l; [easy|]. apply Rmult_le_compat_l; lra. }
  assert ((1 - th) * (exp m * exp (- m)) >= (1 - th) * (exp m * (1 - m))).
  { apply Rle_ge, Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra. }
  rewrite E. rewrite <- F in *. fold m.
  assert (exp m * (th * (1 + (z - m)) + (1 - th) * (1 - m)) = exp m).
  { replace (th * (1 + (z - m)) + (1 - th) * (1 - m)) with (1 + (th * z - m)) by ring.
    change (th * z) with m. ring. }
  lra.
Qed.

(** What a step of length d and rise b gives: (1 - t e^b) / (1 - t^2) for t = e^(-rho d). *)
Lemma part_of_step d b : 0 < d -> Rabs b <= rho * d ->
  (rho * d - b) / (2 * rho * d) <=
    (1 - exp (- rho * d) * exp b) / (1 - exp (- rho * d) * exp (- rho * d)).
Proof.
  intros d0 bound. assert (r0 : 0 < rho * d) by now apply Rmult_lt_0_compat.
  apply both_signs in bound. set (th := (rho * d - b) / (2 * rho * d)).
  assert (th0 : 0 <= th <= 1).
  { unfold th. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply (Rmult_le_reg_r (2 * rho * d)); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  pose proof (below_chord th (- rho * d + - rho * d) th0) as c.
  rewrite <- !exp_plus.
  replace (- rho * d + b) with (th * (- rho * d + - rho * d))
    by (unfold th; field; split; lra).
  assert (less : exp (- rho * d + - rho * d) < 1).
  { rewrite <- exp_0. apply exp_increasing. lra. }
  apply (Rmult_le_reg_r (1 - exp (- rho * d + - rho * d))); [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Section Sum.
Variable G : R -> R.
Hypothesis Gc : concave G.
Hypothesis Gs : steep rho G.
Notation g u := (exp (G u)).

(** The weight at x of those from x on, if none is before it. *)
Definition first_weight x l := match l with [] => g x
  | y :: _ => (g x - decay x y * g y) / (1 - decay x y * decay x y) end.

Lemma den x y : x < y -> 0 < 1 - decay x y * decay x y.
Proof. intros h. destruct (decay_less x y h). nra. Qed.

Lemma ahead x y : x < y ->
  g x * ((rho * (y - x) - (G y - G x)) / (2 * rho * (y - x))) <= first_weight x [y].
Proof.
  intros h. pose proof (part_of_step (y - x) (G y - G x) ltac:(lra) (Gs x y h)) as part.
  unfold first_weight, decay. rewrite Rabs_right by lra.
  replace (g y) with (g x * exp (G y - G x)) by (rewrite <- exp_plus; f_equal; ring).
  pose proof (exp_pos (G x)) as e0. apply (Rmult_le_compat_l (g x)) in part; [|lra].
  apply Rle_trans with (1 := part). right. unfold Rdiv. ring.
Qed.

Lemma behind x y : x < y -> g y * ((rho * (y - x) + (G y - G x)) / (2 * rho * (y - x))) <=
  (g y - decay x y * g x) / (1 - decay x y * decay x y).
Proof.
  intros h. assert (bound : Rabs (G x - G y) <= rho * (y - x)) by (rewrite Rabs_minus_sym; now
    apply Gs).
  pose proof (part_of_step (y - x) (G x - G y) ltac:(lra) bound) as part.
  unfold decay. rewrite Rabs_right by lra.
  replace (g x) with (g y * exp (G x - G y)) by (rewrite <- exp_plus; f_equal; ring).
  pose proof (exp_pos (G y)) as e0. apply (Rmult_le_compat_l (g y)) in part; [|lra].
  replace (rho * (y - x) + (G y - G x)) with (rho * (y - x) - (G x - G y)) by ring.
  apply Rle_trans with (1 := part). right. unfold Rdiv. ring.
Qed.

Lemma weight_left x y l : ascending (x :: y :: l) ->
  0 <= first_weight y l - decay x y * first_weight x (y :: l).
Proof.
  intros [xy up]. pose proof (behind x y xy) as back. pose proof (den x y xy) as d0.
  cbn [first_weight].
  replace (decay x y * ((g x - decay x y * g y) / (1 - decay x y * decay x y)))
    with (g y - (g y - decay x y * g x) / (1 - decay x y * decay x y)) by (field; lra).
  assert (rho * (y - x) > 0) as dx by (apply Rmult_gt_0_compat; lra).
  pose proof (exp_pos (G y)) as e0.
  destruct l as [|z l].
  - cbn [first_weight]. apply Rle_trans with (2 := back) || idtac.
    assert (0 <= (rho * (y - x) + (G y - G x)) / (2 * rho * (y - x))).
    { pose proof (Gs x y xy) as s. apply both_signs in s.
      apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
    assert (0 <= g y * ((rho * (y - x) + (G y - G x)) / (2 * rho * (y - x))))
      by (apply Rmult_le_pos; lra).
    lra.
  - destruct up as [yz _]. pose proof (ahead y z yz) as on.
    assert (rho * (z - y) > 0) as dz by (apply Rmult_gt_0_compat; lra).
    pose proof (Gc x y z (conj xy yz)) as c.
    assert (1 <= (rho * (y - x) + (G y - G x)) / (2 * rho * (y - x)) +
      (rho * (z - y) - (G z - G y)) / (2 * rho * (z - y))) as whole.
    { apply (Rmult_le_reg_r (2 * rho * ((y - x) * (z - y)))).
      { apply Rmult_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; lra. }
      replace (((rho * (y - x) + (G y - G x)) / (2 * rho * (y - x)) +
        (rho * (z - y) - (G z - G y)) / (2 * rho * (z - y))) * (2 * rho * ((y - x) * (z - y))))
        with (2 * rho * ((y - x) * (z - y)) + ((G y - G x) * (z - y) - (G z - G y) * (y - x)))
        by (field; repeat split; lra).
      lra. }
    apply (Rmult_le_compat_l (g y)) in whole; [|lra].
    change (first_weight y (z :: l)) with (first_weight y [z]). lra.
Qed.

Lemma represented x l : ascending (x :: l) -> exists lam : R -> R, (forall z, In z l -> 0 <= lam
  z) /\
  forall u, In u (x :: l) -> g u = first_weight x l * decay x u + sum l (fun z => lam z * decay z
    u).
Proof.
  revert x. induction l as [|y l IH]; intros x up.
  { exists (fun _ => 0). split; [easy|]. intros u [<-|[]]. cbn [sum first_weight].
    rewrite decay_same. ring. }
  pose proof (weight_left x y l up) as w0. destruct up as [xy up].
  destruct (IH y up) as [lam [lam0 same]]. clear IH.
  set (k := first_weight y l) in *. set (a := first_weight x (y :: l)) in *.
  exists (fun z => if Req_EM_T z y then k - decay x y * a else lam z).
  assert (later : forall z, In z l -> z <> y).
  { intros z i ->. pose proof (ascending_first y l y up i). lra. }
  assert (rest : forall u, sum l (fun z => (if Req_EM_T z y then k - decay x y * a else lam z) *
    decay z u) = sum l (fun z => lam z * decay z u)).
  { intros u. apply sum_ext; intros z i. destruct (Req_EM_T z y); [now destruct (later z i)|easy]. }
  split.
  - intros z [<-|i]; [now destruct (Req_EM_T y y)|].
    destruct (Req_EM_T z y); [easy|now apply lam0].
  - intros u i. cbn [sum]. rewrite rest. destruct (Req_EM_T y y) as [_|]; [|easy].
    assert (from : y <= u \/ x = u).
    { destruct i as [<-|[<-|i]]; [now right|left; lra|].
      left. pose proof (ascending_first y l u up i). lra. }
    destruct from as [yu|<-].
    + assert (In u (y :: l)) as iu.
      { destruct i as [<-|i]; [lra|easy]. }
      rewrite (same u iu), (decay_up x y u) by lra. ring.
    + specialize (same y (or_introl eq_refl)). rewrite decay_same in same.
      assert (E : sum l (fun z => lam z * decay z x) = decay x y * sum l (fun z => lam z * decay z
        y)).
      { rewrite <- sum_scale. apply sum_ext; intros z iz.
        pose proof (ascending_first y l z up iz).
        rewrite (decay_sym z x), (decay_up x y z), (decay_sym y z) by lra. ring. }
      rewrite E, decay_same, (decay_sym y x). unfold a. cbn [first_weight].
      pose proof (den x y xy).
      replace (sum l (fun z => lam z * decay z y)) with (g y - k) by lra.
      field. lra.
Qed.

Lemma first_weight_pos x l : ascending (x :: l) -> 0 <= first_weight x l.
Proof.
  destruct l as [|y l]; [left; apply exp_pos|]. intros [xy _].
  pose proof (ahead x y xy) as on. change (first_weight x (y :: l)) with (first_weight x [y]).
  assert (rho * (y - x) > 0) as dx by (apply Rmult_gt_0_compat; lra).
  apply Rle_trans with (2 := on). apply Rmult_le_pos; [left; apply exp_pos|].
  pose proof (Gs x y xy) as s. apply both_signs in s. apply Rmult_le_pos; [lra|].
  left. apply Rinv_0_lt_compat. lra.
Qed.

(** A mixture, with weights of any sign, that is positive nowhere at its centres stays so. *)
Lemma slower_mixture {X} (l : list X) (c f : X -> R) :
  (forall y, In y l -> sum l (fun x => c x * decay (f x) (f y)) <= 0) ->
  sum l (fun x => c x * g (f x)) <= 0.
Proof.
  intros low. destruct (sorted (map f l)) as [[|a m] [up same]].
  { destruct l as [|x l]; [simpl; lra|]. destruct (proj2 (same (f x)) (or_introl eq_refl)). }
  destruct (represented a m up) as [lam [lam0 rep]]. pose proof (first_weight_pos a m up) as k0.
  assert (at_ : forall z, In z (a :: m) -> sum l (fun x => c x * decay z (f x)) <= 0).
  { intros z i. apply same, in_map_iff in i as [y [<- i]].
    rewrite (sum_ext l _ (fun x => c x * decay (f x) (f y)))
      by (intros; now rewrite decay_sym).
    now apply low. }
  rewrite (sum_ext l _ (fun x => first_weight a m * (c x * decay a (f x)) +
    sum m (fun z => lam z * (c x * decay z (f x))))).
  2: { intros x i. rewrite (rep (f x)) by (apply same; now apply in_map).
    rewrite Rmult_plus_distr_l, <- sum_scale. f_equal; [ring|].
    apply sum_ext; intros; ring. }
  rewrite sum_plus, sum_scale, sum_swap.
  pose proof (at_ a (or_introl eq_refl)) as first.
  assert (0 <= first_weight a m * - sum l (fun x => c x * decay a (f x)))
    by (apply Rmult_le_pos; lra).
  assert (sum m (fun z => sum l (fun x => lam z * (c x * decay z (f x)))) <= sum m (fun _ => 0)).
  { apply sum_le; intros z i. rewrite sum_scale. specialize (at_ z (or_intror i)).
    specialize (lam0 z i).
    assert (0 <= lam z * - sum l (fun x => c x * decay z (f x))) by (apply Rmult_le_pos; lra).
    lra. }
  rewrite sum_0 in *. lra.
Qed.
End Sum.
End Slower.

Lemma laplace_decay b u w : 0 < b -> laplace b u w = / (2 * b) * decay (/ b) u w.
Proof.
  intros b0. unfold laplace, decay, Rdiv. rewrite (Rmult_comm (/ (2 * b))). f_equal. f_equal. ring.
Qed.

(** The distance from a number, turned around and scaled, and sums of such. *)
Lemma concave_distance a h r w : 0 <= a -> concave (fun u => - a * Rabs (w - (h + r * u))).
Proof.
  intros a0 x y z [xy yz]. set (d u := Rabs (w - (h + r * u))).
  assert (mean : d y * (z - x) <= d x * (z - y) + d z * (y - x)).
  { unfold d. rewrite <- (Rabs_right (z - x)), <- (Rabs_right (z - y)), <- (Rabs_right (y - x)) by
    lra.
    rewrite <- !Rabs_mult. apply Rle_trans with (2 := Rabs_triang _ _). right. f_equal. ring. }
  assert (0 <= a * (d x * (z - y) + d z * (y - x) - d y * (z - x))) by (apply Rmult_le_pos; lra).
  fold (d x) (d y) (d z). lra.
Qed.

Lemma steep_distance a h r w : 0 <= a ->
  steep (a * Rabs r) (fun u => - a * Rabs (w - (h + r * u))).
Proof.
  intros a0 x y xy.
  replace (- a * Rabs (w - (h + r * y)) - - a * Rabs (w - (h + r * x)))
    with (a * (Rabs (w - (h + r * x)) - Rabs (w - (h + r * y)))) by ring.
  rewrite Rabs_mult, (Rabs_right a) by lra. rewrite Rmult_assoc. apply Rmult_le_compat_l; [easy|].
  rewrite <- (Rabs_right (y - x)), <- Rabs_mult by lra.
  apply Rle_trans with (1 := Rabs_triang_inv2 _ _). right. f_equal. ring.
Qed.

Lemma concave_plus G G' : concave G -> concave G' -> concave (fun u => G u + G' u).
Proof. intros g g' x y z h. specialize (g x y z h). specialize (g' x y z h). lra. Qed.
Lemma steep_plus a a' G G' : steep a G -> steep a' G' -> steep (a + a') (fun u => G u + G' u).
Proof.
  intros g g' x y h. specialize (g x y h). specialize (g' x y h).
  apply both_signs in g. apply both_signs in g'. apply Rabs_le. lra.
Qed.
Lemma steep_more a a' G : a <= a' -> steep a G -> steep a' G.
Proof.
  intros le g x y h. apply Rle_trans with (1 := g x y h). apply Rmult_le_compat_r; lra.
Qed.

(** What noise does to weights of any sign: the mixture is positive at no output. *)
Definition harmless {D} `{Finite D} (F : list ((D -> R) * R)) (c : D -> R) :=
  forall w, (Σ x, c x * noisy F x w) <= 0.

Section Queries.
Context {D : Type} `{Finite D}.

Lemma promise_harmless ratio (F G : list ((D -> R) * R)) pairs priors :
  (forall c, harmless F c -> harmless G c) ->
  pufferfish ratio (noisy F) pairs priors -> pufferfish ratio (noisy G) pairs priors.
Proof.
  intros less promise p s t w Hp Hst Ps Pt. apply promise_mixture. apply less. intros v.
  apply promise_mixture. now apply promise.
Qed.

(** A coordinate of an output apart. *)
Lemma coordinate f b (F : list ((D -> R) * R)) c w ws :
  (Σ x, c x * noisy ((f, b) :: F) x (w :: ws)) = Σ x, (c x * noisy F x ws) * laplace b (f x) w.
Proof. apply sum_ext; intros. cbn [noisy]. ring. Qed.

Lemma harmless_missing f b (F : list ((D -> R) * R)) (c : D -> R) :
  (Σ x, c x * noisy ((f, b) :: F) x []) <= 0.
Proof.
  right. transitivity (Σ x : D, 0); [|apply sum_0]. apply sum_ext; intros. cbn [noisy]. ring.
Qed.

(** A factor that is no weight of a database. *)
Lemma constant_factor k (c e : D -> R) : 0 < k -> (Σ x, c x * (k * e x)) <= 0 <-> (Σ x, c x * e x)
  <= 0.
Proof.
  intros k0. rewrite (sum_ext all _ (fun x => k * (c x * e x))) by (intros; ring).
  rewrite sum_scale. split; intros h; [|nra].
  apply (Rmult_le_reg_l k); [easy|]. lra.
Qed.

Lemma harmless_first f b (F : list ((D -> R) * R)) c : 0 < b ->
  harmless ((f, b) :: F) c <-> forall ws y, (Σ x, c x * noisy F x ws * decay (/ b) (f x) (f y)) <=
    0.
Proof.
  intros b0. assert (i0 : 0 < / (2 * b)) by (apply Rinv_0_lt_compat; lra).
  assert (E : forall ws v, (Σ x, c x * noisy ((f, b) :: F) x (v :: ws)) <= 0 <->
    (Σ x, c x * noisy F x ws * decay (/ b) (f x) v) <= 0).
  { intros ws v. rewrite coordinate.
    rewrite <- (constant_factor (/ (2 * b)) (fun x => c x * noisy F x ws)
      (fun x => decay (/ b) (f x) v)) by easy.
    rewrite (sum_ext all _ (fun x => c x * noisy F x ws * (/ (2 * b) * decay (/ b) (f x) v)));
      [easy|]. intros. now rewrite laplace_decay. }
  split.
  - intros low ws y. apply E, low.
  - intros low [|w ws]; [apply harmless_missing|]. rewrite coordinate.
    apply mixture_at_centres; [easy|]. intros y _. rewrite <- coordinate. apply E, low.
Qed.

(** Each query with two scales. *)
Definition first_scales (F : list ((D -> R) * (posreal * posreal))) : list ((D -> R) * posreal) :=
  map (fun q => (fst q, fst (snd q))) F.
Definition second_scales (F : list ((D -> R) * (posreal * posreal))) : list ((D -> R) * posreal) :=
  map (fun q => (fst q, snd (snd q))) F.
Definition scales_rise (F : list ((D -> R) * (posreal * posreal))) :=
  forall q, In q F -> pos (fst (snd q)) <= pos (snd (snd q)).

(** Noise of larger scales keeps what noise of smaller scales keeps (noise.monotone).
    Differs: databases are finite, and noise is Laplace; density form. *)
Theorem larger_scales ratio F pairs priors : scales_rise F ->
  pufferfish ratio (released (first_scales F)) pairs priors ->
  pufferfish ratio (released (second_scales F)) pairs priors.
Proof.
  intros rise. apply promise_harmless. revert rise. induction F as [|[f [b b']] F IH]; intros rise
    c low; [exact low|].
  assert (rest : scales_rise F) by (intros q i; apply rise; now right).
  pose proof (rise (f, (b, b')) (or_introl eq_refl)) as bb. cbn [fst snd] in bb.
  pose proof (cond_pos b) as b0. pose proof (cond_pos b') as b0'.
  change (harmless ((f, pos b) :: scaled (first_scales F)) c) in low.
  change (harmless ((f, pos b') :: scaled (second_scales F)) c).
  rewrite harmless_first in low by easy. rewrite harmless_first by easy. intros ws y.
  rewrite (sum_ext all _ (fun x => c x * decay (/ b') (f x) (f y) * noisy (scaled (second_scales
    F)) x ws))
    by (intros; ring).
  apply (IH rest). clear ws. intros ws.
  assert (p0 : 0 < / b) by now apply Rinv_0_lt_compat.
  assert (p0' : 0 < / b') by now apply Rinv_0_lt_compat.
  assert (le : / b' <= / b) by now apply Rinv_le_contravar.
  rewrite (sum_ext all _ (fun x => c x * noisy (scaled (first_scales F)) x ws *
    exp (- / b' * Rabs (f y - (0 + 1 * f x))))).
  2: { intros x _. unfold decay. rewrite Rplus_0_l, Rmult_1_l. ring. }
  apply (slower_mixture (/ b) p0 (fun u => - / b' * Rabs (f y - (0 + 1 * u)))).
  - apply concave_distance. lra.
  - apply (steep_more (/ b' * Rabs 1)); [rewrite Rabs_R1; lra|]. apply steep_distance. lra.
  - intros z _. apply low.
Qed.

(** Two coordinates, the second an affine function of the first. *)
Lemma merged_pos (b b' : posreal) r : 0 < / (/ b + Rabs r * / b').
Proof.
  apply Rinv_0_lt_compat. apply Rplus_lt_le_0_compat; [apply Rinv_0_lt_compat, cond_pos|].
  apply Rmult_le_pos; [apply Rabs_pos|]. left. apply Rinv_0_lt_compat, cond_pos.
Qed.
Definition merged (b : posreal) (r : R) (b' : posreal) := mkposreal _ (merged_pos b b' r).

(** Two releases, the query of the second an affine function of that of the first, leak exactly as
    the
    first alone with the scale 1 / (1/b + |r|/b'), whatever else is released (noise.parallel).
    Differs: databases are finite, and noise is Laplace; density form. *)
Theorem parallel_releases ratio f b h r b' F pairs priors :
  pufferfish ratio (released ((f, b) :: (fun x => h + r * f x, b') :: F)) pairs priors <->
  pufferfish ratio (released ((f, merged b r b') :: F)) pairs priors.
Proof.
  pose proof (cond_pos b) as b0. pose proof (cond_pos b') as b0'.
  assert (p0 : 0 < / b) by now apply Rinv_0_lt_compat.
  assert (p0' : 0 < / b') by now apply Rinv_0_lt_compat.
  assert (k0 : 0 < / (2 * b')) by (apply Rinv_0_lt_compat; lra).
  pose proof (merged_pos b b' r) as m0. pose proof (Rabs_pos r) as r0.
  set (rho := / b + Rabs r * / b').
  assert (rho0 : 0 < rho) by (unfold rho; pose proof (Rmult_le_pos _ _ r0 (Rlt_le _ _ p0')); lra).
  assert (inv : / (merged b r b') = rho) by (simpl; apply Rinv_involutive; fold rho; lra).
  set (F' := scaled F).
  assert (both : forall c ws v v', (Σ x, c x * noisy ((fun x => h + r * f x, pos b') :: F') x (v'
    :: ws) *
    decay (/ b) (f x) v) <= 0 <->
    (Σ x, c x * noisy F' x ws * exp (- / b * Rabs (v - (0 + 1 * f x)) +
      - / b' * Rabs (v' - (h + r * f x)))) <= 0).
  { intros c ws v v'. rewrite <- (constant_factor (/ (2 * b')) (fun x => c x * noisy F' x ws)
      (fun x => exp (- / b * Rabs (v - (0 + 1 * f x)) + - / b' * Rabs (v' - (h + r * f x))))) by
        easy.
    rewrite (sum_ext all _ (fun x => c x * noisy F' x ws * (/ (2 * b') *
      exp (- / b * Rabs (v - (0 + 1 * f x)) + - / b' * Rabs (v' - (h + r * f x)))))); [easy|].
    intros x _. cbn [noisy]. rewrite laplace_decay, exp_plus, Rplus_0_l, Rmult_1_l by easy.
    unfold decay. ring. }
  unfold released. change (scaled ((f, b) :: (fun x => h + r * f x, b') :: F))
    with ((f, pos b) :: (fun x => h + r * f x, pos b') :: F').
  change (scaled ((f, merged b r b') :: F)) with ((f, pos (merged b r b')) :: F').
  split; apply promise_harmless; intros c low; rewrite harmless_first in low by easy;
    rewrite harmless_first by easy; rewrite inv in *.
  - intros ws y. specialize (low ((h + r * f y) :: ws) y). apply both in low.
    apply Rle_trans with (2 := low). right. apply sum_ext; intros x _. f_equal. unfold decay.
    f_equal. unfold rho. replace (f y - (0 + 1 * f x)) with (f y - f x) by ring.
    replace (h + r * f y - (h + r * f x)) with (r * (f y - f x)) by ring.
    rewrite Rabs_mult. ring.
  - intros [|w' ws] y.
    { right. transitivity (Σ x : D, 0); [|apply sum_0]. apply sum_ext; intros.
      cbn [noisy]. ring. }
    apply both.
    apply (slower_mixture rho rho0 (fun u => - / b * Rabs (f y - (0 + 1 * u)) +
      - / b' * Rabs (w' - (h + r * u)))).
    + apply concave_plus; apply concave_distance; lra.
    + unfold rho. apply steep_plus; [|rewrite (Rmult_comm (Rabs r)); apply steep_distance; lra].
      apply (steep_more (/ b * Rabs 1)); [rewrite Rabs_R1; lra|]. apply steep_distance; lra.
    + intros z _. apply low.
Qed.
End Queries.
