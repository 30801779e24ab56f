"""How to reach a Kafka cluster: the settings file, checked before anything connects.

`kafka.toml` in the home, or the file $MUCKRAKER_KAFKA names. A secret is never in it: it names a file or an environment
variable that holds the secret, read when a connection is made. So these settings may be printed, logged and compared.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator

from ingest.log import LogError

FILE_NAME = "kafka.toml"
FILE_VARIABLE = "MUCKRAKER_KAFKA"
MAX_SECRET_BYTES = 65_536

SecurityProtocol = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]
SaslMechanism = Literal["SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"]
Seconds = Annotated[float, Field(gt=0, le=3_600)]

_SERVER = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})\Z")
_NAME = r"^[A-Za-z0-9._-]+$"
_PREFIX = r"^[A-Za-z0-9._-]*$"


class Secret(str):
    """A password or token. Whoever prints the dictionary or the object it is in does not print it."""

    def __repr__(self) -> str:
        return "'(secret)'"


class KafkaSettingsError(LogError):
    """The settings cannot be used; the message names the file, the member and the way out."""


class KafkaSettings(BaseModel):
    """One cluster, and who we are there. File names are relative to the folder of the settings file."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    bootstrap_servers: Annotated[tuple[str, ...], Field(min_length=1, max_length=32)]
    security_protocol: SecurityProtocol = "PLAINTEXT"

    ca_file: Path | None = None  # else the system's authorities
    certificate_file: Path | None = None  # the client's own, where brokers ask for one
    key_file: Path | None = None
    key_password_file: Path | None = None
    key_password_env: str | None = None

    sasl_mechanism: SaslMechanism | None = None
    username: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    password_file: Path | None = None
    password_env: str | None = None
    oauth_token_file: Path | None = None  # kept fresh by another program, or
    oauth_token_endpoint: str | None = None  # asked for a token with the client's id and secret
    oauth_client_id: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    oauth_client_secret_file: Path | None = None
    oauth_client_secret_env: str | None = None
    oauth_scope: str | None = None
    oauth_ca_file: Path | None = None  # of the token endpoint, else the system's authorities

    client_id: Annotated[str, Field(pattern=_NAME, max_length=100)] = "muckraker"
    group_id: Annotated[str, Field(pattern=_NAME, max_length=200)] = "muckraker"
    topic_prefix: Annotated[str, Field(pattern=_PREFIX, max_length=100)] = ""  # put before the names of our topics
    replication_factor: Annotated[int, Field(ge=1, le=32)] | None = None  # None: the cluster's own default

    connect_timeout_s: Seconds = 30.0
    request_timeout_s: Seconds = 30.0
    delivery_timeout_s: Seconds = 120.0  # how long an append keeps trying while the cluster is in trouble
    session_timeout_s: Annotated[float, Field(ge=1, le=1_800)] = 45.0  # silent so long, a worker is taken for dead
    revoke_deadline_s: Annotated[float, Field(gt=0, le=300)] = 10.0  # to finish what is in hand when a partition moves

    @field_validator("bootstrap_servers", mode="before")
    @classmethod
    def _a_list_is_a_tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("bootstrap_servers")
    @classmethod
    def _servers_have_ports(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for server in value:
            found = _SERVER.match(server)
            if found is None or not 1 <= int(found[1]) <= 65_535:
                raise ValueError(f"{server!r} is not host:port")
        return value

    @field_validator(
        "ca_file",
        "certificate_file",
        "key_file",
        "key_password_file",
        "password_file",
        "oauth_token_file",
        "oauth_client_secret_file",
        "oauth_ca_file",
        mode="before",
    )
    @classmethod
    def _beside_the_settings(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str):
            return value
        if not value:
            raise ValueError("an empty file name")
        folder = (info.context or {}).get("folder")
        path = Path(value).expanduser()
        return path if folder is None else Path(folder) / path

    @field_validator("username")
    @classmethod
    def _scram_can_say_it(cls, value: str | None) -> str | None:
        if value is not None and any(character in value for character in ",=\0"):
            raise ValueError("a SCRAM user name with a comma, an equals sign or a zero byte cannot be sent")
        return value

    @model_validator(mode="after")
    def _members_fit_together(self) -> Self:
        for problem in self._contradictions():
            raise ValueError(problem)
        return self

    def _contradictions(self) -> list[str]:
        found = []
        tls = self.security_protocol.endswith("SSL")
        sasl = self.security_protocol.startswith("SASL")
        wants = "needs security_protocol"
        if self.ca_file is not None and not tls:
            found.append(f"ca_file {wants} SSL or SASL_SSL")
        if self.certificate_file is not None and not tls:
            found.append(f"certificate_file {wants} SSL or SASL_SSL")
        if (self.certificate_file is None) != (self.key_file is None):
            found.append("certificate_file and key_file need each other")
        if self.key_file is None and (self.key_password_file or self.key_password_env):
            found.append("a key password needs key_file")
        if sasl != (self.sasl_mechanism is not None):
            found.append("sasl_mechanism and security_protocol SASL_SSL (or SASL_PLAINTEXT) need each other")
        for one, other in (
            ("key_password_file", "key_password_env"),
            ("password_file", "password_env"),
            ("oauth_client_secret_file", "oauth_client_secret_env"),
            ("oauth_token_file", "oauth_token_endpoint"),
        ):
            if getattr(self, one) is not None and getattr(self, other) is not None:
                found.append(f"give {one} or {other}, not both")
        found += self._sasl_contradictions()
        if self.delivery_timeout_s < self.request_timeout_s + 1:
            found.append("delivery_timeout_s must be at least a second more than request_timeout_s")
        return found

    def _sasl_contradictions(self) -> list[str]:
        found = []
        scram = self.sasl_mechanism is not None and self.sasl_mechanism.startswith("SCRAM")
        password = self.password_file or self.password_env
        if scram and (self.username is None or not password):
            found.append(f"{self.sasl_mechanism} needs username, and password_file or password_env")
        if not scram and (self.username is not None or password):
            found.append("username and password need sasl_mechanism SCRAM-SHA-256 or SCRAM-SHA-512")
        oauth = self.sasl_mechanism == "OAUTHBEARER"
        client = self.oauth_client_id, self.oauth_client_secret_file or self.oauth_client_secret_env
        if oauth and not (self.oauth_token_file or self.oauth_token_endpoint):
            found.append("OAUTHBEARER needs oauth_token_file or oauth_token_endpoint")
        if not oauth and (self.oauth_token_file or self.oauth_token_endpoint):
            found.append("an oauth token needs sasl_mechanism OAUTHBEARER")
        if self.oauth_token_endpoint is not None and not all(client):
            found.append("oauth_token_endpoint needs oauth_client_id, and oauth_client_secret_file or _env")
        if self.oauth_token_endpoint is not None and not self.oauth_token_endpoint.startswith("https://"):
            found.append("oauth_token_endpoint must begin with https://: the client's secret is sent to it")
        if self.oauth_token_endpoint is None and (any(client) or self.oauth_scope or self.oauth_ca_file):
            found.append("the other oauth_ members need oauth_token_endpoint")
        return found

    # --- what a client is given -----------------------------------------------------------------------------------

    @property
    def bootstrap(self) -> str:
        """The servers in one line, for messages."""
        return ",".join(self.bootstrap_servers)

    def topic_name(self, topic: str) -> str:
        """What one of our topics is called in the cluster."""
        return self.topic_prefix + topic

    @property
    def session_timeout_ms(self) -> int:
        return _ms(self.session_timeout_s)

    def client(self) -> dict[str, Any]:
        """Keyword arguments for any kafka-python client. Holds the secrets: never log it, never keep it."""
        options: dict[str, Any] = {
            "bootstrap_servers": list(self.bootstrap_servers),
            "client_id": self.client_id,
            "security_protocol": self.security_protocol,
            "bootstrap_timeout_ms": _ms(self.connect_timeout_s),
            "request_timeout_ms": _ms(self.request_timeout_s),
            "reconnect_backoff_max_ms": 2_000,  # a table's events wait: half a minute, the default, is too long
        }
        if self.security_protocol.endswith("SSL"):
            options |= {
                "ssl_cafile": _readable("ca_file", self.ca_file),
                "ssl_certfile": _readable("certificate_file", self.certificate_file),
                "ssl_keyfile": _private("key_file", self.key_file),
                "ssl_password": _secret("key_password", self.key_password_file, self.key_password_env),
            }
        if self.sasl_mechanism is not None:
            options["sasl_mechanism"] = self.sasl_mechanism
            if self.sasl_mechanism == "OAUTHBEARER":
                from ingest.kafka.oauth import token_provider  # kafka-python's base class is needed for it only

                options["sasl_oauth_token_provider"] = token_provider(self)
            else:
                options["sasl_plain_username"] = self.username
                options["sasl_plain_password"] = _secret("password", self.password_file, self.password_env)
        return options

    def hurried(self, patience_s: float) -> KafkaSettings:
        """The same cluster, for somebody who would rather do without than wait longer than that."""
        return self.model_copy(
            update={
                "connect_timeout_s": min(self.connect_timeout_s, patience_s),
                "request_timeout_s": min(self.request_timeout_s, patience_s),
            }
        )

    def oauth_client_secret(self) -> str:
        """The secret of `oauth_client_id`, read now."""
        secret = _secret("oauth_client_secret", self.oauth_client_secret_file, self.oauth_client_secret_env)
        assert secret is not None, "checked when the settings were made"
        return secret

    def oauth_token(self) -> str:
        """What `oauth_token_file` holds now."""
        token = _secret("oauth_token", self.oauth_token_file, None)
        assert token is not None, "checked when the settings were made"
        return token


def read_settings(path: Path) -> KafkaSettings:
    """The settings in a TOML file; a KafkaSettingsError names the file, the member and what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise KafkaSettingsError(f"{path} is not there; docs/kafka.md says what to write into it") from error
    except (OSError, UnicodeDecodeError) as error:
        raise KafkaSettingsError(f"{path} cannot be read ({error}); check the file and its permissions") from error
    return parse_settings(text, path)


def parse_settings(text: str, path: Path) -> KafkaSettings:
    """The settings in this text, which is, or will be, the file at `path`."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KafkaSettingsError(f"{path} is not TOML: {error}") from error
    for name in ("password", "sasl_plain_password", "key_password", "oauth_client_secret", "oauth_token"):
        if name in said:  # refused by its name, and without its value
            raise KafkaSettingsError(
                f"{path}: a secret does not belong in here; write it into a file only you can read, and name that with "
                f"{'password' if name == 'sasl_plain_password' else name}_file"
            )
    try:
        return KafkaSettings.model_validate(said, context={"folder": path.parent})
    except ValidationError as error:
        raise KafkaSettingsError(f"{path}: {_first_problem(error)}") from None  # pydantic's text repeats the input


def find_settings(home: Path) -> KafkaSettings | None:
    """The settings $MUCKRAKER_KAFKA names, else those of the home; None where neither is there: no Kafka."""
    named = os.environ.get(FILE_VARIABLE)
    if named:
        return read_settings(Path(named))
    path = home / FILE_NAME
    return read_settings(path) if path.exists() else None


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    member = ".".join(str(part) for part in problem["loc"])
    text = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        return f"{member} is no member of the Kafka settings; they are {', '.join(KafkaSettings.model_fields)}"
    if problem["type"] == "missing":
        return f"{member} is missing"
    return f"{member}: {text}" if member else text


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1_000))


def _readable(member: str, path: Path | None) -> str | None:
    """A file a client will read itself: its absence is told here, where the member's name is known."""
    if path is None:
        return None
    try:
        with path.open("rb"):
            return str(path)
    except OSError as error:
        raise KafkaSettingsError(f"{member} {path} cannot be read: {error.strerror or error}") from error


def _private(member: str, path: Path | None) -> str | None:
    """A file with a secret in it, which other users of the machine must not be able to read."""
    readable = _readable(member, path)
    if path is not None and readable is not None and path.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        raise KafkaSettingsError(f"{member} {path} can be read by every user of this machine; type: chmod o-rwx {path}")
    return readable


def _secret(member: str, path: Path | None, variable: str | None) -> Secret | None:
    """A secret from its file or environment variable; a newline at its end is not part of it."""
    if path is not None:
        _private(f"{member}_file", path)
        if path.stat().st_size > MAX_SECRET_BYTES:
            raise KafkaSettingsError(
                f"{member}_file {path} has more than {MAX_SECRET_BYTES} bytes: no {member} is so long"
            )
        try:
            secret = path.read_text(encoding="utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise KafkaSettingsError(f"{member}_file {path} is not UTF-8 text") from None  # its bytes stay untold
        if not secret:
            raise KafkaSettingsError(f"{member}_file {path} is empty; write the {member} into it")
        return Secret(secret)
    if variable is not None:
        secret = os.environ.get(variable, "")
        if not secret:
            raise KafkaSettingsError(f"{member}_env names ${variable}, and it is not set; set it, or use {member}_file")
        return Secret(secret)
    return None
