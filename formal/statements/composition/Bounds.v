(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/composition/Bounds.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Bounds Pufferfish Spectrum Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition identities : Prop :=
  forall (I D : Type) `{Sums.Finite I} `{Sums.Finite D}
      (L : R)
      (mu : D -> R)
      (nu : D -> R)
      (S : I -> R)
      (B : I -> D -> R)
      (C : I -> D -> R)
      (u : D -> R)
      (v : D -> R),
    (forall u_, 0 <= u u_) ->
    (forall u_, 0 <= v u_) ->
    (forall u_, 0 <= S u_) ->
    (forall i : I, 0 <= Σ x, (B i) x * u x) ->
    (forall i : I, 0 <= Σ x, (C i) x * v x) ->
    (forall x : D, forall y : D, (Σ i, S i * ((B i) x * (C i) y)) + Spectrum.point x y * mu x <=
      Spectrum.point x y * (L * nu x)) ->
    Σ x, mu x * (u x * v x) <= L * (Σ x, nu x * (u x * v x)).

Definition joint_columns : Prop :=
  forall (C E D : Type) `{Sums.Finite C} `{Sums.Finite E} `{Sums.Finite D}
      (p : C -> R)
      (q : E -> R)
      (f : C -> D -> R)
      (g : E -> D -> R)
      (U : D -> R)
      (V : D -> R)
      (J : D -> R),
    (forall x : D, U x = Σ c, p c * (f c) x) ->
    (forall x : D, V x = Σ e, q e * (g e) x) ->
    (forall x : D, J x = Σ c, Σ e, p c * q e * ((f c) x * (g e) x)) ->
    forall x : D, J x = U x * V x.

Definition mediant : Prop :=
  forall (I : Type) `{Sums.Finite I}
      (w : I -> R)
      (a : I -> R)
      (b : I -> R)
      (c : R),
    (forall u_, 0 <= w u_) ->
    (forall i : I, a i <= c * b i) ->
    Σ i, w i * a i <= c * (Σ i, w i * b i).

Definition mediant_below : Prop :=
  forall (I : Type) `{Sums.Finite I}
      (w : I -> R)
      (a : I -> R)
      (b : I -> R)
      (c : R),
    (forall u_, 0 <= w u_) ->
    (forall i : I, c * b i <= a i) ->
    c * (Σ i, w i * b i) <= Σ i, w i * a i.

Definition only_couplings : Prop :=
  forall (D E : Type) `{Sums.Finite D} `{Sums.Finite E}
      (mu : D -> R)
      (nu : E -> R)
      (beta : D -> E -> R),
    (forall x : D, Σ y, (beta x) y = 1) ->
    (forall y : E, Σ x, mu x * (beta x) y <= nu y) ->
    Σ y, nu y <= Σ x, mu x ->
    forall y : E, Σ x, mu x * (beta x) y = nu y.

Definition promise_by_columns : Prop :=
  forall (D W : Type) `{Sums.Finite D} `{Sums.Finite W}
      (ratio : R)
      (M : D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.likelihood M ->
    Pufferfish.pufferfish ratio M pairs priors <-> (forall w : W, Bounds.in_cone ratio
      (Bounds.laws_of pairs priors) (fun x_ => M x_ w)).

Definition relaxation : Prop :=
  forall (I J D : Type) `{Sums.Finite I} `{Sums.Finite J} `{Sums.Finite D}
      (A : I -> D -> R)
      (B : J -> D -> R)
      (mu : D -> R)
      (nu : D -> R)
      (u : D -> R)
      (v : D -> R)
      (W : D -> D -> R),
    (forall u_, 0 <= u u_) ->
    (forall u_, 0 <= v u_) ->
    (forall i : I, Σ x, (A i) x * u x <= 0) ->
    (forall j : J, Σ y, (B j) y * v y <= 0) ->
    (forall x : D, forall y : D, (W x) y = u x * v y) ->
    (forall u_ v_, 0 <= W u_ v_) /\ (forall i : I, forall y : D, Σ x, (A i) x * (W x) y <= 0) /\
      (forall j : J, forall x : D, Σ y, (B j) y * (W x) y <= 0) /\ (forall i : I, forall j : J, 0
      <= Σ x, (A i) x * (Σ y, (B j) y * (W x) y)) /\ Σ x, mu x * (W x) x = Σ x, mu x * (u x * v x)
      /\ Σ x, nu x * (W x) x = Σ x, nu x * (u x * v x).

Definition scaled_column : Prop :=
  forall (I D : Type) `{Sums.Finite I} `{Sums.Finite D}
      (A : I -> D -> R)
      (u : D -> R)
      (r : D -> R)
      (mu : D -> R)
      (nu : D -> R)
      (t : R),
    (forall u_, 0 <= u u_) ->
    (forall i : I, Σ x, (A i) x * u x <= 0) ->
    0 < Σ x, nu x * (r x * u x) ->
    t * (Σ x, nu x * (r x * u x)) = 1 ->
    (forall x : D, 0 <= t * u x) /\ (forall i : I, Σ x, (A i) x * (t * u x) <= 0) /\ Σ x, nu x *
      (r x * (t * u x)) = 1 /\ (Σ x, mu x * (r x * (t * u x))) * (Σ x, nu x * (r x * u x)) = Σ x,
      mu x * (r x * u x).
