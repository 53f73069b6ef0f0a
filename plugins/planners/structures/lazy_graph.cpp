#include "structures/lazy_graph.h"

#include <algorithm>
#include <functional>

namespace mortise::planners {

void LazyGraph::clear() {
  edges_.clear();
  first_.clear();
  cost_.clear();
  onward_.clear();
  bound_ = kNever;
  arrival_.clear();
  isAffected_.clear();
  left_ = 0;
}

int LazyGraph::addNode(bool source, double onward) {
  onward_.push_back(onward);
  first_.push_back(-1);
  cost_.push_back(source ? 0 : kNever);
  arrival_.push_back(-1);
  isAffected_.push_back(0);
  return numNodes() - 1;
}

bool LazyGraph::connected(int a, int b) const {
  for (int e = first_[a]; e >= 0; e = edges_[e].next[slot(e, a)])
    if (other(e, a) == b) return true;
  return false;
}

void LazyGraph::improve(int node, double cost, int arrival) {
  if (!(cost < cost_[node]) || !(cost + onward_[node] < bound_)) return;
  cost_[node] = cost;
  arrival_[node] = arrival;
  queue_.emplace_back(cost, node);
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void LazyGraph::spread() {
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const auto [cost, node] = queue_.back();
    queue_.pop_back();
    if (cost > cost_[node]) continue;
    for (int e = first_[node]; e >= 0; e = edges_[e].next[slot(e, node)])
      improve(other(e, node), cost + edges_[e].cost[direction(e, node)], e);
  }
}

int LazyGraph::addEdge(int a, int b, double ab, double ba, bool freeAb, bool freeBa) {
  const int e = numEdges();
  edges_.push_back({a, b, {ab, ba}, {freeAb, freeBa}});
  edges_[e].next[0] = first_[a];
  first_[a] = e;
  edges_[e].next[1] = first_[b];
  first_[b] = e;
  ++left_;
  improve(b, cost_[a] + ab, e);
  improve(a, cost_[b] + ba, e);
  spread();
  return e;
}

void LazyGraph::unlink(int edge, int side) {
  const int node = side == 0 ? edges_[edge].a : edges_[edge].b;
  int* link = &first_[node];
  while (*link != edge) link = &edges_[*link].next[slot(*link, node)];
  *link = edges_[edge].next[side];
}

void LazyGraph::removeEdge(int edge) {
  Edge& gone = edges_[edge];
  if (gone.gone) return;
  gone.gone = true;
  --left_;
  unlink(edge, 0);
  unlink(edge, 1);
  int top = -1;
  for (const int node : {gone.a, gone.b})
    if (arrival_[node] == edge) top = node;
  if (top < 0) return;
  // Everything whose cheapest path goes over it.
  affected_.assign(1, top);
  isAffected_[top] = 1;
  for (std::size_t k = 0; k < affected_.size(); ++k) {
    const int node = affected_[k];
    for (int e = first_[node]; e >= 0; e = edges_[e].next[slot(e, node)]) {
      const int next = other(e, node);
      if (arrival_[next] != e || isAffected_[next] != 0) continue;
      isAffected_[next] = 1;
      affected_.push_back(next);
    }
  }
  for (const int node : affected_) {
    cost_[node] = kNever;
    arrival_[node] = -1;
  }
  for (const int node : affected_) {
    for (int e = first_[node]; e >= 0; e = edges_[e].next[slot(e, node)]) {
      const int from = other(e, node);
      if (isAffected_[from] == 0) improve(node, cost_[from] + edges_[e].cost[direction(e, from)], e);
    }
  }
  for (const int node : affected_) isAffected_[node] = 0;
  spread();
}

}  // namespace mortise::planners
