(** Theorems whose types are statement objects: product distributions of records. *)
From Coq Require Import Reals.
From Pufferproof Require ProductPriors ProductClasses.
From Said Require records.Products.

Theorem product_is_dp : Said.records.Products.product_is_dp.
Proof.
  intros A W F dA n ratio M.
  exact (Pufferproof.foundations.products.ProductPriors.product_is_dp dA ratio M).
Qed.

Theorem full_support_is_dp : Said.records.Products.full_support_is_dp.
Proof.
  intros A W F dA n ratio M.
  exact (Pufferproof.foundations.products.ProductClasses.full_support_is_dp dA ratio M).
Qed.

Theorem against_others_is_dp : Said.records.Products.against_others_is_dp.
Proof.
  intros A W F dA n ratio M.
  exact (Pufferproof.foundations.products.ProductClasses.against_others_is_dp dA ratio M).
Qed.
