"""The peer of benchmarks: evaluates with the PyPI package common-expression-language, reads and writes JSON.

Reads lines of JSON. {"name", "expression", "variables"}, {"name", "read": text} or {"name", "write": text} prepares a piece
of work and answers {"ok": true} or {"error": text}; {"run": name, "count": n} does it n times and answers {"seconds": s}.
"""

import json
import sys
import time

work = {}


def prepared(request):
    if "read" in request:
        content = request["read"].encode()
        return lambda: json.loads(content)
    if "write" in request:
        value = json.loads(request["write"])
        # Escaping what is not ASCII, its default, is faster for it than not to.
        return lambda: json.dumps(value, separators=(",", ":")).encode()
    import cel

    program = cel.compile(request["expression"])
    context = cel.Context(variables=request["variables"])
    execute = program.execute
    return lambda: execute(context)


for line in sys.stdin:
    request = json.loads(line)
    try:
        if "run" in request:
            body = work[request["run"]]
            start = time.process_time()
            for _ in range(request["count"]):
                body()
            answer = {"seconds": time.process_time() - start}
        else:
            body = prepared(request)
            body()
            work[request["name"]] = body
            answer = {"ok": True}
    except Exception as error:  # what it does not support shows in the table
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps(answer), flush=True)
