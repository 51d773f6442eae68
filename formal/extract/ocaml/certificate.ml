(* From the text of a certificate to what it states and whether the proved checker accepts it. *)
open Reader

let claim top : Leakage.claim =
  require (List.assoc_opt "format" (members top) = Some (Text "pufferproof-certificate/1"))
    "unknown format";
  match List.assoc_opt "kind" (members top) with
  | Some (Text ("leakage-at-most" | "leakage-witness" | "joint-leakage-at-most"
      | "joint-leakage-witness" | "delta-at-most" | "delta-witness" as kind)) ->
    Leakage.check kind top
  | Some (Text "redaction-leakage") -> Redaction.check top
  | Some (Text ("nfc" | "nfc-violation" | "rate" as kind)) -> Runs.check kind top
  | Some (Text "worst-at-most") -> Runs.worst top
  | Some (Text ("noise-leakage-at-most" | "noise-leakage-witness" as kind)) ->
    Noise.check kind top
  | Some (Text "farkas") -> Rows.farkas top
  | Some (Text "exp-enclosure") -> Rows.enclosure top
  | Some (Text "lp-optimum") -> Rows.optimum top
  | Some (Text kind) -> raise (No_answer ("no rule for the kind " ^ quoted kind))
  | _ -> refuse "expected a kind"

(* Return the statement of a certificate that is accepted; else raise Refused or No_answer. *)
let check text =
  let claim = claim (parse text) in
  if claim.tries = [] then raise (No_answer "too large: no fraction is tried beside the level");
  let accepted = List.exists (fun attempt -> attempt ()) claim.tries in
  require accepted "the proved checker does not accept it";
  claim.statement
