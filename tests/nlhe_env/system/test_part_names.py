"""Which names a file may contain, and what the user types to allow others."""

import pytest

import agents
from nlhe_env.system import part_names
from nlhe_env.system.part_names import allow_in_files, check_names, foreign_names, may_name


@pytest.fixture(autouse=True)
def _nothing_given(monkeypatch):
    monkeypatch.setattr(part_names, "_allowed", set())


@pytest.mark.parametrize(
    "text",
    [
        *(name for name in agents.names() if name != "chat"),
        *("pot-odds:margin=0.2,all_in_margin=-1e-3", "equilibrium-limit:resolve=river"),
        *("pokerstars", "50/100/10", "5%/300", "features_scaled", "generation-3", "", "chat"),
        "a sentence: with an option=value, as in a comment",
    ],
)
def test_names_of_registered_parts_and_plain_texts_are_free(text):
    assert may_name(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "bot.py",
            "bot.py:Bot",
            "../a b/bot.py:Bot",
            "/x/bot.py:Bot:bet=1",
            "C:\\bots\\bot.py:Bot",
        ),
        *("process:python bot.py", "process:", "chat:model=x", "chat:model=x,log=champion.npz"),
        *("http://127.0.0.1:8080/act", "https://example.org,key=KEY", "http:url=http://x"),
        *("champion.npz", "/runs/x/champion.npz", "..\\x.npz"),
        *("shark:book=/etc/passwd", "shark:book=a.bin", "shark:url=http://x", "shark:a=1,b=../x"),
    ],
)
def test_code_programs_addresses_and_paths_are_not(text):
    assert foreign_names({"a": [1, {"b": text}], text: None}) == [text]
    with pytest.raises(ValueError, match="but a file may not choose code, programs, addresses"):
        check_names([text], "x.toml")
    allow_in_files(text)
    check_names([text], "x.toml")


def test_one_permission_is_for_one_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    allow_in_files("bot.py:Bot", "a/champion.npz")
    assert may_name(f"{tmp_path}/bot.py:Other")
    assert may_name(f"{tmp_path}/a/champion.npz")
    assert not may_name("a/bot.py:Bot")
    assert not may_name("champion.npz")
    assert not may_name("bot.py:Bot:log=x")


@pytest.mark.parametrize(
    "start",
    [
        *("process:touch x", "chat:model=m,log=x", "http://evil.org", "shark:book=x"),
        *("card/evil.py:Bot:a=x", "card/evil.py"),
    ],
)
def test_a_permission_is_for_no_other_text_that_looks_like_a_path_of_the_file(
    start, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    allow_in_files("champion.npz", "bot.py:Bot", "../other.npz")
    for levels in range(1, 6):
        for name in ("champion.npz", "bot.py", "bot.py:Bot"):
            assert not may_name(f"{start}/{'../' * levels}{name}")
    assert may_name("../other.npz")


def test_the_message_has_what_can_be_typed_and_no_control_characters():
    with pytest.raises(ValueError, match=r"add: --part 'my bot\.py:Bot'$"):
        check_names("my bot.py:Bot", "x")
    with pytest.raises(ValueError, match=r"names 'process:\\x1b\[2J', but") as error:
        check_names(["process:\x1b[2J"], "x")
    assert "--part" not in str(error.value)
    with pytest.raises(ValueError, match=", 7 more, but") as error:
        check_names([f"process:{k}{'x' * 10_000}" for k in range(10)], "x")
    assert len(str(error.value)) < 1000


def test_deep_nesting_is_no_recursion():
    value: list[object] = ["process:x"]
    for _ in range(100_000):
        value = [value]
    assert foreign_names(value) == ["process:x"]
