"""Colors of point clouds in the formats that programs use."""

import numpy as np

from ...robotsim import Geometry3D

# Packed formats: channels from the highest byte to the lowest.
_PACKED = {"rgb": "rgb", "bgr": "bgr", "rgba": "rgba", "bgra": "bgra", "argb": "argb", "abgr": "abgr"}
_FORMATS = ", ".join(_PACKED) + ", ('r', 'g', 'b'), ('r', 'g', 'b', 'a'), channels, opacity"


def cloud_of(pc):
    """The cloud itself, or that of a geometry."""
    return pc.getPointCloud() if isinstance(pc, Geometry3D) else pc


def _bytes(values):
    """Values in [0, 1] (or already up to 255) as values in [0, 1]."""
    values = np.asarray(values, dtype=float)
    return values / 255.0 if values.size and values.max() > 1.0 else values


def _unpack(packed, order):
    packed = np.asarray(packed).astype(np.int64) & 0xFFFFFFFF
    shifts = dict(zip(order, range(8 * (len(order) - 1), -1, -8)))
    return [((packed >> shifts[c]) & 0xFF) / 255.0 for c in "rgba" if c in shifts]


def _pack(channels, order):
    parts = dict(zip("rgba", [np.rint(np.clip(c, 0, 1) * 255).astype(np.int64) for c in channels]))
    parts.setdefault("a", np.full(len(channels[0]), 255, np.int64))
    total = np.zeros(len(channels[0]), np.int64)
    for c in order:
        total = (total << 8) | parts[c]
    return total.astype(np.uint32)


def _stored_channels(cloud):
    """Channels r, g, b and perhaps a of a cloud in [0, 1]; None without colors."""
    column = {cloud.getPropertyName(i): i for i in range(cloud.numProperties())}
    values = np.asarray(cloud.properties)
    alpha = next((_bytes(values[:, column[k]]) for k in ("a", "opacity", "c") if k in column), None)
    if all(k in column for k in "rgb"):
        rgb = [_bytes(values[:, [column[k] for k in "rgb"]])[:, i] for i in range(3)]
    elif "rgb" in column:
        rgb = _unpack(values[:, column["rgb"]], "rgb")
    elif "rgba" in column:
        return _unpack(values[:, column["rgba"]], "argb")
    elif alpha is not None:
        rgb = [np.ones(len(values))] * 3
    else:
        return None
    return rgb if alpha is None else rgb + [alpha]


def point_cloud_colors(pc, format="rgb"):
    """Colors of a cloud, None when it has none; white where it has opacity only.

    format: 'rgb', 'bgr', 'rgba', 'bgra', 'argb', 'abgr' (n packed integers, the first channel highest), ('r', 'g', 'b') or
    ('r', 'g', 'b', 'a') (an array (n, 3) or (n, 4) of numbers in [0, 1]), 'channels' (a tuple of 3 or 4 arrays), 'opacity'.
    """
    channels = _stored_channels(cloud_of(pc))
    if channels is None:
        return None
    if format == "channels":
        return tuple(channels)
    alpha = channels[3] if len(channels) == 4 else np.ones(len(channels[0]))
    if format == "opacity":
        return alpha
    if isinstance(format, str) and format in _PACKED:
        return _pack(channels[:3] + [alpha], _PACKED[format])
    if not isinstance(format, str) and tuple(format) in (tuple("rgb"), tuple("rgba")):
        return np.column_stack((channels[:3] + [alpha])[:len(format)])
    raise ValueError(f"format {format!r} is not known; use one of {_FORMATS}")


def _channels_of(colors, format):
    """Channels in [0, 1] of colors in a format."""
    if isinstance(format, str) and format in _PACKED:
        return _unpack(colors, _PACKED[format])
    if format == "channels":
        if len(colors) not in (3, 4) and np.ndim(colors) == 2 and np.shape(colors)[1] in (3, 4):
            colors = np.asarray(colors, float).T
        if len(colors) not in (3, 4):
            raise ValueError(f"channels are 3 or 4 arrays, got {len(colors)}")
        return [np.asarray(c, dtype=float) for c in colors]
    if not isinstance(format, str) and tuple(format) in (tuple("rgb"), tuple("rgba")):
        rows = np.asarray(colors, dtype=float)
        if rows.ndim != 2 or rows.shape[1] < len(format):
            raise ValueError(f"colors of the format {tuple(format)} are an array (n, {len(format)}), got {rows.shape}")
        return [rows[:, i] for i in range(len(format))]
    raise ValueError(f"format {format!r} is not known; use one of {_FORMATS}")


def _store(cloud, name, values):
    i = cloud.propertyIndex(name)
    values = np.ascontiguousarray(np.asarray(values, dtype=float))
    if i < 0:
        cloud.addProperty(name, values)
    else:
        data = np.array(cloud.properties, dtype=float)
        data[:, i] = values
        cloud.setProperties(data)


def point_cloud_set_colors(pc, colors, color_format="rgb", pc_property="auto"):
    """Sets the colors of a cloud, given in one of the formats of point_cloud_colors().

    pc_property: the property that holds them: 'rgb', 'rgba' (packed), 'channels' (r, g, b and perhaps a), 'opacity' or
    another name for numbers as they are; 'auto' takes those that there are, else what fits the format best.
    """
    cloud = cloud_of(pc)
    if color_format == "opacity" or pc_property == "opacity":
        _store(cloud, "opacity" if pc_property in ("auto", "opacity") else pc_property, colors)
    else:
        channels = _channels_of(colors, color_format)
        if pc_property == "auto":
            names = [cloud.getPropertyName(i) for i in range(cloud.numProperties())]
            loose = color_format == "channels" or not isinstance(color_format, str)
            pc_property = ("channels" if "r" in names else "rgba" if "rgba" in names else "rgb" if "rgb" in names
                           else "channels" if loose else "rgba" if "a" in color_format else "rgb")
        if pc_property == "channels":
            for name, values in zip("rgba", channels):
                _store(cloud, name, values)
        elif pc_property in ("rgb", "rgba"):
            _store(cloud, pc_property, _pack(channels, "rgb" if pc_property == "rgb" else "argb"))
        else:
            _store(cloud, pc_property, np.asarray(colors, dtype=float))
    if isinstance(pc, Geometry3D):
        pc.setPointCloud(cloud)
