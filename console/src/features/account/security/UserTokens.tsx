import type { Id, Output } from '@corral/contract';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { terms } from '../../../copy/terms.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { ResourceTable } from '../../../parts/ResourceTable.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { actionsColumn, badgeColumn, idColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { AccessBadge, accessOf } from './AccessBadge.tsx';
import { securityCopy } from './copy.ts';
import { CreateUserTokenDialog } from './CreateUserTokenDialog.tsx';
import { deleteUserToken } from './mutations.ts';
import { userTokensQuery } from './queries.ts';
import { TokenExpiry } from './TokenExpiry.tsx';

type UserToken = Output<'users_QueryUserTokens'>['tokens'][number];

/** The API tokens of the user: created here, shown once, deleted after a confirmation. */
export function UserTokens({ userId }: { userId: Id<'user'> }) {
  const { tokens } = useLoadedQuery(userTokensQuery(userId)).data;
  const [isCreating, setIsCreating] = useState(false);
  const run = useRun();
  const create = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      {terms.create.tokens}
    </Button>
  );
  return (
    <Card title={securityCopy.tokensTitle} actions={tokens.length > 0 && create} isFlush>
      <ResourceTable
        isFlush
        label={securityCopy.tokensTitle}
        rows={{ rows: tokens }}
        columns={useMemo(() => tokenColumns(run), [run])}
        rowKey={({ tokenId }) => tokenId}
        rowName={nameOf}
        create={create}
        empty={{
          icon: <KeyRound size={20} aria-hidden />,
          title: securityCopy.noTokensTitle,
          text: securityCopy.noTokensText,
        }}
      />
      <CreateUserTokenDialog userId={userId} open={isCreating} onOpenChange={setIsCreating} />
    </Card>
  );
}

function nameOf({ name }: UserToken): string {
  return name === undefined || name.trim() === '' ? terms.unnamed : name;
}

function tokenColumns(run: Run): DataColumn<UserToken>[] {
  function remove(token: UserToken): void {
    void confirm({
      title: securityCopy.deleteTitle(nameOf(token)),
      text: securityCopy.deleteText,
      verb: terms.delete,
      action: () => run(deleteUserToken, { tokenId: token.tokenId }),
      done: securityCopy.tokenDeleted(nameOf(token)),
    });
  }
  return [
    nameColumn({ id: 'name', header: terms.name, of: nameOf }),
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
    actionsColumn({
      id: 'actions',
      header: terms.actions,
      of: (token) => [
        {
          label: terms.delete,
          name: securityCopy.deleteTitle(nameOf(token)),
          icon: <Trash2 aria-hidden />,
          onSelect: () => remove(token),
        },
      ],
    }),
  ];
}
