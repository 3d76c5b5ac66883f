"""The end of a hand at the table: shares of the pots while the board runs out, and chips paid."""

from __future__ import annotations

from typing import Any

from browser.table_page import OPEN, all_in, fastest_or_turn
from nlhe_env.equity import equities

ALL_IN = {
    "seats": ["human", "caller", "caller"],
    "mode": "cash",
    "num_hands": 2,
    "starting_stack": 500,
    "seed": 5,
}
SHARES = """() => Object.fromEntries([...document.querySelectorAll(".seat")].map((seat) =>
  [seat.querySelector(".name").textContent, seat.querySelector(".share")?.textContent]))"""
NOTE_PAYMENTS = """() => {
  window.payments = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      const paid = [...addedNodes].filter((node) => node.matches?.(".paid"));
      payments.push(...paid.map((node) => ({ ...node.dataset })));
    }
  }).observe(document.querySelector(".stage"), { childList: true });
}"""


def at_the_turn(page: Any, *, pace: str) -> None:
    """One's turn, with motion; the clock of the page stands still from here on."""
    page.evaluate(OPEN, ALL_IN)
    fastest_or_turn(page)
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name=pace, exact=True).click()
    page.locator(f".pace button[aria-pressed=true]:text-is('{pace}')").wait_for()
    page.evaluate(NOTE_PAYMENTS)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 10_000"))


def cards(page: Any, place: str) -> str:
    found = page.locator(f"{place} .card").evaluate_all("all => all.map(c => c.dataset.card)")
    return "".join(found)


def test_every_seat_shows_its_share_as_the_board_runs_out(open_page):
    page = open_page()
    at_the_turn(page, pace="Normal")
    all_in(page)
    page.locator(".seat .share").nth(2).wait_for()
    page.evaluate("document.getAnimations().forEach(animation => animation.pause())")
    assert page.locator(".banner").inner_text() == ""
    assert not page.locator(".log .late").first.is_visible()
    stacks = page.locator(".seat .stack").all_inner_texts()
    assert stacks == ["0"] * 3  # the winner's, too, until the board lies open
    hands = [cards(seat, ".hole") for seat in page.locator(".seat").all()]
    names = page.locator(".seat .name").all_text_contents()
    board = cards(page, ".board")
    assert (len(board), list(map(len, hands))) == (10, [4, 4, 4])
    for n_open, ms in ((0, 0), (3, 1000), (4, 700)):
        page.clock.run_for(ms)
        shares = equities(hands, board[: 2 * n_open]).equity
        expected = {name: f"{100 * share:.1f}%" for name, share in zip(names, shares, strict=True)}
        assert page.evaluate(SHARES) == expected
        assert page.locator(".board .card.new").count() == 5  # later cards are not opened by it
    assert page.evaluate("payments") == []
    page.clock.run_for(1500)
    assert "1,500" in page.locator(".banner").inner_text()
    assert page.locator(".seat .share").count() == 0
    log = page.locator(".log").inner_text()
    page.evaluate("document.querySelector('.pace button').click()")  # draws all once more
    page.locator(".pace [aria-pressed=true]", has_text="Slow").wait_for()
    assert page.locator(".log .late").first.is_visible()
    first = equities(hands, "").equity
    for share in first:
        assert f"before the flop {100 * share:.1f}%, flop " in log


def test_pots_move_to_their_winners_but_not_at_the_fastest_pace_or_without_motion(open_page):
    page = open_page()
    at_the_turn(page, pace="Normal")
    all_in(page)
    page.locator(".seat .share").nth(2).wait_for()
    page.clock.run_for(5000)
    winners = page.locator(".seat").evaluate_all(
        "seats => seats.flatMap((seat, i) => seat.matches('.winner') ? [String(i)] : [])"
    )
    assert page.evaluate("payments") == [{"pot": "0", "seat": seat} for seat in winners]
    page.locator(".paid").first.wait_for(state="detached")
    page.clock.resume()
    page.get_by_role("button", name="Fastest").click()
    page.get_by_role("button", name="Next hand").click()
    page.locator(".buttons:not(.fresh)").wait_for(state="visible")
    all_in(page)
    page.get_by_text("The game is over.").wait_for()
    page.locator(".seat.winner").first.wait_for()
    assert len(page.evaluate("payments")) == len(winners)
    at_the_turn(page, pace="Normal")
    page.emulate_media(reduced_motion="reduce")
    all_in(page)
    page.locator(".seat.winner").first.wait_for()  # the clock stands still: at once
    assert page.evaluate("payments") == []
    assert "All-in equity".upper() in page.locator(".log").inner_text().upper()
