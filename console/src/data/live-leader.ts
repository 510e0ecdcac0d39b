import type { LiveChange } from '@corral/contract';
import { type LiveListener, openLiveStream } from './live-stream.ts';

const name = 'corral.live';

/** What the tab that holds the stream tells the others, and what they ask. */
type Message =
  | { readonly kind: 'open' | 'reset' | 'down' | 'ask' }
  | { readonly kind: 'change'; readonly change: LiveChange };

/**
 * Listens to the one stream of this browser. With Web Locks one tab holds the stream and passes everything on; when it goes,
 * the next one takes over. Pages without a secure context have no locks: there each tab holds its own while it is visible,
 * since a browser opens only six connections to an http origin.
 */
export function followLiveStream(listener: LiveListener): () => void {
  return 'locks' in navigator ? followTogether(listener) : followWhileVisible(listener);
}

function followTogether(listener: LiveListener): () => void {
  const channel = new BroadcastChannel(name);
  const stopped = new AbortController();
  let isLeader = false;
  let isOpen = false;
  const tell = (message: Message) => {
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
        tell({ kind: 'open' });
      },
      onChange: (change) => tell({ kind: 'change', change }),
      onReset: () => tell({ kind: 'reset' }),
      onDown: () => {
        isOpen = false;
        tell({ kind: 'down' });
      },
    });
    await new Promise<void>((resolve) => stopped.signal.addEventListener('abort', () => resolve()));
    close();
  };
  // Rejects when this tab stops waiting for its turn, which is no failure.
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

function followWhileVisible(listener: LiveListener): () => void {
  let close: (() => void) | undefined;
  function follow(): void {
    if (document.visibilityState === 'visible') close ??= openLiveStream(listener);
    else {
      close?.();
      close = undefined;
    }
  }
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    close?.();
  };
}
