import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { storedBytesQuery } from '../../data/queries-repositories.ts';
import { Sparkline } from '../../ui/picture/Sparkline.tsx';
import { formatSize } from '../../ui/text/format-size.ts';
import { repositorySettingsCopy } from './copy.ts';
import { growthOf } from './stored-growth.ts';

const words = repositorySettingsCopy.usage;
const dayMs = 86_400_000;

/** How what a repository stores has changed within 30 days, and when its quota is reached if it goes on like this; nothing until it was seen for an hour. */
export function StoredGrowth({
  repositoryId,
  used,
  max,
}: {
  repositoryId: Id<'repository'>;
  used: number;
  max: number | undefined;
}) {
  const { data } = useQuery(storedBytesQuery(repositoryId));
  if (data === undefined) return null;
  const stepDays = (data.stepSeconds * 1000) / dayMs;
  const growth = growthOf({ values: data.storedBytes, stepDays, now: used, max });
  if (growth === undefined) return null;
  const { bytes, days, values, fullInDays } = growth;
  const text = words.growth(bytes === 0 ? undefined : formatSize(Math.abs(bytes)), bytes > 0, days);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-ink2">
      {bytes !== 0 && (
        <span className="w-40">
          <Sparkline values={values} label={text} />
        </span>
      )}
      <span className="tabular flex flex-col">
        <span>{text}</span>
        {fullInDays !== undefined && <span className="text-warn">{words.fullIn(fullInDays)}</span>}
      </span>
    </div>
  );
}
