import type { Executor } from '@corral/client';
import { ids, type Id } from '@corral/contract';
import { CliError } from '../CliError.ts';
import { plainText } from '../output/plain-text.ts';
import { listDevices, type ListedDevice } from './list-devices.ts';

const maxListed = 5;

/** The id of a device given by id or name. Rejected with a CliError when no device or several devices have that name. */
export async function findDevice(hub: Executor, given: string): Promise<Id<'device'>> {
  if (ids.device.schema.safeParse(given).success) return given as Id<'device'>;
  const found = (await listDevices(hub)).filter(({ name }) => name === given);
  const [device, ...others] = found;
  const shown = plainText(given);
  if (device === undefined)
    throw new CliError(
      `There is no device "${shown}" among those that you can access: see \`corral devices list\`.`,
    );
  if (others.length > 0)
    throw new CliError(`${ambiguous(shown, found)}: give the id of the one that is meant.`);
  return device.deviceId;
}

function ambiguous(name: string, found: readonly ListedDevice[]): string {
  const listed = found
    .slice(0, maxListed)
    .map(({ deviceId, projectName }) => `${deviceId} in ${plainText(projectName)}`);
  const more = found.length > maxListed ? ` and ${found.length - maxListed} more` : '';
  return `${found.length} devices have the name "${name}" (${listed.join(', ')}${more})`;
}
