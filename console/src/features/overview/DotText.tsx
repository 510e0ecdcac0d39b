import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { terms } from '../../copy/terms.ts';
import { useDebounced } from '../../parts/use-debounced.ts';
import { Duration } from '../../ui/time/Duration.tsx';
import { toMs } from '../../ui/time/format-time.ts';
import { useNow } from '../../ui/time/use-now.ts';
import { Skeleton } from '../../ui/layout/Skeleton.tsx';
import { overviewCopy } from './copy.ts';
import { DotKey } from './DotKey.tsx';
import { overviewDeviceQuery } from './queries.ts';

const states = { Connected: 'connected', Disconnected: 'disconnected', Waiting: 'waiting' } as const;

/** The name of the device of a dot, its state and since when. It is read when the pointer rests. */
export function DotText({
  projectId,
  groupBy,
  index,
}: {
  projectId: Id<'project'>;
  groupBy: string;
  index: number;
}) {
  const now = useNow('minute');
  const rested = useDebounced(index);
  const { data } = useQuery({
    ...overviewDeviceQuery(projectId, groupBy, index),
    enabled: rested === index,
    retry: false,
  });
  if (data === undefined) return <Skeleton width="6rem" />;
  const { name, hostname, state, since } = data;
  return (
    <span className="flex flex-col gap-0.5">
      <b className="truncate text-label font-head">{name ?? hostname ?? terms.unnamed}</b>
      <span className="flex items-center gap-1.5 text-ink2">
        <DotKey state={states[state]} />
        {overviewCopy.states[states[state]]}{' '}
        {since !== undefined && <Duration seconds={Math.max(0, (now - toMs(since)) / 1000)} />}
      </span>
    </span>
  );
}
