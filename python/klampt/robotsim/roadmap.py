"""Roadmaps of planners: configurations, and pairs of their indices that edges connect."""

import heapq

__all__ = ["shortest_path"]


def shortest_path(vertices, edges, start, goals, distance):
    """The configurations of the shortest path from the index `start` to the nearest of `goals` (Dijkstra); None: there is
    none."""
    neighbors = {}
    for a, b in edges:
        neighbors.setdefault(a, []).append(b)
        neighbors.setdefault(b, []).append(a)
    best, queue = {start: (0.0, None)}, [(0.0, start)]
    while queue:
        length, at = heapq.heappop(queue)
        if at in goals:
            path = []
            while at is not None:
                path.append(vertices[at])
                at = best[at][1]
            return path[::-1]
        if length > best[at][0]:
            continue
        for other in neighbors.get(at, ()):
            total = length + distance(vertices[at], vertices[other])
            if other not in best or total < best[other][0]:
                best[other] = (total, at)
                heapq.heappush(queue, (total, other))
    return None
