"""The seal: proves that the lake's records were not touched, with other people's well-known structures only.

RFC 6962 Merkle trees (merkle), C2SP signed notes and checkpoints (note, checkpoint), C2SP tlog-proofs (proof), and a
C2SP witness (witness). What lies in a segment is in segment_seal; docs/seal.md has the whole, with what it cannot tell.
"""
