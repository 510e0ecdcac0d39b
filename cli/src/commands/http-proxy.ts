import type { Command } from 'commander';
import { findDevice } from '../hub/find-device.ts';
import { wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

interface Options {
  readonly hostname?: string;
  readonly port?: number;
  readonly validFor?: number;
}

/** `corral http-proxy issue-url`. */
export function addHttpProxy(program: Command, context: CommandContext): void {
  const command = program
    .command('http-proxy')
    .description('Opens web pages of devices in a browser.')
    .command('issue-url')
    .description(
      'Prints an address that opens a web page of a device; anybody who has the address can use it.',
    )
    .argument('<device>', 'id, name or host name of the device')
    .option(
      '--hostname <host>',
      'first label of the host name of the page: 3 to 63 letters, digits and hyphens (default: drawn at random)',
    )
    .option('--port <port>', 'the port of the device', wholeNumber(1, 65_535))
    .option('--valid-for <seconds>', 'how long the address is good', wholeNumber(1, 0xffff_ffff))
    .action((device: string, options: Options) => issueUrl(context, device, options));
  withExample(command, 'corral http-proxy issue-url "Press 4" --port 8080 --valid-for 3600');
}

async function issueUrl(
  context: CommandContext,
  device: string,
  { hostname, port, validFor }: Options,
): Promise<void> {
  const hub = context.hub();
  const issued = await hub.invoke('devices_IssueDeviceHttpProxyToken', {
    deviceId: await findDevice(hub, device),
    ...(hostname === undefined ? {} : { hostname }),
    ...(port === undefined ? {} : { port }),
    ...(validFor === undefined ? {} : { validForSecs: validFor }),
  });
  context.output().result(issued, () => issued.url);
}
