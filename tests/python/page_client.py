"""A page of the viewer without a browser: its WebSocket, and what the server says there."""

import base64
import json
import os
import re
import socket
import struct
import urllib.request


class PageClient:
    """Joins a view by its address, and keeps what it is told."""

    def __init__(self, address):
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]+)", address)
        assert found, address
        self.port, self.token = int(found[1]), found[2]
        self.controls, self.drawings, self.bodies, self.camera = [], {}, [], None
        self.title, self.problems, self.states, self.hello, self.reloads = "", [], 0, None, 0
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._take(1)
        assert b" 101 " in head.split(b"\r\n")[0], head
        self._send(self.token)

    def get(self, path, headers=None):
        """The answer to a request: (status, headers, bytes)."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}",
                                         headers={"Authorization": f"Bearer {self.token}", **(headers or {})})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read()

    def send(self, **message):
        self._send(json.dumps(message))

    def close(self):
        self.socket.close()

    def until(self, condition, update=lambda: None):
        """Takes messages until a condition holds; calls `update` between them."""
        for _ in range(2000):
            update()
            if condition(self):
                return
            self.socket.settimeout(0.05)
            try:
                self._hear()
            except TimeoutError:
                pass
            finally:
                self.socket.settimeout(60)
        raise AssertionError("the page was not told what it waits for")

    def _hear(self):
        kind, content = self._frame()
        if kind == 2:
            self.states += 1
            self.send(type="drawn")
            return
        if kind != 1:
            return
        message = json.loads(content)
        what = message["type"]
        if what == "hello":
            self.hello = message
        elif what == "controls":
            self.controls, self.title = message["controls"], message["title"]
        elif what == "drawings":
            for name in message["removed"]:
                self.drawings.pop(name, None)
            self.drawings.update({each["name"]: each for each in message["drawings"]})
            for each in message["poses"]:
                self.drawings[each["name"]]["T"] = each["T"]
        elif what == "bodies":
            self.bodies = message["bodies"]
        elif what == "camera":
            self.camera = message
        elif what == "problem":
            self.problems.append(message["text"])
        elif what in ("reload", "version"):
            self.reloads += what == "reload"

    def control(self, id):
        return next((each for each in self.controls if each["id"] == id), None)

    def _send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def _take(self, count):
        data = b""
        while len(data) < count:
            some = self.socket.recv(count - len(data))
            if not some:
                raise ConnectionError("the server has ended the connection")
            data += some
        return data

    def _frame(self):
        first, second = self._take(2)
        # From here on a frame is taken whole.
        self.socket.settimeout(60)
        content, kind = self._rest(second), first & 15
        # Long messages come in several frames.
        while not first & 128:
            first, second = self._take(2)
            content += self._rest(second)
        return kind, content

    def _rest(self, second):
        size = second & 127
        if size == 126:
            size, = struct.unpack(">H", self._take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self._take(8))
        return self._take(size)


def numbers(base64_text, kind="f"):
    """The numbers that a drawing holds."""
    data = base64.b64decode(base64_text)
    return list(struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data))
