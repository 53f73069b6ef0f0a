#include "mortise/viewer/posing/pose_session.h"

#include "mortise/base/error.h"
#include "mortise/viewer/posing/hold_edit.h"

namespace mortise::viewer {

namespace {

/// The driver that moves each link: its own, or that of the link that it is welded to; -1: none.
std::vector<int> driversOfLinks(const Robot& robot) {
  std::vector<int> drivers;
  for (int l = 0; l < robot.numLinks(); ++l) {
    const mortise::Link& link = robot.link(l);
    const bool welded = link.qMin == link.qMax;
    const int own = robot.driverOfLink(l);
    drivers.push_back(own < 0 && welded && link.parent >= 0 ? drivers[static_cast<std::size_t>(link.parent)] : own);
  }
  return drivers;
}

message::PosedRobot describeRobot(const WorldRobot& placed, int baseLink) {
  const Robot& robot = *placed.robot;
  message::PosedRobot out;
  out.name = placed.name;
  out.base = baseLink < 0                           ? message::BaseKind::fixed
             : baseLink == robot.floatingBaseLink() ? message::BaseKind::floating
                                                    : message::BaseKind::planar;
  out.baseLink = baseLink;
  for (int d = 0; d < robot.numDrivers(); ++d)
    out.drivers.push_back({robot.driver(d).name, {robot.driver(d).qMin}, {robot.driver(d).qMax}});
  for (const mortise::Link& link : robot.links()) out.links.push_back({{link.qMin}, {link.qMax}, link.parent});
  out.driverOfLink = driversOfLinks(robot);
  return out;
}

/// Says whether a request changes nothing; such a request ends no gesture either.
bool isQuestion(const message::PoseRequest& request) {
  return std::visit(
      []<typename Request>(const Request&) {
        return requires { Request::isQuestion; };
      },
      request);
}

}  // namespace

PoseSession::PoseSession(std::shared_ptr<const World> world, ResourceLibrary resources, SaveResources save)
    : poser_(std::move(world), std::move(resources)), save_(std::move(save)), saved_(poser_.document().resources) {}

ResourceLibrary PoseSession::library() const {
  ResourceLibrary library;
  for (const auto& item : poser_.document().resources) library.items.push_back(*item);
  return library;
}

std::string PoseSession::join(int page) {
  pages_[page] = {};
  message::State result;
  result.robots.emplace();
  for (const WorldRobot& robot : poser_.world().robots)
    result.robots->push_back(describeRobot(robot, poser_.baseLink(static_cast<int>(result.robots->size()))));
  result.canSave = static_cast<bool>(save_);
  return state(page, std::move(result));
}

std::string PoseSession::answer(int page, const PageMessage& message) {
  const auto* pose = std::get_if<message::PoseMessage>(&message);
  if (pose == nullptr) throw Error("a posed world takes no '" + typeOf(message) + "'");
  Turn turn{pose->common.robot, {}};
  turn.result.n = pose->common.n;
  if (!isQuestion(pose->request)) {
    const std::int64_t gesture = pose->common.gesture;
    if (gesture < 0 || gesture != gesture_) poser_.beginStep();
    gesture_ = gesture;
  }
  try {
    std::visit([&](const auto& request) { on(request, turn); }, pose->request);
    if (pose->common.balance) {
      // What is held may be gone by now.
      const auto& resources = poser_.document().resources;
      const auto held = static_cast<std::size_t>(pose->common.held.value_or(-1));
      reportBalance(held < resources.size() ? holdsOf(resources[held]->value) : std::vector<Hold>(), turn);
    }
  } catch (const Error& error) {
    turn.result.problem = error.what();
  }
  ++version_;
  return state(page, std::move(turn.result));
}

std::optional<ViewPacket> PoseSession::next(int page) {
  if (pages_[page].state == version_) return std::nullopt;
  return ViewPacket{true, state(page, {})};
}

std::string PoseSession::state(int page, message::State result) {
  const PoseDocument& document = poser_.document();
  for (std::size_t r = 0; r < document.q.size(); ++r) {
    const Robot& robot = *poser_.world().robots[r].robot;
    result.q.emplace_back(document.q[r].begin(), document.q[r].end());
    std::vector<double>& values = result.drivers.emplace_back();
    for (int d = 0; d < robot.numDrivers(); ++d) values.push_back(driverValue(robot, d, document.q[r]));
  }
  for (const RigidTransform& X : document.objects) X.toRows(result.objects.emplace_back().data());
  result.goals = goalList();
  for (const IdPair& pair : poser_.collisions()) result.collisions.push_back({pair.a, pair.b});
  result.limits = poser_.atLimits();
  result.touch = poser_.touch();
  result.undo = static_cast<int>(poser_.undoCount());
  result.redo = static_cast<int>(poser_.redoCount());
  Page& known = pages_[page];
  if (known.resources != poser_.resourceVersion()) result.resources = resourceList();
  known = {version_, poser_.resourceVersion()};
  return jsonOf(std::move(result));
}

const RobotPtr& PoseSession::modelOf(int robot) const {
  const std::vector<WorldRobot>& robots = poser_.world().robots;
  if (robot < 0 || robot >= static_cast<int>(robots.size())) throw Error("there is no robot " + std::to_string(robot));
  return robots[static_cast<std::size_t>(robot)].robot;
}

const VectorXd& PoseSession::configurationOf(int robot) const {
  modelOf(robot);
  return poser_.document().q[static_cast<std::size_t>(robot)];
}

void PoseSession::report(const Poser::Outcome& outcome, Turn& turn) {
  turn.result.solved = outcome.solved;
  turn.result.residual = outcome.residual;
}

// ---------------------------------------------------------------------------------------------------------------------
// Poses

void PoseSession::on(const message::Driver& m, Turn& turn) {
  report(poser_.setDriver(turn.robot, m.driver, m.value), turn);
}

void PoseSession::on(const message::Link& m, Turn& turn) { report(poser_.setLink(turn.robot, m.link, m.value), turn); }

void PoseSession::on(const message::Drag& m, Turn& turn) {
  if (m.hold) poser_.holdPoint(turn.robot, m.link, m.point);
  report(poser_.drag(turn.robot, m.link, m.point, m.target, m.base), turn);
}

void PoseSession::on(const message::Place& m, Turn& turn) {
  if (m.object)
    poser_.placeObject(*m.object, m.T.X);
  else
    report(poser_.placeBase(turn.robot, m.T.X), turn);
}

void PoseSession::on(const message::Configuration& m, Turn& turn) { poser_.setConfiguration(turn.robot, m.q); }

void PoseSession::on(const message::Mirror&, Turn& turn) { poser_.mirror(turn.robot); }

void PoseSession::on(const message::Undo&, Turn&) { poser_.undo(); }

void PoseSession::on(const message::Redo&, Turn&) { poser_.redo(); }

}  // namespace mortise::viewer
