"""Servers of language models in the forms that services have, one below each path: /openai, /object, /ignores, /limit, /think,
/mistral, /ollama, /stubborn. Writes its port to FOLDER/port and each request, with its form, as a line of JSON to FOLDER/requests.

A prompt with the word LONG gets an answer that is cut; tools are called twice at once before they are answered.

model_forms.py FOLDER"""

import http.server
import json
import os
import re
import socketserver
import sys

folder = sys.argv[1]
log = open(folder + "/requests", "a")
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
LIMIT = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
TEMPERATURE = "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported."


class Refused(Exception):
    pass


def check(form, body):
    """Refuses what the service of a form does not know."""
    wanted = (body.get("response_format") or {}).get("type")
    if form == "object" and wanted == "json_schema":
        raise Refused("response_format", "This response_format type is unavailable now")
    if form == "object" and wanted and "json" not in json.dumps(body["messages"]).lower():
        raise Refused("messages", "'messages' must contain the word 'json' in some form.")
    if form == "limit" and "max_tokens" in body:
        raise Refused("max_tokens", LIMIT)
    if form == "limit" and "temperature" in body:
        raise Refused("temperature", TEMPERATURE)
    if form == "mistral":
        if "stream_options" in body:
            raise Refused(None, "Extra inputs are not permitted: stream_options")
        seen = set()
        for message in body["messages"]:
            for call in message.get("tool_calls") or []:
                if not re.fullmatch("[a-zA-Z0-9]{9}", call["id"]) or call["id"] in seen:
                    raise Refused(None, "Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9." % call["id"])
                seen.add(call["id"])
            if message["role"] == "tool" and message["tool_call_id"] not in seen:
                raise Refused(None, "Unexpected tool call id %s in tool results" % message["tool_call_id"])


def answer(form, body):
    """The words, the reason to end, and the calls of tools."""
    messages = body["messages"]
    results = [m["content"] for m in messages if m["role"] == "tool"]
    said = json.dumps(messages)
    if "LONG" in said:
        return "The beginning of a long", "length", []
    if body.get("tools") and not results and body.get("tool_choice") != "none":
        return "", "tool_calls", [("echo", '{"text": "one"}'), ("echo", "{'text': 'two',}")]
    if results:
        return "Done: " + " and ".join(results), "stop", []
    schema = body.get("response_format") or body.get("format")
    if form == "stubborn":
        return '{"city": 7, "model": "Golf"}', "stop", []
    if form == "ignores" and "JSON Schema" not in said:
        return "It is warm in Zug.", "stop", []
    if schema or "JSON Schema" in said:
        return '{"city": "Zug", "model": "Golf"}', "stop", []
    return "Hello.", "stop", []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def send(self, status, body, content_type="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        form = self.path.split("/")[1]
        log.write(json.dumps({"form": form, "body": body}) + "\n")
        log.flush()
        try:
            check(form, body)
        except Refused as refusal:
            error = {"message": refusal.args[1], "type": "invalid_request_error", "param": refusal.args[0]}
            return self.send(400, json.dumps({"error": error}).encode())
        text, reason, calls = answer(form, body)
        if form == "ollama":
            return self.ollama(text, reason, calls)
        if form == "think":
            text = "<think>\nIs {\"city\": 1} right?\n</think>\n\n" + text
        deltas = [{"role": "assistant", "content": text[i : i + 5]} for i in range(0, len(text), 5)]
        for number, (name, arguments) in enumerate(calls):
            # All parallel calls have the index 0, as some servers have it.
            function = {"name": name, "arguments": arguments}
            deltas.append({"tool_calls": [{"index": 0, "id": "call_long_%d" % number, "function": function}]})
        chunks = [{"model": "m", "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
        chunks.append({"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": USAGE})
        events = "".join("data: %s\n\n" % json.dumps(c) for c in chunks) + "data: [DONE]\n\n"
        self.send(200, events.encode(), "text/event-stream")

    def ollama(self, text, reason, calls):
        message = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [{"function": {"name": "echo", "arguments": {"text": t}}} for t in ("one", "two")]
        lines = [
            {"model": "m", "message": message, "done": False},
            {
                "model": "m",
                "message": {"role": "assistant", "content": ""},
                "done": True,
                "done_reason": "stop" if calls else reason,
                "prompt_eval_count": 7,
                "eval_count": 5,
            },
        ]
        self.send(200, "".join(json.dumps(line) + "\n" for line in lines).encode(), "application/x-ndjson")


class Loopback(http.server.ThreadingHTTPServer):
    def server_bind(self):
        # Without the name of the host, which a resolver may be asked for.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]


server = Loopback(("127.0.0.1", 0), Server)
with open(folder + "/port.new", "w") as port:
    port.write(str(server.server_address[1]))
os.rename(folder + "/port.new", folder + "/port")
server.serve_forever()
