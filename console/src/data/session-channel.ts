const name = 'corral.session';

/** What the tabs of a browser tell each other of the session that they share. */
export type SessionNews = 'signedIn' | 'signedOut' | 'ended';

/** Tells the other tabs of the browser; a listener in this tab hears it, too. */
export function tellTabs(news: SessionNews): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(news);
  channel.close();
}

/** Calls `listener` with what other tabs tell. Returns a function that unsubscribes. */
export function subscribeToTabs(listener: (news: SessionNews) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }) => listener(data as SessionNews));
  return () => channel.close();
}
