"""Every rule and number says where it comes from, and its quoted words stand in the text it names.

The rule texts lie beside the repository in ../shared where the project is developed and in CI; a clone without them
still checks that everything is cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import replay.money
from replay.cards.pickup.procedure import procedure_ids, shipped_procedure
from replay.citations import RULES, TEXTS, Citation
from replay.filing import Pack, PackError, load_folder, load_pack, pack_ids
from replay.filing.folders import PACKS_FOLDER
from replay.filing.law import rules_module

SHARED = Path(__file__).parents[3] / "shared"
FILES = {"MA-SPG": "000_", "MA-PGP": "001_", "NJ-SPG": "002_", "FLT-SPG": "003_", "CA": "004_"}


def plain(text: str) -> str:
    """White space, escaped dollars, typographic quotes and emphasis evened out."""
    text = text.replace("\\$", "$").translate(str.maketrans("“”’‘–—\xa0", "\"\"''-- "))
    return re.sub(r"\s+", " ", re.sub(r"[*_]{1,2}", "", text)).casefold()


def source_of(text: str) -> str | None:
    if text == "rulings.md":
        path = SHARED / "rulings.md"
    else:
        found = sorted((SHARED / "seeds").glob(FILES[text] + "*.txt"))
        path = found[0] if found else SHARED / "missing"
    return plain(path.read_text(encoding="utf-8")) if path.exists() else None


def citations_in(model: object) -> Iterator[Citation]:
    if isinstance(model, Citation):
        yield model
    elif isinstance(model, dict):
        for value in model.values():
            yield from citations_in(value)
    elif isinstance(model, (list, tuple)):
        for value in model:
            yield from citations_in(value)
    elif is_dataclass(model) and not isinstance(model, type):
        for field in fields(model):
            yield from citations_in(getattr(model, field.name))
    elif hasattr(model, "model_fields_set") and not isinstance(model, type):
        for value in vars(model).values():
            yield from citations_in(value)


def citations_of(pack: Pack) -> list[Citation]:
    parts = (pack.paytables, pack.fees, pack.pickups)
    dealt = [cited for method in pack.dealing.values() for cited in method.cites]
    return [*citations_in(pack.data), *(cited for part in parts for cited in citations_in(dict(part))), *dealt]


def misquoted(cited: Iterable[Citation]) -> list[str]:
    """Quoted words that do not stand in the text they are said to be from."""
    wrong = []
    for citation in cited:
        assert citation.text in TEXTS
        source = source_of(citation.text)
        if source is not None and citation.words is not None:
            wrong += [f"{citation}: {part}" for part in citation.words.split("…") if plain(part).strip() not in source]
    return wrong


@pytest.mark.parametrize("pack_id", pack_ids())
def test_every_citation_names_a_known_text_and_quotes_it_rightly(pack_id: str) -> None:
    pack = load_pack(pack_id)
    cited = [*citations_of(pack), *pack.rule_functions.values()]
    assert len(cited) > 20
    assert misquoted(cited) == []


@pytest.mark.parametrize("pack_id", pack_ids())
def test_every_citation_constant_of_a_pack_quotes_its_text_rightly(pack_id: str) -> None:
    named = [pair for rules in load_pack(pack_id).rules for pair in vars(rules_module(rules)).items()]
    cited = [one for name, value in named if not name.startswith("__") for one in citations_in(value)]
    assert len(cited) > 20
    assert misquoted(cited) == []


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


@pytest.mark.parametrize("pack_id", pack_ids())
def test_every_pack_has_rules_that_quote_their_text(pack_id: str) -> None:
    mine = load_pack(pack_id).rule_functions
    assert mine
    assert [name for name, rule in mine.items() if rule.text != "rulings.md" and not rule.words] == []


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
    ["conclude", *(f"compare.{part}" for part in ("envy", "fees", "settlement_remarks", "unfiled", "vigorish"))],
)
def test_what_every_game_is_judged_by_is_quoted_and_rightly(module: str) -> None:
    """A bare number of a ruling tells a patron nothing."""
    cited = [one for one in vars(import_module(f"replay.{module}")).values() if isinstance(one, Citation)]
    cited = [one for one in cited if one.text in TEXTS]
    assert cited and misquoted(cited) == []
    assert [str(one) for one in cited if one.words is None] == []
