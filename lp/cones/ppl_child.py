"""Extreme rays by the Parma Polyhedra Library, which cannot be interrupted: in a process of its
own, which can be killed.

`pufferproof.lp.cones.rays` starts this file with a safe path (`python -P`), so that nothing in the
working directory is imported. One JSON object on standard input, one on standard output; integers
are hexadecimal text, which has no largest length.

    {"dimension": n, "rows": [[[entry, ...], is an equation], ...],
     "limit": most rays held at any time, "seconds": s or null}
    {"rays": [[entry, ...], ...]}, {"over": [rays held, rows left to insert]}
        or {"missing": "why ppl cannot be imported"}
"""

import json
import signal
import sys

_STEP = 8  # constraints given to the library at a time


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    try:
        import ppl  # noqa: F401
    except ImportError as error:
        print(json.dumps({"missing": str(error)}))
        return
    limited = request["seconds"] is not None and hasattr(signal, "SIGALRM")
    if limited:  # should nobody be left to kill this process
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the library has a handler of its own
        signal.setitimer(signal.ITIMER_REAL, request["seconds"])
    rows = [([int(entry, 16) for entry in row], equal) for row, equal in request["rows"]]
    print(json.dumps(enumerated(request["dimension"], rows, request["limit"])))


def enumerated(dimension: int, rows: list[tuple[list[int], bool]], limit: int) -> dict[str, object]:
    """List the extreme rays, a few constraints at a time so that no more than `limit` are held."""
    import ppl

    variables = [ppl.Variable(x) for x in range(dimension)]
    held = ppl.C_Polyhedron(dimension, "universe")
    for variable in variables:
        held.add_constraint(variable >= 0)
    for start in range(0, len(rows), _STEP):
        for row, equal in rows[start : start + _STEP]:
            value = sum(
                (a * variable for a, variable in zip(row, variables) if a), ppl.Linear_Expression(0)
            )
            held.add_constraint(value == 0 if equal else value >= 0)
        count = len(held.minimized_generators()) - 1
        if count > limit:
            return {"over": [count, max(0, len(rows) - start - _STEP)]}
    rays = [generator for generator in held.minimized_generators() if generator.is_ray()]
    return {
        "rays": [
            [format(int(ray.coefficient(variable)), "x") for variable in variables] for ray in rays
        ]
    }


if __name__ == "__main__":
    main()
