#include <filesystem>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/environment.h"
#include "geometry/shapes.h"
#include "model/models.h"
#include "mortise/base/error.h"
#include "mortise/images/png_image.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/logs/log_file.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/planning/plan_result.h"
#include "mortise/render/photographer.h"
#include "mortise/render/world_renderer.h"
#include "mortise/simulation/saving/saved_state.h"
#include "mortise/viewer/plan_view.h"
#include "mortise/viewer/run_folder.h"
#include "view/view.h"

namespace mortise::python {

namespace {

namespace fs = std::filesystem;

std::uint16_t portFrom(int port) {
  if (port < 0 || port > 65535) throw py::value_error("port: expected a number from 0 to 65535");
  return static_cast<std::uint16_t>(port);
}

std::string nameOf(const World& world) { return world.file.empty() ? "world" : fs::path(world.file).stem().string(); }

std::unique_ptr<PageView> viewOf(const World& world, int port) {
  auto view = std::make_unique<PageView>();
  view->world = std::make_shared<World>(world);
  view->name = nameOf(world);
  const EnvironmentPtr own = environment();
  view->core = std::make_shared<ViewCore>(world, view->name, own->registry, own->log, portFrom(port));
  closeAtExit(view->core);
  return view;
}

/// Looks at what a simulation is now, from the next update on.
void follow(PageView& view, const py::object& simulation) {
  auto& handle = boundFrom<SimulationHandle>(simulation, "simulation");
  const EnvironmentPtr own = environment();
  ViewCore& core = view.pages();
  core.show(handle.world(), nameOf(handle.world()), own->registry, own->log, [&](viewer::ReadOnlyWorld& world) {
    world.describe(handle.simulation().view(), logs::sensorDescriptions(handle.simulation()));
    world.add(handle.simulation().view());
  });
  view.world = std::make_shared<World>(handle.world());
  view.followed = simulation;
}

std::unique_ptr<PageView> viewOfSimulation(const py::object& simulation, int port) {
  auto view = viewOf(boundFrom<SimulationHandle>(simulation, "simulation").world(), port);
  follow(*view, simulation);
  return view;
}

std::unique_ptr<PageView> viewOfFiles(std::vector<viewer::ViewFile> files, int port) {
  auto view = std::make_unique<PageView>();
  view->name = files.front().name;
  view->core = std::make_shared<ViewCore>(std::move(files), portFrom(port));
  closeAtExit(view->core);
  return view;
}

/// Plans as their motions with the planner's ways.
std::unique_ptr<PageView> viewOfPlan(const PlanResult& plan, py::handle world, int port) {
  if (plan.path.empty()) throw py::value_error("the plan has no path to show");
  if (world.is_none()) throw py::type_error("world: expected the World that was planned in, found None");
  const auto& in = boundFrom<World>(world, "world");
  const viewer::ShownPlan shown{plan.movers, plan.path, plan.motion, plan.roadmap};
  const EnvironmentPtr own = environment();
  auto still = std::make_unique<viewer::SnapshotLog>(in, own->registry, own->log, viewer::planMotion(shown));
  const viewer::ViewFile file = {nameOf(in), still->path(), viewer::planOverlays(in, shown)};
  auto view = viewOfFiles({file}, port);
  view->core->show({file}, std::move(still));
  return view;
}

/// Logs as they are; everything else is put together as a world.
std::unique_ptr<PageView> viewOfPath(py::handle path, int port) {
  const std::string file = pathFrom(path);
  std::error_code code;
  if (fs::is_directory(file, code)) {
    std::vector<viewer::ViewFile> logs = viewer::logsOfFolder(file);
    if (logs.empty())
      throw Error("the folder '" + file + "' holds no log", {}, "record the run with the recorder mcap");
    return viewOfFiles(std::move(logs), port);
  }
  if (logs::isMcapFile(file)) return viewOfFiles({{fs::path(file).stem().string(), file}}, port);
  World world;
  withLoader("'" + file + "' cannot be shown", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    world = assembleWorld(loader, {file}, diagnostics);
  });
  return viewOf(world, port);
}

World worldWith(const std::shared_ptr<Robot>& robot) {
  World world;
  WorldRobot entry;
  entry.name = robot->name();
  entry.robot = robot;
  entry.q = robot->initialConfiguration();
  entry.dq = VectorXd::Zero(robot->numLinks());
  world.robots.push_back(std::move(entry));
  return world;
}

std::unique_ptr<PageView> viewOfAny(const py::object& thing, py::handle world, int port) {
  if (py::isinstance<SimulationHandle>(thing)) return viewOfSimulation(thing, port);
  if (py::isinstance<PlanResult>(thing)) return viewOfPlan(boundFrom<PlanResult>(thing, "thing"), world, port);
  if (py::isinstance<World>(thing)) return viewOf(boundFrom<World>(thing, "thing"), port);
  if (py::isinstance<Robot>(thing)) return viewOf(worldWith(thing.cast<std::shared_ptr<Robot>>()), port);
  if (PyUnicode_Check(thing.ptr()) != 0 || py::hasattr(thing, "__fspath__")) return viewOfPath(thing, port);
  throw py::type_error("thing: expected a World, a Robot, a Simulation, a PlanResult or a path, found " +
                       shapeText(thing));
}

/// Says whether somebody types at Python: then the program goes on, and the view with it.
bool isInteractive() {
  const py::module_ sys = py::module_::import("sys");
  if (py::hasattr(sys, "ps1") || sys.attr("flags").attr("interactive").cast<int>() != 0) return true;
  const py::dict modules = sys.attr("modules");
  if (!modules.contains("IPython")) return false;
  return !py::module_::import("IPython").attr("get_ipython")().is_none();
}

bool isNotebook() {
  const py::dict modules = py::module_::import("sys").attr("modules");
  return modules.contains("ipykernel") && isInteractive();
}

/// Opens the desktop's browser, where there is one.
void openBrowser(const std::string& address) {
  const py::object get = py::module_::import("os").attr("environ").attr("get");
  const auto isSet = [&](const char* name) { return !std::string(py::str(get(name, ""))).empty(); };
  if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY")) return;
  py::module_::import("webbrowser").attr("open")(address);
}

py::object show(const py::object& thing, py::handle world, int port, bool browser, py::handle wait) {
  const bool waits = wait.is_none() ? !isInteractive() : flagFrom(wait, "wait");
  py::object view = py::isinstance<PageView>(thing) ? thing : py::cast(viewOfAny(thing, world, port));
  auto& handle = boundFrom<PageView>(view, "thing");
  handle.publish();
  if (!isNotebook()) {
    py::print("the viewer is at " + handle.pages().address(),
              py::arg("file") = py::module_::import("sys").attr("stderr"), py::arg("flush") = true);
    if (browser) openBrowser(handle.core->address());
  }
  if (waits) view.attr("loop")();
  return view;
}

void setBodyMarks(PageView& view) {
  std::vector<viewer::message::BodyStyle> styles;
  for (const auto& [id, style] : view.marks) styles.push_back(style);
  view.pages().scene().setBodies(std::move(styles));
}

void mark(PageView& view, py::handle body, py::handle color, bool hidden) {
  const int id = worldId(view.shownWorld(), body);
  viewer::message::BodyStyle style;
  style.id = id;
  style.hidden = hidden;
  if (!color.is_none()) style.color = colorFrom(color, "color");
  if (style.color || hidden)
    view.marks[id] = style;
  else
    view.marks.erase(id);
  setBodyMarks(view);
}

void bindMotion(ViewClass& type) {
  type.def(
          "set_configuration",
          [](PageView& v, py::handle robot, py::handle q) {
            World& world = v.shownWorld();
            WorldRobot& entry = world.robots[static_cast<std::size_t>(robotIndex(world, robot))];
            entry.q = vectorFrom(q, "q", entry.robot->numLinks());
            v.followed = py::object();
            v.moved = true;
          },
          py::arg("robot"), py::arg("q"),
          "set_configuration(robot: int | str, q: ArrayLike)\n\nOf a robot by index or name; shown by the next update.")
      .def(
          "set_pose",
          [](PageView& v, py::handle object, py::handle pose) {
            World& world = v.shownWorld();
            world.objects[static_cast<std::size_t>(objectIndex(world, object))].X_WO = poseFrom(pose, "pose");
            v.followed = py::object();
            v.moved = true;
          },
          py::arg("object"), py::arg("pose"),
          "set_pose(object: int | str, pose: Pose)\n\nOf an object by index or name; shown by the next update.")
      .def(
          "set_world",
          [](PageView& v, const WorldPtr& world) {
            const EnvironmentPtr own = environment();
            v.pages().show(*world, nameOf(*world), own->registry, own->log);
            v.world = std::make_shared<World>(*world);
            v.followed = py::object();
            v.marks.clear();
            setBodyMarks(v);
          },
          py::arg("world").none(false), "set_world(world: World)\n\nShows another world; pages load again.")
      .def(
          "place",
          [](PageView& v, const WorldPtr& world) {
            World& shown = v.shownWorld();
            if (world->numIds() != shown.numIds() || world->robots.size() != shown.robots.size())
              throw py::value_error(
                  "world: expected the same robots and objects as the one that is shown; set_world "
                  "shows another one");
            for (std::size_t r = 0; r < shown.robots.size(); ++r) {
              if (world->robots[r].q.size() != shown.robots[r].q.size())
                throw py::value_error("world: robot " + std::to_string(r) + " has another number of links");
              shown.robots[r].q = world->robots[r].q;
            }
            for (std::size_t o = 0; o < shown.objects.size(); ++o) shown.objects[o].X_WO = world->objects[o].X_WO;
            v.followed = py::object();
            v.moved = true;
          },
          py::arg("world").none(false),
          "place(world: World)\n\nPuts everything where it is in a world of the same robots and objects; shown by the "
          "next "
          "update.")
      .def("follow", &follow, py::arg("simulation"),
           "follow(simulation: Simulation)\n\nEach update shows where the simulation is then, with its contacts and "
           "sensors.");
}

void bindAppearance(ViewClass& type) {
  type.def("mark", &mark, py::arg("body"), py::arg("color") = py::none(), py::arg("hidden") = false,
           "mark(body: int | str, color: Any = None, hidden: bool = False)\n\nMarks a body, by id or name, by a color, "
           "or "
           "hides it; without either it looks as its world says.")
      .def(
          "look_at",
          [](PageView& v, py::handle position, py::handle target) {
            v.pages().scene().lookAt(vector3From(position, "position"), vector3From(target, "target"));
          },
          py::arg("position"), py::arg("target"),
          "look_at(position: ArrayLike, target: ArrayLike)\n\nPuts the camera of the pages somewhere, m.")
      .def(
          "on_click",
          [](PageView& v, py::object callback) { v.clicked = callback.is_none() ? py::object() : callback; },
          py::arg("callback"),
          "on_click(callback: Callable[[Any, Any, int | None], Any] | None)\n\nCalls callback(origin, direction, id) "
          "where a "
          "page is clicked: the ray from the eye in the world, and the id of the body there or None.")
      .def(
          "report_problem", [](PageView& v, const std::string& text) { v.pages().scene().report(text); },
          py::arg("text"), "report_problem(text: str)\n\nShows a problem in the pages.")
      .def(
          "png", [](PageView& v, int width, int height) { return py::bytes(pictureOf(v, width, height)); },
          py::arg("width") = 640, py::arg("height") = 400,
          "png(width: int = 640, height: int = 400) -> bytes\n\nA picture of the world as it is now, without drawings, "
          "taken "
          "by the camera that robots have.")
      .def("_repr_html_", [](PageView& v) { return notebookText(v, 480); })
      .def("__repr__", [](const PageView& v) {
        return "View('" + v.name + "', " + (v.core->open() ? v.core->address() : std::string("closed")) + ")";
      });
}

}  // namespace

std::string pictureOf(PageView& view, int width, int height) {
  if (width < 1 || height < 1 || width > 8192 || height > 8192)
    throw py::value_error("width, height: expected numbers from 1 to 8192");
  World world = view.shownWorld();
  if (view.followed) {
    const SimulationView now = boundFrom<SimulationHandle>(view.followed, "simulation").simulation().view();
    for (std::size_t r = 0; r < world.robots.size(); ++r) world.robots[r].q = now.robots[r].state->q;
    for (std::size_t o = 0; o < world.objects.size(); ++o) world.objects[o].X_WO = now.objects[o].X_WB;
  }
  const EnvironmentPtr own = environment();
  const render::StillView still(world);
  render::PhotoOptions options;
  options.width = width;
  options.height = height;
  render::Photographer photographer(world, {&still.view()}, options, own->registry, own->log);
  const render::Picture picture = photographer.take(still.view());
  return colorPng(picture.width, picture.height, picture.pixels);
}

std::string notebookText(PageView& view, int height) {
  std::string still;
  if (view.world) {
    try {
      still = "<img alt=\"" + std::string("a picture of the world") +
              "\" style=\"position:absolute;inset:0;width:100%;height:100%;object-fit:contain\" "
              "src=\"data:image/png;base64," +
              toBase64(pictureOf(view, 640, 400)) + "\">";
    } catch (const Error& error) {
      // A build without cameras makes no pictures.
      still = "<p>there is no picture of the world: " + std::string(error.message()) + "</p>";
    }
  } else if (!view.core->open()) {
    still = "<p>the view is closed; run the cell again</p>";
  }
  const std::string box =
      "<div style=\"position:relative;width:100%;height:" + std::to_string(height) + "px\">" + still;
  if (!view.core->open()) return box + "</div>";
  view.core->allowFrames();
  view.publish();
  const std::string port = std::to_string(view.core->port());
  // The picture stays where the server is gone, as in a notebook that is opened later.
  return box +
         "<iframe title=\"the viewer\" style=\"position:absolute;inset:0;width:100%;height:100%;border:0\" src=\"" +
         view.core->address() +
         "\"></iframe><script>{const here=document.currentScript,frame=here&&here.previousSibling;" +
         "fetch(\"http://127.0.0.1:" + port +
         "/\",{mode:\"no-cors\"}).catch(()=>frame&&frame.remove());}</script></div>";
}

void bindShowing(py::module_& m, ViewClass& type) {
  bindMotion(type);
  bindAppearance(type);
  Class<World, WorldPtr>(py::type::of<World>())
      .def(
          "view", [](const WorldPtr& world, int port) { return viewOf(*world, port); }, py::arg("port") = 0,
          "view(port: int = 0) -> View\n\nShows the world in pages of a browser on this machine, at `View.address`, "
          "while "
          "the program goes on. port: 0 for any that is free.");
  Class<SimulationHandle>(py::type::of<SimulationHandle>())
      .def(
          "view", [](const py::object& self, int port) { return viewOfSimulation(self, port); }, py::arg("port") = 0,
          "view(port: int = 0) -> View\n\nAs `World.view`; each update of the view shows where the simulation is "
          "then.");
  define(m, "show", &show, py::arg("thing"), py::arg("world") = py::none(), py::arg("port") = 0,
         py::arg("browser") = true, py::arg("wait") = py::none(),
         "show(thing: World | Robot | Simulation | PlanResult | View | PathLike, world: World | None = None, port: int "
         "= 0, "
         "browser: bool = True, wait: bool | None = None) -> View\n\nShows a world, a robot, a simulation, a plan "
         "(with the "
         "world that it is in), or a file or folder: a log, a run, a world, a robot. Says the address, and opens the "
         "browser "
         "where there is a desktop. wait: until Ctrl-C; None: unless somebody types at Python, as in notebooks, which "
         "show "
         "the page.");
}

}  // namespace mortise::python
