"""Settings of the headless display: environment variables and a script.

MORTISE_VIS=headless asks for it, and it is what there is without MORTISE_VIS; MORTISE_VIS=browser shows windows as pages of a
browser on this machine (see klampt.vis._browser).
MORTISE_VIS_FRAMES is how many frames a window stays open (100); MORTISE_VIS_SCRIPT names a
JSON file with any of: "frames"; "keys", a list of keys pressed, one a frame; "edits", a
list of answers to edits in their order (null cancels), or a table from item names to
answers; "input", lines that input() reads.
"""

import builtins
import json
import os
import sys

FRAME_TIME = 1.0 / 30.0  # Virtual seconds a frame.
DEFAULT_FRAMES = 100
ANSWER = "1"  # To questions that nobody is there to answer.
_SPECIAL_KEYS = {"space": " ", "enter": "enter", "return": "enter", "tab": "\t"}


class Script:
    """The acts of the absent user: answers of edits and keys, used up one by one."""

    def __init__(self, data, frames):
        self.frames = int(data.get("frames", frames))
        self.says_frames = "frames" in data
        self.keys = [_SPECIAL_KEYS.get(k, k) for k in data.get("keys", [])]
        edits = data.get("edits", [])
        self.named = dict(edits) if isinstance(edits, dict) else {}
        self.answers = [] if isinstance(edits, dict) else list(edits)
        self.seen = []
        self.lines = [str(line) for line in data.get("input", [])]

    def says(self, name):
        """Returns whether the script has an answer to an edit."""
        return name in self.named or bool(self.answers)

    def answer(self, name, value):
        """(accepted, value) of an edit.

        Without a scripted answer a value is accepted as it is offered, and the edit is
        canceled when the same value was accepted before: nothing new is left to do.
        """
        if name in self.named:
            scripted = self.named[name]
        elif self.answers:
            scripted = self.answers.pop(0)
        else:
            key = repr(value)
            new = key not in self.seen
            self.seen.append(key)
            return new, value
        return (False, value) if scripted is None else (True, scripted)


def display():
    """The display that MORTISE_VIS asks for: "headless" or "browser"."""
    asked = os.environ.get("MORTISE_VIS", "headless")
    if asked not in ("headless", "browser", "auto", ""):
        raise RuntimeError(f"MORTISE_VIS={asked} is not known; use MORTISE_VIS=browser, which shows windows in a browser, or "
                           "MORTISE_VIS=headless")
    return "browser" if asked == "browser" else "headless"


_said: "list[str]" = []


def say_how_to_see():
    """Says once how a window can be seen, where nobody has said that it should not be."""
    if "MORTISE_VIS" not in os.environ and not _said:
        _said.append("said")
        print("vis: nothing is drawn; MORTISE_VIS=browser shows this window in a browser, MORTISE_VIS=headless says that it need not",
              file=sys.stderr)


def answer_input():
    """With MORTISE_VIS=headless, input() reads the script's lines first, and answers "1" where standard input is at its
    end: the first choice of a menu, and as good as an empty line for programs that wait for Enter.
    """
    if os.environ.get("MORTISE_VIS") != "headless" or getattr(builtins.input, "scripted", False):
        return
    ask = builtins.input

    def scripted(prompt=""):
        lines = script().lines
        if lines:
            print(f"{prompt}{lines[0]}")
            return lines.pop(0)
        try:
            return ask(prompt)
        except EOFError:
            print(ANSWER)
            return ANSWER
    scripted.scripted = True
    builtins.input = scripted


_script = None


def script():
    """The script, read when first asked for."""
    global _script
    if _script is None:
        data = {}
        path = os.environ.get("MORTISE_VIS_SCRIPT")
        if path:
            try:
                with open(path) as f:
                    data = json.load(f)
            except (OSError, ValueError) as e:
                raise RuntimeError(f"MORTISE_VIS_SCRIPT={path} cannot be read: {e}; give a JSON "
                                   "file with frames, keys, edits or input") from None
        frames = os.environ.get("MORTISE_VIS_FRAMES", str(DEFAULT_FRAMES))
        if not frames.isdigit():
            raise RuntimeError(f"MORTISE_VIS_FRAMES={frames} must be a number of frames")
        _script = Script(data, int(frames))
    return _script


def reset(data=None, frames=DEFAULT_FRAMES):
    """Replaces the script, for tests and notebooks."""
    global _script
    _script = Script(data or {}, frames)
