// The first page: seats, the game, and recorded hands to replay.

import { chips, fetchJson, h, storage, toast } from "./dom.js";
import { openGame } from "./open_game.js";
import { playerGroups, ratingNote, ratingText, suiteOf } from "./player_choice.js";
import { Preparation } from "./preparation.js";
import { TableList } from "./table_list.js";

const DEFAULT = {
  name: "You",
  seats: ["human", "tight-aggressive", "loose-aggressive", "formula", "old-best", "pot-odds"],
  mode: "tournament", starting_stack: 1000, blinds: "", hands_per_level: 15, betting: "no-limit", num_hands: "", seed: "", rake: "",
  clock: "", time_bank: "", stacks: "put back",
};
/** Usual tables; what they do not say is as at first. */
const PRESETS = {
  "Heads-up": { seats: ["human", "formula"] },
  "Six players": { seats: DEFAULT.seats },
  "Full ring": { seats: ["human", "tight-aggressive", "loose-aggressive", "formula", "old-best", "pot-odds", "tight-passive", "loose-passive", "old-scratch", "old-start"] },
  "Turbo": { seats: ["human", "formula", "old-best", "loose-aggressive"], hands_per_level: 4 },
  "Watch networks": { seats: ["old-best", "old-scratch", "old-best", "old-scratch", "old-best", "old-scratch"] },
};

export class LobbyPage {
  constructor({ page, status }) {
    this.page = page;
    this.setup = { ...DEFAULT, ...storage.get("game", {}) };
    status.replaceChildren();
    this.tableList = new TableList();
    this.preparation = new Preparation();
    this.load();
  }

  close() {
    this.closed = true;
    this.tableList.close();
    this.preparation.close();
  }

  async load() {
    try {
      this.lobby = await fetchJson("/api/lobby");
    } catch (error) {
      this.page.replaceChildren(h("p", { class: "notice" }, `The server is not responding: ${error.message}`));
      return;
    }
    if (this.closed) return;
    const known = new Set(["human", ...this.lobby.offered, ...this.lobby.players]);
    this.setup.seats = this.setup.seats.filter((name) => known.has(this.baseOf(name)));
    if (this.setup.seats.length < 2) this.setup.seats = [...DEFAULT.seats];
    this.draw();
  }

  /** The player that a name with options stands for; the names of files have colons themselves. */
  baseOf(name) {
    const offered = this.lobby.offered.filter((label) => name === label || name.startsWith(`${label}:`));
    return offered.sort((a, b) => b.length - a.length)[0] ?? name.split(":")[0];
  }

  draw() {
    this.error = h("p", { class: "form-error", role: "alert" });
    this.note = h("p", { class: "fine", role: "status" });
    this.seatList = h("ol", { class: "seat-list" });
    this.ratingLine = h("p", { class: "fine rating-note" });
    this.addSeat = h("button", { type: "button", class: "quiet", onclick: () => this.add() }, "+ Add seat");
    this.dealButton = h("button", { type: "submit", class: "primary", form: "setup" }, "Deal me in");
    const { lobby } = this;
    const pages = lobby.pages.length ? h("nav", { class: "pages", "aria-label": "Other pages" },
      ...lobby.pages.map((page) => h("a", { class: "button", href: page.path }, page.title))) : null;
    this.page.replaceChildren(h("form", { class: "lobby", id: "setup", onsubmit: (event) => this.open(event) },
      h("div", { class: "lobby-head" },
        h("div", {}, h("h1", {}, "Play hold’em against any of these players"),
          h("p", {}, "Rule players, evolved networks or your own programs. Leave out people to watch.")),
        h("div", { class: "lobby-go" }, this.dealButton, pages)),
      this.preparation.element, this.tableList.element,
      h("div", { class: "lobby-grid" },
        h("div", { class: "lobby-column" }, this.seatsPanel()),
        h("div", { class: "lobby-column" }, this.stakesPanel(), this.replayPanel()))));
    this.drawSeats();
  }

  // --- seats --------------------------------------------------------------------------------------

  seatsPanel() {
    const presets = Object.entries(PRESETS).map(([title, setup]) => h("button", {
      type: "button", onclick: () => {
        this.setup = { ...DEFAULT, name: this.setup.name, ...setup, seats: [...setup.seats] };
        this.draw();
        this.page.querySelector(".presets button")?.focus();
      },
    }, title));
    return h("section", { class: "panel", "aria-label": "Seats" },
      h("div", { class: "panel-head" }, h("h2", {}, "Players"), this.addSeat),
      h("div", { class: "presets", role: "group", "aria-label": "Preset tables" }, ...presets),
      this.searchField(), this.ratingLine, this.seatList, this.note, this.error);
  }

  /** A field that leaves those players in the lists of the seats whose names or descriptions have all its words. */
  searchField() {
    const field = h("input", { type: "search", "aria-label": "Search players", placeholder: "Search: network, aggressive …", autocomplete: "off", ".value": this.search ?? "" });
    field.addEventListener("input", () => {
      this.search = field.value;
      this.drawSeats();
    });
    return h("div", { class: "player-search" }, field);
  }

  isFound(name) {
    const text = `${name} ${this.lobby.descriptions[name] ?? ""}`.toLowerCase();
    return (this.search ?? "").toLowerCase().split(/\s+/).every((word) => text.includes(word));
  }

  /** The suite of the bench for the game that is set up. */
  suite() {
    return suiteOf({ betting: this.setup.betting, mode: this.setup.mode, players: this.setup.seats.length });
  }

  drawSeats() {
    this.ratingLine.textContent = ratingNote(this.lobby, this.suite());
    this.seatList.replaceChildren(...this.setup.seats.map((name, seat) => this.seatRow(name, seat)));
    this.addSeat.disabled = this.setup.seats.length >= 10;
    const humans = this.setup.seats.filter((name) => name === "human").length;
    this.dealButton.textContent = humans === 0 ? "Watch" : humans === 1 ? "Deal me in" : "Open table";
  }

  seatRow(name, seat) {
    const { lobby } = this;
    const base = this.baseOf(name);
    const select = h("select", {
      "aria-label": `Seat ${seat + 1}`, onchange: () => {
        this.setup.seats[seat] = select.value;
        this.drawSeats();
        this.seatList.querySelectorAll("select")[seat].focus();
      },
    },
    h("optgroup", { label: "People" }, h("option", { value: "human", selected: base === "human" }, "A person")),
    ...playerGroups(lobby, (value) => value === base || this.isFound(value), base, this.suite()));
    const known = lobby.options[base];
    const options = known ? h("input", {
      type: "text", "aria-label": `Options for seat ${seat + 1}`, class: "options",
      placeholder: "Options",
      title: `Options: ${Object.entries(known).map(([key, value]) => `${key}=${value}`).join(", ")}`,
      ".value": name.slice(base.length + 1),
      oninput: (event) => { this.setup.seats[seat] = event.target.value ? `${base}:${event.target.value}` : base; },
    }) : h("span", { class: "options" });
    const remove = h("button", {
      type: "button", class: "quiet remove", "aria-label": `Remove seat ${seat + 1}`, disabled: this.setup.seats.length <= 2,
      onclick: () => {
        this.setup.seats.splice(seat, 1);
        this.drawSeats();
        this.addSeat.focus();
      },
    }, "×");
    const text = [lobby.descriptions[base], name === base ? ratingText(lobby, this.suite(), base) : null].filter(Boolean).join(" · ");
    const description = text ? h("p", { class: "description fine", id: `description-${seat}` }, text) : null;
    if (description) select.setAttribute("aria-describedby", description.id);
    return h("li", { class: "seat-row" }, h("span", {}, String(seat + 1)), select, options, remove, description);
  }

  add() {
    this.setup.seats.push(this.lobby.offered[0] ?? "formula");
    this.drawSeats();
    [...this.seatList.querySelectorAll("select")].at(-1).focus();
  }

  // --- stakes -------------------------------------------------------------------------------------

  stakesPanel() {
    const { setup, lobby } = this;
    const firstLevels = lobby.schedule.slice(0, 4).map((level) => level.slice(0, level[2] ? 3 : 2).join("/")).join(", ");
    const field = (text, name, attributes = {}, wide = false) => h("div", { class: wide ? "field wide" : "field" },
      h("label", { for: `field-${name}` }, text),
      h("input", {
        id: `field-${name}`, type: "text", autocomplete: "off", ".value": String(setup[name] ?? ""),
        oninput: (event) => { setup[name] = event.target.value; }, ...attributes,
      }));
    const only = (mode, element) => Object.assign(element, { hidden: setup.mode !== mode, className: `${element.className} of-${mode}` });
    const choice = (text, name, values) => {
      const select = h("select", { id: `field-${name}`, onchange: () => {
        setup[name] = select.value;
        if (name === "betting") this.drawSeats();
      } },
        ...values.map(([value, shown]) => h("option", { value, selected: String(value) === String(setup[name]) }, shown)));
      return h("div", { class: "field" }, h("label", { for: `field-${name}` }, text), select);
    };
    const { betting, ...others } = lobby.game_options;
    const rare = ["num_hands", "seed", "clock", "time_bank", ...Object.keys(others)];
    const usual = (name) => String(DEFAULT[name] ?? others[name].choices[0][0]);
    const isUsed = rare.some((name) => String(setup[name] ?? usual(name)) !== usual(name));
    return h("section", { class: "panel", "aria-label": "Game" }, h("h2", {}, "The game"),
      h("div", { class: "fields" },
        h("fieldset", { class: "field wide" }, h("legend", {}, "Game type"), h("div", { class: "segmented" },
          ...[["tournament", "Tournament"], ["cash", "Cash game"]].map(([value, text]) => h("label", {},
            h("input", { type: "radio", name: "mode", value, checked: setup.mode === value, onchange: () => {
              setup.mode = value;
              for (const part of this.page.querySelectorAll(".of-cash, .of-tournament")) part.hidden = !part.matches(`.of-${value}`);
              this.drawSeats();
            } }), text)))),
        field("Your name", "name", { maxlength: 20 }),
        field("Starting stack", "starting_stack", { inputmode: "numeric" }),
        field("Blinds and ante (tournaments: by level)", "blinds", { placeholder: `${firstLevels} …` }, true),
        choice(betting.label, "betting", betting.choices),
        only("tournament", field("Hands per level", "hands_per_level", { inputmode: "numeric" })),
        only("cash", choice("Stacks", "stacks", [["put back", "reset every hand"], ["carried", "carried over, with rebuys"]])),
        only("cash", field("Rake", "rake", { placeholder: "none, or 5%/300" }))),
      h("details", { class: "more-options", open: isUsed }, h("summary", {}, "More options"), h("div", { class: "fields" },
        field("Maximum hands", "num_hands", { inputmode: "numeric", placeholder: "no limit" }),
        field("Card seed", "seed", { inputmode: "numeric", placeholder: "secret" }),
        ...Object.entries(others).map(([name, { label, choices }]) => choice(label, name, choices)),
        field("Seconds per decision", "clock", { inputmode: "numeric", placeholder: "no clock" }),
        field("Time bank (seconds)", "time_bank", { inputmode: "numeric", placeholder: "none" }))));
  }

  async open(event) {
    event.preventDefault();
    this.error.textContent = "";
    for (const input of this.page.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    const humans = this.setup.seats.filter((name) => name === "human").length;
    const name = this.setup.name.trim();
    if (humans > 1 && ["", "You"].includes(name)) {
      this.showError({ message: "Enter your name, so that the other players know who you are.", field: "name" });
      return;
    }
    const request = { ...this.setup, name: name || "You", ...(this.setup.mode === "cash" ? {} : { rake: DEFAULT.rake, stacks: DEFAULT.stacks }) };
    storage.set("game", { ...this.setup, seed: "" });
    storage.set("name", name === "You" ? "" : name);
    this.dealButton.disabled = true;
    const began = performance.now();
    const slow = setInterval(() => {
      this.note.textContent = `Opening the table (${Math.round((performance.now() - began) / 1000)} s). Compiling a player on first use takes up to two minutes …`;
    }, 1000);
    try {
      await openGame(request);
    } catch (error) {
      this.showError(error);
      this.dealButton.disabled = false;
    } finally {
      clearInterval(slow);
      this.note.textContent = "";
    }
  }

  /** Show an error, and focus the field that it is about. */
  showError({ message, field }) {
    this.error.textContent = message;
    const input = field ? this.page.querySelector(`#field-${field}`) : null;
    if (!input) toast(message.split("\n")[0]);
    input?.closest("details")?.setAttribute("open", "");
    input?.setAttribute("aria-invalid", "true");
    input?.focus();
  }

  // --- replay -------------------------------------------------------------------------------------

  replayPanel() {
    const input = h("input", { type: "file", accept: ".phh,.phhs,.toml,.txt,.log,text/plain", "aria-label": "Hand history", onclick: () => this.prepareReader(), onchange: () => this.upload(input.files[0]) });
    const box = h("div", {
      class: "drop",
      ondragenter: () => this.prepareReader(),
      ondragover: (event) => { event.preventDefault(); box.classList.add("over"); },
      ondragleave: () => box.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        box.classList.remove("over");
        this.upload(event.dataTransfer.files[0]);
      },
    }, h("span", {}, "Drop a hand history here: PHH, PokerStars, GGPoker or an ACPC log"), input);
    this.reading = h("p", { class: "fine", role: "status" });
    return h("section", { class: "panel", "aria-label": "Replay" }, h("h2", {}, "Replay hands"), box, this.reading,
      h("p", { class: "set-up" }, h("a", { class: "button", href: "#/setup" }, "Set up a hand")));
  }

  /** The server starts a process to read files, which takes seconds: the first time while the file is being chosen. */
  prepareReader() {
    if (this.isReaderPrepared) return;
    this.isReaderPrepared = true;
    fetch("/api/replays/preparation", { method: "POST" }).catch(() => {}); // the upload reports what is wrong
  }

  async upload(file) {
    if (!file) return;
    const began = performance.now();
    const draw = () => { this.reading.textContent = `Reading ${file.name} (${chips(Math.ceil(file.size / 1024))} KiB) … ${Math.round((performance.now() - began) / 1000)} s`; };
    draw();
    const timer = setInterval(draw, 1000);
    try {
      const { replay } = await fetchJson(`/api/replays?title=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
      location.hash = `#/replay/${replay}`;
    } catch (error) {
      this.error.textContent = `${file.name}: ${error.message}`;
      toast(`${file.name}: ${error.message}`);
    }
    clearInterval(timer);
    this.reading.textContent = "";
  }
}
