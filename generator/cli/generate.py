"""`toolmint generate`: descriptions in, tool packages on disk."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ..config import Config
from ..diagnostics import Report, counted, problems
from ..errors import describe
from ..output import EditedError, Files, Written, missing_py_typed, write
from ..progress import STEPS, Progress, silent, watched
from ..unchanged import unchanged
from ..visible import visible_json
from .collection import uncollected
from .ending import Finding
from .selection import of_package, options, select


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one package came to."""

    config: Config
    report: Report
    problems: tuple[str, ...]
    files: int
    written: Written | None  # None: nothing was, and the last problem says why
    seconds: float


@click.command("generate")
@options
@click.option("--force", is_flag=True, help="Overwrite hand edits and files that are not ours.")
def command(force: bool, **chosen: Any) -> None:
    """Compile SOURCE, or every [[package]] of toolmint.toml, into a tool package."""
    selection = select(**chosen)
    failed = 0
    for outcome in _outcomes(selection.configs, selection.strict, force, selection.jobs):
        failed += outcome.written is None
        for problem in outcome.problems:
            click.echo(problem, err=True)
        click.echo(_as_json(outcome) if selection.as_json else _as_line(outcome))
        _warn_of_nesting(outcome.config)
    if failed:
        raise Finding(f"{failed} of {counted(len(selection.configs), 'package')} not written.")


def generate(config: Config, strict: bool, force: bool, progress: Progress) -> Outcome:
    """Compile and write one package."""
    start = time.perf_counter()
    known = None if force else unchanged(config)
    if known is not None:
        report, count = known
        return Outcome(
            config=config,
            report=report,
            problems=(),
            files=count,
            written=Written(),
            seconds=time.perf_counter() - start,
        )
    with uncollected():
        from ..pipeline import compile  # takes longer to import than most packages to compare

        files = compile(config, of_package(config, progress))
    progress(f"{config.name}: write {config.output}")
    written, told = _written(files, config, strict=strict, force=force)
    return Outcome(
        config=config,
        report=replace(files.report, place=describe),  # the document stays behind
        problems=(*problems(files.report), *told),
        files=len(files.files),
        written=written,
        seconds=time.perf_counter() - start,
    )


def _written(
    files: Files, config: Config, *, strict: bool, force: bool
) -> tuple[Written | None, list[str]]:
    """What was written, if it may be, and what a person is told of that."""
    if strict and files.report.lost:
        return None, [f"{config.output}: something was lost, and --strict forbids that."]
    try:
        written = write(files, config.output, force=force)
    except EditedError as error:
        return None, [str(error)]
    over = (Path(config.output, path).as_posix() for path in written.overwritten)
    return written, [f"overwritten: {path}" for path in over]


def _outcomes(
    configs: tuple[Config, ...], strict: bool, force: bool, jobs: int
) -> Iterator[Outcome]:
    """Outcomes in the order of the configs, whichever is done first."""
    if jobs == 1:
        with closing(watched(len(STEPS) * len(configs))) as progress:
            for config in configs:
                outcome = generate(config, strict, force, progress)
                progress.close()
                yield outcome
        return
    from concurrent.futures import ProcessPoolExecutor

    with (
        ProcessPoolExecutor(jobs, initializer=_leave_interrupts_alone) as pool,
        closing(watched(len(configs))) as progress,
    ):
        waiting = [pool.submit(generate, config, strict, force, silent) for config in configs]
        try:
            for config, future in zip(configs, waiting, strict=True):
                progress(f"{config.name}: {config.label}")
                outcome = future.result()
                progress.close()
                yield outcome
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # do not start what nobody awaits
            raise


def _leave_interrupts_alone() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C for all


def _as_json(outcome: Outcome) -> str:
    told = outcome.report.as_json(files=outcome.files, seconds=outcome.seconds)
    if outcome.written and outcome.written.overwritten:
        told["overwritten"] = list(outcome.written.overwritten)
    return visible_json(told)


def _as_line(outcome: Outcome) -> str:
    made, written = outcome.report, outcome.written
    line = f"{outcome.config.output}: {counted(made.tools, 'tool')} from "
    line += counted(made.operations, "operation")
    notes = [
        f"{len(entries)} {what}"
        for entries, what in (
            ({loss.operation for loss in made.lossy}, "with a loss"),
            (made.left_out, "left out"),
            (made.trimmed, "trimmed"),
        )
        if entries
    ]
    line += f" ({', '.join(notes)})" if notes else ""
    return f"{line}; {_changes(written)}"


def _changes(written: Written | None) -> str:
    if written is None:
        return "not written"
    if not written.written and not written.removed:
        return "up to date"
    changes = f"{counted(len(written.written), 'file')} written"
    changes += f", {len(written.removed)} removed" if written.removed else ""
    return changes + (", toolmint.lock rebuilt after a merge" if written.merged else "")


def _warn_of_nesting(config: Config) -> None:
    if marker := missing_py_typed(Path(config.output)):
        click.echo(
            f"warning: {marker} is missing, so type checkers ignore the types of {config.output}.",
            err=True,
        )
