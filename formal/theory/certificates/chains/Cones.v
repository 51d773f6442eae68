(** Pairs of numbers between two slopes, and where matrices take them: computed with integers, and
    each step checked, however it was found. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
Import ListNotations.
Open Scope Z_scope.

(** A ray is u : v, a cone all that lies from its first ray, the lower one, to its second. *)
Definition ray := (Z * Z)%type.
Definition cone := (ray * ray)%type.
Record matrix := Matrix { m00 : Z; m01 : Z; m10 : Z; m11 : Z }.
Definition image m (r : ray) : ray :=
  (m00 m * fst r + m01 m * snd r, m10 m * fst r + m11 m * snd r).
Definition ray_le (r s : ray) : bool := fst r * snd s <=? snd r * fst s.
Definition some (r : ray) : bool := 0 <? fst r + snd r.

Definition is_ray (r : ray) : bool := (0 <=? fst r) && (0 <=? snd r) && some r.
Definition proper (k : cone) : bool := is_ray (fst k) && is_ray (snd k) && ray_le (fst k) (snd k).
Definition spans (k : cone) : list ray -> bool :=
  forallb (fun i => ray_le (fst k) i && ray_le i (snd k)).
Definition images ms (k : cone) : list ray :=
  flat_map (fun m => [image m (fst k); image m (snd k)]) ms.

(** The cone of some rays, with shorter numbers: any that spans them will do. *)
Definition smaller r s := if ray_le r s then r else s.
Definition larger r s := if ray_le r s then s else r.
Definition ends (l : list ray) : cone := match filter some l with
  | [] => ((1, 1), (1, 1))
  | i :: l => (fold_left smaller l i, fold_left larger l i) end.
Definition up n k := - ((- n) / 2 ^ k).
Definition down n k := n / 2 ^ k.
(** Numbers are exact if bits is 0, and without common factors. *)
Definition short (bits : Z) (above : bool) (r : ray) : ray :=
  let (u, v) := r in
  if u =? v then (1, 1) else if u =? 0 then (0, 1) else if v =? 0 then (1, 0) else
  if bits =? 0 then let g := Z.gcd u v in (u / g, v / g) else
  let k := Z.log2 (Z.min u v) + 1 - bits in
  if k <=? bits then r else if above then (up u k, down v k) else (down u k, up v k).
Definition shortened bits (k : cone) : cone := (short bits false (fst k), short bits true (snd k)).

(** Where the matrices take a cone; if strict, none of them takes anything to 0. *)
Definition next (strict : bool) bits ms (k : cone) : option cone :=
  let found := images ms k in
  let k' := shortened bits (ends found) in
  if proper k' && spans k' found && (negb strict || forallb some found) then Some k' else None.
Definition product (k k' : cone) : cone :=
  ((fst (fst k) * fst (fst k'), snd (fst k) * snd (fst k')),
   (fst (snd k) * fst (snd k'), snd (snd k) * snd (snd k'))).
Definition positive_cone (k : cone) : bool := (0 <? fst (fst k)) && (0 <? snd (snd k)).
Open Scope R_scope.

(** What is linear and not negative on both rays is not negative between them. *)
Lemma between a b c d p q u v : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> 0 < a + b -> 0 < c + d ->
  a * d <= b * c -> 0 <= u -> 0 <= v -> a * v <= b * u -> u * d <= v * c ->
  0 <= p * a + q * b -> 0 <= p * c + q * d -> 0 <= p * u + q * v.
Proof.
  intros a0 b0 c0 d0 ab cd le u0 v0 low high La Lc.
  destruct le as [less|same].
  - assert (E : (b * c - a * d) * (p * u + q * v) =
      (b * u - a * v) * (p * c + q * d) + (v * c - u * d) * (p * a + q * b)) by ring.
    assert (0 <= (b * c - a * d) * (p * u + q * v)).
    { rewrite E. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
    apply (Rmult_le_reg_l (b * c - a * d)); lra.
  - assert (bu : b * u = a * v).
    { apply Rle_antisym; [|easy]. apply (Rmult_le_reg_r (c + d)); [easy|].
      assert (b * (u * d) <= b * (v * c)) by now apply Rmult_le_compat_l.
      assert (a * (u * d) <= a * (v * c)) by now apply Rmult_le_compat_l.
      assert (b * c * u = a * d * u) by now rewrite same.
      assert (b * c * v = a * d * v) by now rewrite same. nra. }
    assert (E : (a + b) * (p * u + q * v) = (u + v) * (p * a + q * b)).
    { replace ((a + b) * (p * u + q * v)) with (p * (a * u + b * u) + q * (a * v + b * v)) by ring.
      rewrite bu. replace (a * v + b * v) with (b * u + b * v) by lra. ring. }
    assert (0 <= (a + b) * (p * u + q * v)) by (rewrite E; apply Rmult_le_pos; lra).
    apply (Rmult_le_reg_l (a + b)); lra.
Qed.

Lemma between_strict a b c d p q u v : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> 0 < a + b ->
  0 < c + d -> a * d <= b * c -> 0 <= u -> 0 <= v -> a * v <= b * u -> u * d <= v * c ->
  0 < p * a + q * b -> 0 < p * c + q * d -> 0 < u + v -> 0 < p * u + q * v.
Proof.
  intros a0 b0 c0 d0 ab cd le u0 v0 low high La Lc uv.
  (* a little of the sum may be taken away *)
  set (t := Rmin ((p * a + q * b) / (a + b)) ((p * c + q * d) / (c + d))).
  assert (t0 : 0 < t) by (apply Rmin_glb_lt; now apply Rdiv_lt_0_compat).
  assert (ta : t * (a + b) <= p * a + q * b).
  { apply (Rmult_le_reg_r (/ (a + b))); [now apply Rinv_0_lt_compat|].
    rewrite Rmult_assoc, Rinv_r by lra. rewrite Rmult_1_r. apply Rmin_l. }
  assert (tc : t * (c + d) <= p * c + q * d).
  { apply (Rmult_le_reg_r (/ (c + d))); [now apply Rinv_0_lt_compat|].
    rewrite Rmult_assoc, Rinv_r by lra. rewrite Rmult_1_r. apply Rmin_r. }
  pose proof (between a b c d (p - t) (q - t) u v a0 b0 c0 d0 ab cd le u0 v0 low high
    ltac:(lra) ltac:(lra)).
  pose proof (Rmult_lt_0_compat _ _ t0 uv). lra.
Qed.

(** The values g 0 and g 1 of a function lie in a cone. *)
Definition holds (k : cone) (g : bool -> R) := 0 <= g false /\ 0 <= g true /\
  IZR (fst (fst k)) * g true <= IZR (snd (fst k)) * g false /\
  g false * IZR (snd (snd k)) <= g true * IZR (fst (snd k)).
Definition moved m (g h : bool -> R) := exists t, 0 < t /\
  h false = t * (IZR (m00 m) * g false + IZR (m01 m) * g true) /\
  h true = t * (IZR (m10 m) * g false + IZR (m11 m) * g true).
Definition nonneg m := 0 <= IZR (m00 m) /\ 0 <= IZR (m01 m) /\ 0 <= IZR (m10 m) /\ 0 <= IZR (m11 m).
Definition alive (g : bool -> R) := 0 < g false + g true.

Lemma ray_le_reads r s : ray_le r s = true ->
  IZR (fst r) * IZR (snd s) <= IZR (snd r) * IZR (fst s).
Proof. intros H. apply Z.leb_le, IZR_le in H. now rewrite !mult_IZR in H. Qed.

Lemma proper_reads k : proper k = true -> 0 <= IZR (fst (fst k)) /\ 0 <= IZR (snd (fst k)) /\
  0 <= IZR (fst (snd k)) /\ 0 <= IZR (snd (snd k)) /\ 0 < IZR (fst (fst k)) + IZR (snd (fst k)) /\
  0 < IZR (fst (snd k)) + IZR (snd (snd k)) /\
  IZR (fst (fst k)) * IZR (snd (snd k)) <= IZR (snd (fst k)) * IZR (fst (snd k)).
Proof.
  intros H. apply andb_prop in H as [H le]. apply andb_prop in H as [H H'].
  apply ray_le_reads in le. unfold is_ray, some in H, H'.
  rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt in H, H'.
  destruct H as [[a b] ab], H' as [[c d] cd]. apply IZR_le in a, b, c, d. apply IZR_lt in ab, cd.
  rewrite plus_IZR in ab, cd. tauto.
Qed.

Lemma image_reads m r :
  IZR (fst (image m r)) = IZR (m00 m) * IZR (fst r) + IZR (m01 m) * IZR (snd r) /\
  IZR (snd (image m r)) = IZR (m10 m) * IZR (fst r) + IZR (m11 m) * IZR (snd r).
Proof. unfold image. cbn [fst snd]. now rewrite !plus_IZR, !mult_IZR. Qed.

Lemma images_in m ms k : In m ms -> In (image m (fst k)) (images ms k) /\
  In (image m (snd k)) (images ms k).
Proof. intros i. split; apply in_flat_map; exists m; simpl; auto. Qed.

Lemma next_sound strict bits ms k k' m g h : next strict bits ms k = Some k' -> In m ms ->
  proper k = true -> nonneg m -> holds k g -> moved m g h ->
  proper k' = true /\ holds k' h /\ (strict = true -> alive g -> alive h).
Proof.
  unfold next. cbv zeta. set (found := images ms k). set (made := shortened bits (ends found)).
  destruct (proper made) eqn:P; [|easy]. destruct (spans made found) eqn:S; [|easy].
  cbn [andb]. destruct (negb strict || forallb some found) eqn:A; [|easy].
  intros E im pk [n0 [n1 [n2 n3]]] [g0 [g1 [low high]]] [t [t0 [hf ht]]]. injection E as <-.
  split; [easy|]. destruct (proper_reads k pk) as [a0 [b0 [c0 [d0 [ab [cd le]]]]]].
  unfold spans in S. rewrite forallb_forall in S. destruct (images_in m ms k im) as [i j].
  apply S in i as i', j as j'. rewrite andb_true_iff in i', j'.
  destruct i' as [i1 i2], j' as [j1 j2]. apply ray_le_reads in i1, i2, j1, j2.
  destruct (image_reads m (fst k)) as [e1 e2]. destruct (image_reads m (snd k)) as [e3 e4].
  rewrite e1, e2 in i1, i2. rewrite e3, e4 in j1, j2.
  pose proof (fun p q => between _ _ _ _ p q _ _ a0 b0 c0 d0 ab cd le g0 g1 low high) as line.
  split.
  - repeat split.
    + rewrite hf. apply Rmult_le_pos; [lra|].
      apply Rplus_le_le_0_compat; now apply Rmult_le_pos.
    + rewrite ht. apply Rmult_le_pos; [lra|].
      apply Rplus_le_le_0_compat; now apply Rmult_le_pos.
    + set (x := IZR (fst (fst made))) in *. set (y := IZR (snd (fst made))) in *.
      specialize (line (y * IZR (m00 m) - x * IZR (m10 m)) (y * IZR (m01 m) - x * IZR (m11 m))
        ltac:(lra) ltac:(lra)). rewrite hf, ht.
      pose proof (Rmult_le_pos _ _ (Rlt_le _ _ t0) line). lra.
    + set (x := IZR (fst (snd made))) in *. set (y := IZR (snd (snd made))) in *.
      specialize (line (x * IZR (m10 m) - y * IZR (m00 m)) (x * IZR (m11 m) - y * IZR (m01 m))
        ltac:(lra) ltac:(lra)). rewrite hf, ht.
      pose proof (Rmult_le_pos _ _ (Rlt_le _ _ t0) line). lra.
  - intros -> live. cbn [negb orb] in A. rewrite forallb_forall in A.
    apply A in i, j. apply Z.ltb_lt, IZR_lt in i, j. rewrite plus_IZR in i, j.
    rewrite e1, e2 in i. rewrite e3, e4 in j. unfold alive in *. rewrite hf, ht.
    pose proof (between_strict _ _ _ _ (IZR (m00 m) + IZR (m10 m)) (IZR (m01 m) + IZR (m11 m)) _ _
      a0 b0 c0 d0 ab cd le g0 g1 low high ltac:(lra) ltac:(lra) live) as pos.
    pose proof (Rmult_lt_0_compat _ _ t0 pos). lra.
Qed.

Lemma product_holds k k' g g' : proper k = true -> proper k' = true -> holds k g -> holds k' g' ->
  holds (product k k') (fun x => g x * g' x).
Proof.
  intros pk pk' [g0 [g1 [low high]]] [h0 [h1 [low' high']]].
  destruct (proper_reads k pk) as [a0 [b0 [c0 [d0 _]]]].
  destruct (proper_reads k' pk') as [a1 [b1 [c1 [d1 _]]]].
  unfold holds, product. cbn [fst snd]. rewrite !mult_IZR.
  repeat split; try now apply Rmult_le_pos.
  - pose proof (Rmult_le_compat _ _ _ _ (Rmult_le_pos _ _ a0 g1) (Rmult_le_pos _ _ a1 h1)
      low low'). lra.
  - pose proof (Rmult_le_compat _ _ _ _ (Rmult_le_pos _ _ g0 d0) (Rmult_le_pos _ _ h0 d1)
      high high'). lra.
Qed.

Lemma positive_sound k g : positive_cone k = true -> holds k g -> alive g ->
  0 < g false /\ 0 < g true.
Proof.
  intros H [g0 [g1 [low high]]] live. apply andb_prop in H as [a d].
  apply Z.ltb_lt, IZR_lt in a, d. unfold alive in live. split.
  - destruct g0 as [|z]; [easy|]. rewrite <- z in *. rewrite Rmult_0_r in low.
    assert (0 < g true) by lra. pose proof (Rmult_lt_0_compat _ _ a H). lra.
  - destruct g1 as [|z]; [easy|]. rewrite <- z in *. rewrite Rmult_0_l in high.
    assert (0 < g false) by lra. pose proof (Rmult_lt_0_compat _ _ H d). lra.
Qed.
