"""A server in the form of whisper.cpp's (POST /inference) around pocketsphinx, which carries an English model.

Beside it stands a chat model that hands the words back (POST /v1/chat/completions), for the recipe that needs one.

Usage: python3 whisper_server.py PORT
"""
import email.parser
import http.server
import io
import json
import sys
import wave

import pocketsphinx


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer({"status": "ok"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/v1/chat/completions":
            return self.chat(json.loads(body))
        head = ("Content-Type: " + self.headers["content-type"] + "\r\n\r\n").encode()
        form = email.parser.BytesParser().parsebytes(head + body)
        fields = {part.get_param("name", header="content-disposition"): part for part in form.get_payload()}
        if self.path != "/inference" or "file" not in fields:
            return self.answer({"error": "no 'file' field in the request"}, 400)
        with wave.open(io.BytesIO(fields["file"].get_payload(decode=True))) as recording:
            rate, samples = recording.getframerate(), recording.readframes(recording.getnframes())
        decoder = pocketsphinx.Decoder(samprate=rate, loglevel="FATAL")
        decoder.start_utt()
        decoder.process_raw(samples, full_utt=True)
        decoder.end_utt()
        words = decoder.hyp()
        self.answer({"text": " " + (words.hypstr if words else "") + "\n"})

    def chat(self, request):
        words = request["messages"][-1]["content"].split("\n\n", 1)[-1]
        content = json.dumps({"summary": "A dictated note.", "correctedText": words.strip().capitalize() + "."})
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not request.get("stream"):
            message = {"role": "assistant", "content": content}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return self.answer({"id": "c", "model": request["model"], "choices": [choice], "usage": usage})
        pieces = [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": content}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        lines = ["data: " + json.dumps({"id": "c", "model": request["model"], **piece}) for piece in pieces]
        data = "\n\n".join(lines + ["data: [DONE]", ""]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def answer(self, value, status=200):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
