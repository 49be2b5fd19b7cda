"""Types of every kind that bind reads, in a source without a stub."""

import dataclasses
import enum
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, NotRequired, Optional, Protocol, TypedDict, TypeVar, Union, overload

T = TypeVar("T")
SIDES: Final = 4
Number = Union[int, float]


class Color(enum.Enum):
    """Colors of shapes."""

    RED = "red"
    BLUE = "blue"


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str: ...

    def greet(self, other: str) -> str: ...


@dataclasses.dataclass
class Point:
    """A point."""

    x: float
    y: float = 0.0
    tags: list[str] = dataclasses.field(default_factory=list)

    def moved(self, by: "Point") -> "Point":
        return Point(self.x + by.x, self.y + by.y)


class _Base:
    def doubled(self) -> int:
        return 2 * len(self.points)


class Path(_Base):
    def __init__(self, points: list[Point], *, color: Color = Color.RED) -> None:
        self.points = points
        self.color_ = color

    @property
    def color(self) -> Color:
        return self.color_

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __getitem__(self, at: int) -> Point:
        return self.points[at]

    def __enter__(self) -> "Path":
        return self

    def __exit__(self, *_: object) -> None:
        self.points = []


class _Holder(Generic[T]):
    held: T

    def swap(self, to: T, times: int = 1, /, *more: T) -> list[T]:
        before = [self.held] * times
        self.held = to
        return before + list(more)


class TextHolder(_Holder[str]):
    def __init__(self) -> None:
        self.held = "none"

        self.size: int = 3
        self.late = None

    def hidden(self) -> "_Hidden":
        return _Hidden()


class _Hidden(TextHolder):
    pass


class Box(Generic[T]):
    def __init__(self, of: T) -> None:
        self.of = of

    def get(self) -> T:
        return self.of


class Options(TypedDict):
    width: int
    title: NotRequired[str]


def ends(path: Path) -> tuple[float, float]:
    return path[0].x, path[-1].x


def by_name(points: dict[str, Point]) -> dict[str, Point]:
    return points


def title(options: Options) -> Optional[str]:
    return options.get("title")


def introduce(one: Named, to: str) -> str:
    return f"{one.name}: {one.greet(to)}"


def total(numbers: list[Number]) -> Number:
    return sum(numbers)


def apply(function: Callable[[float], float], points: list[Point], **more: object) -> list[float]:
    return [function(p.x) + len(more) for p in points]


def tags(point: Point) -> Optional[list[str]]:
    return point.tags or None


@overload
def wide(of: int) -> int: ...
@overload
def wide(of: str) -> int: ...
def wide(of):
    return len(str(of))


@contextmanager
def opened(name: str) -> Iterator[Point]:
    yield Point(len(name))


titled = title


async def fetched(name: str, *, times: int = 1) -> Point:
    return Point(len(name) * times)


async def counted(n: int) -> AsyncIterator[int]:
    for i in range(n):
        yield i


def untyped(a, b=2):
    return a, b


class Scale:
    """A scale without annotations.

    Parameters
    ----------
    factor : float, default=2.0
        What it multiplies by.
    strict : bool, default=False

    Attributes
    ----------
    count_ : int
        The number of points.
    """

    def __init__(self, factor=2.0, strict=False):
        self.factor, self.strict = factor, strict

    UNIT: Final = "mm"
    steps = 3

    class Mark:
        at = 1.5

    def fit(self, points):
        """Count points.

        Parameters
        ----------
        points : array-like

        Returns
        -------
        self : object
            The scale.
        """
        self.count_ = len(points)
        self.last = points[-1]
        return self

    measure = fit
    lines = property(lambda self: self.count_ - 1)

    @staticmethod
    def length(_from: int, to: int = 0, étendue: int = 1) -> int:
        return (to - _from) * étendue


class FineScale(Scale):
    steps = 0.5

    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.names = [name]
