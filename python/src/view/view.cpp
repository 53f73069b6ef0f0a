#include "view/view.h"

#include <algorithm>
#include <mutex>
#include <pybind11/stl.h>
#include <set>

#include "common/arrays.h"
#include "common/collected.h"
#include "common/environment.h"
#include "geometry/shapes.h"
#include "mortise/render/world_renderer.h"
#include "view/bind_views.h"

namespace mortise::python {

namespace {

using viewer::message::Control;
using viewer::message::Dragged;
using viewer::message::Picked;

std::vector<std::weak_ptr<ViewCore>>& openViews() {
  static std::vector<std::weak_ptr<ViewCore>> views;
  return views;
}

/// Threads of `run_in_thread`; a list that lives as long as the interpreter.
py::list threadsOfViews() {
  static PyObject* threads = PyList_New(0);
  return py::reinterpret_borrow<py::list>(threads);
}

/// Closes all views: neither their threads nor those of `run_in_thread` may outlive the interpreter.
void closeAll() {
  for (const auto& view : openViews())
    if (const ViewCorePtr core = view.lock()) {
      py::gil_scoped_release release;
      core->close();
    }
  openViews().clear();
  const py::list threads = threadsOfViews();
  for (const py::handle thread : threads) thread.attr("join")(5);
}

/// The value that a page has set.
py::object valueIn(const Control& request) {
  if (request.number) return py::float_(*request.number);
  if (request.checked) return py::bool_(*request.checked);
  if (request.text) return py::str(*request.text);
  return py::none();
}

/// Shows an exception of a callback where Python shows others, and in the pages. KeyboardInterrupt and SystemExit go
/// on.
void report(py::error_already_set& error, PageView& view, const std::string& where) {
  if (!error.matches(PyExc_Exception)) throw;
  const std::string text = where + ": " + std::string(py::str(py::type::of(error.value()).attr("__name__"))) + ": " +
                           std::string(py::str(error.value()));
  py::module_::import("traceback").attr("print_exception")(error.type(), error.value(), error.trace());
  view.core->scene().report(text);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (instance->simple_layout && instance->simple_holder_constructed) {
    const auto* view = static_cast<PageView*>(instance->simple_value_holder[0]);
    if (view != nullptr)
      for (const py::object* held : {&view->followed, &view->clicked, static_cast<const py::object*>(&view->callbacks),
                                     static_cast<const py::object*>(&view->drags)})
        Py_VISIT(held->ptr());
  }
  return 0;
}

int clear(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (instance->simple_layout && instance->simple_holder_constructed) {
    auto* view = static_cast<PageView*>(instance->simple_value_holder[0]);
    if (view != nullptr) {
      view->followed = view->clicked = py::object();
      view->callbacks = py::dict();
      view->drags = py::dict();
    }
  }
  return 0;
}

/// Calls `work` in a thread of Python with a name; returns the thread.
py::object inThread(const py::object& self, const std::string& name, double rate) {
  py::dict arguments;
  arguments["target"] = self.attr("loop");
  arguments["name"] = name;
  arguments["args"] = py::make_tuple(py::none(), rate);
  arguments["daemon"] = true;
  const py::object thread = py::module_::import("threading").attr("Thread")(**arguments);
  thread.attr("start")();
  threadsOfViews().append(thread);
  return thread;
}

/// Shows the view until it is closed or Ctrl-C.
void loop(PageView& view, py::handle callback, double rate) {
  if (!(rate > 0)) throw py::value_error("rate: expected a number above 0");
  const bool calls = !callback.is_none();
  try {
    while (view.update(1 / rate)) {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (calls) callback();
    }
  } catch (py::error_already_set& error) {
    view.close();
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
  }
}

void bindLife(ViewClass& type) {
  type.def_property_readonly(
          "address", [](const PageView& v) { return v.core->address(); },
          "The whole address for browsers on this machine, with the token that keeps others out.")
      .def_property_readonly(
          "port", [](const PageView& v) { return static_cast<int>(v.core->port()); }, "Of the address.")
      .def_property_readonly(
          "pages", [](const PageView& v) { return v.core->pages(); }, "How many pages are open now.")
      .def_property_readonly(
          "is_open", [](const PageView& v) { return v.core->open(); }, "Whether pages can look at it.")
      .def(
          "update", [](PageView& v, double timeout) { return v.update(timeout); }, py::arg("timeout") = 0.0,
          "update(timeout: float = 0.0) -> bool\n\nShows where everything is now and calls the callbacks of what "
          "people "
          "did in pages, on this thread; waits for that at most so many seconds, without the GIL. False when the view "
          "is "
          "closed. Exceptions of callbacks are printed and shown in the pages.")
      .def("loop", &loop, py::arg("callback") = py::none(), py::arg("rate") = 30.0,
           "loop(callback: Callable[[], Any] | None = None, rate: float = 30.0)\n\nUpdates and calls the callback, so "
           "many "
           "times a second, until the view is closed. Ctrl-C closes it.")
      .def(
          "run_in_thread",
          [](py::object self, const std::string& name, double rate) { return inThread(self, name, rate); },
          py::arg("name") = "mortise view", py::arg("rate") = 30.0,
          "run_in_thread(name: str = 'mortise view', rate: float = 30.0) -> Any\n\nRuns `loop` in a threading.Thread "
          "of that "
          "name, where callbacks are called then; returns the thread.")
      .def(
          "close", [](PageView& v) { v.close(); }, "close()\n\nEnds the pages.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](PageView& v, const py::args&) { v.close(); });
}

}  // namespace

void closeAtExit(const ViewCorePtr& core) {
  auto& views = openViews();
  std::erase_if(views, [](const auto& view) { return view.expired(); });
  views.push_back(core);
}

ViewCore& PageView::pages() const {
  if (!core->open()) throw Error("the view is closed", {}, "make another one: world.view()");
  return *core;
}

World& PageView::shownWorld() const {
  if (!world) throw Error("the view shows files, in which nothing can be moved", {}, "show a world: world.view()");
  return *world;
}

void PageView::publish() {
  if (!core->open() || core->world() == nullptr) return;
  if (followed) {
    auto& simulation = boundFrom<SimulationHandle>(followed, "simulation");
    if (!simulation.running) core->world()->add(simulation.simulation().view());
    return;
  }
  if (!moved) return;
  moved =
      !core->world()->place(*world, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

bool PageView::update(double timeout) {
  using Clock = std::chrono::steady_clock;
  publish();
  std::vector<viewer::message::ProgramRequest> requests;
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::clamp(timeout, 0.0, 1e9)));
  bool interrupted = false;
  const ViewCorePtr keep = core;
  {
    const py::gil_scoped_release release;
    SignalCheck signals;
    signals.interrupted();  // Times count from here.
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      requests = keep->take(std::clamp(left, std::chrono::milliseconds(0), std::chrono::milliseconds(50)));
      interrupted = signals.interrupted();
      if (interrupted || !requests.empty() || !keep->open() || Clock::now() >= until) break;
    }
  }
  if (interrupted) throw py::error_already_set();
  for (const auto& request : requests) call(request);
  if (!requests.empty()) publish();
  return core->open();
}

void PageView::call(const viewer::message::ProgramRequest& request) {
  std::string where = "a callback of the view";
  try {
    if (const auto* control = std::get_if<Control>(&request)) {
      where = "the callback of '" + control->id + "'";
      if (!callbacks.contains(control->id.c_str())) return;
      const py::object callback = callbacks[control->id.c_str()], value = valueIn(*control);
      value.is_none() ? callback() : callback(value);
    } else if (const auto* dragged = std::get_if<Dragged>(&request)) {
      where = "the callback of '" + dragged->name + "'";
      if (!drags.contains(dragged->name.c_str())) return;
      const py::object callback = drags[dragged->name.c_str()];
      callback(py::cast(core->scene().poseOf(dragged->name)));
    } else if (const auto* picked = std::get_if<Picked>(&request)) {
      if (!clicked) return;
      const py::object callback = clicked, id = picked->id >= 0 ? py::object(py::int_(picked->id)) : py::none();
      callback(arrayOf(picked->origin), arrayOf(Vector3d(picked->direction.normalized())), id);
    }
  } catch (py::error_already_set& error) {
    report(error, *this, where);
  }
}

void PageView::close() {
  const ViewCorePtr keep = core;
  if (!keep->open()) return;
  {
    const py::gil_scoped_release release;
    keep->close();
  }
  followed = clicked = py::object();
  callbacks = py::dict();
  drags = py::dict();
}

void bindViews(py::module_& m) {
  ViewClass type(m, "View",
                 "What a program shows in pages of a browser on this machine while it goes on: a world that it moves, "
                 "a simulation, "
                 "a log, drawings, and controls whose callbacks are called by `update` and `loop`. `World.view`, "
                 "`Simulation.view` "
                 "and `show` make it. In a notebook it is a live page.",
                 collected(traverse, clear));
  bindLife(type);
  bindControls(m, type);
  bindDrawings(type);
  bindShowing(m, type);
  py::module_::import("atexit").attr("register")(py::cpp_function(&closeAll));
}

}  // namespace mortise::python
