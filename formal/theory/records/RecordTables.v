(** From levels per record to a promise: records that are shown are conditioned on, the others are
    hidden by what a mechanism does to one record. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Means.
Import ListNotations.
Open Scope R_scope.

(** Two tables of n records that differ in record j alone, counted from 0. *)
Definition but_for {A} j {n} (x y : vec A n) :=
  forall k, k <> j -> nth_error (list_of x) k = nth_error (list_of y) k.
(** M has the level r j for every record j that is hidden. *)
Definition levels {A W n} (hidden : nat -> bool) (r : nat -> R) (M : vec A n -> W -> R) :=
  forall j x y w, hidden j = true -> but_for j x y -> M x w <= r j * M y w.
(** The product of these levels. *)
Definition of_hidden (hidden : nat -> bool) (r : nat -> R) n :=
  prod (seq 0 n) (fun j => if hidden j then r j else 1).
Definition next_record {B} (f : nat -> B) j := f (S j).

Lemma of_hidden_next hidden r n : of_hidden hidden r (S n) =
  (if hidden 0%nat then r 0%nat else 1) * of_hidden (next_record hidden) (next_record r) n.
Proof.
  unfold of_hidden. simpl. f_equal. rewrite <- seq_shift. induction (seq 0 n); simpl; [easy|].
  now rewrite IHl.
Qed.

Lemma of_hidden_nonneg hidden r n : (forall j, 0 <= r j) -> 0 <= of_hidden hidden r n.
Proof. intros r0. apply prod_nonneg. intros j. destruct (hidden j); [auto|lra]. Qed.

(** What is shown of a table. *)
Fixpoint shown {A} (hidden : nat -> bool) {n} : vec A n -> vec (option A) n :=
  match n with O => fun _ => tt
  | S n => fun v => (if hidden 0%nat then None else Some (fst v),
                     shown (next_record hidden) (snd v)) end.

Section Tables.
Context {A W : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

(** Tables that show the same: one hidden record after the other is replaced. *)
Lemma hidden_records hidden r n (M : vec A n -> W -> R) x y w :
  likelihood M -> levels hidden r M -> shown hidden x = shown hidden y ->
  M x w <= of_hidden hidden r n * M y w.
Proof.
  intros M0. revert hidden r M M0 x y w.
  induction n as [|n IH]; intros hidden r M M0 x y w lev same.
  - destruct x, y. unfold of_hidden; simpl. lra.
  - destruct x as [a u], y as [b v]. rewrite of_hidden_next.
    assert (sign : 0 <= (if hidden 0%nat then r 0%nat else 1) \/ forall z, M z w = 0).
    { destruct (hidden 0%nat) eqn:h; [|left; lra]. destruct (Rle_lt_dec 0 (r 0%nat)); [now left|].
      right; intros z. specialize (lev 0%nat z z w h (fun _ _ => eq_refl)). specialize (M0 z w).
      nra. }
    destruct sign as [r0|none]; [|rewrite !none; lra].
    injection same as head tail.
    assert (step : M (a, u) w <= (if hidden 0%nat then r 0%nat else 1) * M (b, u) w).
    { destruct (hidden 0%nat) eqn:h.
      - apply lev; [easy|]. intros [|k] ne; [congruence|easy].
      - injection head as ->. lra. }
    apply Rle_trans with (1 := step). rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact r0|].
    apply (IH (next_record hidden) (next_record r) (fun v => M (b, v))); auto.
    + intros z c; apply M0.
    + intros j z z' c h diff. apply (lev (S j)); [easy|].
      intros [|k] ne; [easy|]. apply diff. congruence.
Qed.

Definition decide_shown n : forall x y : vec (option A) n, {x = y} + {x <> y}.
Proof. apply vec_dec. decide equality. Defined.

(** The laws of what is shown, given s and given t, are at most a factor I apart. *)
Definition influence_of_shown {n} hidden I (p : vec A n -> R) s t :=
  influence_at_most (decide_shown n) (shown hidden) I p s t.

(** Translation (general.translate; bai2026, section 6.2, repaired): levels r j for the hidden
    records and the influence I of the others give I times their product.
    Differs: levels may differ from record to record; tables have all combinations of values, which
    the print needs; records are finite; one prior and one pair; ratios instead of levels. *)
Theorem translate {n} hidden r I p (s t : @secret (vec A n)) (M : vec A n -> W -> R) w :
  law p -> likelihood M -> levels hidden r M -> influence_of_shown hidden I p s t ->
  Pw p M s w * P p t <= I * of_hidden hidden r n * P p s * Pw p M t w.
Proof.
  intros Lp M0 lev infl.
  apply (coarse_fine (decide_shown n) p M s t (shown hidden)); auto.
  intros x y same. now apply hidden_records.
Qed.

(** Translation by a point (b, a) of the influence curve (bai2026, section 6.2, repaired): b hidden
    records at the level eps each and the influence a of the others promise b eps + a.
    Differs: as [translate]. *)
Theorem translate_by_curve {n} hidden eps a p (s t : @secret (vec A n)) (M : vec A n -> W -> R) w :
  law p -> likelihood M ->
  levels hidden (fun _ => exp eps) M -> influence_of_shown hidden (exp a) p s t ->
  let b := length (filter hidden (seq 0 n)) in
  Pw p M s w * P p t <= exp (INR b * eps + a) * P p s * Pw p M t w.
Proof.
  intros Lp M0 lev infl b.
  replace (exp (INR b * eps + a)) with (exp a * of_hidden hidden (fun _ => exp eps) n).
  - now apply translate.
  - rewrite exp_plus, Rmult_comm. f_equal. unfold b, of_hidden.
    induction (seq 0 n) as [|j l IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
    cbn [prod filter]. rewrite IH. destruct (hidden j); [|ring].
    cbn [length]. rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus. ring.
Qed.
End Tables.

(** Releases one after the other, each chosen by the outputs before it. *)
Fixpoint adaptive {D W} (Ms : list (list W -> D -> W -> R)) past (x : D) (ws : list W) : R :=
  match Ms, ws with [], [] => 1
  | M :: Ms, w :: ws => M past x w * adaptive Ms (past ++ [w]) x ws | _, _ => 0 end.

Lemma adaptive_of_length {D W} (Ms : list (list W -> D -> W -> R)) past x ws :
  length ws <> length Ms -> adaptive Ms past x ws = 0.
Proof.
  revert past ws. induction Ms as [|M Ms IH]; intros past [|w ws] ne; simpl in *; try easy.
  rewrite IH by congruence. ring.
Qed.

(** What releases spend of records, level after level, each as the outputs before it made it. *)
Fixpoint spent {W} (rs : list (list W -> nat -> R)) past (ws : list W) j : R := match rs, ws with
  r :: rs, w :: ws => r past j * spent rs (past ++ [w]) ws j | _, _ => 1 end.

Section Accounts.
Context {A W : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}) {n : nat}.
Implicit Types (M : list W -> vec A n -> W -> R) (r : list W -> nat -> R).

(** A release has levels for records, both as the outputs before it make them. *)
Definition good (hidden : nat -> bool)
  (Mr : (list W -> vec A n -> W -> R) * (list W -> nat -> R)) :=
  forall past, likelihood (fst Mr past) /\ levels hidden (snd Mr past) (fst Mr past).

Lemma adaptive_nonneg (Ms : list (list W -> vec A n -> W -> R)) past x ws :
  (forall M past, In M Ms -> likelihood (M past)) -> 0 <= adaptive Ms past x ws.
Proof.
  revert past ws; induction Ms as [|M Ms IH]; intros past [|w ws] M0; simpl; try lra.
  apply Rmult_le_pos; [apply M0; now left|apply IH; intros; apply M0; now right].
Qed.

Lemma levels_multiply hidden Mrs past ws : (forall Mr, In Mr Mrs -> good hidden Mr) ->
  levels hidden (spent (map snd Mrs) past ws)
    (fun x (_ : unit) => adaptive (map fst Mrs) past x ws).
Proof.
  intros each j x y _ h diff. revert past ws.
  induction Mrs as [|[M r] Mrs IH]; intros past [|w ws]; simpl; try lra.
  destruct (each (M, r) (or_introl eq_refl) past) as [M0 lev]. simpl in *.
  specialize (lev j x y w h diff).
  specialize (IH (fun Mr i => each Mr (or_intror i)) (past ++ [w]) ws).
  set (S := spent (map snd Mrs) (past ++ [w]) ws j) in *.
  set (rest := adaptive (map fst Mrs) (past ++ [w])) in *.
  apply Rle_trans with (r past j * M past y w * (S * rest y ws)); [|right; ring].
  apply Rmult_le_compat; [apply M0| |exact lev|exact IH].
  apply adaptive_nonneg. intros N q i. apply in_map_iff in i as [[N' r'] [<- i]].
  apply (each (N', r') (or_intror i) q).
Qed.

(** Composition of quilt accounts (general.quilt-account): releases chosen one after the other, each
    with its levels for the same hidden records, pay the influence of the others once.
    Differs: records are finite; one prior and one pair; ratios instead of levels; levels are chosen
    by the outputs before as mechanisms are, and what counts is what was spent at this output. *)
Theorem quilt_account hidden I B p (s t : @secret (vec A n))
  (Mrs : list ((list W -> vec A n -> W -> R) * (list W -> nat -> R))) ws :
  law p -> (forall Mr, In Mr Mrs -> good hidden Mr) ->
  of_hidden hidden (spent (map snd Mrs) [] ws) n <= B -> influence_of_shown dA hidden I p s t ->
  let joint := adaptive (map fst Mrs) [] in
  Pw p joint s ws * P p t <= I * B * P p s * Pw p joint t ws.
Proof.
  intros Lp each within infl joint.
  assert (pos : likelihood (fun x (_ : unit) => joint x ws)).
  { intros x v. apply adaptive_nonneg. intros N q i.
    apply in_map_iff in i as [[N' r'] [<- i]]. apply (each (N', r') i q). }
  apply (coarse_fine (decide_shown dA n) p (fun x (_ : unit) => joint x ws) s t (shown hidden))
    with (w := tt); auto.
  intros x y same. set (spends := spent (map snd Mrs) [] ws) in *.
  apply Rle_trans with (of_hidden hidden spends n * joint y ws).
  - apply (hidden_records hidden _ n (fun z (_ : unit) => joint z ws) x y tt pos); [|exact same].
    now apply levels_multiply.
  - apply Rmult_le_compat_r; [apply (pos y tt)|exact within].
Qed.
End Accounts.
