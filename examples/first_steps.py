"""Play one tournament with random legal actions and print the hands with a showdown.

Usage: python examples/first_steps.py [--players 6] [--seed 7]
"""

from __future__ import annotations

import argparse

import nlhe_env


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()

    env = nlhe_env.env(num_players=options.players, infos="full")
    env.reset(seed=options.seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(options.seed)
    seen = -1
    for agent in env.agent_iter():
        observation, _, termination, truncation, info = env.last()
        hand = info.get("last_hand")
        if hand and hand["shown"] and hand["hand_number"] != seen:
            seen = hand["hand_number"]
            shown = ", ".join(f"{name} {cards}" for name, cards in hand["shown"].items())
            print(f"hand {seen}: board {hand['board']}; {shown}")
            for pot in hand["pots"]:
                print(f"    {pot['size']} chips to {', '.join(pot['winners'])}")
        if termination or truncation:
            print(f"{agent} finishes in place {info['place']:g}")
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))


if __name__ == "__main__":
    main()
