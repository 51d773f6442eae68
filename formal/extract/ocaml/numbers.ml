(* Integers of any length, and fractions in lowest terms whose denominator is positive. *)
open Big_int_Z

type z = big_int
type fraction = { above : z; under : z }

let zero = zero_big_int and one = unit_big_int
let of_int = big_int_of_int
let is_zero x = sign_big_int x = 0
let negative x = sign_big_int x < 0
let add = add_big_int and mul = mult_big_int and opposite = minus_big_int
let less = lt_big_int and equal = eq_big_int

(* Of digits, none of them missing; and 10^k. *)
let of_digits (digits : string) : z = big_int_of_string digits
let ten k = power_int_positive_int 10 k

let fraction n d =
  let g = gcd_big_int n d in
  { above = div_big_int n g; under = div_big_int d g }
let whole n = { above = n; under = one }
let is_whole x = equal x.under one
let times x y = fraction (mul x.above y.above) (mul x.under y.under)
let plus x y = fraction (add (mul x.above y.under) (mul y.above x.under)) (mul x.under y.under)
let divided x y =
  let sign = if negative y.above then opposite one else one in
  fraction (mul sign (mul x.above y.under)) (mul sign (mul x.under y.above))
let gcd = gcd_big_int and to_int = int_of_big_int
let at_least x y = not (less (mul x.above y.under) (mul y.above x.under))

(* The least common denominator, and the numerators over it. *)
let unit_of list =
  List.fold_left (fun u x -> mul u (div_big_int x.under (gcd_big_int u x.under))) one list
let over unit = List.map (fun x -> mul x.above (div_big_int unit x.under))

(* A fraction in words; the kernel does not write more than 4,300 digits. *)
let shown x =
  let text n = string_of_big_int n in
  let long s = String.length s - (if s <> "" && s.[0] = '-' then 1 else 0) > 4300 in
  let above = text x.above and under = text x.under in
  if long above || long under then None
  else Some (if equal x.under one then above else above ^ "/" ^ under)
(* Whether numerator and denominator have so many bits together. *)
let long most x =
  let rec bits n k =
    if k >= most || less n (power_int_positive_int 2 k) then k else bits n (k + 1) in
  bits (abs_big_int x.above) 0 + bits x.under 0 >= most
