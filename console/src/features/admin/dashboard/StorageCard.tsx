import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Card } from '../../../ui/layout/Card.tsx';
import { Sparkline } from '../../../ui/picture/Sparkline.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { ListTitle } from './Facts.tsx';
import { dashboardCopy as words } from './copy.ts';
import { changeOf, type Line } from './week.ts';

/** The bytes of what the instance stores. */
export type Stored = NonNullable<Output<'instance_GetInstanceStatistics'>['storage']>;

const kinds = ['assets', 'events', 'auditLog', 'otherRows'] as const satisfies (keyof Stored)[];

/** What takes how much room, and how the assets have grown. */
export function StorageCard({ stored, line }: { stored: Stored; line: Line | undefined }) {
  const whole = kinds.reduce((sum, kind) => sum + stored[kind], 0);
  return (
    <Card
      title={<ListTitle link={<Link to="/repositories" />}>{words.storage}</ListTitle>}
      actions={<span className="tabular text-small text-ink2">{formatSize(whole)}</span>}
    >
      <dl className="divide-y divide-line text-body">
        {kinds.map((kind) => (
          <div key={kind} className="flex min-h-9.5 items-center justify-between gap-3">
            <dt>{words.stored[kind]}</dt>
            <dd className="tabular font-head">{formatSize(stored[kind])}</dd>
          </div>
        ))}
      </dl>
      {line !== undefined && <Growth line={line} now={stored.assets} />}
    </Card>
  );
}

function Growth({ line, now }: { line: Line; now: number }) {
  const { by, when } = changeOf(line, now);
  if (by === 0) return null;
  const size = formatSize(Math.abs(by));
  const text = by > 0 ? words.more(size) : words.less(size);
  return (
    <div className="mt-3 border-t border-line pt-3">
      <p className="mb-2 flex justify-between gap-3 text-small text-ink2">
        <span>{words.grew(when)}</span>
        <span className="tabular">{text}</span>
      </p>
      <Sparkline values={[...line.values, now]} label={`${words.grew(when)}: ${text}`} />
    </div>
  );
}
