import { Link } from '@tanstack/react-router';
import { ActorView } from '../../../parts/ActorView.tsx';
import { Sentence } from '../../../parts/AuditSentence.tsx';
import { DataBadges } from '../../../parts/DataBadges.tsx';
import type { ActorNames } from '../../../parts/use-actor-names.ts';
import { ActionBadge } from '../../../ui/badge/ActionBadge.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { Drawer } from '../../../ui/overlay/Drawer.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { AbsoluteTime } from '../../../ui/time/AbsoluteTime.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { logCopy } from '../copy.ts';
import { RawJson } from '../RawJson.tsx';
import type { LoggedAction } from './action-columns.tsx';
import { actionSentence } from './action-sentence.ts';

const words = logCopy.actions;
const columns = logCopy.columns;

/** A command as a sentence, with its outcome and its JSON, and the link to its events. */
export function ActionDrawer({
  action,
  neighbours,
  isOpen,
  names,
  onOpen,
  onClose,
}: {
  action: LoggedAction | undefined;
  /** The commands that the list shows before and behind it. */
  neighbours: { readonly previous?: LoggedAction | undefined; readonly next?: LoggedAction | undefined };
  isOpen: boolean;
  names: ActorNames;
  onOpen: (action: LoggedAction) => void;
  onClose: () => void;
}) {
  const stepTo = (to: LoggedAction | undefined) => to && (() => onOpen(to));
  return (
    <Drawer
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      above={
        action && (
          <>
            <RelativeTime at={action.createdAt} />, <AbsoluteTime at={action.createdAt} />
          </>
        )
      }
      title={action === undefined ? logCopy.actionIs : <Sentence pieces={actionSentence(action, names)} />}
      onStep={{ previous: stepTo(neighbours.previous), next: stepTo(neighbours.next) }}
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
  const { actionId, action: type, actor, data, status } = action;
  const context = { data, names, isAdmin: true };
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-4.5">
        <Properties
          items={[
            { name: columns.id, value: <IdTag value={actionId} what={logCopy.actionWhat} length={24} /> },
            { name: columns.type, value: <span className="font-mono text-small">{type}</span> },
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
