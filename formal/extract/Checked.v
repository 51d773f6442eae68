(** One function that checks certificates of leakage, and one theorem that says what its answer
    means: the program of this folder is extracted from it. [Tables] and [Redactions] have what is
    stated; the rest is proofs. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Integers Levels Leakage Places Rows
  Released Scaled Redactions Cones Redacted Exponentials.
Import ListNotations.

(** What is released: one mechanism, several together, or one whose rows have units of their own. *)
Inductive released := One (m : mechanism) | Several (ms : list mechanism)
  | Table (width : nat) (t : table).
Inductive outcome := AtMost (e : level) | Equals (e : level) | Above (e : level) | Infinite
  | DeltaAtMost (e : level) (n : Z) (d : positive) | DeltaAbove (e : level) (n : Z) (d : positive).

(** The promise is about something: some prior gives both secrets of a pair a chance. *)
Definition promises_something f := exists p s t,
  priors_of f p /\ pairs_of f s t /\ (0 < P p s)%R /\ (0 < P p t)%R.

Definition says f {W} (M : index (size f) -> W -> R) o : Prop := match o with
  | AtMost e => leakage_at_most f M e
  | Equals e => leakage_equals f M e
  | Above e => leakage_above f M e
  | Infinite => leakage_infinite f M
  | DeltaAtMost _ _ _ | DeltaAbove _ _ _ => False end.
Definition says_of_one f m o : Prop := match o with
  | DeltaAtMost e n d => delta_at_most f (channel f m) e n d
  | DeltaAbove e n d => delta_above f (channel f m) e n d
  | _ => says f (channel f m) o end.
Definition says_of f r o : Prop := match r with
  | One m => well_formed f [m] /\ says_of_one f m o
  | Several ms => well_formed f ms /\ says f (joint f ms) o
  | Table width t => well_formed f [of_table width t] /\ says_of_one f (of_table width t) o end.
(** A place that is named: a prior of the list or a mixture, two secrets, and outputs. *)
Record location := Location { prior_named : chosen; first_secret : nat; second_secret : nat;
  outputs_named : list nat }.
Definition is_prior f c (p : index (size f) -> R) := priors_of f p /\ forall x,
  IZR (at_place (chosen_law f c) (number x)) = (IZR (chosen_unit f c) * p x)%R.
(** A fact about P(s), P(t), P(w, s) and P(w, t) there, whose prior and pair are meant. *)
Definition there f {W} (M : index (size f) -> W -> R) l
  (fact : R -> R -> (W -> R) -> (W -> R) -> Prop) := exists p, is_prior f (prior_named l) p /\
    let s := secret_of f (first_secret l) in let t := secret_of f (second_secret l) in
    pairs_of f s t /\ (0 < P p s)%R /\ (0 < P p t)%R /\ fact (P p s) (P p t) (Pw p M s) (Pw p M t).
(** That a level is attained or exceeded at the output w. *)
Definition at_output o {W} (w : W) (ps pt : R) (a b : W -> R) : Prop := match o with
  | Equals e => 0 < b w /\ a w * pt = ratio e * ps * b w
  | Above e => ratio e * ps * b w < a w * pt
  | Infinite => 0 < a w /\ b w = 0
  | _ => True end%R.
(** That the level is exceeded by more than delta at outputs together. *)
Definition at_outputs e n d {W} (ws : list W) (ps pt : R) (a b : W -> R) : Prop :=
  (IZR n / IZR (Zpos d) * ps * pt < sum ws (fun w => a w * pt - ratio e * ps * b w))%R.
(** The numbers of outputs of several releases. *)
Fixpoint numbers ms : together ms -> list nat := match ms with
  | [] => fun _ => []
  | m :: ms => fun w => number (fst w) :: numbers ms (snd w) end.
Definition place_of_one f m o l : Prop := match o with
  | AtMost _ | DeltaAtMost _ _ _ => True
  | DeltaAbove e n d => exists ws : list (index (outputs m)), map number ws = outputs_named l /\
      there f (channel f m) l (at_outputs e n d ws)
  | _ => exists w : index (outputs m), number w = hd 0%nat (outputs_named l) /\
      there f (channel f m) l (at_output o w) end.
(** What is said of the place that a claim names, if it names one. *)
Definition says_where f r o l : Prop := match r with
  | One m => place_of_one f m o l
  | Table width t => place_of_one f (of_table width t) o l
  | Several ms => match o with
    | Equals _ | Above _ | Infinite => exists w : together ms, numbers ms w = outputs_named l /\
        there f (joint f ms) l (at_output o w)
    | _ => True end end.
(** What a certificate means. *)
Definition meaning f r o l : Prop := promises_something f /\ says_of f r o /\ says_where f r o l.

(** Whether a prior gives both secrets of a pair a chance; of mixtures that of equal weights. *)
Definition choices f : list chosen :=
  if convex f then [Mixed (Z.of_nat (length (priors f))) (repeat 1%Z (length (priors f)))]
  else map Listed (seq 0 (length (priors f))).
Definition speaks f : bool := existsb (fun ij => existsb (fun c =>
  check_spot (fun _ _ => true) f [] c (fst ij) (snd ij)) (choices f)) (pairs f).

(** Of what exceeds a level by more than delta, that the outputs that are named do so alone. *)
Definition excess_at u v (a b : list Z) (ws : list nat) : Z :=
  fold_right (fun w z => u * at_place a w - v * at_place b w + z)%Z 0%Z ws.
Definition large_excess_at n d dn dd K ws (s t : Z * list Z) : bool :=
  (dn * fst s * fst t * K * Zpos d <?
    excess_at (fst t * Zpos d) (n * fst s) (snd s) (snd t) ws * Zpos dd)%Z.
Definition known width : list nat -> bool := forallb (fun w => Nat.ltb w width).

(** A fraction r near e^level is a hint, of which any that passes will do. *)
Definition check_one f m o l r : bool :=
  let w := hd 0%nat (outputs_named l) in
  let spot := fun test =>
    check_spot test f (rows m) (prior_named l) (first_secret l) (second_secret l) in
  check_all f [m] && match o with
  | AtMost e => is_below e r && check_within r (outputs m) f (rows m)
  | Equals e => Nat.ltb w (outputs m) && (is_below e r && check_within r (outputs m) f (rows m) &&
      check_attained e f (rows m) (prior_named l) (first_secret l) (second_secret l) w)
  | Above e => Nat.ltb w (outputs m) && (is_above e r && spot (exceeds (num r) (den r) w))
  | Infinite => Nat.ltb w (outputs m) && spot (certain w)
  | DeltaAtMost e n d => is_below e r && check_delta (num r) (den r) n d (row_unit m) f (rows m)
  | DeltaAbove e n d => is_above e r && spot (large_excess (num r) (den r) n d (row_unit m)) &&
      (known (outputs m) (outputs_named l) &&
       spot (large_excess_at (num r) (den r) n d (row_unit m) (outputs_named l))) end.
Definition check_several f ms o l r : bool :=
  let rs := joint_rows f ms in let ws := outputs_named l in
  let spot := fun test =>
    check_spot test f rs (prior_named l) (first_secret l) (second_secret l) in
  check_all f ms && match o with
  | AtMost e => is_below e r && check_within r (joint_width ms) f rs
  | Equals e => numbers_fit ms ws && (is_below e r && check_within r (joint_width ms) f rs &&
      check_attained e f rs (prior_named l) (first_secret l) (second_secret l)
        (joint_number ms ws))
  | Above e => numbers_fit ms ws &&
      (is_above e r && spot (exceeds (num r) (den r) (joint_number ms ws)))
  | Infinite => numbers_fit ms ws && spot (certain (joint_number ms ws))
  | _ => false end.
Definition check_table f width t o l r : bool :=
  let w := hd 0%nat (outputs_named l) in
  let spot := fun test =>
    own_spot test f t (prior_named l) (first_secret l) (second_secret l) in
  table_all f width t && match o with
  | AtMost e => is_below e r && own_listed f t width (num r) (den r)
  | Equals e => Nat.ltb w width && (is_below e r && own_listed f t width (num r) (den r) &&
      own_attained e f t (prior_named l) (first_secret l) (second_secret l) w)
  | Above e => Nat.ltb w width && (is_above e r && spot (exceeds (num r) (den r) w))
  | Infinite => Nat.ltb w width && spot (certain w)
  | DeltaAtMost e n d => is_below e r && own_delta (num r) (den r) n d f t
  | DeltaAbove e n d => is_above e r && spot (large_excess (num r) (den r) n d 1) &&
      (known width (outputs_named l) &&
       spot (large_excess_at (num r) (den r) n d 1 (outputs_named l))) end.
Definition check f r o l near : bool := check_framework f && speaks f && match r with
  | One m => check_one f m o l near
  | Several ms => check_several f ms o l near
  | Table width t => check_table f width t o l near end.

Lemma speaks_sound f : check_framework f = true -> speaks f = true -> promises_something f.
Proof.
  intros ok H. apply existsb_exists in H as [[i j] [_ H]].
  apply existsb_exists in H as [c [_ H]].
  assert (nothing : forall (x : index (size f)) (_ : unit),
    IZR (at_place (nth (number x) [] []) 0) = (1 * 0)%R).
  { intros x _. destruct (number x); unfold at_place; simpl; lra. }
  destruct (spot_sound f ok _ 1 [] (fun _ => O) nothing _ _ _ _ H)
    as [p [U [s [t [hp [hst [_ [Ps [Pt _]]]]]]]]].
  exists p, (secret_of f i), (secret_of f j). auto.
Qed.

Ltac sides := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end.
Ltac joined := repeat match goal with
  | |- _ && _ = true => apply andb_true_intro; split end; eassumption.

Lemma one_sound f m o l r : check_one f m o l r = true ->
  well_formed f [m] /\ says_of_one f m o.
Proof.
  intros H. unfold check_one in H. cbv zeta in H. destruct o; cbn [says_of_one says]; sides.
  - apply at_most_of_one with r; joined.
  - eapply equals_of_one with (r := r) (w := hd 0%nat (outputs_named l));
      [assumption|idtac]; joined.
  - eapply above_of_one with (r := r) (w := hd 0%nat (outputs_named l));
      [assumption|idtac]; joined.
  - eapply infinite_of_one with (w := hd 0%nat (outputs_named l)); [assumption|idtac]; joined.
  - apply delta_at_most_of_one with r; joined.
  - eapply delta_above_of_one with (r := r); joined.
Qed.

Lemma several_sound f ms o l r : check_several f ms o l r = true ->
  well_formed f ms /\ says f (joint f ms) o.
Proof.
  intros H. unfold check_several in H. cbv zeta in H.
  destruct o; cbn [says]; sides; try discriminate.
  - apply at_most_of_several with r; joined.
  - eapply equals_of_several with (r := r) (ws := outputs_named l); joined.
  - eapply above_of_several with (r := r) (ws := outputs_named l); joined.
  - eapply infinite_of_several with (ws := outputs_named l); joined.
Qed.

Section Where.
Context (f : framework) (ok : check_framework f = true).
Context {W : Type} (M : index (size f) -> W -> R) (K : Z) (rs : list (list Z)) (at_ : W -> nat).
Context (K0 : (0 < IZR K)%R) (M0 : likelihood M).
Hypothesis describes :
  forall x w, IZR (at_place (nth (number x) rs []) (at_ w)) = (IZR K * M x w)%R.
Open Scope R_scope.

(** What integers say of a place is true there. *)
Lemma spot_there test l (fact : R -> R -> (W -> R) -> (W -> R) -> Prop) :
  check_spot test f rs (prior_named l) (first_secret l) (second_secret l) = true ->
  (forall U s t ps pt (a b : W -> R), test s t = true -> 0 < U -> 0 < ps -> 0 < pt ->
    (forall w, 0 <= b w) -> IZR (fst s) = U * ps -> IZR (fst t) = U * pt ->
    (forall w, IZR (at_place (snd s) (at_ w)) = U * IZR K * a w) ->
    (forall w, IZR (at_place (snd t) (at_ w)) = U * IZR K * b w) -> fact ps pt a b) ->
  there f M l fact.
Proof.
  unfold check_spot. cbv zeta. rewrite !andb_true_iff, !Z.ltb_lt.
  intros [[c_ok pair] [[p0 q0] T]] H.
  destruct (chosen_reads f ok (prior_named l) c_ok) as [pr [hp [U0 [short reads]]]].
  exists pr. split; [now split|]. cbv zeta.
  pose proof (view_P f rs _ _ pr short reads (first_secret l)) as pE.
  pose proof (view_P f rs _ _ pr short reads (second_secret l)) as qE.
  apply IZR_lt in p0, q0. rewrite pE in p0. rewrite qE in q0.
  assert (Ps : 0 < P pr (secret_of f (first_secret l))) by nra.
  assert (Pt : 0 < P pr (secret_of f (second_secret l))) by nra.
  split; [exists (first_secret l), (second_secret l); split; [now apply check_pair_in|auto]|].
  split; [easy|]. split; [easy|].
  apply (H _ _ _ _ _ _ _ T U0 Ps Pt); auto.
  - intros w. apply sum_nonneg; intros x _. apply Rmult_le_pos; [|apply M0].
    unfold inside. destruct (secret_of f (second_secret l) x); [|lra].
    now apply (laws_priors f ok pr hp).
  - intros w. now apply view_Pw.
  - intros w. now apply view_Pw.
Qed.

Lemma unit_fraction n d x y : IZR n * x < y * IZR (Zpos d) -> IZR n / IZR (Zpos d) * x < y.
Proof.
  intros h. assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  apply (Rmult_lt_reg_r (IZR (Zpos d))); [easy|].
  replace (IZR n / IZR (Zpos d) * x * IZR (Zpos d)) with (IZR n * x) by (field; lra). lra.
Qed.

Lemma exceeds_there e r l w : is_above e r = true ->
  check_spot (exceeds (num r) (den r) (at_ w)) f rs (prior_named l) (first_secret l)
    (second_secret l) = true -> there f M l (at_output (Above e) w).
Proof.
  intros up H. apply above_sound in up. apply (spot_there _ _ _ H). clear H.
  intros U s t ps pt a b T U0 ps0 pt0 b0 es et ea eb. unfold exceeds in T.
  apply Z.ltb_lt, IZR_lt in T. rewrite !mult_IZR, es, et, ea, eb in T. cbn [at_output].
  apply Rle_lt_trans with (IZR (num r) / IZR (Zpos (den r)) * (ps * b w)).
  - rewrite Rmult_assoc. apply Rmult_le_compat_r; [|easy]. apply Rmult_le_pos; [lra|easy].
  - apply unit_fraction. apply (Rmult_lt_reg_l (U * U * IZR K)); [|lra].
    now repeat apply Rmult_lt_0_compat.
Qed.

Lemma attains_there e l w :
  check_attained e f rs (prior_named l) (first_secret l) (second_secret l) (at_ w) = true ->
  there f M l (at_output (Equals e) w).
Proof.
  destruct e as [n d|]; [|easy]. intros H. apply (spot_there _ _ _ H). clear H.
  intros U s t ps pt a b T U0 ps0 pt0 b0 es et ea eb. unfold attains in T.
  apply andb_prop in T as [pos T]. apply Z.ltb_lt, IZR_lt in pos. apply Z.eqb_eq in T.
  apply (f_equal IZR) in T. rewrite !mult_IZR, es, et, ea, eb in T. rewrite eb in pos.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  assert (c0 : 0 < U * IZR K) by now apply Rmult_lt_0_compat. cbn [at_output ratio]. split.
  - apply (Rmult_lt_reg_l (U * IZR K)); lra.
  - apply (Rmult_eq_reg_l (U * U * IZR K * IZR (Zpos d)));
      [|assert (0 < U * U * IZR K * IZR (Zpos d)) by (repeat apply Rmult_lt_0_compat; easy); lra].
    transitivity (U * IZR K * a w * (U * pt) * IZR (Zpos d)); [ring|]. rewrite T. field. lra.
Qed.

Lemma certain_there l w :
  check_spot (certain (at_ w)) f rs (prior_named l) (first_secret l) (second_secret l) = true ->
  there f M l (at_output Infinite w).
Proof.
  intros H. apply (spot_there _ _ _ H). clear H.
  intros U s t ps pt a b T U0 ps0 pt0 b0 es et ea eb. unfold certain in T.
  apply andb_prop in T as [pos T]. apply Z.ltb_lt, IZR_lt in pos. apply Z.eqb_eq in T.
  apply (f_equal IZR) in T. rewrite ea in pos. rewrite eb in T.
  assert (c0 : 0 < U * IZR K) by now apply Rmult_lt_0_compat. cbn [at_output]. split.
  - apply (Rmult_lt_reg_l (U * IZR K)); lra.
  - apply (Rmult_eq_reg_l (U * IZR K)); lra.
Qed.

Lemma excess_at_sum u v s t (ws : list W) a b c :
  (forall w, IZR (at_place s (at_ w)) = c * a w) ->
  (forall w, IZR (at_place t (at_ w)) = c * b w) ->
  IZR (excess_at u v s t (map at_ ws)) = c * sum ws (fun w => IZR u * a w - IZR v * b w).
Proof.
  intros ea eb. induction ws as [|w ws IH]; [simpl; lra|]. cbn [map excess_at fold_right sum].
  unfold excess_at in IH. rewrite plus_IZR, minus_IZR, !mult_IZR, IH, ea, eb. ring.
Qed.

Lemma excess_there e r n d l ws : is_above e r = true -> map at_ ws = outputs_named l ->
  check_spot (large_excess_at (num r) (den r) n d K (outputs_named l)) f rs (prior_named l)
    (first_secret l) (second_secret l) = true -> there f M l (at_outputs e n d ws).
Proof.
  intros up named H. apply above_sound in up. apply (spot_there _ _ _ H). clear H.
  intros U s t ps pt a b T U0 ps0 pt0 b0 es et ea eb. unfold large_excess_at in T.
  rewrite <- named in T. apply Z.ltb_lt, IZR_lt in T. rewrite !mult_IZR in T.
  rewrite (excess_at_sum _ _ _ _ _ _ _ _ ea eb), es, et in T. unfold at_outputs.
  assert (e0 : 0 < IZR (Zpos (den r))) by now apply IZR_lt.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  set (R0 := IZR (num r) / IZR (Zpos (den r))) in *.
  apply Rlt_le_trans with (sum ws (fun w => a w * pt - R0 * ps * b w)).
  - rewrite Rmult_assoc. apply unit_fraction.
    apply (Rmult_lt_reg_l (U * U * IZR K * IZR (Zpos (den r))));
      [now repeat apply Rmult_lt_0_compat|].
    apply Rle_lt_trans with (IZR n * (U * ps) * (U * pt) * IZR K * IZR (Zpos (den r))); [lra|].
    apply Rlt_le_trans with (1 := T). right.
    rewrite (sum_ext ws _ (fun w => U * IZR (Zpos (den r)) * (a w * pt - R0 * ps * b w))).
    + rewrite sum_scale. ring.
    + intros w _. rewrite !mult_IZR, es, et. unfold R0. field. lra.
  - apply sum_le. intros w _. assert (R0 * ps * b w >= ratio e * ps * b w); [|lra].
    apply Rle_ge. apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; lra.
Qed.
End Where.

Lemma output_number n w : Nat.ltb w n = true -> exists x : index n, number x = w.
Proof. intros h. now exists (exist _ w h). Qed.
Lemma output_numbers n ws : known n ws = true -> exists xs : list (index n), map number xs = ws.
Proof.
  induction ws as [|w ws IH]; intros H; [now exists []|]. apply andb_prop in H as [h H].
  destruct (IH H) as [xs <-]. now exists (exist _ w h :: xs).
Qed.
Lemma joint_numbers ms ws : numbers_fit ms ws = true ->
  exists w, numbers ms w = ws /\ joint_place ms w = joint_number ms ws.
Proof.
  revert ws; induction ms as [|m ms IH]; intros [|w ws] H; try easy; [now exists tt|].
  cbn [numbers_fit] in H. apply andb_prop in H as [h H]. destruct (IH ws H) as [v [e e']].
  exists (exist _ w h, v). simpl. now rewrite e, e'.
Qed.

Section Named.
Context (f : framework) (l : location) (ok : check_framework f = true).

Lemma one_where m o r : check_one f m o l r = true -> place_of_one f m o l.
Proof.
  unfold check_one. cbv zeta. intros H. apply andb_prop in H as [all H].
  destruct (one_ok f m all) as [_ [h M01]].
  pose proof (row_unit_pos f m h) as K0. pose proof (channel_described f m h) as described.
  assert (M0 : likelihood (channel f m)) by (intros x w; apply M01).
  destruct o; cbn [place_of_one]; sides; try exact I.
  - destruct (output_number (outputs m) (hd 0%nat (outputs_named l))) as [w q]; [assumption|].
    exists w. split; [easy|]. rewrite <- q in *.
    now apply (attains_there f ok (channel f m) _ (rows m) number K0 M0 described).
  - destruct (output_number (outputs m) (hd 0%nat (outputs_named l))) as [w q]; [assumption|].
    exists w. split; [easy|]. rewrite <- q in *.
    now apply (exceeds_there f ok (channel f m) _ (rows m) number K0 M0 described) with r.
  - destruct (output_number (outputs m) (hd 0%nat (outputs_named l))) as [w q]; [assumption|].
    exists w. split; [easy|]. rewrite <- q in *.
    now apply (certain_there f ok (channel f m) _ (rows m) number K0 M0 described).
  - destruct (output_numbers (outputs m) (outputs_named l)) as [ws q]; [assumption|].
    exists ws. split; [easy|].
    now apply (excess_there f ok (channel f m) _ (rows m) number K0 M0 described) with r.
Qed.

Lemma several_where ms o r : check_several f ms o l r = true -> says_where f (Several ms) o l.
Proof.
  unfold check_several. cbv zeta. intros H. apply andb_prop in H as [all H].
  destruct (several_ok f ms all) as [_ h].
  pose proof (joint_unit_pos f ms h) as K0.
  assert (described := fun x w => joint_described f ms x w h).
  assert (M0 : likelihood (joint f ms)) by (intros x w; now apply (joint_small f ms h)).
  destruct o; cbn [says_where]; sides; try exact I;
    (destruct (joint_numbers ms (outputs_named l)) as [w [q q1]]; [assumption|]);
    exists w; (split; [easy|]); rewrite <- q1 in *.
  - now apply (attains_there f ok (joint f ms) _ (joint_rows f ms) _ K0 M0 described).
  - now apply (exceeds_there f ok (joint f ms) _ (joint_rows f ms) _ K0 M0 described) with r.
  - now apply (certain_there f ok (joint f ms) _ (joint_rows f ms) _ K0 M0 described).
Qed.

Open Scope Z_scope.
Lemma excess_at_same k u v u' v' c c' a b ws : k * (u * c) = c * c' * u' ->
  k * (v * c') = c * c' * v' ->
  k * excess_at u v (map (Z.mul c) a) (map (Z.mul c') b) ws = c * c' * excess_at u' v' a b ws.
Proof.
  intros e e'. induction ws as [|w ws IH]; cbn [excess_at fold_right]; [ring|].
  unfold excess_at in IH. rewrite !at_map, !Z.mul_add_distr_l, IH. f_equal.
  rewrite !Z.mul_sub_distr_l. f_equal.
  - transitivity (k * (u * c) * at_place a w); [ring|rewrite e; ring].
  - transitivity (k * (v * c') * at_place b w); [ring|rewrite e'; ring].
Qed.

Lemma large_at_same n d dn dd ws u c c' s t s' t' : same c u s s' -> same c' u t t' ->
  large_excess_at n d dn dd 1 ws s' t' = true -> large_excess_at n d dn dd u ws s t = true.
Proof.
  intros [c0 [u0 [es as_]]] [d0 [_ [et at_]]] H. unfold large_excess_at in *. rewrite as_, at_.
  apply Z.ltb_lt. apply Z.ltb_lt in H. apply (Zmult_gt_0_lt_reg_r _ _ u); [lia|].
  assert (E := excess_at_same u (fst t * Z.pos d) (n * fst s) (fst t' * Z.pos d) (n * fst s')
    c c' (snd s') (snd t') ws).
  match type of E with _ -> _ -> u * ?x = _ * ?y => set (X := x) in *; set (X' := y) in * end.
  replace (X * Z.pos dd * u) with (u * X * Z.pos dd) by ring. rewrite E.
  - replace (dn * fst s * fst t * u * Z.pos d * u)
      with (c * c' * (dn * fst s' * fst t' * 1 * Z.pos d)).
    + replace (c * c' * X' * Z.pos dd) with (c * c' * (X' * Z.pos dd)) by ring.
      apply Z.mul_lt_mono_pos_l; [nia|easy].
    + transitivity (dn * (c * fst s') * (c' * fst t') * Z.pos d); [ring|].
      rewrite <- es, <- et. ring.
  - transitivity (u * fst t * Z.pos d * c); [ring|rewrite et; ring].
  - transitivity (u * fst s * n * c'); [ring|rewrite es; ring].
Qed.

(** Each check by units of rows implies the one by one unit. *)
Lemma table_as_one width t o r : check_table f width t o l r = true ->
  check_one f (of_table width t) o l r = true.
Proof.
  unfold check_table, check_one. cbv zeta. intros H. apply table_parts in H as [okt [all H]].
  rewrite all. cbn [andb outputs of_table].
  assert (moved : forall test own, (forall a b v v' o o', same a (shared_unit t) v o ->
      same b (shared_unit t) v' o' -> own o o' = true -> test v v' = true) ->
    own_spot own f t (prior_named l) (first_secret l) (second_secret l) = true ->
    check_spot test f (rows (of_table width t)) (prior_named l) (first_secret l)
      (second_secret l) = true) by (intros; now apply (own_spot_sound f width t okt) with own).
  destruct o; sides; repeat match goal with |- _ && _ = true => apply andb_true_intro; split end;
    try eassumption.
  - apply own_within; [eapply own_listed_list; eassumption|assumption|assumption].
  - apply own_within; [eapply own_listed_list; eassumption|assumption|assumption].
  - destruct e as [n d|]; [|easy].
    apply moved with (attains n d (hd 0%nat (outputs_named l))); [|assumption].
    intros; eapply attains_same; eauto.
  - eapply moved; [|eassumption]. intros; eapply exceeds_same; eauto.
  - eapply moved; [|eassumption]. intros; eapply certain_same; eauto.
  - now apply (own_delta_sound f width t okt).
  - apply moved with (large_excess (num r) (den r) n d 1); [|assumption].
    intros; eapply large_same; eauto.
  - apply moved with (large_excess_at (num r) (den r) n d 1 (outputs_named l)); [|assumption].
    intros; eapply large_at_same; eauto.
Qed.
End Named.

(** What the checker accepts is true, whatever the fraction near e^level.
    Differs: nothing. *)
Theorem checked f r o l near : check f r o l near = true -> meaning f r o l.
Proof.
  unfold check, meaning. intros H. apply andb_prop in H as [H each].
  apply andb_prop in H as [ok some]. split; [now apply speaks_sound|].
  destruct r; cbn [says_of says_where].
  - split; [now apply one_sound with l near|now apply one_where with near].
  - split; [now apply several_sound with l near|now apply several_where with near].
  - apply table_as_one in each.
    split; [now apply one_sound with l near|now apply one_where with near].
Qed.

(** What a redaction of a chain of bits leaks about one record. *)
Inductive relation := NoMore (e : level) | Just (e : level) | NoLess (e : level) | More (e : level)
  | Everything.
Definition redaction_says c l named o : Prop := match o with
  | NoMore e => leaks_at_most c l e
  | Just e => leaks_at_most c l e /\ leaks_at_least c l named e
  | NoLess e => leaks_at_least c l named e
  | More e => leaks_more c l named e
  | Everything => leaks_everything c l named end.
(** The promise is about something here: the private record may be 0, and may be 1. *)
Definition private_may_be c l b := (0 < P (chain_law c) (value_is c l b))%R.
Definition redaction_meaning c l named o : Prop :=
  (forall b, private_may_be c l b) /\ well_formed_redaction c l /\ redaction_says c l named o.
(** Hints: fractions near e^level on both sides, bits of slopes, an output if none is named. *)
Record walk_hint := WalkHint { near : bound; width_of_slopes : Z; worst_output : output }.
Definition private_speaks c l bits : bool := check_input c (spread l) &&
  match prior_cone bits c (spread l) with Some q => positive_cone q | None => false end.
Definition check_redaction c l named o h : bool :=
  let b := width_of_slopes h in let y := worst_output h in let r := near h in
  private_speaks c l b && match o with
  | NoMore e => check_most c l e r b
  | Just e => check_most c l e r b && check_least c l named y e r b
  | NoLess e => check_least c l named y e r b
  | More e => is_reached e r &&
      check_output c l (hinted named y) b (above_ratio (num r) (den r))
  | Everything => check_output c l (hinted named y) b no_ratio end.

Lemma private_speaks_sound c l bits : private_speaks c l bits = true ->
  forall b, private_may_be c l b.
Proof.
  intros H. apply andb_prop in H as [ok H].
  destruct (prior_cone bits c (spread l)) as [q|] eqn:E; [|easy].
  destruct (prior_sound c l ok bits q E) as [_ [hq lq]].
  destruct (positive_sound _ _ H hq lq) as [p0 p1]. intros []; assumption.
Qed.

(** What the checker of redactions accepts is true, whatever the hint.
    Differs: where no output is named, that some output reaches a level, not which. *)
Theorem checked_redaction c l named o h : check_redaction c l named o h = true ->
  redaction_meaning c l named o.
Proof.
  unfold check_redaction, redaction_meaning. cbv zeta. intros H. apply andb_prop in H as [some H].
  split; [now apply private_speaks_sound with (width_of_slopes h)|]. destruct o.
  - exact (redaction_most_of _ _ _ _ _ H).
  - exact (redaction_equals_of _ _ _ _ _ _ _ H).
  - exact (redaction_least_of _ _ _ _ _ _ _ H).
  - exact (redaction_more_of _ _ _ _ _ _ _ H).
  - exact (redaction_everything_of _ _ _ _ _ H).
Qed.

(** Bounds a/b of e^q or of log q for q = n/d; one that is left out is not claimed. *)
Definition bounds_hold (log : bool) n d (lower upper : option (Z * positive)) : Prop :=
  match lower with
  | Some (a, b) => if log then log_at_least n d a b else exp_at_least n d a b
  | None => True end /\
  match upper with
  | Some (a, b) => if log then log_at_most n d a b else exp_at_most n d a b
  | None => True end.
Definition check_bounds (log : bool) n d lower upper k k' : bool :=
  match lower with
  | Some (a, b) => if log then exp_below a b n d k else exp_above n d a b k
  | None => true end &&
  match upper with
  | Some (a, b) => if log then (0 <? n)%Z && exp_above a b n d k' else exp_below n d a b k'
  | None => true end.

(** What the checker of bounds accepts is true, whatever the hints.
    Differs: nothing. *)
Theorem checked_bounds log n d lower upper k k' :
  check_bounds log n d lower upper k k' = true -> bounds_hold log n d lower upper.
Proof.
  intros H. apply andb_prop in H as [low high]. split.
  - destruct lower as [[a b]|]; [|easy]. destruct log.
    + now apply log_above_of with k.
    + now apply exp_above_of with k.
  - destruct upper as [[a b]|]; [|easy]. destruct log.
    + now apply log_below_of with k'.
    + now apply exp_below_of with k'.
Qed.
