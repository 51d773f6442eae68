(** The worst that levels per bit do along a chain of bits: a recursion, which is exact. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Chain ChainQuilts RecordTables.
Import ListNotations.
Open Scope R_scope.

(** (P11 t + P10)/(P01 t + P00), for the rows given 1 and given 0 of a step. *)
Definition quotient (one zero : bool -> R) t :=
  (one true * t + one false) / (zero true * t + zero false).

Section Recursion.
Context (T : nat -> bool -> bool -> R) (lev : nat -> R).
Hypotheses (LT : forall k x, law (T k x)) (lev1 : forall k, 1 <= lev k).

(** What n bits after bit k contribute to the ratio of 1 against 0 of bit k, and of 0 against 1: for
    S and D the messages up and down of the next bit, the larger value of the two ends S and 1/D. *)
Fixpoint turn k n : R * R := match n with O => (1, 1) | S n =>
  let up := lev (S k) * fst (turn (S k) n) in
  let down := lev (S k) * snd (turn (S k) n) in
  let g := quotient (T k true) (T k false) in
  (Rmax (g up) (g (/ down)), Rmax (/ g up) (/ g (/ down))) end.

(** A column of n bits of which the first is bit k: changing one bit changes it by at most its
    level. *)
Definition column k {n} (u : vec bool n -> R) := (forall v, 0 <= u v) /\
  forall j x y, but_for j x y -> u x <= lev (j + k)%nat * u y.
(** Its mean over the n bits after bit k, given bit k. *)
Definition mean k {n} (u : vec bool n -> R) b := Σ v, steps T k b (list_of v) * u v.

Lemma mean_next k n (u : vec bool (S n) -> R) b :
  mean k u b = T k b true * mean (S k) (fun v => u (true, v)) true +
               T k b false * mean (S k) (fun v => u (false, v)) false.
Proof.
  unfold mean. transitivity (Σ c, Σ v : vec bool n, steps T k b (c :: list_of v) * u (c, v)).
  { apply (@Sum_pairs bool (vec bool n)). }
  simpl. rewrite Rplus_0_r. rewrite <- !sum_scale.
  f_equal; apply sum_ext; intros v _; ring.
Qed.

Lemma mean_nonneg k n (u : vec bool n -> R) b : (forall v, 0 <= u v) -> 0 <= mean k u b.
Proof.
  intros u0. apply sum_nonneg; intros v _. apply Rmult_le_pos; auto. now apply (steps_nonneg T LT).
Qed.

Lemma mean_below k n (u v : vec bool n -> R) c b : (forall x, u x <= c * v x) ->
  mean k u b <= c * mean k v b.
Proof.
  intros le. unfold mean. rewrite <- sum_scale. apply sum_le; intros x _.
  replace (c * (steps T k b (list_of x) * v x)) with (steps T k b (list_of x) * (c * v x)) by ring.
  apply Rmult_le_compat_l; auto. now apply (steps_nonneg T LT).
Qed.

Lemma row k b : T k b true + T k b false = 1 /\ 0 <= T k b true /\ 0 <= T k b false.
Proof. destruct (LT k b) as [pos one]. cbn -[IZR] in one. repeat split; auto. lra. Qed.

Lemma denominator k b t : 0 < t -> 0 < T k b true * t + T k b false.
Proof.
  intros t0. destruct (row k b) as [one [a c]]. destruct a as [pos|zero].
  - pose proof (Rmult_lt_0_compat _ _ pos t0). lra.
  - rewrite <- zero in *. lra.
Qed.

Lemma turn_pos k n : 0 < fst (turn k n) /\ 0 < snd (turn k n).
Proof.
  revert k; induction n as [|n IH]; intros k; simpl; [lra|].
  destruct (IH (S k)) as [a b]. pose proof (lev1 (S k)).
  assert (q : forall t, 0 < t -> 0 < quotient (T k true) (T k false) t).
  { intros t t0. apply Rdiv_lt_0_compat; now apply denominator. }
  assert (up : 0 < lev (S k) * fst (turn (S k) n)) by (apply Rmult_lt_0_compat; lra).
  split; (eapply Rlt_le_trans; [|apply Rmax_l]); [now apply q|now apply Rinv_0_lt_compat, q].
Qed.

Lemma mean_scale k n c (h : vec bool n -> R) b : mean k (fun v => c * h v) b = c * mean k h b.
Proof. unfold mean. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.

(** Between the ends a linear bound holds if it does at both. *)
Lemma ends P11 P10 P01 P00 up down s m n : 0 < down -> 0 <= n -> 0 <= m ->
  m <= up * n -> n <= down * m ->
  P11 * up + P10 <= s * (P01 * up + P00) ->
  P11 * / down + P10 <= s * (P01 * / down + P00) ->
  P11 * m + P10 * n <= s * (P01 * m + P00 * n).
Proof.
  intros d0 n0 m0 high low at_up at_down.
  destruct (Rle_dec 0 (P11 - s * P01)) as [c|c].
  - apply (Rmult_le_compat_l _ _ _ c) in high. apply (Rmult_le_compat_r n) in at_up; lra.
  - assert (high' : / down * n <= m).
    { apply (Rmult_le_reg_l down); [easy|]. rewrite <- Rmult_assoc, Rinv_r; lra. }
    apply (Rmult_le_compat_l (s * P01 - P11)) in high'; [|lra].
    apply (Rmult_le_compat_r n) in at_down; lra.
Qed.

Lemma of_quotient P11 P10 P01 P00 t s : 0 < P01 * t + P00 ->
  (P11 * t + P10) / (P01 * t + P00) <= s -> P11 * t + P10 <= s * (P01 * t + P00).
Proof.
  intros pos le. apply (Rmult_le_compat_r (P01 * t + P00)) in le; [|lra].
  unfold Rdiv in le. rewrite Rmult_assoc, Rinv_l in le; lra.
Qed.

Lemma swapped one zero t : / quotient one zero t = quotient zero one t.
Proof.
  unfold quotient. unfold Rdiv.
  destruct (Req_EM_T (one true * t + one false) 0) as [->|a].
  - now rewrite Rmult_0_l, Rinv_0, Rmult_0_r.
  - destruct (Req_EM_T (zero true * t + zero false) 0) as [->|b].
    + rewrite Rinv_0, Rmult_0_r, Rinv_0, Rmult_0_l. easy.
    + field. now split.
Qed.

Lemma column_tail k n (u : vec bool (S n) -> R) b : column k u -> column (S k) (fun v => u (b, v)).
Proof.
  intros [u0 lv]. split; [intros v; apply u0|]. intros j x y diff.
  rewrite Nat.add_succ_r. apply (lv (S j)). intros [|i] ne; [easy|]. apply diff. congruence.
Qed.

Lemma column_head k n (u : vec bool (S n) -> R) a b v : column k u ->
  u (a, v) <= lev k * u (b, v).
Proof. intros [_ lv]. apply (lv 0%nat). intros [|i] ne; [congruence|easy]. Qed.

Lemma turn_bounds k n (u : vec bool n -> R) : column (S k) u ->
  mean k u true <= fst (turn k n) * mean k u false /\
  mean k u false <= snd (turn k n) * mean k u true.
Proof.
  revert k u; induction n as [|n IH]; intros k u cu.
  - unfold mean; simpl. lra.
  - rewrite !mean_next.
    set (m := mean (S k) (fun v => u (true, v)) true).
    set (z := mean (S k) (fun v => u (false, v)) false).
    assert (m0 : 0 <= m) by (apply mean_nonneg; intros; apply cu).
    assert (z0 : 0 <= z) by (apply mean_nonneg; intros; apply cu).
    destruct (turn_pos (S k) n) as [a0 b0]. pose proof (lev1 (S k)) as l1.
    cbn [turn fst snd].
    set (up := lev (S k) * fst (turn (S k) n)). set (down := lev (S k) * snd (turn (S k) n)).
    assert (up0 : 0 < up) by (apply Rmult_lt_0_compat; lra).
    assert (down0 : 0 < down) by (apply Rmult_lt_0_compat; lra).
    assert (high : m <= up * z).
    { destruct (IH (S k) (fun v => u (false, v)) (column_tail _ _ u false cu)) as [le _].
      apply Rle_trans with (lev (S k) * mean (S k) (fun v => u (false, v)) true).
      - apply mean_below. intros v. now apply column_head.
      - unfold up. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|exact le]. }
    assert (low : z <= down * m).
    { destruct (IH (S k) (fun v => u (true, v)) (column_tail _ _ u true cu)) as [_ le].
      apply Rle_trans with (lev (S k) * mean (S k) (fun v => u (true, v)) false).
      - apply mean_below. intros v. now apply column_head.
      - unfold down. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|exact le]. }
    assert (inv0 : 0 < / down) by (now apply Rinv_0_lt_compat).
    rewrite !swapped.
    split; apply (ends _ _ _ _ up down); auto; apply of_quotient;
      try (now apply denominator); (apply Rmax_l || apply Rmax_r).
Qed.

(** The end at which the maximum lies is attained by a column of the bits after bit k. *)
Lemma turn_attained k n :
  (exists u : vec bool n -> R, column (S k) u /\ 0 < mean k u false /\
    mean k u true = fst (turn k n) * mean k u false) /\
  (exists u : vec bool n -> R, column (S k) u /\ 0 < mean k u true /\
    mean k u false = snd (turn k n) * mean k u true).
Proof.
  revert k; induction n as [|n IH]; intros k.
  - split; exists (fun _ => 1); (split; [split; [intros; lra|intros j x y _; pose proof
      (lev1 (j + S k)); lra]|]); unfold mean; simpl; lra.
  - destruct (IH (S k)) as [[u [[u0 lu] [up_pos up_]]] [w [[w0 lw] [down_pos down_]]]].
    pose proof (lev1 (S k)) as l1. destruct (turn_pos (S k) n) as [a0 b0].
    set (up := lev (S k) * fst (turn (S k) n)). set (down := lev (S k) * snd (turn (S k) n)).
    assert (upos : 0 < up) by (apply Rmult_lt_0_compat; lra).
    assert (dpos : 0 < down) by (apply Rmult_lt_0_compat; lra).
    (* columns whose means given 1 and 0 of the next bit have the quotients up and 1/down *)
    assert (columns : forall (c : bool -> R) (h : vec bool n -> R), (forall v, 0 <= h v) ->
      (forall j x y, but_for j x y -> h x <= lev (j + S (S k))%nat * h y) ->
      (forall a b, 0 <= c a <= lev (S k) * c b) ->
      column (S k) (fun v : vec bool (S n) => c (fst v) * h (snd v))).
    { intros c h h0 lh cc. split.
      - intros v. apply Rmult_le_pos; [apply (cc (fst v) true)|auto].
      - intros [|j] [a x] [b y] diff; simpl.
        + assert (x = y) as ->.
          { clear -diff. assert (same : forall i, nth_error (list_of x) i = nth_error (list_of y) i)
              by (intros i; apply (diff (S i)); lia). clear diff.
            revert x y same. induction n as [|n IH]; intros; [now destruct x, y|].
            destruct x as [x1 x], y as [y1 y].
            pose proof (same 0%nat) as head. injection head as ->.
            f_equal. apply IH. intros i. apply (same (S i)). }
          rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [auto|apply cc].
        + pose proof (diff 0%nat ltac:(lia)) as head. injection head as ->.
          assert (tail : h x <= lev (j + S (S k))%nat * h y).
          { apply lh. intros i ne. apply (diff (S i)). congruence. }
          rewrite <- (Nat.add_succ_r j (S k)).
          apply (Rmult_le_compat_l (c b)) in tail; [|apply (cc b true)]. lra. }
    set (cu := fun b : bool => if b then lev (S k) else 1).
    set (cw := fun b : bool => if b then 1 else lev (S k)).
    assert (sq : lev (S k) <= lev (S k) * lev (S k)).
    { rewrite <- (Rmult_1_l (lev (S k))) at 1. apply Rmult_le_compat_r; lra. }
    assert (ccu : forall a b, 0 <= cu a <= lev (S k) * cu b) by
      (intros [] []; unfold cu; split; lra).
    assert (ccw : forall a b, 0 <= cw a <= lev (S k) * cw b) by
      (intros [] []; unfold cw; split; lra).
    assert (at_end : forall t (c : bool -> R) (h : vec bool n -> R), 0 < t ->
      column (S k) (fun v : vec bool (S n) => c (fst v) * h (snd v)) ->
      0 < c false * mean (S k) h false ->
      c true * mean (S k) h true = t * (c false * mean (S k) h false) ->
      exists x : vec bool (S n) -> R, column (S k) x /\ 0 < mean k x true /\ 0 < mean k x false /\
        mean k x true = quotient (T k true) (T k false) t * mean k x false).
    { intros t c h t0 col z0 E. eexists. split; [exact col|].
      rewrite !mean_next; simpl. rewrite !mean_scale, E.
      set (z := c false * mean (S k) h false) in *.
      pose proof (denominator k true t t0) as dt. pose proof (denominator k false t t0) as df.
      replace (T k true true * (t * z) + T k true false * z)
        with ((T k true true * t + T k true false) * z) by ring.
      replace (T k false true * (t * z) + T k false false * z)
        with ((T k false true * t + T k false false) * z) by ring.
      repeat split; try (now apply Rmult_lt_0_compat). unfold quotient. field. lra. }
    destruct (at_end up cu u upos) as [x [cx [x1 [x0 ex]]]].
    { apply columns; auto. }
    { unfold cu. lra. }
    { unfold cu. rewrite up_. unfold up. ring. }
    destruct (at_end (/ down) cw w (Rinv_0_lt_compat _ dpos)) as [y [cy [y1 [y0 ey]]]].
    { apply columns; auto. }
    { unfold cw. rewrite down_. repeat apply Rmult_lt_0_compat; lra. }
    { unfold cw. rewrite down_. unfold down. field. lra. }
    cbn [turn fst snd]. fold up down.
    assert (qpos : forall t, 0 < t -> 0 < quotient (T k true) (T k false) t).
    { intros t t0. apply Rdiv_lt_0_compat; now apply denominator. }
    pose proof (qpos up upos) as q1. pose proof (qpos (/ down) (Rinv_0_lt_compat _ dpos)) as q2.
    split; unfold Rmax; destruct Rle_dec; [exists y|exists x|exists y|exists x];
      (split; [easy|]); (split; [easy|]); auto; rewrite ?ex, ?ey; field; lra.
Qed.
End Recursion.
