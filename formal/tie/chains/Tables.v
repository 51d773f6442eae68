(** How quilts of tables are decided under the laws of chains: what is in a quilt, and what is
    remote, is that of some table; noise by powers, as in Chains.v. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Laplace Quilt Chain ChainQuilts Networks.
From Pufferproof Require Import Parallel ParallelChains SequentialChains RecordTables TableQuilts.
From Pufferproof Require Import QuiltsOfChains.
From Pufferproof Require Import QuiltsOfTables.
From Tied Require Import Decide Entries Chains Segments.
Import ListNotations.
Open Scope R_scope.

Definition role_of (k : nat) : role := match k with O => near | 1%nat => quilt | _ => remote end.
Definition roles_read (l : list nat) (k : nat) : role := role_of (nth k l 2%nat).
Definition candidate_read (q : nat * list nat) : nat * (nat -> role) :=
  (fst q, roles_read (snd q)).
#[export] Instance d_near (r : role) : decided (r = near) (is_near r).
Proof. unfold decided. now destruct r. Qed.

Section Tables.
Context {m n : nat}.
Notation A := (fin (S m)).
Notation T := (vec A n).
Notation law_read r := (law_of_chain (chain_read (m := m) r) n).
Notation dec := (decide_shown (d A) n).

Lemma none_at {Z} (dz : forall x y : Z, {x = y} + {x <> y}) (p : T -> R) z s v :
  (forall x, z x <> v) -> Pz dz p z s v = 0.
Proof.
  intros no. unfold Pz. rewrite <- (sum_0 (@all T _)). apply sum_ext; intros x _. unfold at_.
  destruct (dz (z x) v) as [e|]; [now destruct (no x)|ring].
Qed.

Lemma some_at {Z} (dz : forall x y : Z, {x = y} + {x <> y}) (z : T -> Z) v :
  (exists x, z x = v) \/ forall x, z x <> v.
Proof.
  assert (finite : forall l : list T, (exists x, z x = v) \/ forall x, In x l -> z x <> v).
  { induction l as [|x l [h|h]]; [now right|now left|].
    destruct (dz (z x) v) as [e|ne]; [left; now exists x|right].
    intros y [<-|i]; auto. }
  destruct (finite all) as [h|h]; [now left|right]. intros x. apply h, all_here.
Qed.

(** What is remote is independent of a secret given the quilt. *)
Definition apart roles (p : T -> R) s (v u : T) :=
  let q := of_quilt n roles v in let r := of_remote n roles u in
  p_quilt_remote dec dec (of_quilt n roles) (of_remote n roles) p s q r *
    p_quilt dec (of_quilt n roles) p everything q =
  p_quilt dec (of_quilt n roles) p s q *
    p_quilt_remote dec dec (of_quilt n roles) (of_remote n roles) p everything q r.

Lemma apart_is roles p s :
  independent_given_quilt dec dec (of_quilt n roles) (of_remote n roles) p s <->
  forall v u, apart roles p s v u.
Proof.
  split; [intros h v u; apply h|]. intros h q r.
  destruct (some_at dec (of_quilt n roles) q) as [[v <-]|no]; [|
    assert (E : forall s', p_quilt dec (of_quilt n roles) p s' q = 0)
      by (intros; now apply none_at); rewrite !E; ring].
  destruct (some_at dec (of_remote n roles) r) as [[u <-]|no]; [apply h|].
  assert (E : forall s', p_quilt_remote dec dec (of_quilt n roles) (of_remote n roles) p s'
    (of_quilt n roles v) r = 0).
  { intros s'. apply none_at. intros x e. injection e as _ e. now apply (no x). }
  rewrite !E. ring.
Qed.

(** The quilt tells at most a factor. *)
Definition tells roles (p : T -> R) s t E (v : T) :=
  p_quilt dec (of_quilt n roles) p s (of_quilt n roles v) * P p t <=
  E * P p s * p_quilt dec (of_quilt n roles) p t (of_quilt n roles v).

Lemma tells_is roles p s t E : influence_at_most dec (of_quilt n roles) E p s t <->
  forall v, tells roles p s t E v.
Proof.
  split; [intros h v; apply h|]. intros h q.
  destruct (some_at dec (of_quilt n roles) q) as [[v <-]|no]; [apply h|].
  assert (Z : forall s', p_quilt dec (of_quilt n roles) p s' q = 0)
    by (intros; now apply none_at). rewrite !Z. lra.
Qed.

Lemma told_is roles i p e E : exp e = E -> told (d A) roles i p e <->
  forall x y v, tells roles p (record_is (d A) i x) (record_is (d A) i y) E v.
Proof.
  intros <-. unfold told. split; intros h x y; [|apply tells_is, h]. now apply tells_is.
Qed.

#[export] Instance d_quilt_of roles i (l : list raw_chain) c :
  (forall r x v u, decided (apart roles (law_read r) (record_is (d A) i x) v u) (c r x v u)) ->
  decided (quilt_of (d A) roles i (laws_of (class_read l) n)) (is_near (roles i) &&
    forallb (fun r => forallb (fun x => forallb (fun v => forallb (c r x v) all) all) all) l) | 0.
Proof.
  intros each. unfold decided, quilt_of. rewrite andb_true_iff, forallb_forall.
  pose proof (d_near (roles i)) as N. unfold decided in N. rewrite N. split.
  - intros [ri h]. split; [easy|]. intros p x [k [ik ->]]. apply in_map_iff in ik as [r [<- ir]].
    apply apart_is. intros v u. specialize (h r ir). rewrite forallb_forall in h.
    specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h v (all_here v)). rewrite forallb_forall in h. apply each, h, all_here.
  - intros [ri h]. split; [easy|]. intros r ir. apply forallb_forall; intros x _.
    apply forallb_forall; intros v _. apply forallb_forall; intros u _. apply each.
    refine (proj1 (apart_is roles (law_read r) (record_is (d A) i x)) _ v u). apply h.
    exists (chain_read r). split; [now apply in_map|easy].
Qed.

#[export] Instance d_told_in_class roles i (l : list raw_chain) e E c : rational (exp e) E ->
  (forall r x y v, decided (tells roles (law_read r) (record_is (d A) i x) (record_is (d A) i y)
    (Q2R E) v) (c r x y v)) ->
  decided (told_in_class (d A) roles i (laws_of (class_read l) n) e)
    (forallb (fun r => forallb (fun x => forallb (fun y => forallb (c r x y) all) all) all) l) | 0.
Proof.
  intros eE each. unfold decided, told_in_class. rewrite forallb_forall. split.
  - intros h p [k [ik ->]]. apply in_map_iff in ik as [r [<- ir]]. apply (told_is _ _ _ _ _ eE).
    intros x y v. specialize (h r ir). rewrite forallb_forall in h.
    specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). rewrite forallb_forall in h. apply each, h, all_here.
  - intros h r ir. apply forallb_forall; intros x _. apply forallb_forall; intros y _.
    apply forallb_forall; intros v _. apply each.
    refine (proj1 (told_is roles i (law_read r) e _ eE) _ x y v). apply h.
    exists (chain_read r). split; [now apply in_map|easy].
Qed.

(** Tables that agree outside the nearby records. *)
Definition agree_by (roles : nat -> role) (x y : T) : bool := forallb (fun k => is_near (roles k) ||
  if decide_option (d A) (nth_error (list_of x) k) (nth_error (list_of y) k) then true else false)
  (seq 0 n).
Lemma agree_by_is roles x y : agree_by roles x y = true <-> agree roles x y.
Proof.
  unfold agree_by, agree. rewrite forallb_forall. split.
  - intros h k no. destruct (Nat.lt_ge_cases k n) as [here|far].
    + specialize (h k ltac:(apply in_seq; lia)). apply orb_prop in h as [h|h];
        [now destruct (roles k)|]. now destruct decide_option.
    + now rewrite !(proj2 (nth_error_None _ k)) by (now rewrite list_length).
  - intros h k _. destruct (is_near (roles k)) eqn:r; [easy|]. cbn [orb].
    destruct decide_option as [|no]; [easy|]. destruct no. apply h. now destruct (roles k).
Qed.

#[export] Instance d_reads_away roles {w} (N : T -> fin w -> R) c :
  (forall x y z, decided (N x z = N y z) (c x y z)) -> decided (reads_away roles N)
  (forallb (fun x => forallb (fun y => negb (agree_by roles x y) || forallb (c x y) all) all) all)
  | 0.
Proof.
  intros each. unfold decided, reads_away. rewrite forallb_forall. split.
  - intros h x y z e. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). apply agree_by_is in e. rewrite e in h. simpl in h.
    rewrite forallb_forall in h. apply each, h, all_here.
  - intros h x _. apply forallb_forall; intros y _. destruct (agree_by roles x y) eqn:e; [|easy].
    simpl. apply agree_by_is in e. apply forallb_forall; intros z _. now apply each, h.
Qed.

(** The records that are not near, as a release. *)
#[export] Instance r_shows_away roles (v u : T) : rational (shows_away (d A) roles v u)
  (if agree_by roles v u then 1 else 0)%Q | 0.
Proof.
  assert (same : agree_by roles v u = true <-> shown (fun k => is_near (roles k)) v =
    shown (fun k => is_near (roles k)) u).
  { rewrite agree_by_is, shown_same. unfold agree.
    split; intros h k r; apply h; now destruct (roles k). }
  unfold rational, shows_away. destruct (agree_by roles v u), decide_shown as [e|no];
    try (unfold Q2R; simpl; lra); [now destruct no; apply same|now apply same in e].
Qed.

Notation reads := (release_read (m := m) (n := n)).
#[export] Instance d_moves_near roles q k : decided (moves_near roles (asked (reads q)) k)
  (forallb (fun x : T => forallb (fun y => negb (agree_by roles x y) ||
    Z.leb (Z.abs (numerator q x - numerator q y)) (Zpos (parts q) * Z.of_nat k)) all) all) | 0.
Proof.
  assert (one : forall x y : T, Z.leb (Z.abs (numerator q x - numerator q y))
    (Zpos (parts q) * Z.of_nat k) = true <->
    Rabs (asked (reads q) x - asked (reads q) y) <= INR k).
  { intros x y. pose proof (parts_pos q) as pos. rewrite Z.leb_le. unfold asked, release_read.
    cbn [fst]. replace (IZR (numerator q x) / IZR (Z.pos (parts q)) - IZR (numerator q y) /
      IZR (Z.pos (parts q))) with ((IZR (numerator q x) - IZR (numerator q y)) *
      / IZR (Z.pos (parts q))) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge; left; now apply Rinv_0_lt_compat).
    rewrite <- minus_IZR, <- abs_IZR, INR_IZR_INZ. split.
    - intros h. apply IZR_le in h. rewrite mult_IZR in h.
      apply (Rmult_le_reg_r (IZR (Z.pos (parts q)))); [easy|].
      rewrite Rmult_assoc, Rinv_l by lra. lra.
    - intros h. apply le_IZR. rewrite mult_IZR.
      apply (Rmult_le_compat_r (IZR (Z.pos (parts q)))) in h; [|lra].
      rewrite Rmult_assoc, Rinv_l in h by lra. lra. }
  unfold decided, moves_near. rewrite forallb_forall. split.
  - intros h x y e. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). apply agree_by_is in e. rewrite e in h. now apply one.
  - intros h x _. apply forallb_forall; intros y _. destruct (agree_by roles x y) eqn:e; [|easy].
    simpl. apply one, h. now apply agree_by_is.
Qed.

(** What noise leaves for the influence. *)
Definition left_for q k : Q := Qred (ratio_of q * qpow (rho q) (Pos.to_nat (parts q) * k)).
Lemma left_is q k : Q2R (left_for q k) = exp (at_level (reads q) - INR k / with_noise (reads q)).
Proof.
  pose proof (log_rho q) as neg. pose proof (parts_pos q) as pos.
  destruct (proper_is (snd (snd q))) as [r0 r1]. fold (rho q) in r0, r1.
  assert (E0 : 0 < Q2R (ratio_of q)) by apply positive_pos.
  unfold left_for. rewrite red, Q2R_mult. unfold Rminus. rewrite exp_plus.
  unfold at_level, with_noise, release_read. cbn [fst snd]. rewrite exp_ln by easy. f_equal.
  pose proof (r_pow (Q2R (rho q)) (rho q) (Pos.to_nat (parts q) * k) (r_q _)) as power.
  unfold rational in power. rewrite <- power, <- Rpower_pow by easy. unfold Rpower. f_equal.
  rewrite mult_INR, INR_IPR. unfold IZR in pos.
  change (IZR (Z.pos (parts q))) with (IPR (parts q)) in *. field. split; lra.
Qed.

Lemma hides_is q k e : hides (at_level (reads q)) (with_noise (reads q)) k e <->
  exp e <= Q2R (left_for q k).
Proof.
  rewrite left_is. unfold hides. pose proof (scale_pos (m := m) (n := n) q) as b0. split.
  - intros [_ room]. assert (e <= at_level (reads q) - INR k / with_noise (reads q)) as [l|<-]
      by lra; [left; now apply exp_increasing|lra].
  - intros h. split; [easy|]. assert (e <= at_level (reads q) - INR k / with_noise (reads q));
      [|lra]. apply Rnot_lt_le. intros less. apply exp_increasing in less. lra.
Qed.

#[export] Instance d_hides q k e E : rational (exp e) E ->
  decided (hides (at_level (reads q)) (with_noise (reads q)) k e) (Qle_bool E (left_for q k)) | 0.
Proof.
  unfold rational. intros eE. unfold decided. rewrite hides_is, eE, Qle_bool_iff.
  split; [apply Qle_Rle|apply Rle_Qle].
Qed.

#[export] Instance d_quilts_of (S : list (nat * list nat)) (l : list raw_chain) c :
  (forall q, decided (quilt_of (d A) (roles_read (snd q)) (fst q) (laws_of (class_read l) n))
    (c q)) ->
  decided (quilts_of (d A) (map candidate_read S) (laws_of (class_read l) n)) (forallb c S) | 0.
Proof.
  intros each. unfold decided, quilts_of. rewrite forallb_forall. split.
  - intros h q i. apply in_map_iff in i as [raw [<- i]]. now apply each, h.
  - intros h q i. apply each. apply (h (candidate_read q)). now apply in_map.
Qed.

#[export] Instance d_quilts_score (S : list (nat * list nat)) q (l : list raw_chain) c :
  (forall r i o x y v, decided (tells (roles_read (snd o)) (law_read r) (record_is (d A) i x)
    (record_is (d A) i y) (Q2R (left_for q (nearby (n := n) (roles_read (snd o))))) v)
    (c r i o x y v)) ->
  decided (quilts_score (d A) (map candidate_read S) (reads q) (laws_of (class_read l) n))
    (forallb (fun r => forallb (fun i => existsb (fun o => Nat.eqb (fst o) i &&
      forallb (fun x => forallb (fun y => forallb (c r i o x y) all) all) all) S) (seq 0 n)) l) | 0.
Proof.
  intros each. unfold decided, quilts_score. rewrite forallb_forall. split.
  - intros h p i [k [ik ->]] here. apply in_map_iff in ik as [r [<- ir]]. specialize (h r ir).
    rewrite forallb_forall in h. specialize (h i ltac:(apply in_seq; lia)).
    apply existsb_exists in h as [o [io h]]. apply andb_prop in h as [mine h].
    apply Nat.eqb_eq in mine. exists (candidate_read o).
    exists (at_level (reads q) - INR (nearby (n := n) (roles_read (snd o))) / with_noise (reads q)).
    split; [now apply in_map|]. split; [easy|].
    split; [|apply hides_is; rewrite left_is; apply Rle_refl].
    apply (told_is _ _ _ _ _ eq_refl). rewrite <- left_is. intros x y v.
    rewrite forallb_forall in h. specialize (h x (all_here x)). rewrite forallb_forall in h.
    specialize (h y (all_here y)). rewrite forallb_forall in h. apply each, h, all_here.
  - intros h r ir. apply forallb_forall; intros i here. apply in_seq in here.
    destruct (h (law_read r) i) as [o [e [io [mine [infl room]]]]];
      [exists (chain_read r); split; [now apply in_map|easy]|lia|].
    apply in_map_iff in io as [raw [<- io]]. apply existsb_exists. exists raw. split; [easy|].
    apply andb_true_iff. split; [now apply Nat.eqb_eq|].
    apply hides_is in room. assert (Lp : law (law_read r)) by apply read_law.
    apply forallb_forall; intros x _. apply forallb_forall; intros y _.
    apply forallb_forall; intros v _. apply each. cbn [candidate_read fst snd] in *.
    apply Rle_trans with (1 := infl x y (of_quilt n (roles_read (snd raw)) v)).
    destruct (p_quilt_le dec (of_quilt n (roles_read (snd raw))) (law_read r) (record_is (d A) i y)
      (of_quilt n (roles_read (snd raw)) v) Lp) as [z0 _].
    apply Rmult_le_compat_r; [easy|]. apply Rmult_le_compat_r; [now apply P_nonneg|exact room].
Qed.
End Tables.
#[export] Hint Extern 0 (decided (apart _ _ _ _ _) _) => unfold apart : typeclass_instances.
#[export] Hint Extern 0 (decided (tells _ _ _ _ _ _) _) => unfold tells : typeclass_instances.
#[export] Hint Extern 2 (rational (p_quilt_remote _ _ _ _ _ _ _ _) _) =>
  unfold p_quilt_remote, Pz : typeclass_instances.

(** One list of records is inside another one. *)
#[export] Instance d_subset (l m : list nat) :
  decided (subset (fun k => existsb (Nat.eqb k) l) (fun k => existsb (Nat.eqb k) m))
    (forallb (fun k => existsb (Nat.eqb k) m) l) | 0.
Proof.
  unfold decided, subset. rewrite forallb_forall. split.
  - intros h k i. apply h. apply existsb_exists in i as [j [i e]]. now apply Nat.eqb_eq in e as ->.
  - intros h k i. apply h. apply existsb_exists. exists k. split; [easy|apply Nat.eqb_refl].
Qed.

(** No arrow of a chain joins a near and a remote record. *)
Definition is_remote (r : role) := match r with remote => true | _ => false end.
Definition joined (roles : nat -> role) k := match k with O => false | S j =>
  is_near (roles j) && is_remote (roles k) || is_remote (roles j) && is_near (roles k) end.
#[export] Instance d_separates n roles : decided (quilt_separates chain_parents n roles)
  (forallb (fun k => negb (joined roles k)) (seq 0 n)) | 0.
Proof.
  unfold decided, quilt_separates. rewrite forallb_forall. split.
  - intros h k i j here ik jk [ri rj]. specialize (h k ltac:(apply in_seq; lia)).
    destruct k as [|k]; simpl in *.
    + destruct ik as [<-|[]], jk as [<-|[]]. congruence.
    + destruct ik as [<-|[<-|[]]], jk as [<-|[<-|[]]]; rewrite ?ri, ?rj in *; simpl in *;
        try congruence; try (destruct (roles k), (roles (S k)); simpl in *; congruence).
  - intros h k here. apply in_seq in here. destruct k as [|k]; [easy|].
    apply negb_true_iff. unfold joined. apply not_true_is_false. intros bad.
    apply orb_prop in bad as [bad|bad]; apply andb_prop in bad as [one two].
    + apply (h (S k) k (S k)); [lia|right; now left|now left|].
      now destruct (roles k), (roles (S k)).
    + apply (h (S k) (S k) k); [lia|now left|right; now left|].
      now destruct (roles k), (roles (S k)).
Qed.
