"""Source files that a module's code can depend on: its own file and all imported ones.

Imports are followed, also inside functions, to modules below the folder of the module's outermost
package and to our own packages, but not to other libraries. ``from package import name`` refers to
the module of that name, or to the package if its ``__init__`` defines the name. The parent packages
of a module imported by its full name are ignored, because its code does not depend on their
``__init__``. A stub beside a file counts with it: ``__init__.pyi`` names the modules of a package's
public names.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

_OURS = Path(__file__).parents[2]
"""Folder of our packages."""

# Parsing syntax trees at every start would take about ten times as long.
_STATEMENT = re.compile(
    r"""(?:^|[;:])[ \t]*
    (?:from[ \t]+(?P<package>\.*[\w.]*)[ \t]*import\b[ \t]*
       (?P<names>\((?:[^)#]|\#.*)*\)|(?:[^\\\n;]|\\\n)+)
    |import[ \t]+(?P<modules>(?:[^\\\n;]|\\\n)+))""",
    re.MULTILINE | re.VERBOSE,
)
_COMMENT = re.compile(r"#.*")


class SourceFile:
    """A source file, as first read.

    Attributes:
        name: Path relative to the folder of its outermost package, with slashes.
        digest: Digest of the content.
        imports: Files of its import statements.
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
    """A source file and all files that it imports directly or indirectly, sorted by name."""
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
    """Parent folder of the outermost package of a folder."""
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
    """Modules or attributes of an import statement, without aliases."""
    plain = _COMMENT.sub("", names).strip("() \t\n").replace("\\\n", " ")
    return [name.split()[0] for name in plain.split(",") if name.split()]


@functools.cache
def _file_of(module: str, root: Path) -> tuple[Path, ...]:
    """File of a module by its full name, and its stub, if it is near the importing one or ours."""
    for folder in dict.fromkeys((root, _OURS)):
        base = folder.joinpath(*module.split("."))
        for file in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
            if _is_file(file):
                stub = file.with_suffix(".pyi")
                return (file, stub) if _is_file(stub) else (file,)
    return ()
