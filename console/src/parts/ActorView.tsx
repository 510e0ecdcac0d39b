import type { Actor } from '@corral/contract';
import { Cpu, KeyRound, Server, User, UserRoundX, Workflow } from 'lucide-react';
import { terms } from '../copy/terms.ts';
import { partsCopy } from './copy.ts';
import { LinkedId } from './DataBadges.tsx';
import type { IdContext } from './id-path.ts';
import type { ActorNames } from './use-actor-names.ts';

const words = terms.ids;
const icons = {
  Anonymous: UserRoundX,
  System: Workflow,
  User,
  UserToken: KeyRound,
  ClusterNode: Server,
  Device: Cpu,
};

/** An actor: its kind, its name if known, and its ids. With `isBrief` the ids are short, on a line of their own, and the name is cut where there is no room for it. */
export function ActorView({
  actor,
  context,
  isBrief = false,
  onFilter,
}: {
  actor: Actor;
  context: IdContext;
  isBrief?: boolean | undefined;
  onFilter: (() => void) | undefined;
}) {
  const Icon = icons[actor.kind];
  const ids = idsOf(actor);
  const name = ids.map(({ id }) => context.names.get(id)).find((known) => known !== undefined);
  const label = (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon size={14} aria-hidden className="shrink-0 text-ink3" />
      <span className="font-head whitespace-nowrap">{actor.kind}</span>
      {name !== undefined && (
        <span title={name} className="truncate text-ink2">
          {name}
        </span>
      )}
    </span>
  );
  return (
    <span
      className={
        isBrief
          ? 'flex min-w-38 in-data-tight:min-w-28 contain-inline-size flex-wrap items-center gap-x-1 gap-y-0.5 print:contain-none'
          : 'flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1'
      }
    >
      {onFilter === undefined ? (
        label
      ) : (
        <button
          type="button"
          title={partsCopy.onlyActor(name ?? actor.kind)}
          onClick={onFilter}
          className={`max-w-full rounded-control hover:text-denim hover:underline ${isBrief ? 'basis-full text-start' : ''}`}
        >
          {label}
        </button>
      )}
      {ids.map(({ id, what }) => (
        <LinkedId
          key={id}
          id={id}
          what={what}
          context={context}
          length={isBrief ? 5 : 12}
          isPlain={isBrief}
        />
      ))}
    </span>
  );
}

/** The ids of an actor, in display order. */
function idsOf(actor: Actor): { id: string; what: string }[] {
  switch (actor.kind) {
    case 'User':
      return [{ id: actor.userId, what: words.user }];
    case 'UserToken':
      return [
        { id: actor.tokenId, what: words.token },
        { id: actor.userId, what: words.user },
      ];
    case 'ClusterNode':
      return [{ id: actor.nodeId, what: words.node }];
    case 'Device':
      return [{ id: actor.deviceId, what: words.device }];
    default:
      return [];
  }
}

/** An actor as one line of text, for filter and export: kind, names and ids. */
export function actorText(actor: Actor, names: ActorNames): string {
  return [actor.kind, ...idsOf(actor).flatMap(({ id }) => [names.get(id) ?? [], id].flat())].join(' ');
}
