import { terms } from '../../copy/terms.ts';
import type { Run } from '../../data/action-mutation.ts';
import { deleteRow } from '../../parts/deletion.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import { actionsColumn, countColumn, idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';

import { tokensCopy } from './copy.ts';
import { type DeploymentToken, enrolledBy, isOn, tokenName } from './deployment-token.ts';
import { deletion, setAutoAccept } from './token-actions.tsx';

/** The columns of the table of deployment tokens. */
export function tokenColumns(run: Run): DataColumn<DeploymentToken>[] {
  const words = tokensCopy.columns;
  const what = terms.ids.token;
  return [
    nameColumn({ of: tokenName }),
    timeColumn({ id: 'createdAt', header: words.createdAt, of: ({ createdAt }) => createdAt }),
    idColumn({ id: 'tokenId', header: words.id, of: ({ tokenId }) => tokenId, what, length: 18 }),
    {
      id: 'autoAccept',
      header: words.autoAccept,
      value: isOn,
      cell: (token) => (
        <span className="flex">
          <Switch
            label={tokensCopy.autoAcceptOf(tokenName(token))}
            isLabelHidden
            checked={isOn(token)}
            onCheckedChange={(autoAccept) => setAutoAccept(run, token, autoAccept)}
          />
        </span>
      ),
    },
    timeColumn({
      id: 'lastUsed',
      header: words.lastUsed,
      isExtra: true,
      of: ({ lastUsedAt }) => lastUsedAt,
      never: terms.never,
    }),
    countColumn({
      id: 'devices',
      header: words.devices,
      isExtra: true,
      of: ({ enrolledDevices }) => enrolledDevices,
      text: (token) => tokensCopy.enrolled(enrolledBy([token])),
    }),
    actionsColumn({ of: (token) => [deleteRow(run, deletion, token)] }),
  ];
}
