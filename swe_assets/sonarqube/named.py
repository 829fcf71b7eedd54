"""A server of the user's own: checked with its token, and remembered; nothing is started or changed there."""

import json

from swe_assets.errors import ConfigurationError, SonarReplyError, SonarRightsError, SonarServerError
from swe_assets.services.folders import make_folder
from swe_assets.services.private_files import write_private
from swe_assets.services.processes import is_alive
from swe_assets.sonarqube.client import SonarClient
from swe_assets.sonarqube.connection import SonarConnection, checked_token, checked_url
from swe_assets.sonarqube.distribution import prepare
from swe_assets.sonarqube.health import Answer, ask
from swe_assets.sonarqube.places import ServerPlaces
from swe_assets.sonarqube.state import load_state
from swe_assets.storage.locks import locked

TROUBLES = {
    Answer.SILENT: "start it, or check the address, a firewall and HTTPS_PROXY",
    Answer.STARTING: "it is starting: try again in a minute",
    Answer.RESTARTING: "it is starting again: try again in a minute",
    Answer.DB_MIGRATION_RUNNING: "it is migrating its database: try again when it is done",
    Answer.DB_MIGRATION_NEEDED: "its administrator must first migrate its database, at URL/setup",
    Answer.DOWN: "its administrator finds the cause in its logs",
}


def remember(url: str, token: str, places: ServerPlaces) -> SonarConnection:
    """Return the connection to a server of the user's, which is remembered from now on.

    Raises ConfigurationError where the address or token cannot be one or a private server runs,
    SonarServerError where it is not up, SonarReplyError where it is no SonarQube server, SonarRightsError
    where it refuses the token.
    """
    url, token = checked_url(url), checked_token(token, "the token")
    health = ask(url)
    if health.answer is Answer.FOREIGN:
        raise SonarReplyError(
            f"{url} is not a SonarQube server ({health.words}): check the address and its context path"
        )
    if health.answer is not Answer.UP:
        raise SonarServerError(f"{url} is not up ({health.words}): {TROUBLES[health.answer]}")
    connection = SonarConnection(url, token, "swe-assets sonar up --url")
    if not SonarClient(connection).signed_in():
        raise SonarRightsError(
            f"{url} refuses the token: make one there (My Account, Security, type User Token)"
        )
    prepare(places)
    with locked(places.lock):
        state = load_state(places)
        if state is not None and is_alive(state.mark):
            raise ConfigurationError(
                f"a private server runs at {state.url}: stop it first by `swe-assets sonar down`"
            )
        make_folder(places.secrets, mode=0o700)
        write_private(places.named_token, token)
        write_private(places.named, json.dumps({"url": url, "version": health.version}) + "\n")
    return connection


def forget(places: ServerPlaces) -> bool:
    """Forget the user's own server and remove its token here; return whether one was remembered."""
    was = places.named.exists()
    places.named.unlink(missing_ok=True)
    places.named_token.unlink(missing_ok=True)
    return was
