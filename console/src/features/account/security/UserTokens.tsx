import type { Id } from '@corral/contract';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { terms } from '../../../copy/terms.ts';
import { PageActionButton } from '../../../parts/PageActionButton.tsx';
import { ResourceTable } from '../../../parts/ResourceTable.tsx';
import { useTableSearch } from '../../../parts/use-table-search.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { securityCopy } from './copy.ts';
import { CreateUserTokenDialog } from './CreateUserTokenDialog.tsx';
import { userTokensQuery } from './queries.ts';
import { useDeleteToken, useTokenBulkActions } from './use-delete-tokens.tsx';
import { userTokenName } from './user-token.ts';
import { userTokenColumns } from './user-token-columns.tsx';

/** The API tokens of the user: created here, shown once, deleted after a confirmation, one or several. */
export function UserTokens({ userId }: { userId: Id<'user'> }) {
  const { tokens } = useLoadedQuery(userTokensQuery(userId)).data;
  const [isCreating, setIsCreating] = useState(false);
  const remove = useDeleteToken();
  const columns = useMemo(() => userTokenColumns(remove), [remove]);
  const search = useTableSearch(columns);
  const isEmpty = tokens.length === 0 && search.filter === '';
  const create = (
    <PageActionButton
      isCreate
      variant="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => setIsCreating(true)}
    >
      {terms.create.tokens}
    </PageActionButton>
  );
  return (
    <Card title={securityCopy.tokensTitle} actions={!isEmpty && create} isFlush>
      <ResourceTable
        isFlush
        label={securityCopy.tokensTitle}
        rows={{ rows: tokens }}
        {...{ columns, search, create }}
        rowKey={({ tokenId }) => tokenId}
        rowName={userTokenName}
        filterLabel={securityCopy.filter}
        csvName={securityCopy.csvName}
        bulkActions={useTokenBulkActions()}
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
