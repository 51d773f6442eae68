(** There are mechanisms that do not compose, as soon as there are three databases. *)
From Coq Require Import Reals Lra Lia List.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Determined.
Import ListNotations.
Open Scope R_scope.

Section Existence.
Context {D : Type} `{Finite D} (dec : forall x y : D, {x = y} + {x <> y}).

Definition three_databases := (3 <= length (@all D _))%nat.
(** Some law and some secrets with x and y have a mechanism that leaks nothing in one run and
    everything in two. *)
Definition some_collapse (x y : D) :=
  exists p s t, s x = true /\ t y = true /\ @collapses D _ p s t.

Lemma apart_lengths (f g : D -> bool) l : (forall x, f x = true -> g x = false) ->
  (length (filter f l) + length (filter g l) <= length l)%nat.
Proof.
  intros ap. induction l as [|x l IH]; cbn [filter length]; [lia|].
  destruct (f x) eqn:fx; [rewrite (ap x fx)|destruct (g x)]; cbn [length]; lia.
Qed.

Lemma possible_one p (s : @secret D) : 0 < P p s -> (1 <= length (possible p s))%nat.
Proof.
  intros Ps. apply sum_pos_exists in Ps as [x [i pos]].
  assert (here : In x (possible p s)).
  { apply filter_In. split; [easy|]. now destruct (Rlt_dec 0 (inside p s x)). }
  destruct (possible p s); [easy|]. simpl. lia.
Qed.

(** Pufferfish does not compose (bai2026, sections 2.2 and 4): there are mechanisms that leak
    nothing in one run and everything in two, exactly if there are three databases. Any two of them
    can be in the secrets.
    Differs: one prior and one pair of disjoint secrets, both orders; databases are finite. *)
Theorem some_mechanism_collapses x y : some_collapse x y <-> three_databases /\ x <> y.
Proof.
  split.
  - intros [p [s [t [sx [ty found]]]]]. pose proof found as [[L [ap [Ps Pt]]] _].
    split; [|intros ->; rewrite (ap y sx) in ty; discriminate].
    destruct (Nat.le_gt_cases 3 (length (@all D _))) as [|few]; [easy|exfalso].
    apply (collapse_exactly dec p s t) in found; [|easy]. apply found.
    pose proof (possible_one p s Ps). pose proof (possible_one p t Pt).
    assert (le : (length (possible p s) + length (possible p t) <= length (@all D _))%nat).
    { apply apart_lengths. intros z. unfold inside.
      destruct (s z) eqn:sz; [rewrite (ap z sz)|]; destruct (Rlt_dec 0 0); easy || lra. }
    unfold single. lia.
  - unfold three_databases. intros [many ab].
    assert (third : exists c, c <> x /\ c <> y).
    { destruct (filter (fun c => if in_dec dec c [x; y] then false else true) all) as [|c l] eqn:E.
      - assert (few : incl (@all D _) [x; y]).
        { intros c i. destruct (in_dec dec c [x; y]) as [|no] eqn:F; [easy|].
          assert (In c []); [|easy]. rewrite <- E. apply filter_In. now rewrite F. }
        apply NoDup_incl_length in few; [|apply all_once]. simpl in few. lia.
      - assert (i : In c (c :: l)) by now left. rewrite <- E in i. apply filter_In in i as [_ i].
        exists c. destruct (in_dec dec c [x; y]) as [|no]; [easy|]. split; intros ->; apply no;
          simpl; auto. }
    destruct third as [c [ca cb]]. assert (ac : x <> c) by congruence.
    assert (bc : y <> c) by congruence. rename x into a, y into b.
    set (at_ := fun z k x => if dec z x then k else 0).
    set (p := fun x => at_ a (1/2) x + (at_ b (1/4) x + at_ c (1/4) x)).
    set (s := fun x => if dec a x then true else false).
    set (t := fun x => if dec a x then false else true).
    assert (mass : forall u z k, u z = true ->
      (Σ x, if u x then at_ z k x else 0) = k).
    { intros u z k uz. transitivity (Σ x, if dec z x then k else 0); [|apply sum_one].
      apply sum_ext. intros x _. unfold at_.
      destruct (dec z x) as [<-|]; [now rewrite uz|now destruct (u x)]. }
    assert (none : forall (u : D -> bool) z k, u z = false ->
      (Σ x, if u x then at_ z k x else 0) = 0).
    { intros u z k uz. transitivity (sum (@all D _) (fun _ => 0)); [|apply sum_0].
      apply sum_ext. intros x _. unfold at_.
      destruct (dec z x) as [<-|]; [now rewrite uz|now destruct (u x)]. }
    assert (split3 : forall u, P p u = (Σ x, if u x then at_ a (1/2) x else 0) +
      ((Σ x, if u x then at_ b (1/4) x else 0) + (Σ x, if u x then at_ c (1/4) x else 0))).
    { intros u. unfold P. rewrite <- !sum_plus. apply sum_ext. intros x _. unfold inside, p.
      destruct (u x); ring. }
    assert (sa : s a = true) by (unfold s; now destruct (dec a a)).
    assert (ta : t a = false) by (unfold t; now destruct (dec a a)).
    assert (sb : s b = false) by (unfold s; now destruct (dec a b)).
    assert (tb : t b = true) by (unfold t; now destruct (dec a b)).
    assert (sc : s c = false) by (unfold s; now destruct (dec a c)).
    assert (tc : t c = true) by (unfold t; now destruct (dec a c)).
    assert (pos : forall x, 0 <= p x).
    { intros x. unfold p, at_. destruct (dec a x), (dec b x), (dec c x); lra. }
    assert (pair : one_pair p s t).
    { repeat split; [easy| | | |].
      - destruct (ex_intro (fun u : D -> bool => forall x, u x = true) (fun _ => true)
          (fun _ => eq_refl)) as [u yes].
        transitivity (P p u); [apply sum_ext; intros x _; unfold inside; now rewrite yes|].
        rewrite split3, !mass by easy. lra.
      - intros x. unfold s, t. now destruct (dec a x).
      - rewrite split3, mass, !none by easy. lra.
      - rewrite split3, none, !mass by easy. lra. }
    exists p, s, t. split; [easy|]. split; [easy|]. apply (collapse_exactly dec p s t pair).
    intros [_ one].
    assert (two : incl [b; c] (possible p t)).
    { intros x i. apply filter_In. split; [apply all_here|]. unfold inside.
      assert (t x = true /\ 0 < p x) as [-> px].
      { assert (0 < at_ b (1/4) b /\ 0 < at_ c (1/4) c) as [pb pc].
        { unfold at_. destruct (dec b b), (dec c c); try easy; lra. }
        assert (0 <= at_ b (1/4) c) by (unfold at_; destruct (dec b c); lra).
        assert (0 <= at_ c (1/4) b) by (unfold at_; destruct (dec c b); lra).
        assert (at_ a (1/2) b = 0) by (unfold at_; now destruct (dec a b)).
        assert (at_ a (1/2) c = 0) by (unfold at_; now destruct (dec a c)).
        destruct i as [<-|[<-|[]]]; (split; [easy|]); unfold p; lra. }
      now destruct (Rlt_dec 0 (p x)). }
    apply NoDup_incl_length in two; [|repeat constructor; simpl; intuition].
    unfold single in one. simpl in two. lia.
Qed.
End Existence.
