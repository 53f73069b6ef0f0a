#!/usr/bin/env python3
"""A client for Mortise's SerialController (and Klamp't's): drives a robot over TCP.

Needs Python 3.9 and nothing else. As a module:

    from mortise_client import RobotConnection

    with RobotConnection("tcp://127.0.0.1:3456") as robot:
        for state in robot.states():
            q = state["q"]
            robot.position([angle + 0.01 for angle in state["qcmd"]])

As a program, it lets the joints of a robot sway; `--help` lists the options. The protocol is in docs/remote.md.
"""

import argparse
import json
import math
import socket
import sys
import time
from typing import Any, Dict, Iterator, List, Optional, Sequence

HEADER = 4  # Bytes before each message: the length of its text, least significant first.


class ConnectionLost(Exception):
    """The other end has left."""


class RobotConnection:
    """The client's end of the protocol.

    Messages from the robot are dictionaries: "t" and "dt" (s), "qcmd" and "dqcmd" (what the servos track, one number a
    link; absent while torques are commanded), and every sensor's values under its name, such as "q" and "dq".
    """

    def __init__(self, address: str = "tcp://127.0.0.1:3456", wait: float = 0.0, timeout: Optional[float] = None):
        """Connects; tries again for `wait` seconds while nobody listens. `timeout` (s) bounds every other wait."""
        host, port = parse_address(address)
        deadline = time.monotonic() + wait
        while True:
            try:
                self._socket = socket.create_connection((host, port), timeout=10)
                break
            except (ConnectionRefusedError, socket.timeout):
                if time.monotonic() >= deadline:
                    raise
                time.sleep(0.05)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(timeout)
        self._received = bytearray()
        self._pending: List[Dict[str, Any]] = []

    def __enter__(self) -> "RobotConnection":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def send(self, message: Dict[str, Any]) -> None:
        """Sends any message. Raises ConnectionLost when the other end has left."""
        text = json.dumps(message, allow_nan=False).encode()
        try:
            self._socket.sendall(len(text).to_bytes(HEADER, "little") + text)
        except (ConnectionError, BrokenPipeError) as error:
            raise ConnectionLost(str(error)) from error

    def receive(self) -> Dict[str, Any]:
        """The next message, whatever it is. Raises ConnectionLost when the other end has left."""
        return self._pending.pop(0) if self._pending else self._read()

    def ask(self, name: str) -> Any:
        """The value of a setting, such as "driverLinks". What arrives before the answer is kept for `receive`."""
        self.setting(name)
        while True:
            message = self._read()
            if message.get("setting", [None])[0] == name:
                return message["setting"][1]
            if message.get("error") in ("unknown_setting", "busy"):
                raise RuntimeError(f"{message['error']}: {message.get('message', '')}")
            self._pending.append(message)

    def _read(self) -> Dict[str, Any]:
        size = int.from_bytes(self._take(HEADER), "little")
        message: Dict[str, Any] = json.loads(self._take(size))
        return message

    def states(self) -> Iterator[Dict[str, Any]]:
        """States of the robot until the other end leaves. Errors that it reports are raised as RuntimeError, but for
        "busy": this client then waits until it may drive."""
        while True:
            try:
                message = self.receive()
            except ConnectionLost:
                return
            if "error" in message and message["error"] != "busy":
                raise RuntimeError(f"{message['error']}: {message.get('message', '')}")
            if "t" in message:
                yield message

    def position(
        self, q: Sequence[float], dq: Optional[Sequence[float]] = None, torque: Optional[Sequence[float]] = None
    ) -> None:
        """The servos track q and dq (one number a link, rad or m) and add torques (one a driver)."""
        message: Dict[str, Any] = {"qcmd": list(q)}
        if dq is not None:
            message["dqcmd"] = list(dq)
        if torque is not None:
            message["torquecmd"] = list(torque)
        self.send(message)

    def velocity(self, dq: Sequence[float], duration: float) -> None:
        """The commanded configuration moves with dq for `duration` seconds, then holds."""
        self.send({"dqcmd": list(dq), "tcmd": duration})

    def torque(self, torque: Sequence[float]) -> None:
        """Torques, one a driver, in place of servos."""
        self.send({"torquecmd": list(torque)})

    def unchanged(self) -> None:
        """Answers a state without a change, for simulations in lockstep."""
        self.send({})

    def setting(self, name: str, value: Any = None) -> None:
        """Asks for a setting of the controller, or changes it; the answer is a message {"setting": [name, value]}."""
        self.send({"setting": name if value is None else [name, value]})

    def _take(self, size: int) -> bytes:
        while len(self._received) < size:
            try:
                piece = self._socket.recv(1 << 16)
            except ConnectionError as error:
                raise ConnectionLost(str(error)) from error
            if not piece:
                raise ConnectionLost("the other end has left")
            self._received += piece
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken


def parse_address(address: str) -> "tuple[str, int]":
    """("127.0.0.1", 3456) of "tcp://127.0.0.1:3456"."""
    host, colon, port = address.removeprefix("tcp://").rpartition(":")
    if not colon or not port.isdigit():
        raise ValueError(f"'{address}' is not an address: write tcp://127.0.0.1:3456")
    return host.strip("[]") or "127.0.0.1", int(port)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Lets the joints of a robot sway around the configuration that it is told to hold.",
        epilog="Start the simulation first: mortise sim world.xml --realtime, in a world that names a SerialController.",
    )
    parser.add_argument("--connect", default="tcp://127.0.0.1:3456", metavar="ADDRESS", help="default: %(default)s")
    parser.add_argument("--wait", type=float, default=5, metavar="S", help="seconds to try to connect (default: 5)")
    parser.add_argument("--sway", type=float, default=0.1, metavar="RAD", help="how far (default: 0.1)")
    parser.add_argument("--period", type=float, default=4, metavar="S", help="of the swaying (default: 4)")
    parser.add_argument("--joints", type=int, nargs="*", metavar="I", help="which links, by index (default: all)")
    parser.add_argument("--duration", type=float, default=math.inf, metavar="S", help="stop at this simulated time")
    parser.add_argument("--verbose", action="store_true", help="print every state")
    options = parser.parse_args()

    count = 0
    center = None
    last = 0.0
    try:
        with RobotConnection(options.connect, options.wait) as robot:
            for state in robot.states():
                if state["t"] >= options.duration:
                    break
                if center is None:
                    center = state.get("qcmd") or state["q"]
                count += 1
                last = state["t"]
                if options.verbose:
                    print(f"t = {last:.3f} s, q =", " ".join(f"{angle:.3f}" for angle in state["q"]), flush=True)
                phase = 2 * math.pi * last / options.period
                joints = range(len(center)) if options.joints is None else options.joints
                q, dq = list(center), [0.0] * len(center)
                for i in joints:
                    q[i] += options.sway * (1 - math.cos(phase)) / 2
                    dq[i] = options.sway * math.sin(phase) * math.pi / options.period
                try:
                    robot.position(q, dq)
                except ConnectionLost:
                    break
    except KeyboardInterrupt:
        pass
    except (OSError, RuntimeError, ValueError) as error:
        print(f"mortise_client: {error}", file=sys.stderr)
        return 1
    print(f"{count} messages, the last at t = {last:g} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
