(** The worst joint leakage of mechanisms within their levels is that at extreme rays of the cones
    of columns that occur, and it is infinite exactly where supports of rays say so. *)
From Coq Require Import Reals Lra List Classical.
From Pufferproof Require Import Sums Pufferfish Laws Compactness Worst Columns Means Rays.
Import ListNotations.
Open Scope R_scope.

Section Vertices.
Context {D : Type} `{Finite D}.
Implicit Types (mu nu u : D -> R) (T : list ((D -> R) * (D -> R))).

Definition pairs_of_laws T := forall mu nu, In (mu, nu) T -> law mu /\ law nu.
(** A mechanism keeps a ratio for every pair of laws. *)
Definition level T ratio {W} `{Finite W} (M : D -> W -> R) := kernel M /\
  forall w mu nu, In (mu, nu) T ->
    inner mu (fun x => M x w) <= ratio * inner nu (fun x => M x w).

(** The columns that occur: at level 0 both orders hold. *)
Definition occurring T ratio := forms_of
  (if Rlt_dec 1 ratio then T else T ++ map (fun mn => (snd mn, fst mn)) T) ratio.
Definition ray T ratio u := extreme (occurring T ratio) u.

(** L bounds the joint ratio of all mechanisms of these levels. *)
Definition bounded_by T Rs L := pairs_of_laws T /\ (forall ratio, In ratio Rs -> 1 <= ratio) /\
  forall (W : Type) (F : Finite W) (Ms : list (D -> W -> R)) ws mu nu,
    Forall2 (fun ratio M => level T ratio M) Rs Ms -> In (mu, nu) T ->
    inner mu (fun x => releases Ms x ws) <= L * inner nu (fun x => releases Ms x ws).
(** It bounds them at extreme rays. *)
Definition bounded_at_rays T Rs L := forall rs, Forall2 (ray T) Rs rs ->
  forall mu nu, In (mu, nu) T -> inner mu (product rs) <= L * inner nu (product rs).
(** No number bounds them. *)
Definition without_bound T Rs := pairs_of_laws T /\
  (forall ratio, In ratio Rs -> 1 <= ratio) /\
  forall L, exists (Ms : list (D -> bool -> R)) ws mu nu,
    Forall2 (fun ratio M => level T ratio M) Rs Ms /\ In (mu, nu) T /\
    L * inner nu (fun x => releases Ms x ws) < inner mu (fun x => releases Ms x ws).
(** The common support of columns meets that of mu and misses that of nu, for some pair. *)
Definition splits T rs := exists mu nu, In (mu, nu) T /\
  (exists x, 0 < mu x /\ forall r, In r rs -> 0 < r x) /\
  forall x, 0 < nu x -> exists r, In r rs /\ ~ 0 < r x.
Definition rays_split T Rs := exists rs, Forall2 (ray T) Rs rs /\ splits T rs.

Lemma inner_le mu u b : law mu -> (forall x, u x <= b) -> inner mu u <= b.
Proof.
  intros [m0 m1] le. unfold inner. rewrite <- (Rmult_1_r b), <- m1, <- sum_scale.
  apply sum_le; intros x _. rewrite (Rmult_comm b). now apply Rmult_le_compat_l.
Qed.

Lemma inner_pos mu u : law mu -> (forall x, 0 <= u x) -> 0 <= inner mu u.
Proof. intros [m0 _] u0. apply sum_nonneg; intros x _. now apply Rmult_le_pos. Qed.

Lemma inner_rest mu t u : law mu -> inner mu (fun x => 1 - t * u x) = 1 - t * inner mu u.
Proof.
  intros [_ m1]. unfold inner. rewrite <- sum_scale.
  assert (E : (Σ x, mu x * (1 - t * u x)) + (Σ x, t * (mu x * u x)) = 1).
  { refine (eq_trans _ m1). rewrite <- sum_plus. apply sum_ext; intros; ring. }
  lra.
Qed.

Lemma occurs_within T ratio u : within (occurring T ratio) u <->
  keeps T ratio u /\ (~ 1 < ratio -> keeps (map (fun mn => (snd mn, fst mn)) T) ratio u).
Proof.
  unfold occurring. rewrite <- keeps_within. destruct Rlt_dec as [lt|ge].
  - tauto.
  - split.
    + intros [u0 each]. repeat split; auto; intros mu nu i; apply each, in_app_iff; auto.
    + intros [[u0 one] two]. split; auto. intros mu nu i. apply in_app_iff in i as [i|i]; auto.
      now apply two.
Qed.

Lemma turned T mu nu : In (mu, nu) T <-> In (nu, mu) (map (fun mn => (snd mn, fst mn)) T).
Proof.
  split; intros i.
  - apply in_map_iff. now exists (mu, nu).
  - apply in_map_iff in i as [[a b] [E i]]. simpl in E. congruence.
Qed.

(** A column of a mechanism of a level is one of the cone. *)
Lemma column_occurs T ratio {W} `{Finite W} (M : D -> W -> R) w :
  pairs_of_laws T -> 1 <= ratio -> level T ratio M -> within (occurring T ratio) (fun x => M x w).
Proof.
  intros L r1 [ker kept]. assert (M0 : forall x (z : W), 0 <= M x z) by (intros; apply ker).
  apply occurs_within. split; [split; auto|]. intros r0. split; [auto|]. intros nu mu i.
  apply turned in i. assert (ratio = 1) as -> by lra. destruct (L mu nu i) as [Lm Ln].
  assert (total : forall m, law m -> (Σ z, inner m (fun x => M x z)) = 1).
  { intros m [_ m1]. unfold inner. rewrite sum_swap, <- m1. apply sum_ext; intros x _.
    rewrite sum_scale. destruct (ker x) as [_ ->]. ring. }
  set (d := fun z => inner nu (fun x => M x z) + -1 * inner mu (fun x => M x z)).
  assert (d0 : forall z, 0 <= d z).
  { intros z. unfold d. specialize (kept z mu nu i). lra. }
  pose proof (sum_member all d w (fun z _ => d0 z) (all_here w)) as least.
  unfold d in least. rewrite sum_plus, sum_scale, !total in least by easy. lra.
Qed.

(** A column of the cone is one of a mechanism with two outputs. *)
Lemma occurring_column T ratio u : pairs_of_laws T -> 1 <= ratio -> within (occurring T ratio) u ->
  exists t, 0 < t /\ level T ratio (two_columns t u).
Proof.
  intros L r1 W. apply occurs_within in W as [[u0 one] two].
  destruct (small_multiple u ratio r1 u0) as [t [b [t0 [le [tb small]]]]]. exists t.
  split; [easy|]. split.
  - apply two_kernel. intros x. split; [apply Rmult_le_pos; auto; lra|].
    apply Rle_trans with (t * b); [|easy]. apply Rmult_le_compat_l; [lra|auto].
  - intros w mu nu i. destruct (L mu nu i) as [Lm Ln]. specialize (one mu nu i).
    unfold two_columns. destruct w.
    + rewrite (inner_scale mu t u), (inner_scale nu t u).
      apply (Rmult_le_compat_l t) in one; lra.
    + rewrite (inner_rest mu t u Lm), (inner_rest nu t u Ln).
      destruct (Rlt_dec 1 ratio) as [lt|ge].
      * specialize (small lt). pose proof (inner_pos mu u Lm u0) as m0.
        pose proof (inner_le nu u b Ln le) as nb.
        assert (0 <= t * inner mu u) by (apply Rmult_le_pos; lra).
        assert (t * (ratio * inner nu u) <= t * (ratio * b)).
        { repeat apply Rmult_le_compat_l; lra. }
        lra.
      * destruct (two ge) as [_ back]. specialize (back nu mu (proj1 (turned T mu nu) i)).
        assert (ratio = 1) as -> by lra. apply (Rmult_le_compat_l t) in back; lra.
Qed.

(** Columns of the cones are shown together, up to scale. *)
Lemma shown_together T Rs us : pairs_of_laws T -> (forall ratio, In ratio Rs -> 1 <= ratio) ->
  Forall2 (fun ratio u => within (occurring T ratio) u) Rs us ->
  exists (Ms : list (D -> bool -> R)) ws c, 0 < c /\
    Forall2 (fun ratio M => level T ratio M) Rs Ms /\
    forall x, releases Ms x ws = c * product us x.
Proof.
  intros L r1 cols. induction cols as [|ratio u Rs us col _ IH].
  - exists [], [], 1. split; [lra|]. split; [constructor|]. intros x; simpl; ring.
  - destruct IH as [Ms [ws [c [c0 [kept E]]]]]; [intros; apply r1; now right|].
    destruct (occurring_column T ratio u L (r1 ratio (or_introl eq_refl)) col) as [t [t0 lev]].
    exists (two_columns t u :: Ms), (true :: ws), (t * c).
    split; [now apply Rmult_lt_0_compat|]. split; [now constructor|].
    intros x; simpl. rewrite E. ring.
Qed.

(** A joint output of mechanisms has a product of columns of the cones. *)
Lemma product_of_columns T Rs {W} `{Finite W} (Ms : list (D -> W -> R)) ws :
  pairs_of_laws T -> (forall ratio, In ratio Rs -> 1 <= ratio) ->
  Forall2 (fun ratio M => level T ratio M) Rs Ms ->
  (forall x, releases Ms x ws = 0) \/ exists us,
    Forall2 (fun ratio u => within (occurring T ratio) u) Rs us /\
    forall x, releases Ms x ws = product us x.
Proof.
  intros L r1 kept. revert ws. induction kept as [|ratio M Rs Ms lev _ IH]; intros [|w ws].
  - right. exists []. now split.
  - now left.
  - now left.
  - destruct (IH (fun r i => r1 r (or_intror i)) ws) as [zero|[us [cols E]]].
    + left. intros x; simpl. rewrite zero. ring.
    + right. exists ((fun x => M x w) :: us). split.
      * constructor; [|easy]. apply (column_occurs T ratio M w); auto. apply r1. now left.
      * intros x; simpl. now rewrite E.
Qed.

Definition unequal : forall x y : D, {x = y} + {x <> y} := fun x y => decision (x = y).

Lemma extreme_lists T Rs us : Forall2 (fun ratio u => within (occurring T ratio) u) Rs us ->
  exists Gs, Forall2 spanned Gs us /\
    Forall2 (fun ratio G => forall g, In g G -> ray T ratio g) Rs Gs.
Proof.
  induction 1 as [|ratio u Rs us col _ [Gs [span ext]]]; [exists []; now split|].
  destruct (extreme_rays_span unequal (occurring T ratio)) as [G [rays spans]].
  exists (G :: Gs). split; constructor; auto.
Qed.

Lemma of_lists T Rs Gs rs : Forall2 (fun ratio G => forall g, In g G -> ray T ratio g) Rs Gs ->
  Forall2 (@In _) rs Gs -> Forall2 (ray T) Rs rs.
Proof.
  intros ext. revert rs. induction ext as [|ratio G Rs Gs each _ IH]; intros rs i;
    inversion i; subst; constructor; auto.
Qed.

Lemma rays_bound T Rs L us mu nu : bounded_at_rays T Rs L -> In (mu, nu) T ->
  Forall2 (fun ratio u => within (occurring T ratio) u) Rs us ->
  inner mu (product us) <= L * inner nu (product us).
Proof.
  intros bound i cols. destruct (extreme_lists T Rs us cols) as [Gs [span ext]].
  apply (worst_at_generators mu nu L Gs us span). intros rs ir. apply bound; auto.
  now apply (of_lists T Rs Gs).
Qed.

Lemma inner_ext mu u v : (forall x, u x = v x) -> inner mu u = inner mu v.
Proof. intros E. apply sum_ext; intros x _. now rewrite E. Qed.

(** The worst case is attained at extreme rays (worst.vertices): a number bounds the joint ratio of
    all mechanisms of levels R_1 .. R_K if and only if it does at each tuple of extreme rays of the
    cones of columns that occur.
    Differs: finitely many pairs of laws, databases and outputs. *)
Theorem attained_at_rays T Rs L : pairs_of_laws T -> (forall ratio, In ratio Rs -> 1 <= ratio) ->
  bounded_by T Rs L <-> bounded_at_rays T Rs L.
Proof.
  intros laws r1. split.
  - intros [_ [_ bound]] rs rays mu nu i.
    assert (cols : Forall2 (fun ratio u => within (occurring T ratio) u) Rs rs).
    { clear -rays. induction rays; constructor; auto. apply H0. }
    destruct (shown_together T Rs rs laws r1 cols) as [Ms [ws [c [c0 [kept E]]]]].
    specialize (bound bool _ Ms ws mu nu kept i).
    rewrite (inner_ext mu _ _ E), (inner_ext nu _ _ E), !inner_scale in bound.
    apply (Rmult_le_reg_l c); lra.
  - intros bound. split; [easy|]. split; [easy|]. intros W F Ms ws mu nu kept i.
    destruct (product_of_columns T Rs Ms ws laws r1 kept) as [zero|[us [cols E]]].
    + rewrite (inner_ext mu _ (fun x => 0 * 1)), (inner_ext nu _ (fun x => 0 * 1)), !inner_scale
        by (intros; rewrite zero; ring). lra.
    + rewrite (inner_ext mu _ _ E), (inner_ext nu _ _ E). now apply (rays_bound T Rs L us).
Qed.

Fixpoint tuples {A} (Gs : list (list A)) : list (list A) := match Gs with
  [] => [[]] | G :: Gs => flat_map (fun g => map (cons g) (tuples Gs)) G end.

Lemma in_tuples {A} (Gs : list (list A)) rs : In rs (tuples Gs) <-> Forall2 (@In _) rs Gs.
Proof.
  revert rs. induction Gs as [|G Gs IH]; intros rs; simpl.
  - split; [intros [<-|[]]; constructor|]. intros i; inversion i; now left.
  - rewrite in_flat_map. split.
    + intros [g [ig i]]. apply in_map_iff in i as [r [<- ir]]. constructor; auto. now apply IH.
    + intros i. inversion i as [|g G' r Gs' ig ir]; subst. exists g. split; [easy|].
      apply in_map. now apply IH.
Qed.

(** Finitely many quotients have a bound. *)
Lemma some_bound {A} (l : list A) (f g : A -> R) : (forall a, In a l -> 0 <= g a) ->
  (forall a, In a l -> g a = 0 -> f a <= 0) -> exists L, forall a, In a l -> f a <= L * g a.
Proof.
  intros g0 zero. assert (more : exists L, 0 <= L /\ forall a, In a l -> f a <= L * g a).
  { induction l as [|a l IH]; [exists 0; split; [lra|intros a []]|].
    destruct IH as [L [L0 all_]];
      [intros; apply g0; now right|intros; apply zero; auto; now right|].
    destruct (g0 a (or_introl eq_refl)) as [pos|none].
    - exists (L + Rabs (f a) / g a).
      assert (q : 0 <= Rabs (f a) / g a).
      { apply Rmult_le_pos; [apply Rabs_pos|left; now apply Rinv_0_lt_compat]. }
      split; [lra|]. intros b [<-|i].
      + pose proof (Rle_abs (f a)). pose proof (Rmult_le_pos L (g a) L0 (Rlt_le _ _ pos)).
        replace ((L + Rabs (f a) / g a) * g a) with (L * g a + Rabs (f a)) by (field; lra). lra.
      + specialize (all_ b i). pose proof (Rmult_le_pos _ _ q (g0 b (or_intror i))). lra.
    - exists L. split; [easy|]. intros b [<-|i]; [|auto].
      rewrite <- none. specialize (zero a (or_introl eq_refl) (eq_sym none)). lra. }
  destruct more as [L [_ all_]]. now exists L.
Qed.

Lemma product_pos (rs : list (D -> R)) x : (forall r, In r rs -> 0 < r x) -> 0 < product rs x.
Proof.
  induction rs as [|r rs IH]; simpl; intros pos; [lra|].
  apply Rmult_lt_0_compat; [apply pos; now left|apply IH; intros; apply pos; now right].
Qed.

Lemma product_nonneg (rs : list (D -> R)) x : (forall r, In r rs -> 0 <= r x) -> 0 <= product rs x.
Proof.
  induction rs as [|r rs IH]; simpl; intros pos; [lra|].
  apply Rmult_le_pos; [apply pos; now left|apply IH; intros; apply pos; now right].
Qed.

Lemma product_zero (rs : list (D -> R)) x : (exists r, In r rs /\ r x = 0) -> product rs x = 0.
Proof.
  intros [r [i z]]. induction rs as [|s rs IH]; [easy|]; simpl.
  destruct i as [->|i]; [rewrite z|rewrite (IH i)]; ring.
Qed.

Lemma product_some (rs : list (D -> R)) x : 0 < product rs x -> (forall r, In r rs -> 0 <= r x) ->
  forall r, In r rs -> 0 < r x.
Proof.
  intros pos rs0 r i. destruct (rs0 r i) as [lt|z]; [easy|].
  rewrite (product_zero rs x) in pos; [lra|]. now exists r.
Qed.

Lemma members_nonneg T Rs rs : Forall2 (fun ratio u => within (occurring T ratio) u) Rs rs ->
  forall r, In r rs -> forall x, 0 <= r x.
Proof.
  induction 1 as [|ratio u Rs rs col _ IH]; intros r [].
  - subst. apply col.
  - now apply IH.
Qed.

Lemma rays_within T Rs rs : Forall2 (ray T) Rs rs ->
  Forall2 (fun ratio u => within (occurring T ratio) u) Rs rs.
Proof. induction 1 as [|ratio u Rs rs col _ IH]; constructor; auto. apply col. Qed.

Lemma split_sums (rs : list (D -> R)) mu nu : law mu -> law nu ->
  (forall r, In r rs -> forall x, 0 <= r x) ->
  0 < inner mu (product rs) -> inner nu (product rs) = 0 ->
  (exists x, 0 < mu x /\ forall r, In r rs -> 0 < r x) /\
  forall x, 0 < nu x -> exists r, In r rs /\ ~ 0 < r x.
Proof.
  intros [m0 _] [n0 _] rs0 pos zero. split.
  - destruct (sum_pos_exists all _ pos) as [x [_ p]]. exists x.
    assert (mx : 0 < mu x). { destruct (m0 x) as [|E]; [easy|]. rewrite <- E in p. lra. }
    split; [easy|]. apply product_some; [|auto].
    destruct (product_nonneg rs x (fun r i => rs0 r i x)) as [|E]; [easy|].
    rewrite <- E in p. lra.
  - intros x nx. apply NNPP. intros no.
    assert (all_ : forall r, In r rs -> 0 < r x).
    { intros r i. apply NNPP. intros n. apply no. now exists r. }
    pose proof (product_pos rs x all_) as px.
    assert (each : forall y, In y all -> 0 <= nu y * product rs y).
    { intros y _. apply Rmult_le_pos; [apply n0|]. apply product_nonneg. auto. }
    pose proof (sum_member all _ x each (all_here x)) as le. cbv beta in le.
    unfold inner in zero. rewrite zero in le. pose proof (Rmult_lt_0_compat _ _ nx px). lra.
Qed.

Lemma sums_split (rs : list (D -> R)) mu nu : law mu -> law nu ->
  (forall r, In r rs -> forall x, 0 <= r x) ->
  (exists x, 0 < mu x /\ forall r, In r rs -> 0 < r x) ->
  (forall x, 0 < nu x -> exists r, In r rs /\ ~ 0 < r x) ->
  0 < inner mu (product rs) /\ inner nu (product rs) = 0.
Proof.
  intros [m0 _] [n0 _] rs0 [x [mx all_]] miss. split.
  - assert (each : forall y, In y all -> 0 <= mu y * product rs y).
    { intros y _. apply Rmult_le_pos; [apply m0|]. apply product_nonneg. auto. }
    pose proof (sum_member all _ x each (all_here x)) as le. cbv beta in le.
    pose proof (Rmult_lt_0_compat _ _ mx (product_pos rs x all_)). unfold inner. lra.
  - unfold inner. rewrite (sum_ext all _ (fun _ => 0)); [apply sum_0|]. intros y _.
    destruct (n0 y) as [ny|<-]; [|ring]. destruct (miss y ny) as [r [i z]].
    rewrite product_zero; [ring|]. exists r. split; [easy|].
    pose proof (rs0 r i y). lra.
Qed.

(** It is a matter of supports whether the worst case is infinite (worst.supports): no number bounds
    the joint ratio if and only if some extreme rays, one of each cone, have a common support that
    meets that of mu and misses that of nu, for some pair.
    Differs: as [attained_at_rays]. *)
Theorem infinite_at_rays T Rs : pairs_of_laws T -> (forall ratio, In ratio Rs -> 1 <= ratio) ->
  without_bound T Rs <-> rays_split T Rs.
Proof.
  intros laws r1. split.
  - intros [_ [_ none]]. apply NNPP. intros no.
    assert (lists : exists Gs, Forall2 (fun ratio G => (forall g, In g G -> ray T ratio g) /\
      forall u, within (occurring T ratio) u -> spanned G u) Rs Gs).
    { clear -H. induction Rs as [|ratio Rs [Gs IH]]; [now exists []|].
      destruct (extreme_rays_span unequal (occurring T ratio)) as [G [rays spans]].
      exists (G :: Gs). now constructor. }
    destruct lists as [Gs both_].
    assert (ext : Forall2 (fun ratio G => forall g, In g G -> ray T ratio g) Rs Gs).
    { clear -both_. induction both_; constructor; tauto. }
    assert (fine : forall rs, In rs (tuples Gs) -> Forall2 (ray T) Rs rs).
    { intros rs i. apply (of_lists T Rs Gs); [easy|]. now apply in_tuples. }
    destruct (some_bound (list_prod T (tuples Gs))
      (fun a => inner (fst (fst a)) (product (snd a)))
      (fun a => inner (snd (fst a)) (product (snd a)))) as [L bound].
    + intros [[mu nu] rs] i. apply in_prod_iff in i as [im ir]. simpl.
      apply inner_pos; [apply (laws mu nu im)|]. intros x. apply product_nonneg. intros r j.
      now apply (members_nonneg T Rs rs (rays_within T Rs rs (fine rs ir))).
    + intros [[mu nu] rs] i zero. apply in_prod_iff in i as [im ir]. simpl in *.
      apply Rnot_lt_le. intros pos. apply no. exists rs. split; [auto|].
      exists mu, nu. split; [easy|]. destruct (laws mu nu im).
      apply split_sums; auto.
      now apply (members_nonneg T Rs rs (rays_within T Rs rs (fine rs ir))).
    + destruct (none L) as [Ms [ws [mu [nu [kept [i lt]]]]]].
      apply (Rlt_not_le _ _ lt).
      destruct (product_of_columns T Rs Ms ws laws r1 kept) as [zero|[us [cols E]]].
      * rewrite (inner_ext mu _ (fun x => 0 * 1)), (inner_ext nu _ (fun x => 0 * 1)),
          !inner_scale by (intros; rewrite zero; ring). lra.
      * rewrite (inner_ext mu _ _ E), (inner_ext nu _ _ E).
        assert (span : Forall2 spanned Gs us).
        { clear -both_ cols. revert us cols. induction both_; intros us cols; inversion cols;
            subst; constructor; auto. now apply H0. }
        apply (worst_at_generators mu nu L Gs us span). intros rs ir.
        apply (bound ((mu, nu), rs)). apply in_prod; [easy|]. now apply in_tuples.
  - intros [rs [rays [mu [nu [i [meet miss]]]]]]. split; [easy|]. split; [easy|]. intros L.
    pose proof (rays_within T Rs rs rays) as cols.
    destruct (shown_together T Rs rs laws r1 cols) as [Ms [ws [c [c0 [kept E]]]]].
    exists Ms, ws, mu, nu. split; [easy|]. split; [easy|]. destruct (laws mu nu i).
    rewrite (inner_ext mu _ _ E), (inner_ext nu _ _ E), !inner_scale.
    destruct (sums_split rs mu nu) as [pos zero]; auto.
    { now apply (members_nonneg T Rs rs). }
    rewrite zero. pose proof (Rmult_lt_0_compat _ _ c0 pos). lra.
Qed.

(** Generators that can be computed decide the same as extreme rays. *)
Definition generator_lists dec T Rs := map (fun ratio => generators dec (occurring T ratio)) Rs.

Lemma lists_within dec T Rs rs : In rs (tuples (generator_lists dec T Rs)) ->
  Forall2 (fun ratio u => within (occurring T ratio) u) Rs rs.
Proof.
  intros i. apply in_tuples in i. revert rs i. induction Rs as [|ratio Rs IH]; intros rs i;
    inversion i; subst; constructor; auto. now apply (proj1 (generated dec _)).
Qed.

Lemma spanned_by_lists dec T Rs us : Forall2 (fun ratio u => within (occurring T ratio) u) Rs us ->
  Forall2 spanned (generator_lists dec T Rs) us.
Proof.
  induction 1 as [|ratio u Rs us col _ IH]; constructor; auto. now apply generated.
Qed.

Lemma bounded_at_generators dec T Rs L : bounded_at_rays T Rs L <->
  forall rs, In rs (tuples (generator_lists dec T Rs)) ->
  forall mu nu, In (mu, nu) T -> inner mu (product rs) <= L * inner nu (product rs).
Proof.
  split.
  - intros bound rs i mu nu im. apply (rays_bound T Rs L); auto. now apply (lists_within dec).
  - intros bound rs rays mu nu im.
    apply (worst_at_generators mu nu L (generator_lists dec T Rs)).
    + now apply spanned_by_lists, rays_within.
    + intros gs i. apply bound; auto. now apply in_tuples.
Qed.

Lemma narrower (G : list (D -> R)) u x : (forall g, In g G -> forall y, 0 <= g y) ->
  spanned G u -> 0 < u x ->
  exists g, In g G /\ 0 < g x /\ forall y, 0 < g y -> 0 < u y.
Proof.
  intros G0 [c [c0 E]] pos. rewrite E in pos.
  destruct (sum_pos_exists c _ pos) as [[k g] [i p]]. simpl in p. destruct (c0 k g i) as [k0 ig].
  destruct k0 as [k0|<-]; [|lra].
  assert (up : forall y, k * g y <= u y).
  { intros y. rewrite E. apply (sum_member c (fun kr => fst kr * snd kr y) (k, g)); [|easy].
    intros [l h] j. simpl. destruct (c0 l h j). apply Rmult_le_pos; auto. }
  exists g. split; [easy|]. split.
  - destruct (G0 g ig x) as [|z]; [easy|]. rewrite <- z in p. lra.
  - intros y gy. specialize (up y). pose proof (Rmult_lt_0_compat _ _ k0 gy). lra.
Qed.

Lemma narrower_tuple Gs us x : (forall G, In G Gs -> forall g, In g G -> forall y, 0 <= g y) ->
  Forall2 spanned Gs us -> (forall u, In u us -> 0 < u x) ->
  exists rs, Forall2 (@In _) rs Gs /\ (forall r, In r rs -> 0 < r x) /\
    forall y, (forall r, In r rs -> 0 < r y) -> forall u, In u us -> 0 < u y.
Proof.
  intros G0 span. induction span as [|G u Gs us one _ IH]; intros pos.
  - exists []. split; [constructor|]. split; [intros r []|auto].
  - destruct IH as [rs [i [rx wide]]].
    { intros; apply (G0 G1); auto. now right. }
    { intros; apply pos; now right. }
    destruct (narrower G u x) as [g [ig [gx sub]]]; auto.
    { intros g ig. apply (G0 G); auto. now left. }
    { apply pos. now left. }
    exists (g :: rs). split; [now constructor|]. split.
    + intros r [<-|ir]; auto.
    + intros y all_ v [<-|iv]; [apply sub, all_; now left|].
      apply (wide y); auto. intros r ir. apply all_. now right.
Qed.

Lemma splits_narrower T Gs us : (forall G, In G Gs -> forall g, In g G -> forall y, 0 <= g y) ->
  Forall2 spanned Gs us -> splits T us -> exists rs, Forall2 (@In _) rs Gs /\ splits T rs.
Proof.
  intros G0 span [mu [nu [i [[x [mx pos]] miss]]]].
  destruct (narrower_tuple Gs us x G0 span pos) as [rs [ir [rx wide]]].
  exists rs. split; [easy|]. exists mu, nu. split; [easy|]. split; [now exists x|].
  intros y ny. destruct (miss y ny) as [u [iu zero]]. apply NNPP. intros no. apply zero.
  apply (wide y); auto. intros r jr. apply NNPP. intros n. apply no. now exists r.
Qed.

Lemma split_at_generators dec T Rs : rays_split T Rs <->
  exists rs, In rs (tuples (generator_lists dec T Rs)) /\ splits T rs.
Proof.
  split.
  - intros [rs [rays split_]].
    destruct (splits_narrower T (generator_lists dec T Rs) rs) as [gs [i found]]; auto.
    + intros G iG g ig. apply in_map_iff in iG as [ratio [<- _]].
      apply (proj1 (generated dec _) g ig).
    + now apply spanned_by_lists, rays_within.
    + exists gs. split; [now apply in_tuples|easy].
  - intros [gs [i split_]].
    destruct (extreme_lists T Rs gs (lists_within dec T Rs gs i)) as [Gs [span ext]].
    destruct (splits_narrower T Gs gs) as [rs [ir found]]; auto.
    + clear -ext. induction ext as [|ratio G Rs Gs each _ IH]; intros F []; [|now apply IH].
      subst. intros g ig. apply (each g ig).
    + exists rs. split; [now apply (of_lists T Rs Gs)|easy].
Qed.
End Vertices.
