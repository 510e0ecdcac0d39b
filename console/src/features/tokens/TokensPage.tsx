import type { Id } from '@corral/contract';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { tokensCopy } from './copy.ts';
import { deleteDeploymentToken, setDeploymentTokenFlags } from './mutations.ts';
import { deploymentTokensQuery } from '../../data/queries-projects.ts';
import { Button } from '../../ui/action/Button.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx';
import { SecretDialog } from '../../ui/overlay/SecretDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import type { TableSort } from '../../ui/table/data-table.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { agentCommand } from '../../parts/agent-command.ts';
import { type DialogTarget, useDialogTarget } from '../../parts/use-dialog-target.ts';
import { useUndoableMutation } from '../../parts/use-undoable-mutation.ts';
import { CreateTokenDialog } from './CreateTokenDialog.tsx';
import { type DeploymentToken, tokenName } from './deployment-token.ts';
import { tokenColumns } from './token-columns.tsx';

/** The deployment tokens of a project: created here, shown once, switched and deleted. */
export function TokensPage({
  projectId,
  sort,
  onSortChange,
}: {
  projectId: Id<'project'>;
  sort: TableSort | undefined;
  onSortChange: (sort: TableSort | undefined) => void;
}) {
  const { data } = useSuspenseQuery(deploymentTokensQuery(projectId));
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const deleting = useDialogTarget<DeploymentToken>();
  const setFlags = useSetAutoAccept(projectId, data.tokens);
  const columns = useMemo(
    () => tokenColumns({ setAutoAccept: setFlags, askToDelete: deleting.open }),
    // Unstable identity, same behaviour.
    // oxlint-disable-next-line react/exhaustive-deps
    [projectId, data.tokens],
  );
  const newToken = (
    <Button
      variant="primary"
      icon={<Plus size={16} aria-hidden />}
      aria-keyshortcuts="c"
      onClick={() => setIsCreating(true)}
    >
      {tokensCopy.new}
    </Button>
  );
  const isRisky = data.tokens.some(({ flags }) => flags.autoAccept === true);
  return (
    <Page>
      <PageHeader
        title={terms.sections.tokens}
        meta={data.tokens.length === 0 ? tokensCopy.text : tokensCopy.summary(data.tokens.length)}
        actions={data.tokens.length > 0 && newToken}
      />
      {isRisky && <p className="mb-4 max-w-[72ch] text-body text-ink2">{tokensCopy.risk}</p>}
      <DataTable
        label={terms.sections.tokens}
        columns={columns}
        rows={data.tokens}
        rowKey={({ tokenId }) => tokenId}
        rowName={tokenName}
        sort={sort}
        onSortChange={onSortChange}
        empty={
          <div className="rounded-card border border-line bg-surface">
            <EmptyState
              icon={<KeyRound size={20} aria-hidden />}
              title={tokensCopy.emptyTitle}
              text={tokensCopy.emptyText}
              action={newToken}
            />
          </div>
        }
      />
      <CreateTokenDialog
        projectId={projectId}
        open={isCreating}
        onOpenChange={setIsCreating}
        onCreated={setSecret}
      />
      <TokenSecret secret={secret} onStored={() => setSecret(undefined)} />
      <DeleteTokenDialog projectId={projectId} dialog={deleting} />
    </Page>
  );
}

function TokenSecret({ secret, onStored }: { secret: string | undefined; onStored: () => void }) {
  return (
    <SecretDialog
      title={tokensCopy.created}
      secret={secret}
      what={tokensCopy.secret}
      variable="CORRAL_AGENT_TOKEN"
      onStored={onStored}
    >
      <div className="flex flex-col gap-1.5">
        <span className="text-body text-ink2">{tokensCopy.secretUse}</span>
        <CodeBlock
          code={agentCommand(window.location.origin, secret ?? '')}
          what={tokensCopy.command}
          prompt="$"
        />
      </div>
    </SecretDialog>
  );
}

function DeleteTokenDialog({
  projectId,
  dialog: { target: token, isOpen, close },
}: {
  projectId: Id<'project'>;
  dialog: DialogTarget<DeploymentToken>;
}) {
  const { mutateAsync } = useMutation(deleteDeploymentToken);
  if (token === undefined) return null;
  const { tokenId, enrolledDevices } = token;
  async function remove(name: string): Promise<void> {
    await mutateAsync({ projectId, tokenId: tokenId as Id<'deploymentTokenId'> });
    showToast(tokensCopy.deleted(name), { tone: 'ok' });
  }
  return (
    <AlertDialog
      open={isOpen}
      onOpenChange={close}
      title={tokensCopy.deleteTitle(tokenName(token))}
      verb={tokensCopy.delete}
      onConfirm={() => remove(tokenName(token))}
    >
      {tokensCopy.deleteText(enrolledDevices)}
    </AlertDialog>
  );
}

function useSetAutoAccept(projectId: Id<'project'>, tokens: readonly DeploymentToken[]) {
  const nameOf = (tokenId: string) => {
    const token = tokens.find((one) => one.tokenId === tokenId);
    return token === undefined ? tokenId : tokenName(token);
  };
  const run = useUndoableMutation(setDeploymentTokenFlags, {
    done: ({ tokenId, autoAccept }) => (autoAccept ? tokensCopy.on : tokensCopy.off)(nameOf(tokenId)),
    failed: () => tokensCopy.notSwitched,
  });
  return ({ tokenId: id }: DeploymentToken, autoAccept: boolean) => {
    const tokenId = id as Id<'deploymentTokenId'>;
    run({ projectId, tokenId, autoAccept }, { projectId, tokenId, autoAccept: !autoAccept });
  };
}
