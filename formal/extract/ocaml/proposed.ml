(* Hints for the proved checker of runs and of worst cases: weights, counts, bounds of logarithms,
   rows, trees, and two mechanisms that reach a level. Not trusted: whatever stands here, what the
   checker accepts is true. *)
open Reader
open Numbers

let nat = Hints.nat
let quotient x y = Big_int_Z.div_big_int x y
let power = Hints.power

(* --- bounds of logarithms of integers --- *)

let bit_length n = let rec go k = if less n (power k) then k else go (k + 1) in go 0

(* About 2^work artanh(a / b), for a / b up to 1/3. *)
let artanh a b work =
  let first = quotient (mul a (power work)) b in
  let square = quotient (mul first first) (power work) in
  let rec go total term j =
    if is_zero term then total
    else go (add total (quotient term (of_int j))) (quotient (mul term square) (power work)) (j + 2)
  in go zero first 1

(* About 2^precision log q: log q = e log 2 - 2 artanh((2^e - q) / (2^e + q)). *)
let logarithm q precision =
  let e = bit_length q in
  let work = precision + 2 * Hints.length e + 24 in
  let rest = artanh (add (power e) (opposite q)) (add (power e) q) work in
  let two = artanh one (of_int 3) work in
  quotient (mul (of_int 2) (add (mul (of_int e) two) (opposite rest))) (power (work - precision))

(* Sums of logarithms of so few bits are compared as powers, others by this table. *)
let table values limit precision () : Core.logarithms =
  let longest = List.fold_left (fun n q -> max n (bit_length q)) 1 values in
  let halvings = precision + 2 * Hints.length longest + 2 in
  let bounds q =
    let middle = logarithm q precision in
    let low = add middle (of_int (-2)) in
    (q, ((if negative low then zero else low), add middle (of_int 3))) in
  { limit0 = of_int limit; scale = power precision; halved = nat halvings;
    precise = of_int (precision + halvings + 8); enclosed = List.map bounds values }

let logarithms (ms : Core.mechanism list) levels =
  let of_level = function Core.Log (n, d) -> [n; d] | Core.Nats _ -> [] in
  let entries = List.concat_map (fun (m : Core.mechanism) -> List.concat m.rows) ms in
  let values = List.filter (less one) (entries @ List.concat_map of_level levels) in
  let values = List.sort_uniq Big_int_Z.compare_big_int values in
  [table [] 2048 1; table values 2048 64; table values 16_384 160; table values 131_072 400]

(* --- many runs --- *)

(* Numbers of some names, over one unit. *)
let over_unit names node =
  let found = List.map (fun (name, value) -> (name, number value)) (members node) in
  let value name = Option.value (List.assoc_opt name found) ~default:(whole zero) in
  let law = List.map value names in
  List.iter (fun (name, _) -> ignore (place "name" names name)) found;
  let unit = unit_of law in
  (unit, over unit law)

let beta databases node : Core.weighing =
  let part = fields ["database"; "beta"] node in
  let whole0, weights = over_unit databases (part "beta") in
  { about = nat (place "database" databases (label (part "database"))); whole0; weights }

(* How often each output of each mechanism is shown. *)
let counts outputs node =
  let parts = entries node in
  require (List.length parts = List.length outputs) "alpha: expected all mechanisms";
  let numbers names part = List.map (fun (name, value) ->
    ignore (place "output" names name); number value) (members part) in
  let unit = unit_of (List.concat (List.map2 numbers outputs parts)) in
  let row names part =
    let own, row = over_unit names part in
    List.map (mul (quotient unit own)) row in
  List.map2 row outputs parts

(* --- worst cases: rows are multiples of those of the certificate, by their scales --- *)

type worst = { space : Leakage.space; budgets : fraction list; near : fraction option list;
  words : int list array; level : fraction }

let weight (f : Core.framework) prior secret =
  let members = List.nth f.secrets secret and law = List.nth f.priors prior in
  List.fold_left2 (fun total held p -> if held then add total p else total) zero members law
let unit_row size x value = List.init size (fun i -> if i = x then value else zero)

let spot w node = match List.map label (entries node) with
  | [prior; s; t] ->
    (place "prior" w.space.priors prior, place "secret" w.space.secrets s,
     place "secret" w.space.secrets t)
  | _ -> refuse "expected a prior and two secrets"
let of_spot w (prior, s, t) =
  let both = mul (weight w.space.framework prior s) (weight w.space.framework prior t) in
  require (not (is_zero both)) "a secret that the prior makes impossible";
  both

let nth list k = match List.nth_opt list k with Some x -> x | None -> refuse "no such entry"

(* Databases behind x, each one record from the last one, up to y. *)
let path w x y =
  let find word = let rec go i = if w.words.(i) = word then i else go (i + 1) in go 0 in
  let rec go before word goal = match word, goal with
    | a :: word, b :: goal when a = b -> go (b :: before) word goal
    | _ :: word, b :: goal ->
      find (List.rev_append before (b :: word)) :: go (b :: before) word goal
    | _ -> [] in
  go [] w.words.(x) w.words.(y)

let rec raised x k = if k = 0 then one else mul x (raised x (k - 1))
let row w k node : Core.known0 * z =
  let size = List.length w.space.databases in
  let database = place "database" w.space.databases in
  match node with
  | Object ["database", x] -> (Positive (unit_row size (database (label x)) one), one)
  | Object ["law", at] ->
    let prior, s, t = spot w at in
    (Law (nat prior, nat s, nat t), mul (nth w.budgets k).under (of_spot w (prior, s, t)))
  | Object ["record", pair] ->
    (match List.map (fun x -> database (label x)) (entries pair), nth w.near k with
     | [x; y], Some e ->
       let path = path w x y in
       (Along (nat x, List.map nat path), raised e.under (List.length path))
     | _ -> refuse "expected two databases, with a per-record level")
  | _ -> refuse "expected a row"

let rec tree w scales goal node : Core.tree =
  match node with
  | Object ["multipliers", products] ->
    let product node = match entries node with
      | [i; j; c] ->
        let i = count 1_000_000 i and j = count 1_000_000 j and c = number c in
        let scale = mul (nth (fst scales) i) (nth (snd scales) j) in
        (i, j, times c (fraction goal scale))
      | _ -> refuse "expected two rows and a number" in
    let products = List.map product (entries products) in
    let unit = unit_of (List.map (fun (_, _, c) -> c) products) in
    let over (i, j, c) = ((nat i, nat j), mul c.above (quotient unit c.under)) in
    Leaf (unit, List.map over products)
  | node ->
    let part = fields ["split"; "above"; "below"] node in
    let cut = fields ["release"; "above"; "below"; "factor"] (part "split") in
    let factor = number (cut "factor") and first = count 1 (cut "release") = 0 in
    let size = List.length w.space.databases in
    let at side value =
      unit_row size (place "database" w.space.databases (label (cut side))) value in
    let row = List.map2 (fun a b -> add a (opposite b)) (at "above" factor.under)
      (at "below" factor.above) in
    let added = [factor.under] in
    let scales = if first then (fst scales @ added, snd scales)
      else (fst scales, snd scales @ added) in
    Split (first, row, tree w scales goal (part "above"), tree w scales goal (part "below"))

let known w node = match List.mapi (fun k rows -> List.map (row w k) (entries rows)) (entries node)
  with [a; b] -> (a, b) | _ -> refuse "expected rows of two releases"
let trees w (a, b) node =
  let scales = (List.map snd a, List.map snd b) in
  let of_entry node =
    let part = fields ["places"; "tree"] node in
    let one place =
      let (prior, s, t) as at = spot w place in
      let goal = mul w.level.under (of_spot w at) in
      ([((nat prior, nat s), nat t)], tree w scales goal (part "tree")) in
    List.map one (entries (part "places")) in
  List.concat_map of_entry (entries node)

(* A mechanism that shows a multiple of a column at its first output, so small that what is left
   of 1 is within the budget too. *)
let mechanism w spots k node : Core.mechanism =
  let _, column = over_unit w.space.databases node in
  let f = w.space.framework and budget = nth w.budgets k in
  let ceiling x = opposite (quotient (opposite x.above) x.under) in
  let mean (prior, secret) =
    let members = List.nth f.secrets secret and law = List.nth f.priors prior in
    let products = List.map2 mul law column in
    fraction (List.fold_left2 (fun total held p -> if held then add total p else total) zero
      members products) (weight f prior secret) in
  let minus x y = let down = times y (whole (of_int (-1))) in
    fraction (add (mul x.above down.under) (mul down.above x.under)) (mul x.under down.under) in
  let over_budget e x =
    let gap = minus e (whole one) in
    if is_zero gap.above then one else ceiling (times x (fraction gap.under gap.above)) in
  let at (prior, s, t) =
    over_budget budget (minus (times budget (mean (prior, t))) (mean (prior, s))) in
  let largest = List.fold_left (fun a b -> if less a b then b else a) one in
  let recorded = match nth w.near k with
    | Some e -> [over_budget e (times e (whole (largest column)))] | None -> [] in
  let unit = largest (column @ List.map at spots @ recorded) in
  let row p = [p; add unit (opposite p)] in
  { outputs = nat 2; row_unit = unit; rows = List.map row column }

let reaching w laws node : Core.reaching =
  let part = fields ["prior"; "pair"; "columns"] node in
  let prior, s, t = spot w (List (part "prior" :: entries (part "pair"))) in
  let places entry = entries (fields ["places"; "tree"] entry "places") in
  let spots = List.map (spot w) (List.concat_map places (entries laws)) in
  List.iter (fun at -> ignore (of_spot w at)) spots;
  match List.mapi (mechanism w spots) (entries (part "columns")) with
  | [shown_first; shown_second] ->
    { shown_first; shown_second; by_prior = Listed (nat prior); by_secret = nat s;
      against_secret = nat t; by_outputs = [nat 0; nat 0] }
  | _ -> refuse "expected two columns"
