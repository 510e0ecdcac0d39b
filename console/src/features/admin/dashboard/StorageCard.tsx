import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Card } from '../../../ui/layout/Card.tsx';
import { segmentFill } from '../../../ui/picture/SegmentBar.tsx';
import { Sparkline } from '../../../ui/picture/Sparkline.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { ListTitle } from './Facts.tsx';
import { dashboardCopy as words } from './copy.ts';
import { changeOf, type Line } from './week.ts';

/** The bytes of what the instance stores. */
export type Stored = NonNullable<Output<'instance_GetInstanceStatistics'>['storage']>;

const kinds = ['assets', 'events', 'auditLog', 'otherRows'] as const satisfies (keyof Stored)[];

/** What takes how much room, and how the assets have grown. */
export function StorageCard({
  stored,
  line,
  isWide,
}: {
  stored: Stored;
  line: Line | undefined;
  /** Whether it takes the row. */
  isWide: boolean;
}) {
  const whole = kinds.reduce((sum, kind) => sum + stored[kind], 0);
  return (
    <Card
      title={<ListTitle link={<Link to="/repositories" />}>{words.storage}</ListTitle>}
      actions={<span className="tabular text-small text-ink2">{formatSize(whole)}</span>}
    >
      <div aria-hidden className="mb-2 flex h-3.5 gap-0.5">
        {kinds.map(
          (kind, index) =>
            stored[kind] > 0 && (
              <span
                key={kind}
                className={`bordered-when-forced rounded-[3px] ${segmentFill(index)}`}
                style={{ flexGrow: stored[kind], flexBasis: 0, minWidth: 4 }}
              />
            ),
        )}
      </div>
      <dl
        className={`text-body ${isWide ? 'grid grid-cols-1 gap-x-10 sm:grid-cols-2 lg:grid-cols-4' : 'divide-y divide-line'}`}
      >
        {kinds.map((kind, index) => (
          <div key={kind} className="flex min-h-9.5 items-center justify-between gap-3">
            <dt className="flex items-center gap-2.5">
              <span
                aria-hidden
                className={`bordered-when-forced size-2.5 rounded-[2px] ${segmentFill(index)}`}
              />
              {words.stored[kind]}
            </dt>
            <dd className="tabular font-head">{formatSize(stored[kind])}</dd>
          </div>
        ))}
      </dl>
      {line !== undefined && <Growth {...{ line, isWide }} now={stored.assets} />}
    </Card>
  );
}

function Growth({ line, now, isWide }: { line: Line; now: number; isWide: boolean }) {
  const { by, when } = changeOf(line, now);
  if (by === 0) return null;
  const size = formatSize(Math.abs(by));
  const text = by > 0 ? words.more(size) : words.less(size);
  const picture = <Sparkline values={[...line.values, now]} label={`${words.grew(when)}: ${text}`} />;
  return (
    <div className="mt-3 border-t border-line pt-3">
      <p className="flex items-center justify-between gap-3 text-small text-ink2">
        <span>{words.grew(when)}</span>
        {isWide && <span className="flex flex-1 justify-end max-sm:hidden">{picture}</span>}
        <span className="tabular">{text}</span>
      </p>
      <div className={`mt-2 ${isWide ? 'sm:hidden' : ''}`}>{picture}</div>
    </div>
  );
}
