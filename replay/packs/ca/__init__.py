"""Rule packs of California card rooms (CA)."""
