"""Planes, normals, colors and samples of clouds and meshes."""

import numpy as np

from ..math import so3, vectorops
from ..robotsim import Appearance, GeometricPrimitive, Geometry3D, PointCloud, TriangleMesh
from ._geometry.colors import cloud_of as _cloud_of
from ._geometry.colors import point_cloud_colors, point_cloud_set_colors  # noqa: F401
from ._geometry.heightmaps import heightmap_normals, lower_heightmap, upper_heightmap  # noqa: F401
from .create.primitives import box, sphere  # noqa: F401

# Programs get these along with `import *`.
import math
from ..math import se3
from ..robotsim import Heightmap, RigidObjectModel, RobotModel, RobotModelLink, TerrainModel, WorldModel


class PlaneFitter:
    """Fits a plane to points that may come one by one: normal, centroid, plane_equation()."""

    def __init__(self, points=None):
        self.count = 0
        self.sum = np.zeros(3)
        self.products = np.zeros((3, 3))
        self.centroid = None
        self.normal = None
        for p in [] if points is None else points:
            self._take(p)
        self._update()

    def _take(self, p):
        p = np.asarray(p, dtype=float)
        self.count += 1
        self.sum += p
        self.products += np.outer(p, p)

    def _update(self):
        if self.count:
            self.centroid = self.sum / self.count
        if self.count >= 3:
            self.eigenvalues, vectors = np.linalg.eigh(self.cov)
            self.normal = vectors[:, 0]

    @property
    def cov(self):
        """Covariance (3, 3) of the points."""
        return self.products / self.count - np.outer(self.centroid, self.centroid)

    def add_point(self, pt):
        self._take(pt)
        self._update()

    def merge(self, fitter, inplace=False):
        """The fit of both sets of points."""
        res = self if inplace else PlaneFitter()
        res.count, res.sum = self.count + fitter.count, self.sum + fitter.sum
        res.products = self.products + fitter.products
        res._update()
        return res

    def plane_equation(self):
        """(a, b, c, d) with a x + b y + c z + d = 0."""
        return (*self.normal, -float(self.normal @ self.centroid))

    def goodness_of_fit(self):
        """Root mean square distance, for the points beyond the three that any plane fits; inf for three and fewer."""
        return float(np.sqrt(self.sse / (self.count - 3))) if self.count > 3 else float("inf")

    @property
    def sse(self):
        """Sum of squared distances."""
        return self.count * max(0.0, float(self.eigenvalues[0]))

    def distance(self, pt):
        """Signed distance of a point."""
        return float(self.normal @ (np.asarray(pt) - self.centroid))


def fit_plane3(point1, point2, point3):
    """Plane (a, b, c, d) through three points."""
    n = vectorops.unit(vectorops.cross(vectorops.sub(point2, point1),
                                       vectorops.sub(point3, point1)), 1e-12)
    return (*n, -vectorops.dot(n, point1))


def fit_plane(points):
    """Plane (a, b, c, d) of least squared distances."""
    if len(points) < 3:
        raise ValueError(f"a plane wants at least 3 points, got {len(points)}")
    return PlaneFitter(points).plane_equation()


def fit_plane_centroid(points):
    """(centroid, normal) of the plane of least squared distances."""
    if len(points) < 3:
        raise ValueError(f"a plane wants at least 3 points, got {len(points)}")
    f = PlaneFitter(points)
    return (f.centroid.tolist(), f.normal.tolist())


def align_points_rotation(apts, bpts):
    """The rotation R that brings points a nearest to b (Kabsch, 1976)."""
    H = np.asarray(apts, float).T @ np.asarray(bpts, float)
    U, _, V = np.linalg.svd(H)
    d = np.sign(np.linalg.det(V.T @ U.T))
    return so3.from_ndarray(V.T @ np.diag([1, 1, d]) @ U.T)


def align_points(apts, bpts):
    """The transform (R, t) that brings points a nearest to b."""
    a, b = np.asarray(apts, float), np.asarray(bpts, float)
    R = align_points_rotation(a - a.mean(0), b - b.mean(0))
    return (R, vectorops.sub(b.mean(0).tolist(), so3.apply(R, a.mean(0).tolist())))


def point_cloud_simplify(pc, radius):
    """A cloud with one point (the mean) a cell of size radius."""
    if radius <= 0:
        raise ValueError(f"radius must be positive, got {radius}")
    cloud = _cloud_of(pc)
    data = np.asarray(cloud.points)
    if cloud.numProperties():
        data = np.hstack((data, np.asarray(cloud.properties)))
    cells = np.floor(data[:, :3] / radius).astype(np.int64)
    _, which, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    means = np.column_stack([np.bincount(which.ravel(), data[:, k]) / counts
                             for k in range(data.shape[1])])
    res = PointCloud()
    res.setPoints(np.ascontiguousarray(means[:, :3]))
    for i in range(cloud.numProperties()):
        res.addProperty(cloud.getPropertyName(i), np.ascontiguousarray(means[:, 3 + i]))
    return res if not isinstance(pc, Geometry3D) else Geometry3D(res)


def _neighbors(points, radius, knn):
    """(indices, first, counts): the neighbors of all points one after another, where each point's begin, how many."""
    from scipy.spatial import cKDTree
    tree = cKDTree(points)
    if radius is None:
        k = min(len(points), 15 if knn is None else knn + 1)
        counts = np.full(len(points), k)
        flat = np.asarray(tree.query(points, k)[1]).reshape(-1)
    else:
        groups = tree.query_ball_point(points, radius)
        counts = np.array([len(g) for g in groups])
        flat = np.concatenate([np.asarray(g, dtype=int) for g in groups])
    return flat, np.concatenate(([0], np.cumsum(counts)[:-1])), counts


def _plane_normals(points, radius, knn):
    """Normals of the planes of least squared distances through each point's neighbors; 0 where there are fewer than 3."""
    flat, first, counts = _neighbors(points, radius, knn)
    near = points[flat]
    mean = np.add.reduceat(near, first) / counts[:, None]
    off = near - np.repeat(mean, counts, axis=0)
    spread = np.add.reduceat(off[:, :, None] * off[:, None, :], first)
    normals = np.linalg.eigh(spread)[1][:, :, 0]
    normals[counts < 3] = 0.0
    return normals


def point_cloud_normals(pc, estimation_radius=None, estimation_knn=None, estimation_viewpoint=None,
                        add=True):
    """Unit normals (n, 3): the cloud's properties normal_x, normal_y, normal_z, else by planes through neighbors, which
    are added as these properties when add is set."""
    cloud = _cloud_of(pc)
    points = np.asarray(cloud.points)
    columns = [cloud.propertyIndex(name) for name in ("normal_x", "normal_y", "normal_z")]
    if min(columns) >= 0:
        return np.array(cloud.properties)[:, columns]
    if len(points) == 0:
        return np.zeros((0, 3))
    normals = _plane_normals(points, estimation_radius, estimation_knn)
    view = estimation_viewpoint
    away = points - np.asarray(view) if view is not None else -np.ones_like(points) * [0, 0, 1]
    normals[(normals * away).sum(1) > 0] *= -1
    if add:
        for i, name in enumerate(("normal_x", "normal_y", "normal_z")):
            cloud.addProperty(name, np.ascontiguousarray(normals[:, i]))
        if isinstance(pc, Geometry3D):
            pc.setPointCloud(cloud)
    return normals


def _mesh_of(trimesh):
    return trimesh.getTriangleMesh() if isinstance(trimesh, Geometry3D) else trimesh


def _edges_cross(mesh):
    v, f = np.asarray(mesh.vertices), np.asarray(mesh.indices)
    return f, np.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]])


def triangle_normals(trimesh):
    """Unit normals of triangles, (n, 3)."""
    _, n = _edges_cross(_mesh_of(trimesh))
    return n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)


def vertex_normals(trimesh, area_weighted=True):
    """Unit normals of vertices, (n, 3), the mean of their triangles'."""
    mesh = _mesh_of(trimesh)
    f, n = _edges_cross(mesh)
    if not area_weighted:
        n = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    res = np.zeros_like(np.asarray(mesh.vertices))
    for k in range(3):
        np.add.at(res, f[:, k], n)
    return res / np.maximum(np.linalg.norm(res, axis=1, keepdims=True), 1e-300)


def _geometries(item):
    if isinstance(item, Geometry3D):
        return [item]
    if isinstance(item, (TriangleMesh, PointCloud)):
        return [Geometry3D(item)]
    if hasattr(item, "numRobots"):
        parts = [item.robot(i) for i in range(item.numRobots())]
        parts += [item.rigidObject(i) for i in range(item.numRigidObjects())]
        parts += [item.terrain(i) for i in range(item.numTerrains())]
        return [g for p in parts for g in _geometries(p)]
    if hasattr(item, "numLinks"):
        return [item.link(i).geometry() for i in range(item.numLinks())]
    return [item.geometry()]


def _look_of(item, g):
    app = item.appearance() if callable(getattr(item, "appearance", None)) else g.getAppearance()
    return app


def _face_colors(app, mesh):
    """Colors (n, 4) of a mesh's triangles: the triangles' own, the means of their corners', or the one color."""
    for feature in (app.FACES, app.VERTICES):
        colors = np.asarray(app.getColors(feature), dtype=float)
        colors = colors if colors.shape[1] == 4 else np.column_stack((colors, np.ones(len(colors))))
        if feature == app.FACES and len(colors) == len(mesh.indices):
            return colors
        if feature == app.VERTICES and len(colors) > 1 and len(colors) == len(mesh.vertices):
            return colors[np.asarray(mesh.indices)].mean(axis=1)
    return np.tile(np.asarray(app.getColor(), dtype=float), (len(mesh.indices), 1))


def merge(*items):
    """One mesh in the world's frame of geometries, bodies, robots and worlds, with a color for each triangle if colors
    differ."""
    vertices, indices, colors, count = [], [], [], 0
    for item, g in ((owner, g) for owner in items for g in _geometries(owner)):
        if g.empty():
            continue
        mesh = (g if g.type() == "TriangleMesh" else g.convert("TriangleMesh")).getTriangleMesh()
        R, t = g.getCurrentTransform()
        vertices.append(np.asarray(mesh.vertices) @ so3.ndarray(R).T + np.asarray(t))
        indices.append(np.asarray(mesh.indices) + count)
        colors.append(_face_colors(_look_of(item, g), mesh))
        count += len(vertices[-1])
    res = TriangleMesh()
    if not vertices:
        return Geometry3D(res)
    res.setVertices(np.vstack(vertices))
    res.setIndices(np.vstack(indices).astype(np.int32))
    merged, app, colors = Geometry3D(res), Appearance(), np.vstack(colors)
    if np.all(colors == colors[:1]):
        app.setColor(*colors[0])
    else:
        app.setColors(app.FACES, colors)
    merged.setAppearance(app)
    return merged


def _on_mesh(mesh, num_samples):
    """(points, triangles, normals) of all vertices of a mesh, or of points drawn uniformly on its triangles."""
    vertices, f = np.asarray(mesh.vertices), np.asarray(mesh.indices)
    if num_samples is None:
        which = np.full(len(vertices), -1)
        which[f.ravel()] = np.repeat(np.arange(len(f)), 3)
        return vertices, which, vertex_normals(mesh)
    _, cross = _edges_cross(mesh)
    area = np.linalg.norm(cross, axis=1)
    which = np.random.choice(len(f), num_samples, p=area / area.sum())
    uv = np.random.rand(num_samples, 2)
    beyond = uv.sum(axis=1) > 1
    uv[beyond] = 1 - uv[beyond][:, ::-1]
    u, v = uv[:, :1], uv[:, 1:]
    a, b, c = (vertices[f[which, k]] for k in range(3))
    return a * (1 - u - v) + b * u + c * v, which, cross[which] / np.maximum(area, 1e-300)[which, None]


def _on_cloud(geom, num_samples, want_normals):
    points = np.asarray(geom.getPointCloud().points)
    which = np.arange(len(points)) if num_samples is None else np.random.choice(len(points), num_samples)
    normals = np.asarray(point_cloud_normals(geom, add=False))[which] if want_normals else None
    return points[which], which, normals


def _on_sphere(values, num_samples):
    if num_samples is None:
        raise ValueError("a sphere has no vertices; give the number of samples")
    normals = np.random.normal(size=(num_samples, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals * values[3] + np.asarray(values[:3]), np.full(num_samples, -1), normals


def sample_surface(geom, num_samples=None, local=True, want_elements=False, want_normals=False):
    """Points drawn uniformly on a surface, or of a cloud, by numpy's random numbers; without num_samples all vertices.

    An array (n, 3), in the geometry's own axes or (local=False) in the world; with a column of numbers of triangles or points
    when want_elements, and three of normals when want_normals.
    """
    g = geom.geometry() if callable(getattr(geom, "geometry", None)) else geom
    if g.type() == "PointCloud":
        points, which, normals = _on_cloud(g, num_samples, want_normals)
    elif g.type() == "GeometricPrimitive" and g.getGeometricPrimitive().type == "Sphere":
        points, which, normals = _on_sphere(g.getGeometricPrimitive().properties, num_samples)
    else:
        mesh = (g if g.type() == "TriangleMesh" else g.convert("TriangleMesh")).getTriangleMesh()
        points, which, normals = _on_mesh(mesh, num_samples)
    if not local:
        R, t = g.getCurrentTransform()
        M = so3.ndarray(R)
        points = points @ M.T + np.asarray(t)
        normals = normals @ M.T if want_normals else normals
    columns = [points] + ([which[:, None]] if want_elements else []) + ([normals] if want_normals else [])
    return points if len(columns) == 1 else np.hstack(columns)


def vertex_colors(geom, app=None):
    """Colors (n, 4) of a body's or appearance's vertices, or None."""
    app = geom.appearance() if app is None and hasattr(geom, "appearance") else app
    colors = None if app is None else app.getColors(app.VERTICES)
    return None if colors is None or len(colors) == 0 else np.asarray(colors)


def convert(obj, type, param=0):
    """Gives a geometry, a body, or all bodies of a robot or world another type of geometry; 'aabb' is their box."""
    for g in _geometries(obj):
        if g.empty():
            continue
        if type == "aabb":
            g.setCurrentTransform(so3.identity(), [0, 0, 0])
            low, high = g.getBBTight()
            box = GeometricPrimitive()
            box.setAABB(low, high)
            g.setGeometricPrimitive(box)
        else:
            g.set(g.convert(type, param))
