(* Certificates of noise on a sum of the records of chains. Trusted, but for what comes from
   Hints. There are no rules for several releases, windows, histograms and normal noise. *)
open Reader

let nat = Hints.nat
let longest = 1_000_000
let most_terms = 200_000
let no_rule what = raise (No_answer ("no rule for " ^ what))
let row node = List.map number (entries node)
let above_zero (x : Numbers.fraction) =
  not (Numbers.negative x.above || Numbers.is_zero x.above)

(* --- frameworks --- *)

type space = { count : int; alphabet : string list; secrets : (string * (int * int)) list;
  pairs : (string * string) list; walks : (string * Core.walk) list }

let law size values =
  let total = List.fold_left Numbers.plus Numbers.(whole zero) values in
  let below (x : Numbers.fraction) = Numbers.negative x.above in
  let fits = List.length values = size && Numbers.equal total.above total.under in
  require (fits && not (List.exists below values)) "expected a law";
  values

(* Solve x M = x and sum(x) = 1, of which one equation of x M = x follows from the others. *)
let stationary rows =
  let open Numbers in
  let zero = whole zero and one = whole one and n = List.length rows in
  require (n <= 64) "a stationary law of over 64 values";
  let minus x y = plus x { y with above = opposite y.above } in
  let entry i j =
    if i = n - 1 then one else if j = n then zero
    else minus (List.nth (List.nth rows j) i) (if i = j then one else zero) in
  let a = Array.init n (fun i -> Array.init (n + 1) (entry i)) in
  for j = 0 to n - 1 do
    let rec pivot i =
      require (i < n) "the stationary law is not unique";
      if is_zero a.(i).(j).above then pivot (i + 1) else i in
    let i = pivot j in
    let found = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- Array.map (fun x -> divided x found.(j)) found;
    let without i row =
      if i = j then row else Array.map2 (fun x y -> minus x (times row.(j) y)) row a.(j) in
    Array.blit (Array.mapi without a) 0 a 0 n
  done;
  List.init n (fun i -> a.(i).(n))

let walk size node : Core.walk =
  let part = fields ["initial"; "transition"] (fields ["markov"] node "markov") in
  let rows = List.map (fun entry -> law size (row entry)) (entries (part "transition")) in
  require (List.length rows = size) "expected a row for each value";
  let start = match part "initial" with
    | Text "stationary" -> stationary rows
    | node -> law size (row node) in
  let start_unit = Numbers.unit_of start and move_unit = Numbers.unit_of (List.concat rows) in
  { start_unit; starts = Numbers.over start_unit start; move_unit;
    moves = List.map (Numbers.over move_unit) rows }

let space node =
  let people = List.assoc_opt "people" (members node) in
  let keys = ["records"; "secrets"; "pairs"; "priors"; "closure"] in
  let part = fields (if people = None then keys else "people" :: keys) node in
  if people <> None && people <> Some (Number "1") then no_rule "several people";
  let records = fields ["count"; "alphabet"] (part "records") in
  let count = count longest (records "count") in
  let alphabet = labels "a value" (records "alphabet") in
  let size = List.length alphabet in
  require (count > 0 && size > 1) "expected records of two values or more";
  let secret (name, node) =
    let part = fields ["record"; "value"] node in
    let record = Reader.count longest (part "record") in
    require (0 < record && record <= count) "no such record";
    (name, (record - 1, place "a value" alphabet (label (part "value")))) in
  let secrets = List.map secret (members (part "secrets")) in
  let names, places = List.split secrets in
  let at = Array.of_list places and held = place "a secret" names in
  let apart s t =
    let i, a = at.(held s) and j, b = at.(held t) in i = j && a <> b in
  let pairs = match part "pairs" with
    | Text "disjoint" ->
      let names = List.sort compare names in
      List.concat_map (fun s -> List.filter_map (fun t ->
        if s < t && apart s t then Some (s, t) else None) names) names
    | node ->
      let pair entry = match labels "a secret of a pair" entry with
        | [s; t] -> require (apart s t) "expected disjoint secrets"; (min s t, max s t)
        | _ -> refuse "expected pairs of two secrets" in
      List.sort_uniq compare (List.map pair (entries node)) in
  let walks = List.map (fun (name, node) -> (name, walk size node)) (members (part "priors")) in
  (match part "closure" with
    | Text "list" -> ()
    | Text "convex" -> require (List.length walks = 1) "no rule for mixtures"
    | _ -> refuse "unknown closure");
  { count; alphabet; secrets; pairs; walks }

(* --- queries and their noise --- *)

(* What each value adds; the segment; and whether the noise is geometric. *)
type query = { weights : Numbers.fraction list; first : int; last : int; name : string;
  scale : Core.scale0; integers : bool }

let query space node =
  let part = fields ["query"; "segment"; "noise"] node in
  let first, last = match part "segment" with
    | Null -> (1, space.count)
    | node -> (match List.map (count longest) (entries node) with
        | [a; b] -> (a, b) | _ -> refuse "expected the ends of a segment") in
  require (1 <= first && first <= last && last <= space.count) "expected records of the sequence";
  let numbers () = List.map (fun value -> number (Text value)) space.alphabet in
  let weights = match part "query" with
    | Text "sum" -> numbers ()
    | Text "mean" ->
      let share = Numbers.(fraction one (of_int (last - first + 1))) in
      List.map (Numbers.times share) (numbers ())
    | Text "histogram" -> no_rule "histograms"
    | Text _ -> refuse "unknown query"
    | node ->
      let counted = place "a value" space.alphabet (label (fields ["count"] node "count")) in
      List.mapi (fun i _ -> Numbers.(whole (if i = counted then one else zero))) space.alphabet in
  let positive key node =
    let x = number (fields [key] node key) in
    require (above_zero x) "noise: expected a number above 0";
    x in
  let scale node : Core.scale0 = match fields ["scale"] node "scale" with
    | Text text when String.ends_with ~suffix:")" text && String.contains text '/' ->
      (match String.index_opt text 'l' with
        | Some at when at > 0 && String.length text > at + 5 && String.sub text at 4 = "log(" ->
          let times = number (Text (String.sub text 0 (at - 1))) in
          let ratio = number (Text (String.sub text (at + 4) (String.length text - at - 5))) in
          let fits = above_zero times && not (Numbers.at_least (Numbers.whole Numbers.one) ratio) in
          require (text.[at - 1] = '/' && fits) "noise: an unknown scale";
          PerLog (times.above, times.under, ratio.above, ratio.under)
        | _ -> refuse "noise: an unknown scale")
    | _ -> let x = positive "scale" node in Just0 (x.above, x.under) in
  let name, scale, integers = match part "noise" with
    | Object ["laplace", node] -> ("laplace", scale node, false)
    | Object ["discrete_laplace", node] -> ("discrete laplace", scale node, true)
    | Object ["geometric", node] ->
      let ratio = positive "ratio" node in
      require (not (Numbers.at_least ratio (Numbers.whole Numbers.one))) "expected a ratio below 1";
      ("geometric", PerLog (Numbers.one, Numbers.one, ratio.under, ratio.above), true)
    | Object ["gaussian", _] -> no_rule "normal noise"
    | _ -> refuse "unknown noise" in
  { weights; first; last; name; scale; integers }

(* The query is its least value and a number of steps, each as large as can be. *)
let model space q : Core.model * (Numbers.fraction -> int option) =
  let unit = Numbers.unit_of q.weights in
  let whole = Numbers.over unit q.weights in
  let less x y = if Numbers.less y x then y else x in
  let least = List.fold_left less (List.hd whole) whole in
  let beyond = List.map (fun x -> Numbers.add x (Numbers.opposite least)) whole in
  let common = List.fold_left Numbers.gcd Numbers.zero beyond in
  let step = if q.integers || Numbers.is_zero common then unit else common in
  let covered = q.last - q.first + 1 in
  let start = Numbers.fraction (Numbers.mul least (Numbers.of_int covered)) unit in
  let grain = Numbers.fraction step unit in
  let steps x = Numbers.fraction x step in
  let adds = List.map (fun x ->
    let n = steps x in
    require (Numbers.is_whole n) "noise: geometric noise needs integers";
    if not (Numbers.less n.above (Numbers.of_int most_terms)) then
      raise (No_answer "too large: over 200,000 values of a sum");
    Numbers.to_int n.above) beyond in
  require (not q.integers || Numbers.is_whole start) "noise: the least value is no integer";
  let top = covered * List.fold_left max 0 adds in
  if top >= most_terms then raise (No_answer "too large: over 200,000 values of a sum");
  let query_unit = Numbers.unit_of [start; grain] in
  let least, step_of = match Numbers.over query_unit [start; grain] with
    | [least; step] -> (least, step) | _ -> assert false in
  let place_of name = List.assoc name space.secrets in
  let pair (s, t) = let i, a = place_of s and _, b = place_of t in (nat i, (nat a, nat b)) in
  let found output =
    let beyond = Numbers.plus output { start with above = Numbers.opposite start.above } in
    let n = Numbers.divided beyond grain in
    let known = Numbers.is_whole n && not (Numbers.negative n.above) &&
      not (Numbers.less (Numbers.of_int top) n.above) in
    if known then Some (Numbers.to_int n.above) else None in
  ({ values = nat (List.length space.alphabet); records0 = nat (space.count - 1);
     walks = List.map snd space.walks; pairs_at = List.map pair space.pairs;
     adds = List.map nat adds; first = nat (q.first - 1); last0 = nat (q.last - 1); least; step_of;
     query_unit; noise = q.scale; integers = q.integers }, found)

(* --- claims --- *)

let check kind top : Leakage.claim =
  let part = fields ["format"; "kind"; "framework"; "mechanisms"; "inputs"; "claim"] top in
  let above = kind = "noise-leakage-witness" in
  let keys = if above then ["prior"; "pair"; "output"; "exceeds"; "bits"]
    else ["level"; "width"; "bits"] in
  let claim = fields keys (part "claim") in
  let bits = count 16384 (claim "bits") in
  require (bits >= 32) "bits: expected 32 to 16384";
  let mechanisms = entries (part "mechanisms") in
  require (mechanisms <> []) "expected a mechanism";
  if List.length mechanisms > 1 then no_rule "several releases";
  let inputs = fields ["framework"; "mechanisms"] (part "inputs") in
  let hashes = entries (inputs "mechanisms") in
  require (List.length hashes = 1) "inputs of another number of mechanisms";
  List.iter Leakage.digest (inputs "framework" :: hashes);
  let space = space (part "framework") in
  let q = query space (List.hd mechanisms) in
  let m, steps = model space q in
  let about = Printf.sprintf "the leakage of 1 number with %s noise from one sum over %s, under %s \
      and for %s of secrets in both orders," q.name
    (if space.count = 1 then "1 record" else Printf.sprintf "%d records" space.count)
    (Leakage.counted space.walks "prior") (Leakage.counted space.pairs "pair") in
  let tries below e claimed =
    let attempt near decay () = Core.check_noise m claimed (near ()) (decay ()) in
    List.concat_map (fun near -> List.map (attempt near) (Hints.decays m bits))
      (Hints.near below e) in
  if above then begin
    let e, name = Leakage.level (claim "exceeds") and prior = label (claim "prior") in
    let s, t = match labels "a secret" (claim "pair") with
      | [s; t] -> (s, t) | _ -> refuse "expected two secrets" in
    require (List.mem (min s t, max s t) space.pairs) "pair: not one of the framework";
    let output = claim "output" in
    let n = match steps (number output) with
      | Some n -> n | None -> refuse "output: expected a value of the query" in
    let k = place "a prior" (List.map fst space.walks) prior in
    let i, a = List.assoc s space.secrets and _, b = List.assoc t space.secrets in
    let statement = Printf.sprintf "%s exceeds %s at the output %s for %s against %s, prior %s"
      about name (show output) (show (Text s)) (show (Text t)) (show (Text prior)) in
    { statement; tries = tries false e (Core.MoreAt (e, nat k, nat i, nat a, nat b, nat n)) }
  end else begin
    if claim "width" <> Null then no_rule "windows";
    let e, name = Leakage.level (claim "level") in
    { statement = Printf.sprintf "%s is at most %s" about name;
      tries = tries true e (Core.NoMoreThan e) }
  end
