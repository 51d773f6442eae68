(** How the examples of mechanisms that collapse are decided on tables of rationals: the expected
    number of runs by its closed form. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Quilt Determined Revealed Decoys FourOutputs.
From Tied Require Import Decide Entries Pairs Curves.
Import ListNotations.
Open Scope R_scope.

(** Equality of databases, in the place of the letter of a statement. *)
Definition dD {n} : forall x y : fin n, {x = y} + {x <> y} := dI.

#[export] Instance r_half : rational (1/2) (1#2) | 0.
Proof. unfold rational, Q2R; simpl; lra. Qed.
#[export] Instance r_three : rational 3 (3#1) | 0.
Proof. unfold rational, Q2R; simpl; lra. Qed.
#[export] Hint Extern 2 (rational (evidence _ _ _) _) => unfold evidence : typeclass_instances.
#[export] Hint Extern 2 (rational (decoy _ _ _ _ _) _) => unfold decoy; cbn [fst snd] :
  typeclass_instances.
#[export] Hint Extern 2 (rational (decoy_share _ _ _ _) _) => unfold decoy_share :
  typeclass_instances.
#[export] Hint Extern 2 (rational (told_law _ _ _ _) _) => unfold told_law : typeclass_instances.
#[export] Hint Extern 0 (decided (decoys_hide _ _ _) _) =>
  unfold decoys_hide, tells_nothing, independent_places : typeclass_instances.
#[export] Hint Extern 0 (decided (both_possible _ _) _) => unfold both_possible :
  typeclass_instances.
#[export] Hint Extern 0 (decided (most _ _ _) _) => unfold most : typeclass_instances.

#[export] Instance d_two {D} `{Finite D} (p : D -> R) u g :
  (forall x, rational (inside p u x) (g x)) -> decided (2 <= length (possible p u))%nat
    (Nat.leb 2 (length (filter (fun x => negb (Qle_bool (g x) 0)) all))) | 0.
Proof.
  intros e. unfold decided. now rewrite Nat.leb_le, (possible_filtered p u g e).
Qed.
#[export] Hint Extern 0 (decided (two_each _ _ _) _) => unfold two_each : typeclass_instances.

#[export] Instance d_runs_at_most n (p : fin n -> R) s x B b q r : decided (two_each p s x) b ->
  rational (Σ c, decoy_share p s x c / (1 - decoy_share p s x c)) q -> rational B r ->
  decided (runs_at_most dD p s x B) (b && Qle_bool (Qred (1 + q)) r) | 0.
Proof.
  intros db eq er. pose proof (d_le _ _ _ _ (r_plus _ _ _ _ r_1 eq) er) as le.
  unfold decided in *. rewrite andb_true_iff, db, le. split.
  - intros [two below]. split; [easy|]. eexists. split; [now apply decoy_runs|easy].
  - intros [two [E [runs below]]]. split; [easy|].
    now rewrite (runs_unique _ _ _ _ _ _ (decoy_runs dD p s x two) runs).
Qed.

#[export] Instance d_told_at n (p : fin n -> R) s x k r b q e : decided (two_each p s x) b ->
  rational (told_law p s x k) q -> rational r e ->
  decided (told_at dD p s x k r) (b && if Nat.leb k 1 then Qeq_bool 0 e else Qeq_bool q e) | 0.
Proof.
  intros db eq er. pose proof (d_eq _ _ _ _ eq er) as same.
  pose proof (d_eq _ _ _ _ r_0 er) as none.
  unfold decided in *. rewrite andb_true_iff, db. unfold told_at.
  destruct (Nat.leb k 1) eqn:few.
  - apply Nat.leb_le in few. rewrite none.
    assert (zero : two_each p s x -> hidden_after p (decoy dD p s) (is dD x) x (pred k) -
      hidden_after p (decoy dD p s) (is dD x) x k = 0).
    { intros two. destruct k as [|[|k]]; [cbn [pred]; ring| |lia]. cbn [pred].
      rewrite !(hidden_law p (decoy dD p s) dD (decoy_of s x) (is dD x) x) by
        (now apply no_run_tells || now apply two_decoys || now apply decoy_rows).
      rewrite (sum_ext _ _ (share (decoy dD p s) dD (decoy_of s x) x)) by (intros; ring).
      rewrite (shares_total (decoy dD p s) dD (decoy_of s x) x); [ring|].
      now apply decoy_rows. }
    split; intros [two e0]; (split; [easy|]); specialize (zero two); lra.
  - apply Nat.leb_gt in few. rewrite same.
    split; intros [two e0]; (split; [easy|]).
    + rewrite <- e0. now apply decoy_law.
    + rewrite <- e0. symmetry. now apply decoy_law.
Qed.

(** Four outputs. *)
Definition qin {D} (q : D -> Q) (u : D -> bool) x : Q := if u x then q x else 0%Q.
Definition qfour {D} (s U : D -> bool) (x : D) (w : bool * bool) : Q :=
  if eqb (if s x then fst w else snd w) (U x) then (1#2) else 0%Q.
Lemma r_weight {D} `{Finite D} (p : D -> R) q (u : D -> bool) :
  (forall x, rational (p x) (q x)) -> rational (P p u) (qsum all (qin q u)).
Proof. intros e. unfold P. apply r_sum. intros x. apply r_if; [apply e|apply r_0]. Qed.
Lemma r_joint {D} `{Finite D} (p : D -> R) q s U (u : D -> bool) w :
  (forall x, rational (p x) (q x)) -> rational (Pw p (four s U) u w)
    (qsum all (fun x => Qred (qin q u x * qfour s U x w))).
Proof.
  intros e. unfold Pw. apply r_sum. intros x. apply r_mult; [apply r_if; [apply e|apply r_0]|].
  apply r_if; [apply r_half|apply r_0].
Qed.
Definition qpromise {D} `{Finite D} r (q : D -> Q) (s U u v : D -> bool) w : bool :=
  let a := qsum all (qin q u) in let b := qsum all (qin q v) in
  let c := qsum all (fun x => Qred (qin q u x * qfour s U x w)) in
  let d := qsum all (fun x => Qred (qin q v x * qfour s U x w)) in
  negb (negb (Qle_bool a 0)) || (negb (negb (Qle_bool b 0)) ||
    Qle_bool (Qred (c * b)) (Qred (Qred (r * a) * d))).
#[export] Instance d_four_keeps {D A} `{Finite D} ratio r s U (l : list ((D -> bool) * (D -> bool)))
  (f : A -> D -> R) q lp : rational ratio r -> (forall a x, rational (f a x) (q a x)) ->
  decided (pufferfish ratio (four s U) (fun u v => In (u, v) (map (fun st => (fst st, snd st)) l))
    (fun p => In p (map f lp)))
  (forallb (fun a => forallb (fun st => forallb (fun w =>
    qpromise r (q a) s U (fst st) (snd st) w) all) l) lp) | 0.
Proof.
  intros er e. apply (d_keeps ratio (four s U) fst snd f l lp
    (fun a st w => qpromise r (q a) s U (fst st) (snd st) w)).
  intros a st w. unfold qpromise. cbv zeta.
  apply d_imp; [apply d_lt; [apply r_0|now apply r_weight]|].
  apply d_imp; [apply d_lt; [apply r_0|now apply r_weight]|].
  apply d_le.
  - apply r_mult; [now apply r_joint|now apply r_weight].
  - apply r_mult; [apply r_mult; [easy|now apply r_weight]|now apply r_joint].
Qed.
#[export] Hint Extern 0 (rational (P _ _) _) => eapply r_weight : typeclass_instances.
#[export] Hint Extern 0 (rational (Pw _ (four _ _) _ _) _) => eapply r_joint :
  typeclass_instances.
#[export] Hint Extern 0 (decided (eight _ _ _ _ _) _) => unfold eight, either :
  typeclass_instances.
#[export] Hint Extern 0 (decided (printed _ _ _ _ _) _) => unfold printed : typeclass_instances.
#[export] Hint Extern 0 (decided (pufferfish _ _ (both_ways _) _) _) => unfold both_ways :
  typeclass_instances.
#[export] Hint Extern 0 (decided (pufferfish _ _ (one_way _) _) _) => unfold one_way :
  typeclass_instances.
Lemma d_priors {D A} `{Finite D} (f : A -> D -> R) q l s t (Q : (D -> R) -> Prop) b :
  (forall a x, rational (f a x) (q a x)) -> (forall a, decided (Q (f a)) (b a)) ->
  decided (forall p, In p (map f l) -> 0 < P p s -> 0 < P p t -> Q p)
    (forallb (fun a => negb (negb (Qle_bool (qsum all (qin (q a) s)) 0)) ||
      (negb (negb (Qle_bool (qsum all (qin (q a) t)) 0)) || b a)) l).
Proof.
  intros e each. apply d_in_map. intros a.
  apply d_imp; [apply d_lt; [apply r_0|now apply r_weight]|].
  apply d_imp; [apply d_lt; [apply r_0|now apply r_weight]|apply each].
Qed.
Definition qfraction {D} `{Finite D} (q : D -> Q) (u U : D -> bool) low high : bool :=
  Qle_bool (Qred (low * qsum all (qin q u))) (qsum all (qin q (within u U))) &&
  Qle_bool (qsum all (qin q (within u U))) (Qred (high * qsum all (qin q u))).
#[export] Instance d_fractions {D A} `{Finite D} (s U : D -> bool) (f : A -> D -> R) q lp
  LT UT LF UF lt ut lf uf : (forall a x, rational (f a x) (q a x)) ->
  rational LT lt -> rational UT ut -> rational LF lf -> rational UF uf ->
  decided (fractions s U (fun p => In p (map f lp)) LT UT LF UF)
    (forallb (fun a => negb (negb (Qle_bool (qsum all (qin (q a) s)) 0)) ||
      (negb (negb (Qle_bool (qsum all (qin (q a) (otherwise s))) 0)) ||
       (qfraction (q a) s U lt ut && qfraction (q a) (otherwise s) U lf uf))) lp) | 0.
Proof.
  intros e e1 e2 e3 e4. unfold fractions. apply d_priors; [exact e|]. intros a. unfold qfraction.
  repeat apply d_and; apply d_le; repeat apply r_mult; auto; now apply r_weight.
Qed.
Definition qinterval {D} `{Finite D} (q : D -> Q) (s U : D -> bool) w a b c d : bool :=
  let k := qsum all (qin q s) in let l := qsum all (qin q (otherwise s)) in
  let m := qsum all (fun x => Qred (qin q s x * qfour s U x w)) in
  let n := qsum all (fun x => Qred (qin q (otherwise s) x * qfour s U x w)) in
  Qle_bool (Qred (a * Qred (k * n))) (Qred (b * Qred (l * m))) &&
  Qle_bool (Qred (d * Qred (l * m))) (Qred (c * Qred (k * n))).
Lemma d_interval {D} `{Finite D} (p : D -> R) q (s U : D -> bool) w a b c d a' b' c' d' :
  (forall x, rational (p x) (q x)) -> rational a a' -> rational b b' -> rational c c' ->
  rational d d' -> decided (in_interval s U p w a b c d) (qinterval q s U w a' b' c' d').
Proof.
  intros e ea eb ec ed. unfold in_interval, qinterval. cbv zeta.
  apply d_and; apply d_le; apply r_mult; auto;
    apply r_mult; now apply r_weight || now apply r_joint.
Qed.
#[export] Instance d_intervals {D A} `{Finite D} (s U : D -> bool) (f : A -> D -> R) q lp
  LT UT LF UF lt ut lf uf : (forall a x, rational (f a x) (q a x)) ->
  rational LT lt -> rational UT ut -> rational LF lf -> rational UF uf ->
  decided (four_intervals s U (fun p => In p (map f lp)) LT UT LF UF)
    (forallb (fun a => negb (negb (Qle_bool (qsum all (qin (q a) s)) 0)) ||
      (negb (negb (Qle_bool (qsum all (qin (q a) (otherwise s))) 0)) ||
       (qinterval (q a) s U (true, true) lt uf ut lf &&
        (qinterval (q a) s U (false, true) (Qred (1 + - ut)) uf (Qred (1 + - lt)) lf &&
         (qinterval (q a) s U (true, false) lt (Qred (1 + - lf)) ut (Qred (1 + - uf)) &&
          qinterval (q a) s U (false, false) (Qred (1 + - ut)) (Qred (1 + - lf))
            (Qred (1 + - lt)) (Qred (1 + - uf))))))) lp) | 0.
Proof.
  intros e e1 e2 e3 e4. unfold four_intervals. apply d_priors; [exact e|]. intros a.
  apply d_and; [|apply d_and; [|apply d_and]]; apply d_interval; auto;
    apply r_minus; auto; apply r_1.
Qed.
Lemma d_some_prior {D A} (f : A -> D -> R) l (Q : (D -> R) -> Prop) b :
  (forall a, decided (Q (f a)) (b a)) ->
  decided (exists p, In p (map f l) /\ Q p) (existsb b l).
Proof.
  intros e. unfold decided. rewrite existsb_exists. split.
  - intros [a [i q]]. exists (f a). split; [now apply in_map|now apply e].
  - intros [p [i q]]. apply in_map_iff in i as [a [<- i]]. exists a. split; [easy|now apply e].
Qed.
#[export] Hint Extern 0 (decided (corner _ _ _ _ _) _) =>
  unfold corner; apply d_some_prior; intros ? : typeclass_instances.
#[export] Hint Extern 0 (decided (corners _ _ _ _ _ _ _) _) => unfold corners :
  typeclass_instances.
#[export] Hint Extern 0 (decided (four_kinds _ _ _ _) _) => unfold four_kinds :
  typeclass_instances.
#[export] Instance d_four_runs {D} `{Finite D} (s U : D -> bool) p x E b e :
  decided (four_kinds s U p x) b -> rational E e ->
  decided (four_runs s U p x E) (b && Qeq_bool e 3) | 0.
Proof.
  intros db ee. pose proof (d_eq _ _ _ _ ee r_three) as same. unfold decided in *.
  rewrite andb_true_iff, db, same. split.
  - intros [kinds ->]. now apply four_tells.
  - intros [kinds runs]. split; [easy|].
    now apply (runs_unique _ _ _ _ _ _ runs), four_tells.
Qed.
