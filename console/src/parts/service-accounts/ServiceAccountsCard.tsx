import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { KeyRound, List, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { actionsColumn, countColumn, idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { askFirst } from '../ask-first.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { nameSchema } from '../name-schema.ts';
import { ResourceTable } from '../ResourceTable.tsx';
import { userTokenName } from '../user-tokens/user-token.ts';
import { userTokenColumns } from '../user-tokens/user-token-columns.tsx';
import { userTokensQuery } from '../user-tokens/token-data.ts';
import { serviceAccountsCopy as words } from './copy.ts';
import { NewServiceToken } from './NewServiceToken.tsx';
import { deleteServiceAccount, type ServiceAccount } from './service-account-data.ts';

/** The service accounts of a project or repository: made here by its owners, with their tokens. */
export function ServiceAccountsCard({
  accounts: { data, error, refetch },
  isOwner,
  onCreate,
}: {
  accounts: UseQueryResult<{ serviceAccounts: ServiceAccount[] }>;
  isOwner: boolean;
  onCreate: (name: string) => Promise<unknown>;
}) {
  const run = useRun();
  const [isCreating, setIsCreating] = useState(false);
  const [chosen, setChosen] = useState<ServiceAccount>();
  const [isTokenWanted, setIsTokenWanted] = useState(false);
  const ownerOnly = isOwner ? undefined : words.ownerOnly;
  const columns = useMemo(
    () =>
      columnsOf(run, ownerOnly, (account, isTokenWanted) => {
        setChosen(account);
        setIsTokenWanted(isTokenWanted);
      }),
    [run, ownerOnly],
  );
  const isThere = data?.serviceAccounts.some(({ userId }) => userId === chosen?.userId) === true;
  return (
    <Card
      title={words.title}
      isFlush
      actions={
        <Button
          icon={<Plus size={16} aria-hidden />}
          isWrite
          disabledReason={ownerOnly}
          onClick={() => setIsCreating(true)}
        >
          {words.create}
        </Button>
      }
    >
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        <ResourceTable
          isFlush
          label={words.title}
          rows={{ rows: data?.serviceAccounts }}
          columns={columns}
          rowKey={({ userId }) => userId}
          rowName={({ name }) => name}
          empty={{ title: words.emptyTitle, text: words.emptyText }}
        />
      </ErrorBoundary>
      {isThere && chosen !== undefined && <ServiceTokens key={chosen.userId} account={chosen} />}
      <FieldsDialog
        open={isCreating}
        onOpenChange={setIsCreating}
        title={words.create}
        description={words.text}
        submitLabel={words.create}
        fields={{ name: { label: terms.name, hint: words.nameHint, required: true } }}
        schema={nameSchema}
        onSubmit={({ name }) => onCreate(name)}
      />
      {chosen !== undefined && (
        <NewServiceToken open={isTokenWanted} onOpenChange={setIsTokenWanted} account={chosen} />
      )}
    </Card>
  );
}

function ServiceTokens({ account: { userId, name } }: { account: ServiceAccount }) {
  const run = useRun();
  const { data, error, refetch } = useQuery(userTokensQuery(userId));
  const columns = useMemo(() => userTokenColumns(run), [run]);
  const title = words.tokensOf(name);
  return (
    <section aria-label={title} className="border-t border-line">
      <h3 className="px-5 py-3 font-head text-body">{title}</h3>
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        <ResourceTable
          isFlush
          label={title}
          rows={{ rows: data?.tokens }}
          columns={columns}
          rowKey={({ tokenId }) => tokenId}
          rowName={userTokenName}
          empty={{ title: words.noTokensTitle, text: words.noTokensText }}
        />
      </ErrorBoundary>
    </section>
  );
}

function columnsOf(
  run: Run,
  ownerOnly: string | undefined,
  choose: (account: ServiceAccount, isTokenWanted: boolean) => void,
): DataColumn<ServiceAccount>[] {
  return [
    nameColumn({ of: ({ name }) => name }),
    idColumn({ id: 'userId', header: words.columnId, of: ({ userId }) => userId, what: terms.ids.user }),
    countColumn({ id: 'tokens', header: words.columnTokens, of: ({ tokenCount }) => tokenCount }),
    timeColumn({
      id: 'lastUsedAt',
      header: words.columnUsed,
      of: ({ lastUsedAt }) => lastUsedAt,
      never: terms.never,
    }),
    actionsColumn({
      of: (account) => {
        const { userId, name, tokenCount } = account;
        return [
          {
            label: words.newToken,
            name: words.newTokenOf(name),
            icon: <KeyRound aria-hidden />,
            disabledReason: ownerOnly,
            onSelect: () => choose(account, true),
          },
          {
            label: words.showTokens,
            name: words.showTokensOf(name),
            icon: <List aria-hidden />,
            disabledReason: ownerOnly,
            onSelect: () => choose(account, false),
          },
          askFirst({
            label: words.delete,
            icon: <Trash2 aria-hidden />,
            isDangerous: true,
            disabledReason: ownerOnly,
            title: words.deleteTitle(name),
            text: words.deleteText(tokenCount),
            action: () => run(deleteServiceAccount, { userId }),
            done: words.deleted(name),
          }),
        ];
      },
    }),
  ];
}
