// The connection of a page to its table, and the decision of its player: two small machines of states.
//
// A request is kept until the server has acknowledged its number. What is kept is sent again after a reconnection,
// and the server does nothing twice. With every connection the server sends the whole state of the table.

const ALWAYS = { drop: "lost", stop: "stopped", close: "closed", gone: "gone", stranger: "stranger" };

/** State of the connection -> event -> next state; what is not listed changes nothing. */
export const CONNECTION = {
  opening: { state: "open", ...ALWAYS }, // for the first time
  open: ALWAYS,
  lost: { ...ALWAYS, state: "open" }, // cut; it is tried again
  stopped: { ...ALWAYS, state: "open", drop: "stopped" }, // the server has ended; it may be started again
  closed: {}, // the table was closed by the person who opened it
  gone: {}, // the server knows no such table
  stranger: {}, // the browser has lost the cookie that the server knows it by
};

/** State of the decision -> event -> next state. */
export const DECISION = {
  none: { offer: "offered" }, // another player is to act
  offered: { act: "sent", pass: "none" },
  sent: { pass: "none", offer: "offered", refused: "offered", forgotten: "offered" }, // its result has not come yet
};

const EACH_COUNTS = ["chat", "step"]; // requests that are made several times
const EVENTS = { 1001: "stop", 4401: "stranger", 4404: "gone", 4410: "close" }; // codes of the server
const ANSWER_MS = 6000; // without an acknowledgement the connection is dead
const OPENING_MS = 15_000; // without the first state
const SILENCE_MS = 20_000; // then the page asks whether it is
const RETRY_MS = { first: 300, factor: 1.7, most: 5000 };

export class Connection {
  /** `onState(state)` is called with the table, `onMessage(message)` with other messages, `onChange()` when a state has changed. */
  constructor(game, { onState, onMessage, onChange }) {
    this.game = game;
    this.handlers = { onState, onMessage, onChange };
    this.state = "opening";
    this.decision = "none";
    this.kept = [];
    this.page = crypto.getRandomValues(new Uint32Array(3)).join("-");
    this.number = 0;
    this.pause = RETRY_MS.first;
    this.ended = new AbortController();
    addEventListener("online", () => this.open(), { signal: this.ended.signal });
    addEventListener("offline", () => this.lose("drop"), { signal: this.ended.signal });
    document.addEventListener("visibilitychange", () => this.wake(), { signal: this.ended.signal });
    this.open();
  }

  /** Whether there is nothing more to hope for. */
  get isFinal() {
    return !Object.keys(CONNECTION[this.state]).length;
  }

  /** The page is left. */
  close() {
    this.ended.abort();
    this.hangUp();
  }

  /** Send a request now, or with the next connection. */
  request(message) {
    if (this.isFinal || this.isUnderWay(message)) return;
    this.number += 1;
    const request = { ...message, ...(this.turn === undefined ? {} : { turn: this.turn }), page: this.page, number: this.number };
    this.kept.push(request);
    if (message.type === "act") {
      this.sentNumber = this.number;
      this.sentTurn = this.turn;
      this.decide("act");
    }
    if (this.state === "open") this.send(request);
  }

  /** Whether the same is on its way already. Of requests of one kind only the latest is kept. */
  isUnderWay(message) {
    if (EACH_COUNTS.includes(message.type)) return false;
    const entries = Object.entries({ ...message, turn: this.turn });
    if (this.kept.some((request) => entries.every(([name, value]) => request[name] === value))) return true;
    this.kept = this.kept.filter(({ type }) => type !== message.type);
    return false;
  }

  // --- states -------------------------------------------------------------------------------------

  happen(event) {
    const next = CONNECTION[this.state][event];
    if (next === undefined || next === this.state) return;
    this.state = next;
    if (this.isFinal) {
      this.hangUp();
      this.kept = [];
      this.decision = "none";
    }
    this.handlers.onChange();
  }

  decide(event) {
    const next = DECISION[this.decision][event];
    if (next === undefined || next === this.decision) return;
    this.decision = next;
    this.handlers.onChange();
  }

  /** A state of the table: whether the player is to decide. */
  receiveState(state) {
    const isNew = this.state !== "open";
    this.turn = state.turn;
    if (!state.options) this.decide("pass");
    else if (this.decision !== "sent" || state.turn !== this.sentTurn) this.decide("offer");
    else if (isNew && !this.kept.some(({ number }) => number === this.sentNumber)) this.decide("forgotten");
    if (isNew) this.acknowledge(0);
    this.pause = RETRY_MS.first;
    this.happen("state");
    if (isNew) for (const request of this.kept) this.send(request);
    this.handlers.onState(state);
  }

  receive(message) {
    this.listen();
    if (message.type === "state") this.receiveState(message);
    else if (message.type === "received") this.acknowledge(message.number);
    else {
      if (message.type === "refused" && message.number === this.sentNumber) this.decide("refused");
      this.handlers.onMessage(message);
    }
  }

  // --- the socket ---------------------------------------------------------------------------------

  open() {
    if (this.isFinal || this.state === "open") return;
    this.hangUp();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/play/${this.game}`);
    this.socket = socket;
    this.answerTimer = setTimeout(() => this.lose("drop"), OPENING_MS);
    socket.addEventListener("message", (event) => { if (socket === this.socket) this.receive(JSON.parse(event.data)); });
    socket.addEventListener("close", (event) => { if (socket === this.socket) this.lose(EVENTS[event.code] ?? "drop"); });
  }

  send(request) {
    this.socket.send(JSON.stringify(request)); // one that is closing loses it; the next one sends it again
    this.answerTimer ??= setTimeout(() => this.lose("drop"), ANSWER_MS);
  }

  acknowledge(number) {
    this.kept = this.kept.filter((request) => request.number > number);
    clearTimeout(this.answerTimer);
    this.answerTimer = this.kept.length ? setTimeout(() => this.lose("drop"), ANSWER_MS) : null;
  }

  /** Ask, when nothing has been heard for a while, whether the server is still there. */
  listen() {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = setTimeout(() => this.wake(), SILENCE_MS);
  }

  wake() {
    if (this.state === "open") this.request({ type: "ping" });
    else this.open();
  }

  /** The connection is no more; open another one after a pause. */
  lose(event) {
    this.hangUp();
    this.happen(event);
    if (this.isFinal) return;
    this.retryTimer = setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(this.pause * RETRY_MS.factor, RETRY_MS.most);
  }

  hangUp() {
    for (const timer of [this.answerTimer, this.silenceTimer, this.retryTimer]) clearTimeout(timer);
    this.answerTimer = null;
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }
}
