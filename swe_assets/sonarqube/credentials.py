"""The private server's password and token: in files that only the user reads, made anew where lost."""

import secrets
import string
import time

from swe_assets.errors import SonarReplyError, SonarRightsError
from swe_assets.services.folders import make_folder
from swe_assets.services.private_files import read_private, write_private
from swe_assets.sonarqube.administration import Account, Administration
from swe_assets.sonarqube.places import ServerPlaces

ADMIN = "admin"
FIRST_PASSWORD = "admin"  # noqa: S105 - what every new SonarQube server has
ROBOT = "swe-assets"
"""The account that scans and reads; it may make projects, scan them, and administer those that it made."""

ROBOT_RIGHTS = ("scan", "provisioning")
_SPECIAL = "!-_.~"


def ensure_token(url: str, places: ServerPlaces) -> str:
    """Return a token that works on the private server, with all that it needs made where it is not.

    The administrator's password is written before it is given to the server, so that a set-up that was cut
    off anywhere goes on from there. A global analysis token cannot read measures (measured on 25.11), so the
    token is a user token of an account that may only scan and make projects.
    """
    make_folder(places.secrets, mode=0o700)
    kept = read_private(places.token)
    if kept and Administration(url, Account(ROBOT, token=kept)).signed_in():
        return kept
    admin = _administrator(url, places)
    _ensure_robot(admin)
    name = f"{ROBOT} {time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime())} {secrets.token_hex(3)}"
    made = admin.post("api/user_tokens/generate", login=ROBOT, name=name, type="USER_TOKEN")
    token = made.get("token") if isinstance(made, dict) else None
    if not isinstance(token, str) or not token:
        raise SonarReplyError(f"{url} made no token and gave no error: is it a SonarQube server?")
    write_private(places.token, token)
    return token


def new_password() -> str:
    """Return a password that SonarQube accepts: 24 characters with an upper, a lower, a digit, a special."""
    kinds = (string.ascii_uppercase, string.ascii_lowercase, string.digits, _SPECIAL)
    drawn = [secrets.choice(kind) for kind in kinds]
    drawn += [secrets.choice("".join(kinds)) for _ in range(20)]
    secrets.SystemRandom().shuffle(drawn)
    return "".join(drawn)


def _administrator(url: str, places: ServerPlaces) -> Administration:
    """Return the server as its administrator, whose first password is changed to one of ours."""
    kept = read_private(places.password)
    if kept:
        admin = Administration(url, Account(ADMIN, kept))
        if admin.signed_in():
            return admin
    first = Administration(url, Account(ADMIN, FIRST_PASSWORD))
    if not first.signed_in():
        raise SonarRightsError(
            f"the password of {ADMIN!r} in {str(places.password)!r} is not the one that {url} knows, nor is "
            "its first one: write the right one into that file; or, if the measures there are not "
            f"needed, `swe-assets sonar down`, remove {str(places.folder)!r}, and `swe-assets sonar up`"
        )
    password = kept or new_password()
    write_private(places.password, password)
    first.post("api/users/change_password", login=ADMIN, previousPassword=FIRST_PASSWORD, password=password)
    return Administration(url, Account(ADMIN, password))


def _ensure_robot(admin: Administration) -> None:
    """Make the account that scans where it is not there, and give it its rights, which is harmless twice."""
    found = admin.get("api/users/search", q=ROBOT)
    logins = {user.get("login") for user in found.get("users", ())} if isinstance(found, dict) else set()
    if ROBOT not in logins:
        # Nobody signs in by this password: the account is used by its token alone.
        admin.post("api/users/create", login=ROBOT, name="swe-assets", password=new_password(), local="true")
    for right in ROBOT_RIGHTS:
        admin.post("api/permissions/add_user", login=ROBOT, permission=right)
    admin.post(
        "api/permissions/add_project_creator_to_template",
        templateName="Default template",
        permission="admin",
    )
