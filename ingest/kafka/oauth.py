"""Tokens for Kafka's OAUTHBEARER: read from a file another program keeps fresh, or fetched with client credentials.

kafka-python asks for a token whenever a connection is made or must authenticate again (KIP-368). The file suits
service-mesh agents and Kubernetes' projected tokens; the endpoint (RFC 6749 §4.4) suits an identity provider.
"""

from __future__ import annotations

import base64
import json
import ssl
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any

from kafka.net.sasl.oauth import AbstractTokenProvider

from ingest.log import LogError

if TYPE_CHECKING:
    from ingest.kafka.settings import KafkaSettings

FETCH_S = 10.0  # a connection waits for it
MAX_ANSWER_BYTES = 1 << 20
_FRESH_PART = 0.8  # fetch anew when so much of a token's life is over


def token_provider(settings: KafkaSettings) -> AbstractTokenProvider:
    """The provider the settings ask for."""
    return FileToken(settings) if settings.oauth_token_file is not None else EndpointToken(settings)


class FileToken(AbstractTokenProvider):  # type: ignore[misc] # kafka-python ships no types
    """The token in `oauth_token_file`, read each time: whoever keeps it fresh replaces the file."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self.token()  # a file that is not there is told now, not from inside a connection

    def token(self) -> str:
        return self._settings.oauth_token()


class EndpointToken(AbstractTokenProvider):  # type: ignore[misc] # kafka-python ships no types
    """A token from `oauth_token_endpoint`, shared by all connections and fetched anew before it expires."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._token = ""
        self._fetch_again_at = 0.0  # on the monotonic clock
        settings.oauth_client_secret()  # told now when it is not there

    def token(self) -> str:
        with self._lock:
            if time.monotonic() >= self._fetch_again_at:
                self._token, life_s = self._fetch()
                self._fetch_again_at = time.monotonic() + life_s * _FRESH_PART
            return self._token

    def _fetch(self) -> tuple[str, float]:
        """A new token and how many seconds it lives. No message here ever holds the secret or the token."""
        settings = self._settings
        endpoint = settings.oauth_token_endpoint
        assert endpoint is not None and settings.oauth_client_id is not None
        form = {"grant_type": "client_credentials"}
        if settings.oauth_scope is not None:
            form["scope"] = settings.oauth_scope
        # RFC 6749 §2.3.1: both are form-encoded before they are joined, so that a colon in one cannot move the border.
        quote = urllib.parse.quote_plus
        credentials = f"{quote(settings.oauth_client_id)}:{quote(settings.oauth_client_secret())}"
        request = urllib.request.Request(
            endpoint,
            data=urllib.parse.urlencode(form).encode(),
            headers={
                "Authorization": "Basic " + base64.b64encode(credentials.encode()).decode(),
                "Accept": "application/json",
            },
        )
        try:
            ca_file = settings.oauth_ca_file
            context = ssl.create_default_context(cafile=None if ca_file is None else str(ca_file))
            opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), _NoRedirect())
            with opener.open(request, timeout=FETCH_S) as answer:
                body = answer.read(MAX_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            with error:
                raise LogError(
                    f"the token endpoint {endpoint} answered {error.code} {error.reason}; check oauth_client_id, the "
                    "secret and oauth_scope"
                ) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise LogError(f"the token endpoint {endpoint} cannot be asked: {reason}; check the address") from None
        return _token_in(body, endpoint)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An endpoint that points elsewhere is refused: the secret would be shown to whoever is there."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _token_in(body: bytes, endpoint: str) -> tuple[str, float]:
    try:
        said = json.loads(body)
        token, life_s = said["access_token"], float(said.get("expires_in", 60))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LogError(f"the token endpoint {endpoint} did not answer with an access token in JSON") from None
    if not isinstance(token, str) or not token or not life_s > 0:
        raise LogError(f"the token endpoint {endpoint} answered with an empty or expired access token")
    return token, life_s
