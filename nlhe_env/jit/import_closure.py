"""The source files that a module's code can depend on: its own, and all that it imports.

Followed are imports of modules that lie beside it (below the folder of its outermost package) or in
our own packages, also those inside functions; other libraries are not. ``from package import name``
leads to the module of that name, or to the package where its ``__init__`` defines the name. The
packages around a module that is imported by its full name do not count: their ``__init__`` does not
enter its code.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

_OURS = Path(__file__).parents[2]
"""The folder of our packages."""

# Parsing into syntax trees takes some ten times as long, at every start.
_STATEMENT = re.compile(
    r"""(?:^|[;:])[ \t]*
    (?:from[ \t]+(?P<package>\.*[\w.]*)[ \t]*import\b[ \t]*
       (?P<names>\((?:[^)#]|\#.*)*\)|(?:[^\\\n;]|\\\n)+)
    |import[ \t]+(?P<modules>(?:[^\\\n;]|\\\n)+))""",
    re.MULTILINE | re.VERBOSE,
)
_COMMENT = re.compile(r"#.*")


class SourceFile:
    """A source file as it was when it was first asked for.

    Attributes:
        name: Its path below the folder of its outermost package, with slashes.
        digest: Digest of its content.
        imports: The files that its import statements lead to.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self._path = path
        self._time = self._read_time()
        try:
            content = path.read_bytes()
        except OSError:
            content = b""
        self.name = path.relative_to(root).as_posix()
        self.digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        text = content.decode(errors="replace")
        self.imports = tuple(sorted(set(_imports(text, path, root))))

    def has_changed(self) -> bool:
        """Whether the file was written since."""
        return self._time != self._read_time()

    def _read_time(self) -> int:
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            return 0


@functools.cache
def import_closure(path: Path) -> tuple[SourceFile, ...]:
    """A source file and all files that it imports, directly or not, sorted by their names."""
    found: dict[Path, SourceFile] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found[file] = _source_file(file)
            waiting += found[file].imports
    return tuple(sorted(found.values(), key=lambda file: file.name))


@functools.cache
def _source_file(path: Path) -> SourceFile:
    return SourceFile(path, _root_of(path.parent))


@functools.cache
def _root_of(folder: Path) -> Path:
    """The folder that holds the outermost package of a folder."""
    return _root_of(folder.parent) if _is_file(folder / "__init__.py") else folder


@functools.cache
def _is_file(path: Path) -> bool:
    return path.is_file()


def _imports(text: str, path: Path, root: Path) -> Iterator[Path]:
    for statement in _STATEMENT.finditer(text):
        if statement["modules"] is not None:
            for module in _names(statement["modules"]):
                yield from _file_of(module, root)
            continue
        package = statement["package"]
        if package.startswith("."):
            levels = len(package) - len(package.lstrip("."))
            parts = path.relative_to(root).parts[:-levels]
            package = ".".join((*parts, package.lstrip("."))).strip(".")
        for name in _names(statement["names"]):
            yield from _file_of(f"{package}.{name}", root) or _file_of(package, root)


def _names(names: str) -> list[str]:
    """The modules or attributes of an import statement, without what they are called here."""
    plain = _COMMENT.sub("", names).strip("() \t\n").replace("\\\n", " ")
    return [name.split()[0] for name in plain.split(",") if name.split()]


@functools.cache
def _file_of(module: str, root: Path) -> tuple[Path, ...]:
    """The file of a module by its full name, if it lies beside the importing one or is ours."""
    for folder in dict.fromkeys((root, _OURS)):
        base = folder.joinpath(*module.split("."))
        for file in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
            if _is_file(file):
                return (file,)
    return ()
