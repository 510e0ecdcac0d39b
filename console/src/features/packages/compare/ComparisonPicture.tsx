import type { Output } from '@corral/contract';
import { useMemo } from 'react';
import { followClick } from '../../../ui/action/follow-click.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { SegmentStrip } from '../../../ui/picture/SegmentStrip.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { packagesCopy } from '../copy.ts';
import { versionName } from '../version-name.ts';
import { changeLooks, fileChanges } from './change-looks.ts';
import { type ComparedBytes, comparedBytes, type FileChange, totalOf } from './compared-bytes.ts';

const words = packagesCopy.compare;

/** The bytes of two versions as bars of one scale, the common ones first, with what a device has to fetch; each part leads to its files. */
export function ComparisonPicture({
  data,
  sentence,
  hrefOf,
  onShow,
}: {
  data: Output<'repositories_CompareVersions'>;
  sentence: string;
  hrefOf: (change: FileChange) => string;
  onShow: (change: FileChange) => void;
}) {
  const { from, to } = useMemo(() => comparedBytes(data.files), [data.files]);
  const largest = Math.max(totalOf(from), totalOf(to));
  const bars = [
    { side: words.from, version: data.from, bytes: from },
    { side: words.to, version: data.to, bytes: to },
  ];
  const present = fileChanges.filter((change) => from[change] + to[change] > 0);
  return (
    <Card>
      <p className="mb-3.5 text-section">{sentence}</p>
      {largest > 0 && (
        <>
          <div className="grid grid-cols-[minmax(0,10rem)_minmax(0,1fr)] items-center gap-x-4 gap-y-2 max-sm:grid-cols-1 max-sm:gap-y-1">
            {bars.map(({ side, version, bytes }) => (
              <div key={side} className="contents">
                <span className="flex min-w-0 items-baseline gap-2 max-sm:mt-1">
                  <span className="w-9 shrink-0 text-small text-ink3">{side}</span>
                  <bdi
                    className="min-w-0 truncate font-mono text-body font-head"
                    title={version.name ?? version.versionId}
                  >
                    {versionName(version)}
                  </bdi>
                </span>
                <VersionBar {...{ bytes, largest, hrefOf, onShow }} />
              </div>
            ))}
          </div>
          <ul
            aria-label={words.bytes}
            className="mt-4 flex flex-wrap gap-x-6 gap-y-1.5 border-t border-line pt-3"
          >
            {present.map((change) => (
              <BytesOfChange key={change} {...{ change, from, to }} href={hrefOf(change)} onShow={onShow} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** The bytes of a version, as long as they are many beside the larger version. */
function VersionBar({
  bytes,
  largest,
  hrefOf,
  onShow,
}: {
  bytes: ComparedBytes;
  largest: number;
  hrefOf: (change: FileChange) => string;
  onShow: (change: FileChange) => void;
}) {
  const total = totalOf(bytes);
  const parts = fileChanges.filter((change) => bytes[change] > 0);
  const segments = parts.map((change) => ({
    name: change,
    size: bytes[change],
    title: `${words.changes[change]}: ${formatSize(bytes[change])}`,
    href: hrefOf(change),
    fill: changeLooks[change].fill,
  }));
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className="min-w-0 flex-1">
        <span className="block min-w-min" style={{ width: `${(total / largest) * 100}%` }}>
          <SegmentStrip
            segments={segments}
            onOpen={(href) => {
              const change = parts.find((one) => hrefOf(one) === href);
              if (change !== undefined) onShow(change);
            }}
          />
        </span>
      </span>
      <span className="tabular w-16 shrink-0 text-end text-small text-ink2">{formatSize(total)}</span>
    </span>
  );
}

/** What a colour means, with its bytes: new ones, and those that the older version alone has. */
function BytesOfChange({
  change,
  from,
  to,
  href,
  onShow,
}: {
  change: FileChange;
  from: ComparedBytes;
  to: ComparedBytes;
  href: string;
  onShow: (change: FileChange) => void;
}) {
  const text = words.bytesOf[change](formatSize(from[change]), formatSize(to[change]));
  return (
    <li className="flex items-center gap-1.5 text-small">
      <span
        aria-hidden
        className={`bordered-when-forced size-2.5 shrink-0 rounded-[2px] ${changeLooks[change].fill}`}
      />
      <span className="text-ink2">{words.changes[change]}</span>
      <a
        href={href}
        aria-label={`${text}: ${words.changes[change]}`}
        onClick={(event) => followClick(event, () => onShow(change))}
        className="number-link touch-area"
      >
        {text}
      </a>
    </li>
  );
}
