import { goElsewhere, type Output } from '@corral/contract';
import { checksOf } from './presence-checks.ts';
import { durationText } from './duration-text.ts';
import { endSentence } from './end-sentence.ts';
import type { EndedTogether, FactConnection, PresenceFacts } from '../sql/presence-facts.ts';

/** Whether a device is connected and, if not, why. */
export type Presence = Output<'devices_GetPresence'>;
/** Why a device is not connected. */
export type PresenceCause = NonNullable<Presence['cause']>;
type Evidence = Presence['evidence'][number];
type Judgement = Pick<Presence, 'sentence' | 'confidence'> & {
  readonly cause: PresenceCause;
  readonly evidence?: readonly Evidence[];
};

const togetherMin = 5;
const togetherShare = 0.2;
const flappingConnects = 6;
const flappingMs = 10 * 60_000;
const comesBackSecs = 150;

/** Judges from what the hub recorded: the first cause that fits. `together` is asked for only where the connection ended for no reason of its own. */
export async function judgePresence(
  facts: PresenceFacts,
  together: (ended: EndedConnection) => Promise<EndedTogether>,
  now: Date,
): Promise<Presence> {
  const [newest] = facts.connections;
  const live = facts.connections.find(({ endedAt }) => endedAt === null);
  if (live !== undefined)
    return {
      state: 'Connected',
      since: live.connectedAt,
      sentence: 'The device is connected.',
      confidence: 'Certain',
      evidence: [],
      checks: [],
    };
  const ended = newest === undefined || newest.endedAt === null ? undefined : lastEnd(facts);
  const judgement =
    refusal(facts, ended) ??
    (ended === undefined ? neverSeen(facts) : undefined) ??
    (ended && (left(ended) ?? hubWentAway(ended, now) ?? (await manyTogether(ended, together)))) ??
    (ended && (flapping(facts) ?? silent(ended) ?? unknown(ended))) ??
    neverSeen(facts);
  const { cause, sentence, confidence, evidence = [] } = judgement;
  return {
    state: 'Disconnected',
    since: ended?.endedAt ?? facts.createdAt,
    cause,
    sentence,
    confidence,
    evidence: [...evidence, ...endEvidence(ended), ...hubEvidence(ended), ...refusedEvidence(facts)],
    checks: checksOf(cause),
  };
}

/** A connection that has ended. */
export type EndedConnection = FactConnection & { readonly endedAt: string };

/** The end that the device has been away since: of overlapping connections that of the last. */
function lastEnd({ connections }: PresenceFacts): EndedConnection | undefined {
  return connections
    .filter((one): one is EndedConnection => one.endedAt !== null)
    .toSorted((one, other) => Date.parse(other.endedAt) - Date.parse(one.endedAt))[0];
}

function refusal(facts: PresenceFacts, ended: EndedConnection | undefined): Judgement | undefined {
  const { refused } = facts;
  const isLast =
    refused !== null && (ended === undefined || Date.parse(refused.last) >= Date.parse(ended.endedAt));
  if (isLast)
    return {
      cause: 'Refused',
      confidence: 'Certain',
      sentence: `The device reaches the hub and is refused: ${refused.sentence}`,
    };
  if (ended?.cause !== 'Closed' || ended.reason === 'ServerShutdown' || facts.hasActiveCertificate)
    return undefined;
  return {
    cause: 'Refused',
    confidence: 'Certain',
    sentence: `The hub closed the connection: ${ended.said}. The device has not come back since.`,
  };
}

function neverSeen({ createdAt }: PresenceFacts): Judgement {
  return {
    cause: 'NeverSeen',
    confidence: 'Certain',
    sentence: 'The device has never been connected to this hub.',
    evidence: [{ title: 'Made known to the hub', at: createdAt }],
  };
}

function left({ cause, said, reason }: EndedConnection): Judgement | undefined {
  if (cause !== 'Left' || reason === 'ServerShutdown') return undefined;
  const why = said === null || said === '' ? '' : ` It said: ${said}.`;
  return {
    cause: 'Left',
    confidence: 'Certain',
    sentence: `The device closed its connection itself, as when its agent is stopped or it shuts down.${why}`,
  };
}

function hubWentAway({ reason, cause, said, endedAt }: EndedConnection, now: Date): Judgement | undefined {
  const isMoved = cause === 'Closed' && said?.startsWith(goElsewhere) === true;
  if (reason !== 'ServerShutdown' && reason !== 'NodeCrashed' && !isMoved) return undefined;
  const awaySecs = (now.getTime() - Date.parse(endedAt)) / 1000;
  const what = isMoved
    ? 'The hub sent the device to another node'
    : reason === 'NodeCrashed'
      ? 'The node of the hub that it was connected to went away'
      : 'The hub was stopped';
  return {
    cause: 'HubWentAway',
    confidence: awaySecs < comesBackSecs ? 'Certain' : 'Likely',
    sentence:
      awaySecs < comesBackSecs
        ? `${what}; the device is expected back within 60 to 150 seconds.`
        : `${what}, and the device has not come back in the ${durationText(awaySecs)} since.`,
  };
}

async function manyTogether(
  ended: EndedConnection,
  together: (ended: EndedConnection) => Promise<EndedTogether>,
): Promise<Judgement | undefined> {
  if (ended.cause === 'Closed' || ended.cause === 'Violation') return undefined;
  const { atAddress, ofAddress, withToken, ofToken } = await together(ended);
  const isMany = (others: number, all: number): boolean =>
    others + 1 >= togetherMin && others + 1 >= togetherShare * all;
  const shared = isMany(atAddress, ofAddress)
    ? { others: atAddress, by: `behind the same address ${ended.address}` }
    : isMany(withToken, ofToken)
      ? { others: withToken, by: 'with the same deployment token' }
      : undefined;
  return shared === undefined
    ? undefined
    : {
        cause: 'ManyTogether',
        confidence: 'Likely',
        sentence: `Most likely the power or the network at its site, not this device: ${shared.others + 1} devices ${shared.by} ended within a minute.`,
        evidence: [
          {
            title: `${shared.others} other devices ended within a minute`,
            detail: `all ${shared.by}`,
            at: ended.endedAt,
          },
        ],
      };
}

function flapping({ connections }: PresenceFacts): Judgement | undefined {
  const times = connections.map(({ connectedAt }) => Date.parse(connectedAt));
  const [last, first] = [times[0], times[flappingConnects - 1]];
  if (last === undefined || first === undefined || last - first > flappingMs) return undefined;
  const count = times.filter((time) => last - time <= flappingMs).length;
  return {
    cause: 'Flapping',
    confidence: 'Likely',
    sentence: `The connection does not hold: the device connected ${count} times or more within ten minutes before it stayed away.`,
    evidence: [{ title: `${count} connections within ten minutes`, at: connections[0]?.connectedAt ?? '' }],
  };
}

function silent({ cause }: EndedConnection): Judgement | undefined {
  if (cause !== 'Silent' && cause !== 'Stalled') return undefined;
  return {
    cause: 'Silent',
    confidence: 'Likely',
    sentence:
      'The device fell silent without closing its connection: most likely it lost power or its network.',
  };
}

function unknown({ cause, said }: EndedConnection): Judgement {
  const sentences: Partial<Record<string, string>> = {
    Lost: "The line was cut without a closing message: the agent ended, or the network between cut it. The hub doesn't know which.",
    Closed: `The hub closed the connection: ${said}. The hub doesn't know why the device has not come back.`,
    Violation: `The hub closed the connection, because the device broke the protocol: ${said}. The hub doesn't know why it has not come back.`,
  };
  return {
    cause: 'Unknown',
    confidence: 'Unknown',
    sentence: sentences[cause ?? ''] ?? "The connection ended. The hub doesn't know why.",
  };
}

function endEvidence(ended: EndedConnection | undefined): Evidence[] {
  if (ended === undefined) return [];
  const { title, detail } = endSentence(
    ended.reason ?? undefined,
    ended.cause ?? undefined,
    ended.said ?? undefined,
  );
  const secs = (Date.parse(ended.endedAt) - Date.parse(ended.connectedAt)) / 1000;
  return [
    {
      title: `${title} after ${durationText(secs)}`,
      ...(detail === '' ? {} : { detail }),
      at: ended.endedAt,
    },
  ];
}

/** That the node went on while the connection ended. */
function hubEvidence(ended: EndedConnection | undefined): Evidence[] {
  if (ended === undefined || ended.nodeSince === null) return [];
  if (Date.parse(ended.nodeSince) > Date.parse(ended.endedAt)) return [];
  if (ended.reason === 'ServerShutdown') return [];
  return [
    {
      title: `Not the hub: node ${ended.nodeName ?? 'of the connection'} ran on`,
      detail: 'it has run since before the connection ended',
      at: ended.nodeSince,
    },
  ];
}

function refusedEvidence({ refused }: PresenceFacts): Evidence[] {
  if (refused === null) return [];
  const title = refused.count === 1 ? 'Refused once' : `Refused ${refused.count.toLocaleString('en')} times`;
  const detail = [refused.sentence, refused.address].filter((part) => part !== undefined).join(' · ');
  return [{ title, detail, at: refused.last }];
}
