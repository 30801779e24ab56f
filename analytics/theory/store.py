"""Where counts come from: the ones shipped with Muckraker, the ones counted here before, or a new count.

Whatever is read is checked (`counts.read_counts`) and what does not hold is counted anew; what was wrong with it is in
`notes`, for whoever asked to see.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from analytics.theory.counts import Counts, Inputs, Untrusted, digest_of, read_counts, write_counts

SHIPPED_FOLDER = Path(__file__).parent / "data"
Progress = Callable[[int, int], None]
"""Told how much is done, of how much."""


@dataclass(frozen=True)
class Recipe:
    """Counts that can be made: from these inputs, by this function."""

    name: str  # of its file
    inputs: Inputs
    count: Callable[[Progress], Counts]


def no_progress(done: int, of: int) -> None:
    """For whoever does not want to be told."""


def cache_folder() -> Path:
    """The user's own folder for what can be made again, where no home was named."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "muckraker" / "theory"


class CountsStore:
    """Reads counts, or makes and keeps them in `folder` (None: keeps nothing)."""

    def __init__(
        self,
        folder: Path | None,
        *,
        shipped: Path = SHIPPED_FOLDER,
        recompute: bool = False,
        progress: Progress = no_progress,
    ) -> None:
        self.folder = folder
        self.shipped = shipped
        self.recompute = recompute
        self.progress = progress
        self.notes: list[str] = []

    def get(self, recipe: Recipe) -> Counts:
        stored = self._stored(recipe)
        if stored is not None and not self.recompute:
            return stored
        counts = recipe.count(self.progress)
        if dict(counts.inputs) != dict(recipe.inputs):
            raise AssertionError(f"{recipe.name} was counted from other inputs than its recipe names")
        if counts == stored:
            self.notes.append(f"{recipe.name}: counted anew, and the same as stored")
            return counts
        if stored is not None:
            self.notes.append(f"{recipe.name}: counted anew, and NOT as stored; the new count stands")
        self._keep(recipe, counts)
        return counts

    def _stored(self, recipe: Recipe) -> Counts | None:
        places = [self.shipped / f"{recipe.name}.json"]
        if self.folder is not None:
            places.append(self._kept_at(self.folder, recipe))
        for path in places:
            try:
                return read_counts(path, recipe.inputs)
            except FileNotFoundError:
                continue
            except Untrusted as why:
                self.notes.append(f"{why}; it is not used")
        return None

    def _keep(self, recipe: Recipe, counts: Counts) -> None:
        if self.folder is None:
            return
        path = self._kept_at(self.folder, recipe)
        try:
            write_counts(path, counts, "muckraker theory")
        except OSError as error:
            self.notes.append(f"{path} cannot be written ({error.strerror}): {recipe.name} is counted anew each time")

    @staticmethod
    def _kept_at(folder: Path, recipe: Recipe) -> Path:
        return folder / f"{recipe.name}-{digest_of(dict(recipe.inputs))[:16]}.json"
