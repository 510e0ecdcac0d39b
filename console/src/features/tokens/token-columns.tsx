import { Trash2 } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import { Switch } from '../../ui/form/Switch.tsx';
import { actionsColumn, countColumn, idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { tokensCopy } from './copy.ts';
import { type DeploymentToken, enrolledBy, tokenName } from './deployment-token.ts';

/** The actions on a token in the table. */
export type TokenActions = {
  setAutoAccept: (token: DeploymentToken, autoAccept: boolean) => void;
  remove: (token: DeploymentToken) => void;
};

/** The columns of the table of deployment tokens. */
export function tokenColumns({ setAutoAccept, remove }: TokenActions): DataColumn<DeploymentToken>[] {
  const words = tokensCopy.columns;
  return [
    nameColumn({ id: 'name', header: terms.name, of: tokenName }),
    timeColumn({ id: 'createdAt', header: words.createdAt, of: ({ createdAt }) => createdAt }),
    idColumn({
      id: 'tokenId',
      header: words.id,
      of: ({ tokenId }) => tokenId,
      what: terms.ids.token,
      length: 18,
    }),
    {
      id: 'autoAccept',
      header: words.autoAccept,
      value: ({ flags }) => flags.autoAccept === true,
      cell: (token) => (
        <span className="flex">
          <Switch
            label={tokensCopy.autoAcceptOf(tokenName(token))}
            isLabelHidden
            checked={token.flags.autoAccept === true}
            onCheckedChange={(autoAccept) => setAutoAccept(token, autoAccept)}
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
    actionsColumn({
      id: 'actions',
      header: terms.actions,
      of: (token) => [
        {
          label: terms.delete,
          name: tokensCopy.deleteTitle(tokenName(token)),
          icon: <Trash2 aria-hidden />,
          onSelect: () => remove(token),
        },
      ],
    }),
  ];
}
