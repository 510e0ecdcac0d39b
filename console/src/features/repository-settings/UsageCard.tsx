import type { Output } from '@corral/contract';
import { Card } from '../../ui/layout/Card.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { Meter } from '../../ui/picture/Meter.tsx';
import { formatSize } from '../../ui/text/format-size.ts';
import { repositorySettingsCopy } from './copy.ts';

type Repository = Output<'repositories_GetRepositoryDetails'>;

const words = repositorySettingsCopy.usage;
// From this share on a quota is about to be reached.
const nearShare = 0.8;

/** What a repository uses, and its quotas, with a warning before they are reached. */
export function UsageCard({ repository }: { repository: Repository }) {
  const { packageCount, assetCount, usedBytes, maxBytes, maxAssets } = repository;
  const share = Math.max(shareOf(usedBytes, maxBytes), shareOf(assetCount, maxAssets));
  const isFull = share >= 1;
  const plain = (n: number): string => n.toLocaleString('en');
  return (
    <Card title={words.title} isFlush>
      {share >= nearShare && (
        <div className="p-4.5 pb-2">
          <Notice tone={isFull ? 'danger' : 'warn'} title={isFull ? words.fullTitle : words.nearTitle}>
            {isFull ? words.fullText : words.nearText}
          </Notice>
        </div>
      )}
      <Properties
        items={[
          {
            name: words.bytes,
            value: <Used label={words.bytes} used={usedBytes} max={maxBytes} format={formatSize} />,
          },
          {
            name: words.assets,
            value: <Used label={words.assets} used={assetCount} max={maxAssets} format={plain} />,
          },
          { name: words.packages, value: <span className="tabular">{plain(packageCount)}</span> },
        ]}
      />
    </Card>
  );
}

function Used({
  label,
  used,
  max,
  format,
}: {
  label: string;
  used: number;
  max: number | undefined;
  format: (n: number) => string;
}) {
  if (max === undefined) return <span className="tabular">{words.unlimited(format(used))}</span>;
  const text = words.of(format(used), format(max));
  return (
    <div className="flex flex-col gap-1.5">
      <span className="tabular">{text}</span>
      <Meter label={label} value={used} max={max} text={text} />
    </div>
  );
}

const shareOf = (used: number, max: number | undefined): number =>
  max === undefined ? 0 : max === 0 ? 1 : used / max;
