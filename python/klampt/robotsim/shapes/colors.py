"""Packed colors and channels."""

import numpy as np

#: Shifts of red, green, blue and alpha in packed numbers.
_SHIFTS = {"rgb": (16, 8, 0), "bgr": (0, 8, 16), "rgba": (24, 16, 8, 0), "bgra": (8, 16, 24, 0),
           "argb": (16, 8, 0, 24), "abgr": (0, 8, 16, 24)}


def unpack_colors(colors, format):
    """(n, 3) or (n, 4) numbers in [0, 1] from packed numbers or rows of channels."""
    colors = np.asarray(colors)
    if not isinstance(format, str):
        return colors.astype(float).reshape(-1, len(format))
    if colors.ndim == 2:
        return colors.astype(float)
    if format not in _SHIFTS:
        raise ValueError("there is no color format %r" % (format,))
    packed = colors.astype(np.int64)
    return np.column_stack([(packed >> shift) & 0xff for shift in _SHIFTS[format]]) / 255.0


def pack_colors(channels, format):
    """The other way round; also 'channels' and 'opacity'."""
    channels = np.asarray(channels, dtype=float)
    alpha = channels[:, 3] if channels.shape[1] == 4 else np.ones(len(channels))
    if format == "opacity":
        return alpha
    if format == "channels":
        return tuple(channels.T.copy())
    if not isinstance(format, str):
        return channels[:, :3].copy() if len(format) == 3 else np.column_stack([channels[:, :3], alpha])
    if format not in _SHIFTS:
        raise ValueError("there is no color format %r" % (format,))
    whole = np.column_stack([channels[:, :3], alpha])
    integers = np.clip(np.round(whole * 255), 0, 255).astype(np.uint32)
    packed = np.zeros(len(channels), dtype=np.uint32)
    for column, shift in enumerate(_SHIFTS[format]):
        packed |= integers[:, column] << np.uint32(shift)
    return packed
