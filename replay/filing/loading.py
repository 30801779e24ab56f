"""Loading a pack: each file read, looked into, and named where it does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from replay.cards.dealing.method import Method
from replay.cards.pickup.procedure import Procedure, ProcedureError, procedure_from, read_procedure
from replay.citations import TEXTS, Citation
from replay.filing import folders
from replay.filing.data import PackData
from replay.filing.dealing import methods_in
from replay.filing.fees import FeeSchedule, problem_with_schedules
from replay.filing.filed import STANDARD_PICKUP, Pack
from replay.filing.folders import PACK_FILE, pack_ids, read_yaml, version_folders
from replay.filing.paytables import Paytable
from replay.filing.problems import PackError
from replay.filing.versions import Written, title_of, written
from schemas.problems import first_problem

ModelT = TypeVar("ModelT", bound=BaseModel)


def load_pack(pack_id: str, version: str | None = None) -> Pack:
    """A pack by its id, such as `ma/pai_gow_poker`, in one version: without a name the last that came into force."""
    there = versions_of(pack_id)
    if version is None:
        version = there[-1]
    if version not in there:
        raise PackError(f"pack {pack_id} has no version {version}; it has: {', '.join(there)}")
    return _loaded(folders.PACKS_FOLDER, pack_id, version)


def versions_of(pack_id: str) -> list[str]:
    """The versions of a pack, the one that came into force last at the end."""
    there = version_folders(folders.PACKS_FOLDER, pack_id)
    if not there:
        raise PackError(f"there is no pack {pack_id!r}; there are: {', '.join(pack_ids()) or 'none'}")
    return list(there)


def in_force_on(pack_id: str, day: date) -> list[str]:
    """The versions of a pack that were in force on a day."""
    return [version for version in versions_of(pack_id) if load_pack(pack_id, version).in_force(day)]


@cache
def _loaded(packs: Path, pack_id: str, version: str) -> Pack:
    folder = version_folders(packs, pack_id)[version]
    pack = load_folder(folder)
    if pack.id != pack_id:
        raise PackError(f"{folder / PACK_FILE} calls itself {pack.id!r}; its folder says {pack_id!r}")
    return pack


def load_folder(folder: Path) -> Pack:
    """A version of a pack from its folder; a PackError names the file and the field that does not hold."""
    said = written(folder)
    data = _valid(dict(said.fields), folder / PACK_FILE, PackData)
    if data.text not in TEXTS:
        raise PackError(f"{folder / PACK_FILE}: text {data.text!r} is not a rule text ({', '.join(TEXTS)})")
    tables = {stem: _read(path, Paytable) for stem, path in said.files["paytables"].items()}
    fees = {stem: _read(path, FeeSchedule) for stem, path in said.files["fees"].items()}
    ids = {stem: table.id for stem, table in tables.items()} | {stem: schedule.id for stem, schedule in fees.items()}
    for stem, named in ids.items():
        if named != stem:
            raise PackError(f"{folder}: file {stem}.yaml calls itself {named!r}; the file name is the id")
    if (problem := problem_with_schedules(data, fees)) is not None:
        raise PackError(f"{folder}: {problem}")
    return Pack(
        data,
        _dealing(said, data.id, folder),
        tables,
        fees,
        _pickups(said, data, folder),
        said.files["cases"],
        said.rules,
        said.cites,
        folder,
        tuple(title_of(base) for base in said.folders[1:]),
    )


def _dealing(said: Written, pack_id: str, folder: Path) -> dict[str, Method]:
    try:
        methods = methods_in(dict(said.dealing), pack_id)
    except ValidationError as problem:
        raise PackError(f"{folder / 'dealing.yaml'}: {first_problem(problem).removeprefix('methods.')}") from None
    for method in methods.values():
        _check_cites(method.cites, f"{folder / 'dealing.yaml'}, {method.id}")
    return methods


def _check_cites(cites: tuple[Citation, ...], where: str) -> None:
    for cited in cites:
        if cited.text not in TEXTS:
            raise PackError(f"{where} cites {cited.text!r}, which is no rule text ({', '.join(TEXTS)})")


def _pickups(said: Written, data: PackData, folder: Path) -> dict[str, Procedure]:
    """The pack's standard pickup procedure, and every other one in its folder."""
    try:
        raw = {"id": STANDARD_PICKUP, "title": data.title, "steps": data.pickup}
        standard = procedure_from(raw, f"{_where_pickup(said, folder)}, pickup")
        filed: Mapping[str, Path] = said.files["pickups"]
        return {STANDARD_PICKUP: standard, **{stem: read_procedure(path) for stem, path in filed.items()}}
    except ProcedureError as problem:
        raise PackError(str(problem)) from None


def _where_pickup(said: Written, folder: Path) -> Path:
    """The file its steps stand in: that of the nearest version that has any."""
    for own in said.folders:
        if (own / "pickup.yaml").exists():
            return own / "pickup.yaml"
        if "pickup" in folders.read_mapping(own / PACK_FILE):
            return own / PACK_FILE
    return folder / PACK_FILE


def _read(path: Path, model: type[ModelT]) -> ModelT:
    return _valid(read_yaml(path), path, model)


def _valid(raw: Any, path: Path, model: type[ModelT]) -> ModelT:
    try:
        return model.model_validate(raw)
    except ValidationError as problem:
        raise PackError(f"{path}: {first_problem(problem)}") from None
