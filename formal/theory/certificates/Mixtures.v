(** All mixtures of finitely many priors: two priors suffice to break a promise. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Pufferproof Require Import Sums Pufferfish Indices Tables Integers Leakage.
Import ListNotations.
Open Scope R_scope.

Section Vertex.
Context {A : Type} (l : list A) (x d e : A -> R) (x0 : forall i, 0 <= x i).

Let up i := if Rlt_dec 0 (d i) then d i else 0.
Let down i := if Rlt_dec (d i) 0 then - d i else 0.
Let eup i := if Rlt_dec 0 (d i) then e i else 0.
Let edown i := if Rlt_dec (d i) 0 then e i else 0.
Let enone i := if Req_EM_T (d i) 0 then e i else 0.

(** A polytope cut by one hyperplane has vertices with two weights at most. *)
Lemma two_weights : sum l (fun i => x i * d i) = 0 -> 0 < sum l (fun i => x i * e i) ->
  exists i j u v, In i l /\ In j l /\ 0 <= u /\ 0 <= v /\ u * d i + v * d j = 0 /\
    0 < u * e i + v * e j.
Proof.
  intros D E.
  assert (split_d : sum l (fun i => x i * up i) = sum l (fun i => x i * down i)).
  { enough (sum l (fun i => x i * d i) =
      sum l (fun i => x i * up i) + -1 * sum l (fun i => x i * down i)) by lra.
    rewrite <- sum_scale, <- sum_plus. apply sum_ext; intros i _. unfold up, down.
    destruct (Rlt_dec 0 (d i)), (Rlt_dec (d i) 0); try lra. assert (d i = 0) as -> by lra; lra. }
  assert (split_e : sum l (fun i => x i * e i) = sum l (fun i => x i * eup i) +
    (sum l (fun i => x i * edown i) + sum l (fun i => x i * enone i))).
  { rewrite <- !sum_plus. apply sum_ext; intros i _. unfold eup, edown, enone.
    destruct (Rlt_dec 0 (d i)), (Rlt_dec (d i) 0), (Req_EM_T (d i) 0); lra. }
  destruct (Rlt_le_dec 0 (sum l (fun i => x i * enone i))) as [N|N].
  { destruct (sum_pos_exists _ _ N) as [i [I h]]. unfold enone in h.
    destruct (Req_EM_T (d i) 0) as [z|]; [|lra].
    exists i, i, 1, 0. rewrite z. repeat split; try easy; try lra. specialize (x0 i); nra. }
  set (S := sum l (fun i => x i * up i)) in *.
  assert (S0 : 0 < S).
  { destruct (Rlt_le_dec 0 (sum l (fun i => x i * eup i))) as [h|h].
    - destruct (sum_pos_exists _ _ h) as [i [I hi]]. unfold eup in hi.
      apply Rlt_le_trans with (x i * up i).
      + unfold up. destruct (Rlt_dec 0 (d i)); [|lra]. specialize (x0 i).
        apply Rmult_lt_0_compat; [|easy]. destruct x0; [easy|]. rewrite <- H in hi. lra.
      + apply (sum_member l (fun i => x i * up i)); [|easy]. intros y _. apply Rmult_le_pos; auto.
        unfold up; destruct (Rlt_dec 0 (d y)); lra.
    - assert (h' : 0 < sum l (fun i => x i * edown i)) by lra.
      destruct (sum_pos_exists _ _ h') as [i [I hi]]. unfold edown in hi. rewrite split_d.
      apply Rlt_le_trans with (x i * down i).
      + unfold down. destruct (Rlt_dec (d i) 0); [|lra]. specialize (x0 i).
        apply Rmult_lt_0_compat; [|lra]. destruct x0; [easy|]. rewrite <- H in hi. lra.
      + apply (sum_member l (fun i => x i * down i)); [|easy]. intros y _. apply Rmult_le_pos; auto.
        unfold down; destruct (Rlt_dec (d y) 0); lra. }
  assert (T : 0 < sum l (fun i => sum l (fun j =>
    x i * x j * (down j * eup i + up i * edown j)))).
  { rewrite (sum_ext l _ (fun i => (x i * eup i) * sum l (fun j => x j * down j) +
      (x i * up i) * sum l (fun j => x j * edown j))).
    - rewrite sum_plus.
      rewrite (sum_ext l (fun i => x i * eup i * _) (fun i => S * (x i * eup i)))
        by (intros; rewrite <- split_d; ring).
      rewrite (sum_ext l (fun i => x i * up i * _)
        (fun i => sum l (fun j => x j * edown j) * (x i * up i))) by (intros; ring).
      rewrite !sum_scale. fold S. nra.
    - intros i _. rewrite <- !sum_scale, <- sum_plus. apply sum_ext; intros; ring. }
  destruct (sum_pos_exists _ _ T) as [i [I Ti]]. destruct (sum_pos_exists _ _ Ti) as [j [J h]].
  assert (xx : 0 <= x i * x j) by (apply Rmult_le_pos; auto).
  unfold up, down, eup, edown in h.
  destruct (Rlt_dec 0 (d i)); [|nra]. destruct (Rlt_dec (d j) 0); [|nra].
  exists i, j, (- d j), (d i). repeat split; try easy; try lra. nra.
Qed.
End Vertex.

(** The promise at one place for all mixtures, where it holds for those of two priors. *)
Section Two.
Context {A : Type} `{Finite A} (a p b q : A -> R) (r : R).
Context (r0 : 0 <= r) (a0 : forall i, 0 <= a i) (ap : forall i, a i <= p i).
Context (b0 : forall i, 0 <= b i) (q0 : forall i, 0 <= q i).
Hypothesis two : forall i j u v, 0 <= u -> 0 <= v ->
  (u * a i + v * a j) * (u * q i + v * q j) <= r * (u * p i + v * p j) * (u * b i + v * b j).

Let mix (x h : A -> R) := Σ i, x i * h i.

(** Two priors suffice (rule X1 of certificates): a promise at one place that holds for the mixtures
    of every two priors holds for those of all.
    Differs: nothing; a, p, b, q stand for P(w, s), P(s), P(w, t), P(t). *)
Theorem two_priors_suffice x : (forall i, 0 <= x i) ->
  mix x a * mix x q <= r * mix x p * mix x b.
Proof.
  intros x0. destruct (Rle_lt_dec (mix x a * mix x q) (r * mix x p * mix x b)) as [h|F]; [easy|].
  exfalso.
  assert (pos : forall h, (forall i, 0 <= h i) -> 0 <= mix x h).
  { intros h h0. apply sum_nonneg; intros; now apply Rmult_le_pos. }
  assert (p0 : forall i, 0 <= p i) by (intros i; specialize (a0 i); specialize (ap i); lra).
  pose proof (pos a a0) as A0. pose proof (pos p p0) as P0. pose proof (pos b b0) as B0.
  pose proof (pos q q0) as Q0.
  assert (AP : mix x a <= mix x p).
  { apply sum_le; intros i _. now apply Rmult_le_compat_l. }
  assert (RPB : 0 <= r * mix x p * mix x b) by (repeat apply Rmult_le_pos; auto).
  assert (A1 : 0 < mix x a) by (destruct A0 as [|z]; [easy|rewrite <- z in F; lra]).
  set (s := mix x a / mix x p).
  assert (P1 : 0 < mix x p) by lra.
  assert (s0 : 0 < s) by (apply Rdiv_lt_0_compat; lra).
  assert (sP : s * mix x p = mix x a) by (unfold s; field; lra).
  assert (D : (Σ i, x i * (a i - s * p i)) = 0).
  { rewrite (sum_ext all _ (fun i => x i * a i + (- s) * (x i * p i))) by (intros; ring).
    rewrite sum_plus, sum_scale. fold (mix x a). fold (mix x p). lra. }
  assert (E : 0 < Σ i, x i * (s * q i - r * b i)).
  { rewrite (sum_ext all _ (fun i => s * (x i * q i) + (- r) * (x i * b i))) by (intros; ring).
    rewrite sum_plus, !sum_scale. fold (mix x q). fold (mix x b).
    apply (Rmult_lt_reg_l (mix x p)); [easy|]. rewrite Rmult_0_r.
    replace (mix x p * (s * mix x q + - r * mix x b))
      with (s * mix x p * mix x q - r * mix x p * mix x b) by ring. rewrite sP. lra. }
  destruct (two_weights all x (fun i => a i - s * p i) (fun i => s * q i - r * b i) x0 D E)
    as [i [j [u [v [_ [_ [u0 [v0 [d e]]]]]]]]].
  pose proof (two i j u v u0 v0) as t.
  destruct (Rlt_le_dec 0 (u * p i + v * p j)) as [Py|Py].
  { assert (u * a i + v * a j = s * (u * p i + v * p j)) as W by lra. rewrite W in t.
    assert (0 < (u * p i + v * p j) * (u * (s * q i - r * b i) + v * (s * q j - r * b j)))
      by now apply Rmult_lt_0_compat. nra. }
  assert (up : 0 <= u * p i) by now apply Rmult_le_pos.
  assert (vp : 0 <= v * p j) by now apply Rmult_le_pos.
  assert (one : exists k, p k = 0 /\ 0 < s * q k - r * b k).
  { destruct (Rlt_le_dec 0 (u * (s * q i - r * b i))) as [h|h].
    - exists i. assert (0 < u) by (destruct u0 as [|z]; [easy|rewrite <- z in h; lra]).
      split; [nra|]. nra.
    - exists j. assert (h' : 0 < v * (s * q j - r * b j)) by lra.
      assert (0 < v) by (destruct v0 as [|z]; [easy|rewrite <- z in h'; lra]).
      split; [nra|]. nra. }
  destruct one as [k [pk ek]].
  assert (other : exists m, 0 < p m /\ s * p m <= a m).
  { destruct (sum_pos_exists all (fun i => x i * a i)) as [m [_ hm]]; [exact A1|].
    assert (some : 0 < Σ i, x i * (if Rle_dec (s * p i) (a i) then p i else 0)).
    { destruct (Rlt_le_dec 0 (Σ i, x i * (if Rle_dec (s * p i) (a i) then p i else 0)))
        as [|none]; [easy|]. exfalso.
      assert (none' : forall i, x i * (if Rle_dec (s * p i) (a i) then p i else 0) = 0).
      { intros y. apply Rle_antisym.
        - apply Rle_trans with (2 := none).
          apply (sum_member all (fun i => x i * (if Rle_dec (s * p i) (a i) then p i else 0)));
            [|apply all_here].
          intros z _. apply Rmult_le_pos; auto. destruct Rle_dec; [apply p0|lra].
        - apply Rmult_le_pos; auto. destruct Rle_dec; [apply p0|lra]. }
      assert (less : forall i, x i * (a i - s * p i) <= 0).
      { intros y. specialize (none' y). specialize (ap y). specialize (p0 y).
        specialize (x0 y). destruct (Rle_dec (s * p y) (a y)); [|nra].
        apply Rmult_integral in none' as [z|z]; [rewrite z; lra|].
        rewrite z in *. specialize (a0 y). nra. }
      assert (m_less : x m * (a m - s * p m) < 0).
      { specialize (none' m). specialize (ap m). pose proof (p0 m) as pm. pose proof (x0 m) as xm.
        pose proof (a0 m) as am.
        assert (0 < x m) by (destruct xm as [|z]; [easy|rewrite <- z in hm; lra]).
        destruct (Rle_dec (s * p m) (a m)); [|nra].
        apply Rmult_integral in none' as [z|z]; nra. }
      assert (neg : 0 < Σ i, - (x i * (a i - s * p i))).
      { apply Rlt_le_trans with (- (x m * (a m - s * p m))); [lra|].
        apply (sum_member all (fun i => - (x i * (a i - s * p i)))); [|apply all_here].
        intros y _. specialize (less y). lra. }
      rewrite (sum_ext all _ (fun i => -1 * (x i * (a i - s * p i)))) in neg by (intros; ring).
      rewrite sum_scale, D in neg. lra. }
    destruct (sum_pos_exists _ _ some) as [m' [_ h]]. exists m'.
    destruct (Rle_dec (s * p m') (a m')); [|lra].
    split; [|easy]. specialize (x0 m'). specialize (p0 m'). nra. }
  destruct other as [m [pm am]].
  assert (ak : a k = 0) by (specialize (a0 k); specialize (ap k); lra).
  set (c := a m * q k - r * p m * b k).
  assert (c0 : 0 < c).
  { unfold c. pose proof (q0 k). assert (p m * (s * q k - r * b k) > 0) by nra. nra. }
  set (g := a m * q m - r * p m * b m).
  pose proof (two m k 1 ((1 + Rabs g) / c)) as t'.
  assert (W0 : 0 <= (1 + Rabs g) / c).
  { apply Rmult_le_pos; [pose proof (Rabs_pos g); lra|]. left; now apply Rinv_0_lt_compat. }
  specialize (t' ltac:(lra) W0). rewrite ak, pk in t'.
  assert (z : (1 + Rabs g) / c * c = 1 + Rabs g) by (field; lra).
  set (y := (1 + Rabs g) / c) in *.
  assert (bad : g + y * c <= 0) by (unfold g, c; lra).
  rewrite z in bad. pose proof (Rle_abs (- g)) as n. rewrite Rabs_Ropp in n. lra.
Qed.
End Two.

(** The same with integers: g u^2 + c u v + g' v^2 <= 0 for all u, v >= 0. *)
Open Scope Z_scope.
Definition two_at n d p q p' q' a b a' b' : bool :=
  let g := Zpos d * (a * q) - n * (p * b) in
  let g' := Zpos d * (a' * q') - n * (p' * b') in
  let c := Zpos d * (a * q' + a' * q) - n * (p * b' + p' * b) in
  if g <=? 0 then if g' <=? 0 then if c <=? 0 then true else c * c <=? 4 * (g * g')
  else false else false.
Fixpoint two_everywhere n d p q p' q' (width : nat) a b a' b' : bool := match width with
  | O => true
  | S width => if two_at n d p q p' q' (hd 0 a) (hd 0 b) (hd 0 a') (hd 0 b')
    then two_everywhere n d p q p' q' width (tl a) (tl b) (tl a') (tl b') else false end.
Definition two_views n d width (s t s' t' : Z * list Z) : bool :=
  two_everywhere n d (fst s) (fst t) (fst s') (fst t') width (snd s) (snd t) (snd s') (snd t').
Definition check_mixed n d width f rs : bool :=
  let views := map (fun p => map (view rs p) (secrets f)) (priors f) in
  (0 <=? n) && convex f &&
  forallb (fun ij => forallb (fun v => forallb (fun v' =>
    let s := nth (fst ij) v (0, []) in let t := nth (snd ij) v (0, []) in
    let s' := nth (fst ij) v' (0, []) in let t' := nth (snd ij) v' (0, []) in
    if two_views n d width s t s' t' then two_views n d width t s t' s' else false)
    views) views) (pairs f).

Lemma two_everywhere_at n d p q p' q' width a b a' b' i :
  two_everywhere n d p q p' q' width a b a' b' = true -> (i < width)%nat ->
  two_at n d p q p' q' (at_place a i) (at_place b i) (at_place a' i) (at_place b' i) = true.
Proof.
  assert (first : forall l, at_place l 0 = hd 0 l) by (intros []; reflexivity).
  assert (next : forall l k, at_place l (S k) = at_place (tl l) k)
    by (intros [|x l] k; [now rewrite !at_nil|reflexivity]).
  revert a b a' b' i; induction width as [|width IH]; intros a b a' b' i H h; [lia|].
  cbn [two_everywhere] in H. destruct (two_at n d p q p' q' (hd 0 a) _ _ _) eqn:E; [|easy].
  destruct i as [|i]; [now rewrite !first|]. rewrite !next. apply IH; [easy|lia].
Qed.
Open Scope R_scope.

Lemma quadratic_form g c g' u v : 0 <= u -> 0 <= v -> g <= 0 -> g' <= 0 ->
  c <= 0 \/ c * c <= 4 * (g * g') -> g * (u * u) + c * (u * v) + g' * (v * v) <= 0.
Proof.
  intros u0 v0 g0 g1 [c0|c2].
  - assert (0 <= u * v) by now apply Rmult_le_pos.
    assert (0 <= u * u) by now apply Rmult_le_pos.
    assert (0 <= v * v) by now apply Rmult_le_pos. nra.
  - assert (uv : 0 <= v * v) by now apply Rmult_le_pos.
    destruct g0 as [g0| ->].
    + assert (S : 0 <= 4 * g * (g * (u * u) + c * (u * v) + g' * (v * v))).
      { replace (4 * g * (g * (u * u) + c * (u * v) + g' * (v * v)))
          with ((2 * g * u + c * v) * (2 * g * u + c * v) + (4 * (g * g') - c * c) * (v * v))
          by ring.
        apply Rplus_le_le_0_compat; [apply Rle_0_sqr|]. apply Rmult_le_pos; lra. }
      nra.
    + assert (c = 0) as -> by nra. nra.
Qed.

Section Described.
Context (f : framework) (framework_ok : check_framework f = true).
Context {W : Type} (M : index (size f) -> W -> R) (K : Z) (rs : list (list Z)) (place : W -> nat).
Context (K0 : 0 < IZR K) (M0 : likelihood M) (M1 : forall x w, M x w <= 1) (width : nat).
Hypothesis inside_width : forall w, (place w < width)%nat.
Hypothesis describes :
  forall x w, IZR (at_place (nth (number x) rs []) (place w)) = IZR K * M x w.

Let prior l := prior_of f (number (n := length (priors f)) l).
Let U := prior_unit f.

Lemma mixture_P weight s : P (mixture_of f weight) s = Σ l, weight l * P (prior l) s.
Proof.
  unfold P. rewrite (sum_ext all _ (fun x => Σ l, weight l * inside (prior l) s x)).
  - rewrite sum_swap. apply sum_ext; intros. now rewrite sum_scale.
  - intros x _. unfold inside, mixture_of. destruct (s x); [easy|].
    rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). now rewrite sum_0.
Qed.

Lemma mixture_Pw weight s w : Pw (mixture_of f weight) M s w = Σ l, weight l * Pw (prior l) M s w.
Proof.
  unfold Pw. rewrite (sum_ext all _ (fun x => Σ l, weight l * (inside (prior l) s x * M x w))).
  - rewrite sum_swap. apply sum_ext; intros. now rewrite sum_scale.
  - intros x _. unfold inside, mixture_of. destruct (s x).
    + rewrite Rmult_comm, <- sum_scale. apply sum_ext; intros; unfold prior; ring.
    + rewrite (sum_ext all _ (fun _ => 0)) by (intros; ring). rewrite sum_0; ring.
Qed.

Lemma two_sound n d i j l m w u v :
  two_views n d width
    (view rs (nth (number l) (priors f) []) (nth i (secrets f) []))
    (view rs (nth (number l) (priors f) []) (nth j (secrets f) []))
    (view rs (nth (number m) (priors f) []) (nth i (secrets f) []))
    (view rs (nth (number m) (priors f) []) (nth j (secrets f) [])) = true ->
  0 <= u -> 0 <= v ->
  (u * Pw (prior l) M (secret_of f i) w + v * Pw (prior m) M (secret_of f i) w) *
  (u * P (prior l) (secret_of f j) + v * P (prior m) (secret_of f j)) <=
  IZR n / IZR (Zpos d) *
  (u * P (prior l) (secret_of f i) + v * P (prior m) (secret_of f i)) *
  (u * Pw (prior l) M (secret_of f j) w + v * Pw (prior m) M (secret_of f j) w).
Proof.
  intros H u0 v0. unfold two_views in H.
  apply (two_everywhere_at _ _ _ _ _ _ _ _ _ _ _ (place w)) in H; [|apply inside_width].
  pose proof (unit_pos f framework_ok) as U0. fold U in U0.
  assert (read : forall k : index (length (priors f)), forall s,
    IZR (fst (view rs (nth (number k) (priors f) []) (nth s (secrets f) []))) =
      IZR U * P (prior k) (secret_of f s) /\
    IZR (at_place (snd (view rs (nth (number k) (priors f) []) (nth s (secrets f) []))) (place w))
      = IZR U * IZR K * Pw (prior k) M (secret_of f s) w).
  { intros k s. destruct (listed_reads f framework_ok (number k) (number_lt _ k)) as [short reads].
    split; [now apply view_P|now apply view_Pw]. }
  destruct (read l i) as [e1 e2]. destruct (read l j) as [e3 e4].
  destruct (read m i) as [e5 e6]. destruct (read m j) as [e7 e8].
  unfold two_at in H.
  match type of H with (if ?g <=? 0 then if ?h <=? 0 then if ?c <=? 0 then _ else _ else _ else _)%Z
    = true => set (zg := g) in *; set (zh := h) in *; set (zc := c) in * end.
  destruct (Z.leb_spec zg 0) as [g0|]; [|easy]. destruct (Z.leb_spec zh 0) as [h0|]; [|easy].
  assert (C : IZR zc <= 0 \/ IZR zc * IZR zc <= 4 * (IZR zg * IZR zh)).
  { destruct (Z.leb_spec zc 0) as [c0|]; [left; now apply IZR_le|right].
    apply Z.leb_le, IZR_le in H. now rewrite !mult_IZR in H. }
  apply IZR_le in g0, h0.
  pose proof (quadratic_form _ _ _ u v u0 v0 g0 h0 C) as Q.
  unfold zg, zh, zc in Q. rewrite !minus_IZR, !mult_IZR, !plus_IZR, !mult_IZR in Q.
  rewrite e1, e2, e3, e4, e5, e6, e7, e8 in Q.
  assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  apply (Rmult_le_reg_l (IZR U * IZR U * IZR K * IZR (Zpos d)));
    [repeat apply Rmult_lt_0_compat; easy|].
  set (a := Pw (prior l) M (secret_of f i) w) in *.
  set (b := Pw (prior l) M (secret_of f j) w) in *.
  set (p := P (prior l) (secret_of f i)) in *. set (q := P (prior l) (secret_of f j)) in *.
  set (a' := Pw (prior m) M (secret_of f i) w) in *.
  set (b' := Pw (prior m) M (secret_of f j) w) in *.
  set (p' := P (prior m) (secret_of f i)) in *. set (q' := P (prior m) (secret_of f j)) in *.
  replace (IZR U * IZR U * IZR K * IZR (Zpos d) *
    (IZR n / IZR (Zpos d) * (u * p + v * p') * (u * b + v * b')))
    with (IZR U * IZR U * IZR K * (IZR n * (u * p + v * p') * (u * b + v * b'))) by (field; lra).
  lra.
Qed.

Lemma mixed_sound n d : check_mixed n d width f rs = true -> within f M (IZR n / IZR (Zpos d)).
Proof.
  intros H pr s t w hp hst _ _. unfold check_mixed in H. rewrite !andb_true_iff in H.
  destruct H as [[n0 c] H]. unfold priors_of in hp. rewrite c in hp.
  destruct hp as [weight [[w0 _] ->]]. destruct hst as [i [j [I [-> ->]]]].
  apply Z.leb_le, IZR_le in n0. assert (d0 : 0 < IZR (Zpos d)) by now apply IZR_lt.
  rewrite !mixture_P, !mixture_Pw.
  assert (law_l : forall l, law (prior l)) by (intros l; apply law_prior, number_lt; easy).
  assert (in0 : forall l s x, 0 <= inside (prior l) s x).
  { intros l s x. destruct (law_l l) as [pos _]. unfold inside. destruct (s x); [apply pos|lra]. }
  apply (two_priors_suffice (fun l => Pw (prior l) M (secret_of f i) w)
    (fun l => P (prior l) (secret_of f i)) (fun l => Pw (prior l) M (secret_of f j) w)
    (fun l => P (prior l) (secret_of f j)) (IZR n / IZR (Zpos d))); auto.
  - apply Rmult_le_pos; [easy|]. left; now apply Rinv_0_lt_compat.
  - intros l. apply sum_nonneg; intros x _. now apply Rmult_le_pos.
  - intros l. apply sum_le; intros x _. specialize (in0 l (secret_of f i) x). specialize (M1 x w).
    nra.
  - intros l. apply sum_nonneg; intros x _. now apply Rmult_le_pos.
  - intros l. apply sum_nonneg; intros x _. apply in0.
  - intros l m u v u0 v0. rewrite forallb_forall in H.
    set (views := map _ (priors f)) in H.
    assert (here : forall k : index (length (priors f)),
      In (map (view rs (nth (number k) (priors f) [])) (secrets f)) views).
    { intros k. unfold views. apply in_map_iff. exists (nth (number k) (priors f) []).
      split; [easy|]. apply nth_In, number_lt. }
    destruct I as [I|I]; specialize (H _ I); rewrite forallb_forall in H;
      specialize (H _ (here l)); rewrite forallb_forall in H; specialize (H _ (here m));
      cbn [fst snd] in H; cbv zeta in H;
      change (0%Z, []) with (view rs (nth (number l) (priors f) []) []) in H at 1 2 5 6.
    all: change (0%Z, []) with (view rs (nth (number m) (priors f) []) []) in H;
      rewrite !map_nth in H; destruct (two_views _ _ _ _ _ _ _) eqn:E in H; [|easy];
      apply (two_sound n d); easy.
Qed.
End Described.
