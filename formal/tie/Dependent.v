(** How releases with two outputs are read from tables, and nearly independent ones decided. *)
From Coq Require Import Reals QArith Qreals Lra List Bool.
From Pufferproof Require Import Sums Pufferfish Laws Dependence.
From Tied Require Import Decide Entries.
Import ListNotations.
Open Scope R_scope.

Definition pair_rows {n m k} (l : list (list Q)) (x : fin n) (wv : fin m * fin k) : R :=
  Q2R (entry (nth (rank x) l []) (rank (fst wv) * k + rank (snd wv))).
#[export] Instance r_pair_rows {n m k} l x wv : rational (@pair_rows n m k l x wv)
  (entry (nth (rank x) l []) (rank (fst wv) * k + rank (snd wv))).
Proof. easy. Qed.
#[export] Hint Extern 0 (decided (laws_only _) _) => unfold laws_only : typeclass_instances.
#[export] Hint Extern 0 (decided (nearly_independent _ _ _ _ _ _) _) =>
  unfold nearly_independent : typeclass_instances.

(** The secrets of pairs of possible secrets, one implication at a time. *)
#[export] Instance d_nearly {D W V A B} `{Finite D} (f : A -> D -> R) (a b : B -> @secret D) lp lq E
  (J : D -> W * V -> R) (M : D -> W -> R) (N : D -> V -> R) c k e :
  (forall x y, decided (0 < P (f x) (a y)) (c x y)) -> (forall x y, decided (0 < P (f x) (b y)) (k
    x y))
  -> (forall x y, decided (nearly_independent E (f x) (a y) J M N /\
    nearly_independent E (f x) (b y) J M N) (e x y)) ->
  decided (forall p, In p (map f lp) -> forall s t, In (s, t) (map (fun y => (a y, b y)) lq) ->
    0 < P p s -> 0 < P p t -> nearly_independent E p s J M N /\ nearly_independent E p t J M N)
    (forallb (fun x => forallb (fun y => negb (c x y) || (negb (k x y) || e x y)) lq) lp) | 0.
Proof.
  intros first second both_. unfold decided. rewrite forallb_forall. split.
  - intros h p i. apply in_map_iff in i as [x [<- i]]. specialize (h x i).
    rewrite forallb_forall in h. intros s t j Ps Pt. apply in_map_iff in j as [y [q j]].
    injection q as <- <-. specialize (h y j). apply first in Ps. apply second in Pt.
    rewrite Ps, Pt in h. now apply both_.
  - intros h x i. apply forallb_forall; intros y j.
    destruct (c x y) eqn:F; [|easy]. destruct (k x y) eqn:G; [|easy]. simpl. apply both_.
    apply (h (f x) (in_map f lp x i)); [|now apply first|now apply second].
    now apply (in_map (fun y => (a y, b y))).
Qed.
