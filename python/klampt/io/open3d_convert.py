"""Clouds and meshes from and to Open3D, which is imported when it is used."""

import numpy as np

from ..robotsim import Geometry3D, PointCloud, TriangleMesh


def to_open3d(obj):
    """An Open3D point cloud or mesh of a PointCloud, TriangleMesh or Geometry3D."""
    import open3d as o3d
    if isinstance(obj, Geometry3D):
        return to_open3d(obj.getPointCloud() if obj.type() == "PointCloud" else
                         obj.getTriangleMesh())
    if isinstance(obj, TriangleMesh):
        return o3d.geometry.TriangleMesh(o3d.utility.Vector3dVector(np.array(obj.vertices)),
                                         o3d.utility.Vector3iVector(np.array(obj.indices)))
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(np.array(obj.points)))
    names = [obj.getPropertyName(i) for i in range(obj.numProperties())]
    values = np.asarray(obj.properties)
    for attribute, wanted in (("normals", ["normal_x", "normal_y", "normal_z"]),
                              ("colors", ["r", "g", "b"])):
        if all(n in names for n in wanted):
            columns = values[:, [names.index(n) for n in wanted]]
            setattr(cloud, attribute, o3d.utility.Vector3dVector(columns))
    return cloud


def from_open3d(obj):
    """A PointCloud or TriangleMesh of an Open3D one."""
    if hasattr(obj, "triangles"):
        mesh = TriangleMesh()
        mesh.setVertices(np.asarray(obj.vertices, dtype=float))
        mesh.setIndices(np.asarray(obj.triangles, dtype=np.int32))
        return mesh
    cloud = PointCloud()
    cloud.setPoints(np.asarray(obj.points, dtype=float))
    for attribute, names in (("normals", ["normal_x", "normal_y", "normal_z"]),
                             ("colors", ["r", "g", "b"])):
        values = np.asarray(getattr(obj, attribute))
        for i, name in enumerate(names if len(values) else []):
            cloud.addProperty(name, values[:, i])
    return cloud
