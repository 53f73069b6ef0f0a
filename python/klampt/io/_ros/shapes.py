"""Meshes and clouds."""

import numpy as np

from ...robotsim import Geometry3D, PointCloud, TriangleMesh
from .rospy_module import stamp_of  # First: it says what is missing.

from sensor_msgs.msg import PointCloud2, PointField  # isort: skip

__all__ = ["from_Mesh", "to_Mesh", "from_PointCloud2", "to_PointCloud2", "to_ShapeMsg"]

# Types of PointFields, without their order of bytes.
_DTYPES = {PointField.INT8: "i1", PointField.UINT8: "u1", PointField.INT16: "i2", PointField.UINT16: "u2",
           PointField.INT32: "i4", PointField.UINT32: "u4", PointField.FLOAT32: "f4", PointField.FLOAT64: "f8"}


def from_Mesh(ros_mesh):
    """A TriangleMesh of a shape_msgs/Mesh."""
    mesh = TriangleMesh()
    mesh.setVertices(np.array([[v.x, v.y, v.z] for v in ros_mesh.vertices], dtype=float).reshape(-1, 3))
    mesh.setIndices(np.array([t.vertex_indices for t in ros_mesh.triangles], dtype=np.int32).reshape(-1, 3))
    return mesh


def _in_world(geometry, part):
    """The part of a Geometry3D (a mesh, a cloud), moved to where the geometry is."""
    made = getattr(geometry, part)()
    made = made.copy() if hasattr(made, "copy") else made
    made.transform(*geometry.getCurrentTransform())
    return made


def to_Mesh(klampt_mesh):
    """A shape_msgs/Mesh of a TriangleMesh, or of a Geometry3D where it is."""
    from geometry_msgs.msg import Point
    from shape_msgs.msg import Mesh, MeshTriangle
    if isinstance(klampt_mesh, Geometry3D):
        klampt_mesh = _in_world(klampt_mesh, "getTriangleMesh")
    vertices, triangles = np.asarray(klampt_mesh.vertices), np.asarray(klampt_mesh.indices)
    return Mesh(vertices=[Point(*map(float, v)) for v in vertices],
                triangles=[MeshTriangle([int(i) for i in t]) for t in triangles])


def _fields(ros_pc):
    """The values of each field, one a point, in the order of the fields."""
    order = ">" if ros_pc.is_bigendian else "<"
    size = ros_pc.width * ros_pc.height
    if ros_pc.row_step < ros_pc.width * ros_pc.point_step or len(ros_pc.data) < ros_pc.row_step * ros_pc.height:
        raise ValueError(f"the cloud has {len(ros_pc.data)} bytes, too few for {size} points of {ros_pc.point_step}")
    for field in ros_pc.fields:
        if field.datatype not in _DTYPES:
            raise ValueError(f"field '{field.name}' has the type {field.datatype}, which there is not")
        if field.offset + np.dtype(_DTYPES[field.datatype]).itemsize > ros_pc.point_step:
            raise ValueError(f"field '{field.name}' leads out of its point")
    layout = np.dtype({"names": [str(i) for i in range(len(ros_pc.fields))],
                       "formats": [order + _DTYPES[field.datatype] for field in ros_pc.fields],
                       "offsets": [field.offset for field in ros_pc.fields], "itemsize": ros_pc.point_step})
    data = bytes(ros_pc.data)
    rows = [np.frombuffer(data, layout, ros_pc.width, row * ros_pc.row_step) for row in range(ros_pc.height)]
    points = np.concatenate(rows) if rows else np.zeros(0, layout)
    return {field.name: points[str(i)].astype(float) for i, field in enumerate(ros_pc.fields)}


def from_PointCloud2(ros_pc):
    """A PointCloud of a PointCloud2; fields beside x, y, z become properties.

    One of several rows is structured: it has the settings width and height.
    """
    values = _fields(ros_pc)
    if any(name not in values for name in "xyz"):
        raise ValueError(f"the cloud has no fields x, y and z, but {', '.join(values) or 'none at all'}")
    cloud = PointCloud()
    cloud.setPoints(np.stack([values.pop(name) for name in "xyz"], axis=1))
    for name, column in values.items():
        cloud.addProperty(name, column)
    if ros_pc.header.seq > 0:
        cloud.setSetting("id", str(ros_pc.header.seq))
    if ros_pc.height > 1:
        cloud.setSetting("width", str(ros_pc.width))
        cloud.setSetting("height", str(ros_pc.height))
    return cloud


def _setting(cloud, name):
    try:
        return int(cloud.getSetting(name))
    except Exception:  # A cloud without it, whatever that raises.
        return 0


def to_PointCloud2(klampt_pc, frame="0", stamp="now"):
    """A PointCloud2, all fields float32, of a PointCloud, or of a Geometry3D where it is."""
    if isinstance(klampt_pc, Geometry3D):
        klampt_pc = _in_world(klampt_pc, "getPointCloud")
    if not isinstance(klampt_pc, PointCloud):
        raise TypeError(f"expected a PointCloud, not a {type(klampt_pc).__name__}")
    points = np.asarray(klampt_pc.points, dtype="<f4").reshape(-1, 3)
    names = [klampt_pc.getPropertyName(i) for i in range(klampt_pc.numProperties())]
    if names:
        points = np.hstack((points, np.asarray(klampt_pc.properties, dtype="<f4").reshape(len(points), -1)))
    message = PointCloud2()
    message.header.stamp, message.header.frame_id = stamp_of(stamp), frame
    message.header.seq = _setting(klampt_pc, "id")
    message.fields = [PointField(name, 4 * i, PointField.FLOAT32, 1) for i, name in enumerate(["x", "y", "z", *names])]
    width, height = _setting(klampt_pc, "width"), _setting(klampt_pc, "height")
    structured = width > 0 and width * height == len(points)
    message.width, message.height = (width, height) if structured else (len(points), 1)
    message.point_step = 4 * points.shape[1]
    message.row_step = message.point_step * message.width
    message.is_dense = bool(np.isfinite(points).all())
    message.data = points.tobytes()
    return message


def to_ShapeMsg(klampt_geom):
    """A PointCloud2 or a shape_msgs/Mesh of a Geometry3D."""
    kind = klampt_geom.type()
    if kind == "PointCloud":
        return to_PointCloud2(klampt_geom)
    if kind == "TriangleMesh":
        return to_Mesh(klampt_geom)
    raise ValueError(f"ROS has no message for a geometry of type {kind}: convert() it to a TriangleMesh or PointCloud")
