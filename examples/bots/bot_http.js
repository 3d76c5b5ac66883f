// A bot for the tables of nlhe-env behind an address, for Node.js without packages.
// Copy the file, and rewrite choose. See docs/external-bots.md for the messages.
//
// Usage: node examples/bots/bot_http.js 8080, and the player http://127.0.0.1:8080
const { createServer } = require("node:http");

function choose(turn) {
  const [first, second] = [turn.hole_cards[0], turn.hole_cards[2]];
  const isStrong = first === second || ["A", "K"].includes(first) && ["A", "K"].includes(second);
  if (isStrong && turn.min_raise_to) return { action: "raise", to: turn.min_raise_to };
  if (turn.to_call === 0) return { action: "check" };
  return { action: isStrong || turn.to_call * 4 < turn.pot ? "call" : "fold" };
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const message = JSON.parse(body);
  const answer = message.type === "hello" ? { type: "ready", name: "Node" } : choose(message);
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(answer));
});
server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () => console.log(server.address().port));
