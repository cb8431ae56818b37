"""The peer of ExpressionBenchmark: evaluates with the PyPI package common-expression-language, on request.

Reads lines of JSON. {"name", "expression", "variables"} or {"name", "json"} prepares a piece of work and answers
{"ok": true} or {"error": text}; {"run": name, "count": n} does it n times and answers {"seconds": s}.
"""

import json
import sys
import time

import cel

work = {}


def prepared(request):
    if "json" in request:
        text = request["json"]
        return lambda: json.dumps(json.loads(text), separators=(",", ":"))
    program = cel.compile(request["expression"])
    context = cel.Context(variables=request["variables"])
    execute = program.execute
    return lambda: execute(context)


for line in sys.stdin:
    request = json.loads(line)
    try:
        if "run" in request:
            body = work[request["run"]]
            start = time.perf_counter()
            for _ in range(request["count"]):
                body()
            answer = {"seconds": time.perf_counter() - start}
        else:
            body = prepared(request)
            body()
            work[request["name"]] = body
            answer = {"ok": True}
    except Exception as error:  # what it does not support shows in the table
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps(answer), flush=True)
