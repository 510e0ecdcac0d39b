import type { Id } from '@corral/contract';
import { Link, linkOptions } from '@tanstack/react-router';
import { terms } from '../../copy/terms.ts';
import { VisibilityBadge } from '../../ui/badge/VisibilityBadge.tsx';
import {
  actionsColumn,
  badgeColumn,
  countColumn,
  idColumn,
  nameColumn,
  type RowAction,
  timeColumn,
} from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { projectRepositoriesCopy } from './copy.ts';
import type { LinkedRepository } from './mutations.ts';

const words = projectRepositoriesCopy.columns;

/** The link to a repository. */
export const repositoryLink = (repositoryId: string) =>
  linkOptions({
    to: '/repositories/$repositoryId',
    params: { repositoryId: repositoryId as Id<'repository'> },
  });

/** The columns of the repositories of a project; `unlink` is the action on one. */
export function linkedColumns(
  unlink: (repository: LinkedRepository) => RowAction,
): DataColumn<LinkedRepository>[] {
  const what = terms.ids.repository;
  return [
    idColumn({ id: 'id', header: words.id, of: ({ repositoryId }) => repositoryId, what, length: 16 }),
    nameColumn({
      of: ({ name }) => name,
      cell: ({ name, repositoryId }) => (
        <TextLink
          render={<Link {...repositoryLink(repositoryId)} className="inline-flex min-h-6 items-center" />}
        >
          <span className="wrap-anywhere">{name}</span>
        </TextLink>
      ),
    }),
    badgeColumn({
      id: 'visibility',
      header: words.visibility,
      of: ({ visibility }) => visibility,
      badge: ({ visibility }) => <VisibilityBadge visibility={visibility} />,
    }),
    countColumn({ id: 'packages', header: words.packages, of: ({ packageCount }) => packageCount }),
    timeColumn({ id: 'linked', header: words.linked, of: ({ linkedAt }) => linkedAt }),
    actionsColumn({ of: (repository) => [unlink(repository)] }),
  ];
}
