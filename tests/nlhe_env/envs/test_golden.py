"""The environment plays the recorded games exactly as recorded; see ``golden_playthroughs``."""

import pytest
from golden_playthroughs import FOLDER, PLAYTHROUGHS, Playthrough, record


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_playthrough_is_as_recorded(playthrough: Playthrough, request: pytest.FixtureRequest):
    path = FOLDER / f"{playthrough.name}.txt"
    text = record(playthrough)
    if request.config.getoption("--update-golden"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text)
    assert text == path.read_text()


def test_every_recorded_game_has_a_script():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {game.name for game in PLAYTHROUGHS}
