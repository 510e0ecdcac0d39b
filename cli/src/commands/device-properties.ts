import { readList } from '@corral/client';
import { Option, type Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { findDevice } from '../hub/find-device.ts';
import { formatAge } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words } from '../output/table.ts';
import { jsonOrInput, trueOrFalse, wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral devices properties …`. */
export function addProperties(devices: Command, context: CommandContext): void {
  const properties = devices.command('properties').description('Works with the properties of a device.');
  const listing = properties
    .command('list')
    .description('Lists the properties of a device.')
    .argument('<device>', 'id, name or host name of the device')
    .action((device: string) => list(context, device));
  withExample(listing, 'corral devices properties list "Press 4"');
  const getting = named(
    properties.command('get').description('Prints the value of a property as JSON.'),
  ).action((device: string, name: string) => get(context, device, name));
  withExample(getting, 'corral devices properties get "Press 4" com.example.mode');
  addSet(properties, context);
  const removing = named(properties.command('remove').description('Removes a property.')).action(
    (device: string, name: string) => remove(context, device, name),
  );
  withExample(removing, 'corral devices properties remove "Press 4" com.example.mode');
}

function addSet(properties: Command, context: CommandContext): void {
  const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);
  const command = named(properties.command('set').description('Writes a property.'))
    .argument('<value>', 'its value as JSON, or - for the standard input')
    .addOption(new Option('--protected <bool>', 'whether only users may write it').argParser(trueOrFalse))
    .option('--if-version <version>', 'write it only if it still has this version, else exit with 4', version)
    .action((device: string, name: string, value: string, options: SetOptions) =>
      set(context, device, { name, value, ...options }),
    );
  const example = 'corral devices properties set "Press 4" com.example.mode \'"night"\' --protected true';
  withExample(command, example);
}

function named(command: Command): Command {
  return command
    .argument('<device>', 'id, name or host name of the device')
    .argument('<name>', 'name of the property');
}

async function list(context: CommandContext, device: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  const answer = await readList(hub, 'devices_QueryDeviceProperties', { deviceId });
  out.result(answer, () => {
    const all = Object.values(answer.properties);
    if (all.length === 0) return 'The device has no properties.';
    const rows = all.map(({ name, value, protected: isProtected, version, lastUpdated }) => [
      plainText(name),
      String(version),
      isProtected ? 'yes' : 'no',
      formatAge(lastUpdated, hub.nowMs()),
      plainText(JSON.stringify(value)),
    ]);
    return table([words('NAME'), 'VERSION', 'PROTECTED', 'UPDATED', words('VALUE')], rows, out);
  });
}

async function get(context: CommandContext, device: string, name: string): Promise<void> {
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  const { result, ...found } = await hub.invoke('devices_GetDeviceProperty', { deviceId, name });
  if (result === 'NotFound' || !('value' in found)) throw noProperty(name);
  context.output().result(found, () => JSON.stringify(found.value, undefined, 2));
}

const noProperty = (name: string): CliError => new CliError(`The device has no property ${plainText(name)}.`);

interface SetOptions {
  readonly protected?: boolean;
  readonly ifVersion?: number;
}

interface Setting extends SetOptions {
  readonly name: string;
  readonly value: string;
}

async function set(context: CommandContext, device: string, setting: Setting): Promise<void> {
  const { name, protected: isProtected, ifVersion } = setting;
  const out = context.output();
  const value = await jsonOrInput('The value', setting.value, context.parts.stdin);
  const hub = context.hub();
  const answer = await hub.invoke('devices_SetDeviceProperty', {
    deviceId: await findDevice(hub, device),
    name,
    value,
    ...(isProtected === undefined ? {} : { protected: isProtected }),
    ...(ifVersion === undefined ? {} : { expectedVersion: ifVersion }),
  });
  const shown = plainText(name);
  if (answer.result === 'VersionConflict')
    throw new CliError(`${shown} has version ${answer.currentVersion} by now.`, exitCodes.conflict);
  if (answer.result === 'Deleted') throw new CliError(`${shown} is not there.`, exitCodes.conflict);
  out.result(answer, () => `${out.style.green('✓')} ${shown} is set.`);
}

async function remove(context: CommandContext, device: string, name: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  const answer = await hub.invoke('devices_RemoveProperty', { deviceId, name });
  if (answer.result === 'NotFound') throw noProperty(name);
  out.result(answer, () => `${out.style.green('✓')} ${plainText(name)} is removed.`);
}
