import { ToggleLeft, ToggleRight } from 'lucide-react';
import type { Run } from '../../data/action-mutation.ts';
import { bulkAction } from '../../parts/bulk-action.tsx';
import { type Deletion, deleteRows } from '../../parts/deletion.tsx';
import { runUndoable } from '../../parts/undoable.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import { tokensCopy } from './copy.ts';
import { type DeploymentToken, enrolledBy, isOn, tokenName } from './deployment-token.ts';
import { deleteDeploymentToken, setDeploymentTokenFlags } from './mutations.ts';

const named = { keyOf: ({ tokenId }: DeploymentToken) => tokenId, nameOf: tokenName };

const flagsOf = ({ tokenId }: DeploymentToken, autoAccept: boolean) => ({ tokenId, flags: { autoAccept } });

/** How tokens are deleted. */
export const deletion: Deletion<DeploymentToken> = {
  ...named,
  kind: 'token',
  text: (tokens) => tokensCopy.deleteText(enrolledBy(tokens), tokens.length),
  perform: (run, { tokenId }) => run(deleteDeploymentToken, { tokenId }),
};

/** The actions on selected tokens: Auto Accept on and off with Undo, delete. */
export function actionsOnSelected(tokens: readonly DeploymentToken[], run: Run): readonly RowAction[] {
  return [setSelected(run, tokens, true), setSelected(run, tokens, false), deleteRows(run, deletion, tokens)];
}

function setSelected(run: Run, selected: readonly DeploymentToken[], autoAccept: boolean): RowAction {
  const tokens = selected.filter((token) => isOn(token) !== autoAccept);
  const words = autoAccept ? tokensCopy.bulk.on : tokensCopy.bulk.off;
  return bulkAction(run, tokens, {
    ...named,
    label: words.label,
    icon: autoAccept ? <ToggleRight aria-hidden /> : <ToggleLeft aria-hidden />,
    ...(tokens.length === 0 ? { disabledReason: words.all } : {}),
    title: words.title(tokens.length),
    text: words.text,
    verb: words.verb,
    tone: autoAccept ? 'danger' : 'primary',
    perform: (run, token) => run(setDeploymentTokenFlags, flagsOf(token, autoAccept)),
    done: words.done,
    undo: {
      perform: (run, token) => run(setDeploymentTokenFlags, flagsOf(token, !autoAccept)),
      notUndone: tokensCopy.bulk.notUndone,
    },
  });
}

/** Switches Auto Accept of a token, optimistically, with Undo. */
export function setAutoAccept(run: Run, token: DeploymentToken, autoAccept: boolean): void {
  runUndoable(run, setDeploymentTokenFlags, flagsOf(token, autoAccept), {
    inverse: flagsOf(token, !autoAccept),
    done: (autoAccept ? tokensCopy.on : tokensCopy.off)(tokenName(token)),
    failed: tokensCopy.notSwitched,
  });
}
