"""Loops with a rate, and promises."""

import threading
import time


class TimedLooper:
    """while TimedLooper(dt): runs every dt seconds until stop()."""

    def __init__(self, dt=None, rate=None, warning_frequency="auto", warning_printer="auto",
                 name=None):
        if dt is None and rate is None:
            raise AttributeError("TimedLooper wants dt or rate")
        self.dt = 1.0 / rate if dt is None else dt
        if self.dt < 0:
            raise ValueError("dt must be positive")
        if warning_frequency == "auto":
            warning_frequency = int(2.0 / self.dt) if self.dt > 0 else 0
        self.warning_frequency = warning_frequency
        self.warning_printer = print if warning_printer == "auto" else warning_printer
        self.name = name
        self._iters = 0
        self._late = 0
        self._late_time = 0.0
        self._start = None
        self._next = None
        self._exit = False

    def stop(self):
        """Ends the loop."""
        self._exit = True

    def __bool__(self):
        if self._exit:
            return False
        now = time.time()
        if self._start is None:
            self._start = self._next = now
            return True
        self._iters += 1
        if now - self._next > self.dt:
            self._report(now - self._next - self.dt)
            self._next = now
            return True
        self._next += self.dt
        time.sleep(max(0.0, self._next - time.time()))
        return True

    def _report(self, late):
        self._late += 1
        self._late_time += late
        if self.warning_frequency and self.warning_printer and (
                self._late % self.warning_frequency == 0):
            self.warning_printer(f"{self.name or 'TimedLooper'}: {self._late} of {self._iters} "
                                 f"iterations took more than {self.dt:.4f} s, on average "
                                 f"{self._late_time / self._late:.4f} s more")

    def time_elapsed(self):
        """Seconds since the first iteration."""
        return 0 if self._start is None else time.time() - self._start

    def iters(self):
        """Iterations so far."""
        return self._iters


class PromiseTimeout(Exception):
    """A promise was not kept in time."""

    def __init__(self, promise):
        Exception.__init__(self, f"promise {promise._name or ''} timed out")
        self.promise = promise


class PromiseError(Exception):
    """A promise ended with an error."""

    def __init__(self, promise, error=None):
        Exception.__init__(self, f"promise {promise._name or ''} failed: {promise._error}")
        self.promise = promise


class Promise:
    """A value that comes later: callback(value) or errback(error) gives it."""

    def __init__(self, name=None):
        self._name = name
        self._event = threading.Event()
        self._value = None
        self._error = None
        self._callback = None
        self._errback = None
        self._lock = threading.Lock()

    def setCallback(self, fn):
        """Calls fn(value) when the value comes."""
        assert callable(fn), "setCallback() wants a function"
        with self._lock:
            if self._callback is not None:
                raise RuntimeError("a callback is set already")
            self._callback = fn
            if self.available() and self._error is None:
                fn(self._value)

    def setErrback(self, fn):
        """Calls fn(error) when there is an error."""
        assert callable(fn), "setErrback() wants a function"
        with self._lock:
            self._errback = fn
            if self._error is not None:
                fn(self._error)

    def __bool__(self):
        return self.available()

    def available(self):
        """Returns whether value or error has come."""
        return self._event.is_set()

    def error(self):
        return self._error

    def value(self):
        """The value; raises PromiseError or, before it comes, RuntimeError."""
        if not self.available():
            raise RuntimeError("the value is not available yet; use wait()")
        if self._error is not None:
            raise PromiseError(self)
        return self._value

    def wait(self, timeout=None, resolution=0.01):
        """Waits for the value; raises PromiseTimeout after timeout seconds."""
        if not self._event.wait(timeout):
            raise PromiseTimeout(self)
        return self.value()

    def callback(self, value):
        """Gives the value."""
        self._finish("_value", value, self._callback)

    def errback(self, error):
        """Gives an error instead."""
        self._finish("_error", error, self._errback)

    def _finish(self, slot, content, function):
        if self.available():
            raise RuntimeError("a promise can be kept only once")
        with self._lock:
            setattr(self, slot, content)
            if function is not None:
                function(content)
            self._event.set()
