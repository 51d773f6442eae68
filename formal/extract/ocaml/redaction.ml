(* Certificates of what a redaction of a chain of bits leaks. Trusted, but for Hints. *)
open Reader

let longest = 1_000_000

(* So many equal entries each, of two numbers over one unit. *)
let run node = match entries node with
  | [times; zero; one] ->
    let times = count longest times and zero = number zero and one = number one in
    require (times > 0) "a run of no records";
    let unit = Numbers.unit_of [zero; one] in
    let row : Core.row = match Numbers.over unit [zero; one] with
      | [if_zero; if_one] -> { whole = unit; if_zero; if_one }
      | _ -> assert false in
    (times, row, (zero, one))
  | _ -> refuse "expected a count and two numbers"

let first_law alpha beta = function
  | Text "stationary" -> (beta, alpha)
  | node -> (match List.map number (entries node) with
      | [zero; one] ->
        let unit = Numbers.unit_of [zero; one] in
        let total = List.fold_left Numbers.add Numbers.zero (Numbers.over unit [zero; one]) in
        require (Numbers.equal total unit) "the law of the first record does not sum to 1";
        (zero, one)
      | _ -> refuse "expected the law of the first record")

let both x y = match Numbers.over (Numbers.unit_of [x; y]) [x; y] with
  | [x; y] -> (x, y) | _ -> assert false

let symbols length text =
  require (String.length text = length) "an output of another length";
  let symbol = function
    | '0' -> Some false | '1' -> Some true | '*' -> None
    | _ -> refuse "expected an output of 0, 1 and *" in
  List.map symbol (List.of_seq (String.to_seq text))

let precision = function
  | Null -> ()
  | node -> require (count 1_000_000 node >= 16) "precision: expected null, or 16 to 1,000,000 bits"

(* What the claim says: to the proved checker, in words, and on which sides of the level. *)
let claimed relation node : Core.relation * string * (bool * Core.level) = match relation, node with
  | ("=" | ">="), Text "inf" ->
    let word = if relation = "=" then "equal to" else "at least" in
    (Everything, word ^ " infinity", (true, Log (Numbers.one, Numbers.one)))
  | _, Text "inf" -> refuse "every leakage is at most, and none more than, infinite"
  | _ ->
    let e, name = Leakage.level node in
    match relation with
    | "<=" -> (NoMore e, "at most " ^ name, (true, e))
    | "=" -> (Just e, "equal to " ^ name, (true, e))
    | ">=" -> (NoLess e, "at least " ^ name, (false, e))
    | ">" -> (More e, "more than " ^ name, (false, e))
    | _ -> refuse "unknown relation"

let check top : Leakage.claim =
  let part = fields ["format"; "kind"; "chain"; "private"; "redaction"; "precision"; "inputs";
    "claim"] top in
  let chain = fields ["alpha"; "beta"; "length"; "initial"] (part "chain") in
  let alpha = number (chain "alpha") and beta = number (chain "beta") in
  let length = count longest (chain "length") and private_ = count longest (part "private") in
  require (1 <= private_ && private_ <= length) "private: expected a record of the chain";
  let first = first_law alpha beta (chain "initial") in
  let first_zero, first_one = both (fst first) (snd first) and leave, back = both alpha beta in
  let c : Core.chain = { step_unit = Numbers.unit_of [alpha; beta]; leave; back; first_zero;
    first_one; private0 = Numbers.of_int private_ } in
  let runs = List.map run (entries (part "redaction")) in
  let total = List.fold_left (fun n (times, _, _) -> n + times) 0 runs in
  require (total = length) "redaction: expected an entry for each record";
  precision (part "precision");
  let hashes = fields ["framework"; "mechanism"] (part "inputs") in
  List.iter (fun key -> Leakage.digest (hashes key)) ["framework"; "mechanism"];
  let claim = fields ["relation"; "level"; "output"] (part "claim") in
  let relation = label (claim "relation") in
  let said, bound, (below, e) = claimed relation (claim "level") in
  let named, at = match claim "output" with
    | Null -> (None, "")
    | node -> (Some (symbols length (label node)), ", at the output " ^ show node) in
  require (relation <> "<=" || named = None) "one output proves no upper bound";
  let records = List.concat_map (fun (times, _, pair) -> List.init times (fun _ -> pair)) runs in
  let worst = match named with
    | Some output -> [output]
    | None when relation = "<=" -> [[]]
    | None -> Hints.worst_outputs alpha beta first records private_ in
  let listed = List.map (fun (times, row, _) -> (Numbers.of_int times, row)) runs in
  let attempt near bits output () = Core.check_redaction c listed named said
    { near = near (); width_of_slopes = Numbers.of_int bits; worst_output = output } in
  let of_output near bits = List.map (attempt near bits) worst in
  let of_bits near = List.concat_map (of_output near) [64; 160; 400; 0] in
  let start = if chain "initial" = Text "stationary" then "a stationary" else "a" in
  { statement = Printf.sprintf "the leakage of the redaction mechanism about record %d of %s \
      binary chain of %d records with P(1 after 0) = %s, P(0 after 1) = %s is %s%s"
      private_ start length (show_number alpha) (show_number beta) bound at;
    tries = List.concat_map of_bits (Hints.near below e) }
