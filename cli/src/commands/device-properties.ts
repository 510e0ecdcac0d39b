import { Option, type Command } from 'commander';
import { CliError } from '../CliError.ts';
import { findDevice } from '../hub/find-device.ts';
import { agoText } from '../output/amounts.ts';
import { plainText } from '../output/plain-text.ts';
import { table } from '../output/table.ts';
import { jsonOrInput, trueOrFalse } from './arguments.ts';
import { withExample, type Work } from './parts.ts';

/** `corral devices properties …`. */
export function addProperties(devices: Command, work: Work): void {
  const properties = devices.command('properties').description('Works with the named values of a device.');
  const listing = properties
    .command('list')
    .description('Lists them.')
    .argument('<device>', 'id or name of the device')
    .action((device: string) => list(work, device));
  withExample(listing, 'corral devices properties list "Press 4"');
  const getting = properties
    .command('get')
    .description('Prints the value of one as JSON.')
    .argument('<device>', 'id or name of the device')
    .argument('<name>', 'name of the property')
    .action((device: string, name: string) => get(work, device, name));
  withExample(getting, 'corral devices properties get "Press 4" com.example.mode');
  const setting = properties
    .command('set')
    .description('Writes one.')
    .argument('<device>', 'id or name of the device')
    .argument('<name>', 'name of the property')
    .argument('<value>', 'its value as JSON, or - for the standard input')
    .addOption(new Option('--protected <bool>', 'whether only users may write it').argParser(trueOrFalse))
    .action((device: string, name: string, value: string, options: { protected?: boolean }) =>
      set(work, device, { name, value, isProtected: options.protected }),
    );
  withExample(
    setting,
    'corral devices properties set "Press 4" com.example.mode \'"night"\' --protected true',
  );
}

async function list(work: Work, device: string): Promise<void> {
  const out = work.output();
  const hub = work.hub();
  const answer = await hub.invoke('devices_QueryDeviceProperties', {
    deviceId: await findDevice(hub, device),
  });
  out.result(answer, () => {
    const all = Object.values(answer.properties);
    if (all.length === 0) return 'The device has no properties.';
    const rows = all.map(({ name, value, protected: isProtected, lastUpdated }) => [
      plainText(name),
      isProtected ? 'yes' : 'no',
      agoText(lastUpdated, Date.now()),
      plainText(JSON.stringify(value)),
    ]);
    return table(['NAME', 'PROTECTED', 'UPDATED', 'VALUE'], rows, out);
  });
}

async function get(work: Work, device: string, name: string): Promise<void> {
  const hub = work.hub();
  const deviceId = await findDevice(hub, device);
  const { result, ...found } = await hub.invoke('devices_GetDeviceProperty', { deviceId, name });
  if (result === 'NotFound' || !('value' in found))
    throw new CliError(`The device has no property ${plainText(name)}.`);
  work.output().result(found, () => JSON.stringify(found.value, undefined, 2));
}

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly isProtected: boolean | undefined;
}

async function set(work: Work, device: string, { name, value, isProtected }: Setting): Promise<void> {
  const out = work.output();
  const json = await jsonOrInput('The value', value, work.parts.stdin);
  const hub = work.hub();
  const answer = await hub.invoke('devices_SetDeviceProperty', {
    deviceId: await findDevice(hub, device),
    name,
    value: json,
    ...(isProtected === undefined ? {} : { protected: isProtected }),
  });
  out.result(answer, () => `${out.style.green('✓')} ${plainText(name)} is set.`);
}
