import type { StoreCapabilities } from './s3/store-settings.ts';

/** What the check of a store found about one thing. */
export interface StoreFinding {
  readonly name: string;
  readonly isFine: boolean;
  /** A sentence for people. */
  readonly text: string;
}

const maxClockSecs = 60;

const urlsOfAnotherTime =
  'The store does not take the URLs that the hub signs, because their clocks differ, so up- and downloads go through the hub. Set both clocks, then save the settings again.';

const forHubOnly =
  'Only the hub reaches the store, as its settings say, so up- and downloads go through the hub.';

type Sentences = readonly [fine: string, otherwise: string];

const sentences = {
  checksum: [
    'The store refuses bytes that do not have the announced digest.',
    'The store does not check the digest of an upload, so uploads go through the hub, which does.',
  ],
  conditional: [
    'The store never overwrites an object that is there.',
    'The store may overwrite an object that is there, so uploads go through the hub.',
  ],
  presignedUrls: [
    'Clients can up- and download at the public endpoint.',
    'A download at the public endpoint failed as seen from the hub, so downloads go through the hub. If clients reach the store elsewhere, set the public endpoint.',
  ],
  ranges: [
    'The store serves parts of an object, so that downloads can go on where they ended.',
    'The store does not serve parts of an object, so downloads cannot go on where they ended.',
  ],
  reportsChecksum: [
    'The store tells the digest of an object, so finished uploads are verified at once.',
    'The store does not tell the digest of an object, so the hub reads it once after an upload.',
  ],
  discardsShortUploads: [
    'The store discards an upload that is cut off.',
    'The store keeps what arrived of an upload that is cut off, unless a checksum is sent with it. The hub sends one, and serves nothing that it has not verified.',
  ],
  deletes: [
    'The hub can delete objects.',
    'The hub could not delete its test objects, so deleted assets would stay in the bucket: allow s3:DeleteObject.',
  ],
} as const satisfies Partial<Record<keyof StoreCapabilities, Sentences>>;

/** What the probe found, in sentences; one sentence if the store could not be probed. */
export function storeFindings(found: StoreCapabilities | undefined): StoreFinding[] {
  if (found === undefined)
    return [
      {
        name: 'reachable',
        isFine: false,
        text: 'The store did not answer when it was checked, so up- and downloads go through the hub until a check succeeds: save the settings again.',
      },
    ];
  const { clockAheadSecs } = found;
  const isOf = (name: keyof typeof sentences): boolean =>
    name === 'checksum' ? found.checksum === 'enforced' : found[name];
  const named = Object.entries(sentences) as [keyof typeof sentences, Sentences][];
  const findings = named.map(([name, [fine, otherwise]]) => {
    if (name === 'presignedUrls' && found.isForHubOnly === true)
      return { name, isFine: true, text: forHubOnly };
    const isFine = isOf(name);
    const isByClock = name === 'presignedUrls' && found.isClockInTheWay === true;
    return { name, isFine, text: isFine ? fine : isByClock ? urlsOfAnotherTime : otherwise };
  });
  const isClockFine = Math.abs(clockAheadSecs) <= maxClockSecs;
  const apart = `The clock of the store is ${durationOf(Math.abs(clockAheadSecs))} ${clockAheadSecs > 0 ? 'ahead of' : 'behind'} the hub's: set both, since signed URLs depend on them.`;
  const clock = isClockFine ? 'The store has the same time as the hub.' : apart;
  return [...findings, { name: 'clock', isFine: isClockFine, text: clock }];
}

/** In minutes and seconds. */
function durationOf(secs: number): string {
  const [minutes, rest] = [Math.floor(secs / 60), secs % 60];
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
