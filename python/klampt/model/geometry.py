"""Planes, normals, colors and samples of clouds and meshes."""

import numpy as np

from ..math import so3, vectorops
from ..robotsim import Geometry3D, PointCloud, TriangleMesh


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
            spread = self.products / self.count - np.outer(self.centroid, self.centroid)
            self.eigenvalues, vectors = np.linalg.eigh(spread)
            self.normal = vectors[:, 0]

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
        """Root mean square distance."""
        return float(np.sqrt(max(0.0, self.eigenvalues[0])))

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


def _cloud_of(pc):
    return pc.getPointCloud() if isinstance(pc, Geometry3D) else pc


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


def point_cloud_normals(pc, estimation_radius=None, estimation_knn=None, estimation_viewpoint=None,
                        add=True):
    """Unit normals (n, 3) by planes through neighbors; added as properties when add is set."""
    from scipy.spatial import cKDTree
    cloud = _cloud_of(pc)
    points = np.asarray(cloud.points)
    tree = cKDTree(points)
    if estimation_radius is None:
        k = min(len(points), 15 if estimation_knn is None else estimation_knn + 1)
        groups = tree.query(points, k)[1]
    else:
        groups = tree.query_ball_point(points, estimation_radius)
    normals = np.zeros_like(points)
    for i, group in enumerate(groups):
        if len(group) >= 3:
            normals[i] = np.linalg.eigh(np.cov(points[group].T))[1][:, 0]
    view = estimation_viewpoint
    away = points - np.asarray(view) if view is not None else -np.ones_like(points) * [0, 0, 1]
    normals[(normals * away).sum(1) > 0] *= -1
    if add:
        for i, name in enumerate(("normal_x", "normal_y", "normal_z")):
            cloud.addProperty(name, np.ascontiguousarray(normals[:, i]))
        if isinstance(pc, Geometry3D):
            pc.setPointCloud(cloud)
    return normals


def point_cloud_colors(pc, format="rgb"):
    """Colors of a cloud: lists 'rgb', 'argb', 'rgba' packed, 'channels' (n, 3 or 4) in 0..1;
    None without colors.
    """
    cloud = _cloud_of(pc)
    names = [cloud.getPropertyName(i) for i in range(cloud.numProperties())]
    values = np.asarray(cloud.properties)
    if "r" in names and "g" in names and "b" in names:
        parts = ["r", "g", "b"] + (["a"] if "a" in names else [])
        rgb = values[:, [names.index(n) for n in parts]]
        rgb = rgb / 255.0 if rgb.size and rgb.max() > 1.0 else rgb
    elif "rgb" in names or "rgba" in names:
        key = "rgb" if "rgb" in names else "rgba"
        packed = values[:, names.index(key)].astype(np.uint32)
        shifts = (16, 8, 0) if key == "rgb" else (16, 8, 0, 24)
        rgb = np.column_stack([(packed >> s) & 0xFF for s in shifts]) / 255.0
    elif "opacity" in names or "c" in names:
        gray = values[:, names.index("opacity" if "opacity" in names else "c")]
        rgb = np.column_stack((gray, gray, gray))
    else:
        return None
    if format == "channels":
        return rgb
    b = np.round(rgb * 255).astype(np.uint32)
    alpha = b[:, 3] if b.shape[1] == 4 else np.full(len(b), 255, np.uint32)
    r, g, bl = b[:, 0], b[:, 1], b[:, 2]
    if format == "rgb":
        return ((r << 16) | (g << 8) | bl).tolist()
    if format == "argb":
        return ((alpha << 24) | (r << 16) | (g << 8) | bl).tolist()
    if format == "rgba":
        return ((r << 24) | (g << 16) | (bl << 8) | alpha).tolist()
    raise ValueError(f"format '{format}' is not known; use rgb, argb, rgba or channels")


def point_cloud_set_colors(pc, colors, color_format="rgb", pc_property="auto"):
    """Sets colors: packed integers ('rgb') or rows of 3 in 0..1 ('channels')."""
    cloud = _cloud_of(pc)
    if color_format == "channels":
        for i, name in enumerate("rgb"):
            cloud.addProperty(name, np.ascontiguousarray(np.asarray(colors, float)[:, i]))
    else:
        name = color_format if pc_property == "auto" else pc_property
        cloud.addProperty(name, np.asarray(colors, dtype=float))
    if isinstance(pc, Geometry3D):
        pc.setPointCloud(cloud)


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


def merge(*items):
    """One mesh in the world's frame of geometries, bodies, robots and worlds."""
    vertices, indices, count = [], [], 0
    for g in (g for item in items for g in _geometries(item)):
        if g.empty():
            continue
        mesh = (g if g.type() == "TriangleMesh" else g.convert("TriangleMesh")).getTriangleMesh()
        R, t = g.getCurrentTransform()
        vertices.append(np.asarray(mesh.vertices) @ so3.ndarray(R).T + np.asarray(t))
        indices.append(np.asarray(mesh.indices) + count)
        count += len(vertices[-1])
    res = TriangleMesh()
    if vertices:
        res.setVertices(np.vstack(vertices))
        res.setIndices(np.vstack(indices).astype(np.int32))
    return Geometry3D(res)


def sample_surface(geom, num_samples=None, local=True, want_elements=False, want_normals=False):
    """Points drawn uniformly on a surface (or of a cloud); elements and normals on demand."""
    g = geom.geometry() if callable(getattr(geom, "geometry", None)) else geom
    R, t = g.getCurrentTransform()
    rng = np.random.default_rng()
    if g.type() == "PointCloud":
        points = np.asarray(g.getPointCloud().points)
        which = rng.integers(len(points), size=num_samples or len(points))
        points, normals = points[which], np.zeros((len(which), 3))
    else:
        mesh = (g if g.type() == "TriangleMesh" else g.convert("TriangleMesh")).getTriangleMesh()
        f, cross = _edges_cross(mesh)
        area = np.linalg.norm(cross, axis=1)
        which = rng.choice(len(f), size=num_samples or len(f), p=area / area.sum())
        u, v = np.sqrt(rng.random(len(which)))[:, None], rng.random(len(which))[:, None]
        a, b, c = (np.asarray(mesh.vertices)[f[which, k]] for k in range(3))
        points = (1 - u) * a + u * (1 - v) * b + u * v * c
        normals = (cross / np.maximum(area, 1e-300)[:, None])[which]
    if not local:
        M = so3.ndarray(R)
        points, normals = points @ M.T + np.asarray(t), normals @ M.T
    res = [points] + ([which] if want_elements else []) + ([normals] if want_normals else [])
    return res[0] if len(res) == 1 else tuple(res)


def vertex_colors(geom, app=None):
    """Colors (n, 4) of a body's or appearance's vertices, or None."""
    app = geom.appearance() if app is None and hasattr(geom, "appearance") else app
    colors = None if app is None else app.getColors(app.VERTICES)
    return None if colors is None or len(colors) == 0 else np.asarray(colors)


def convert(obj, type, param=0):
    """The geometry, or a body's, as another type."""
    g = obj.geometry() if callable(getattr(obj, "geometry", None)) else obj
    return (g if isinstance(g, Geometry3D) else Geometry3D(g)).convert(type, param)
