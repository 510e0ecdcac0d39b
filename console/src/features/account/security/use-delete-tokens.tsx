import { Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { maxBulkItems } from '../../../parts/bulk-run.ts';
import { confirm } from '../../../parts/confirm.ts';
import { confirmBulk } from '../../../parts/confirm-bulk.tsx';
import { partsCopy } from '../../../parts/copy.ts';
import type { RowAction } from '../../../ui/table/columns.tsx';
import { securityCopy as words } from './copy.ts';
import { deleteUserToken } from './mutations.ts';
import { type UserToken, userTokenName } from './user-token.ts';

/** A function that deletes one user token after a confirmation. */
export function useDeleteToken(): (token: UserToken) => void {
  const run = useRun();
  return useCallback(
    (token) => {
      const name = userTokenName(token);
      void confirm({
        title: words.deleteTitle(name),
        text: words.deleteText,
        verb: terms.delete,
        action: () => run(deleteUserToken, { tokenId: token.tokenId }),
        done: words.tokenDeleted(name),
      });
    },
    [run],
  );
}

/** The action on selected user tokens: delete, after a confirmation. */
export function useTokenBulkActions(): (tokens: readonly UserToken[]) => readonly RowAction[] {
  const run = useRun();
  return useCallback(
    (tokens) => [
      {
        label: terms.delete,
        icon: <Trash2 aria-hidden />,
        tone: 'danger',
        disabledReason: tokens.length > maxBulkItems ? partsCopy.bulk.tooMany(maxBulkItems) : undefined,
        onSelect: () =>
          void confirmBulk(
            tokens.map((token) => ({
              key: token.tokenId,
              name: userTokenName(token),
              perform: () => run(deleteUserToken, { tokenId: token.tokenId }),
            })),
            {
              title: words.bulkDeleteTitle(tokens.length),
              text: words.bulkDeleteText,
              verb: terms.delete,
              done: words.tokensDeleted,
            },
          ),
      },
    ],
    [run],
  );
}
