"""Set up the SonarQube of compose.yaml: change its first password, make a token, and remember both.

They are kept in the volume that all of ours share, in files that only our user can read; twice is harmless.
"""

import os

from swe_assets.sonarqube.credentials import ensure_token
from swe_assets.sonarqube.named import remember
from swe_assets.sonarqube.places import default_places


def main() -> None:
    """Do it for the server that SONAR_HOST_URL names."""
    url, places = os.environ["SONAR_HOST_URL"], default_places()
    found = remember(url, ensure_token(url, places), places)
    print(f"{found.url} takes the token in {places.named_token}; the password of admin: {places.password}")


if __name__ == "__main__":
    main()
