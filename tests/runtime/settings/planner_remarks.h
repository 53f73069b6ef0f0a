#pragma once

/// Settings of planners that need others beside them in the tests' spaces, or do nothing there, and why.

#include "tests/runtime/settings/sweep.h"

namespace mortise::test {

inline const SettingRemarks& plannerRemarks() {
  static const SettingRemarks all = {
      {"*.restart_term_cond", {.value = "'{foundSolution:1;maxIters:40}'", .with = "{restart: true}"}},
      {"*.use_just_in_time_sampling", {.with = "{use_k_nearest: false}"}},
      {"*.number_sampling_attempts", {.value = "10", .with = "{informed_sampling: true}"}},
      {"*.ordering_batch_size", {.value = "20", .with = "{informed_sampling: true, ordered_sampling: true}"}},
      {"*.ordered_sampling", {.with = "{informed_sampling: true, ordering_batch_size: 20}"}},
      {"*.prune_threshold", {.value = "0.9", .with = "{tree_pruning: true}"}},
      {"*.rejection_variant_alpha", {.value = "0.5", .with = "{rejection_variant: 2}"}},
      {"*.rejection_variant", {.value = "3"}},
      {"*.find_approximate_solutions",
       {.nothing = "Paths that end elsewhere are not given back, and its own text says so."}},
      {"*.delay_rewiring_to_first_solution",
       {.nothing =
            "Only edges that would be rewired before the first path are delayed, of which these spaces have none."}},
      {"*.use_strict_queue_ordering",
       {.nothing = "Only improvements of costs put the queue out of order, and none does so in these spaces."}},
      {"*.extended_fmt", {.with = "{num_samples: 10}"}},
      {"ompl.RRTstar.use_admissible_heuristic", {.with = "{tree_pruning: true, prune_threshold: 0}"}},
      {"ompl.SPARS.stretch_factor", {.with = "{sparse_delta_fraction: 0.1, dense_delta_fraction: 0.05}"}},
      {"ompl.SPARStwo.stretch_factor", {.with = "{sparse_delta_fraction: 0.1, dense_delta_fraction: 0.05}"}},
      {"ompl.STRIDE.degree", {.value = "2", .with = "{min_degree: 2, max_pts_per_leaf: 2}"}},
      {"ompl.STRIDE.max_degree",
       {.nothing = "It bounds `degree`; OMPL's index gives no child more branches than its share of `degree`."}},
      {"ompl.KPIECE1.border_fraction", {.value = "0.1", .with = "{range: 0.3}"}},
      {"*.temp_change_factor", {.value = "0.9", .with = "{init_temperature: 0.5}"}},
      {"*.point_location", {.value = "randombest 3"}},
      {"mortise.PRM.store_edges", {.nothing = "It is accepted from Klamp't's settings, and its own text says so."}},
  };
  return all;
}

}  // namespace mortise::test
