"""What went wrong with a Kafka cluster, in a sentence that names the cluster, the topic and the way out.

No message holds a secret: none comes from the settings, which have none, and what kafka-python and the brokers say is
repeated only where it cannot. kafka-python's own log is silent unless somebody asks for it, and its record of requests
stays off even then: it would print access tokens.
"""

from __future__ import annotations

import logging
import socket
import ssl
from typing import TYPE_CHECKING, Any

from kafka import errors as kafka_errors
from kafka.errors import KafkaError
from kafka.net.manager import KafkaConnectionManager
from kafka.net.selector import NetworkSelector

from ingest.log import LogError

if TYPE_CHECKING:
    from ingest.kafka.settings import KafkaSettings

_PROBE_S = 3.0
_PROBES = 3  # of the bootstrap servers; the others will not be better


_TELLTALES = (  # what these say below INFO is requests, answers, records and whole configurations
    "kafka.admin.client",
    "kafka.consumer.group",
    "kafka.net.connection",
    "kafka.producer.kafka",
    "kafka.producer.sender",
    "kafka.protocol.parser",
)


def quieten_kafka_python() -> None:
    """What it would print is in our errors. Somebody who gives the logger "kafka" another level gets its log, but never
    the requests themselves, with tokens in them, and the records, with what the tables did."""
    logger = logging.getLogger("kafka")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.CRITICAL)
    for name in _TELLTALES:
        logging.getLogger(name).addFilter(_says_no_more_than_it_should)


def _says_no_more_than_it_should(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.INFO


def explained(settings: KafkaSettings, topic: str, doing: str, error: Exception) -> LogError:
    """The LogError for an error of kafka-python (or of the settings it was given) met while `doing`."""
    if isinstance(error, LogError):
        return error
    return LogError(f"Kafka at {settings.bootstrap}, topic {topic}: {_sentence(settings, doing, error)}")


def _sentence(settings: KafkaSettings, doing: str, error: Exception) -> str:
    match error:
        case kafka_errors.SaslAuthenticationFailedError():
            who = f" as {settings.username}" if settings.username else ""
            return (
                f"the brokers do not let us in{who} by {settings.sasl_mechanism}, while {doing}; check the user, and "
                "its password, secret or token"
            )
        case kafka_errors.UnsupportedSaslMechanismError():
            return f"the brokers do not offer {settings.sasl_mechanism}, while {doing}; set another sasl_mechanism"
        case kafka_errors.AuthorizationError():
            return (
                f"not allowed ({_name(error)}), while {doing}; give this user the permissions that docs/kafka.md lists"
            )
        case kafka_errors.UnknownTopicOrPartitionError():
            return f"there is no such topic, while {doing}; create it (docs/kafka.md), or correct its name"
        case kafka_errors.InvalidReplicationFactorError():
            wanted = settings.replication_factor or "the cluster's default of"
            return f"the cluster cannot keep {wanted} copies, while {doing}; set replication_factor to what it can"
        case kafka_errors.NotEnoughReplicasError() | kafka_errors.NotEnoughReplicasAfterAppendError():
            return f"too few brokers are in step to keep a record safe, while {doing}; bring the others back"
        case kafka_errors.MessageSizeTooLargeError() | kafka_errors.RecordListTooLargeError():
            return f"a record is larger than the brokers take, while {doing}; raise the topic's max.message.bytes"
        case kafka_errors.LogTruncationError():
            return (
                f"records that were read before are gone from the cluster, while {doing}: a broker that lacked them "
                "was made leader (unclean.leader.election.enable), or the topic was made anew; compare the lake with it"
            )
        case kafka_errors.CorruptRecordError():
            return f"a record is damaged ({error}), while {doing}; check that broker's disk, and its other copies"
        case kafka_errors.KafkaTimeoutError() | kafka_errors.KafkaConnectionError() | kafka_errors.NodeNotReadyError():
            refusal = outright_refusal(settings)
            if refusal is not None:
                return _sentence(settings, doing, refusal)
            return f"no answer in time, while {doing} ({why_unreachable(settings)}); start the brokers, or try again"
        case ssl.SSLCertVerificationError():
            return f"the brokers' certificate is not to be trusted ({_tls_reason(error)}), while {doing}; check ca_file"
        case ssl.SSLError():
            return f"the TLS files cannot be used ({_tls_reason(error)}); check ca_file, certificate_file and key_file"
        case LogError():
            return str(error)
        case _:
            return f"{_name(error)}, while {doing}; see the brokers' logs, or try again"


def outright_refusal(settings: KafkaSettings) -> Exception | None:
    """What no patience will mend: a certificate nobody vouches for, a token that is not to be had, a password that is
    wrong. kafka-python would try again until its time is up, and then say no more than that it is."""
    if settings.security_protocol == "PLAINTEXT":
        return None
    try:
        options = settings.client()
        if settings.sasl_mechanism == "OAUTHBEARER":
            options["sasl_oauth_token_provider"].token()
        for server in settings.bootstrap_servers[:_PROBES]:
            _try_tls(settings, server)
    except (LogError, ssl.SSLCertVerificationError) as error:
        return error
    except OSError:
        return None  # the network: that may mend
    return _sasl_refusal(options) if settings.sasl_mechanism is not None else None


def _sasl_refusal(options: dict[str, Any]) -> Exception | None:
    """The error of an authentication that the brokers refuse; None when one of them accepts it, or cannot be asked.

    A broker that refuses says so and hangs up, and kafka-python 3.0.12 notices the second before the first: a
    connection that was answered and then broke off while authenticating, twice, counts as refused.
    """
    net = NetworkSelector(**options)
    manager = KafkaConnectionManager(net, **options)
    connections: list[Any] = []

    async def connect(node_id: str) -> None:
        connections.append(manager.get_connection(node_id, timeout_ms=_PROBE_S * 1000, refresh_metadata_on_err=False))
        await connections[-1]

    broken_off = 0
    try:
        for broker in (manager.cluster.bootstrap_brokers() * 2)[:_PROBES]:
            try:
                net.run(connect, broker.node_id)
            except (kafka_errors.SaslAuthenticationFailedError, kafka_errors.UnsupportedSaslMechanismError) as error:
                refusal: Exception = error
                return refusal
            except (KafkaError, OSError, ValueError, KeyError):  # the last two: an answer that is no answer
                broken_off += bool(connections) and connections[-1].broker_version is not None
            else:
                return None
        return kafka_errors.SaslAuthenticationFailedError() if broken_off > 1 else None
    finally:
        manager.close()
        net.close()


def why_unreachable(settings: KafkaSettings) -> str:
    """What stands between us and the bootstrap servers, as far as one attempt on each can tell."""
    found = []
    for server in settings.bootstrap_servers[:_PROBES]:
        try:
            _try_tls(settings, server)
        except ssl.SSLError as error:
            found.append(f"{server}: TLS fails: {_tls_reason(error)}")
        except OSError as error:
            found.append(f"{server}: {error.strerror or error}")
        else:
            found.append(f"{server} takes connections; is {settings.security_protocol} what it speaks?")
    return "; ".join(found)


def _try_tls(settings: KafkaSettings, server: str) -> None:
    """Connect, with TLS where the settings say so; an OSError says why not, and an SSLError is one."""
    host, port = server.rsplit(":", 1)
    host = host.strip("[]")
    with socket.create_connection((host, int(port)), timeout=_PROBE_S) as connection:
        if settings.security_protocol.endswith("SSL"):
            tls_context(settings).wrap_socket(connection, server_hostname=host).close()


def tls_context(settings: KafkaSettings) -> ssl.SSLContext:
    """Who vouches for the brokers, and who we are, as the settings say."""
    options = settings.client()
    context = ssl.create_default_context(cafile=options["ssl_cafile"])
    if options["ssl_certfile"] is not None:
        context.load_cert_chain(options["ssl_certfile"], options["ssl_keyfile"], options["ssl_password"])
    return context


def _tls_reason(error: ssl.SSLError) -> str:
    """OpenSSL's reason in words; never its whole text, which can quote what it read."""
    verify = getattr(error, "verify_message", None)
    return str(verify or (error.reason or "the connection broke off").replace("_", " ").lower())


def _name(error: Exception) -> str:
    """The error's name, and of the brokers' errors what they mean: those texts are fixed."""
    name = type(error).__name__
    description = getattr(type(error), "description", None)
    return f"{name}: {description}" if isinstance(description, str) and description else name
