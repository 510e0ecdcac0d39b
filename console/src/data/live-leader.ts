import type { LiveChange } from '@corral/contract';
import { type LiveListener, openLiveStream } from './live-stream.ts';

const name = 'corral.live';

/** A message between tabs: the leader sends the state and events of the stream, others send `ask` to request the state. */
type Message =
  | { readonly kind: 'open' | 'reset' | 'down' | 'ask' }
  | { readonly kind: 'change'; readonly change: LiveChange };

/**
 * Subscribes to the live stream; returns a function that unsubscribes. With Web Locks one tab, the leader, holds the stream and
 * broadcasts its events; when it closes, another tab becomes the leader. Pages without a secure context have no locks: there each
 * tab holds its own stream while it is visible, because browsers open only six connections to an http origin.
 */
export function subscribeToLiveStream(listener: LiveListener): () => void {
  return 'locks' in navigator ? subscribeThroughLeader(listener) : subscribeWhileVisible(listener);
}

function subscribeThroughLeader(listener: LiveListener): () => void {
  const channel = new BroadcastChannel(name);
  const stopped = new AbortController();
  let isLeader = false;
  let isOpen = false;
  const publish = (message: Message) => {
    deliver(message, listener);
    channel.postMessage(message);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask') deliver(data, listener);
    else if (isLeader) channel.postMessage({ kind: isOpen ? 'open' : 'down' } satisfies Message);
  });
  const lead = async () => {
    isLeader = true;
    const close = openLiveStream({
      onOpen: () => {
        isOpen = true;
        publish({ kind: 'open' });
      },
      onChange: (change) => publish({ kind: 'change', change }),
      onReset: () => publish({ kind: 'reset' }),
      onDown: () => {
        isOpen = false;
        publish({ kind: 'down' });
      },
    });
    await new Promise<void>((resolve) => stopped.signal.addEventListener('abort', () => resolve()));
    close();
  };
  // Rejects when this tab unsubscribes before it became the leader.
  navigator.locks.request(name, { signal: stopped.signal }, lead).catch(() => {});
  channel.postMessage({ kind: 'ask' } satisfies Message);
  return () => {
    stopped.abort();
    channel.close();
  };
}

function deliver(message: Message, listener: LiveListener): void {
  if (message.kind === 'open') listener.onOpen();
  else if (message.kind === 'change') listener.onChange(message.change);
  else if (message.kind === 'reset') listener.onReset();
  else if (message.kind === 'down') listener.onDown();
}

function subscribeWhileVisible(listener: LiveListener): () => void {
  let close: (() => void) | undefined;
  function update(): void {
    if (document.visibilityState === 'visible') close ??= openLiveStream(listener);
    else {
      close?.();
      close = undefined;
    }
  }
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    close?.();
  };
}
