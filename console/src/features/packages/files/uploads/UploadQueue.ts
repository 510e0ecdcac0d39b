import { messageOf } from '../../../../ui/form/message-of.ts';
import { uploadsCopy } from './copy.ts';
import { type FileOwner, uploadFile, type UploadParts, type UploadStep } from './upload-file.ts';

/** An upload as the list shows it. */
export interface UploadItem {
  readonly id: number;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly state:
    | UploadStep
    | { readonly step: 'Waiting' }
    | { readonly step: 'Failed'; readonly message: string };
}

interface Entry {
  readonly file: File;
  readonly owner: FileOwner;
  item: UploadItem;
  cancelling: AbortController;
  /** Refused beside another upload of the same name, which goes on. */
  isDuplicate: boolean;
}

/** Two at a time: one is hashed while the other is sent. */
const concurrency = 2;
/** A version or package has no more files; further ones are left out. */
const maxItems = 1000;

/** Remembers the files that are not completely uploaded, beyond the life of the page. */
export interface UnfinishedMemory {
  /** Called with files before anything is done with them. */
  remember(filenames: readonly string[]): void;
  /** Called with files that are complete, or that the user removed from the list. One that failed can be tried again, so it stays remembered. */
  forget(filenames: readonly string[]): void;
}

/** The uploads to one version or package. They go on while other pages are shown. */
export class UploadQueue {
  readonly #parts: UploadParts;
  readonly #memory: UnfinishedMemory;
  readonly #entries = new Map<number, Entry>();
  readonly #listeners = new Set<() => void>();
  #items: readonly UploadItem[] = [];
  #incomplete: ReadonlySet<string> = new Set();
  #lastId = 0;
  #leftOut = 0;

  constructor(parts: UploadParts, memory: UnfinishedMemory) {
    this.#parts = parts;
    this.#memory = memory;
  }

  /** All uploads, in the order in which they were added; the same array until something changes. */
  readonly items = (): readonly UploadItem[] => this.#items;

  /** Calls the listener after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** How many files of the last `add` were left out. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Whether leaving the page would end an upload. */
  get isActive(): boolean {
    return this.#items.some(isUnfinished);
  }

  /** Adds files. A file fails if one of the same name is being uploaded already. */
  add(files: readonly File[], owner: FileOwner): void {
    const taken = files.slice(0, maxItems - this.#entries.size);
    this.#leftOut = files.length - taken.length;
    const names = new Set(this.#items.filter(isUnfinished).map(({ filename }) => filename));
    for (const file of taken) {
      const isDuplicate = names.has(file.name);
      names.add(file.name);
      this.#lastId += 1;
      const item: UploadItem = {
        id: this.#lastId,
        filename: file.name,
        sizeBytes: file.size,
        state: isDuplicate ? { step: 'Failed', message: uploadsCopy.duplicate } : { step: 'Waiting' },
      };
      this.#entries.set(item.id, { file, owner, item, cancelling: new AbortController(), isDuplicate });
    }
    this.#publish();
    this.#startNext();
  }

  /** Ends an upload, if it is not complete, and removes it from the list. */
  remove(id: number): void {
    this.#entries.get(id)?.cancelling.abort(new Error('cancelled'));
    this.#entries.delete(id);
    this.#publish();
    this.#startNext();
  }

  /** Remembers a file again that another tab has forgotten, if it is not complete here. */
  rememberAgain(filename: string): void {
    if (this.#incomplete.has(filename)) this.#memory.remember([filename]);
  }

  /** Begins a failed upload again. */
  retry(id: number): void {
    const entry = this.#entries.get(id);
    if (entry?.item.state.step !== 'Failed') return;
    entry.cancelling = new AbortController();
    entry.isDuplicate = false;
    this.#change(entry, { step: 'Waiting' });
    this.#startNext();
  }

  #startNext(): void {
    const entries = [...this.#entries.values()];
    const free = concurrency - entries.filter(({ item }) => isRunning(item)).length;
    const waiting = entries.filter(({ item }) => item.state.step === 'Waiting');
    for (const entry of waiting.slice(0, Math.max(0, free))) void this.#run(entry);
  }

  async #run(entry: Entry): Promise<void> {
    const { file, owner, cancelling } = entry;
    const { signal } = cancelling;
    const report = (step: UploadStep): void => {
      if (!signal.aborted) this.#change(entry, step);
    };
    report({ step: 'Hashing', doneBytes: 0 });
    try {
      await uploadFile(this.#parts, owner, file, { signal, report });
    } catch (error) {
      if (!signal.aborted) this.#change(entry, { step: 'Failed', message: messageOf(error) });
    }
    this.#startNext();
  }

  #change(entry: Entry, state: UploadItem['state']): void {
    entry.item = { ...entry.item, state };
    this.#publish();
  }

  #publish(): void {
    const entries = [...this.#entries.values()];
    this.#items = entries.map(({ item }) => item);
    this.#remember(new Set(entries.filter(isIncomplete).map(({ item }) => item.filename)));
    for (const listener of this.#listeners) listener();
  }

  #remember(names: ReadonlySet<string>): void {
    const before = this.#incomplete;
    this.#incomplete = names;
    const begun = [...names].filter((name) => !before.has(name));
    const ended = [...before].filter((name) => !names.has(name));
    if (begun.length > 0) this.#memory.remember(begun);
    if (ended.length > 0) this.#memory.forget(ended);
  }
}

/** Whether an upload is waiting or under way. */
export function isUnfinished({ state: { step } }: UploadItem): boolean {
  return step !== 'Done' && step !== 'Failed';
}

const isIncomplete = ({ item, isDuplicate }: Entry): boolean => item.state.step !== 'Done' && !isDuplicate;

const isRunning = (item: UploadItem): boolean => isUnfinished(item) && item.state.step !== 'Waiting';
