"""One public function a statistic."""
