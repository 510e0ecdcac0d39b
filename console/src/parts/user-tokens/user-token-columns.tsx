import { terms } from '../../copy/terms.ts';
import type { Run } from '../../data/action-mutation.ts';
import { deleteRow } from '../deletion.tsx';
import { actionsColumn, badgeColumn, idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { AccessBadge, accessOf } from './AccessBadge.tsx';
import { userTokensCopy } from './copy.ts';
import { TokenExpiry } from './TokenExpiry.tsx';
import { deletion, type UserToken, userTokenName } from './user-token.ts';

/** The columns of the table of user tokens. */
export function userTokenColumns(run: Run): DataColumn<UserToken>[] {
  return [
    nameColumn({ of: userTokenName }),
    idColumn({
      id: 'tokenId',
      header: userTokensCopy.columnId,
      of: ({ tokenId }) => tokenId,
      what: terms.ids.token,
    }),
    timeColumn({ id: 'createdAt', header: userTokensCopy.columnCreated, of: ({ createdAt }) => createdAt }),
    timeColumn({
      id: 'lastUsedAt',
      header: userTokensCopy.columnUsed,
      of: ({ lastUsedAt }) => lastUsedAt,
      never: terms.never,
    }),
    badgeColumn({
      id: 'access',
      header: userTokensCopy.columnAccess,
      of: accessOf,
      badge: (token) => <AccessBadge {...token} />,
    }),
    {
      ...timeColumn<UserToken>({
        id: 'expiresAt',
        header: userTokensCopy.columnExpires,
        of: ({ expiresAt }) => expiresAt,
      }),
      cell: (token: UserToken) => <TokenExpiry {...token} />,
    },
    actionsColumn({ of: (token) => [deleteRow(run, deletion, token)] }),
  ];
}
