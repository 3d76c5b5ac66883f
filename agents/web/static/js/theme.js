// Before anything is drawn: light or dark, where it has been chosen. No module, so that it comes first.
try {
  const theme = JSON.parse(localStorage.getItem("nlhe.theme"));
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // what the system says holds
}
