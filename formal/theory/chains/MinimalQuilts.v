(** Which quilts of a record of a Markov chain are minimal (song2017, lemma II.5). Records are
    counted from 0. *)
From Coq Require Import Reals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Chain Networks TableQuilts QuiltsOfTables.
From Pufferproof Require Import QuiltsOfChains Separation.
Import ListNotations.
Open Scope R_scope.

(** How many records are in the quilt. *)
Definition size n (roles : nat -> role) :=
  length (filter (fun k => is_quilt (roles k)) (seq 0 n)).
Definition same_near n (roles more : nat -> role) :=
  forall k, (k < n)%nat -> roles k = near <-> more k = near.
(** Of the choices that are good, those with the fewest records in the quilt for their nearby
    ones. *)
Definition minimal (good : (nat -> role) -> Prop) n roles :=
  good roles /\
  forall more, good more -> same_near n roles more -> (size n roles <= size n more)%nat.
(** The set of the records of the quilt of one of these. *)
Definition minimal_set good n (Q : nat -> bool) :=
  exists roles, minimal good n roles /\ forall k, (k < n)%nat -> Q k = true <-> roles k = quilt.
(** At most one record before X_i and at most one after it. *)
Definition one_a_side n i (Q : nat -> bool) := exists lo hi, (lo <= i < hi)%nat /\
  forall k, (k < n)%nat -> Q k = true <-> S k = lo \/ k = hi.

Lemma fewer (l : list nat) f g : (forall k, In k l -> f k = true -> g k = true) ->
  (length (filter f l) <= length (filter g l))%nat /\
  ((length (filter g l) <= length (filter f l))%nat ->
    forall k, In k l -> g k = true -> f k = true).
Proof.
  induction l as [|j l IH]; intros sub; [now split|].
  destruct IH as [le eq_]; [intros k h; apply sub; now right|]. simpl.
  pose proof (sub j (or_introl eq_refl)) as here.
  destruct (f j) eqn:fj, (g j) eqn:gj; simpl; try (now specialize (here eq_refl)).
  - split; [lia|]. intros h k [<-|ik] gk; [easy|]. apply eq_; [lia|easy|easy].
  - split; [lia|]. intros h. lia.
  - split; [lia|]. intros h k [<-|ik] gk; [congruence|]. now apply eq_.
Qed.

Lemma quilt_is r : is_quilt r = true <-> r = quilt.
Proof. now destruct r. Qed.

Lemma around_quilt lo hi k : (lo < hi)%nat -> around lo hi k = quilt <-> (S k = lo \/ k = hi)%nat.
Proof.
  intros order. unfold around. destruct (PeanoNat.Nat.leb_spec lo k),
    (PeanoNat.Nat.ltb_spec k hi), (PeanoNat.Nat.eqb_spec k hi), (PeanoNat.Nat.eqb_spec (S k) lo);
    split; try easy; lia.
Qed.

(** The nearest records on both sides that are not near. *)
Lemma nearest_before (roles : nat -> role) i : roles i = near -> exists lo, (lo <= i)%nat /\
  (forall k, (lo <= k <= i)%nat -> roles k = near) /\
  forall k, S k = lo -> roles k <> near.
Proof.
  intros ri. induction i as [|i IH].
  - exists 0%nat. repeat split; try lia. intros k h. now replace k with 0%nat by lia.
  - assert (roles i = near \/ roles i <> near) as [h|h] by (destruct (roles i); auto; now right).
    + destruct (IH h) as [lo [le [between_ before]]]. exists lo. repeat split; auto.
      intros k order. destruct (PeanoNat.Nat.eq_dec k (S i)) as [->|]; [easy|].
      apply between_. lia.
    + exists (S i). repeat split; [lia| |].
      * intros k order. now replace k with (S i) by lia.
      * intros k E. now injection E as ->.
Qed.

Lemma nearest_after (roles : nat -> role) n i : (i < n)%nat -> roles i = near -> exists hi,
  (i < hi <= n)%nat /\ (forall k, (i <= k < hi)%nat -> roles k = near) /\
  ((hi < n)%nat -> roles hi <> near).
Proof.
  intros here ri. remember (n - S i)%nat as d eqn:E. revert i here ri E.
  induction d as [|d IH]; intros i here ri E.
  - exists n. repeat split; try lia. intros k order. now replace k with i by lia.
  - assert (roles (S i) = near \/ roles (S i) <> near) as [h|h]
      by (destruct (roles (S i)); auto; now right).
    + destruct (IH (S i)) as [hi [le [between_ after]]]; [lia|easy|lia|].
      exists hi. repeat split; auto; try lia. intros k order.
      destruct (PeanoNat.Nat.eq_dec k i) as [->|]; [easy|]. apply between_. lia.
    + exists (S i). repeat split; try lia; [|easy]. intros k order. now replace k with i by lia.
Qed.

(** Two records and what is near; all else is remote. *)
Definition reduced (roles : nat -> role) lo hi k : role :=
  if (Nat.eqb (S k) lo || Nat.eqb k hi)%bool then quilt else
  match roles k with near => near | _ => remote end.

Lemma reduced_quilt roles lo hi k : reduced roles lo hi k = quilt <-> (S k = lo \/ k = hi)%nat.
Proof.
  unfold reduced. destruct (PeanoNat.Nat.eqb_spec (S k) lo), (PeanoNat.Nat.eqb_spec k hi);
    simpl; try tauto. destruct (roles k); split; try easy; lia.
Qed.

(** The nearest records that are not near are in the quilt, and are enough. *)
Definition innermost (roles : nat -> role) n i lo hi := (lo <= i < hi)%nat /\ (hi <= n)%nat /\
  (forall k, (lo <= k < hi)%nat -> roles k = near) /\
  (forall k, (k < n)%nat -> S k = lo \/ k = hi -> roles k = quilt).

Lemma has_innermost roles n i : (i < n)%nat -> roles i = near -> separated n roles i ->
  exists lo hi, innermost roles n i lo hi.
Proof.
  intros here ri sep. destruct (nearest_before roles i ri) as [lo [le [low before]]].
  destruct (nearest_after roles n i here ri) as [hi [order [high after]]].
  exists lo, hi. repeat split; try lia.
  - intros k h. destruct (PeanoNat.Nat.le_gt_cases k i); [apply low|apply high]; lia.
  - intros k kn [E|E]; destruct (roles k) eqn:rk; try easy.
    + now destruct (before k E).
    + destruct (sep k kn rk) as [s [q [h|h]]]; [|lia]. rewrite (low s) in q by lia. easy.
    + subst k. now destruct (after kn).
    + destruct (sep k kn rk) as [s [q [h|h]]]; [lia|]. rewrite (high s) in q by lia. easy.
Qed.

Lemma reduced_near roles n i lo hi : innermost roles n i lo hi ->
  same_near n roles (reduced roles lo hi).
Proof.
  intros [order [top [all_near ends]]] k kn. unfold reduced.
  destruct (PeanoNat.Nat.eqb_spec (S k) lo) as [e|e], (PeanoNat.Nat.eqb_spec k hi) as [f|f]; simpl;
    try (rewrite ends by auto; easy). now destruct (roles k).
Qed.

Lemma reduced_separated roles n i lo hi : innermost roles n i lo hi ->
  separated n (reduced roles lo hi) i.
Proof.
  intros [order [top [all_near ends]]] k kn rk.
  assert (lo <= k < hi \/ k < lo \/ hi <= k)%nat as [h|[h|h]] by lia.
  - exfalso. revert rk. unfold reduced. rewrite all_near by easy. now destruct orb.
  - exists (pred lo). split; [apply reduced_quilt; lia|]. left.
    assert (S k <> lo); [|lia]. intros e.
    pose proof (proj2 (reduced_quilt roles lo hi k) (or_introl e)). congruence.
  - exists hi. split; [apply reduced_quilt; lia|]. right.
    assert (k <> hi); [|lia]. intros e.
    pose proof (proj2 (reduced_quilt roles lo hi k) (or_intror e)). congruence.
Qed.

(** Where good choices separate, and the innermost ones are good, minimal quilts have at most one
    record on each side, and these are minimal. *)
Lemma minimal_sets (good : (nat -> role) -> Prop) n i Q : (i < n)%nat ->
  (forall roles, good roles -> roles i = near /\ separated n roles i) ->
  (forall roles lo hi, good roles -> innermost roles n i lo hi -> good (reduced roles lo hi)) ->
  (forall lo hi, (lo <= i < hi)%nat -> good (around lo hi)) ->
  minimal_set good n Q <-> one_a_side n i Q.
Proof.
  intros here separates less forms. split.
  - intros [roles [[ok least] same]]. destruct (separates roles ok) as [ri sep].
    destruct (has_innermost roles n i here ri sep) as [lo [hi inner]].
    pose proof inner as [order [top [all_near ends]]].
    exists lo, hi. split; [easy|]. intros k kn. rewrite same by easy.
    split; [|now apply ends].
    destruct (fewer (seq 0 n) (fun k => is_quilt (reduced roles lo hi k))
      (fun k => is_quilt (roles k))) as [_ equal].
    + intros j ij q. apply in_seq in ij. apply quilt_is in q. apply reduced_quilt in q.
      apply quilt_is, ends; [lia|easy].
    + intros q. apply (reduced_quilt roles lo hi k), quilt_is. apply equal.
      * apply (least (reduced roles lo hi)); [now apply less|now apply (reduced_near roles n i)].
      * apply in_seq. lia.
      * now apply quilt_is.
  - intros [lo [hi [order same]]]. exists (around lo hi). split; [split|].
    + now apply forms.
    + intros more ok near_same. destruct (separates more ok) as [ri sep].
      apply fewer. intros k ik q. apply in_seq in ik. apply quilt_is in q.
      apply around_quilt in q; [|lia]. apply quilt_is.
      assert (inner : forall s, (lo <= s < hi)%nat -> (s < n)%nat -> more s = near)
        by (intros s h sn; apply near_same; [easy|now apply around_near]).
      destruct (more k) eqn:mk; [|easy|].
      * exfalso. apply near_same in mk; [|lia]. apply around_near in mk. lia.
      * exfalso. destruct (sep k ltac:(lia) mk) as [s [qs h]].
        rewrite inner in qs; [easy|lia..].
    + intros k kn. rewrite same by easy. symmetry. apply around_quilt. lia.
Qed.

Section Chains.
Context {A : Type} `{Finite A} (dA : forall x y : A, {x = y} + {x <> y}).

Lemma homogeneous_chains : chains_only (homogeneous (A := A)).
Proof. intros [q T] [K [Lq [LK E]]]. simpl in *. subst T. now split. Qed.

(** What the quilt of a record separates on every chain (song2017.x-separated): all remote records,
    and if it does not, there is a chain on which they depend.
    Differs: records of one chain have their values in one set of at least two members. *)
Theorem quilts_of_every_chain n roles i (a b : A) : a <> b -> (i < n)%nat ->
  quilt_of dA (n := n) roles i (laws_of homogeneous n) <-> roles i = near /\ separated n roles i.
Proof.
  intros ab here. split.
  - intros [ri ind]. split; [easy|]. intros r rn rr.
    destruct (parted roles i r) eqn:h; [now apply parted_is|]. exfalso.
    apply (unseparated_depends dA a b ab n roles i r ri rr here rn).
    + intros far. apply parted_is in far. congruence.
    + split; [easy|]. intros p x <-. apply ind. exists (even, fun _ => stays_or_spreads dA).
      split; [|easy]. exists (stays_or_spreads dA).
      split; [apply (even_law a)|split; [apply (stays_law dA a)|easy]].
  - intros [ri sep]. now apply separated_is_independent; [apply homogeneous_chains|..].
Qed.

(** The minimal quilts of X_i on every chain: all other records may be near or remote. *)
Definition on_every_chain n i roles := quilt_of dA (n := n) roles i (laws_of homogeneous n).
Definition minimal_quilt n i Q := (i < n)%nat /\ minimal_set (on_every_chain n i) n Q.

(** Lemma II.5 of song2017: the minimal quilts of X_i, where a quilt is one on every chain and all
    other records may be near or remote, are those with at most one record on each side.
    Differs: each form stands where its own indices exist, which the print does not say of the ends
    of the chain; records have their values in one set of at least two members. *)
Theorem minimal_on_every_chain n i Q : (exists a b : A, a <> b) -> (i < n)%nat ->
  minimal_quilt n i Q <-> one_a_side n i Q.
Proof.
  intros [a [b ab]] here. unfold minimal_quilt. transitivity (minimal_set (on_every_chain n i) n Q);
    [tauto|]. apply minimal_sets; [easy|..].
  - intros roles ok. now apply (quilts_of_every_chain n roles i a b).
  - intros roles lo hi [ri ok] inner. apply (quilts_of_every_chain n _ i a b); auto. split.
    + now apply (reduced_near roles n i lo hi inner i here).
    + now apply reduced_separated.
  - intros lo hi order. apply quilts_around; [apply homogeneous_chains|easy].
Qed.

(** All records that a path without quilt records joins to X_i are near, and no others. *)
Definition piece n roles i :=
  forall k, (k < n)%nat -> roles k = near <-> roles k <> quilt /\ ~ between roles i k.

Lemma piece_separated n roles i : piece n roles i -> separated n roles i.
Proof.
  intros own r rn rr. destruct (parted roles i r) eqn:h; [now apply parted_is|]. exfalso.
  assert (roles r = near) as E; [|congruence]. apply own; [easy|]. split; [congruence|].
  intros far. apply parted_is in far. congruence.
Qed.

(** The minimal quilts of X_i under some chains where these are near. *)
Definition in_pieces n i (class : @chain_data A -> Prop) roles :=
  piece n roles i /\ quilt_of dA (n := n) roles i (laws_of class n).
Definition minimal_piece n i class Q := (i < n)%nat /\ minimal_set (in_pieces n i class) n Q.

(** Lemma II.5 of song2017 where what is near is the piece that holds X_i: it is so under any
    chains.
    Differs: as [minimal_on_every_chain], but for the set of values; steps may depend on time. *)
Theorem minimal_in_pieces n i Q (class : @chain_data A -> Prop) :
  chains_only class -> (i < n)%nat ->
  minimal_piece n i class Q <-> one_a_side n i Q.
Proof.
  intros laws here. unfold minimal_piece. transitivity (minimal_set (in_pieces n i class) n Q);
    [tauto|].
  apply minimal_sets; [easy|..].
  - intros roles [own [ri _]]. split; [easy|now apply piece_separated].
  - intros roles lo hi [own [ri _]] inner. pose proof (reduced_near roles n i lo hi inner) as same.
    split; [|apply separated_is_independent; [easy|now apply same|now apply (reduced_separated
      roles n i)]].
    pose proof inner as [order [top [all_near ends]]]. intros k kn.
    apply (iff_trans (iff_sym (same k kn))). split.
    + intros rk. apply own in rk as [nq no]; [|easy]. split.
      * intros q. apply reduced_quilt in q. now apply nq, ends.
      * intros [s [q h]]. apply reduced_quilt in q. apply no. exists s. split; [|easy].
        apply ends; [lia|easy].
    + intros [nq no]. apply all_near.
      assert (lo <= k < hi \/ k < lo \/ hi <= k)%nat as [h|[h|h]] by lia; [easy|exfalso..].
      * destruct (PeanoNat.Nat.eq_dec (S k) lo) as [e|e].
        -- apply nq, reduced_quilt. now left.
        -- apply no. exists (pred lo). split; [apply reduced_quilt; lia|lia].
      * destruct (PeanoNat.Nat.eq_dec k hi) as [e|e].
        -- apply nq, reduced_quilt. now right.
        -- apply no. exists hi. split; [apply reduced_quilt; lia|lia].
  - intros lo hi order. split; [|now apply quilts_around].
    intros k kn. rewrite around_near. split.
    + intros h. split; [intros q; apply around_quilt in q; lia|].
      intros [s [q r]]. apply around_quilt in q; lia.
    + intros [nq no].
      assert (lo <= k < hi \/ k < lo \/ hi <= k)%nat as [h|[h|h]] by lia; [easy|exfalso..].
      * destruct (PeanoNat.Nat.eq_dec (S k) lo) as [e|e].
        -- apply nq, around_quilt; lia.
        -- apply no. exists (pred lo). split; [apply around_quilt; lia|lia].
      * destruct (PeanoNat.Nat.eq_dec k hi) as [e|e].
        -- apply nq, around_quilt; lia.
        -- apply no. exists hi. split; [apply around_quilt; lia|lia].
Qed.
End Chains.
