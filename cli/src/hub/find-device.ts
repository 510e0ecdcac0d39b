import { mapConcurrently, readList, type Executor } from '@corral/client';
import { ids, type Id } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import { plainText } from '../output/plain-text.ts';

const maxListed = 5;

/** The fields that a device is looked up by, in this order: the name, which people give, before the host name, which the device reports. */
const fields = { name: 'name', hostname: 'host name' } as const;

interface Found {
  readonly deviceId: Id<'device'>;
  readonly projectName: string;
}

/** Finds the id of a device by id, name or host name. Rejects with a CliError if none or several match. */
export async function findDevice(hub: Executor, given: string): Promise<Id<'device'>> {
  if (ids.device.schema.safeParse(given).success) return given as Id<'device'>;
  const { projects } = await readList(hub, 'projects_QueryProjects', {});
  for (const field of ['name', 'hostname'] as const) {
    const filter = `${field}:${quoted(given)}`;
    // One more than is shown, to know whether there are more.
    const lists = await mapConcurrently(projects, async ({ projectId, name }) => {
      const input = { projectId, filter, limit: maxListed + 1 };
      const { devices } = await hub.invoke('projects_QueryProjectDevices', input);
      return devices.map(({ deviceId }) => ({ deviceId, projectName: name }));
    });
    const [device, ...others] = lists.flat();
    if (device === undefined) continue;
    if (others.length === 0) return device.deviceId;
    throw new CliError(ambiguous(`${fields[field]} "${plainText(given)}"`, lists.flat()), exitCodes.usage);
  }
  throw new CliError(
    `There is no device "${plainText(given)}" among those that you can access: see \`corral devices list\`.`,
  );
}

/** Quotes a value for a filter. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

function ambiguous(what: string, found: readonly Found[]): string {
  const listed = found
    .slice(0, maxListed)
    .map(({ deviceId, projectName }) => `${deviceId} in ${plainText(projectName)}`);
  const isMore = found.length > maxListed;
  const count = isMore ? `More than ${maxListed}` : String(found.length);
  return `${count} devices have the ${what} (${listed.join(', ')}${isMore ? ' and others' : ''}): give the id of the one that is meant.`;
}
