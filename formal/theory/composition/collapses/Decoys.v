(** Mechanisms that hide a secret in one run and tell the database in a few: a decoy beside the
    database (bai2026, section 4, example 1). *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain Determined Revealed.
Import ListNotations.
Open Scope R_scope.

Definition otherwise {D} (s : @secret D) : @secret D := fun x => negb (s x).
(** The secret, s or not s, that is false of x. *)
Definition other_than {D} (s : @secret D) x : @secret D := if s x then otherwise s else s.
(** No output tells anything of a secret: P(s, M = w) = P(s) P(M = w). *)
Definition tells_nothing {D W} `{Finite D} p (M : D -> W -> R) (s : @secret D) :=
  forall w, Pw p M s w = P p s * evidence p M w.

Section Decoys.
Context {D : Type} `{Finite D} (dec : forall x y : D, {x = y} + {x <> y}).
Context (p : D -> R) (s : @secret D).
Notation t := (otherwise s).

(** x beside a decoy, drawn from the law given the other secret: first the database with s. *)
Definition decoy (x : D) (w : D * D) : R :=
  if s x then if dec (fst w) x then inside p t (snd w) / P p t else 0
  else if dec (snd w) x then inside p s (fst w) / P p s else 0.
(** Given s, and given not s, both places have the law of their secret, independently. *)
Definition independent_places := forall x y,
  Pw p decoy s (x, y) * P p t = inside p s x * inside p t y /\
  Pw p decoy t (x, y) * P p s = inside p s x * inside p t y.
(** No output tells anything of the secret. *)
Definition decoys_hide :=
  tells_nothing p decoy s /\ tells_nothing p decoy t /\ independent_places.
Definition both_possible := 0 < P p s /\ 0 < P p t.
(** No database has more than m of the probability of its secret. *)
Definition most m := forall y, inside p s y <= m * P p s /\ inside p t y <= m * P p t.
Definition is (x y : D) : bool := if dec y x then true else false.
(** Both secrets have two possible databases, and x is possible. *)
Definition two_each x := law p /\ (2 <= length (possible p s))%nat /\
  (2 <= length (possible p t))%nat /\ 0 < p x.
(** On average the input x is told by at most B runs. *)
Definition runs_at_most x B := two_each x /\
  exists E, expected_runs p decoy (is x) x E /\ E <= B.
(** The probability that x is told by run k, and not before, is r. *)
Definition told_at x k r := two_each x /\
  hidden_after p decoy (is x) x (pred k) - hidden_after p decoy (is x) x k = r.
Definition decoy_share x c := inside p (other_than s x) c / P p (other_than s x).
(** sum_c q_c^(k - 1) (1 - q_c), q being the law given the other secret. *)
Definition told_law x k := Σ c, decoy_share x c ^ pred k * (1 - decoy_share x c).

Lemma sum_at (x : D) (f : D -> R) : (Σ z, if dec x z then f z else 0) = f x.
Proof.
  rewrite (sum_ext _ _ (fun z => if dec x z then f x else 0)); [apply sum_one|].
  intros z _. now destruct (dec x z) as [<-|].
Qed.

Lemma given_s x y : Pw p decoy s (x, y) = inside p s x * (inside p t y / P p t).
Proof.
  unfold Pw. rewrite <- (sum_at x (fun z => inside p s z * (inside p t y / P p t))).
  apply sum_ext; intros z _. unfold decoy, inside at 1; cbn [fst snd].
  destruct (s z) eqn:sz; [|destruct (dec x z) as [<-|]; unfold inside; try rewrite sz; ring].
  unfold inside at 2. rewrite sz. now destruct (dec x z) as [<-|]; [|ring].
Qed.

Lemma given_t x y : Pw p decoy t (x, y) = inside p t y * (inside p s x / P p s).
Proof.
  unfold Pw. rewrite <- (sum_at y (fun z => inside p t z * (inside p s x / P p s))).
  apply sum_ext; intros z _. unfold decoy, inside at 1; cbn [fst snd].
  assert (tz : t z = negb (s z)) by easy.
  destruct (s z) eqn:sz; simpl in tz; rewrite tz.
  - destruct (dec y z) as [<-|]; unfold inside; try rewrite tz; ring.
  - unfold inside at 2. rewrite tz. now destruct (dec y z) as [<-|]; [|ring].
Qed.

Lemma both_secrets f : (Σ x, f x) = (Σ x, inside f s x) + Σ x, inside f t x.
Proof.
  rewrite <- sum_plus. apply sum_ext; intros x _. unfold inside, otherwise.
  destruct (s x); simpl; ring.
Qed.

(** Example 1 of bai2026 tells nothing of the secret in one run (bai2026.ex1-zero).
    Differs: databases are finite; conditional probabilities are multiplied out. *)
Theorem decoy_tells_nothing : law p -> both_possible -> decoys_hide.
Proof.
  intros [_ one] [Ps Pt]. unfold decoys_hide, tells_nothing.
  assert (total : P p s + P p t = 1) by (unfold P; now rewrite <- both_secrets).
  assert (ev : forall w, evidence p decoy w = Pw p decoy s w + Pw p decoy t w).
  { intros w. unfold evidence, Pw. rewrite <- sum_plus. apply sum_ext; intros x _.
    unfold inside, otherwise. destruct (s x); simpl; ring. }
  repeat split; try (intros [x y]; rewrite ev, given_s, given_t; set (a := inside p s x);
    set (b := inside p t y); set (k := P p s) in *; set (l := P p t) in *; clearbody a b k l;
    replace l with (1 - k) in * by lra; field; lra); intros; [rewrite given_s|rewrite given_t];
    field; lra.
Qed.

Lemma many_two (l : list D) c : NoDup l -> (2 <= length l)%nat -> exists d, In d l /\ d <> c.
Proof.
  intros once many. destruct l as [|a [|b l]]; simpl in many; try lia.
  inversion_clear once as [|? ? out _]. destruct (dec a c) as [->|ne].
  - exists b. split; [simpl; auto|]. intros ->. apply out. now left.
  - exists a. split; [now left|easy].
Qed.

Lemma possible_in (u : @secret D) y : In y (possible p u) <-> u y = true /\ 0 < p y.
Proof.
  unfold possible. rewrite filter_In. unfold inside. pose proof (all_here y) as here.
  destruct (u y); [destruct (Rlt_dec 0 (p y))|destruct (Rlt_dec 0 0); [lra|]];
    (split; intros [? ?]; split; easy).
Qed.

Lemma possible_pos (u : @secret D) : law p -> (2 <= length (possible p u))%nat -> 0 < P p u.
Proof.
  intros L many. destruct (possible p u) as [|y l] eqn:E; simpl in many; [lia|].
  assert (i : In y (possible p u)) by (rewrite E; now left). apply possible_in in i as [uy py].
  apply Rlt_le_trans with (inside p u y); [unfold inside; now rewrite uy|].
  apply (sum_member all (inside p u)); [intros; now apply inside_nonneg|apply all_here].
Qed.

Section Input.
Context (x : D).
Hypothesis setting : two_each x.
Notation u := (other_than s x).
Notation q := (decoy_share x).
Definition decoy_of (w : D * D) : D := if s x then snd w else fst w.

Lemma other_many : (2 <= length (possible p u))%nat.
Proof. destruct setting as [_ [one [two _]]]. unfold other_than. now destruct (s x). Qed.

Lemma other_pos : 0 < P p u.
Proof. destruct setting as [L _]. apply possible_pos; [easy|apply other_many]. Qed.

Lemma own_pos : 0 < P p (if s x then s else t).
Proof.
  destruct setting as [L [one [two _]]]. destruct (s x); now apply possible_pos.
Qed.

Lemma decoy_rows : law (decoy x).
Proof.
  destruct setting as [L _]. pose proof other_pos as pos. unfold other_than in pos.
  split; [intros [a b]|rewrite Sum_pairs]; unfold decoy; cbn [fst snd].
  - revert pos. destruct (s x); intros pos; [destruct (dec a x)|destruct (dec b x)]; try lra;
      apply Rmult_le_pos; try (now apply inside_nonneg); left; now apply Rinv_0_lt_compat.
  - revert pos. destruct (s x); intros pos.
    + transitivity (Σ a, if dec x a then 1 else 0); [|apply (sum_one dec x)].
      apply sum_ext; intros a _. destruct (dec a x) as [->|ne].
      * destruct (dec x x); [|easy]. unfold Rdiv. rewrite (sum_ext _ _ (fun b => / P p t *
          inside p t b)) by (intros; ring). rewrite sum_scale.
        change (/ P p t * P p t = 1). field. lra.
      * destruct (dec x a); [congruence|]. apply sum_0.
    + rewrite sum_swap. transitivity (Σ a, if dec x a then 1 else 0); [|apply (sum_one dec x)].
      apply sum_ext; intros a _. destruct (dec a x) as [->|ne].
      * destruct (dec x x); [|easy]. unfold Rdiv. rewrite (sum_ext _ _ (fun b => / P p s *
          inside p s b)) by (intros; ring). rewrite sum_scale.
        change (/ P p s * P p s = 1). field. lra.
      * destruct (dec x a); [congruence|]. apply sum_0.
Qed.

Lemma decoy_shares c : share decoy dec decoy_of x c = q c.
Proof.
  unfold share. rewrite Sum_pairs. unfold decoy_of, decoy, decoy_share, other_than; cbn [fst snd].
  destruct (s x).
  - transitivity (Σ a, if dec x a then inside p t c / P p t else 0); [|apply (sum_one dec x)].
    apply sum_ext; intros a _. destruct (dec a x) as [->|ne].
    + destruct (dec x x); [|easy]. rewrite <- (sum_at c (fun b => inside p t b / P p t)).
      apply sum_ext; intros b _. destruct (dec b c), (dec c b); congruence.
    + destruct (dec x a); [congruence|]. transitivity (sum (@all D _) (fun _ => 0)); [|apply sum_0].
      apply sum_ext; intros b _. now destruct (dec b c).
  - rewrite sum_swap.
    transitivity (Σ a, if dec x a then inside p s c / P p s else 0); [|apply (sum_one dec x)].
    apply sum_ext; intros a _. destruct (dec a x) as [->|ne].
    + destruct (dec x x); [|easy]. rewrite <- (sum_at c (fun b => inside p s b / P p s)).
      apply sum_ext; intros b _. destruct (dec b c), (dec c b); congruence.
    + destruct (dec x a); [congruence|]. transitivity (sum (@all D _) (fun _ => 0)); [|apply sum_0].
      apply sum_ext; intros b _. now destruct (dec b c).
Qed.

Lemma decoy_positive a b : s x = true -> 0 < decoy x (a, b) <-> a = x /\ 0 < inside p t b.
Proof.
  intros sx. pose proof other_pos as pos. unfold other_than in pos. rewrite sx in pos.
  unfold decoy; cbn [fst snd]. rewrite sx. destruct (dec a x) as [->|ne].
  - split; [intros more; split; [easy|]|intros [_ more]; now apply Rdiv_lt_0_compat].
    apply (Rmult_lt_reg_r (/ P p t)); [now apply Rinv_0_lt_compat|]. rewrite Rmult_0_l. exact more.
  - split; [lra|intros [e _]; congruence].
Qed.

Lemma decoy_positive' a b : s x = false -> 0 < decoy x (a, b) <-> b = x /\ 0 < inside p s a.
Proof.
  intros sx. pose proof other_pos as pos. unfold other_than in pos. rewrite sx in pos.
  unfold decoy; cbn [fst snd]. rewrite sx. destruct (dec b x) as [->|ne].
  - split; [intros more; split; [easy|]|intros [_ more]; now apply Rdiv_lt_0_compat].
    apply (Rmult_lt_reg_r (/ P p s)); [now apply Rinv_0_lt_compat|]. rewrite Rmult_0_l. exact more.
  - split; [lra|intros [e _]; congruence].
Qed.
End Input.

Lemma inside_pos u y : 0 < inside p u y -> u y = true /\ 0 < p y.
Proof. unfold inside. destruct (u y); [easy|lra]. Qed.

Lemma chance_positive {W} `{Finite W} (M : D -> W -> R) x ws : law (M x) -> chance M x ws <> 0 ->
  forall w, In w ws -> 0 < M x w.
Proof.
  intros [pos _]. induction ws as [|v ws IH]; cbn [chance]; intros ne w; [easy|]. intros [<-|i].
  - destruct (pos v) as [|zero]; [easy|]. rewrite <- zero in ne. destruct ne. ring.
  - apply IH; [|easy]. intros zero. rewrite zero in ne. destruct ne. ring.
Qed.

Section Runs.
Context (x : D).
Hypothesis setting : two_each x.
Notation q := (decoy_share x).

Lemma two_decoys w ws : chance decoy x (w :: ws) <> 0 ->
  told p decoy (is x) (w :: ws) = false <-> forall v, In v ws -> decoy_of x v = decoy_of x w.
Proof.
  intros can. pose proof (chance_positive decoy x (w :: ws) (decoy_rows x setting) can) as each.
  pose proof setting as [L [_ [_ px]]]. clear can.
  rewrite <- not_true_iff_false, told_is. split.
  - intros hidden v i. destruct (dec (decoy_of x v) (decoy_of x w)) as [|ne]; [easy|].
    exfalso. apply hidden. intros y py fits. unfold is. destruct (dec y x) as [|other]; [easy|].
    exfalso. pose proof (each w (or_introl eq_refl)) as pw. pose proof (each v (or_intror i)) as pv.
    pose proof (fits w (or_introl eq_refl)) as fw. pose proof (fits v (or_intror i)) as fv.
    destruct w as [a b], v as [c d]. unfold decoy_of in ne; cbn [fst snd] in ne.
    unfold decoy in pw, pv, fw, fv; cbn [fst snd] in pw, pv, fw, fv.
    destruct (s x), (s y), (dec a x), (dec c x), (dec b x), (dec d x), (dec a y), (dec c y),
      (dec b y), (dec d y); try lra; congruence.
  - intros same all_told. set (e := decoy_of x w).
    assert (here : 0 < inside p (other_than s x) e).
    { pose proof (each w (or_introl eq_refl)) as pw. destruct w as [a b].
      unfold e, decoy_of, other_than.
      destruct (s x) eqn:sx; [now apply (decoy_positive x setting a b sx) in pw|].
      now apply (decoy_positive' x setting a b sx) in pw. }
    apply inside_pos in here as [ue pe].
    assert (no : is x e = false).
    { unfold is. destruct (dec e x) as [ex|]; [|easy]. rewrite ex in ue.
      unfold other_than, otherwise in ue.
      destruct (s x) eqn:sx; rewrite ?sx in ue; discriminate. }
    rewrite (all_told e pe) in no; [easy|]. intros v i. pose proof (each v i) as pv.
    assert (de : decoy_of x v = e) by (destruct i as [<-|i]; [easy|now apply same]).
    assert (px' : 0 < inside p (if s x then s else t) x).
    { unfold inside, otherwise. destruct (s x) eqn:sx; rewrite sx; easy. }
    pose proof (own_pos x setting) as own. destruct v as [a b].
    unfold decoy_of in de; cbn [fst snd] in de. unfold other_than, otherwise in ue.
    destruct (s x) eqn:sx.
    + apply (decoy_positive x setting a b sx) in pv as [-> _]. rewrite de.
      unfold decoy; cbn [fst snd]. destruct (s e); [discriminate|].
      destruct (dec e e); [|easy]. now apply Rdiv_lt_0_compat.
    + apply (decoy_positive' x setting a b sx) in pv as [-> _]. rewrite de.
      unfold decoy; cbn [fst snd]. rewrite ue. destruct (dec e e); [|easy].
      now apply Rdiv_lt_0_compat.
Qed.

Lemma no_run_tells : told p decoy (is x) [] = false.
Proof.
  apply not_true_iff_false. rewrite told_is. intros all_told.
  pose proof (other_many x setting) as many.
  destruct (many_two (possible p (other_than s x)) x) as [y [i ne]]; [|easy|].
  { apply NoDup_filter, all_once. }
  apply possible_in in i as [_ py]. specialize (all_told y py (fun w i => match i with end)).
  unfold is in all_told. now destruct (dec y x).
Qed.

Lemma shares_less c : q c < 1.
Proof.
  pose proof (other_many x setting) as many. pose proof (other_pos x setting) as pos.
  pose proof setting as [L _].
  destruct (many_two (possible p (other_than s x)) c) as [d [i ne]]; [|easy|].
  { apply NoDup_filter, all_once. }
  apply possible_in in i as [ud pd]. unfold decoy_share. set (u := other_than s x) in *.
  assert (more : inside p u c + inside p u d <= P p u).
  { unfold P. rewrite <- (sum_at c (inside p u)), <- (sum_at d (inside p u)), <- sum_plus.
    apply sum_le. intros z _. pose proof (inside_nonneg p u z L).
    destruct (dec c z), (dec d z); try lra; congruence. }
  assert (0 < inside p u d) by (unfold inside; now rewrite ud).
  apply (Rmult_lt_reg_r (P p u)); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** Example 1 of bai2026: the expected number of runs (bai2026.ex1-runs).
    Differs: databases are finite; the expectation is the sum of the probabilities that more than k
    runs are needed; exact, where the print has a bound. *)
Theorem decoy_runs : expected_runs p decoy (is x) x (1 + Σ c, q c / (1 - q c)).
Proof.
  rewrite (sum_ext _ _ (fun c => share decoy dec (decoy_of x) x c /
    (1 - share decoy dec (decoy_of x) x c)))
    by (intros c _; now rewrite (decoy_shares x)).
  apply (two_kinds_tell p decoy dec).
  - now apply decoy_rows.
  - apply no_run_tells.
  - apply two_decoys.
  - intros c. rewrite (decoy_shares x). apply shares_less.
Qed.

(** The law of the number of runs (bai2026.ex1-runs).
    Differs: as [decoy_runs]. *)
Theorem decoy_law k : (2 <= k)%nat -> told_at x k (told_law x k).
Proof.
  intros two. split; [easy|].
  destruct k as [|[|k]]; [lia..|]. cbn [pred].
  rewrite !(hidden_law p decoy dec (decoy_of x) (is x) x) by
    (apply no_run_tells || apply two_decoys || now apply decoy_rows).
  unfold told_law. cbn [pred].
  rewrite !(sum_ext (@all D _) (fun c => share decoy dec (decoy_of x) x c ^ _) (fun c => q c ^ _))
    by (intros c _; now rewrite (decoy_shares x)).
  enough (E : forall l, sum l (fun c => q c ^ S k) - sum l (fun c => q c ^ S (S k)) =
    sum l (fun c => q c ^ S k * (1 - q c))) by apply E.
  induction l as [|c l IH]; cbn [sum]; [ring|]. rewrite <- IH. simpl. ring.
Qed.

Lemma told_law_pos k : 0 < told_law x k.
Proof.
  pose proof (other_many x setting) as many. pose proof (other_pos x setting) as pos.
  pose proof setting as [L _].
  assert (q0 : forall c, 0 <= q c).
  { intros c. unfold decoy_share. apply Rmult_le_pos; [now apply inside_nonneg|].
    left. now apply Rinv_0_lt_compat. }
  destruct (many_two (possible p (other_than s x)) x) as [d [i _]]; [|easy|].
  { apply NoDup_filter, all_once. }
  apply possible_in in i as [ud pd].
  assert (qd : 0 < q d).
  { unfold decoy_share. apply Rdiv_lt_0_compat; [|easy]. unfold inside. now rewrite ud. }
  apply Rlt_le_trans with (q d ^ pred k * (1 - q d)).
  - apply Rmult_lt_0_compat; [now apply pow_lt|]. pose proof (shares_less d). lra.
  - apply (sum_member all (fun c => q c ^ pred k * (1 - q c))); [|apply all_here].
    intros c _. apply Rmult_le_pos; [now apply pow_le|]. pose proof (shares_less c). lra.
Qed.

(** The bound on the expected number of runs (bai2026.ex1-runs): 1 + 1 / (1 - m), where m is at
    least every probability of a database given its secret.
    Differs: as [decoy_runs]. *)
Theorem decoy_bound m : most m -> m < 1 -> runs_at_most x (1 + / (1 - m)).
Proof.
  intros below_m less. split; [easy|]. exists (1 + Σ c, q c / (1 - q c)).
  split; [apply decoy_runs|]. apply Rplus_le_compat_l.
  pose proof (other_pos x setting) as pos. pose proof setting as [L _].
  assert (below : forall c, 0 <= q c <= m).
  { intros c. unfold decoy_share. pose proof (inside_nonneg p (other_than s x) c L) as i0.
    assert (le : inside p (other_than s x) c <= m * P p (other_than s x)).
    { unfold other_than. destruct (s x); apply below_m. }
    set (u := other_than s x) in *. split.
    - apply Rmult_le_pos; [easy|]. left. now apply Rinv_0_lt_compat.
    - apply (Rmult_le_reg_r (P p u)); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (one : (Σ c, q c) = 1).
  { unfold decoy_share. rewrite (sum_ext _ _ (fun c => / P p (other_than s x) *
      inside p (other_than s x) c)) by (intros; unfold Rdiv; ring).
    rewrite sum_scale. change (/ P p (other_than s x) * P p (other_than s x) = 1). field. lra. }
  apply Rle_trans with (Σ c, / (1 - m) * q c); [|rewrite sum_scale;
    change (/ (1 - m) * (Σ c, q c) <= / (1 - m)); rewrite one; lra].
  apply sum_le. intros c _. destruct (below c) as [c0 cm]. unfold Rdiv. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [easy|]. apply Rinv_le_contravar; lra.
Qed.
End Runs.
End Decoys.
