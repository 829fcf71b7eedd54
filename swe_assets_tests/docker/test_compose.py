"""docker/compose.yaml is a Compose file, guards what it starts, and holds no secret."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped] # it has no types
import pytest
import yaml

from swe_assets.home import CHECKOUT
from swe_assets_tests.docker.composed import FILE, FOLDER, Service, document, floors, services, workspace

FETCHED = re.compile(r"go install (github\.com/compose-spec/compose-go/v2)/cmd(@v[\d.]+)")
COMPOSE_GO = "".join(FETCHED.findall((CHECKOUT / ".ci" / "run").read_text(encoding="utf-8"))[0])
"""The Compose specification's reference implementation with its schema, a Go module; `.ci/run` fetches it."""

LOADER = """package main

import ("context"; "fmt"; "os"; "github.com/compose-spec/compose-go/v2/cli")

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv, cli.WithInterpolation(true))
	if err == nil {
		project, wrong := options.LoadProject(context.Background())
		if err = wrong; err == nil {
			var text []byte
			if text, err = project.MarshalJSON(); err == nil {
				fmt.Println(string(text))
				return
			}
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
"""
"""Loads and checks a file as docker compose does, and prints what it understood."""

SERVICES = services()
LASTING = {name: service for name, service in SERVICES.items() if not service.ends}
EXACT = re.compile(r"[^:]+:\d+(\.\d+)+(-[a-z]+)?")

service_each = pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES)
lasting_each = pytest.mark.parametrize("service", LASTING.values(), ids=LASTING)


def compose_go() -> Path:
    """Return the folder of the reference implementation; the test is skipped where it was not fetched."""
    if shutil.which("go") is None:
        pytest.skip("no Go here, which brings the Compose specification's own program and schema")
    asked = ["go", "env", "GOMODCACHE"]
    cache = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    if not (cache / COMPOSE_GO).is_dir():
        pytest.skip(f"{COMPOSE_GO} was not fetched: .ci/run does it")
    return cache / COMPOSE_GO


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a loader with the specification's own library, without the network."""
    program = tmp_path_factory.mktemp("compose") / "compose-spec"
    offline = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOSUMDB": "off"}
    folder = shutil.copytree(compose_go(), program.parent / "module")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    (folder / "load").mkdir()
    (folder / "load" / "main.go").write_text(LOADER, encoding="utf-8")
    asked = ["go", "build", "-o", str(program), "./load"]
    done = subprocess.run(asked, cwd=folder, env=offline, capture_output=True, text=True, check=False)
    if "GOPROXY=off" in done.stderr:
        pytest.skip(f"what the program is built with was not fetched: {done.stderr[:300]}")
    assert done.returncode == 0, done.stderr
    return program


def loaded_by(reference: Path, file: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Load a Compose file as docker compose does, in an environment that has little else."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    asked = [str(reference), str(file)]
    return subprocess.run(
        asked, cwd=file.parent, env=kept | environment, capture_output=True, text=True, check=False
    )


def test_schema() -> None:
    """The file holds against the JSON schema of the Compose specification."""
    schema = json.loads((compose_go() / "schema" / "compose-spec.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    assert [error.message for error in validator.iter_errors(document())] == []


def test_schema_can_fail() -> None:
    """The same check complains of a setting that Compose does not have."""
    schema = json.loads((compose_go() / "schema" / "compose-spec.json").read_text(encoding="utf-8"))
    wrong = document()
    wrong["services"]["daemon"]["restarts"] = "always"
    validator = jsonschema.Draft7Validator(schema)
    assert ["restarts" in error.message for error in validator.iter_errors(wrong)] == [True]


def test_reference_program(reference: Path) -> None:
    """The specification's own program loads the file and reads the services as our own reader does."""
    done = loaded_by(reference, FILE)
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)["services"]
    assert found.keys() == SERVICES.keys()
    for name, service in SERVICES.items():
        assert (found[name].get("command") or []) == service.settings.get("command", [])
        assert found[name]["image"] == service.settings["image"]
        assert found[name]["read_only"] is True


def test_reference_program_can_fail(reference: Path, tmp_path: Path) -> None:
    """The same program refuses a service that waits for one that is not there."""
    wrong = document()
    wrong["services"]["daemon"]["depends_on"] = {"nobody": {"condition": "service_healthy"}}
    (tmp_path / "compose.yaml").write_text(yaml.safe_dump(wrong), encoding="utf-8")
    done = loaded_by(reference, tmp_path / "compose.yaml")
    assert done.returncode != 0
    assert "nobody" in done.stderr


def test_variables(reference: Path) -> None:
    """Ports, tag and a SonarQube of one's own come from the environment."""
    wanted = {"SWE_ASSETS_PORT": "3999", "SWE_ASSETS_TAG": "9.9.9", "SONAR_HOST_URL": "http://mine:9"}
    done = loaded_by(reference, FILE, **wanted)
    found = json.loads(done.stdout)["services"]
    assert found["webserver"]["ports"][0]["published"] == "3999"
    assert found["daemon"]["image"] == "swe-assets:9.9.9"
    assert found["patch_quality"]["environment"]["SONAR_HOST_URL"] == "http://mine:9"


def test_services_are_there() -> None:
    """Postgres, SonarQube, web server, daemon and a code server for each study floor are in the file."""
    assert {"postgres", "sonarqube", "webserver", "daemon"} < SERVICES.keys()
    packages = {path.parent.name for path in (CHECKOUT / "swe_assets").glob("*/definitions.py")}
    assert floors().keys() == packages


def test_floors_are_one_line_each() -> None:
    """A code server is one line of its own, waited for, served under its name, and in the workspace."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    for name, service in floors().items():
        assert len([line for line in lines if line.startswith(f"  {name}: {{<<: *floor,")]) == 1
        assert service.command[-1] == f"swe_assets.{name}.definitions"
        assert service.settings["hostname"] == name
    entries = [{"location_name": name, "host": name, "port": 4000} for name in floors()]
    assert workspace() == entries
    for waits in ("webserver", "daemon"):
        assert SERVICES[waits].settings["depends_on"] == document()["x-floors"]


@lasting_each
def test_health_checks(service: Service) -> None:
    """A service that stays has a health check with interval, timeout, retries and time to start."""
    check = service.settings["healthcheck"]
    assert service.check
    assert check.keys() == {"test", "interval", "timeout", "start_period", "retries"}


@service_each
def test_dependencies_have_conditions(service: Service) -> None:
    """A service waits until what it hangs on is healthy or has ended well, not just started."""
    for name, how in service.settings.get("depends_on", {}).items():
        wanted = "service_completed_successfully" if SERVICES[name].ends else "service_healthy"
        assert how == {"condition": wanted}


@service_each
def test_guards(service: Service) -> None:
    """A service runs as a numbered user that is not root, without capabilities, on a root it cannot write."""
    settings = service.settings
    assert re.fullmatch(r"[1-9]\d*:\d+", settings["user"])
    assert settings["read_only"] is True
    assert settings["cap_drop"] == ["ALL"]
    assert settings["security_opt"] == ["no-new-privileges:true"]
    assert not settings.keys() & {"privileged", "cap_add", "network_mode", "pid", "ipc", "devices"}
    assert not [mount for mount in settings["volumes"] if "docker.sock" in mount]


@service_each
def test_limits(service: Service) -> None:
    """A service is bounded in memory, processors, processes and log, and comes back after a crash."""
    assert service.settings.keys() >= {"mem_limit", "cpus", "pids_limit"}
    assert service.settings["logging"]["options"].keys() == {"max-size", "max-file"}
    assert service.settings["restart"] in ("unless-stopped", "on-failure:5")


@service_each
def test_images_are_exact(service: Service) -> None:
    """An image is named by an exact version, never by one that moves."""
    assert EXACT.fullmatch(service.settings["image"])
    if service.is_ours:
        from swe_assets import __version__

        assert service.settings["image"] == f"swe-assets:{__version__}"


def test_one_service_builds_the_image() -> None:
    """One service builds our image, and no other of ours is looked for in a registry."""
    building = [name for name, service in SERVICES.items() if "build" in service.settings]
    assert building == ["records"]
    ours = [service for service in SERVICES.values() if service.is_ours]
    assert {service.settings["pull_policy"] for service in ours} == {"never"}


def test_ports_are_published_on_loopback() -> None:
    """Only the web server and SonarQube are published, both on this machine's loopback alone."""
    published = {name: s.settings["ports"] for name, s in SERVICES.items() if "ports" in s.settings}
    assert published == {"webserver": ["127.0.0.1:3000:3000"], "sonarqube": ["127.0.0.1:9000:9000"]}
    assert document()["networks"]["records"] == {"internal": True}
    assert SERVICES["postgres"].settings["networks"] == ["records"]


def test_volumes_are_declared() -> None:
    """Every volume that is mounted is declared, and every one that is declared is mounted."""
    mounts = [mount for service in SERVICES.values() for mount in service.settings["volumes"]]
    named = {source for source in (mount.split(":")[0] for mount in mounts) if not source.startswith(".")}
    assert named == document()["volumes"].keys()


def test_studies_are_shared() -> None:
    """All of ours share the home with the mirrors and the cache, where the image says that they are."""
    dockerfile = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    home = re.findall(r"SWE_ASSETS_HOME=(\S+)", dockerfile)[0]
    cache = re.findall(r"SWE_ASSETS_CACHE=(\S+)", dockerfile)[0]
    wanted = {f"home:{home}", f"mirrors:{home}/cache_repos_mirror", f"cache:{cache}"}
    for service in SERVICES.values():
        assert not service.is_ours or wanted <= set(service.settings["volumes"])


def test_secrets_are_files() -> None:
    """A password comes from a file that git and the image leave out, and none stands in the file."""
    for name, secret in document()["secrets"].items():
        assert secret == {"file": f"./secrets/{name}"}
    used = {name for service in SERVICES.values() for name in service.settings.get("secrets", [])}
    assert used == document()["secrets"].keys()
    ignored = subprocess.run(["git", "check-ignore", "-q", "docker/secrets/x"], cwd=CHECKOUT, check=False)
    assert ignored.returncode == 0


@service_each
def test_no_secret_is_written(service: Service) -> None:
    """No variable for a password, token or key has a value in the file, and no URL holds one."""
    for name, value in service.environment.items():
        secret = re.search(r"PASSWORD|TOKEN|KEY|SECRET", name)
        assert not secret or (name.endswith("_FILE") and value.startswith("/run/secrets/")), name
        assert not re.search(r"://[^/@]*:[^/@]+@", str(value)), name


def test_sonarqube_has_its_own_database() -> None:
    """SonarQube's database and role are its own, made beside Dagster's, of the server that both use."""
    script = (FOLDER / "postgres" / "10-databases.sql").read_text(encoding="utf-8")
    sonar, ours = SERVICES["sonarqube"].environment, SERVICES["daemon"].environment
    assert sonar["SONAR_JDBC_URL"].endswith("//postgres:5432/sonarqube")
    assert ours["SWE_ASSETS_POSTGRES_URL"].endswith("//dagster@postgres:5432/dagster")
    for name in ("dagster", "sonarqube"):
        assert f"CREATE DATABASE {name} OWNER {name} " in script


def test_sonarqube_is_the_version_that_is_studied() -> None:
    """The server's image is of the version that `swe-assets sonar up` starts."""
    from swe_assets.sonarqube.distribution import SERVER

    assert SERVICES["sonarqube"].settings["image"].endswith(f":{SERVER.version}-community")


def test_engine_is_passed_on() -> None:
    """What chooses Dagster's engine is taken from the environment by each code server."""
    from swe_assets.storage import engine

    chosen = {value for name, value in vars(engine).items() if name.endswith("_VARIABLE")}
    assert len(chosen) > 3
    for service in floors().values():
        assert chosen <= service.settings["environment"].keys()
