import {
  ActionError,
  type ActionName,
  actions,
  type Actor,
  ids,
  newerNames,
  type Output,
} from '@corral/contract';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ofAbsentFeatures } from '../../test/absent-features.ts';
import { type CallEffects, type CheckedCall, effectsOfCalls } from '../../test/effects-of-calls.ts';
import { anonymous, freshExecutor, type FreshExecutor, system } from '../../test/fresh-executor.ts';
import { type IdField, idFieldsOf, inputFields } from '../../test/id-fields.ts';
import { detailOf, legend, namesTable, wordFor } from '../../test/matrix-text.ts';
import { sampleInput } from '../../test/sample-inputs.ts';
import { byToken as boundedToken, seedDevice } from '../../test/seed.ts';
import { changeDetector } from '../../test/table-changes.ts';
import {
  absentName,
  enterWithCertificate,
  type Person,
  seedExMember,
  seedSession,
  seedStranger,
  seedWorld,
  type Things,
  thingsOf,
  type World,
} from '../../test/two-projects.ts';
import { isRecordedCall } from '../calls/audit.ts';
import { createSessions, type Sessions } from '../entry/http/identity.ts';
import type { Tables } from '../platform/db/tables.ts';
import { createInProcessBus } from '../platform/events/bus.ts';
import { handlers } from './handlers.ts';
import { addRegistration } from './users/sql/registrations.ts';

/** A caller: its account, and its actor or the error of its authentication. */
interface Row {
  readonly who: string;
  readonly account: Person;
  readonly actor: Actor | ActionError;
}

/** The outcome of one call, and the rules that it violates. */
interface Cell {
  readonly row: string;
  readonly block: string;
  readonly id: string;
  readonly verdict: string;
  /** Violations of the rules that apply to all calls. */
  readonly broken: readonly string[];
}

let hub: FreshExecutor;
let sessions: Sessions;
let login: Output<'users_RequestLogin'>;
let ours: World;
let theirs: World;
let rows: Row[];
let cells: Cell[];
/** The same for the newer names of actions, by some callers with what is own and what is foreign: the name is resolved before caller and input are read. */
let aliasCells: Cell[];
let hasChangedIn: (db: Kysely<Tables>) => Promise<boolean>;

const served = Object.keys(handlers).sort() as ActionName[];
const aliases = Object.entries(newerNames).filter(([, action]) => Object.hasOwn(handlers, action));
const aliasIds = new Set(['any', 'own', 'foreign']);
const aliasRows = new Set(['nobody', 'stranger', 'member', "owner's token", 'administrator', 'the device']);
const accountKinds = new Set(['user', 'organization', 'userTokenId', 'session']);

beforeAll(async () => {
  hub = await freshExecutor();
  const bus = createInProcessBus((error) => console.error(error));
  sessions = createSessions(hub.executor, bus, () => 0);
  ours = await seedWorld(hub);
  theirs = await seedWorld(hub);
  rows = await someCallers();
  // As if somebody who has an account had registered: so the ids of registrations are those of accounts.
  await addRegistration(
    hub.database.db,
    {
      userId: ids.user.raw(ours.colleague.actor.userId),
      email: 'registered@example.org',
      displayName: null,
      passwordHash: '',
      consentedToMarketing: false,
      now: hub.now(),
    },
    true,
  );
  hasChangedIn = await changeDetector(hub.database.db);
  // Later than every row so far.
  hub.advance(1);
  cells = [];
  aliasCells = [];
  for (const action of served) cells.push(...(await cellsOf(action)));
  for (const [name, action] of aliases) aliasCells.push(...(await cellsOf(action, name, aliasIds)));
  sessions.close();
}, 600_000);
afterAll(() => hub[Symbol.asyncDispose]());

const bySession = async ({ session }: Person): Promise<Actor> =>
  (await sessions.ofSession(session.secret)).actor;
const byToken = async ({ token }: Person): Promise<Actor> => (await sessions.ofUserToken(token.secret)).actor;

async function someCallers(): Promise<Row[]> {
  const { owner, member, reader, invited, project, device } = ours;
  login = await hub.as(anonymous, 'users_RequestLogin', { name: 'laptop' });
  const [stranger, revoked, rested] = [
    await seedStranger(hub),
    await seedStranger(hub),
    await seedStranger(hub),
  ];
  const admin = await seedStranger(hub, true);
  await seedStranger(hub, true);
  await hub.as(revoked.actor, 'users_DeleteUserToken', { tokenId: revoked.token.id });
  const ended = { ...rested, session: await seedSession(hub, rested.actor, -1) };
  const sibling = await seedDevice(hub, project);
  const node: Actor = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId: ours.things.clusterNode };
  const callers: [string, Person, Actor | (() => Promise<Actor>)][] = [
    ['nobody', stranger, anonymous],
    ['deleted token', revoked, () => byToken(revoked)],
    ['expired session', rested, () => bySession(ended)],
    ['stranger', stranger, () => bySession(stranger)],
    ["stranger's token", stranger, () => byToken(stranger)],
    ['invited', invited, () => bySession(invited)],
    ["invited one's token", invited, () => byToken(invited)],
    ...(await exMember()),
    ['member', member, () => bySession(member)],
    ["member's token", member, () => byToken(member)],
    ...(await boundedTokens(admin)),
    ['reader of the project', reader, () => bySession(reader)],
    ['owner', owner, () => bySession(owner)],
    ["owner's token", owner, () => byToken(owner)],
    ['administrator', admin, () => bySession(admin)],
    ["administrator's token", admin, () => byToken(admin)],
    ['the device', owner, device.actor],
    ['device of the project', owner, sibling.actor],
    ['device of another', owner, theirs.device.actor],
    ['device, pending', owner, () => enterWithCertificate(hub, project, 'Pending')],
    ['device, rejected', owner, () => enterWithCertificate(hub, project, 'Rejected')],
    ['device, revoked', owner, () => enterWithCertificate(hub, project, 'Revoked')],
    ['node of the cluster', owner, node],
    ['the hub itself', owner, system],
  ];
  return Promise.all(
    callers.map(async ([who, account, enters]) => ({ who, account, actor: await authenticated(enters) })),
  );
}

/** Tokens with bounds: of the member and the owner, who have the same rights without, and of an administrator. */
async function boundedTokens(admin: Person): Promise<[string, Person, Actor][]> {
  const { owner, member, things } = ours;
  const [projects, repositories] = [[things.project as never], [things.repository as never]];
  return [
    ["member's reading token", member, await boundedToken(hub, member.actor, { access: 'read' })],
    ["owner's token for these", owner, await boundedToken(hub, owner.actor, { projects, repositories })],
    ["owner's empty token", owner, await boundedToken(hub, owner.actor, { projects: [], repositories: [] })],
    ['administering token', admin, await boundedToken(hub, admin.actor, { administrator: true })],
  ];
}

async function exMember(): Promise<[string, Person, () => Promise<Actor>][]> {
  const gone = await seedExMember(hub, ours.project);
  return [
    ['ex-member', gone, () => bySession(gone)],
    ["ex-member's token", gone, () => byToken(gone)],
  ];
}

async function authenticated(enters: Actor | (() => Promise<Actor>)): Promise<Actor | ActionError> {
  try {
    return typeof enters === 'function' ? await enters() : enters;
  } catch (error) {
    if (error instanceof ActionError) return error;
    throw error;
  }
}

/** A valid input of an action, with real secrets where it needs some, and with one field set to an id. */
function inputOf(
  action: ActionName,
  own: Things,
  set: Record<string, unknown> = {},
): Record<string, unknown> {
  const secrets = new Map<unknown, unknown>([
    [ids.sessionToken.schema, ours.owner.session.secret],
    [ids.userToken.schema, ours.owner.token.secret],
  ]);
  if (action === 'users_DecideLogin') return { userCode: login.userCode, isApproved: true };
  // Files are attached under a name that is free.
  if (/^repositories_Add\w*Asset$/.test(action)) set = { filename: 'y', ...set };
  const shown = Object.entries(inputFields(action)).filter(([, schema]) => secrets.has(schema));
  const given = Object.fromEntries(shown.map(([field, schema]) => [field, secrets.get(schema)]));
  return sampleInput(action, own, hub.now(), { ...given, ...set });
}

/** The ids to try in a field: the caller's own, a colleague's, one of another project, one that does not exist, and none. */
function idsFor({ kind }: IdField, own: Things): [string, string][] {
  const colleague: [string, string][] = accountKinds.has(kind)
    ? [['colleague', thingsOf(ours, ours.colleague)[kind]]]
    : [];
  return [
    ['own', own[kind]],
    ...colleague,
    ...(Object.hasOwn(theirs.publicThings, kind)
      ? [['public', theirs.publicThings[kind as keyof World['publicThings']]] as [string, string]]
      : []),
    ['foreign', thingsOf(theirs, theirs.owner)[kind]],
    ['missing', absentName(kind)],
    ['malformed', 'd_0'],
  ];
}

/** A call and its place in the matrix. */
interface PlacedCall extends CheckedCall {
  readonly row: string;
  readonly block: string;
  readonly id: string;
}

function callsOf(action: ActionName, name: string, only?: ReadonlySet<string>): PlacedCall[] {
  const fields = idFieldsOf(action);
  const found: PlacedCall[] = [];
  for (const { who, account, actor } of rows) {
    if (actor instanceof ActionError || (name !== action && !aliasRows.has(who))) continue;
    const own = thingsOf(ours, account);
    const add = (block: string, id: string, input: object) => {
      if (only?.has(id) !== false) found.push({ row: who, block, id, actor, action, name, input });
    };
    if (Object.hasOwn(inputFields(action), 'repository')) {
      add(action, 'own', { ...inputOf(action, own), ...ours.path });
      add(action, 'public', { ...inputOf(action, own), ...theirs.publicPath });
    } else if (fields.length === 0) add(action, 'any', inputOf(action, own));
    for (const idField of fields)
      for (const [id, value] of idsFor(idField, own))
        add(`${action} ${idField.field}`, id, inputOf(action, own, { [idField.field]: value }));
  }
  return found;
}

async function cellsOf(
  action: ActionName,
  name: string = action,
  only?: ReadonlySet<string>,
): Promise<Cell[]> {
  const calls = callsOf(action, name, only);
  const effects = await effectsOfCalls(hub, hasChangedIn, calls);
  return calls.map((call, index) => {
    const { row, block, id } = call;
    const effect = effects[index]!;
    return { row, block, id, verdict: verdictOf(action, effect), broken: complaints(call, effect) };
  });
}

function verdictOf(action: ActionName, { outcome, hasChanged }: CallEffects): string {
  if (outcome instanceof ActionError) return wordFor(outcome);
  const isIdle = actions[action].kind === 'command' && !hasChanged;
  return `${isIdle ? 'idle' : 'ok'}${detailOf(outcome)}`;
}

/** Actions for anybody, whose refused calls count in the limits of their network. */
const countingRefused: ReadonlySet<ActionName> = new Set([
  'projects_RedeemDevicePairingKey',
  'projects_RedeemPairingKeyForToken',
  'repositories_ExchangeIdToken',
]);

/** Violations of the rules for every call: a refusal changes nothing, and the audit log has the outcome of a command. */
function complaints(
  { action, actor }: CheckedCall,
  { outcome, hasChanged, statuses }: CallEffects,
): string[] {
  const isRefused = outcome instanceof ActionError;
  const { kind } = actions[action];
  const isParsed = !isRefused || !/^The (field|input) /.test(outcome.message);
  const isRecorded = isRecordedCall(actions[action], actor) && isParsed;
  const expected = isRecorded ? [isRefused ? 'Failed' : 'Succeeded'] : [];
  return [
    ...(isRefused && hasChanged && !countingRefused.has(action) ? ['a refusal changed something'] : []),
    ...(kind === 'query' && hasChanged ? ['a query changed something'] : []),
    ...(isRefused && outcome.kind === 'Internal' ? ['internal'] : []),
    ...(isRefused && !/^[A-Z][^\n]*[.!]$/.test(outcome.message) ? [`no sentence: ${outcome.message}`] : []),
    ...(JSON.stringify(statuses) === JSON.stringify(expected) ? [] : [`audited as ${statuses.join()}`]),
  ];
}

/** Callers that are refused before any action, with the answer. */
function refusedTable(): string {
  const refused = rows.flatMap(({ who, actor }) =>
    actor instanceof ActionError ? [`  ${who.padEnd(24)}${wordFor(actor)}: ${actor.message}`] : [],
  );
  return ['Refused before any action', ...refused].join('\n');
}

function tableOf([block, own]: [string, Cell[]]): string {
  const columns = [...new Set(own.map(({ id }) => id))];
  const line = (who: string, words: string[]) =>
    `  ${[who.padEnd(24), ...words.map((w) => w.padEnd(20))].join('')}`.trimEnd();
  const body = rows
    .filter(({ actor }) => !(actor instanceof ActionError))
    .map(({ who }) =>
      line(
        who,
        columns.map((id) => own.find((cell) => cell.row === who && cell.id === id)?.verdict ?? '?'),
      ),
    );
  return [`${block} (${actions[block.split(' ')[0] as ActionName].kind})`, line('', columns), ...body].join(
    '\n',
  );
}

test('the rights of every actor match the reviewed matrix', async () => {
  const blocks = [...Map.groupBy(cells, ({ block }) => block)];
  const text = [legend, refusedTable(), namesTable(), ...blocks.map(tableOf)].join('\n\n');
  await expect(`${text}\n`).toMatchFileSnapshot('./authorization-matrix.golden');
});

describe('whatever is called', () => {
  const named = ({ row, block, id, verdict }: Cell) => `${row}: ${block} ${id}: ${verdict}`;
  const isPermitted = ({ verdict }: Cell) => /^(ok|idle|refused)/.test(verdict);

  test("a refusal changes nothing and is one sentence, and the audit log has each command's outcome", () => {
    expect(cells.length + aliasCells.length).toBeGreaterThanOrEqual(5000);
    const broken = [...cells, ...aliasCells].filter((cell) => cell.broken.length > 0);
    expect(broken.map((cell) => [named(cell), ...cell.broken])).toEqual([]);
  });

  test('a newer name permits exactly the actors that its action permits', () => {
    const renamed = new Set(aliases.map(([, action]) => action as string));
    const own = cells.filter(
      ({ row, block, id }) =>
        renamed.has(block.split(' ')[0] ?? '') && aliasIds.has(id) && aliasRows.has(row),
    );
    expect(aliasCells.map(named).toSorted()).toEqual(own.map(named).toSorted());
  });

  test('every action permits at least one actor, except those of absent features', () => {
    const used = new Set(
      cells.filter(({ verdict }) => /^(ok|idle)/.test(verdict)).map(({ block }) => block.split(' ')[0]),
    );
    expect(served.filter((action) => !used.has(action))).toEqual(ofAbsentFeatures);
  });

  test('"Actor check fails with Not logged in if kind is not User.": anonymous callers may only read their actor, pair a device, resolve public paths, invitations and links, create an account and set a password by a mailed link', () => {
    const anybody = new Set(['nobody', 'expired session']);
    const permitted = cells.filter((cell) => anybody.has(cell.row) && isPermitted(cell));
    expect([...new Set(permitted.map(({ block }) => block))]).toEqual([
      'actor_GetActor',
      'projects_RedeemDevicePairingKey',
      'projects_RedeemPairingKeyForToken',
      'repositories_ResolvePackageByPath',
      'repositories_ResolvePackageVersionAssetByPath',
      'repositories_ResolvePackageVersionByPath',
      'users_CompleteRegistration',
      'users_RedeemLogin',
      'users_RegisterUser',
      'users_RequestLogin',
      'users_ResendRegistrationEmail',
      'users_ResolveAccountLink',
      'users_ResolveInvitation',
      'users_SetPasswordByLink',
    ]);
  });

  test('a malformed id is not looked up for any actor', () => {
    const read = cells.filter(({ id, verdict }) => id === 'malformed' && verdict !== 'malformed');
    expect(read.map(named)).toEqual([]);
  });
});
