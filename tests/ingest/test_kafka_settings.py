from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.kafka.settings import KafkaSettings, KafkaSettingsError, find_settings, read_settings
from ingest.log import LogError
from tests.ingest.token_server import TokenServer

SECRET = "correct horse, battery=staple"


def written(folder: Path, text: str) -> Path:
    path = folder / "kafka.toml"
    path.write_text(text, encoding="utf-8")
    return path


def private(path: Path, text: str = SECRET + "\n") -> Path:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
    return path


SCRAM = """
bootstrap_servers = ["kafka-1.example:9093", "[::1]:9093"]
security_protocol = "SASL_SSL"
ca_file = "ca.pem"
sasl_mechanism = "SCRAM-SHA-512"
username = "muckraker"
password_file = "kafka.password"
replication_factor = 3
"""


def test_one_line_is_enough(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, 'bootstrap_servers = ["127.0.0.1:9092"]'))
    assert settings.client() == {
        "bootstrap_servers": ["127.0.0.1:9092"],
        "client_id": "muckraker",
        "security_protocol": "PLAINTEXT",
        "bootstrap_timeout_ms": 30_000,
        "request_timeout_ms": 30_000,
        "reconnect_backoff_max_ms": 2_000,
    }
    assert settings.session_timeout_ms == 45_000


def test_files_are_looked_for_beside_the_settings_and_secrets_read_when_needed(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, SCRAM))
    (tmp_path / "ca.pem").write_text("authorities")
    with pytest.raises(KafkaSettingsError, match=r"password_file .*kafka\.password cannot be read: No such file"):
        settings.client()
    private(tmp_path / "kafka.password")
    client = settings.client()
    assert client["ssl_cafile"] == str(tmp_path / "ca.pem")
    assert (client["sasl_mechanism"], client["sasl_plain_username"]) == ("SCRAM-SHA-512", "muckraker")
    assert client["sasl_plain_password"] == SECRET
    private(tmp_path / "kafka.password", "rotated")
    assert settings.client()["sasl_plain_password"] == "rotated"


def test_a_password_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ca.pem").write_text("authorities")
    text = SCRAM.replace('password_file = "kafka.password"', 'password_env = "KAFKA_PASSWORD"')
    settings = read_settings(written(tmp_path, text))
    monkeypatch.delenv("KAFKA_PASSWORD", raising=False)
    with pytest.raises(KafkaSettingsError, match=r"\$KAFKA_PASSWORD, and it is not set"):
        settings.client()
    monkeypatch.setenv("KAFKA_PASSWORD", SECRET)
    assert settings.client()["sasl_plain_password"] == SECRET


def test_settings_can_be_shown_to_anybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKA_PASSWORD", SECRET)
    private(tmp_path / "kafka.password")
    (tmp_path / "ca.pem").write_text("authorities")
    settings = read_settings(written(tmp_path, SCRAM))
    client = settings.client()
    assert SECRET not in str(client) and SECRET not in repr(client)  # kafka-python logs whole configurations
    for shown in (repr(settings), str(settings), settings.model_dump_json(), repr(settings.model_dump())):
        assert SECRET not in shown
        assert "kafka.password" in shown


@pytest.mark.parametrize("mode", [0o644, 0o602])
def test_a_secret_that_every_user_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "ca.pem").write_text("authorities")
    path = private(tmp_path / "kafka.password")
    path.chmod(mode)
    with pytest.raises(KafkaSettingsError, match=r"chmod o-rwx .*kafka\.password") as caught:
        read_settings(written(tmp_path, SCRAM)).client()
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is empty"), (b"\n", "is empty"), (b"\xff\xfe", "is not UTF-8"), (b"x" * 70_000, "more than 65536 bytes")],
)
def test_a_secret_file_with_no_secret_in_it_is_an_error(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "ca.pem").write_text("authorities")
    private(tmp_path / "kafka.password").write_bytes(content)
    with pytest.raises(KafkaSettingsError, match=message):
        read_settings(written(tmp_path, SCRAM)).client()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bootstrap_servers is missing"),
        ("bootstrap_servers = []", "bootstrap_servers"),
        ('bootstrap_servers = "a:1"', "bootstrap_servers"),
        ('bootstrap_servers = ["kafka"]', "'kafka' is not host:port"),
        ('bootstrap_servers = ["kafka:99999"]', "'kafka:99999' is not host:port"),
        ('bootstrap_servers = ["a:1"]\nbootstrap = 1', "bootstrap is no member of the Kafka settings; they are boots"),
        ('bootstrap_servers = ["a:1"]\nreplication_factor = "3"', "replication_factor: .*integer"),
        ('bootstrap_servers = ["a:1"]\nreplication_factor = 0', "replication_factor"),
        ('bootstrap_servers = ["a:1"]\nrequest_timeout_s = 0', "request_timeout_s"),
        ('bootstrap_servers = ["a:1"]\nrequest_timeout_s = 200', "delivery_timeout_s must be at least"),
        ('bootstrap_servers = ["a:1"]\nsecurity_protocol = "TLS"', "security_protocol: .*'SASL_SSL'"),
        ('bootstrap_servers = ["a:1"]\nca_file = "ca.pem"', "ca_file needs security_protocol SSL"),
        (
            'bootstrap_servers = ["a:1"]\nsecurity_protocol = "SSL"\ncertificate_file = "c"',
            "certificate_file and key_file need each other",
        ),
        ('bootstrap_servers = ["a:1"]\nsecurity_protocol = "SASL_SSL"', "sasl_mechanism and security_protocol"),
        ('bootstrap_servers = ["a:1"]\nsasl_mechanism = "SCRAM-SHA-256"', "sasl_mechanism and security_protocol"),
        ('bootstrap_servers = ["a:1"]\nsasl_mechanism = "PLAIN"', "sasl_mechanism: .*'OAUTHBEARER'"),
        (SCRAM.replace('username = "muckraker"', ""), "SCRAM-SHA-512 needs username"),
        (SCRAM.replace('"muckraker"', '"a,b"'), "username: .*comma"),
        (SCRAM + 'password_env = "X"', "password_file or password_env, not both"),
        (SCRAM + 'oauth_token_file = "X"', "needs sasl_mechanism OAUTHBEARER"),
        ("bootstrap_servers = [", "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(KafkaSettingsError, match=message) as caught:
        read_settings(written(tmp_path, text))
    assert "kafka.toml" in str(caught.value)


@pytest.mark.parametrize("member", ["password", "sasl_plain_password", "key_password", "oauth_client_secret"])
def test_a_secret_in_the_settings_is_refused_and_not_repeated(tmp_path: Path, member: str) -> None:
    path = written(tmp_path, f'bootstrap_servers = ["a:1"]\n{member} = "{SECRET}"')
    with pytest.raises(KafkaSettingsError, match=r"a secret does not belong in here.*_file") as caught:
        read_settings(path)
    assert SECRET not in str(caught.value)


def test_a_wrong_value_is_not_repeated_in_case_it_is_a_secret(tmp_path: Path) -> None:
    with pytest.raises(KafkaSettingsError) as caught:
        read_settings(written(tmp_path, f'bootstrap_servers = ["a:1"]\nrequest_timeout_s = "{SECRET}"'))
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_settings_are_found_by_the_environment_then_in_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MUCKRAKER_KAFKA", raising=False)
    assert find_settings(tmp_path) is None
    written(tmp_path, 'bootstrap_servers = ["home:1"]')
    found = find_settings(tmp_path)
    assert found is not None and found.bootstrap == "home:1"
    other = tmp_path / "elsewhere.toml"
    monkeypatch.setenv("MUCKRAKER_KAFKA", str(other))
    with pytest.raises(KafkaSettingsError, match=r"elsewhere\.toml is not there; docs/kafka\.md"):
        find_settings(tmp_path)
    other.write_text('bootstrap_servers = ["other:1"]')
    found = find_settings(tmp_path)
    assert found is not None and found.bootstrap == "other:1"


# --- tokens -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def identity(tmp_path: Path) -> Iterator[TokenServer]:
    server = TokenServer(tmp_path / "tls")
    yield server
    server.close()


def endpoint_settings(identity: TokenServer, folder: Path, **more: Any) -> KafkaSettings:
    said = {
        "bootstrap_servers": ["127.0.0.1:1"],
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "OAUTHBEARER",
        "oauth_token_endpoint": f"https://127.0.0.1:{identity.port}/token",
        "oauth_client_id": "muck:raker",
        "oauth_client_secret_file": str(private(folder / "secret")),
        "oauth_ca_file": str(identity.ca_file),
        **more,
    }
    return KafkaSettings.model_validate(said)


def test_a_token_is_fetched_with_the_clients_credentials_and_kept_while_it_lives(
    identity: TokenServer, tmp_path: Path
) -> None:
    provider = endpoint_settings(identity, tmp_path, oauth_scope="kafka").client()["sasl_oauth_token_provider"]
    assert [provider.token() for _ in range(3)] == ["token-1"] * 3
    ((authorization, form),) = identity.asked
    # RFC 6749 §2.3.1: id and secret are form-encoded, joined by a colon, and base64 encoded.
    decoded = base64.b64decode(authorization.removeprefix("Basic ")).decode()
    assert decoded == "muck%3Araker:correct+horse%2C+battery%3Dstaple"
    assert form == {"grant_type": ["client_credentials"], "scope": ["kafka"]}


def test_a_token_about_to_expire_is_fetched_anew(identity: TokenServer, tmp_path: Path) -> None:
    identity.answer = {"access_token": "short", "expires_in": 0.001}
    provider = endpoint_settings(identity, tmp_path).client()["sasl_oauth_token_provider"]
    assert provider.token() == "short"
    threading.Event().wait(0.01)
    identity.answer = {"access_token": "next", "expires_in": 3600}
    assert provider.token() == "next"
    assert len(identity.asked) == 2


@pytest.mark.parametrize(
    ("status", "answer", "message"),
    [
        (401, {"error": "invalid_client"}, "answered 401 Unauthorized; check oauth_client_id"),
        (302, {}, "answered 302"),
        (200, {"token": "x"}, "did not answer with an access token"),
        (200, [1], "did not answer with an access token"),
        (200, {"access_token": ""}, "empty or expired"),
        (200, {"access_token": "x", "expires_in": -5}, "empty or expired"),
    ],
)
def test_an_endpoint_that_gives_no_token_is_an_error_without_the_secret(
    identity: TokenServer, tmp_path: Path, status: int, answer: Any, message: str
) -> None:
    identity.status, identity.answer = status, answer
    identity.headers = {"Location": f"https://127.0.0.1:{identity.port}/elsewhere"} if status == 302 else {}
    provider = endpoint_settings(identity, tmp_path).client()["sasl_oauth_token_provider"]
    with pytest.raises(LogError, match=message) as caught:
        provider.token()
    assert SECRET not in str(caught.value)
    assert len(identity.asked) == 1  # a redirect is not followed with the secret in hand


def test_an_endpoint_nobody_vouches_for_is_not_shown_the_secret(identity: TokenServer, tmp_path: Path) -> None:
    settings = endpoint_settings(identity, tmp_path, oauth_ca_file=str(tmp_path / "tls" / "other-ca.pem"))
    with pytest.raises(LogError, match=r"cannot be asked: .*certificate verify failed"):
        settings.client()["sasl_oauth_token_provider"].token()
    assert identity.asked == []


def test_the_secret_is_sent_over_tls_only(tmp_path: Path) -> None:
    text = """
        bootstrap_servers = ["a:1"]
        security_protocol = "SASL_SSL"
        sasl_mechanism = "OAUTHBEARER"
        oauth_token_endpoint = "http://idp.example/token"
        oauth_client_id = "x"
        oauth_client_secret_env = "X"
    """
    with pytest.raises(KafkaSettingsError, match="must begin with https://"):
        read_settings(written(tmp_path, text))


def test_a_token_file_is_read_whenever_a_token_is_needed(tmp_path: Path) -> None:
    text = """
        bootstrap_servers = ["a:1"]
        security_protocol = "SASL_SSL"
        sasl_mechanism = "OAUTHBEARER"
        oauth_token_file = "token"
    """
    settings = read_settings(written(tmp_path, text))
    with pytest.raises(KafkaSettingsError, match=r"oauth_token_file .* cannot be read"):
        settings.client()
    private(tmp_path / "token", "first\n")
    provider = settings.client()["sasl_oauth_token_provider"]
    assert provider.token() == "first"
    private(tmp_path / "token", "second\n")
    assert provider.token() == "second"
