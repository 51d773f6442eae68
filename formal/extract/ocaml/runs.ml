(* Certificates about many runs, and about what any two mechanisms leak together. Trusted, but for
   what comes from Proposed. *)
open Reader

let nat = Hints.nat

(* --- many runs --- *)

let keys = function
  | "nfc" -> ["levels"; "betas"]
  | "nfc-violation" -> ["levels"; "prior"; "pair"; "database"; "alpha"]
  | _ -> ["lower"; "upper"; "prior"; "pair"; "database"; "alpha"; "betas"]

(* Two priors, which may be one, two secrets and a database; and how the kernel shows them. *)
let meeting (space : Leakage.space) part : Core.meeting * string =
  let priors = match part "prior" with
    | Text name -> [name; name]
    | node -> labels "a prior" node in
  let secrets = labels "a secret" (part "pair") and database = label (part "database") in
  match List.map (place "prior" space.priors) priors,
    List.map (place "secret" space.secrets) secrets with
  | [k; l], [i; j] ->
    ({ prior_of_it = nat k; prior_of_others = nat l; secret_of_it = nat i;
       secret_of_others = nat j; it = nat (place "database" space.databases database) },
     show (List [part "prior"; part "pair"; Text database]))
  | _ -> refuse "expected one or two priors, and two secrets"

let named levels =
  let numbers = List.mapi (fun i _ -> string_of_int (i + 1)) levels in
  Printf.sprintf "mechanism%s %s at %s" (if List.length levels > 1 then "s" else "")
    (String.concat ", " numbers) (String.concat ", " (List.map snd levels))

let check kind top : Leakage.claim =
  let part = fields ["format"; "kind"; "framework"; "mechanisms"; "inputs"; "claim"] top in
  let claim = fields (keys kind) (part "claim") in
  let space = Leakage.space (part "framework") in
  let read = List.map (Leakage.mechanism space) (entries (part "mechanisms")) in
  let rows = Leakage.inputs (part "inputs") (List.length read) in
  let ms = List.map Leakage.over_one read in
  let betas () = List.map (Proposed.beta space.databases) (entries (claim "betas")) in
  let counts () = Proposed.counts (List.map (fun (m : Leakage.rows) -> m.outputs) read)
    (claim "alpha") in
  let nowhere : Core.meeting = { prior_of_it = nat 0; prior_of_others = nat 0;
    secret_of_it = nat 0; secret_of_others = nat 0; it = nat 0 } in
  let asked levels what (c : Core.claimed) counts betas at =
    let attempt hint () = Core.check_runs space.framework c (hint ()) counts betas at in
    { Leakage.statement = Printf.sprintf "%s over %s%s" what space.over rows;
      tries = List.map attempt (Proposed.logarithms ms (List.map fst levels)) } in
  let leveled () =
    let levels = List.map Leakage.level (entries (claim "levels")) in
    require (ms <> [] && List.length levels = List.length ms) "expected a level for each mechanism";
    (levels, List.combine ms (List.map fst levels)) in
  let alone () = match ms with [m] -> m | _ -> refuse "expected one mechanism" in
  match kind with
  | "nfc" ->
    let levels, parts = leveled () in
    asked levels ("NfC holds for " ^ named levels) (Condition parts) [] (betas ()) nowhere
  | "nfc-violation" ->
    let levels, parts = leveled () and at, where = meeting space claim in
    let what = Printf.sprintf "NfC fails for %s, at %s" (named levels) where in
    asked levels what (Violation (parts, at)) (counts ()) [] at
  | _ ->
    let m = alone () and at, where = meeting space claim in
    if claim "lower" = Text "inf" then begin
      let bare = claim "upper" = Text "inf" && claim "betas" = List [] in
      require bare "an infinite rate has the upper bound \"inf\" and no betas";
      let what = "the composition rate of mechanism 1 is infinite, at " ^ where in
      asked [] what (Unbounded (m, at)) (counts ()) [] at end
    else
      let low = Leakage.level (claim "lower") and high = Leakage.level (claim "upper") in
      let what = Printf.sprintf "the composition rate of mechanism 1 is at least %s and at most %s"
        (snd low) (snd high) in
      asked [low; high] what (Between (m, fst low, fst high)) (counts ()) (betas ()) at

(* --- any two mechanisms --- *)

let pair what node = match entries node with
  | [a; b] -> (a, b) | _ -> refuse (what ^ ": expected two releases")

let logarithm node = match Leakage.level node with
  | Core.Log (n, d), name -> (Numbers.fraction n d, name)
  | _ -> refuse "expected a level of the form log"

(* How many characters a text has, in UTF-8. *)
let length_of text =
  let first c = Char.code c land 0xC0 <> 0x80 in
  Seq.fold_left (fun n c -> if first c then n + 1 else n) 0 (String.to_seq text)

(* Databases are all sequences of so many values, in this order; the values of each. *)
let sequences databases node =
  let part = fields ["count"; "alphabet"] node in
  let count = count 1_000_000 (part "count") in
  let alphabet = labels "a value" (part "alphabet") in
  let values = List.length alphabet in
  let rec fits n total = n = 0 || (total <= 1_000_000 && fits (n - 1) (total * values)) in
  require (count > 0 && fits (min count 20) 1) "records: over 1,000,000 databases";
  let rec words n = if n = 0 then [[]] else
    let rest = words (n - 1) in
    List.concat (List.mapi (fun i _ -> List.map (fun word -> i :: word) rest) alphabet) in
  let total = List.fold_left (fun n _ -> n * values) 1 (List.init (min count 20) Fun.id) in
  require (total = List.length databases) "records: databases of another number";
  let all = words count and long value = length_of value <> 1 in
  let comma = if List.exists long alphabet then "," else "" in
  let written word = String.concat comma (List.map (List.nth alphabet) word) in
  require (List.map written all = databases) "records: their databases are others";
  let shape : Core.sequences = { records = nat count; alphabet = nat values } in
  let shown = show (List (List.map (fun value -> Text value) alphabet)) in
  (shape, Array.of_list all, Printf.sprintf ", databases being %d records of %s" count shown)

let worst top : Leakage.claim =
  let part = fields ["format"; "kind"; "framework"; "mechanisms"; "inputs"; "claim"] top in
  let claim = fields ["budgets"; "per_record"; "records"; "level"; "attained"; "rows"; "laws"]
    (part "claim") in
  require (entries (part "mechanisms") = []) "the kind speaks of no mechanisms";
  ignore (Leakage.inputs (part "inputs") 0);
  let space = Leakage.space (part "framework") in
  require (List.length space.databases <= 4096) "over 4096 databases";
  let first, second = pair "budgets" (claim "budgets") in
  let (e1, name1), (e2, name2) = (logarithm first, logarithm second) in
  let near = function Null -> None | node -> Some (logarithm node) in
  let first, second = pair "per_record" (claim "per_record") in
  let near1 = near first and near2 = near second and level, name = logarithm (claim "level") in
  let shape, words, recorded = match claim "records", near1, near2 with
    | Null, None, None -> ({ Core.records = nat 0; alphabet = nat 0 }, [||], "")
    | Null, _, _ | _, None, None ->
      refuse "records: expected with a per-record level, and only then"
    | node, _, _ -> sequences space.databases node in
  let log (x : Numbers.fraction) : Core.level = Log (x.above, x.under) in
  let budget e near : Core.budget =
    { promised = log e; each_record = Option.map (fun (e, _) -> (shape, log e)) near } in
  let attained = claim "attained" <> Null in
  let w : Proposed.worst = { space; budgets = [e1; e2]; near = List.map (Option.map fst)
    [near1; near2]; words; level } in
  let a, b = Proposed.known w (claim "rows") in
  let trees = Proposed.trees w (a, b) (claim "laws") in
  let nothing : Core.mechanism = { outputs = nat 0; row_unit = Numbers.one; rows = [] } in
  let none : Core.reaching = { shown_first = nothing; shown_second = nothing;
    by_prior = Listed (nat 0); by_secret = nat 0; against_secret = nat 0; by_outputs = [] } in
  let reached = if attained then Proposed.reaching w (claim "laws") (claim "attained") else none in
  let each k = function
    | Some (_, name) -> Printf.sprintf ", release %d with per-record level %s" k name
    | None -> "" in
  let statement = Printf.sprintf "the joint leakage over %s of any two mechanisms of leakage at \
      most %s and %s%s%s%s, also when the second depends on the first output, is %s" space.over
    name1 name2 (each 1 near1) (each 2 near2) recorded
    (if attained then Printf.sprintf "equal to %s, and attained" name else "at most " ^ name) in
  { statement; tries = [fun () -> Core.check_worst_case space.framework (budget e1 near1)
      (budget e2 near2) (log level) attained (List.map fst a) (List.map fst b) trees reached] }
