"""`swe-assets postgres up | status | down`: Dagster's records on a private Postgres server of this home."""

import json

import click

_TURNED = "turned: `swe-assets run NAME` now records there what is stored, without making it again"


@click.group("postgres")
def command() -> None:
    """Start, show or stop a Postgres server for Dagster's records."""


@command.command("up")
def up() -> int:
    """Start this home's server and keep Dagster's records on it from now on; harmless twice.

    Records made in SQLite stay there; the next `run` records in Postgres what the store holds, without doing
    the work again.
    """
    from swe_assets.storage.place import private_server, turn_to_postgres

    server = private_server()
    click.echo(f"postgres: {server.folder}", err=True)
    server.up()
    if turn_to_postgres(server):
        click.echo(_TURNED, err=True)
    return _tell()


@command.command("status")
def status() -> int:
    """Show the server's state and where Dagster's records are; end with 1 where they cannot be reached."""
    return _tell()


@command.command("down")
@click.option("--sqlite", is_flag=True, help="Also turn Dagster's records back to SQLite.")
def down(sqlite: bool) -> int:
    """Stop this home's server; its data stay, and so does the choice of it, unless SQLite is asked for."""
    from swe_assets.storage.place import is_turned, private_server, turn_to_sqlite

    if sqlite and turn_to_sqlite():
        click.echo(_TURNED, err=True)
    stopped = private_server().down()
    click.echo("postgres: stopped" if stopped else "postgres: it was not running", err=True)
    if is_turned():
        click.echo(
            "Dagster's records stay on it: runs wait for `swe-assets postgres up`; "
            "`swe-assets postgres down --sqlite` goes back to SQLite",
            err=True,
        )
    _tell()
    return 0


def _tell() -> int:
    """Print the server's state and the place of records as JSON; return 1 where the place does not answer."""
    from swe_assets.services.postgres_probe import Answer, probe_url
    from swe_assets.storage.place import private_server, records_place

    server, place = private_server(), records_place()
    found = server.status()
    answer = probe_url(place.url) if place.url is not None else None
    reply = {
        "state": found.state,
        "detail": found.detail,
        "folder": str(server.folder),
        "pid": found.pid,
        "port": found.port,
        "records": place.shown,
        "chosen": place.source,
        "answer": answer.words if answer is not None else "a file",
    }
    click.echo(json.dumps(reply, ensure_ascii=False, indent=2))
    click.echo(place.sentence, err=True)
    return 0 if answer is None or answer.answer is Answer.READY else 1
