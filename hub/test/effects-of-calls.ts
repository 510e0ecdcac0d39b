import { ActionError, actions, type ActionName, type Actor } from '@corral/contract';
import { sql, type Kysely } from 'kysely';
import { handlers } from '../src/domains/handlers.ts';
import { instanceSettings } from '../src/config/instance-settings.ts';
import type { Tables } from '../src/platform/db/tables.ts';
import { createExecutor } from '../src/calls/executor.ts';
import { testConfig, type FreshExecutor } from './fresh-executor.ts';
import { inRolledBackTransaction } from './in-rolled-back-transaction.ts';
import { testStorages } from './test-storages.ts';
import { testVault } from './test-vault.ts';
import { justProved } from './just-proved.ts';

/** A call of an action by any of its names. */
export interface CheckedCall {
  readonly actor: Actor;
  readonly action: ActionName;
  readonly name: string;
  readonly input: object;
}

/** What a call did. */
export interface CallEffects {
  /** Its answer, or the error. */
  readonly outcome: unknown;
  /** Whether it changed a row outside the tables that record calls. */
  readonly hasChanged: boolean;
  /** The statuses of the rows that it added to the audit log. */
  readonly statuses: readonly string[];
}

type HasChangedIn = (db: Kysely<Tables>) => Promise<boolean>;

/**
 * Makes calls, none of which sees what another did, and undoes them. Queries and refused commands should change nothing, so all calls up to a
 * command that succeeds share a transaction and one check; where that finds a change by them, all of them count as having changed something.
 */
export async function effectsOfCalls(
  hub: FreshExecutor,
  hasChangedIn: HasChangedIn,
  calls: readonly CheckedCall[],
): Promise<CallEffects[]> {
  const effects: CallEffects[] = [];
  while (effects.length < calls.length)
    effects.push(
      ...(await inRolledBackTransaction(hub.database.db, (db) =>
        effectsUntilSuccess(hub, db, hasChangedIn, calls.slice(effects.length)),
      )),
    );
  return effects;
}

async function effectsUntilSuccess(
  hub: FreshExecutor,
  db: Kysely<Tables>,
  hasChangedIn: HasChangedIn,
  calls: readonly CheckedCall[],
): Promise<CallEffects[]> {
  const outcomes: unknown[] = [];
  const startMs = hub.now().getTime();
  // Each call has a time of its own, by which its audit rows are found.
  const now = () => new Date(startMs + outcomes.length);
  let hasSucceeded = false;
  for (const call of calls) {
    const isCommand = actions[call.action].kind === 'command';
    if (isCommand) await (outcomes.length === 0 ? begin : beginNext).execute(db);
    // An executor of its own, since an executor writes only the first of many anonymous refusals.
    const outcome = await executorOn(db, now)(call);
    outcomes.push(outcome);
    hasSucceeded = isCommand && !(outcome instanceof ActionError);
    if (hasSucceeded) break;
  }
  const statuses = await statusesSince(db, startMs);
  const hasChanged = await hasChangedIn(db);
  const others = hasSucceeded ? outcomes.length - 1 : outcomes.length;
  if (hasChanged && hasSucceeded && others > 0) await undoLast.execute(db);
  const haveOthersChanged = hasChanged && others > 0 && (await hasChangedIn(db));
  return outcomes.map((outcome, index) => ({
    outcome,
    hasChanged: index < others ? haveOthersChanged : hasChanged,
    statuses: statuses.get(startMs + index)?.map(({ status }) => status) ?? [],
  }));
}

const begin = sql`savepoint before_call`;
// One statement, and there is never more than one savepoint.
const beginNext = sql`release before_call; savepoint before_call`;
const undoLast = sql`rollback to before_call`;

type Execute = (call: CheckedCall) => Promise<unknown>;

function executorOn(db: Kysely<Tables>, now: () => Date): Execute {
  const executor = createExecutor({
    handlers,
    db,
    openingDb: db,
    now,
    settings: instanceSettings(testConfig),
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit() {},
    log: { error: (fields, message) => console.error(message, fields) },
  });
  return ({ actor, name, input }) =>
    executor
      .execute({ actor, origin: { ip: '192.0.2.1', ...justProved } }, name, input)
      .catch((error: unknown) => error);
}

/** The rows of the audit log from a time on, by their time in milliseconds. */
async function statusesSince(db: Kysely<Tables>, sinceMs: number) {
  const added = await db
    .selectFrom('audit_actions')
    .select(['created_at', 'status'])
    .where('created_at', '>=', new Date(sinceMs).toISOString())
    .execute();
  return Map.groupBy(added, ({ created_at }) => Date.parse(created_at));
}
