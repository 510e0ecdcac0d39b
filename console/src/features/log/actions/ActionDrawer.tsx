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
import type { LoggedAction } from './action-columns.tsx';

const words = logCopy.columns;

/** The details of a command, and the link to its events. */
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
        <p className="text-body text-ink2">{logCopy.actions.gone}</p>
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
            { name: words.id, value: <IdTag value={actionId} what={logCopy.actionWhat} length={24} /> },
            { name: words.timestamp, value: <AbsoluteTime at={createdAt} className="text-ink" /> },
            { name: words.actor, value: <ActorView actor={actor} context={context} onFilter={undefined} /> },
            { name: words.data, value: <DataBadges context={context} omit="" /> },
            { name: logCopy.actions.status, value: <ActionBadge status={status} /> },
          ]}
        />
      </div>
      <p className="text-body">
        <TextLink render={<Link to="/admin/log" search={{ action: actionId }} />}>
          {logCopy.actions.toEvents}
        </TextLink>
      </p>
    </div>
  );
}
