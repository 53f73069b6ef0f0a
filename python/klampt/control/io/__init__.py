"""Connections of robots with other systems."""
