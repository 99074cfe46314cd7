"""Progress is a bar where someone watches, and lines where a log is kept."""

from io import StringIO

from toolmint.generator.progress import Bar, Lines, watched


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_gets_a_line_a_step() -> None:
    log = StringIO()
    progress = watched(2, log)
    progress("pets: read")
    progress("pets: write")
    progress.close()
    assert isinstance(progress, Lines)
    assert log.getvalue() == "pets: read\npets: write\n"


def test_a_terminal_gets_a_bar_that_is_wiped() -> None:
    terminal = Terminal()
    progress = watched(2, terminal)
    progress("pets: read")
    progress("pets: write")
    progress.close()
    assert isinstance(progress, Bar)
    assert terminal.getvalue() == (
        f"\r\x1b[2K{'╌' * 20} pets: read\r\x1b[2K{'━' * 10}{'╌' * 10} pets: write\r\x1b[2K"
    )
