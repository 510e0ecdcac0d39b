import { ToggleLeft, ToggleRight, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import type { BulkItem } from '../../parts/bulk-run.ts';
import { confirmBulk } from '../../parts/confirm-bulk.tsx';
import { showBulkDone } from '../../parts/show-bulk-done.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import { tokensCopy } from './copy.ts';
import { type DeploymentToken, tokenName } from './deployment-token.ts';
import { deleteDeploymentToken, setDeploymentTokenFlags } from './mutations.ts';

const words = tokensCopy.bulk;

/** The actions on selected tokens: Auto Accept on and off, delete. */
export function useBulkActions(): (tokens: readonly DeploymentToken[]) => readonly RowAction[] {
  const setAutoAccept = useSetAutoAccept();
  const remove = useDeleteTokens();
  return useCallback(
    (tokens) => {
      const isOn = ({ flags }: DeploymentToken) => flags.autoAccept === true;
      return [
        {
          label: words.on,
          icon: <ToggleRight aria-hidden />,
          onSelect: () =>
            void setAutoAccept(
              tokens.filter((token) => !isOn(token)),
              true,
            ),
          disabledReason: tokens.every(isOn) ? words.allOn : undefined,
        },
        {
          label: words.off,
          icon: <ToggleLeft aria-hidden />,
          onSelect: () => void setAutoAccept(tokens.filter(isOn), false),
          disabledReason: tokens.some(isOn) ? undefined : words.allOff,
        },
        {
          label: terms.delete,
          icon: <Trash2 aria-hidden />,
          tone: 'danger',
          onSelect: () => void remove(tokens),
        },
      ];
    },
    [setAutoAccept, remove],
  );
}

/** A function that switches Auto Accept of tokens after a question, with Undo. */
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
      const isDone = await confirmBulk(itemsTo(autoAccept), {
        title: (autoAccept ? words.onTitle : words.offTitle)(tokens.length),
        text: autoAccept ? words.onText : words.offText,
        verb: autoAccept ? words.switchOn : words.switchOff,
        tone: autoAccept ? 'danger' : 'primary',
      });
      if (!isDone) return;
      showBulkDone(
        (autoAccept ? words.isOn : words.isOff)(tokens.length),
        itemsTo(!autoAccept),
        words.notUndone,
      );
    },
    [run],
  );
}

/** A function that deletes tokens after a question. */
function useDeleteTokens(): (tokens: readonly DeploymentToken[]) => Promise<boolean> {
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
          text: words.deleteText(tokens.reduce((sum, { enrolledDevices = 0 }) => sum + enrolledDevices, 0)),
          verb: terms.delete,
          done: words.deleted(tokens.length),
        },
      ),
    [run],
  );
}
