// Everything that a page can keep a text in beyond its own variables and what is typed into its fields, as texts by place.
const done = arguments[arguments.length - 1];
const result = (asked) => new Promise((good, bad) => {
  asked.onsuccess = () => good(asked.result);
  asked.onerror = () => bad(asked.error);
});

const inDatabases = async () => {
  let texts = "";
  for (const { name } of await indexedDB.databases()) {
    const database = await result(indexedDB.open(name));
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name).objectStore(name);
      texts += JSON.stringify([await result(store.getAllKeys()), await result(store.getAll())]);
    }
    database.close();
  }
  return texts;
};

const inCaches = async () => {
  let texts = "";
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      texts += request.url + JSON.stringify([...request.headers]) + await answer.text();
    }
  }
  return texts;
};

const look = async () => ({
  address: location.href,
  history: JSON.stringify(history.state),
  window: window.name,
  cookies: document.cookie,
  local: JSON.stringify(localStorage),
  session: JSON.stringify(sessionStorage),
  databases: await inDatabases(),
  caches: await inCaches(),
  markup: document.documentElement.outerHTML,
});
look().then(done, (error) => done({ error: String(error) }));
