"""Every dealing method of the rule texts, of games with a pack and without."""

from __future__ import annotations

from replay.cards.dealing.method import Method
from replay.filing import load_pack, pack_ids
from tests.reconstruct.methods_without_pack import WITHOUT_PACK

EVERY_METHOD: dict[str, Method] = WITHOUT_PACK | {
    method.id: method for pack_id in pack_ids() for method in load_pack(pack_id).dealing.values()
}
