"""Answers as Ollama does, by the types of Ollama's own Python library, and refuses requests that these do not know."""

import http.server
import json
import sys

from ollama import _types as types


class Judge(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, content_type="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path != "/api/tags":
            return self.answer(404, b"404 page not found", "text/plain")
        models = types.ListResponse(models=[types.ListResponse.Model(model="judge:1b", size=1_000_000_000)])
        value = models.model_dump(mode="json", exclude_none=True)
        for model in value["models"]:
            model["name"] = model["model"]
        self.answer(200, json.dumps(value).encode())

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind = {"/api/chat": types.ChatRequest, "/api/embed": types.EmbedRequest}.get(self.path)
        if kind is None:
            return self.answer(404, b"404 page not found", "text/plain")
        unknown = set(body) - set(kind.model_fields) - {"truncate"}
        options = set(body.get("options") or {}) - set(types.Options.model_fields)
        try:
            kind.model_validate(body)
        except ValueError as error:
            return self.answer(400, json.dumps({"error": str(error)}).encode())
        if unknown or options:
            return self.answer(400, json.dumps({"error": f"unknown: {sorted(unknown | options)}"}).encode())
        if body["model"] == "judge:busy":
            return self.answer(503, json.dumps({"error": "server busy, please try again"}).encode())
        if body["model"] == "judge:limit":
            return self.answer(429, json.dumps({"error": "too many requests"}).encode())
        if body["model"] == "judge:broken":
            half = types.ChatResponse(model="judge:broken", message={"role": "assistant", "content": "ha"}, done=False)
            error = json.dumps({"error": "an error was encountered while running the model"})
            text = half.model_dump_json(exclude_none=True) + "\n" + error + "\n"
            return self.answer(200, text.encode(), "application/x-ndjson")
        if body["model"] != "judge:1b":
            return self.answer(404, json.dumps({"error": f"model '{body['model']}' not found"}).encode())
        if self.path == "/api/embed":
            vectors = [[1.0, 0.5]] * len(body["input"])
            return self.answer(200, types.EmbedResponse(embeddings=vectors).model_dump_json().encode())
        words = ['{"city":', '"Zug","warm":true}'] if body.get("format") else ["Grüezi ", "from ", "the judge."]
        lines = [types.ChatResponse(model="judge:1b", message={"role": "assistant", "content": w}, done=False) for w in words]
        lines.append(
            types.ChatResponse(
                model="judge:1b", message={"role": "assistant", "content": ""}, done=True, done_reason="stop",
                prompt_eval_count=3, eval_count=4,
            )
        )
        text = "".join(line.model_dump_json(exclude_none=True) + "\n" for line in lines)
        self.answer(200, text.encode(), "application/x-ndjson")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Judge).serve_forever()
