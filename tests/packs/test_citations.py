"""What every game is judged by quotes its text rightly, and nothing loads without a citation."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import replay.money
from replay.cards.pickup.procedure import procedure_ids, shipped_procedure
from replay.citations import RULES, TEXTS, Citation
from replay.filing import PackError, load_folder, load_pack
from replay.filing.folders import PACKS_FOLDER
from tests.packs.quotations import citations_in, misquoted, source_of


@pytest.mark.parametrize("module", [f"replay.money.{part.name}" for part in iter_modules(replay.money.__path__)])
def test_the_rules_of_the_parts_quote_their_texts_rightly(module: str) -> None:
    import_module(module)
    assert misquoted(cited for name, cited in RULES.items() if name.startswith(f"{module}.")) == []


@pytest.mark.parametrize("name", procedure_ids())
def test_every_step_of_a_pickup_procedure_quotes_its_text_rightly(name: str) -> None:
    procedure = shipped_procedure(name)
    cited = list(citations_in(procedure.steps))
    assert len(cited) >= len(procedure.steps)
    assert [str(citation) for citation in cited if not citation.words] == []
    assert misquoted(cited) == []


def test_a_quotation_that_is_not_in_the_text_is_noticed() -> None:
    made_up = Citation(text="MA-SPG", section="§12(j)", words="the cards shall be thrown into the air")
    assert misquoted([made_up]) == ([] if source_of("MA-SPG") is None else [f"{made_up}: {made_up.words}"])


def test_a_number_without_a_citation_does_not_load(tmp_path: Path) -> None:
    source = PACKS_FOLDER / "ca" / "supreme_baccarat" / "v1"
    for path in [source / "pack.yaml", *(source / "fees").glob("*.yaml"), *(source / "paytables").glob("*.yaml")]:
        target = tmp_path / path.relative_to(source)
        target.parent.mkdir(exist_ok=True)
        target.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    load_folder(tmp_path)
    tie = tmp_path / "paytables" / "tie.yaml"
    tie.write_text(re.sub(r"(?ms)^cite:.*?(?=^\w)", "", tie.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(PackError, match=r"tie\.yaml: cite is missing"):
        load_folder(tmp_path)


def test_an_unknown_pack_names_the_ones_there_are() -> None:
    with pytest.raises(PackError, match=r"no pack 'xx/nothing'.*ca/supreme_baccarat.*ma/pai_gow_poker"):
        load_pack("xx/nothing")


@pytest.mark.parametrize(
    "module",
    ["conclude", *(f"compare.{part}" for part in ("envy", "fee_remarks", "settlement_remarks", "unfiled", "vigorish"))],
)
def test_what_every_game_is_judged_by_is_quoted_and_rightly(module: str) -> None:
    """A bare number of a ruling tells a patron nothing."""
    cited = [one for one in vars(import_module(f"replay.{module}")).values() if isinstance(one, Citation)]
    cited = [one for one in cited if one.text in TEXTS]
    assert cited and misquoted(cited) == []
    assert [str(one) for one in cited if one.words is None] == []
