import type { Id } from '@corral/contract';
import { KeyRound } from 'lucide-react';
import { useMemo } from 'react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { useCreateButton } from '../../../parts/create-button.tsx';
import { deleteRows } from '../../../parts/deletion.tsx';
import { configureCommand } from '../../../parts/install-commands.ts';
import { NewTokenDialog } from '../../../parts/NewTokenDialog.tsx';
import { ResourceTable } from '../../../parts/ResourceTable.tsx';
import { useTableSearch } from '../../../parts/use-table-search.ts';
import type { DialogProps } from '../../../parts/use-lazy-dialog.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { securityCopy as words } from './copy.ts';
import { userTokensCopy } from '../../../parts/user-tokens/copy.ts';
import { createUserToken, userTokensQuery } from '../../../parts/user-tokens/token-data.ts';
import { boundsOf, tokenSchema } from '../../../parts/user-tokens/token-form.ts';
import { deletion, userTokenName } from '../../../parts/user-tokens/user-token.ts';
import { userTokenColumns } from '../../../parts/user-tokens/user-token-columns.tsx';
import { useTokenFields } from './use-token-fields.ts';

/** The API tokens of the user: created here, shown once, deleted after a confirmation, one or several. */
export function UserTokens({ userId }: { userId: Id<'user'> }) {
  const { tokens } = useLoadedQuery(userTokensQuery(userId)).data;
  const run = useRun();
  const columns = useMemo(() => userTokenColumns(run), [run]);
  const search = useTableSearch(columns);
  const isEmpty = tokens.length === 0 && search.filter === '';
  const create = useCreateButton({
    label: terms.create.tokens,
    dialog: (dialog) => <NewToken {...dialog} userId={userId} />,
  });
  return (
    <Card title={words.tokensTitle} actions={!isEmpty && create.button} isFlush>
      <ResourceTable
        isFlush
        label={words.tokensTitle}
        rows={{ rows: tokens }}
        {...{ columns, search }}
        create={create.firstButton}
        rowKey={({ tokenId }) => tokenId}
        rowName={userTokenName}
        filterLabel={words.filter}
        csvName={words.csvName}
        bulkActions={(selected) => [deleteRows(run, deletion, selected)]}
        empty={{
          icon: <KeyRound size={20} aria-hidden />,
          title: words.noTokensTitle,
          text: words.noTokensText,
        }}
      />
      {create.dialog}
    </Card>
  );
}

function NewToken({ userId, ...dialog }: { userId: Id<'user'> } & DialogProps) {
  const run = useRun();
  return (
    <NewTokenDialog
      {...dialog}
      draft="new user token"
      description={words.tokensText}
      fields={useTokenFields(userId, dialog.open)}
      schema={tokenSchema}
      onSubmit={({ name, ...chosen }) => run(createUserToken, { userId, name, ...boundsOf(chosen) })}
      secret={{
        ...userTokensCopy.secret,
        variable: 'CORRAL_TOKEN',
        command: () => configureCommand(window.location.origin),
      }}
    />
  );
}
