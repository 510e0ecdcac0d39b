import type { Id } from '@corral/contract';
import { messageOf } from '../../../ui/form/message-of.ts';
import type { UploadQueue } from '../files/uploads/UploadQueue.ts';

/** A tag that a version gets once its files are complete; with `reassign` it may move there from another version. */
export interface PendingTag {
  readonly tag: string;
  readonly locked: boolean;
  readonly reassign: boolean;
}

/** How far the tags of a version are. Without `byItself` somebody has to set them: a file was left out, or another page began it. */
export type PublicationState =
  | { readonly step: 'Waiting'; readonly byItself: boolean }
  | { readonly step: 'Setting' }
  | { readonly step: 'Failed'; readonly message: string }
  | { readonly step: 'Ended' };

/** The tags that a version lacks until its files are complete. They are set last, so that none points at an incomplete version. */
export class Publication {
  readonly tags: readonly PendingTag[];
  readonly #setTags: (tags: readonly PendingTag[]) => Promise<unknown>;
  readonly #end: () => void;
  readonly #listeners = new Set<() => void>();
  #state: PublicationState = { step: 'Waiting', byItself: false };

  constructor(
    tags: readonly PendingTag[],
    parts: { setTags: (tags: readonly PendingTag[]) => Promise<unknown>; onEnd: () => void },
  ) {
    this.tags = tags;
    this.#setTags = parts.setTags;
    this.#end = parts.onEnd;
  }

  readonly state = (): PublicationState => this.#state;

  /** Calls the listener after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Sets the tags as soon as the queue has completed all of these files; one that the user removes from the queue leaves that to them. */
  awaitFiles(queue: UploadQueue, filenames: readonly string[]): void {
    const missing = new Set(filenames);
    this.#change({ step: 'Waiting', byItself: true });
    const check = (): void => {
      const items = queue.items();
      for (const { filename, state } of items) if (state.step === 'Done') missing.delete(filename);
      if (missing.size > 0 && [...missing].every((name) => items.some(({ filename }) => filename === name)))
        return;
      stop();
      if (missing.size === 0) void this.setTags();
      else this.#change({ step: 'Waiting', byItself: false });
    };
    const stop = queue.subscribe(check);
    check();
  }

  /** Sets the tags now. */
  async setTags(): Promise<void> {
    this.#change({ step: 'Setting' });
    try {
      await this.#setTags(this.tags);
      this.end();
    } catch (error) {
      this.#change({ step: 'Failed', message: messageOf(error) });
    }
  }

  /** Gives the tags up, or they are set. */
  end(): void {
    this.#end();
    this.#change({ step: 'Ended' });
  }

  #change(state: PublicationState): void {
    // Given up while the hub was setting them.
    if (this.#state.step === 'Ended') return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const prefix = 'corral.unfinished-publication ';
/** Of how many versions tags are remembered; of others one is forgotten. */
const maxVersions = 100;

/** Remembers which tags a version lacks, beyond the life of the page. */
export function rememberTags(versionId: Id<'packageVersion'>, tags: readonly PendingTag[]): void {
  try {
    const others = Object.keys(localStorage).filter(
      (key) => key.startsWith(prefix) && key !== prefix + versionId,
    );
    for (const key of others.slice(maxVersions - 1)) localStorage.removeItem(key);
    localStorage.setItem(prefix + versionId, JSON.stringify(tags));
  } catch {
    // Storage may be disabled or full; then the notice is missing after a reload.
  }
}

/** The tags that a page of this browser was to set on a version when it was closed. */
export function rememberedTags(versionId: Id<'packageVersion'>): readonly PendingTag[] {
  try {
    const tags: unknown = JSON.parse(localStorage.getItem(prefix + versionId) ?? '[]');
    return Array.isArray(tags) ? (tags as PendingTag[]) : [];
  } catch {
    return [];
  }
}

/** Forgets the tags of a version, which are set or given up. */
export function forgetTags(versionId: Id<'packageVersion'>): void {
  try {
    localStorage.removeItem(prefix + versionId);
  } catch {
    // Storage is disabled; then nothing is remembered.
  }
}
