#include "components/call_watch.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

namespace mortise::python {

namespace py = pybind11;

namespace {

PyObject* timeLimitExceeded = nullptr;  ///< Lives as long as the interpreter.

std::int64_t nowNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

/// Looks every few milliseconds for calls that are over their time. It starts with the first component and ends with
/// the process.
struct WatchThread {
  std::mutex mutex;
  std::vector<CallWatch*> watches;
  bool running = false;
  bool handled = false;  ///< The signal's handler is there.
  unsigned long mainThread = 0;
  pthread_t mainHandle = {};

  static WatchThread& get() {
    static auto* all = new WatchThread();
    return *all;
  }

  /// A signal that nothing else uses; it ends what the main thread waits for (`time.sleep`, `read`).
  static int signalNumber() { return SIGRTMAX - 5; }

  void add(CallWatch* watch) {
    const std::lock_guard lock(mutex);
    watches.push_back(watch);
    if (running) return;
    running = true;
    std::thread([this] { run(); }).detach();
  }
  void remove(CallWatch* watch) {
    const std::lock_guard lock(mutex);
    watches.erase(std::remove(watches.begin(), watches.end(), watch), watches.end());
  }

  bool anyLate() {
    const std::lock_guard lock(mutex);
    const std::int64_t now = nowNanoseconds();
    for (const CallWatch* watch : watches) {
      const std::int64_t deadline = watch->deadline_.load(std::memory_order_relaxed);
      if (deadline != 0 && now > deadline) return true;
    }
    return false;
  }

  void run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    while (true) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (!anyLate()) continue;
      if (Py_IsInitialized() == 0) return;
      // Who has the lock of the interpreter never waits for `mutex` for long.
      const PyGILState_STATE state = PyGILState_Ensure();
      {
        const std::lock_guard lock(mutex);
        const std::int64_t now = nowNanoseconds();
        for (CallWatch* watch : watches) interrupt(*watch, now);
      }
      PyGILState_Release(state);
    }
  }

  /// With the lock held the call can neither end nor begin.
  void interrupt(CallWatch& watch, std::int64_t now) {
    const std::int64_t deadline = watch.deadline_.load(std::memory_order_relaxed);
    if (deadline == 0 || now <= deadline) return;
    if (!watch.fired_) {
      watch.fired_ = true;
      if (watch.thread_ == mainThread && handled)
        pthread_kill(mainHandle, signalNumber());
      else
        PyThreadState_SetAsyncExc(watch.thread_, timeLimitExceeded);
    } else if (!watch.reported_ && now > deadline + 2'000'000'000) {
      watch.reported_ = true;
      std::fputs(
          "mortise: a component written in Python is over its time limit and waits for something outside Python; it "
          "can be interrupted when that returns\n",
          stderr);
    }
  }

  /// Called by Python for the signal, in the main thread. A signal that comes after its call ended means nothing.
  void handle() {
    const unsigned long here = PyThread_get_thread_ident();
    const std::lock_guard lock(mutex);
    for (const CallWatch* watch : watches)
      if (watch->fired_ && watch->thread_ == here && watch->deadline_.load(std::memory_order_relaxed) != 0) {
        PyErr_SetString(timeLimitExceeded, "the call took longer than its time limit");
        throw py::error_already_set();
      }
  }
};

CallWatch::CallWatch() { WatchThread::get().add(this); }
CallWatch::~CallWatch() { WatchThread::get().remove(this); }

void CallWatch::setLimit(double seconds) {
  limit_ = seconds;
  nanoseconds_ = std::isfinite(seconds) && seconds < 1e9 ? static_cast<std::int64_t>(seconds * 1e9) : 0;
}

void CallWatch::start() {
  thread_ = PyThread_get_thread_ident();
  fired_ = reported_ = false;
  deadline_.store(nowNanoseconds() + nanoseconds_, std::memory_order_relaxed);
}

bool CallWatch::stop() {
  deadline_.store(0, std::memory_order_relaxed);
  if (!fired_) return false;
  PyThreadState_SetAsyncExc(thread_, nullptr);  // It may have come too late to be raised.
  return true;
}

void bindCallWatch(py::module_& m) {
  timeLimitExceeded = PyErr_NewExceptionWithDoc(
      "mortise.TimeLimitExceeded",
      "Raised inside a component written in Python whose call takes longer than its `time_limit`. Not an Exception, so "
      "that `except Exception` does not catch it.",
      PyExc_BaseException, nullptr);
  if (timeLimitExceeded == nullptr) throw py::error_already_set();
  m.attr("TimeLimitExceeded") = py::reinterpret_borrow<py::object>(timeLimitExceeded);
  WatchThread& thread = WatchThread::get();
  // Only the main thread may say what a signal does; elsewhere calls that wait cannot be interrupted.
  try {
    const py::module_ signals = py::module_::import("signal");
    signals.attr("signal")(WatchThread::signalNumber(),
                           py::cpp_function([](py::handle, py::handle) { WatchThread::get().handle(); }));
    thread.mainThread = PyThread_get_thread_ident();
    thread.mainHandle = pthread_self();
    thread.handled = true;
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError)) throw;
  }
}

}  // namespace mortise::python
