/** A file of the demo: its name and how many bytes it has. */
export interface DemoFile {
  readonly filename: string;
  readonly sizeBytes: number;
}

/** A version of the demo, oldest first in its package. */
interface DemoVersion {
  readonly name: string;
  readonly tags: readonly { readonly tag: string; readonly locked?: boolean }[];
  readonly files: readonly DemoFile[];
}

/** A package of the demo. */
export interface DemoPackage {
  readonly name: string;
  readonly kind: string;
  readonly versions: readonly DemoVersion[];
}

const released = (name: string, ...moving: string[]) => [
  ...moving.map((tag) => ({ tag })),
  { tag: `v${name}`, locked: true },
];

/** What the demo publishes. */
export const demoPackages: readonly DemoPackage[] = [
  {
    name: 'gate-controller',
    kind: 'rugix',
    versions: [
      version('1.3.2', 401_408, released('1.3.2', 'latest', 'stable')),
      version('1.4.0', 413_696, released('1.4.0', 'latest', 'stable')),
      version('1.4.1', 413_952, released('1.4.1', 'latest')),
      version('1.5.0-rc.1', 421_888, [{ tag: 'beta' }]),
    ],
  },
  {
    name: 'sensor-readings',
    kind: 'container',
    versions: [
      version('0.9.0', 180_224, released('0.9.0', 'latest')),
      version('0.9.1', 180_736, released('0.9.1', 'latest')),
    ],
  },
  { name: 'site-configuration', kind: 'files', versions: [] },
];

function version(name: string, sizeBytes: number, tags: DemoVersion['tags']): DemoVersion {
  return {
    name,
    tags,
    files: [
      { filename: 'image.img', sizeBytes },
      { filename: 'release-notes.txt', sizeBytes: 240 },
    ],
  };
}
