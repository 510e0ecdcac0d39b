import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { devicesCopy } from './copy.ts';
import { deviceCountQuery } from './queries.ts';
import type { Matches } from './use-listed-devices.ts';

interface MatchCountProps extends Matches {
  readonly projectId: Id<'project'>;
}

/** How many devices a filter of the hub finds; the hub counts them where not all were read. */
export function MatchCount({ projectId, filter, count, isAll }: MatchCountProps) {
  const { data } = useQuery({ ...deviceCountQuery(projectId, filter), enabled: !isAll });
  return (
    <span className="tabular text-small text-ink2">
      {isAll ? devicesCopy.matching(count) : textOf(count, data)}
    </span>
  );
}

function textOf(read: number, counted: Output<'projects_CountProjectDevices'> | undefined): string {
  if (counted === undefined) return devicesCopy.firstMatching(read);
  return (counted.isAll ? devicesCopy.matching : devicesCopy.manyMatching)(counted.count);
}
