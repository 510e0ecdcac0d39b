import { Link } from '@tanstack/react-router';
import { ActorView } from '../../../parts/ActorView.tsx';
import { DataBadges } from '../../../parts/DataBadges.tsx';
import type { ActorNames } from '../../../parts/use-actor-names.ts';
import { ActionBadge } from '../../../ui/badge/ActionBadge.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { Drawer } from '../../../ui/overlay/Drawer.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { AbsoluteTime } from '../../../ui/time/AbsoluteTime.tsx';
import { logCopy } from '../copy.ts';
import { RawJson } from '../RawJson.tsx';
import type { LoggedAction } from './action-columns.tsx';

const words = logCopy.actions;
const columns = logCopy.columns;

/** The details of a command with its JSON, and the link to its events. */
export function ActionDrawer({
  action,
  isOpen,
  names,
  onClose,
}: {
  action: LoggedAction | undefined;
  isOpen: boolean;
  names: ActorNames;
  onClose: () => void;
}) {
  return (
    <Drawer
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={<span className="font-mono">{action?.action ?? logCopy.actionIs}</span>}
    >
      {action === undefined ? (
        <p className="text-body text-ink2">{words.gone}</p>
      ) : (
        <Details action={action} names={names} />
      )}
    </Drawer>
  );
}

function Details({ action, names }: { action: LoggedAction; names: ActorNames }) {
  const { actionId, createdAt, actor, data, status } = action;
  const context = { data, names, isAdmin: true };
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-4.5">
        <Properties
          items={[
            { name: columns.id, value: <IdTag value={actionId} what={logCopy.actionWhat} length={24} /> },
            { name: columns.timestamp, value: <AbsoluteTime at={createdAt} className="text-ink" /> },
            {
              name: columns.actor,
              value: <ActorView actor={actor} context={context} onFilter={undefined} />,
            },
            { name: columns.data, value: <DataBadges context={context} omit="" /> },
            { name: words.status, value: <ActionBadge status={status} /> },
          ]}
        />
      </div>
      <RawJson row={action} what={words.rawWhat} />
      <p className="text-body">
        <TextLink render={<Link to="/admin/log" search={{ action: actionId }} />}>{words.toEvents}</TextLink>
      </p>
    </div>
  );
}
