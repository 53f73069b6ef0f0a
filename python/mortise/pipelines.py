"""Pipelines: files that name a world and what is done with it, step by step."""

from ._mortise import check_pipeline, run_pipeline

__all__ = ["check_pipeline", "run_pipeline"]
