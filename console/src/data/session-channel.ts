const name = 'corral.session';
/** Tells this tab from the others: a message also reaches the listeners of the tab that sends it. */
const thisTab = Math.random();

/** What the tabs of a browser tell each other of the session that they share; the last two say how confirming at the provider ended. */
export type SessionNews = 'signedIn' | 'signedOut' | 'ended' | 'confirmed' | 'notConfirmed';

interface Message {
  readonly news: SessionNews;
  readonly tab: number;
}

/** Tells the other tabs of the browser. `tab` is who tells it. */
export function tellTabs(news: SessionNews, tab = thisTab): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage({ news, tab } satisfies Message);
  channel.close();
}

/** Calls `listener` with what other tabs tell. Returns a function that unsubscribes. */
export function subscribeToTabs(listener: (news: SessionNews) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }) => {
    const { news, tab } = data as Message;
    if (tab !== thisTab) listener(news);
  });
  return () => channel.close();
}
