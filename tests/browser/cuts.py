"""A connection between page and server that tests can cut, hold and silence.

``CUTTABLE`` is a script for a page: it puts ``window.wire`` before the page's own code.
``wire.cut()`` closes the sockets as a lost network does; ``hold()`` keeps all messages until
``release()``; ``deafen()`` throws away what comes from the server and ``mute()`` what goes to it,
until the next connection.
"""

from __future__ import annotations

CUTTABLE = """
window.wire = {
  sockets: [], held: null, deaf: false, muted: false, opened: 0,
  pass(deliver) { if (this.held) this.held.push(deliver); else deliver(); },
  hold() { this.held ??= []; },
  release() {
    const held = this.held ?? [];
    this.held = null;
    for (const deliver of held) deliver();
  },
  deafen() { this.deaf = true; },
  mute() { this.muted = true; },
  cut() {
    this.held = null;
    for (const socket of this.sockets.splice(0)) socket.cut();
  },
};
window.WebSocket = class extends WebSocket {
  constructor(...args) {
    super(...args);
    wire.sockets.push(this);
    wire.opened += 1;
    wire.deaf = wire.muted = false;
    this.listeners = [];
    super.addEventListener("close", (event) => this.tell("close", event));
    super.addEventListener("message", (event) => {
      if (!wire.deaf && !this.isCut) wire.pass(() => this.isCut || this.tell("message", event));
    });
  }
  addEventListener(type, listener) {
    if (["message", "close"].includes(type)) this.listeners.push([type, listener]);
    else super.addEventListener(type, listener);
  }
  tell(type, event) {
    for (const [wanted, listener] of this.listeners) if (wanted === type) listener(event);
  }
  send(text) {
    if (wire.muted || this.isCut) return;
    wire.pass(() => { if (!this.isCut && this.readyState === 1) super.send(text); });
  }
  cut() {
    if (this.isCut) return;
    this.isCut = true;
    super.close();
    this.tell("close", new CloseEvent("close", { code: 1006 }));
  }
  close() { this.isCut = true; super.close(); }
};
"""
