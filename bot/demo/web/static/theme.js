// Before anything is drawn: the theme that this browser has chosen, or else the device's own.

{
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
