// Takes the page out of the tab as the browser has it, scripts run and all, and posts it: the answer is shown here.

const tab = Number(new URLSearchParams(location.search).get("tab"));
const form = document.querySelector("form");
const shown = () => ({ url: location.href, html: document.documentElement.outerHTML }); // runs in the tab

try {
  const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: tab }, func: shown });
  const { address } = await chrome.storage.local.get("address");
  for (const [name, value] of Object.entries(result)) form.elements[name].value = value;
  form.action = address;
  form.submit();
} catch (error) {
  document.querySelector("p").textContent = `This page cannot be read by extensions: ${error.message}`;
}
