import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { storedBytesQuery } from '../../data/queries-repositories.ts';
import { formatSize } from '../../ui/text/format-size.ts';
import { repositorySettingsCopy } from './copy.ts';
import { LineWithText } from './LineWithText.tsx';
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
    <div className="mt-2 text-small text-ink2">
      <LineWithText values={bytes === 0 ? [] : values} text={text}>
        {fullInDays !== undefined && <span className="text-warn">{words.fullIn(fullInDays)}</span>}
      </LineWithText>
    </div>
  );
}
