import type { Id, Output } from '@corral/contract';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { securityCopy } from './copy.ts';
import { terms } from '../../../copy/terms.ts';
import { deleteUserToken } from './mutations.ts';
import { userTokensQuery } from './queries.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
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
      {terms.create.tokens}
    </Button>
  );
  async function remove(token: UserToken): Promise<void> {
    await mutateAsync({ userId, tokenId: token.tokenId });
    showToast(securityCopy.tokenDeleted(nameOf(token)), { tone: 'ok' });
  }
  return (
    <Card title={securityCopy.tokensTitle} actions={data.tokens.length > 0 && newToken} isFlush>
      <DataTable
        isFlush
        label={securityCopy.tokensTitle}
        columns={columns}
        rows={data.tokens}
        rowKey={({ tokenId }) => tokenId}
        rowName={nameOf}
        empty={
          <EmptyState
            icon={<KeyRound size={20} aria-hidden />}
            level={3}
            title={securityCopy.noTokensTitle}
            text={securityCopy.noTokensText}
            action={newToken}
          />
        }
      />
      <CreateUserTokenDialog userId={userId} open={isCreating} onOpenChange={setIsCreating} />
      <AlertDialog
        open={tokenToDelete !== undefined}
        onOpenChange={() => setTokenToDelete(undefined)}
        title={securityCopy.deleteTitle(tokenToDelete === undefined ? '' : nameOf(tokenToDelete))}
        verb={terms.delete}
        onConfirm={() => (tokenToDelete === undefined ? undefined : remove(tokenToDelete))}
      >
        {securityCopy.deleteText}
      </AlertDialog>
    </Card>
  );
}

function nameOf({ name }: UserToken): string {
  return name === undefined || name.trim() === '' ? terms.unnamed : name;
}

function tokenColumns(askToDelete: (token: UserToken) => void): DataColumn<UserToken>[] {
  return [
    {
      id: 'name',
      header: terms.name,
      value: nameOf,
      cell: (token) => <span className="font-head text-ink">{nameOf(token)}</span>,
      onPhone: 'title',
    },
    {
      id: 'tokenId',
      header: securityCopy.columnId,
      value: ({ tokenId }) => tokenId,
      cell: ({ tokenId }) => <IdTag value={tokenId} what={terms.ids.token} />,
      onPhone: 'meta',
    },
    {
      id: 'createdAt',
      header: securityCopy.columnCreated,
      value: ({ createdAt }) => new Date(createdAt),
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      id: 'lastUsedAt',
      header: securityCopy.columnUsed,
      value: ({ lastUsedAt }) => (lastUsedAt === undefined ? undefined : new Date(lastUsedAt)),
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span className="text-ink3">{terms.never}</span>
        ) : (
          <RelativeTime at={lastUsedAt} />
        ),
    },
    {
      id: 'actions',
      header: terms.actions,
      align: 'end',
      cell: (token) => (
        <Button
          size="small"
          icon={<Trash2 size={14} aria-hidden />}
          label={securityCopy.deleteTitle(nameOf(token))}
          onClick={() => askToDelete(token)}
        >
          {terms.delete}
        </Button>
      ),
    },
  ];
}
