"""Tests of the readers of a study's inputs."""
