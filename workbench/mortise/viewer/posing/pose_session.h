#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mortise/viewer/posing/poser.h"
#include "mortise/viewer/protocol/write_message.h"
#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// Writes the resources; the answer says where to.
using SaveResources = std::function<std::string(const ResourceLibrary&)>;

/// A `Poser` for pages. Their messages are those of `protocol/page_message.h`; every answer has the whole state, and
/// the list of resources where that has changed. `docs/viewer.md` has what pages offer.
class PoseSession final : public ViewSession {
 public:
  PoseSession(std::shared_ptr<const World> world, ResourceLibrary resources, SaveResources save);

  SessionKind kind() const override { return SessionKind::pose; }
  std::string join(int page) override;
  std::string answer(int page, const PageMessage& message) override;
  std::optional<ViewPacket> next(int page) override;
  void leave(int page) override { pages_.erase(page); }

  Poser& poser() { return poser_; }
  /// The resources as they would be saved.
  ResourceLibrary library() const;
  /// Says whether there are resources that are not as they were read or saved last.
  bool hasUnsaved() const { return poser_.document().resources != saved_; }

 private:
  struct Page {
    std::int64_t state = -1, resources = -1;  ///< Versions that it knows.
  };
  /// A message that is obeyed.
  struct Turn {
    int robot;
    message::State result;
  };

  void on(const message::Driver& m, Turn& turn);
  void on(const message::Link& m, Turn& turn);
  void on(const message::Drag& m, Turn& turn);
  void on(const message::Place& m, Turn& turn);
  void on(const message::Configuration& m, Turn& turn);
  void on(const message::Pin& m, Turn& turn);
  void on(const message::Goal& m, Turn& turn);
  void on(const message::Unpin& m, Turn& turn);
  void on(const message::Solve& m, Turn& turn);
  void on(const message::Mirror& m, Turn& turn);
  void on(const message::Store& m, Turn& turn);
  void on(const message::Touch& m, Turn& turn);
  void on(const message::Balance& m, Turn& turn);
  void on(const message::Save& m, Turn& turn);
  void on(const message::Undo& m, Turn& turn);
  void on(const message::Redo& m, Turn& turn);
  void on(const message::Load& m, Turn& turn);
  void on(const message::Set& m, Turn& turn);
  void on(const message::Rename& m, Turn& turn);
  void on(const message::Erase& m, Turn& turn);
  void on(const message::Convert& m, Turn& turn);
  void on(const message::Path& m, Turn& turn);
  void on(const message::Milestone& m, Turn& turn);
  void on(const message::Split& m, Turn& turn);
  void on(const message::Reverse& m, Turn& turn);
  void on(const message::Retime& m, Turn& turn);
  void on(const message::Discretize& m, Turn& turn);
  void on(const message::Optimize& m, Turn& turn);
  void on(const message::Check& m, Turn& turn);
  void on(const message::Contact& m, Turn& turn);
  void on(const message::ContactErase& m, Turn& turn);
  void on(const message::Clean& m, Turn& turn);
  void on(const message::Friction& m, Turn& turn);
  void on(const message::Fingers& m, Turn& turn);
  void on(const message::Finger& m, Turn& turn);
  void on(const message::Simplify& m, Turn& turn);
  void on(const message::Mesh& m, Turn& turn);

  const RobotPtr& modelOf(int robot) const;
  const VectorXd& configurationOf(int robot) const;
  /// Returns the pose of the link or object that is selected.
  RigidTransform poseOf(const message::Store& m, int robot);
  Resource resourceFromPose(const message::Store& m, int robot);
  Resource contactsFromPose(const message::Store& m, int robot);
  Resource shapeFromWorld(int id) const;
  Grasp graspFromPose(int robot, int hand);
  void reportBalance(const std::vector<Hold>& holds, Turn& turn);
  static void report(const Poser::Outcome& outcome, Turn& turn);
  std::string state(int page, message::State result);
  std::vector<message::PosedGoal> goalList();
  std::vector<message::ListedResource> resourceList() const;

  Poser poser_;
  SaveResources save_;
  std::vector<std::shared_ptr<const ResourceItem>> saved_;
  std::int64_t version_ = 0, gesture_ = -1;
  std::map<int, Page> pages_;
};

}  // namespace mortise::viewer
