import { ToggleLeft, ToggleRight, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { type BulkItem, maxBulkItems } from '../../parts/bulk-run.ts';
import { partsCopy } from '../../parts/copy.ts';
import { confirmBulk } from '../../parts/confirm-bulk.tsx';
import type { RowAction } from '../../ui/table/columns.tsx';
import { tokensCopy } from './copy.ts';
import { type DeploymentToken, enrolledBy, tokenName } from './deployment-token.ts';
import { deleteDeploymentToken, setDeploymentTokenFlags } from './mutations.ts';

const words = tokensCopy.bulk;

/** The actions on selected tokens: Auto Accept on and off, delete. */
export function useBulkActions(): (tokens: readonly DeploymentToken[]) => readonly RowAction[] {
  const setAutoAccept = useSetAutoAccept();
  const remove = useDeleteTokens();
  return useCallback(
    (tokens) => {
      const isOn = ({ flags }: DeploymentToken) => flags.autoAccept === true;
      const tooMany = tokens.length > maxBulkItems ? partsCopy.bulk.tooMany(maxBulkItems) : undefined;
      return [
        {
          label: words.on,
          icon: <ToggleRight aria-hidden />,
          onSelect: () =>
            void setAutoAccept(
              tokens.filter((token) => !isOn(token)),
              true,
            ),
          disabledReason: tokens.every(isOn) ? words.allOn : tooMany,
        },
        {
          label: words.off,
          icon: <ToggleLeft aria-hidden />,
          onSelect: () => void setAutoAccept(tokens.filter(isOn), false),
          disabledReason: tokens.some(isOn) ? tooMany : words.allOff,
        },
        {
          label: terms.delete,
          icon: <Trash2 aria-hidden />,
          tone: 'danger',
          onSelect: () => void remove(tokens),
          disabledReason: tooMany,
        },
      ];
    },
    [setAutoAccept, remove],
  );
}

/** A function that switches Auto Accept of tokens after a confirmation, with Undo. */
function useSetAutoAccept(): (tokens: readonly DeploymentToken[], autoAccept: boolean) => Promise<void> {
  const run = useRun();
  return useCallback(
    async (tokens, autoAccept) => {
      const itemsTo = (value: boolean): BulkItem[] =>
        tokens.map((token) => ({
          key: token.tokenId,
          name: tokenName(token),
          perform: () =>
            run(setDeploymentTokenFlags, { tokenId: token.tokenId, flags: { autoAccept: value } }),
        }));
      await confirmBulk(itemsTo(autoAccept), {
        title: (autoAccept ? words.onTitle : words.offTitle)(tokens.length),
        text: autoAccept ? words.onText : words.offText,
        verb: autoAccept ? words.switchOn : words.switchOff,
        tone: autoAccept ? 'danger' : 'primary',
        done: autoAccept ? words.isOn : words.isOff,
        undo: { items: itemsTo(!autoAccept), notUndone: words.notUndone },
      });
    },
    [run],
  );
}

/** A function that deletes tokens after a confirmation. */
function useDeleteTokens(): (tokens: readonly DeploymentToken[]) => Promise<unknown> {
  const run = useRun();
  return useCallback(
    (tokens) =>
      confirmBulk(
        tokens.map((token) => ({
          key: token.tokenId,
          name: tokenName(token),
          perform: () => run(deleteDeploymentToken, { tokenId: token.tokenId }),
        })),
        {
          title: words.deleteTitle(tokens.length),
          text: words.deleteText(enrolledBy(tokens)),
          verb: terms.delete,
          done: words.deleted,
        },
      ),
    [run],
  );
}
