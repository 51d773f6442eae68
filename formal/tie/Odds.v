(** Odds after an output are decided: quotients of rationals, where 1/0 is 0 on both sides. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws.
From Tied Require Import Decide Entries.
Open Scope R_scope.

(** What holds of the posteriors of possible secrets, after outputs of positive probability. *)
#[export] Instance d_odds {D W A B} `{Finite D} `{Finite W} (M : D -> W -> R)
  (a b : B -> @secret D) (f : A -> D -> R) (Q : (D -> R) -> @secret D -> @secret D -> W -> Prop)
  lq lp i j e c :
  (forall x y, decided (0 < P (f x) (a y)) (i x y)) ->
  (forall x y, decided (0 < P (f x) (b y)) (j x y)) ->
  (forall x w, decided (0 < evidence (f x) M w) (e x w)) ->
  (forall x y w, decided (Q (f x) (a y) (b y) w) (c x y w)) ->
  decided (forall p s t w, In p (map f lp) -> In (s, t) (map (fun y => (a y, b y)) lq) ->
    0 < P p s -> 0 < P p t -> 0 < evidence p M w -> Q p s t w)
    (forallb (fun x => forallb (fun y =>
      if i x y && j x y then forallb (fun w => negb (e x w) || c x y w) all else true) lq) lp) | 0.
Proof.
  intros first second after d. unfold decided. rewrite forallb_forall. split.
  - intros each p s t w ip ist Ps Pt Ev. apply in_map_iff in ip as [x [<- ix]].
    apply in_map_iff in ist as [y [q iy]]. injection q as <- <-. specialize (each x ix).
    rewrite forallb_forall in each. specialize (each y iy).
    apply first in Ps. apply second in Pt. rewrite Ps, Pt in each. simpl in each.
    rewrite forallb_forall in each. specialize (each w (all_here w)).
    apply after in Ev. rewrite Ev in each. now apply d.
  - intros each x ix. apply forallb_forall. intros y iy.
    destruct (i x y) eqn:F; [|easy]. destruct (j x y) eqn:G; [|easy]. simpl.
    apply forallb_forall. intros w _. destruct (e x w) eqn:E; [|easy]. simpl. apply d.
    apply each; try (now apply first || now apply second || now apply after);
      apply in_map_iff; eauto.
Qed.
#[export] Instance d_quotient (a b x r : R) (p q o l k : Q) : rational a p -> rational b q ->
  rational x o -> rational (/ r) l -> rational r k ->
  decided ((a = 0 <-> b = 0) /\ (0 < b -> / r <= x <= r))
    (eqb (Qeq_bool p 0) (Qeq_bool q 0) && (Qle_bool q 0 || (Qle_bool l o && Qle_bool o k))) | 0.
Proof.
  intros ap bq xo rl rk. apply d_and; [apply d_iff; apply d_eq; auto using r_0|].
  rewrite <- (negb_involutive (Qle_bool q 0)).
  apply d_imp; [apply d_lt; auto using r_0|]. apply d_and; now apply d_le.
Qed.
#[export] Instance d_swapped {D W A B} `{Finite D} `{Finite W} ratio (M : D -> W -> R)
  (a b : B -> @secret D) (f : A -> D -> R) lq lp c :
  decided (pufferfish ratio M (fun s t => In (s, t) (map (fun y => (b y, a y)) lq))
    (fun p => In p (map f lp))) c ->
  decided (pufferfish ratio M (fun s t => In (t, s) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map f lp))) c | 0.
Proof.
  unfold decided. intros ->. split; intros promise p s t w ip ist; apply promise; auto;
    apply in_map_iff in ist as [y [e iy]]; injection e as <- <-; apply in_map_iff; eauto.
Qed.
#[export] Hint Extern 0 (decided (odds_within _ _ _ _) _) => unfold odds_within :
  typeclass_instances.
#[export] Hint Extern 2 (rational (posterior _ _ _ _) _) => unfold posterior : typeclass_instances.
#[export] Hint Extern 2 (rational (evidence _ _ _) _) => unfold evidence : typeclass_instances.
