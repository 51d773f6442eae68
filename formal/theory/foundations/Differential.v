(** Levels between neighbours: differential privacy for any relation of neighbours, and its laws. *)
From Coq Require Import Reals Lra List.
From Pufferproof Require Import Sums Pufferfish Means.
Import ListNotations.
Open Scope R_scope.

(** M x w <= ratio M y w for neighbours x and y: differential privacy, with ratio for e^epsilon. *)
Definition close {D W} ratio (M : D -> W -> R) (neighbours : D -> D -> Prop) :=
  forall x y, neighbours x y -> forall w, M x w <= ratio * M y w.

(** M, and then the mechanism of its output on the same database. *)
Definition chosen {D V W} (M : D -> W -> R) (N : W -> D -> V -> R) (x : D) (wv : W * V) :=
  M x (fst wv) * N (fst wv) x (snd wv).

(** Post-processing of differential privacy (bai2026.dp-laws).
    Differs: outputs of M are finite; neighbours are any relation; K need not sum to 1. *)
Theorem close_processed {D W V} `{Finite W} ratio (M : D -> W -> R) (K : W -> V -> R) neighbours :
  (forall w v, 0 <= K w v) -> close ratio M neighbours -> close ratio (process M K) neighbours.
Proof.
  intros K0 near x y xy v. unfold process. rewrite <- sum_scale. apply sum_le; intros w _.
  rewrite <- Rmult_assoc. apply Rmult_le_compat_r; auto.
Qed.

(** Composition of differential privacy, mechanisms run together (bai2026.dp-laws).
    Differs: neighbours are any relation; ratios multiply, where the print adds levels. *)
Theorem close_together {D W} (Ms : list ((D -> W -> R) * R)) neighbours :
  (forall M E, In (M, E) Ms -> likelihood M) ->
  (forall M E, In (M, E) Ms -> close E M neighbours) ->
  close (prod (map snd Ms) (fun E => E)) (releases (map fst Ms)) neighbours.
Proof.
  intros M0 near x y xy ws. revert ws.
  induction Ms as [|[M E] Ms IH]; intros [|w ws]; cbn [map prod releases fst snd]; try lra.
  specialize (IH (fun N F i => M0 N F (or_intror i)) (fun N F i => near N F (or_intror i)) ws).
  assert (R0 : forall z, 0 <= releases (map fst Ms) z ws).
  { intros z. apply releases_nonneg. intros N i. apply in_map_iff in i as [[N' F] [<- i]].
    apply (M0 N' F). now right. }
  set (Q := prod (map snd Ms) (fun E => E)) in *.
  apply Rle_trans with (E * M y w * (Q * releases (map fst Ms) y ws)); [|right; ring].
  apply Rmult_le_compat; auto.
  - apply (M0 M E). now left.
  - apply (near M E); [now left|easy].
Qed.

(** Composition where the first output chooses the second mechanism (bai2026.dp-laws).
    Differs: two mechanisms; the outputs of several are one output, so that more follow by
    repetition. *)
Theorem close_chosen {D W V} R1 R2 (M : D -> W -> R) (N : W -> D -> V -> R) neighbours :
  likelihood M -> (forall w, likelihood (N w)) -> close R1 M neighbours ->
  (forall w, close R2 (N w) neighbours) -> close (R1 * R2) (chosen M N) neighbours.
Proof.
  intros M0 N0 one two x y xy [w v]. unfold chosen; cbn [fst snd].
  apply Rle_trans with (R1 * M y w * (R2 * N w y v)); [|right; ring].
  apply Rmult_le_compat; [apply M0|apply N0|now apply one|now apply two].
Qed.
