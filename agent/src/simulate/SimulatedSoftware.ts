import { join } from 'node:path';
import { isTable } from '../config-file.ts';
import { readIfThere, replaceOwn } from '../identity/own-file.ts';
import { generateDevice } from './generated-device.ts';

/** A version that a device has or shall have. */
export interface InstalledVersion {
  readonly repository: string;
  readonly package: string;
  readonly version: string;
}

/** The software of a simulated device, in a file, so that it is the same the next time. */
export class SimulatedSoftware {
  readonly #file: string;
  #installed: InstalledVersion | undefined;
  /** What runs where nothing was installed. */
  readonly #first: string;

  private constructor(file: string, installed: InstalledVersion | undefined, first: string) {
    this.#file = file;
    this.#installed = installed;
    this.#first = first;
  }

  /** Reads it from the folder of a device. */
  static async open(folder: string, index: number): Promise<SimulatedSoftware> {
    const file = join(folder, 'installed.json');
    const text = await readIfThere(file);
    const first = String(generateDevice(index).properties['app.version']);
    return new SimulatedSoftware(file, text === undefined ? undefined : asVersion(JSON.parse(text)), first);
  }

  /** The name of the version that runs. */
  get version(): string {
    return this.#installed?.version ?? this.#first;
  }

  /** Whether a version runs already. */
  has(wanted: InstalledVersion): boolean {
    const { repository, package: name } = this.#installed ?? wanted;
    return this.version === wanted.version && repository === wanted.repository && name === wanted.package;
  }

  /** Runs another version from now on. */
  async install(version: InstalledVersion): Promise<void> {
    this.#installed = version;
    await replaceOwn(this.#file, JSON.stringify(version), 0o600);
  }
}

/** A version that a command or a property names; undefined if it is none. */
export function asVersion(value: unknown): InstalledVersion | undefined {
  if (!isTable(value)) return undefined;
  const { repository, package: name, version } = value;
  if (typeof repository !== 'string' || typeof name !== 'string' || typeof version !== 'string')
    return undefined;
  return { repository, package: name, version };
}
