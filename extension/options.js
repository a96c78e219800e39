// The one thing to know: where pages are sent to.

const field = document.querySelector("input");
field.value = (await chrome.storage.local.get("address")).address ?? "";
document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  await chrome.storage.local.set({ address: field.value });
  document.querySelector("[role=status]").textContent = "Saved.";
});
