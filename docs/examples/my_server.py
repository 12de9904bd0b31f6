"""The same over HTTP: each question is posted, and its reply is the answer to the post."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = question["messages"][-1]["content"].lower()
        answer = "Stable angina" if "chest" in told else "Viral pharyngitis"
        body = json.dumps({"text": f"1. {answer} (0.80)"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8900), Model)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
