(** Releases that the outputs before choose are decided for every last output before them. *)
From Coq Require Import Reals QArith Qreals Lra Lia List Bool.
From Pufferproof Require Import Sums Pufferfish RecordTables Curves ChosenReleases.
From Tied Require Import Decide Entries Sequences Accounts Curves Points.
Import ListNotations.
Open Scope R_scope.

(** For each release a table for no output before it, and one for each last output. *)
Definition table_of {n w} (l : list (list (list Q))) (i : nat) : fin n -> fin w -> R :=
  fun x y => Q2R (entry (nth (rank x) (late [] l i) []) (rank y)).
Definition chosen_tables {m n w} (l : list (list (list (list Q)))) (k : fin m)
  (past : list (fin w)) : fin n -> fin w -> R := table_of (nth (rank k) l []) (key past).
#[export] Instance r_table_of {n w} l i (x : fin n) (y : fin w) :
  rational (table_of l i x y) (entry (nth (rank x) (late [] l i) []) (rank y)).
Proof. easy. Qed.

#[export] Instance d_private_whatever {I V m n w} `{Finite I} (dV : forall u v : V, {u = v} +
  {u <> v}) (cell : I -> fin n -> V) l (delta : fin m -> R) b :
  (forall k i, decided (likelihood (@table_of n w (nth (rank k) l []) i) /\
    per_entry dV cell (exp (delta k)) (@table_of n w (nth (rank k) l []) i)) (b k i)) ->
  decided (private_whatever dV cell (@chosen_tables m n w l) delta)
    (forallb (fun k => forallb (b k) (keys w)) all) | 0.
Proof.
  intros each. unfold decided, private_whatever. rewrite forallb_forall. split.
  - intros h k past. specialize (h k (all_here k)). rewrite forallb_forall in h.
    exact (proj1 (each k (key past)) (h _ (keys_all w past))).
  - intros h k _. apply forallb_forall. intros i ik. apply keys_some in ik as [past <-].
    apply each. apply (h k past).
Qed.

Fixpoint qchosen {D W} (Ms : list (list W -> D -> W -> Q)) past x ws : Q := match Ms, ws with
  [], [] => 1%Q | M :: Ms, w :: ws => Qred (M past x w * qchosen Ms (past ++ [w]) x ws)
  | _, _ => 0%Q end.
Lemma chosen_q {D W A} (g : A -> list W -> D -> W -> R) gq l past x ws :
  (forall a past x w, rational (g a past x w) (gq a past x w)) ->
  rational (adaptive (map g l) past x ws) (qchosen (map gq l) past x ws).
Proof.
  intros e. unfold rational in *. revert past ws.
  induction l as [|a l IH]; intros past [|w ws]; cbn [map adaptive qchosen];
    try (unfold Q2R; simpl; lra).
  now rewrite red, Q2R_mult, <- IH, <- e.
Qed.
#[export] Instance r_chosen {m n w} l past (x : fin n) (ws : list (fin w)) :
  rational (adaptive (map (@chosen_tables m n w l) all) past x ws)
    (qchosen (map (fun (k : fin m) past (x : fin n) (y : fin w) =>
      entry (nth (rank x) (late [] (nth (rank k) l []) (key past)) []) (rank y)) all) past x ws).
Proof. now apply chosen_q. Qed.

#[export] Instance d_keeps_chosen {D W A B} `{Finite D} `{Finite W} ratio
  (Ms : list (list W -> D -> W -> R)) (a b : B -> @secret D) (f : A -> D -> R) lq lp c :
  (forall x y ws, decided (0 < P (f x) (a y) -> 0 < P (f x) (b y) ->
    Pw (f x) (adaptive Ms []) (a y) ws * P (f x) (b y) <=
    ratio * P (f x) (a y) * Pw (f x) (adaptive Ms []) (b y) ws) (c x y ws)) ->
  decided (pufferfish ratio (adaptive Ms []) (fun s t => In (s, t) (map (fun y => (a y, b y)) lq))
    (fun p => In p (map f lp)))
    (forallb (fun x => forallb (fun y => forallb (c x y) (words (length Ms))) lq) lp) | 0.
Proof.
  intros each. apply (d_keeps_words ratio (adaptive Ms []) (length Ms)); [|exact each].
  intros x ws. apply adaptive_of_length.
Qed.
