import type { Id } from '@corral/contract';
import { KeyRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { deploymentTokensQuery } from '../../data/queries-projects.ts';
import { confirm } from '../../parts/confirm.ts';
import { createDeploymentToken } from '../../parts/create-deployment-token.ts';
import { nameSchema } from '../../parts/name-schema.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import { useUndoableRun } from '../../parts/use-undoable-run.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { tokensCopy } from './copy.ts';
import { type DeploymentToken, enrolledBy, tokenName } from './deployment-token.ts';
import { deleteDeploymentToken, setDeploymentTokenFlags } from './mutations.ts';
import { tokenColumns } from './token-columns.tsx';
import { TokenSecret } from './TokenSecret.tsx';
import { useBulkActions } from './use-bulk-actions.tsx';

/** The deployment tokens of a project: created here, shown once, switched and deleted. */
export function TokensPage({ projectId }: { projectId: Id<'project'> }) {
  const query = deploymentTokensQuery(projectId);
  const isRisky = useLoadedQuery(query).data.tokens.some(({ flags }) => flags.autoAccept === true);
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const run = useRun();
  return (
    <>
      <ResourceListPage
        meta={(count) => (count === 0 ? tokensCopy.text : tokensCopy.summary(count))}
        intro={isRisky && <p className="mb-4 max-w-[72ch] text-body text-ink2">{tokensCopy.risk}</p>}
        source={queryRows(query, ({ tokens }) => tokens)}
        columns={useTokenColumns()}
        rowKey={({ tokenId }) => tokenId}
        rowName={tokenName}
        filterLabel={tokensCopy.filter}
        csvName={tokensCopy.csvName}
        bulkActions={useBulkActions()}
        create={{ label: terms.create.tokens, onCreate: () => setIsCreating(true) }}
        empty={{
          icon: <KeyRound size={20} aria-hidden />,
          title: tokensCopy.emptyTitle,
          text: tokensCopy.emptyText,
        }}
      />
      <FieldsDialog
        open={isCreating}
        onOpenChange={setIsCreating}
        title={terms.create.tokens}
        description={tokensCopy.text}
        submitLabel={terms.create.tokens}
        fields={{ name: { label: terms.name, hint: tokensCopy.nameHint, required: true } }}
        schema={nameSchema}
        onSubmit={async ({ name }) => {
          const flags = { autoAccept: true };
          setSecret((await run(createDeploymentToken, { projectId, name, flags })).token);
        }}
      />
      <TokenSecret secret={secret} onStored={() => setSecret(undefined)} />
    </>
  );
}

function useTokenColumns() {
  const run = useRun();
  const runUndoable = useUndoableRun();
  return useMemo(() => {
    function remove(token: DeploymentToken): void {
      const name = tokenName(token);
      void confirm({
        title: tokensCopy.deleteTitle(name),
        text: tokensCopy.deleteText(enrolledBy([token])),
        verb: terms.delete,
        action: () => run(deleteDeploymentToken, { tokenId: token.tokenId }),
        done: tokensCopy.deleted(name),
      });
    }
    function setAutoAccept(token: DeploymentToken, autoAccept: boolean): void {
      const { tokenId } = token;
      runUndoable(
        setDeploymentTokenFlags,
        { tokenId, flags: { autoAccept } },
        {
          inverse: { tokenId, flags: { autoAccept: !autoAccept } },
          done: (autoAccept ? tokensCopy.on : tokensCopy.off)(tokenName(token)),
          failed: tokensCopy.notSwitched,
        },
      );
    }
    return tokenColumns({ setAutoAccept, remove });
  }, [run, runUndoable]);
}
