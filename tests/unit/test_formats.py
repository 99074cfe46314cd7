"""Values of a format pass where services in use take them, and nothing else does."""

import pytest

from toolmint.runtime.wire.formats import is_duration, is_time


@pytest.mark.parametrize(
    "text",
    ["P40D", "PT1H", "P1Y2M3DT4H5M6S", "P123DT22H14M12.011S", "P2W", "P1W2D", "-P1D", "PT0S"],
)
def test_durations(text: str) -> None:
    assert is_duration(text)


@pytest.mark.parametrize("text", ["", "P", "PT", "P1DT", "1D", "P1S", "PT1D", "P1D ", "P1H", "40"])
def test_no_durations(text: str) -> None:
    assert not is_duration(text)


@pytest.mark.parametrize("text", ["13:06:12", "13:06", "00:00:60Z", "23:59:59.123+02:00"])
def test_times(text: str) -> None:
    assert is_time(text)


@pytest.mark.parametrize("text", ["", "24:00", "1:06", "13:60:00", "13:06:12 ", "noon", "13:06z+1"])
def test_no_times(text: str) -> None:
    assert not is_time(text)
