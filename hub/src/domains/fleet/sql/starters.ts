import type { Actor, Output } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import {
  isSamePerson,
  needsApproval,
  readOwners,
  whoMayStart,
  type ProjectAccess,
} from '../../projects/index.ts';
import type { GivenDefinition } from './definition.ts';
import type { Plan } from './eligibility.ts';
import type { OperationRow } from './fleet-operations.ts';

type Preview = Output<'fleet_PreviewOperation'>;
type Caller = ProjectAccess & { readonly actor: Actor };

/** Whether what is previewed needs a second person, and who may start it where the caller may not. */
export async function readStarters(
  tx: Database,
  { projectId, isOwner, actor }: Caller,
  { eligible, needsOwner, warnings }: Pick<Preview, 'eligible' | 'needsOwner' | 'warnings'>,
  { enrollmentIntervalSecs }: Pick<GivenDefinition, 'enrollmentIntervalSecs'>,
  { steps }: Pick<Plan, 'steps'>,
): Promise<Pick<Preview, 'needsApproval' | 'starters' | 'warnings'>> {
  const devices = enrollmentIntervalSecs === undefined ? eligible : Infinity;
  const isSecond = await needsApproval(tx, projectId, { devices, steps });
  if (!isSecond && (isOwner || !needsOwner)) return { needsApproval: false, warnings };
  const starters = await readOwners(tx, projectId, isSecond ? actor : undefined);
  const why = isSecond
    ? 'It needs a second person: another owner of the project than its creator starts it.'
    : 'Only an owner of the project may start it.';
  return {
    needsApproval: isSecond,
    starters,
    warnings: [isSecond ? why : `${why} ${whoMayStart(starters)}`, ...warnings],
  };
}

/** Who may start a draft, by name, where the caller may not. */
export async function startersOf(
  tx: Database,
  { isOwner, actor }: Caller,
  { project_id, created_by, status }: OperationRow,
  waitsFor: 'Owner' | 'SecondPerson' | undefined,
): Promise<{ starters?: string[] }> {
  const isRefused = !isOwner || (waitsFor === 'SecondPerson' && isSamePerson(actor, created_by));
  if (status !== 'Draft' || waitsFor === undefined || !isRefused) return {};
  return { starters: await readOwners(tx, project_id, waitsFor === 'SecondPerson' ? created_by : undefined) };
}
