#pragma once

/// Behind Python's View: pages that a program shows something in.

#include <chrono>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>

#include "common/define.h"
#include "model/worlds.h"
#include "mortise/viewer/programs/program_view.h"
#include "simulation/simulation.h"

namespace mortise::python {

namespace py = pybind11;

/// The pages, without any object of Python. Controls hold it, so that they make no cycles.
using ViewCore = viewer::ProgramView;
using ViewCorePtr = std::shared_ptr<ViewCore>;

struct PageView {
  ViewCorePtr core;
  WorldPtr world;             ///< What is shown; null: files.
  std::string name;           ///< Shown in the page.
  bool moved = false;         ///< `world` is not yet where pages see it.
  py::object followed = {};   ///< A Simulation; null: none.
  py::dict callbacks, drags;  ///< By the ids of controls and the names of drawings.
  py::object clicked = {};    ///< Called where a page is clicked; null: none.
  py::object noted = {};      ///< The last picture that notebooks got, as HTML.
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::map<int, viewer::message::BodyStyle> marks;

  /// Throws Error where it is closed.
  ViewCore& pages() const;
  /// Throws Error where files are shown.
  World& shownWorld() const;
  /// Shows where everything is now.
  void publish();
  /// Takes what was done in pages, waiting for it at most so long (s), and calls what is to be called; false when the
  /// view is closed. Throws KeyboardInterrupt.
  bool update(double timeout);
  /// Lets go of everything.
  void close();

 private:
  void call(const viewer::message::ProgramRequest& request);
};

using ViewClass = Class<PageView>;

/// A control of a view.
struct ControlHandle {
  ViewCorePtr core;
  std::string id;
  viewer::message::ProgramControl get() const { return core->scene().control(id); }
};

/// Keeps a view so that it is closed when Python ends.
void closeAtExit(const ViewCorePtr& core);

void bindControls(py::module_& m, ViewClass& type);
void bindDrawings(ViewClass& type);
/// Binds what views are of, and `show`.
void bindShowing(py::module_& m, ViewClass& type);

/// "#1f77b4" from such a text, or from three or four numbers of 0 to 1, of which the last, where there is one, goes to
/// `opacity`. Throws TypeError or ValueError.
std::string colorFrom(py::handle color, const char* name, double* opacity = nullptr);
/// The HTML that notebooks show: the page, and a picture where its server is gone.
std::string notebookText(PageView& view, int height);
/// A PNG of where everything is now, taken by the camera that robots have. Throws Error where files are shown.
std::string pictureOf(PageView& view, int width, int height);

}  // namespace mortise::python
