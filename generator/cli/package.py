"""A generated package by its folder or its import name, as every command takes it."""

import importlib
import importlib.machinery
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from ...runtime import Toolset
from ..errors import InputError


def toolset_class(package: str) -> type[Toolset]:
    """The package's Toolset subclass.

    Raises InputError for what is no generated package, or cannot be imported.
    """
    folder = Path(package)
    try:
        module = _from_folder(folder, package) if folder.is_dir() else _from_name(package)
        found = module.TOOLSET
    except InputError:
        raise
    except AttributeError as error:
        raise InputError(f"{package}: not a package that toolmint generated.") from error
    except Exception as error:  # a package may fail in any way while it is imported
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"{package}: cannot be imported: {what}") from error
    if not (isinstance(found, type) and issubclass(found, Toolset)):
        raise InputError(f"{package}: its TOOLSET is no Toolset; generate it again.")
    return found


def _from_name(package: str) -> ModuleType:
    sys.path.insert(0, "")  # the current directory first, as `python -m` does
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{package}.".startswith(f"{error.name}."):
            raise
        raise InputError(
            f"{package}: there is no such folder here, and nothing to import by this name."
        ) from error
    except (ValueError, TypeError) as error:  # a path such as ./tools or ..
        raise InputError(f"{package}: there is no such folder.") from error
    finally:
        sys.path.remove("")


def _from_folder(folder: Path, package: str) -> ModuleType:
    """The package as a top-level one, whatever it is nested in: it needs nothing around it.

    Where something else has its name, it is imported below a parent made for it, so that
    its last name, which default credentials are looked up by, stays.
    """
    if not (folder / "__init__.py").is_file() or not (folder / "toolset.py").is_file():
        raise InputError(f"{package}: not a package that toolmint generated (no toolset.py).")
    folder = folder.resolve()
    importlib.invalidate_caches()  # it may have been written a moment ago
    if _is_free(folder):
        sys.path.insert(0, str(folder.parent))
        try:
            return importlib.import_module(folder.name)
        finally:
            sys.path.remove(str(folder.parent))
    parent = ModuleType(f"toolmint_{sha256(str(folder.parent).encode()).hexdigest()[:8]}")
    parent.__path__ = [str(folder.parent)]
    sys.modules.setdefault(parent.__name__, parent)
    return importlib.import_module(f"{parent.__name__}.{folder.name}")


def _is_free(folder: Path) -> bool:
    """Whether the folder's name means nothing else to this process."""
    name, entry = folder.name, folder / "__init__.py"
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None) == str(entry)
    spec = importlib.machinery.PathFinder.find_spec(name)
    free = spec is None or (spec.origin is not None and Path(spec.origin) == entry)
    return free and name not in sys.stdlib_module_names
