/** How a session ended: by the user, who signed out in another tab, or otherwise. */
export type SessionEnding = 'signedOut' | 'ended';

/** Whether the session is over, as a store for the whole console. */
export interface SessionEnd {
  subscribe(listener: () => void): () => void;
  /** How the session ended; undefined while it has not. */
  ending(): SessionEnding | undefined;
  /** Called with the first call that the hub refuses as not signed in, or when the user signed out in another tab. */
  end(ending: SessionEnding): void;
  /** Called with the next sign-in, or when the page is left for the sign-in page; `isSameUser` is true only for a sign-in of the same user. */
  resume(isSameUser: boolean): void;
  /** Ends the session and answers, once it is resumed, whether the same user signed in again. */
  signedInAgain(): Promise<boolean>;
}

/** Creates the store, with the session not over. */
export function createSessionEnd(): SessionEnd {
  const listeners = new Set<() => void>();
  let ending: SessionEnding | undefined;
  let waiting: ((isSameUser: boolean) => void)[] = [];
  const set = (next: SessionEnding | undefined) => {
    if (next === ending) return;
    ending = next;
    for (const listener of listeners) listener();
  };
  const end = (next: SessionEnding) => set(ending ?? next);
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ending: () => ending,
    end,
    resume: (isSameUser) => {
      const resolved = waiting;
      waiting = [];
      set(undefined);
      for (const resolve of resolved) resolve(isSameUser);
    },
    signedInAgain: () => {
      end('ended');
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
