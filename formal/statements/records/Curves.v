(* Written from the statement objects of claims/, not by hand: each is the type of one
   theorem of formal/claims/records/Curves.v. *)
From Coq Require Import Reals List.
From Pufferproof Require Curves Pufferfish Sums.
From Pufferproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition group : Prop :=
  forall (I D V W : Type) `{Sums.Finite I} `{Sums.Finite D}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (eps : R)
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (w : W),
    Curves.per_entry dV X (exp eps) M ->
    Curves.product_of_values dV X ->
    (M x) w <= exp (INR (Curves.distance dV X x y) * eps) * (M y) w.

Definition group_on_paths : Prop :=
  forall (I D V W : Type) `{Sums.Finite I} `{Sums.Finite D}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (b : nat)
      (eps : R)
      (M : D -> W -> R)
      (x : D)
      (y : D)
      (w : W),
    Pufferfish.likelihood M ->
    1 <= exp eps ->
    Curves.per_entry dV X (exp eps) M ->
    Curves.within dV X b x y ->
    (M x) w <= exp (INR (b) * eps) * (M y) w.

Definition translate : Prop :=
  forall (I D V W : Type) `{Sums.Finite I} `{Sums.Finite D}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (b : nat)
      (eps : R)
      (a : R)
      (level : R)
      (M : D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    Pufferfish.likelihood M ->
    1 <= exp eps ->
    Curves.per_entry dV X (exp eps) M ->
    Curves.product_of_values dV X ->
    Curves.on_curve dI dV X b (exp a) pairs priors ->
    INR (b) * eps + a <= level ->
    Pufferfish.pufferfish (exp level) M pairs priors.

Definition translate_in_tables : Prop :=
  forall (I D V W : Type) `{Sums.Finite I} `{Sums.Finite D}
      (dI : forall x_ y_ : I, {x_ = y_} + {x_ <> y_})
      (dD : forall x_ y_ : D, {x_ = y_} + {x_ <> y_})
      (dV : forall x_ y_ : V, {x_ = y_} + {x_ <> y_})
      (X : I -> D -> V)
      (b : nat)
      (eps : R)
      (a : R)
      (M : D -> W -> R)
      (pairs : @Pufferfish.secret D -> @Pufferfish.secret D -> Prop)
      (priors : (D -> R) -> Prop),
    Pufferfish.laws_only priors ->
    Pufferfish.likelihood M ->
    1 <= exp eps ->
    Curves.per_entry dV X (exp eps) M ->
    Curves.joined dV X b ->
    Curves.on_curve dI dV X b (exp a) pairs priors ->
    Pufferfish.pufferfish (exp (INR (b) * eps + a)) M pairs priors.
