const name = 'corral.sign-out';

/** Tells the other tabs of the browser that the user signed out. */
export function tellSignOut(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage('signedOut');
  channel.close();
}

/** Calls `listener` when the user signs out in another tab. Returns a function that unsubscribes. */
export function subscribeToSignOut(listener: () => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
