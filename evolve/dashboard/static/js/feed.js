// Data of the server about one run, asked for again and again: only what is new travels.

const PAUSE_MS = 1000;
const HIDDEN_PAUSE_MS = 10_000;

export class Feed {
  /** `onNews(changed)` is called after every answer; `onTrouble(text, gone)` where there is none. */
  constructor(run, { onNews, onTrouble }) {
    this.run = run;
    this.onNews = onNews;
    this.onTrouble = onTrouble;
    this.known = "";
    this.tables = {};
    this.parts = {};
    this.wake = () => !document.hidden && this.ask();
    document.addEventListener("visibilitychange", this.wake);
    this.ask();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.wake);
  }

  async ask() {
    if (this.asking || this.closed) return;
    this.asking = true;
    clearTimeout(this.timer);
    try {
      const response = await fetch(`/learning/api/runs/${encodeURIComponent(this.run)}?known=${this.known}`);
      const news = await response.json();
      if (this.closed) return;
      if (response.ok) this.take(news);
      else this.onTrouble(news.error, response.status === 404);
    } catch (error) {
      if (!this.closed) this.onTrouble(error.message, false);
    }
    this.asking = false;
    if (!this.closed) this.timer = setTimeout(() => this.ask(), document.hidden ? HIDDEN_PAUSE_MS : PAUSE_MS);
  }

  take(news) {
    if (news.all) {
      this.tables = {};
      this.parts = {};
    }
    for (const [name, { from, columns }] of Object.entries(news.tables)) {
      this.tables[name] = append(this.tables[name], from, columns);
    }
    Object.assign(this.parts, news.parts);
    Object.assign(this, { known: news.known, status: news.status, folder: news.folder, problems: news.problems });
    const changed = news.all || Object.keys(news.tables).length > 0 || Object.keys(news.parts).length > 0;
    this.onNews(changed);
  }

  /** A column of a table; empty if it has none. */
  column(table, name) {
    return this.tables[table]?.columns[name] ?? [];
  }

  has(table, name) {
    return this.column(table, name).some((value) => value !== null);
  }

  rows(table) {
    return this.tables[table]?.length ?? 0;
  }

  last(table, name) {
    return this.column(table, name).at(-1) ?? null;
  }
}

/** Columns with more rows; what a row does not have is null. */
function append(table, from, columns) {
  const added = Math.max(...Object.values(columns).map((column) => column.length));
  const grown = { length: from + added, columns: { ...(table?.columns ?? {}) } };
  for (const name of new Set([...Object.keys(grown.columns), ...Object.keys(columns)])) {
    const before = (grown.columns[name] ?? []).slice(0, from);
    while (before.length < from) before.push(null);
    grown.columns[name] = before.concat(columns[name] ?? new Array(added).fill(null));
  }
  return grown;
}
