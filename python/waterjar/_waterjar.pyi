from os import PathLike
from typing import Optional, Sequence, Union

_Path = Union[str, PathLike[str]]

__version__: str
SUITES: list[str]

def score(
    suite: str, files: Sequence[_Path], seed: int, embedder: str, model: Optional[_Path]
) -> str: ...
def agree(
    rows: Sequence[Sequence[Optional[str]]], scale: str, categories: Sequence[str], seed: int
) -> str: ...

class Embedder:
    def __new__(cls, model: Optional[_Path], windows: bool) -> Embedder: ...
    @property
    def id(self) -> str: ...
    def likeness(self, pairs: Sequence[tuple[str, str]]) -> list[Optional[float]]: ...

class Judge:
    def __new__(
        cls,
        study: str,
        suite: Optional[str],
        folder: _Path,
        inputs: _Path,
        source: Optional[str],
        model: Optional[_Path],
    ) -> Judge: ...
    @property
    def suite(self) -> str: ...
    def score(
        self,
        family: str,
        variant: str,
        answer: str,
        reasoning: Optional[str],
        others: dict[str, tuple[str, Optional[str]]],
    ) -> str: ...
