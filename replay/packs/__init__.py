"""Rule packs: one folder a jurisdiction, one folder a game in it."""
