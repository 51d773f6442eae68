(** How minimal quilts are decided: near, quilt and remote records are enumerated, and what is a
    quilt on every chain by what stands between two records. *)
From Coq Require Import Reals QArith Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Chain ChainQuilts Networks RecordTables.
From Pufferproof Require Import Parallel ParallelChains SequentialChains TableQuilts.
From Pufferproof Require Import QuiltsOfTables Separation MinimalQuilts.
From Tied Require Import Decide Entries Chains Segments Tables.
Import ListNotations.
Open Scope R_scope.

#[export] Instance d_two m : decided (exists x y : fin (S m), x <> y) (negb (Nat.eqb m 0)) | 0.
Proof.
  unfold decided. rewrite negb_true_iff, Nat.eqb_neq. destruct m as [|m].
  - split; [easy|]. intros [x [y no]]. destruct x as [[]|], y as [[]|]. easy.
  - split; [intros _|lia]. now exists None, (Some None).
Qed.

(** All lists of n choices. *)
Fixpoint choices n : list (list nat) := match n with O => [[]]
  | S n => flat_map (fun l => [0%nat :: l; 1%nat :: l; 2%nat :: l]) (choices n) end.
Definition number_of (r : role) : nat := match r with near => 0 | quilt => 1 | remote => 2 end.

Lemma choices_all l : (forall x, In x l -> (x <= 2)%nat) -> In l (choices (length l)).
Proof.
  induction l as [|x l IH]; intros small; [now left|]. simpl. apply in_flat_map. exists l.
  split; [apply IH; intros; apply small; now right|].
  specialize (small x (or_introl eq_refl)). destruct x as [|[|[|x]]]; simpl; auto; lia.
Qed.

Lemma chosen (roles : nat -> role) n : exists l, In l (choices n) /\
  forall k, (k < n)%nat -> roles_read l k = roles k.
Proof.
  exists (map (fun k => number_of (roles k)) (seq 0 n)). split.
  - rewrite <- (seq_length n 0) at 2. rewrite <- (map_length (fun k => number_of (roles k))).
    apply choices_all. intros x ix. apply in_map_iff in ix as [k [<- _]]. destruct (roles k);
      simpl; lia.
  - intros k h. unfold roles_read. rewrite (nth_indep _ 2%nat (number_of (roles n)))
      by (rewrite map_length, seq_length; lia).
    rewrite (map_nth (fun k => number_of (roles k)) (seq 0 n) n k), seq_nth by easy.
    simpl. now destruct (roles k).
Qed.

Section Decided.
Context (n : nat) (good : (nat -> role) -> Prop) (goodb : (nat -> role) -> bool).
Hypothesis is_good : forall roles, goodb roles = true <-> good roles.
Hypothesis local : forall roles more, (forall k, (k < n)%nat -> roles k = more k) ->
  goodb roles = goodb more.

Definition same_nearb (roles more : nat -> role) :=
  forallb (fun k => eqb (is_near (roles k)) (is_near (more k))) (seq 0 n).
Definition minimalb roles := goodb roles && forallb (fun l => negb (goodb (roles_read l) &&
  same_nearb roles (roles_read l)) || Nat.leb (size n roles) (size n (roles_read l))) (choices n).
Definition shownb (Q : nat -> bool) roles :=
  forallb (fun k => eqb (Q k) (is_quilt (roles k))) (seq 0 n).

Lemma size_local roles more : (forall k, (k < n)%nat -> roles k = more k) ->
  size n roles = size n more.
Proof.
  intros same. unfold size. f_equal. apply filter_ext_in. intros k ik. apply in_seq in ik.
  rewrite same; [easy|lia].
Qed.

Lemma same_nearb_is roles more : same_nearb roles more = true <-> same_near n roles more.
Proof.
  unfold same_nearb, same_near. rewrite forallb_forall. split.
  - intros h k kn. specialize (h k ltac:(apply in_seq; lia)). apply eqb_prop in h.
    destruct (roles k), (more k); simpl in h; easy.
  - intros h k ik. apply in_seq in ik. specialize (h k ltac:(lia)).
    destruct (roles k), (more k); simpl; try easy; destruct h as [h1 h2]; try (now discriminate h1);
      try (now discriminate h2); try (specialize (h1 eq_refl); discriminate);
      specialize (h2 eq_refl); discriminate.
Qed.

Lemma minimal_is roles : minimalb roles = true <-> minimal good n roles.
Proof.
  unfold minimalb, minimal. rewrite andb_true_iff, is_good, forallb_forall. split.
  - intros [ok least]. split; [easy|]. intros more ok' near_.
    destruct (chosen more n) as [l [il e]].
    specialize (least l il). rewrite (local _ more e), (proj2 (is_good more) ok') in least.
    rewrite (size_local _ more e) in least.
    assert (same_nearb roles (roles_read l) = true) as s.
    { apply same_nearb_is. intros k kn. rewrite e by easy. now apply near_. }
    rewrite s in least. now apply Nat.leb_le in least.
  - intros [ok least]. split; [easy|]. intros l il.
    destruct (goodb (roles_read l)) eqn:g; [|easy].
    destruct (same_nearb roles (roles_read l)) eqn:s; [|easy]. simpl. apply Nat.leb_le, least.
    + now apply is_good.
    + now apply same_nearb_is.
Qed.

Lemma minimal_set_is Q : existsb (fun l => minimalb (roles_read l) && shownb Q (roles_read l))
  (choices n) = true <-> minimal_set good n Q.
Proof.
  assert (shown_is : forall roles, shownb Q roles = true <->
    forall k, (k < n)%nat -> Q k = true <-> roles k = quilt).
  { intros roles. unfold shownb. rewrite forallb_forall. split.
    - intros h k kn. specialize (h k ltac:(apply in_seq; lia)). apply eqb_prop in h. rewrite h.
      apply quilt_is.
    - intros h k ik. apply in_seq in ik. specialize (h k ltac:(lia)). apply eqb_true_iff.
      apply eq_true_iff_eq. rewrite h. symmetry. apply quilt_is. }
  rewrite existsb_exists. unfold minimal_set. split.
  - intros [l [_ h]]. apply andb_prop in h as [h1 h2]. exists (roles_read l).
    split; [now apply minimal_is|now apply shown_is].
  - intros [roles [h1 h2]]. destruct (chosen roles n) as [l [il e]]. exists l. split; [easy|].
    apply minimal_is in h1. apply shown_is in h2. apply andb_true_iff. split.
    + revert h1. unfold minimalb. rewrite (local _ roles e), (size_local _ roles e).
      replace (same_nearb (roles_read l)) with (same_nearb roles); [easy|].
      apply FunctionalExtensionality.functional_extensionality. intros more.
      apply eq_true_iff_eq. rewrite !same_nearb_is. unfold same_near.
      split; intros h k kn; specialize (h k kn); now rewrite e in *.
    + revert h2. unfold shownb. rewrite !forallb_forall. intros h k ik. rewrite e; [now apply h|].
      apply in_seq in ik. lia.
Qed.
End Decided.

Lemma all_alike {B} (l : list B) f g : (forall x, In x l -> f x = g x) ->
  forallb f l = forallb g l.
Proof.
  induction l as [|x l IH]; intros same; simpl; [easy|]. rewrite same by now left.
  f_equal. apply IH. intros y iy. apply same. now right.
Qed.

Section Chains.
Context {m n : nat}.
Notation A := (fin (S m)).

(** One value tells nothing. *)
Lemma one_value (roles : nat -> role) i priors : (i < n)%nat -> roles i = near ->
  quilt_of (d (fin 1)) (n := n) roles i priors.
Proof.
  intros here ri. split; [easy|]. intros p x _ q r.
  assert (all_ : record_is (n := n) (d (fin 1)) i x = everything).
  { apply FunctionalExtensionality.functional_extensionality. intros v.
    unfold record_is, value, record, everything.
    destruct (nth_error (list_of v) i) as [y|] eqn:e.
    - destruct x as [[]|], y as [[]|]. now destruct decide_option.
    - apply nth_error_None in e. rewrite list_length in e. lia. }
  rewrite all_. ring.
Qed.

Definition separatedb i (roles : nat -> role) :=
  forallb (fun r => negb (is_remote (roles r)) || parted roles i r) (seq 0 n).
Lemma separated_is i roles : separatedb i roles = true <-> separated n roles i.
Proof.
  unfold separatedb, separated. rewrite forallb_forall. split.
  - intros h r rn rr. specialize (h r ltac:(apply in_seq; lia)). rewrite rr in h.
    now apply parted_is.
  - intros h r ir. apply in_seq in ir. destruct (roles r) eqn:e; try easy.
    apply parted_is, h; [lia|easy].
Qed.

Lemma parted_local roles more i r : (i < n)%nat -> (r < n)%nat ->
  (forall k, (k < n)%nat -> roles k = more k) -> parted roles i r = parted more i r.
Proof.
  intros here rn same. apply eq_true_iff_eq. rewrite !parted_is. unfold between.
  split; intros [s [q h]]; exists s; (split; [|easy]); [rewrite <- same|rewrite same]; easy || lia.
Qed.

Definition on_everyb i roles := is_near (roles i) &&
  match m with O => true | _ => separatedb i roles end.

Lemma near_is (r : role) : is_near r = true <-> r = near.
Proof. now destruct r. Qed.

#[export] Instance d_minimal_quilt i Q : decided (minimal_quilt (d A) n i Q) (Nat.ltb i n &&
  existsb (fun l => minimalb n (on_everyb i) (roles_read l) && shownb n Q (roles_read l))
    (choices n)) | 0.
Proof.
  unfold decided, minimal_quilt. rewrite andb_true_iff, Nat.ltb_lt. split; intros [here h];
    (split; [easy|]); revert h; apply minimal_set_is.
  1, 3: intros roles; unfold on_everyb, on_every_chain; rewrite andb_true_iff, near_is.
  3, 4: intros roles more same; unfold on_everyb; rewrite same by easy; destruct m; [easy|];
    f_equal; unfold separatedb; apply all_alike; intros r ir; apply in_seq in ir;
    rewrite same, (parted_local roles more) by (easy || lia); easy.
  all: destruct m as [|m']; [split; [intros [ri _]; now apply one_value|now intros [ri _]]|];
    rewrite separated_is; symmetry;
    now apply (quilts_of_every_chain (d (fin (S (S m')))) n roles i None (Some None)).
Qed.

Definition in_piecesb i (roles : nat -> role) := forallb (fun k => eqb (is_near (roles k))
  (negb (is_quilt (roles k)) && negb (parted roles i k))) (seq 0 n).

Lemma piece_is i roles : in_piecesb i roles = true <-> piece n roles i.
Proof.
  unfold in_piecesb, piece. rewrite forallb_forall.
  assert (one : forall k, eqb (is_near (roles k)) (negb (is_quilt (roles k)) &&
      negb (parted roles i k)) = true <->
    (roles k = near <-> roles k <> quilt /\ ~ between roles i k)).
  { intros k. rewrite eqb_true_iff, <- (parted_is roles i k).
    destruct (roles k), (parted roles i k); simpl; split; intros h; try easy;
      try (destruct h as [h1 h2]); try (now destruct (h1 eq_refl));
      try (now discriminate h2); try (specialize (h2 ltac:(now split)); discriminate). }
  split.
  - intros h k kn. apply one, h, in_seq. lia.
  - intros h k ik. apply in_seq in ik. apply one, h. lia.
Qed.

Definition good_piece i (roles : nat -> role) := is_near (roles i) && in_piecesb i roles.

#[export] Instance d_minimal_piece i Q (l : list raw_chain) :
  decided (minimal_piece (d A) n i (class_read l) Q) (Nat.ltb i n &&
  existsb (fun o => minimalb n (good_piece i) (roles_read o) && shownb n Q (roles_read o))
    (choices n)) | 0.
Proof.
  assert (lawful : chains_only (class_read (m := m) l)).
  { intros c ic. apply in_map_iff in ic as [r [<- _]]. split; [|intros k x]; apply share_law. }
  unfold decided, minimal_piece. rewrite andb_true_iff, Nat.ltb_lt. split; intros [here h];
    (split; [easy|]); revert h; apply minimal_set_is.
  1, 3: intros roles; unfold in_pieces, good_piece; rewrite andb_true_iff, near_is, piece_is;
    split; [intros [ri own]|now intros [own [ri _]]]; split; [easy|];
    apply separated_is_independent; [easy..|now apply piece_separated].
  all: intros roles more same; unfold good_piece; rewrite same by easy; f_equal;
    unfold in_piecesb; apply all_alike; intros r ir; apply in_seq in ir;
    rewrite same, (parted_local roles more) by (easy || lia); easy.
Qed.
End Chains.

(** At most one record on each side. *)
#[export] Instance d_one_a_side n i (l : list nat) : decided (one_a_side n i
  (fun k => existsb (Nat.eqb k) l)) (existsb (fun lo => existsb (fun hi => forallb (fun k =>
  eqb (existsb (Nat.eqb k) l) (Nat.eqb (S k) lo || Nat.eqb k hi)) (seq 0 n)) (seq (S i) (S n)))
  (seq 0 (S i))) | 0.
Proof.
  assert (one : forall lo hi, forallb (fun k => eqb (existsb (Nat.eqb k) l)
      (Nat.eqb (S k) lo || Nat.eqb k hi)) (seq 0 n) = true <->
    forall k, (k < n)%nat -> existsb (Nat.eqb k) l = true <-> S k = lo \/ k = hi).
  { intros lo hi. rewrite forallb_forall. split.
    - intros h k kn. specialize (h k ltac:(apply in_seq; lia)). apply eqb_prop in h. rewrite h.
      now rewrite orb_true_iff, !Nat.eqb_eq.
    - intros h k ik. apply in_seq in ik. apply eqb_true_iff, eq_true_iff_eq.
      rewrite h by lia. now rewrite orb_true_iff, !Nat.eqb_eq. }
  unfold decided, one_a_side. rewrite existsb_exists. split.
  - intros [lo [ilo h]]. apply existsb_exists in h as [hi [ihi h]]. apply in_seq in ilo, ihi.
    exists lo, hi. split; [lia|now apply one].
  - intros [lo [hi [order h]]]. exists lo. split; [apply in_seq; lia|]. apply existsb_exists.
    exists (Nat.min hi (S i + n)). split; [apply in_seq; lia|]. apply one. intros k kn.
    rewrite h by easy. lia.
Qed.
