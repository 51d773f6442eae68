(** The worst case is decided at the generators of the cones of columns; group privacy. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Section Columns.
Context {D : Type} `{Finite D}.
Implicit Types (u v mu nu : D -> R).

Definition inner mu u := Σ x, mu x * u x.
(** u is a sum of the members of g with weights that are not negative. *)
Definition spanned (g : list (D -> R)) u := exists c : list (R * (D -> R)),
  (forall k r, In (k, r) c -> 0 <= k /\ In r g) /\
  forall x, u x = sum c (fun kr => fst kr * snd kr x).
Fixpoint product (us : list (D -> R)) (x : D) : R := match us
  with [] => 1 | u :: us => u x * product us x end.

(** The worst case is decided at generators (worst.vertices): for every release k a finite list of
    generators G_k and a column u_k spanned by it; a bound L of the joint ratio at all tuples of
    generators bounds it at u_1 .. u_K.
    Differs: the bound alone: not that it is attained, nor when it is infinite; that a cone is
    spanned by its extreme rays (Minkowski) is not used: generators are given. *)
Theorem worst_at_generators mu nu L (Gs : list (list (D -> R))) us :
  Forall2 spanned Gs us ->
  (forall rs, Forall2 (@In _) rs Gs -> inner mu (product rs) <= L * inner nu (product rs)) ->
  inner mu (product us) <= L * inner nu (product us).
Proof.
  intros span bound.
  enough (more : forall acc, (forall rs, Forall2 (@In _) rs Gs ->
                   inner mu (fun x => acc x * product rs x) <= L * inner nu
                     (fun x => acc x * product rs x)) ->
                 inner mu (fun x => acc x * product us x) <= L * inner nu
                   (fun x => acc x * product us x)).
  { assert (one : forall m vs, inner m (product vs) = inner m (fun x => 1 * product vs x)).
    { intros; apply sum_ext; intros; ring. }
    rewrite !one. apply more. intros rs i. rewrite <- !one. auto. }
  clear bound. induction span as [|G u Gs us [c [c0 E]] span IH]; intros acc bound;
    [apply (bound []); constructor|].
  assert (split_ : forall m, inner m (fun x => acc x * product (u :: us) x) =
    sum c (fun kr => fst kr * inner m (fun x => acc x * snd kr x * product us x))).
  { intros m. unfold inner; simpl.
    rewrite (sum_ext c _ (fun kr => Σ x, fst kr * (m x * (acc x * snd kr x * product us x))))
      by (intros; now rewrite sum_scale).
    rewrite sum_swap. apply sum_ext; intros x _. rewrite E.
    replace (m x * (acc x * (sum c (fun kr => fst kr * snd kr x) * product us x)))
      with (m x * acc x * product us x * sum c (fun kr => fst kr * snd kr x)) by ring.
    rewrite <- sum_scale. apply sum_ext; intros; ring. }
  rewrite !split_, <- sum_scale. apply sum_le; intros [k r] ikr; simpl.
  destruct (c0 k r ikr) as [k0 ir].
  assert (inner mu (fun x => acc x * r x * product us x) <= L * inner nu
    (fun x => acc x * r x * product us x)) as B.
  { apply (IH (fun x => acc x * r x)). intros rs irs.
    assert (flat : forall m, inner m (fun x => acc x * r x * product rs x) = inner m
      (fun x => acc x * product (r :: rs) x)).
    { intros; apply sum_ext; intros; simpl; ring. }
    rewrite !flat. apply bound. now constructor. }
  apply (Rmult_le_compat_l k) in B; [|easy]. lra.
Qed.
End Columns.
