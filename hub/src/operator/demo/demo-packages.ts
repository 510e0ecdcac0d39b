/** A file of the demo: its name, how many bytes it has, and what they begin with: by default package, version and name. */
export interface DemoFile {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly content?: string;
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
      gate('1.0.0', 'r1', 380_928, released('1.0.0')),
      gate('1.1.0', 'r1', 384_512, released('1.1.0')),
      gate('1.1.1', 'r1', 384_768, released('1.1.1')),
      gate('1.2.0', 'r1', 391_168, released('1.2.0', 'factory')),
      gate('1.2.1', 'r1', 391_424, released('1.2.1')),
      gate('1.3.0', 'r2', 399_872, released('1.3.0')),
      gate('1.3.1', 'r2', 400_128, released('1.3.1')),
      gate('1.3.2', 'r2', 401_408, released('1.3.2', 'latest', 'stable')),
      gate('1.4.0', 'r2', 413_696, released('1.4.0', 'latest', 'stable')),
      gate('1.4.1', 'r2', 413_952, released('1.4.1', 'latest')),
      gate('1.5.0-rc.1', 'r3', 421_888, [{ tag: 'beta' }], ['door-sensor.ko', 'modem-legacy.ko']),
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

/** A version of the firmware, most of which stays from one to the next: the bootloader in a revision, certificates, a kernel module. */
function gate(
  name: string,
  revision: string,
  sizeBytes: number,
  tags: DemoVersion['tags'],
  [module = 'modem.ko', ...more]: readonly string[] = [],
): DemoVersion {
  const { files } = version(name, sizeBytes, tags);
  return {
    name,
    tags,
    files: [
      ...files,
      { filename: 'bootloader.bin', sizeBytes: 196_608, content: `bootloader ${revision}` },
      {
        filename: 'root-filesystem.img',
        sizeBytes: 921_600,
        content: `root filesystem ${revision === 'r1' ? 1 : 2}`,
      },
      { filename: 'ca-certificates.pem', sizeBytes: 12_288, content: 'certificates' },
      ...[module, ...more].map((filename) => ({ filename, sizeBytes: 49_152, content: filename })),
    ],
  };
}

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
