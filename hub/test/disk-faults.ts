import { readlinkSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

type Call = 'datasync' | 'sync' | 'read';
type Prototype = Record<Call, (this: FileHandle, ...args: unknown[]) => Promise<unknown>>;

/** A disk that reports errors (EIO) until it is disposed of. */
export interface DiskFaults extends Disposable {
  /** The paths of all such calls so far, those that failed and those that did not. */
  readonly calls: readonly string[];
}

/** Has calls about open files below paths fail as those to a broken disk do: the first `times` of them, by default all. */
export async function failCalls(call: Call, path: string, times = Infinity): Promise<DiskFaults> {
  const sample = await open(process.execPath);
  const prototype = Object.getPrototypeOf(sample) as Prototype;
  await sample.close();
  const original = prototype[call];
  const calls: string[] = [];
  prototype[call] = function failing(...args) {
    const name = readlinkSync(`/proc/self/fd/${this.fd}`);
    if (!name.startsWith(path)) return original.apply(this, args);
    calls.push(name);
    if (calls.length > times) return original.apply(this, args);
    const message = `EIO: i/o error, ${call}`;
    return Promise.reject(Object.assign(new Error(message), { code: 'EIO', syscall: call, errno: -5 }));
  };
  return { calls, [Symbol.dispose]: () => void (prototype[call] = original) };
}
