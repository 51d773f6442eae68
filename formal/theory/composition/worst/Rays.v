(** Cones of finitely many inequalities are spanned by their extreme rays (Minkowski), so that the
    worst case is decided there. *)
From Coq Require Import Reals Lra List Classical.
From Pufferproof Require Import Sums Worst.
Import ListNotations.
Open Scope R_scope.

Section Spanned.
Context {D : Type} `{Finite D}.
Implicit Types (u v g a : D -> R) (G : list (D -> R)).

Lemma spanned_ext G u v : (forall x, u x = v x) -> spanned G u -> spanned G v.
Proof. intros E [c [c0 F]]. exists c; split; auto. intros x. now rewrite <- E. Qed.

Lemma spanned_zero G : spanned G (fun _ => 0).
Proof. exists []; split; [intros ? ? []|easy]. Qed.

Lemma spanned_member G g : In g G -> spanned G g.
Proof.
  intros i. exists [(1, g)]. split; [|intros; simpl; ring].
  intros k r [E|[]]; inversion E; subst. split; [lra|easy].
Qed.

Lemma spanned_add G u v : spanned G u -> spanned G v -> spanned G (fun x => u x + v x).
Proof.
  intros [c [c0 E]] [d [d0 F]]. exists (c ++ d). split.
  - intros k r i. apply in_app_iff in i as [i|i]; auto.
  - intros x. now rewrite sum_app, E, F.
Qed.

Lemma spanned_scale G k u : 0 <= k -> spanned G u -> spanned G (fun x => k * u x).
Proof.
  intros k0 [c [c0 E]]. exists (map (fun lr => (k * fst lr, snd lr)) c). split.
  - intros m r i. apply in_map_iff in i as [[l q] [F i]]. inversion F; subst.
    destruct (c0 l r i). split; [now apply Rmult_le_pos|easy].
  - intros x. rewrite sum_map, E, <- sum_scale. apply sum_ext; intros; simpl; ring.
Qed.

Lemma spanned_sum {A} G (l : list A) (h : A -> D -> R) : (forall z, In z l -> spanned G (h z)) ->
  spanned G (fun x => sum l (fun z => h z x)).
Proof.
  induction l as [|z l IH]; simpl; intros each; [apply spanned_zero|].
  apply spanned_add; [apply each; now left|apply IH; intros; apply each; now right].
Qed.

Lemma spanned_trans G G' u : (forall g, In g G' -> spanned G g) -> spanned G' u -> spanned G u.
Proof.
  intros each [c [c0 E]].
  apply (spanned_ext G (fun x => sum c (fun kr => fst kr * snd kr x))); [easy|].
  apply spanned_sum. intros [k r] i. destruct (c0 k r i). apply spanned_scale; auto.
Qed.

Lemma inner_sum {A} a (l : list A) (h : A -> D -> R) :
  inner a (fun x => sum l (fun z => h z x)) = sum l (fun z => inner a (h z)).
Proof.
  unfold inner. rewrite <- (sum_swap all l (fun x z => a x * h z x)).
  apply sum_ext; intros x _. now rewrite sum_scale.
Qed.

Lemma inner_scale a k u : inner a (fun x => k * u x) = k * inner a u.
Proof. unfold inner. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.

Lemma inner_add a u v : inner a (fun x => u x + v x) = inner a u + inner a v.
Proof. unfold inner. rewrite <- sum_plus. apply sum_ext; intros; ring. Qed.

(** One more inequality: rays within it, and of two rays on either side of it the one between. *)
Definition beyond a g : bool := if Rlt_dec 0 (inner a g) then true else false.
Definition meet a (pn : (D -> R) * (D -> R)) : D -> R :=
  fun x => - inner a (snd pn) * fst pn x + inner a (fst pn) * snd pn x.
Definition cut a G := filter (fun g => negb (beyond a g)) G ++
  map (meet a) (list_prod (filter (beyond a) G) (filter (fun g => negb (beyond a g)) G)).

Lemma is_beyond a G g : In g (filter (beyond a) G) <-> In g G /\ 0 < inner a g.
Proof. rewrite filter_In. unfold beyond. destruct Rlt_dec; intuition discriminate. Qed.

Lemma is_within a G g :
  In g (filter (fun g => negb (beyond a g)) G) <-> In g G /\ inner a g <= 0.
Proof.
  rewrite filter_In. unfold beyond. destruct Rlt_dec; simpl; intuition (try discriminate; lra).
Qed.

Lemma cut_within a G g : In g (cut a G) -> spanned G g /\ inner a g <= 0.
Proof.
  intros i. apply in_app_iff in i as [i|i].
  - apply is_within in i as [i low]. split; [now apply spanned_member|easy].
  - apply in_map_iff in i as [[p n] [<- i]]. apply in_prod_iff in i as [ip iq].
    apply is_beyond in ip as [ip pos]. apply is_within in iq as [iq neg]. unfold meet; simpl. split.
    + apply spanned_add; apply spanned_scale; try lra; now apply spanned_member.
    + rewrite (inner_add a (fun x => - inner a n * p x) (fun x => inner a p * n x)), !inner_scale.
      right; ring.
Qed.

Lemma sum_split {A} (l : list A) (b : A -> bool) (f : A -> R) :
  sum l f = sum (filter b l) f + sum (filter (fun z => negb (b z)) l) f.
Proof. induction l as [|z l IH]; simpl; [lra|]. rewrite IH. destruct (b z); simpl; lra. Qed.

Lemma cut_spans a G u : spanned G u -> inner a u <= 0 -> spanned (cut a G) u.
Proof.
  intros [c [c0 E]] low.
  set (P := filter (fun kr => beyond a (snd kr)) c).
  set (N := filter (fun kr => negb (beyond a (snd kr))) c).
  set (ray := fun (kr : R * (D -> R)) x => fst kr * snd kr x).
  set (over := sum P (fun kr => inner a (ray kr))).
  set (under := sum N (fun kr => - inner a (ray kr))).
  assert (inP : forall k r, In (k, r) P -> 0 <= k /\ In r (filter (beyond a) G)).
  { intros k r i. apply filter_In in i as [i b]. destruct (c0 k r i). now rewrite filter_In. }
  assert (inN : forall k r, In (k, r) N ->
    0 <= k /\ In r (filter (fun g => negb (beyond a g)) G)).
  { intros k r i. apply filter_In in i as [i b]. destruct (c0 k r i). now rewrite filter_In. }
  assert (U : forall x, u x = sum P (fun kr => ray kr x) + sum N (fun kr => ray kr x)).
  { intros x. rewrite E. apply (sum_split c (fun kr => beyond a (snd kr))). }
  assert (total : inner a u = over - under).
  { assert (same : inner a u = inner a (fun x => sum P (fun kr => ray kr x) +
      sum N (fun kr => ray kr x))).
    { unfold inner. apply sum_ext; intros x _. now rewrite U. }
    rewrite same, inner_add, !inner_sum. unfold over, under.
    rewrite (sum_ext N (fun kr => - inner a (ray kr)) (fun kr => -1 * inner a (ray kr)))
      by (intros; ring).
    rewrite sum_scale. ring. }
  assert (each : forall kr, In kr P -> 0 <= inner a (ray kr)).
  { intros [k r] i. destruct (inP k r i) as [k0 j]. apply is_beyond in j as [_ pos].
    unfold ray; simpl. rewrite inner_scale. apply Rmult_le_pos; lra. }
  assert (low_rays : spanned (cut a G) (fun x => sum N (fun kr => ray kr x))).
  { apply spanned_sum. intros [k r] i. destruct (inN k r i). apply spanned_scale; [easy|].
    apply spanned_member, in_app_iff. now left. }
  assert (over0 : 0 <= over) by (now apply sum_nonneg).
  destruct (Rle_lt_or_eq_dec 0 over over0) as [pos|none].
  - assert (pos' : 0 < under) by lra.
    apply (spanned_ext (cut a G) (fun x =>
      sum (list_prod P N) (fun pn => fst (fst pn) * fst (snd pn) / under *
        meet a (snd (fst pn), snd (snd pn)) x) +
      (1 - over / under) * sum N (fun kr => ray kr x))).
    + intros x. rewrite U, sum_pairs. unfold meet; simpl.
      rewrite (sum_ext P _ (fun p => ray p x + inner a (ray p) / under *
        sum N (fun kr => ray kr x))).
      * rewrite sum_plus.
        rewrite (sum_ext P (fun p => inner a (ray p) / under * _)
          (fun p => sum N (fun kr => ray kr x) / under * inner a (ray p)))
          by (intros; field; lra).
        rewrite sum_scale. fold over. field. lra.
      * intros [k p] _; simpl.
        rewrite (sum_ext N _ (fun n => k * p x / under * - inner a (ray n) +
          k * inner a p / under * ray n x)).
        -- rewrite sum_plus, !sum_scale. fold under. unfold ray at 3; simpl.
           change (fun kr : R * (D -> R) => ray kr x) with (fun kr => ray kr x).
           unfold ray at 2; simpl. rewrite inner_scale. field. lra.
        -- intros [l n] _; simpl. unfold ray; simpl. rewrite inner_scale. field. lra.
    + apply spanned_add.
      * apply spanned_sum. intros [[k p] [l n]] i; simpl. apply in_prod_iff in i as [ip iq].
        destruct (inP k p ip), (inN l n iq). apply spanned_scale.
        -- unfold Rdiv. apply Rmult_le_pos; [now apply Rmult_le_pos|].
           left; now apply Rinv_0_lt_compat.
        -- apply spanned_member, in_app_iff. right. apply in_map_iff. exists (p, n).
           split; [easy|]. now apply in_prod.
      * apply spanned_scale; [|easy]. apply (Rmult_le_reg_r under); [easy|].
        unfold Rdiv. rewrite Rmult_minus_distr_r, Rmult_assoc, Rinv_l; lra.
  - apply (spanned_ext (cut a G) (fun x => sum N (fun kr => ray kr x))); [|easy].
    intros x. rewrite U, (sum_ext P _ (fun _ => 0)), sum_0; [ring|].
    intros [k r] i. destruct (inP k r i) as [k0 j]. apply is_beyond in j as [_ q].
    pose proof (sum_member P (fun kr => inner a (ray kr)) (k, r) each i) as one.
    cbv beta in one. fold over in one. unfold ray in one at 1; simpl in one.
    rewrite inner_scale in one. unfold ray; simpl.
    destruct k0 as [k0|<-]; [|ring]. pose proof (Rmult_lt_0_compat _ _ k0 q). lra.
Qed.

(** The cone of columns that keep finitely many inequalities. *)
Definition within (forms : list (D -> R)) u :=
  (forall x, 0 <= u x) /\ forall a, In a forms -> inner a u <= 0.

Context (dec : forall x y : D, {x = y} + {x <> y}).
Definition unit_ray (y x : D) : R := if dec x y then 1 else 0.

(** Vectors that span the cone: of each inequality what keeps it, and what meets its border. *)
Definition generators forms := fold_right cut (map unit_ray all) forms.

Lemma generated forms : (forall g, In g (generators forms) -> within forms g) /\
  forall u, within forms u -> spanned (generators forms) u.
Proof.
  induction forms as [|a forms [inside spans]]; simpl.
  - split.
    + intros g i. apply in_map_iff in i as [y [<- _]]. split; [|intros ? []].
      intros x. unfold unit_ray. destruct dec; lra.
    + intros u [u0 _]. exists (map (fun y => (u y, unit_ray y)) all). split.
      * intros k r i. apply in_map_iff in i as [y [E i]]. inversion E; subst.
        split; [auto|now apply in_map].
      * intros x. rewrite sum_map. simpl. unfold unit_ray.
        generalize (@all_once D _) (@all_here D _ x). generalize (@all D _).
        induction 1 as [|y l na nl IH]; simpl; [easy|]; intros [->|j].
        -- destruct (dec x x); [|congruence]. rewrite (sum_ext l _ (fun _ => 0)), sum_0; [ring|].
           intros z iz. destruct (dec x z); [subst; contradiction|ring].
        -- destruct (dec x y) as [->|]; [contradiction|]. rewrite <- IH by easy. ring.
  - split.
    + intros g i. apply cut_within in i as [[c [c0 E]] low]. split.
      * intros x. rewrite E. apply sum_nonneg. intros [k r] j; simpl.
        destruct (c0 k r j) as [k0 ir].
        apply Rmult_le_pos; [easy|]. now apply (inside r ir).
      * intros b [<-|ib]; [easy|].
        assert (same : inner b g = inner b (fun x => sum c (fun kr => fst kr * snd kr x))).
        { unfold inner. apply sum_ext; intros x _. now rewrite E. }
        rewrite same, inner_sum, <- (sum_0 c). apply sum_le. intros [k r] j; simpl.
        destruct (c0 k r j) as [k0 ir]. rewrite inner_scale.
        destruct (inside r ir) as [_ each]. specialize (each b ib).
        apply (Rmult_le_compat_l k) in each; lra.
    + intros u [u0 each]. apply cut_spans; [|apply each; now left].
      apply spans. split; [easy|]. intros b ib; apply each; now right.
Qed.

Lemma finitely_generated forms : exists G,
  (forall g, In g G -> within forms g) /\ forall u, within forms u -> spanned G u.
Proof. exists (generators forms). apply generated. Qed.

(** A ray that is no sum of others of the cone. *)
Definition extreme forms g := within forms g /\ (exists x, g x <> 0) /\
  forall u v, within forms u -> within forms v -> (forall x, g x = u x + v x) ->
    exists k, 0 <= k /\ forall x, u x = k * g x.

(** Generators none of which the others span. *)
Definition needed G := forall A g B, G = A ++ g :: B -> ~ spanned (A ++ B) g.

Lemma few_generators G : exists G',
  (forall g, In g G' -> In g G) /\ (forall u, spanned G u -> spanned G' u) /\ needed G'.
Proof.
  assert (sized : forall n G, length G = n -> exists G',
    (forall g, In g G' -> In g G) /\ (forall u, spanned G u -> spanned G' u) /\ needed G').
  { clear G. induction n as [|n IH]; intros G len.
    - destruct G; [|discriminate]. exists []. repeat split; auto.
      intros A g B E. destruct A; discriminate.
    - destruct (classic (needed G)) as [all_needed|not_needed]; [now exists G|].
      assert (some : exists A g B, G = A ++ g :: B /\ spanned (A ++ B) g).
      { apply NNPP. intros no. apply not_needed. intros A g B E span. apply no.
        now exists A, g, B. }
      destruct some as [A [g [B [-> span]]]].
      destruct (IH (A ++ B)) as [G' [inside [spans few]]].
      { rewrite app_length in *. simpl in len. rewrite Nat.add_succ_r in len. congruence. }
      exists G'. split; [|split; [|easy]].
      + intros r i. apply inside in i. apply in_app_iff in i. apply in_app_iff; simpl. tauto.
      + intros u su. apply spans. apply (spanned_trans (A ++ B) (A ++ g :: B)); [|easy].
        intros r i. apply in_app_iff in i as [i|[<-|i]]; [|easy|];
          apply spanned_member, in_app_iff; tauto. }
  now apply (sized (length G)).
Qed.

Lemma take_out A g B u : spanned (A ++ g :: B) u ->
  exists k v, 0 <= k /\ spanned (A ++ B) v /\ forall x, u x = k * g x + v x.
Proof.
  intros [c [c0 E]]. revert u E. induction c as [|[k r] c IH]; intros u E.
  - exists 0, (fun _ => 0). split; [lra|]. split; [apply spanned_zero|].
    intros x. rewrite E. simpl. ring.
  - destruct (IH (fun l q i => c0 l q (or_intror i)) (fun x => sum c (fun kr => fst kr * snd kr x)))
      as [l [v [l0 [span F]]]]; [easy|].
    destruct (c0 k r (or_introl eq_refl)) as [k0 i].
    apply in_app_iff in i. destruct i as [i|[<-|i]].
    + exists l, (fun x => k * r x + v x). split; [easy|]. split.
      * apply spanned_add; [|easy]. apply spanned_scale; [easy|].
        apply spanned_member, in_app_iff. tauto.
      * intros x. rewrite E; simpl. rewrite F. ring.
    + exists (k + l), v. split; [lra|]. split; [easy|].
      intros x. rewrite E; simpl. rewrite F. ring.
    + exists l, (fun x => k * r x + v x). split; [easy|]. split.
      * apply spanned_add; [|easy]. apply spanned_scale; [easy|].
        apply spanned_member, in_app_iff. tauto.
      * intros x. rewrite E; simpl. rewrite F. ring.
Qed.

(** Minkowski: the columns that keep finitely many inequalities are the sums of finitely many
    extreme rays, with weights that are not negative.
    Differs: textbook; cones of vectors without negative entries. *)
Theorem extreme_rays_span forms : exists G,
  (forall g, In g G -> extreme forms g) /\ forall u, within forms u -> spanned G u.
Proof.
  destruct (finitely_generated forms) as [G0 [inside0 spans0]].
  destruct (few_generators G0) as [G [inside [spans few]]].
  exists G. split; [|auto]. intros g i. split; [auto|].
  destruct (in_split g G i) as [A [B E]]. pose proof (few A g B E) as alone. split.
  - apply NNPP. intros zero. apply alone.
    apply (spanned_ext _ (fun _ => 0)); [|apply spanned_zero].
    intros x. destruct (Req_EM_T (g x) 0) as [->|no]; [easy|]. destruct zero. now exists x.
  - intros u v wu wv both.
    assert (nonneg : forall r, spanned (A ++ B) r -> forall x, 0 <= r x).
    { intros r [c [c0 F]] x. rewrite F. apply sum_nonneg. intros [k q] j; simpl.
      destruct (c0 k q j) as [k0 iq]. apply Rmult_le_pos; [easy|].
      apply inside0, inside. rewrite E. apply in_app_iff in iq. apply in_app_iff; simpl. tauto. }
    assert (Su : spanned (A ++ g :: B) u) by (rewrite <- E; auto).
    assert (Sv : spanned (A ++ g :: B) v) by (rewrite <- E; auto).
    destruct (take_out A g B u Su) as [k [u' [k0 [su Eu]]]].
    destruct (take_out A g B v Sv) as [l [v' [l0 [sv Ev]]]].
    assert (rest : forall x, (1 - k - l) * g x = u' x + v' x).
    { intros x. specialize (both x). rewrite Eu, Ev in both. lra. }
    destruct (Rlt_le_dec 0 (1 - k - l)) as [pos|neg].
    + destruct alone. apply (spanned_ext _ (fun x => / (1 - k - l) * (u' x + v' x))).
      * intros x. rewrite <- rest. field. lra.
      * apply spanned_scale; [left; now apply Rinv_0_lt_compat|now apply spanned_add].
    + exists k. split; [easy|]. intros x. rewrite Eu. specialize (rest x).
      pose proof (nonneg u' su x). pose proof (nonneg v' sv x).
      destruct (inside0 g (inside g i)) as [g0 _]. specialize (g0 x).
      pose proof (Rmult_le_compat_r (g x) _ 0 g0 neg). lra.
Qed.

(** The column u keeps the ratio R for every pair (mu, nu) of T. *)
Definition keeps (T : list ((D -> R) * (D -> R))) R u :=
  (forall x, 0 <= u x) /\ forall mu nu, In (mu, nu) T -> inner mu u <= R * inner nu u.
Definition forms_of (T : list ((D -> R) * (D -> R))) R :=
  map (fun mn x => fst mn x - R * snd mn x) T.

Lemma keeps_within T R u : keeps T R u <-> within (forms_of T R) u.
Proof.
  assert (form : forall mu nu, inner (fun x => mu x - R * nu x) u = inner mu u - R * inner nu u).
  { intros mu nu. unfold inner.
    rewrite (sum_ext all _ (fun x => mu x * u x + - R * (nu x * u x))) by (intros; ring).
    rewrite sum_plus, sum_scale. ring. }
  split; intros [u0 each]; split; auto.
  - intros a i. apply in_map_iff in i as [[mu nu] [<- i]]. simpl. rewrite form.
    specialize (each mu nu i). lra.
  - intros mu nu i. assert (j : In (fun x => mu x - R * nu x) (forms_of T R)).
    { apply in_map_iff. now exists (mu, nu). }
    specialize (each _ j). rewrite form in each. lra.
Qed.

(** The worst case is decided at extreme rays (worst.vertices): let release k have columns that keep
    the ratio R_k for all pairs of T. If at all tuples of extreme rays of these cones the joint
    ratio of mu against nu is at most L, it is for all columns.
    Differs: the bound alone: not that it is attained, nor when it is infinite; finitely many pairs
    in T; databases are finite; one column of each release. *)
Theorem worst_at_extreme_rays T Rs mu nu L us :
  Forall2 (keeps T) Rs us ->
  (forall rs, Forall2 (fun R => extreme (forms_of T R)) Rs rs ->
    inner mu (product rs) <= L * inner nu (product rs)) ->
  inner mu (product us) <= L * inner nu (product us).
Proof.
  intros kept bound.
  assert (gens : exists Gs, Forall2 spanned Gs us /\
    Forall2 (fun R G => forall g, In g G -> extreme (forms_of T R) g) Rs Gs).
  { clear bound. induction kept as [|R u Rs us k _ [Gs [span ext]]]; [exists []; now split|].
    destruct (extreme_rays_span (forms_of T R)) as [G [rays spans]].
    exists (G :: Gs). split; constructor; auto. apply spans. now apply keeps_within. }
  destruct gens as [Gs [span ext]]. apply (worst_at_generators mu nu L Gs us span).
  intros rs i. apply bound. clear -i ext. revert rs i.
  induction ext as [|R G Rs Gs each _ IH]; intros rs i; inversion i; subst; constructor; auto.
Qed.
End Spanned.
