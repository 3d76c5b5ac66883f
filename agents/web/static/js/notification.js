// A notification of the system, for one's turn while the page is not seen.

import { onSettings, setting } from "./settings.js";

// Browsers ask the person, once, when the setting is switched on.
onSettings(() => { if (setting("notify") && "Notification" in window && Notification.permission === "default") Notification.requestPermission(); });

export function notify(title, body) {
  if (!setting("notify") || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(title, { body, tag: "turn" });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
