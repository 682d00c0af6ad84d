"""A client of `rlc lsp` over its standard input and output."""
import json
import os
import queue
import subprocess
import threading


class Client:
    def __init__(self, rlc, timeout=60):
        self.timeout = timeout
        self.process = subprocess.Popen([rlc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.incoming = queue.Queue()
        self.notifications = []
        self.last_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        buffer = b""
        while True:
            while b"\r\n\r\n" not in buffer:
                piece = os.read(stream.fileno(), 1 << 16)
                if not piece:
                    self.incoming.put(None)
                    return
                buffer += piece
            head, buffer = buffer.split(b"\r\n\r\n", 1)
            length = int(head.split(b":")[1])
            while len(buffer) < length:
                piece = os.read(stream.fileno(), 1 << 16)
                if not piece:
                    self.incoming.put(None)
                    return
                buffer += piece
            self.incoming.put(json.loads(buffer[:length]))
            buffer = buffer[length:]

    def raw(self, data):
        self.process.stdin.write(data)

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        message = self.incoming.get(timeout=self.timeout)
        if message is None:
            raise EOFError("the server has ended")
        return message

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def request(self, method, params=None):
        """The whole answer: `result` or `error`."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params or {}})
        while True:
            message = self.receive()
            if message.get("id") == self.last_id and "method" not in message:
                return message
            self.notifications.append(message)

    def initialize(self, folder=None):
        folders = [{"uri": "file://" + folder, "name": "test"}] if folder else []
        answer = self.request("initialize", {"capabilities": {}, "workspaceFolders": folders})
        self.notify("initialized")
        return answer

    def diagnostics(self, uri, version):
        """Those of a version of a document; waits for them."""
        while True:
            for message in self.notifications:
                params = message.get("params", {})
                published = message.get("method") == "textDocument/publishDiagnostics"
                if published and params["uri"] == uri and params.get("version") == version:
                    return params["diagnostics"]
            self.notifications.append(self.receive())

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", {
            "textDocument": {"uri": uri, "languageId": "rl", "version": version, "text": text}})

    def close(self):
        """Ends the server; its exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=self.timeout)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
