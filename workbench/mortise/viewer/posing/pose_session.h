#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "mortise/viewer/posing/poser.h"
#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// Writes the resources; the answer says where to.
using SaveResources = std::function<std::string(const ResourceLibrary&)>;

/// A `Poser` for pages. Messages are maps with `type` and, where an answer is to be told from others, a number `n`;
/// messages with the same `gesture` are undone in one step. Every answer has the whole state, and the list of resources
/// where that has changed. `docs/viewer.md` has what pages offer.
class PoseSession final : public ViewSession {
 public:
  PoseSession(std::shared_ptr<const World> world, ResourceLibrary resources, SaveResources save);

  std::string kind() const override { return "pose"; }
  std::string join(int page) override;
  std::string answer(int page, const Value& message) override;
  std::optional<ViewPacket> next(int page) override;
  void leave(int page) override { pages_.erase(page); }

  Poser& poser() { return poser_; }
  /// The resources as they would be saved.
  ResourceLibrary library() const;

 private:
  struct Page {
    std::int64_t state = -1, resources = -1;  ///< Versions that it knows.
  };
  using Handler = void (PoseSession::*)(const Value& message, Value& result);

  static const std::map<std::string, Handler, std::less<>>& handlers();
  void onDriver(const Value& message, Value& result);
  void onLink(const Value& message, Value& result);
  void onDrag(const Value& message, Value& result);
  void onPlace(const Value& message, Value& result);
  void onConfiguration(const Value& message, Value& result);
  void onPin(const Value& message, Value& result);
  void onGoal(const Value& message, Value& result);
  void onUnpin(const Value& message, Value& result);
  void onSolve(const Value& message, Value& result);
  void onMirror(const Value& message, Value& result);
  void onStore(const Value& message, Value& result);
  void onLoad(const Value& message, Value& result);
  void onSet(const Value& message, Value& result);
  void onRename(const Value& message, Value& result);
  void onErase(const Value& message, Value& result);
  void onConvert(const Value& message, Value& result);
  void onPath(const Value& message, Value& result);
  void onMilestone(const Value& message, Value& result);
  void onSplit(const Value& message, Value& result);
  void onReverse(const Value& message, Value& result);
  void onRetime(const Value& message, Value& result);
  void onDiscretize(const Value& message, Value& result);
  void onOptimize(const Value& message, Value& result);
  void onCheck(const Value& message, Value& result);
  void onContact(const Value& message, Value& result);
  void onContactErase(const Value& message, Value& result);
  void onClean(const Value& message, Value& result);
  void onFriction(const Value& message, Value& result);
  void onFingers(const Value& message, Value& result);
  void onFinger(const Value& message, Value& result);
  void onSimplify(const Value& message, Value& result);
  void onMesh(const Value& message, Value& result);
  void onTouch(const Value& message, Value& result);
  void onBalance(const Value& message, Value& result);
  void onSave(const Value& message, Value& result);

  int robotOf(const Value& message) const;
  const RobotPtr& modelOf(int robot) const;
  /// Of the link or object that a message names.
  RigidTransform poseOf(const Value& message);
  Resource resourceFromPose(const Value& message);
  Grasp graspFromPose(int robot, int hand);
  void report(const Poser::Outcome& outcome, Value& result) const;
  std::string state(int page, Value result);
  Value goalList();
  Value resourceList() const;

  Poser poser_;
  SaveResources save_;
  std::int64_t version_ = 0, gesture_ = -1;
  std::map<int, Page> pages_;
};

}  // namespace mortise::viewer
