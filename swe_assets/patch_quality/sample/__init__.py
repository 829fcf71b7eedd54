"""The sample submission: small repositories and instances of our own, in which each outcome occurs."""

from swe_assets.patch_quality.sample.build import Sample, build

__all__ = ["Sample", "build"]
