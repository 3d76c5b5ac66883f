// The first figure of a run: how much better it plays against what never changes.

import { Z95, count, decimal } from "./format.js";

/** Name, value and a line about it; says so where nothing has been measured yet. */
export function progressTile({ parts, column, rows }) {
  const { config, progress } = parts;
  if (rows("tests")) {
    const scores = column("tests", "score");
    const error = column("tests", "error").at(-1);
    const reach = error === null || error === undefined ? "?" : (Z95 * error).toFixed(2);
    const unit = config.game === "cash" ? "bb/100" : `mean place among ${config.table_size}`;
    return ["Against fixed players", `${decimal(scores.at(-1))} ± ${reach}`, `${unit}; initially ${decimal(scores[0])}`];
  }
  if (progress) {
    const { generations, places, static_players: known } = progress;
    const players = places.length + Object.keys(known).length;
    return ["Last champion’s place", decimal(places.at(-1)), `of ${count(players)}; generation ${count(generations[0])}: ${decimal(places[0])}`];
  }
  const later = Number(config.progress_tournaments) > 0;
  return ["Progress", "–", later ? "measured in final tournaments after the last generation" : "not measured in this run"];
}
