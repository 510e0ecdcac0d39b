import { terms } from '../../../copy/terms.ts';
import type { Run } from '../../../data/action-mutation.ts';
import { deleteRow } from '../../../parts/deletion.tsx';
import { actionsColumn, badgeColumn, idColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { AccessBadge, accessOf } from './AccessBadge.tsx';
import { securityCopy } from './copy.ts';
import { TokenExpiry } from './TokenExpiry.tsx';
import { deletion, type UserToken, userTokenName } from './user-token.ts';

/** The columns of the table of user tokens. */
export function userTokenColumns(run: Run): DataColumn<UserToken>[] {
  return [
    nameColumn({ of: userTokenName }),
    idColumn({
      id: 'tokenId',
      header: securityCopy.columnId,
      of: ({ tokenId }) => tokenId,
      what: terms.ids.token,
    }),
    timeColumn({ id: 'createdAt', header: securityCopy.columnCreated, of: ({ createdAt }) => createdAt }),
    timeColumn({
      id: 'lastUsedAt',
      header: securityCopy.columnUsed,
      of: ({ lastUsedAt }) => lastUsedAt,
      never: terms.never,
    }),
    badgeColumn({
      id: 'access',
      header: securityCopy.columnAccess,
      of: accessOf,
      badge: (token) => <AccessBadge {...token} />,
    }),
    {
      ...timeColumn<UserToken>({
        id: 'expiresAt',
        header: securityCopy.columnExpires,
        of: ({ expiresAt }) => expiresAt,
      }),
      cell: (token: UserToken) => <TokenExpiry {...token} />,
    },
    actionsColumn({ of: (token) => [deleteRow(run, deletion, token)] }),
  ];
}
