"""The configuration for Kubernetes is what Dagster's launcher takes, and gives the job that it should."""

import importlib
from typing import Any

import pytest
import yaml
from dagster._config import validate_config

from swe_assets.home import CHECKOUT
from swe_assets.storage.engine import engine_settings

k8s: Any = importlib.import_module("dagster_k8s")
job_parts: Any = importlib.import_module("dagster_k8s.job")
contexts: Any = importlib.import_module("dagster_k8s.container_context")
CONFIGURATION = CHECKOUT / "docker" / "kubernetes" / "dagster.yaml"


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """Read the file."""
    found: dict[str, Any] = yaml.safe_load(CONFIGURATION.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def job(written: dict[str, Any]) -> dict[str, Any]:
    """Construct the job of one run as the launcher does, in the form that is sent to Kubernetes."""
    checked = validate_config(k8s.K8sRunLauncher.config_type(), written["run_launcher"]["config"])
    config = checked.value
    assert config is not None
    settings = job_parts.DagsterK8sJobConfig(
        job_image=config["job_image"],
        dagster_home=config["dagster_home"],
        instance_config_map=config["instance_config_map"],
    )
    context = contexts.K8sContainerContext(
        image_pull_policy=config["image_pull_policy"],
        service_account_name=config["service_account_name"],
        env_vars=config["env_vars"],
        env_secrets=config["env_secrets"],
        volumes=config["volumes"],
        volume_mounts=config["volume_mounts"],
        resources=config["resources"],
        namespace=config["job_namespace"],
        run_k8s_config=job_parts.UserDefinedDagsterK8sConfig.from_dict(config["run_k8s_config"]),
    )
    made = k8s.construct_dagster_k8s_job(
        settings, ["dagster", "api", "execute_run", "{}"], "dagster-run-1", context.run_k8s_config
    )
    sent: dict[str, Any] = made.to_dict()
    return sent


def test_configuration_is_valid(written: dict[str, Any]) -> None:
    """Dagster's launcher takes every key of the file, and refuses one that it does not know."""
    config = written["run_launcher"]["config"]
    assert validate_config(k8s.K8sRunLauncher.config_type(), config).success
    assert not validate_config(k8s.K8sRunLauncher.config_type(), {**config, "job_picture": "x"}).success


def test_rest_is_the_checkouts(written: dict[str, Any]) -> None:
    """Storage, logs and telemetry are those of the checkout's own dagster.yaml."""
    own = yaml.safe_load((CHECKOUT / "dagster.yaml").read_text(encoding="utf-8"))
    assert {name: written[name] for name in own} == own


def test_engine_settings(written: dict[str, Any]) -> None:
    """The environment of the file is one that the product takes: one run does a chunk in its own process."""
    given = dict(line.split("=", 1) for line in written["run_launcher"]["config"]["env_vars"])
    settings = engine_settings(given)
    assert (settings.executor, settings.chunk) == ("in_process", 500)


def test_container(job: dict[str, Any]) -> None:
    """A run's container is our image without its entrypoint, with settings, secrets and volumes."""
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "swe-assets:0.1.0"
    assert container["command"] == ["/usr/bin/tini", "--"]
    assert container["args"][:3] == ["dagster", "api", "execute_run"]
    assert {entry["name"]: entry["value"] for entry in container["env"]}["SWE_ASSETS_CHUNK"] == "500"
    assert [source["secret_ref"]["name"] for source in container["env_from"]] == ["swe-assets"]
    mounted = {mount["mount_path"] for mount in container["volume_mounts"]}
    assert {"/var/lib/swe-assets", "/var/cache/swe-assets", "/tmp"} == mounted  # noqa: S108 - a mount's place


def test_pod_is_confined(job: dict[str, Any]) -> None:
    """The pod runs as the image's own user, cannot gain rights, and is not tried again behind our back."""
    pod = job["spec"]["template"]["spec"]
    assert pod["security_context"]["run_as_user"] == 10001
    assert pod["security_context"]["run_as_non_root"] is True
    assert pod["containers"][0]["security_context"]["capabilities"]["drop"] == ["ALL"]
    assert job["spec"]["backoff_limit"] == 0
