"""Packs and filings: the rules as data, and the choices a licensee filed under them.

A folder `replay/packs/<jurisdiction>/<game>/<version>/` holds `pack.yaml`, `dealing.yaml`, `paytables/*.yaml`,
`fees/*.yaml`, `pickups/*.yaml` (pickup procedures filed beside the standard one), `rules.py` and `cases/*.yaml`. A
*filing* is a pack in one version with the licensee's options filled in by the defaults; the replay never uses another
than the one the table opened under. A number without a citation does not load.

* folders: where packs lie, and which versions of each there are
* versions: a version with what it takes over from the one it is based on
* data, dealing, paytables, fees: what the files hold, as models
* loading: a pack from its files
* law: its rules.py, and the value LAW in it that its family asks for
* filed, filings: a pack and a filing; from what a table said to the filing it is judged by
* games: the family that audits such games
* differences: what one version has otherwise than another
"""

from replay.filing.data import OptionData, OptionValue, PackData
from replay.filing.differences import Difference, differences
from replay.filing.fees import FeeBand, FeePart, FeeSchedule
from replay.filing.filed import Filing, Pack, canonical_filing, with_options
from replay.filing.filings import file_under, filing_of
from replay.filing.folders import pack_ids
from replay.filing.games import cut_rack, filing_problem, game_module
from replay.filing.loading import in_force_on, load_folder, load_pack, versions_of
from replay.filing.paytables import UNNAMED_METER, Paytable, PaytableRow
from replay.filing.problems import PackError

__all__ = [
    "UNNAMED_METER",
    "Difference",
    "FeeBand",
    "FeePart",
    "FeeSchedule",
    "Filing",
    "OptionData",
    "OptionValue",
    "Pack",
    "PackData",
    "PackError",
    "Paytable",
    "PaytableRow",
    "canonical_filing",
    "cut_rack",
    "differences",
    "file_under",
    "filing_of",
    "filing_problem",
    "game_module",
    "in_force_on",
    "load_folder",
    "load_pack",
    "pack_ids",
    "versions_of",
    "with_options",
]
