import { Trash2 } from 'lucide-react';
import { tokensCopy } from './copy.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { type DeploymentToken, tokenName } from './deployment-token.ts';

const words = tokensCopy.columns;

/** The actions on a token in the table. */
export type TokenActions = {
  setAutoAccept: (token: DeploymentToken, autoAccept: boolean) => void;
  askToDelete: (token: DeploymentToken) => void;
};

/** The columns of the table of deployment tokens. */
export function tokenColumns({ setAutoAccept, askToDelete }: TokenActions): DataColumn<DeploymentToken>[] {
  return [
    {
      id: 'name',
      header: words.name,
      value: tokenName,
      cell: (token) => <span className="font-head wrap-anywhere text-ink">{tokenName(token)}</span>,
      onPhone: 'title',
    },
    {
      id: 'createdAt',
      header: words.createdAt,
      value: ({ createdAt }) => new Date(createdAt),
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      id: 'tokenId',
      header: words.id,
      value: ({ tokenId }) => tokenId,
      cell: ({ tokenId }) => <IdTag value={tokenId} what={tokensCopy.idWhat} length={18} />,
      onPhone: 'meta',
    },
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
    {
      id: 'lastUsed',
      header: words.lastUsed,
      value: ({ lastUsedAt }) => (lastUsedAt === undefined ? undefined : new Date(lastUsedAt)),
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span className="text-ink3">{tokensCopy.never}</span>
        ) : (
          <RelativeTime at={lastUsedAt} />
        ),
    },
    {
      id: 'devices',
      header: words.devices,
      align: 'end',
      value: ({ enrolledDevices }) => enrolledDevices,
      cell: ({ enrolledDevices }) => <span className="tabular text-ink2">{enrolledDevices}</span>,
    },
    {
      id: 'actions',
      header: words.actions,
      align: 'end',
      cell: (token) => (
        <Button
          size="small"
          icon={<Trash2 size={14} aria-hidden />}
          label={tokensCopy.deleteTitle(tokenName(token))}
          onClick={() => askToDelete(token)}
        >
          {tokensCopy.delete}
        </Button>
      ),
    },
  ];
}
