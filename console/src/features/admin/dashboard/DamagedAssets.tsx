import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { dashboardCopy as words } from './copy.ts';
import { formatCount } from './StatisticCard.tsx';

type Damaged = NonNullable<Output<'instance_GetInstanceStatistics'>['damagedAssets']>;

/** Says that assets are damaged, and leads to the repositories that have most of them. */
export function DamagedAssets({ damaged: { count, repositories } }: { damaged: Damaged }) {
  return (
    <Notice tone="warn" title={words.damagedTitle(count)}>
      <p>{words.damagedText}</p>
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
        {repositories.map(({ repositoryId, name, count: damaged }) => (
          <li key={repositoryId}>
            <TextLink render={<Link to="/repositories/$repositoryId/assets" params={{ repositoryId }} />}>
              {words.damagedOf(name, formatCount(damaged))}
            </TextLink>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
