// The line to the server. When it breaks it is mended, and the server tells everything anew.

export class Connection {
  constructor(game, { onState, onMessage, onLine }) {
    this.game = game;
    this.handlers = { onState, onMessage, onLine };
    this.wait = 300;
    this.closed = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/play/${this.game}`);
    this.socket.addEventListener("open", () => {
      this.wait = 300;
      this.handlers.onLine("open");
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "state") this.handlers.onState(message);
      else this.handlers.onMessage(message);
    });
    this.socket.addEventListener("close", () => {
      if (this.closed) return;
      this.handlers.onLine("lost");
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 1.7, 5000);
    });
  }

  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) {
      this.handlers.onLine("lost");
      return false;
    }
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
