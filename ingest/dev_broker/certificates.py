"""Certificates for a development cluster: an authority of its own, one certificate for 127.0.0.1, one for clients.

Uses `cryptography`, which is installed for development only; imported when a cluster is asked for TLS.
"""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from ingest.dev_broker.properties import HOST, TlsFiles

_DAYS = 365  # a folder older than that makes new ones when the old are removed


def make_certificates(folder: Path) -> TlsFiles:
    """The PEM files in `folder`, made the first time: ca.pem, broker.pem, client.pem, client.key, other-ca.pem."""
    files = TlsFiles(keystore=folder / "broker.pem", truststore=folder / "ca.pem")
    if files.keystore.is_file():
        return files
    folder.mkdir(parents=True, exist_ok=True)
    authority_key = ec.generate_private_key(ec.SECP256R1())
    authority = _certificate("Muckraker development authority", authority_key, None, authority_key)
    files.truststore.write_bytes(_pem(authority))
    other_key = ec.generate_private_key(ec.SECP256R1())  # one that vouches for nobody here: a client must refuse us
    (folder / "other-ca.pem").write_bytes(_pem(_certificate("Another authority", other_key, None, other_key)))

    client_key = ec.generate_private_key(ec.SECP256R1())
    client = _certificate("muckraker", client_key, authority, authority_key, ExtendedKeyUsageOID.CLIENT_AUTH)
    (folder / "client.pem").write_bytes(_pem(client))
    key_file = folder / "client.key"
    key_file.touch(mode=0o600)
    key_file.write_bytes(_private_pem(client_key))

    broker_key = ec.generate_private_key(ec.SECP256R1())
    broker = _certificate(HOST, broker_key, authority, authority_key, ExtendedKeyUsageOID.SERVER_AUTH)
    part = folder / "broker.pem.part"
    part.touch(mode=0o600)
    part.write_bytes(_private_pem(broker_key) + _pem(broker) + _pem(authority))
    part.rename(files.keystore)  # last: its being there says that all are
    return files


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Certificate | None,
    issuer_key: ec.EllipticCurvePrivateKey,
    use: x509.ObjectIdentifier | None = None,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    signed_by_itself = issuer is None
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.BasicConstraints(ca=signed_by_itself, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(
                digital_signature=True,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=signed_by_itself,
                crl_sign=signed_by_itself,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
    )
    if use is not None:
        builder = builder.add_extension(x509.ExtendedKeyUsage([use]), critical=False)
    if use == ExtendedKeyUsageOID.SERVER_AUTH:
        names = [x509.IPAddress(ipaddress.ip_address(HOST)), x509.DNSName("localhost")]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
