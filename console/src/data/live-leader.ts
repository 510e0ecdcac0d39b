import type { LiveChange } from '@corral/contract';
import { hasReached, type LiveCursor } from './live-cursor.ts';
import { type LiveListener, openLiveStream } from './live-stream.ts';

const name = 'corral.live';

/** A message between tabs: events with their cursor from the leader, `ask` from a new tab, and the state in answer. */
type Message =
  | { readonly kind: 'ask' }
  | ({ readonly cursor?: string | undefined } & (
      | { readonly kind: 'open' | 'reset' | 'down' }
      | { readonly kind: 'state'; readonly isOpen: boolean }
      | { readonly kind: 'change'; readonly change: LiveChange }
    ));

/**
 * Subscribes to the live stream; returns a function that unsubscribes. One tab, the leader, holds the stream and broadcasts its events.
 * Without a secure context there are no Web Locks: each visible tab then holds its own, because browsers open only six connections to an
 * http origin.
 */
export function subscribeToLiveStream(listener: LiveListener, cursor: LiveCursor): () => void {
  return 'locks' in navigator
    ? subscribeThroughLeader(listener, cursor)
    : subscribeWhileVisible(listener, cursor);
}

function subscribeThroughLeader(listener: LiveListener, cursor: LiveCursor): () => void {
  const channel = new BroadcastChannel(name);
  const stopped = new AbortController();
  const stream = createBroadcast(channel, listener, cursor);
  const follow = createFollower(listener, cursor);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') stream.answer();
    else follow(data);
  });
  const lead = async () => {
    const close = openLiveStream(stream.lead(), cursor);
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

/** The leader's part: passes the events of the stream to its own tab and to all others. */
function createBroadcast(channel: BroadcastChannel, listener: LiveListener, cursor: LiveCursor) {
  let isLeader = false;
  let isOpen = false;
  const send = (message: Message) => channel.postMessage(message);
  return {
    answer(): void {
      if (isLeader) send({ kind: 'state', isOpen, cursor: cursor.current() });
    },
    lead(): LiveListener {
      isLeader = true;
      return {
        onOpen() {
          isOpen = true;
          listener.onOpen();
          send({ kind: 'open', cursor: cursor.current() });
        },
        onChange(change) {
          listener.onChange(change);
          send({ kind: 'change', change, cursor: cursor.current() });
        },
        onReset() {
          listener.onReset();
          send({ kind: 'reset', cursor: cursor.current() });
        },
        onDown() {
          isOpen = false;
          listener.onDown();
          send({ kind: 'down' });
        },
      };
    },
  };
}

/** The part of the other tabs: handles the leader's messages. */
function createFollower(listener: LiveListener, cursor: LiveCursor) {
  // Until then, messages may have passed between the first read of this tab and the first one that it gets.
  let isFollowing = false;
  function open(leaders: string | undefined): void {
    const own = cursor.current();
    const isMissed = own === undefined || leaders === undefined || !hasReached(own, leaders);
    listener.onOpen();
    if (!isFollowing && isMissed) listener.onReset();
    isFollowing = true;
  }
  return (message: Exclude<Message, { kind: 'ask' }>): void => {
    if (message.kind === 'change') listener.onChange(message.change);
    else if (message.kind === 'reset') listener.onReset();
    else if (message.kind === 'down') listener.onDown();
    else if (message.kind === 'open') open(message.cursor);
    // The state is for a new tab; the others know it.
    else if (message.kind === 'state' && message.isOpen && !isFollowing) open(message.cursor);
    if (isFollowing && message.cursor !== undefined) cursor.moveTo(message.cursor);
  };
}

function subscribeWhileVisible(listener: LiveListener, cursor: LiveCursor): () => void {
  let close: (() => void) | undefined;
  function update(): void {
    if (document.visibilityState === 'visible') close ??= openLiveStream(listener, cursor);
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
