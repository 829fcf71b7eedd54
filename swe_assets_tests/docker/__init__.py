"""Tests of the image and of compose.yaml, none of which needs Docker's engine."""
