(** Mechanisms that see all records, given by tables: what they leak and release, by computation.
    [Designs] has what is stated. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Laws Indices Tables Levels Released Redactions Cones
  Redacted Designs Priced.
Import ListNotations.
Open Scope Z_scope.

(** The private value, the output, and how likely both are together, times a unit. *)
Definition entries c n t : list (bool * (output * Z)) := flat_map (fun l =>
  map (fun e => (nth (place c) l false, (fst e, weigh c l * snd e))) (row_of t l)) (words n).
Definition seen_with es y b : Z := added es (fun x =>
  if eqb (fst x) b then if same_output y (fst (snd x)) then snd (snd x) else 0 else 0).
Definition told_once (es : list (bool * (output * Z))) : list output :=
  fold_right (fun x ys => if existsb (same_output (fst (snd x))) ys then ys else fst (snd x) :: ys)
  [] es.

Definition check_rows n t : bool := (0 <? answer_unit t) && forallb (fun l =>
  let row := row_of t l in
  forallb (fun e => (0 <=? snd e) && truthful l (fst e)) row &&
  (added row snd =? answer_unit t)) (words n).
Definition each_way (test : bool -> bool) := test true && test false.
Definition check_within c es ys (x : Z * positive) : bool := forallb (fun y =>
  each_way (fun b => seen_with es y b * starts c (negb b) * Zpos (snd x) <=?
    fst x * (starts c b * seen_with es y (negb b)))) ys.
Definition reaches c es (x : Z * positive) y b : bool :=
  (0 <? seen_with es y (negb b)) &&
  (fst x * (starts c b * seen_with es y (negb b)) <=?
    seen_with es y b * starts c (negb b) * Zpos (snd x)).
Definition check_reached c es ys x : bool :=
  existsb (fun y => reaches c es x y true || reaches c es x y false) ys.
Definition check_revealed c n t (es : list (bool * (output * Z))) (u : Z * positive) : bool :=
  added es (fun x => snd (snd x) * revealed (fst (snd x))) * Zpos (snd u) =?
  fst u * (Z.of_nat n * (weights_unit c n * answer_unit t)).
Definition as_pair (b : bound) : Z * positive := (num b, den b).
Definition check_central c n t e d below (k : option priced) : bool :=
  let es := entries c n t in let ys := told_once es in
  check_place c n && check_rows n t && is_below e below &&
  check_within c es ys (as_pair below) && check_within c es ys (at_most d) &&
  check_reached c es ys (at_least d) && check_revealed c n t es (utility d) &&
  match no_more d, k with
  | None, _ => true
  | Some (Anything, u), Some k => check_prices c n e k u
  | _, _ => false end.
Open Scope R_scope.

Lemma same_output_eq y w : same_output y w = true <-> y = w.
Proof.
  split.
  - revert w; induction y as [|o y IH]; intros [|o' w] H; try easy. simpl in H.
    apply andb_prop in H as [h H]. rewrite (IH w H). f_equal.
    destruct o as [x|], o' as [x'|]; try easy. simpl in h. now apply eqb_prop in h as ->.
  - intros <-. induction y as [|o y IH]; [easy|]. simpl. rewrite IH.
    destruct o as [x|]; [simpl; now rewrite eqb_reflx|easy].
Qed.
Lemma told_once_in x es : In x es -> In (fst (snd x)) (told_once es).
Proof.
  induction es as [|a es IH]; [easy|]. intros i. cbn [told_once fold_right]. fold (told_once es).
  destruct existsb eqn:E; destruct i as [->|i]; try (now auto); try (now right; auto); [|now left].
  apply existsb_exists in E as [y [iy same]]. apply same_output_eq in same. congruence.
Qed.
Lemma truthful_length l y : truthful l y = true -> length y = length l.
Proof.
  revert y; induction l as [|x l IH]; intros [|o y] H; try easy. simpl in *.
  apply andb_prop in H as [_ H]. now rewrite (IH y H).
Qed.
Lemma sum_flat_map {A B} (l : list A) (h : A -> list B) (f : B -> R) :
  sum (flat_map h l) f = sum l (fun x => sum (h x) f).
Proof. induction l as [|x l IH]; [easy|]. simpl. now rewrite sum_app, IH. Qed.

(** Every output is one of all, once. *)
Lemma one_output y : forall (g : output -> R),
  sum (outputs_of (length y)) (fun w => if same_output w y then g w else 0) = g y.
Proof.
  induction y as [|o y IH]; intros g; [simpl; ring|]. cbn [length outputs_of flat_map].
  rewrite app_nil_r, !sum_app, !sum_map. cbn [same_output]. change (list (option bool)) with output.
  assert (other : forall o', same_symbol o' o = false ->
    sum (outputs_of (length y)) (fun w => if same_symbol o' o && same_output w y
      then g (o' :: w) else 0) = 0) by (intros o' ->; apply sum_0).
  assert (this : sum (outputs_of (length y)) (fun w => if same_symbol o o && same_output w y
      then g (o :: w) else 0) = g (o :: y)).
  { assert (same_symbol o o = true) as -> by (destruct o as [[]|]; easy).
    exact (IH (fun w => g (o :: w))). }
  destruct o as [[]|].
  - rewrite (other None), (other (Some false)), this by easy. ring.
  - rewrite (other None), (other (Some true)), this by easy. ring.
  - rewrite (other (Some true)), (other (Some false)), this by easy. ring.
Qed.

Section Table.
Context (c : chain) (n : nat) (t : answers).
Context (ok : check_place c n = true) (rows_ok : check_rows n t = true).
Notation es := (entries c n t).
Notation K := (IZR (weights_unit c n)).
Notation U := (IZR (answer_unit t)).

Lemma table_reads (v : word n) : 0 < U /\ IZR (added (row_of t (values v)) snd) = U /\
  forall e, In e (row_of t (values v)) -> 0 <= IZR (snd e) /\ truthful (values v) (fst e) = true.
Proof.
  apply andb_prop in rows_ok as [u rows]. rewrite forallb_forall in rows.
  specialize (rows _ (values_in n v)). cbv zeta in rows. apply andb_prop in rows as [each total].
  apply Z.ltb_lt, IZR_lt in u. apply Z.eqb_eq in total. split; [easy|].
  split; [now rewrite total|]. rewrite forallb_forall in each. intros e i.
  apply each, andb_prop in i as [p tr]. apply Z.leb_le, IZR_le in p. auto.
Qed.

Lemma told_total (v : word n) (g : output -> R) :
  sum (outputs_of n) (fun y => tells t v y * g y) =
  sum (row_of t (values v)) (fun e => IZR (snd e) * g (fst e)) / U.
Proof.
  destruct (table_reads v) as [u0 [_ each]].
  transitivity (/ U * sum (outputs_of n) (fun y => sum (row_of t (values v)) (fun e =>
    if same_output y (fst e) then IZR (snd e) * g y else 0))).
  - rewrite <- sum_scale. apply sum_ext; intros y _. unfold tells, Rdiv.
    rewrite (Rmult_comm _ (/ U)), Rmult_assoc. f_equal. rewrite Rmult_comm, <- sum_scale.
    apply sum_ext; intros e _. destruct same_output; ring.
  - unfold Rdiv. rewrite Rmult_comm. f_equal. rewrite sum_swap. apply sum_ext; intros e i.
    destruct (each e i) as [_ tr]. apply truthful_length in tr. rewrite values_length in tr.
    rewrite <- tr. exact (one_output (fst e) (fun w => IZR (snd e) * g w)).
Qed.

Lemma tells_all : sees_all (tells t (n := n)).
Proof.
  intros v. destruct (table_reads v) as [u0 [total each]]. repeat split.
  - intros y. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
    apply sum_nonneg; intros e i. destruct same_output; [exact (proj1 (each e i))|lra].
  - intros y no. unfold tells, Rdiv. apply Rmult_eq_0_compat_r.
    rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_0|]. intros e i.
    destruct same_output eqn:same; [|easy]. apply same_output_eq in same. destruct (each e i).
    congruence.
  - transitivity (sum (outputs_of n) (fun y => tells t v y * 1)); [apply sum_ext; intros; ring|].
    rewrite told_total. rewrite (sum_ext _ _ (fun e => IZR (snd e))) by (intros; ring).
    rewrite <- added_reads, total. field. lra.
Qed.

(** Sums over databases are sums over entries. *)
Lemma entries_total (g : bool -> output -> R) :
  (Σ v : word n, chain_law c v *
    (sum (row_of t (values v)) (fun e => IZR (snd e) * g (nth (place c) (values v) false) (fst e))
      / U)) = sum es (fun x => IZR (snd (snd x)) * g (fst x) (fst (snd x))) / (K * U).
Proof.
  destruct (place_reads c n ok) as [chain_ok [_ [_ [_ [_ small]]]]].
  pose proof (units_pos c chain_ok n) as k0.
  assert (u0 : 0 < U) by (apply andb_prop in rows_ok as [u _]; now apply Z.ltb_lt, IZR_lt in u).
  unfold entries. rewrite sum_flat_map. unfold Rdiv. rewrite Rmult_comm.
  rewrite <- (Rmult_1_r (sum (words n) _)).
  rewrite <- Sum_words, Rmult_1_r, <- sum_scale. apply sum_ext; intros v _.
  rewrite sum_map. cbn [fst snd]. unfold chain_law.
  rewrite (weigh_reads c chain_ok (values v) n) by (try apply values_length; lia).
  rewrite (sum_ext _ (fun e => IZR (weigh c (values v) * snd e) * _)
    (fun e => IZR (weigh c (values v)) *
      (IZR (snd e) * g (nth (place c) (values v) false) (fst e))))
    by (intros; rewrite mult_IZR; ring).
  rewrite sum_scale. field. lra.
Qed.

Lemma seen_reads y b : Pw (chain_law c) (tells t (n := n)) (bit_is c n b) y =
  IZR (seen_with es y b) / (K * U).
Proof.
  unfold seen_with. rewrite added_reads.
  transitivity (sum es (fun x => IZR (snd (snd x)) *
    (if eqb (fst x) b then if same_output y (fst (snd x)) then 1 else 0 else 0)) / (K * U));
    [|f_equal; apply sum_ext; intros x _; destruct (eqb (fst x) b); [destruct same_output|]; ring].
  rewrite <- (entries_total (fun a w => if eqb a b then if same_output y w then 1 else 0 else 0)).
  apply sum_ext; intros v _. unfold inside, bit_is, tells.
  
  destruct (eqb (nth (place c) (values v) false) b).
  - f_equal. f_equal. apply sum_ext; intros e _. destruct same_output; ring.
  - rewrite (sum_ext (row_of t (values v)) (fun e => IZR (snd e) * 0) (fun _ => 0))
      by (intros; ring). rewrite sum_0. unfold Rdiv. ring.
Qed.

Lemma kept_reads r b y :
  (Pw (chain_law c) (tells t (n := n)) (bit_is c n b) y * P (chain_law c) (bit_is c n (negb b)) <=
    r * P (chain_law c) (bit_is c n b) *
    Pw (chain_law c) (tells t (n := n)) (bit_is c n (negb b)) y) <->
  IZR (seen_with es y b) * IZR (starts c (negb b)) <=
    r * (IZR (starts c b) * IZR (seen_with es y (negb b))).
Proof.
  destruct (place_reads c n ok) as [chain_ok [_ [z0 [o0 _]]]].
  pose proof (units_pos c chain_ok n) as k0.
  assert (u0 : 0 < U) by (apply andb_prop in rows_ok as [u _]; now apply Z.ltb_lt, IZR_lt in u).
  rewrite !seen_reads, !bit_likely by easy.
  assert (s : forall b, start c b = IZR (starts c b) / (IZR (first_zero c) + IZR (first_one c))).
  { intros []; unfold start; now rewrite plus_IZR. }
  rewrite !s. set (S := IZR (first_zero c) + IZR (first_one c)).
  assert (s0 : 0 < S) by (unfold S; lra).
  assert (q0 : 0 < K * U * S) by (repeat apply Rmult_lt_0_compat; easy).
  replace (IZR (seen_with es y b) / (K * U) * (IZR (starts c (negb b)) / S)) with
    (IZR (seen_with es y b) * IZR (starts c (negb b)) * / (K * U * S)) by (field; lra).
  replace (r * (IZR (starts c b) / S) * (IZR (seen_with es y (negb b)) / (K * U))) with
    (r * (IZR (starts c b) * IZR (seen_with es y (negb b))) * / (K * U * S)) by (field; lra).
  split; intros H.
  - apply (Rmult_le_reg_r (/ (K * U * S))); [now apply Rinv_0_lt_compat|easy].
  - apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|easy].
Qed.

Lemma within_sound x r : check_within c es (told_once es) x = true ->
  IZR (fst x) / IZR (Zpos (snd x)) <= r -> promises c r (tells t (n := n)).
Proof.
  intros H le p s s' y <- [b [-> ->]] Ps Pt. apply kept_reads.
  assert (d0 : 0 < IZR (Zpos (snd x))) by now apply IZR_lt.
  assert (none : ~ In y (told_once es) -> forall b, seen_with es y b = 0%Z).
  { intros no b'. apply eq_IZR. unfold seen_with. rewrite added_reads.
    rewrite (sum_ext _ _ (fun _ => 0)); [apply sum_0|]. intros a i. destruct eqb; [|easy].
    destruct same_output eqn:same; [|easy]. apply same_output_eq in same. subst y.
    destruct no. now apply told_once_in. }
  assert (pos : 0 <= IZR (starts c b) * IZR (seen_with es y (negb b))).
  { destruct (place_reads c n ok) as [_ [_ [z0 [o0 _]]]].
    apply Rmult_le_pos; [destruct b; simpl; lra|]. unfold seen_with. rewrite added_reads.
    apply sum_nonneg; intros a i. destruct eqb; [|lra]. destruct same_output; [|lra].
    destruct (place_reads c n ok) as [chain_ok [_ [_ [_ [_ small]]]]].
    unfold entries in i. apply in_flat_map in i as [l [il i]].
    apply in_map_iff in i as [e [<- i]]. cbn [snd]. rewrite mult_IZR.
    assert (wv : exists v : word n, values v = l).
    { clear - il. revert l il; induction n as [|n' IH]; intros l il.
      - destruct il as [<-|[]]. now exists tt.
      - cbn [words] in il. apply in_app_or in il as [il|il]; apply in_map_iff in il as [m [<- im]];
          destruct (IH m im) as [v <-]; [now exists (true, v)|now exists (false, v)]. }
    destruct wv as [v <-]. apply Rmult_le_pos; [|now apply (table_reads v)].
    pose proof (units_pos c chain_ok n) as k0.
    pose proof (proj1 (chain_is_law c chain_ok n ltac:(lia)) v) as w. unfold chain_law in w.
    rewrite (weigh_reads c chain_ok (values v) n) in w by (try apply values_length; lia).
    apply (Rmult_le_reg_r (/ K)); [now apply Rinv_0_lt_compat|]. unfold Rdiv in w. lra. }
  destruct (in_dec (list_eq_dec (fun a b : option bool => ltac:(repeat decide equality)))
    y (told_once es)) as [i|no].
  - unfold check_within in H. rewrite forallb_forall in H. specialize (H y i).
    apply andb_prop in H as [ht hf].
    assert (h : IZR (seen_with es y b) * IZR (starts c (negb b)) * IZR (Zpos (snd x)) <=
      IZR (fst x) * (IZR (starts c b) * IZR (seen_with es y (negb b)))).
    { destruct b; [apply Z.leb_le, IZR_le in ht|apply Z.leb_le, IZR_le in hf];
        rewrite !mult_IZR in *; assumption. }
    apply (Rmult_le_compat_r _ _ _ pos) in le. apply Rle_trans with (2 := le).
    apply (Rmult_le_reg_r (IZR (Zpos (snd x)))); [easy|]. apply Rle_trans with (1 := h).
    right. field. lra.
  - rewrite !(none no) in *. rewrite Rmult_0_l, Rmult_0_r. right. ring.
Qed.

Lemma reached_by x r : check_reached c es (told_once es) x = true ->
  promises c r (tells t (n := n)) -> of_pair x <= r.
Proof.
  intros H promise. apply existsb_exists in H as [y [_ H]].
  assert (d0 : 0 < IZR (Zpos (snd x))) by now apply IZR_lt.
  assert (there : exists b, reaches c es x y b = true).
  { apply orb_prop in H as [H|H]; eauto. }
  destruct there as [b there]. unfold reaches in there. apply andb_prop in there as [pos more].
  apply Z.ltb_lt, IZR_lt in pos. apply Z.leb_le, IZR_le in more. rewrite !mult_IZR in more.
  pose proof (promise _ (bit_is c n b) (bit_is c n (negb b)) y eq_refl
    (ex_intro _ b (conj eq_refl eq_refl))) as kept_by.
  rewrite !bit_likely in kept_by by easy.
  specialize (kept_by (start_pos c n b ok) (start_pos c n (negb b) ok)).
  rewrite <- !(bit_likely c n _ ok) in kept_by. apply kept_reads in kept_by.
  assert (s0 : 0 < IZR (starts c b)).
  { destruct (place_reads c n ok) as [_ [_ [z0 [o0 _]]]]. now destruct b. }
  pose proof (Rmult_lt_0_compat _ _ s0 pos) as q0. unfold of_pair.
  apply (Rmult_le_reg_r (IZR (Zpos (snd x)))); [easy|].
  apply (Rmult_le_reg_r (IZR (starts c b) * IZR (seen_with es y (negb b)))); [easy|].
  replace (IZR (fst x) / IZR (Zpos (snd x)) * IZR (Zpos (snd x))) with (IZR (fst x))
    by (field; lra).
  apply Rle_trans with (1 := more).
  apply (Rmult_le_compat_r (IZR (Zpos (snd x)))) in kept_by; lra.
Qed.

Lemma revealed_sound u : check_revealed c n t es u = true ->
  reveals c (tells t (n := n)) = of_pair u.
Proof.
  intros H. apply Z.eqb_eq, (f_equal IZR) in H. rewrite !mult_IZR, added_reads in H.
  destruct (place_reads c n ok) as [chain_ok [_ [_ [_ [_ small]]]]].
  pose proof (units_pos c chain_ok n) as k0.
  assert (u0 : 0 < U) by (apply andb_prop in rows_ok as [a _]; now apply Z.ltb_lt, IZR_lt in a).
  assert (n0 : 0 < IZR (Z.of_nat n)) by (apply IZR_lt; lia).
  assert (d0 : 0 < IZR (Zpos (snd u))) by now apply IZR_lt.
  unfold reveals, of_pair. rewrite INR_IZR_INZ.
  rewrite (sum_ext all _ (fun v : word n => chain_law c v *
    (sum (row_of t (values v)) (fun e => IZR (snd e) * IZR (revealed (fst e))) / U)))
    by (intros; now rewrite told_total).
  rewrite (entries_total (fun _ y => IZR (revealed y))).
  rewrite (sum_ext es (fun x => IZR (snd (snd x)) * IZR (revealed (fst (snd x))))
    (fun x => IZR (snd (snd x) * revealed (fst (snd x))))) by (intros; now rewrite mult_IZR).
  set (T := sum es _) in *.
  apply (Rmult_eq_reg_r (IZR (Z.of_nat n) * (K * U) * IZR (Zpos (snd u))));
    [|apply Rgt_not_eq; repeat apply Rmult_lt_0_compat; easy].
  replace (T / (K * U) / IZR (Z.of_nat n) * (IZR (Z.of_nat n) * (K * U) * IZR (Zpos (snd u))))
    with (T * IZR (Zpos (snd u))) by (field; lra). rewrite H. field. lra.
Qed.
End Table.

Lemma central_sound c n t e d below k : check_central c n t e d below k = true ->
  is_central c n t e d.
Proof.
  unfold check_central. cbv zeta. intros H. apply andb_prop in H as [H best].
  apply andb_prop in H as [H shows_so]. apply andb_prop in H as [H least].
  apply andb_prop in H as [H most]. apply andb_prop in H as [H level_kept].
  apply andb_prop in H as [H under]. apply andb_prop in H as [ok rows_ok].
  destruct (place_reads c n ok) as [chain_ok [_ [_ [_ [pr small]]]]].
  split; [apply chain_is_law; [easy|lia]|]. split; [easy|].
  split; [eapply tells_all; eassumption|].
  split; [exact (within_sound c n t ok rows_ok _ _ level_kept (below_sound _ _ _ _ _ _ _ under))|].
  split; [exact (within_sound c n t ok rows_ok _ _ most (Rle_refl _))|].
  split; [intros r; exact (reached_by c n t ok rows_ok _ r least)|].
  split; [exact (revealed_sound c n t ok rows_ok _ shows_so)|].
  destruct (no_more d) as [[[] u]|]; try easy. destruct k as [k|]; [|easy].
  now apply (prices_sound c n e k).
Qed.
