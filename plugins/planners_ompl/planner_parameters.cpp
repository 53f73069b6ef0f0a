#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <ompl/base/spaces/RealVectorStateSpace.h>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "ompl_session.h"
#include "planner_table.h"

namespace mortise::ompl_planners {

namespace ob = ompl::base;

namespace {

/// Meanings of the parameters; OMPL's list has no words. "Planner/name" goes before "name".
const std::map<std::string_view, std::string_view> kTexts = {
    {"range", "Longest step, in the space's metric; 0: a fifth of the space's extent."},
    {"LazyPRM/range", "Farthest neighbor to connect with, in the space's metric; 0: a fifth of the space's extent."},
    {"SST/range", "Longest step, in the space's metric; 0: a fifth of the space's extent (OMPL: 5)."},
    {"goal_bias", "How often a goal configuration is taken instead of a random one, if any is known."},
    {"intermediate_states", "Configurations along a step are kept as well."},
    {"max_nearest_neighbors", "Neighbors with which a new configuration is connected."},
    {"delay_collision_checking", "Checks edges to possible parents in order of cost, until one is feasible."},
    {"focus_search", "Turns informed_sampling or sample_rejection, tree_pruning and new_state_rejection on together."},
    {"informed_sampling", "Once there is a path, samples only where a better one could pass."},
    {"new_state_rejection", "New configurations through which no better path can pass are dropped."},
    {"number_sampling_attempts", "Tries for one informed sample."},
    {"ordered_sampling", "Takes samples in batches, the most promising first."},
    {"ordering_batch_size", "Samples in such a batch."},
    {"prune_threshold", "Prunes the tree when that part of it, or of the cost, can be gained."},
    {"rewire_factor", "Factor on the number of neighbors, or the radius, within which the tree is rewired."},
    {"sample_rejection", "Samples through which no better path can pass are dropped."},
    {"tree_pruning", "Removes what cannot lead to a better path."},
    {"use_admissible_heuristic", "Estimates of cost never exceed it; false: sharper ones, which may drop too much."},
    {"use_k_nearest", "Neighbors are the nearest few; false: those within a radius."},
    {"nearest_k", "Neighbors are the nearest few; false: those within a radius."},
    {"rejection_variant", "Which new configurations are kept: 0 all, 1 to 3 as in the article, ever fewer."},
    {"rejection_variant_alpha", "Factor on the cost in that comparison."},
    {"update_children", "Improvements go to children at once."},
    {"epsilon", "Improvements below this, in cost, are not passed on."},
    {"LazyLBTRRT/epsilon", "By how much, relative, paths may cost more than RRTstar's."},
    {"cost_threshold", "Ways that cost more are never taken."},
    {"frontier_node_ratio", "At most so many new nodes near the tree for each one that is far from it."},
    {"frontier_threshold", "Farther from the tree than this is far; 0: a hundredth of the space's extent."},
    {"init_temperature", "Temperature at the beginning: the higher, the likelier costly edges are accepted."},
    {"temp_change_factor", "How fast the temperature changes."},
    {"border_fraction", "How often cells at the border of what is covered are expanded."},
    {"failed_expansion_score_factor", "Factor on the score of a cell that could not be expanded."},
    {"min_valid_path_fraction", "Least part of a step that must be free for the step to be kept that far."},
    {"degree", "Branches of a node of the index of neighbors."},
    {"max_degree", "Most branches of a node of the index of neighbors."},
    {"min_degree", "Fewest branches of a node of the index of neighbors."},
    {"max_pts_per_leaf", "Configurations in a leaf of the index of neighbors."},
    {"use_projected_distance", "Neighbors by distance along a few directions instead of the space's metric."},
    {"selection_radius", "Of the nodes so near, the cheapest is extended; 0: a tenth of the extent (OMPL: 5)."},
    {"pruning_radius", "Of nodes so near, only the cheapest stays; 0: a fiftieth of the extent (OMPL: 3)."},
    {"cache_cc", "Remembers which edges were found infeasible."},
    {"extended_fmt", "Draws further samples where those drawn do not suffice."},
    {"heuristics", "Expands in order of estimated cost of the whole path, not of the cost so far."},
    {"num_samples", "Samples drawn first; doubled whenever planning goes on for a better path."},
    {"radius_multiplier", "Factor on the radius, or the number of neighbors, of connections."},
    {"balanced", "Expands the side that has come less far; false: sides take turns."},
    {"optimality", "Stops when the path through the samples is best; false: when the sides meet."},
    {"delay_rewiring_to_first_solution", "Rewires only once there is a path."},
    {"drop_unconnected_samples_on_prune", "Samples without connection are dropped when the graph is pruned."},
    {"find_approximate_solutions", "Follows what comes nearest to the goal; no such path is given back."},
    {"prune_threshold_as_fractional_cost_change", "Prunes when the cost has fallen by this part."},
    {"samples_per_batch", "Samples in a batch."},
    {"stop_on_each_solution_improvement", "Ends the plan at every better path."},
    {"use_graph_pruning", "Removes what cannot lead to a better path."},
    {"use_just_in_time_sampling", "Draws samples when the search gets there; needs use_k_nearest to be off."},
    {"use_strict_queue_ordering", "Keeps the order of the queue true after each improvement."},
    {"inflation_scaling_parameter", "How fast the search gets strict: the smaller, the sooner."},
    {"initial_inflation_factor", "Weight on what is estimated to be left to pay in the first search."},
    {"truncation_scaling_parameter", "How fast searches are finished ever more thoroughly."},
    {"dense_delta_fraction", "Distance of neighbors in the dense roadmap, as a part of the extent."},
    {"sparse_delta_fraction", "How far a configuration of the sparse roadmap sees, as a part of the extent."},
    {"max_failures", "Ends after so many samples in a row that add nothing."},
    {"stretch_factor", "By which factor paths may be longer than in the dense roadmap."},
    {"keep_last_valid", "A blocked step is kept as far as it is free."},
};

/// A correction where OMPL's own list does not say what happens, or suggests a range that is none.
struct Correction {
  std::string_view planner, name;
  double standard;
  double ofExtent = 0;
};
constexpr Correction kCorrections[] = {
    {"PRM", "max_nearest_neighbors", 10}, {"LazyPRM", "max_nearest_neighbors", 5}, {"SST", "range", 0, 0.2},
    {"SST", "selection_radius", 0, 0.1},  {"SST", "pruning_radius", 0, 0.02},
};

/// Parameters that OMPL lists and that change nothing here. They are not offered, so that naming one is an error.
constexpr std::pair<std::string_view, std::string_view> kWithoutEffect[] = {
    {"BiRLRT", "max_dist_near"},        // Set and never read.
    {"RRTstar", "pruned_measure"},      // Needs the volume of what is left to search, which is known of R^n only.
    {"STRIDE", "estimated_dimension"},  // Handed to the index of neighbors as the size of its cache.
};

/// "low:high" or "low:step:high".
void readRange(const std::string& text, ParameterOptions& options) {
  const auto first = text.find(':'), last = text.rfind(':');
  if (first == std::string::npos) return;
  const auto number = [](std::string_view t, double& value) {
    const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
    return error == std::errc() && end == t.data() + t.size();
  };
  double low = 0, high = 0;
  const std::string_view view(text);
  if (!number(view.substr(0, first), low) || !number(view.substr(last + 1), high)) return;
  options.min = low;
  options.max = high;
}

std::string_view textOf(const PlannerEntry& entry, const std::string& name) {
  if (const auto own = kTexts.find(std::string(entry.name) + "/" + name); own != kTexts.end()) return own->second;
  if (const auto any = kTexts.find(name); any != kTexts.end()) return any->second;
  return "OMPL's parameter of that name.";
}

PlannerParameter parameterOf(const PlannerEntry& entry, const std::string& name, const ob::GenericParam& source) {
  PlannerParameter result;
  result.name = name;
  result.summary = textOf(entry, name);
  ParameterOptions& options = result.options;
  double standard = 0;
  bool integer = false;
  if (const auto* flag = dynamic_cast<const ob::SpecificParam<bool>*>(&source)) {
    result.defaultValue = flag->getValue() == "1";
    return result;
  }
  integer = dynamic_cast<const ob::SpecificParam<double>*>(&source) == nullptr;
  standard = std::stod(source.getValue());
  readRange(source.getRangeSuggestion(), options);
  for (const Correction& correction : kCorrections) {
    if (correction.planner != entry.name || correction.name != name) continue;
    standard = correction.standard;
    result.ofExtent = correction.ofExtent;
  }
  // Lengths and costs have the scale of the space, which OMPL's suggestions for them do not know.
  const bool scaled = name == "range" || name.ends_with("radius") || name == "epsilon";
  if (scaled) options.max = kInfinity;
  if (name == "max_nearest_neighbors") options.min = 1;
  if (std::isinf(options.min)) options.min = 0;
  options.min = std::min(options.min, standard);
  options.max = std::max(options.max, standard);
  if (integer) {
    result.defaultValue = static_cast<std::int64_t>(std::llround(standard));
    if (std::isinf(options.max)) options.max = 1e9;
  } else {
    result.defaultValue = standard;
    options.infinite = std::isinf(standard);
  }
  if (name == "range") options.aliases = {entry.name == "LazyPRM" ? "connectionThreshold" : "perturbationRadius"};
  if (name == "max_nearest_neighbors") options.aliases = {"knn"};
  return result;
}

}  // namespace

std::vector<PlannerParameter> plannerParameters(const PlannerEntry& entry) {
  RandomStream random;
  const OmplSession session(random, nullptr);
  static const ob::SpaceInformationPtr information = [] {
    const auto space = std::make_shared<ob::RealVectorStateSpace>(2);
    space->setBounds(0, 1);
    return std::make_shared<ob::SpaceInformation>(space);
  }();
  std::vector<PlannerParameter> parameters;
  const OmplPlannerHandle made = entry.make(information);
  for (const auto& [name, source] : made.planner->params().getParams())
    if (std::find(std::begin(kWithoutEffect), std::end(kWithoutEffect),
                  std::pair<std::string_view, std::string_view>(entry.name, name)) == std::end(kWithoutEffect))
      parameters.push_back(parameterOf(entry, name, *source));
  return parameters;
}

}  // namespace mortise::ompl_planners
