(** Choosing each mechanism by the outputs before it makes the worst case no worse. *)
From Coq Require Import Reals Lra List PeanoNat.
From Pufferproof Require Import Sums Pufferfish Worst Means Rays Vertices.
Import ListNotations.
Open Scope R_scope.

Section Adaptive.
Context {D : Type} `{Finite D}.
Implicit Types (T : list ((D -> R) * (D -> R))).

(** The column of outputs ws after the outputs h, where S says which mechanism follows outputs. *)
Fixpoint chosen {W} (S : list W -> D -> W -> R) h ws (x : D) : R := match ws with
  [] => 1 | w :: ws => S h x w * chosen S (h ++ [w]) ws x end.
Definition allowed T Rs {W} `{Finite W} (S : list W -> D -> W -> R) :=
  forall h ratio, nth_error Rs (length h) = Some ratio -> level T ratio (S h).
(** L bounds the joint ratio of all mechanisms of these levels, each chosen by earlier outputs. *)
Definition adaptively_bounded T Rs L := pairs_of_laws T /\
  (forall ratio, In ratio Rs -> 1 <= ratio) /\
  forall (W : Type) (F : Finite W) (S : list W -> D -> W -> R) ws mu nu,
    allowed T Rs S -> length ws = length Rs -> In (mu, nu) T ->
    inner mu (chosen S [] ws) <= L * inner nu (chosen S [] ws).

Lemma chosen_columns T Rs {W} `{Finite W} (S : list W -> D -> W -> R) :
  pairs_of_laws T -> (forall ratio, In ratio Rs -> 1 <= ratio) -> forall h ws,
  (forall k ratio, nth_error Rs (length k) = Some ratio -> level T ratio (S (h ++ k))) ->
  length ws = length Rs -> exists us,
    Forall2 (fun ratio u => within (occurring T ratio) u) Rs us /\
    forall x, chosen S h ws x = product us x.
Proof.
  intros laws. induction Rs as [|ratio Rs IH]; intros r1 h [|w ws] each len; try discriminate.
  - exists []. split; [constructor|easy].
  - injection len as len.
    destruct (IH (fun r i => r1 r (or_intror i)) (h ++ [w]) ws) as [us [cols E]]; [|easy|].
    { intros k r e. rewrite <- app_assoc. now apply each. }
    exists ((fun x => S h x w) :: us). split.
    + constructor; [|easy]. apply (column_occurs T ratio (S h) w); auto.
      * apply r1. now left.
      * specialize (each [] ratio eq_refl). now rewrite app_nil_r in each.
    + intros x. simpl. now rewrite E.
Qed.

Lemma level_of T Rs {W} `{Finite W} (Ms : list (D -> W -> R)) k ratio :
  Forall2 (fun ratio M => level T ratio M) Rs Ms -> nth_error Rs k = Some ratio ->
  level T ratio (nth k Ms (fun _ _ => 0)).
Proof.
  intros kept. revert k. induction kept as [|r M Rs Ms lev _ IH]; intros [|k] e; simpl in *;
    try discriminate; [|now apply IH]. now injection e as <-.
Qed.

Lemma chosen_releases {W} (Ms : list (D -> W -> R)) x : forall before h ws,
  length h = length before -> length ws = length Ms ->
  chosen (fun k => nth (length k) (before ++ Ms) (fun _ _ => 0)) h ws x = releases Ms x ws.
Proof.
  induction Ms as [|M Ms IH]; intros before h [|w ws] lh lw; try discriminate; [easy|].
  injection lw as lw. simpl. rewrite lh, app_nth2 by apply le_n. rewrite Nat.sub_diag. simpl.
  f_equal.
  specialize (IH (before ++ [M]) (h ++ [w]) ws). rewrite <- app_assoc in IH. simpl in IH.
  apply IH; [|easy]. rewrite !app_length, lh. easy.
Qed.

Lemma releases_length {W} (Ms : list (D -> W -> R)) ws x : length ws <> length Ms ->
  releases Ms x ws = 0.
Proof.
  revert ws. induction Ms as [|M Ms IH]; intros [|w ws] ne; simpl in *; try easy.
  rewrite IH; [ring|]. intros E. apply ne. now f_equal.
Qed.

(** Adaptive choices do not raise the worst case (worst.adaptivity): a number bounds the joint ratio
    of all mechanisms of levels R_1 .. R_K that are chosen by earlier outputs if and only if it does
    at each tuple of extreme rays.
    Differs: finitely many pairs of laws, databases and outputs. *)
Theorem adaptive_at_rays T Rs L : pairs_of_laws T -> (forall ratio, In ratio Rs -> 1 <= ratio) ->
  adaptively_bounded T Rs L <-> bounded_at_rays T Rs L.
Proof.
  intros laws r1. split.
  - intros [_ [_ bound]] rs rays mu nu i.
    destruct (shown_together T Rs rs laws r1 (rays_within T Rs rs rays))
      as [Ms [ws [c [c0 [kept E]]]]].
    assert (le : inner mu (fun x => releases Ms x ws) <=
      L * inner nu (fun x => releases Ms x ws)).
    { destruct (Nat.eq_dec (length ws) (length Ms)) as [same|ne].
      - assert (whole : forall x,
          chosen (fun k => nth (length k) Ms (fun _ _ => 0)) [] ws x = releases Ms x ws).
        { intros x. now apply (chosen_releases Ms x [] [] ws). }
        rewrite <- (inner_ext mu _ _ whole), <- (inner_ext nu _ _ whole).
        apply (bound bool _); auto.
        + intros h ratio e. now apply (level_of T Rs).
        + rewrite same. clear -kept. induction kept; simpl; now f_equal.
      - rewrite (inner_ext mu _ (fun x => 0 * 1)), (inner_ext nu _ (fun x => 0 * 1)),
          !inner_scale by (intros; rewrite releases_length by easy; ring). lra. }
    rewrite (inner_ext mu _ _ E), (inner_ext nu _ _ E), !inner_scale in le.
    apply (Rmult_le_reg_l c); lra.
  - intros bound. split; [easy|]. split; [easy|]. intros W F S ws mu nu each len i.
    destruct (chosen_columns T Rs S laws r1 [] ws) as [us [cols E]]; [|easy|].
    { intros k ratio e. now apply each. }
    rewrite (inner_ext mu _ _ E), (inner_ext nu _ _ E). now apply (rays_bound T Rs L us).
Qed.
End Adaptive.
