(** What certificates about many runs state: mechanisms, with a level each, are run again and again
    with fresh randomness. Read [Tables] first; the pages beside this one are proofs. *)
From Coq Require Import Reals List ZArith.
From Pufferproof Require Import Sums Pufferfish Means Indices Tables.
Import ListNotations.
Open Scope R_scope.

Section Statements.
Context (f : framework).

(** The prior k, given the secret i, is compared with the prior l, given the secret j, if they are
    one prior; and over mixtures if one of them makes a secret of the other impossible: then
    mixtures of both come near to them. *)
Definition compared k l i j := k = l \/ (convex f = true /\
  (P (prior_of f k) (secret_of f j) = 0 \/ P (prior_of f l) (secret_of f i) = 0)).
(** A database x, possible with i under k, against all that are possible with j under l. *)
Definition game k l i j (x : index (size f)) :=
  (k < length (priors f))%nat /\ (l < length (priors f))%nat /\
  (In (i, j) (pairs f) \/ In (j, i) (pairs f)) /\ compared k l i j /\
  0 < inside (prior_of f k) (secret_of f i) x /\ 0 < P (prior_of f l) (secret_of f j).

Section Levels.
Context (parts : list (mechanism * level)).

(** The necessary condition for composition (NfC): weights beta on the databases of a game, the same
    for all outputs of all mechanisms, so that log P(w | x) is at most the level plus the mean of
    log P(w | y). [geo beta u] is the product of the u_y^(beta_y), with 0^0 = 1. *)
Definition nfc_at l j (x : index (size f)) := exists beta : index (size f) -> R, law beta /\
  (forall y, 0 < beta y -> 0 < inside (prior_of f l) (secret_of f j) y) /\
  forall m e w, In (m, e) parts ->
    channel f m x w <= ratio e * geo beta (fun y => channel f m y w).
Definition nfc_holds := forall k l i j x, game k l i j x -> nfc_at l j x.
Definition nfc_fails_at k l i j x := exists y : index (size f),
  number y = x /\ game k l i j y /\ ~ nfc_at l j y.

(** Whatever is run, and however often, leaks at most the sum of the levels and one constant. *)
Definition levels_add_up := exists C, forall runs, (forall r, In r runs -> In r parts) ->
  within f (joint f (map fst runs)) (C * prod runs (fun r => ratio (snd r))).
End Levels.

(** The rate of a mechanism, the limit of (leakage of n runs) / n: n runs leak at most n e plus a
    constant; at least n e less a constant; everything if they are enough. *)
Definition rate_at_most m e := exists C, forall n,
  within f (joint f (repeat m n)) (C * ratio e ^ n).
Definition rate_at_least m e := exists c, 0 < c /\ forall n r,
  within f (joint f (repeat m n)) r -> c * ratio e ^ n <= r.
Definition rate_infinite m := exists n, forall k, (n <= k)%nat ->
  leakage_infinite f (joint f (repeat m k)).
End Statements.
