// Data of the server about one run, polled: only what is new is sent.

const PAUSE_MS = 1000;
const HIDDEN_PAUSE_MS = 10_000;

export class Feed {
  /** `onUpdate(changed)` is called after every answer; `onError(text, gone)` where there is none. */
  constructor(run, { onUpdate, onError }) {
    this.run = run;
    this.onUpdate = onUpdate;
    this.onError = onError;
    this.cursor = "";
    this.tables = {};
    this.parts = {};
    this.wake = () => !document.hidden && this.poll();
    document.addEventListener("visibilitychange", this.wake);
    this.poll();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.wake);
  }

  async poll() {
    if (this.polling || this.closed) return;
    this.polling = true;
    clearTimeout(this.timer);
    try {
      const response = await fetch(`/learning/api/runs/${encodeURIComponent(this.run)}?cursor=${this.cursor}`);
      const updates = await response.json();
      if (this.closed) return;
      if (response.ok) this.take(updates);
      else this.onError(updates.error, response.status === 404);
    } catch (error) {
      if (!this.closed) this.onError(error.message, false);
    }
    this.polling = false;
    if (!this.closed) this.timer = setTimeout(() => this.poll(), document.hidden ? HIDDEN_PAUSE_MS : PAUSE_MS);
  }

  take(updates) {
    if (updates.reset) {
      this.tables = {};
      this.parts = {};
    }
    for (const [name, { from, columns }] of Object.entries(updates.tables)) {
      this.tables[name] = append(this.tables[name], from, columns);
    }
    Object.assign(this.parts, updates.parts);
    Object.assign(this, { cursor: updates.cursor, status: updates.status, folder: updates.folder, problems: updates.problems });
    const changed = updates.reset || Object.keys(updates.tables).length > 0 || Object.keys(updates.parts).length > 0;
    this.onUpdate(changed);
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
