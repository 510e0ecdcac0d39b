import type { Id, Output } from '@corral/contract';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { enAccount } from '../copy/en-account.ts';
import { deleteUserToken } from '../data/mutations-account.ts';
import { userTokensQuery } from '../data/queries-account.ts';
import { Button } from '../ui/action/Button.tsx';
import { Card } from '../ui/layout/Card.tsx';
import { EmptyState } from '../ui/layout/EmptyState.tsx';
import { AlertDialog } from '../ui/overlay/AlertDialog.tsx';
import { showToast } from '../ui/overlay/toast.ts';
import type { DataColumn } from '../ui/table/data-table.ts';
import { DataTable } from '../ui/table/DataTable.tsx';
import { IdTag } from '../ui/text/IdTag.tsx';
import { RelativeTime } from '../ui/time/RelativeTime.tsx';
import { CreateUserTokenDialog } from './CreateUserTokenDialog.tsx';

type UserToken = Output<'users_QueryUserTokens'>['tokens'][number];

/** The API tokens of the user: created here, shown once, deleted after a confirmation. */
export function UserTokens({ userId }: { userId: Id<'user'> }) {
  const { data } = useSuspenseQuery(userTokensQuery(userId));
  const { mutateAsync } = useMutation(deleteUserToken);
  const [isCreating, setIsCreating] = useState(false);
  const [tokenToDelete, setTokenToDelete] = useState<UserToken>();
  const columns = useMemo(() => tokenColumns(setTokenToDelete), []);
  const newToken = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      {enAccount.security.newToken}
    </Button>
  );
  async function remove(token: UserToken): Promise<void> {
    await mutateAsync({ userId, tokenId: token.tokenId });
    showToast(enAccount.security.tokenDeleted(nameOf(token)), { tone: 'ok' });
  }
  return (
    <Card title={enAccount.security.tokensTitle} actions={data.tokens.length > 0 && newToken} isFlush>
      <DataTable
        isFlush
        label={enAccount.security.tokensTitle}
        columns={columns}
        rows={data.tokens}
        rowKey={({ tokenId }) => tokenId}
        rowName={nameOf}
        empty={
          <EmptyState
            icon={<KeyRound size={20} aria-hidden />}
            level={3}
            title={enAccount.security.noTokensTitle}
            text={enAccount.security.noTokensText}
            action={newToken}
          />
        }
      />
      <CreateUserTokenDialog userId={userId} open={isCreating} onOpenChange={setIsCreating} />
      <AlertDialog
        open={tokenToDelete !== undefined}
        onOpenChange={() => setTokenToDelete(undefined)}
        title={enAccount.security.deleteTitle(tokenToDelete === undefined ? '' : nameOf(tokenToDelete))}
        verb={enAccount.security.deleteToken}
        onConfirm={() => (tokenToDelete === undefined ? undefined : remove(tokenToDelete))}
      >
        {enAccount.security.deleteText}
      </AlertDialog>
    </Card>
  );
}

function nameOf({ name }: UserToken): string {
  return name === undefined || name.trim() === '' ? enAccount.security.unnamed : name;
}

function tokenColumns(askToDelete: (token: UserToken) => void): DataColumn<UserToken>[] {
  return [
    {
      id: 'name',
      header: enAccount.security.columnName,
      value: nameOf,
      cell: (token) => <span className="font-head text-ink">{nameOf(token)}</span>,
      onPhone: 'title',
    },
    {
      id: 'tokenId',
      header: enAccount.security.columnId,
      value: ({ tokenId }) => tokenId,
      cell: ({ tokenId }) => <IdTag value={tokenId} what={enAccount.security.tokenId} />,
      onPhone: 'meta',
    },
    {
      id: 'createdAt',
      header: enAccount.security.columnCreated,
      value: ({ createdAt }) => new Date(createdAt),
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      id: 'lastUsedAt',
      header: enAccount.security.columnUsed,
      value: ({ lastUsedAt }) => (lastUsedAt === undefined ? undefined : new Date(lastUsedAt)),
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span className="text-ink3">{enAccount.security.neverUsed}</span>
        ) : (
          <RelativeTime at={lastUsedAt} />
        ),
    },
    {
      id: 'actions',
      header: enAccount.security.columnActions,
      align: 'end',
      cell: (token) => (
        <Button
          size="small"
          icon={<Trash2 size={14} aria-hidden />}
          label={enAccount.security.deleteTitle(nameOf(token))}
          onClick={() => askToDelete(token)}
        >
          {enAccount.security.deleteToken}
        </Button>
      ),
    },
  ];
}
