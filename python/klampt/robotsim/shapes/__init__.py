"""Data of shapes: clouds, grids, heightmaps, meshes and primitives."""
