// A click on the button: the page that does the rest is opened beside the tab, or the options if there are none yet.

chrome.action.onClicked.addListener(async (tab) => {
  const { address } = await chrome.storage.local.get("address");
  if (!address) return chrome.runtime.openOptionsPage();
  return chrome.tabs.create({ url: `send.html?tab=${tab.id}`, index: tab.index + 1, openerTabId: tab.id });
});
