(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Conditions.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Means Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition am_gm : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (b : D -> R)
      (u : D -> R),
    Pufferfish.law b ->
    (forall u_, 0 <= u u_) ->
    Means.geo b (fun l : D => u l) <= Σ l, b l * u l.

Definition condition_survives : Prop :=
  forall (D W V : Type) `{Sums.Finite D} `{Sums.Finite W} `{Sums.Finite V}
      (beta : D -> R)
      (E : R)
      (M : D -> W -> R)
      (K : W -> V -> R)
      (x : D),
    Pufferfish.likelihood M ->
    0 <= E ->
    Pufferfish.law beta ->
    (forall u_ v_, 0 <= K u_ v_) ->
    (forall w : W, (M x) w <= E * Means.geo beta (fun l : D => (M l) w)) ->
    forall v : V, ((Pufferfish.process M K) x) v <= E * Means.geo beta (fun l : D =>
      ((Pufferfish.process M K) l) v).

Definition cone : Prop :=
  forall (D : Type) `{Sums.Finite D}
      (beta : D -> R)
      (E : R)
      (u : D -> R)
      (v : D -> R)
      (k : R)
      (x : D),
    Pufferfish.law beta ->
    0 <= E ->
    (forall u_, 0 <= u u_) ->
    (forall u_, 0 <= v u_) ->
    u x <= E * Means.geo beta (fun l : D => u l) ->
    v x <= E * Means.geo beta (fun l : D => v l) ->
    0 <= k ->
    u x + v x <= E * Means.geo beta (fun l : D => u l + v l) /\ k * u x <= E * Means.geo beta (fun
      l : D => k * u l).

Definition coupled_levels : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (beta : D -> D -> R)
      (levelled : list ((D -> W -> R) * R))
      (ws : list W),
    Pufferfish.law p ->
    (forall x : D, Pufferfish.law (beta x)) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> Pufferfish.likelihood (fst ME)) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> 0 <= snd ME) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> forall x : D, 0 < Pufferfish.inside p s
      x -> (forall w : W, ((fst ME) x) w <= snd ME * Means.geo (beta x) (fun l : D => ((fst ME) l)
      w))) ->
    (forall l : D, (Σ x, Pufferfish.inside p s x * (beta x) l) * Pufferfish.P p t = Pufferfish.P p
      s * Pufferfish.inside p t l) ->
    Pufferfish.Pw p (Means.releases (List.map fst levelled)) s ws * Pufferfish.P p t <=
      (Means.prod (List.map snd levelled) (fun E_ => E_)) * Pufferfish.P p s * Pufferfish.Pw p
      (Means.releases (List.map fst levelled)) t ws.

Definition coupling_processed : Prop :=
  forall (D W V : Type) `{Sums.Finite D} `{Sums.Finite W} `{Sums.Finite V}
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (beta : D -> D -> R)
      (levelled : list ((D -> W -> R) * R))
      (Ks : list (W -> V -> R))
      (ws : list V),
    Pufferfish.law p ->
    (forall x : D, Pufferfish.law (beta x)) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> Pufferfish.likelihood (fst ME)) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> 0 <= snd ME) ->
    (forall ME : (D -> W -> R) * R, List.In ME levelled -> forall x : D, 0 < Pufferfish.inside p s
      x -> (forall w : W, ((fst ME) x) w <= snd ME * Means.geo (beta x) (fun l : D => ((fst ME) l)
      w))) ->
    (forall l : D, (Σ x, Pufferfish.inside p s x * (beta x) l) * Pufferfish.P p t = Pufferfish.P p
      s * Pufferfish.inside p t l) ->
    (forall K : W -> V -> R, List.In K Ks -> forall u_ v_, 0 <= K u_ v_) ->
    (((List.length Ks)) = ((List.length levelled)))%nat ->
    Pufferfish.Pw p (Means.releases (List.map (fun MK_ => Pufferfish.process (fst (fst MK_)) (snd
      MK_)) (List.combine levelled Ks))) s ws * Pufferfish.P p t <= (Means.prod (List.map snd
      levelled) (fun E_ => E_)) * Pufferfish.P p s * Pufferfish.Pw p (Means.releases (List.map
      (fun MK_ => Pufferfish.process (fst (fst MK_)) (snd MK_)) (List.combine levelled Ks))) t ws.

Definition nfc_runs : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (p : D -> R)
      (s : @Pufferfish.secret D)
      (t : @Pufferfish.secret D)
      (beta : D -> D -> R)
      (eps : R)
      (Ms : list (D -> W -> R))
      (C : R)
      (ws : list W),
    Pufferfish.law p ->
    (forall x : D, Pufferfish.law (beta x)) ->
    (forall N : D -> W -> R, List.In N Ms -> Pufferfish.likelihood N) ->
    (forall N : D -> W -> R, List.In N Ms -> forall x : D, 0 < Pufferfish.inside p s x -> (forall
      w : W, (N x) w <= exp eps * Means.geo (beta x) (fun l : D => (N l) w))) ->
    (forall x : D, forall l : D, 0 < (beta x) l -> Pufferfish.P p t <= C * Pufferfish.inside p t
      l) ->
    Pufferfish.Pw p (Means.releases Ms) s ws * Pufferfish.P p t <= (exp (INR ((List.length Ms)) *
      eps + ln C)) * Pufferfish.P p s * Pufferfish.Pw p (Means.releases Ms) t ws.

Definition one_hot_is_dp : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (beta : D -> R)
      (E : R)
      (M : D -> W -> R)
      (x : D)
      (z : D),
    Pufferfish.law beta ->
    beta z = 1 ->
    Pufferfish.likelihood M ->
    (forall w : W, (M x) w <= E * Means.geo beta (fun l : D => (M l) w)) <-> (forall w : W, (M x)
      w <= E * (M z) w).

Definition one_hot_survives : Prop :=
  forall (I D W V : Type) `{Sums.Finite I} `{Sums.Finite D} `{Sums.Finite W} `{Sums.Finite V}
      (xs : I -> D)
      (betas : I -> D -> R)
      (Es : I -> R)
      (M : D -> W -> R)
      (K : W -> V -> R),
    Pufferfish.likelihood M ->
    (forall i : I, Pufferfish.law (betas i)) ->
    (forall i : I, forall u_, (betas i) u_ = 0 \/ (betas i) u_ = 1) ->
    (forall u_ v_, 0 <= K u_ v_) ->
    (forall i : I, forall w : W, (M (xs i)) w <= Es i * Means.geo (betas i) (fun l : D => (M l)
      w)) ->
    forall i : I, forall v : V, ((Pufferfish.process M K) (xs i)) v <= Es i * Means.geo (betas i)
      (fun l : D => ((Pufferfish.process M K) l) v).
