#pragma once

/// Spaces made of others: a product of several, and a part of one.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

/// One factor of a product.
struct SpacePart {
  std::string name;                      ///< Prefix of its constraints and coordinates: "arm" makes "arm.collision".
  std::shared_ptr<PlanningSpace> space;  ///< Not used by anybody else at the same time.
  double weight = 1;                     ///< Weight of its distance, above 0.
};

/// Something that the parts have to satisfy together. Called by several threads at once where the space is copied.
struct SpaceConstraint {
  std::string name;
  std::function<bool(const VectorXd& q)> holds;
  std::function<std::string(const VectorXd& q)> explain = {};  ///< Why not, for people; may be empty.
};

struct ComposedSpaceOptions {
  std::vector<SpaceConstraint> constraints = {};
  /// Steps on edges in which `constraints` are checked, in the product's metric; 1/1000 of the extent by default.
  double resolution = 0;
};

/// Configurations have the coordinates of the parts, one after another; on an edge all parts move at once. Distances
/// are the root of the sum of squares of weight * distance. Everything that holds of the parts has to hold.
class ComposedSpace final : public PlanningSpace {
 public:
  /// Throws `Error` without parts, for names that are empty or twice there, and for weights not above 0.
  explicit ComposedSpace(std::vector<SpacePart> parts, ComposedSpaceOptions options = {});

  int numParts() const { return static_cast<int>(parts_.size()); }
  PlanningSpace& part(int i) { return *parts_.at(static_cast<std::size_t>(i)).space; }
  /// Coordinates of part i begin here; of `numParts()`: the dimension.
  int firstCoordinate(int i) const { return first_.at(static_cast<std::size_t>(i)); }

  int dimension() const override { return first_.back(); }
  std::string coordinateName(int i) const override;
  Value properties() const override;
  void bounds(VectorXd& low, VectorXd& high) const override;
  double distance(const VectorXd& a, const VectorXd& b) const override;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override;
  void sample(RandomStream& random, VectorXd& q) override;
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override;
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override;
  bool visible(const VectorXd& a, const VectorXd& b) override;
  std::string explain(int constraint, const VectorXd& q) override;
  void refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const override;
  double extent() const override;
  double measure() const override;
  std::unique_ptr<PlanningSpace> copy() const override;
  Counts counts() const override { return counts_; }

 private:
  VectorXd of(const VectorXd& q, std::size_t part) const {
    return q.segment(first_[part], first_[part + 1] - first_[part]);
  }

  std::vector<SpacePart> parts_;
  ComposedSpaceOptions options_;
  std::vector<int> first_;
  std::vector<std::string> names_;
  std::vector<std::pair<int, int>> owners_;  ///< By constraint: the part (-1: none) and its own number.
  VectorXd q_;
  Counts counts_;
};

/// Some coordinates of another space; the others stay where they are.
class SubsetSpace final : public PlanningSpace {
 public:
  /// `free`: coordinates of `space`, in any order; `base`: all of its coordinates. `space` is not used by anybody else
  /// at the same time. Throws `Error` for coordinates that do not exist or are named twice, and where edges of the
  /// space move coordinates that should stay (as the numbers of a rotation do).
  SubsetSpace(std::shared_ptr<PlanningSpace> space, std::vector<int> free, VectorXd base);

  PlanningSpace& space() { return *space_; }
  void lift(const VectorXd& q, VectorXd& full) const;
  void reduce(const VectorXd& full, VectorXd& q) const;

  int dimension() const override { return static_cast<int>(free_.size()); }
  std::string coordinateName(int i) const override;
  Value properties() const override;
  void bounds(VectorXd& low, VectorXd& high) const override;
  double distance(const VectorXd& a, const VectorXd& b) const override;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override;
  void sample(RandomStream& random, VectorXd& q) override;
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override;
  std::span<const std::string> constraints() const override { return space_->constraints(); }
  bool satisfies(int constraint, const VectorXd& q) override;
  bool feasible(const VectorXd& q, int* violated = nullptr) override;
  bool visible(const VectorXd& a, const VectorXd& b) override;
  std::string explain(int constraint, const VectorXd& q) override;
  void refine(const VectorXd& a, const VectorXd& b, double tolerance, std::vector<VectorXd>& path) const override;
  double extent() const override;
  std::unique_ptr<PlanningSpace> copy() const override;
  Counts counts() const override { return space_->counts(); }

 private:
  std::shared_ptr<PlanningSpace> space_;
  std::vector<int> free_;
  VectorXd base_;
  mutable VectorXd a_, b_, full_;
};

}  // namespace mortise
